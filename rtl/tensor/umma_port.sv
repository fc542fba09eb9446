// Products in tensor memory, part of a sub-core (docs/microarchitecture.md 25.6): the row of D that
// is read stays at hand for the groups of its beat, and a row of results, or of a copy or a shift (26.7),
// waits in `drain` until no store writes its quarter. Rows of A and of scales are read too (26.6, 26.10).
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
  // Rows of A, in the cycle after their read; rows that are placed.
  // verilator lint_off UNUSEDSIGNAL // those of this sub-core
  input  umma_read_t  gather_i,
  input  umma_put_t   put_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [Lanes-1:0][31:0] put_data_i,
  output logic [Lanes-1:0][31:0] rows_o,
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
  logic       d_read, gathers, gathers_q, read_q, use_q;
  quarter_t   quarter_q;               // of the last read
  logic [4:0] lane_q;
  logic [Lanes-1:0][31:0] row_q;
  // One row, of D or of others: the gates that choose it are there once.
  logic [Lanes-1:0][31:0] came;
  always_comb begin
    came = 'x;
    if (read_q || gathers_q) came = data_i[quarter_q];
  end
  assign d_read = step_i.valid && step_i.begins && step_i.read;
  assign gathers = gather_i.valid[sub_i];
  assign read_o = d_read || gathers;
  assign quarter_o = gathers ? gather_i.quarter : step_i.quarter;
  always_comb begin
    read_row_o = gathers ? gather_i.row : step_i.row;
    if (TensorScaled != 0 && gathers && gather_i.apart) begin
      read_row_o = gather_i.row + tmem_row_t'(32'(sub_i) * Beats);
    end
  end
  always_ff @(posedge clk_i) begin
    read_q <= rst_ni && d_read;
    gathers_q <= rst_ni && gathers;
    if (read_o) quarter_q <= quarter_o;
    if (step_i.valid) begin
      use_q <= step_i.read;
      lane_q <= step_i.lane;
    end
    if (read_q) row_q <= came;
  end
  always_comb begin
    logic [Lanes-1:0][31:0] row;
    c_o = 'x;
    row = 'x;
    if (stage_i) begin
      c_o = '0;
      if (use_q) begin
        row = read_q ? came : row_q;
        for (int unsigned g = 0; g < Lanes / DotRows; g++) begin
          if (32'(lane_q) % Lanes / DotRows == g) begin
            for (int unsigned e = 0; e < DotRows; e++) c_o[e] = row[g*DotRows+e];
          end
        end
      end
    end
  end

  always_comb begin
    rows_o = 'x;
    if (gathers_q) rows_o = came;
  end

  // ---- Drain.
  logic        valid_q;
  tmem_write_t drain_q;
  logic [31:0] drain_data_q [Lanes];
  logic        waits, put, comes;
  umma_row_t   row;
  assign put = put_i.valid[sub_i];
  assign comes = row_valid_i || put;
  assign row = put ? put_i.row : row_i;
  assign waits = valid_q && store_i.valid && store_i.quarter == drain_q.quarter;
  assign blocked_o = waits;
  assign drain_o = valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (!waits) valid_q <= comes;
    if (comes) begin
      logic [31:0] off;
      off = off_i[(SubCores == 1) ? 2'(row.quarter) : 2'(sub_i)];
      drain_q.valid <= 1'b1;
      drain_q.quarter <= row.quarter;
      drain_q.row <= row.row;
      for (int unsigned l = 0; l < Lanes; l++) begin
        drain_q.mask[l] <= !off[32'(row.lane) / Lanes * Lanes + l];
      end
      for (int unsigned l = 0; l < Lanes; l++) begin
        drain_data_q[l] <= put ? put_data_i[l] : row_data_i[l];
      end
    end
  end
  always_comb begin
    write_o = drain_q;
    write_o.valid = valid_q && !waits && drain_q.mask != '0;
  end
  assign write_data_o = drain_data_q;

  `WL_ASSERT(RowHasRoom, !comes || !waits)
  `WL_ASSERT(OneRow, !row_valid_i || !put)
  `WL_ASSERT(OneRead, !d_read || !gathers)
endmodule
