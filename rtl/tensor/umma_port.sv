// Products in tensor memory, part of a sub-core (docs/microarchitecture.md 25.6): the row of D that
// is read stays at hand for the groups of its beat, and a row of results waits in `drain` until no
// store writes its quarter.
`include "cells/assert.svh"

module umma_port
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,          // without clear
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  umma_step_t  step_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [3:0][31:0] off_i,      // by quarter: lanes that are not written
  input  sub_t        sub_i,
  // Addends of the group whose slice is in stage 1 of the pipe.
  input  logic        stage_i,         // it is one of a block
  output logic [DotRows-1:0][31:0] c_o,
  // Results: a row is complete in this cycle.
  input  logic        row_valid_i,
  input  umma_row_t   row_i,
  input  logic [31:0] row_data_i [Lanes],
  output logic        blocked_o,       // the pipe cannot move: drain waits
  output logic        drain_o,
  // Tensor memory.
  output logic        read_o,
  output quarter_t    quarter_o,
  output tmem_row_t   read_row_o,
  input  logic [Lanes-1:0][31:0] data_i [Quarters],    // in the cycle after a read
  // verilator lint_off UNUSEDSIGNAL // quarter of a store
  input  tmem_write_t store_i,
  // verilator lint_on UNUSEDSIGNAL
  output tmem_write_t write_o,
  output logic [31:0] write_data_o [Lanes]
);
  // ---- Read: the row comes in the next cycle, and a load may read its quarter then.
  logic       read_q, use_q;
  quarter_t   quarter_q;
  logic [4:0] lane_q;
  logic [Lanes-1:0][31:0] row_q;
  assign read_o = step_i.valid && step_i.begins && step_i.read;
  assign quarter_o = step_i.quarter;
  assign read_row_o = step_i.row;
  always_ff @(posedge clk_i) begin
    read_q <= rst_ni && read_o;
    if (step_i.valid) begin
      use_q <= step_i.read;
      lane_q <= step_i.lane;
      quarter_q <= step_i.quarter;
    end
    if (read_q) row_q <= data_i[quarter_q];
  end
  always_comb begin
    logic [Lanes-1:0][31:0] row;
    c_o = 'x;
    row = 'x;
    if (stage_i) begin
      c_o = '0;
      if (use_q) begin
        row = read_q ? data_i[quarter_q] : row_q;
        for (int unsigned g = 0; g < Lanes / DotRows; g++) begin
          if (32'(lane_q) % Lanes / DotRows == g) begin
            for (int unsigned e = 0; e < DotRows; e++) c_o[e] = row[g*DotRows+e];
          end
        end
      end
    end
  end

  // ---- Drain.
  logic        valid_q;
  tmem_write_t drain_q;
  logic [31:0] drain_data_q [Lanes];
  logic        waits;
  assign waits = valid_q && store_i.valid && store_i.quarter == drain_q.quarter;
  assign blocked_o = waits;
  assign drain_o = valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (!waits) valid_q <= row_valid_i;
    if (row_valid_i) begin
      logic [31:0] off;
      off = off_i[(SubCores == 1) ? 2'(row_i.quarter) : 2'(sub_i)];
      drain_q.valid <= 1'b1;
      drain_q.quarter <= row_i.quarter;
      drain_q.row <= row_i.row;
      for (int unsigned l = 0; l < Lanes; l++) begin
        drain_q.mask[l] <= !off[32'(row_i.lane) / Lanes * Lanes + l];
      end
      drain_data_q <= row_data_i;
    end
  end
  always_comb begin
    write_o = drain_q;
    write_o.valid = valid_q && !waits && drain_q.mask != '0;
  end
  assign write_data_o = drain_data_q;

  `WL_ASSERT(RowHasRoom, !row_valid_i || !waits)
endmodule
