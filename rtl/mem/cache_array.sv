// Lines of a direct-mapped cache of 64-byte lines (docs/microarchitecture.md 4, 12): tags, valid bits
// and data. A look-up answers in its cycle, data comes in the next. A line is filled by two sectors
// of 32 bytes. Who misses, and when a line is lost, decides the unit around it.
`include "cells/assert.svh"
module cache_array #(
  parameter int unsigned Lines = 64,
  parameter int unsigned TagBits = 20,
  parameter int unsigned Parts = 4,              // memories of a sector, each read on its own
  localparam int unsigned LineBits = $clog2(Lines),
  localparam int unsigned Width = 256 / Parts
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                invalidate_i,      // clears all valid bits, from this cycle on
  // Look-up.
  input  logic [LineBits-1:0] line_i,
  input  logic [TagBits-1:0]  tag_i,
  output logic                valid_o,
  output logic                same_o,            // the line's tag is tag_i
  // Read of a sector.
  input  logic [Parts-1:0]    read_i,
  input  logic [LineBits:0]   sector_i,
  output logic [Width-1:0]    data_o [Parts],    // in the next cycle
  // Changes of one line.
  input  logic [LineBits-1:0] fill_line_i,
  input  logic                lose_i,            // it is valid no longer
  input  logic                fill_i,            // a sector comes
  input  logic                fill_half_i,
  input  logic [255:0]        fill_data_i,
  input  logic                fill_end_i,        // and with it the line is valid
  input  logic [TagBits-1:0]  fill_tag_i
);
  localparam int unsigned ColBits = LineBits - 4;   // valid bits: 16 rows

  // Timing: tags are few bits: a block memory would answer late and lie far from the users.
  (* ram_style = "distributed" *) logic [TagBits-1:0] tag_q [Lines];
  assign same_o = tag_q[line_i] == tag_i;
  always_ff @(posedge clk_i) if (fill_end_i) tag_q[fill_line_i] <= fill_tag_i;

  for (genvar k = 0; k < int'(Parts); k++) begin : gen_data
    (* ram_style = "block", no_rw_check *) logic [Width-1:0] mem_q [2*Lines];
    logic [Width-1:0] read_q;
    assign data_o[k] = read_q;
    always_ff @(posedge clk_i) begin
      if (fill_i) mem_q[{fill_line_i, fill_half_i}] <= fill_data_i[Width*k +: Width];
      if (read_i[k]) read_q <= mem_q[sector_i];
    end
  end

  // Valid bits, cleared row by row from the start of a launch on: reading the launch block takes
  // longer than that.
  logic [(1<<ColBits)-1:0] valid_q [16];
  logic                    sweep_q, sweep, write;
  logic [3:0]              sweep_row_q, row;
  assign valid_o = valid_q[line_i[3:0]][line_i[LineBits-1:4]];
  assign sweep = invalidate_i || sweep_q;
  assign row = sweep ? sweep_row_q : fill_line_i[3:0];
  assign write = sweep || lose_i || fill_end_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweep_q <= 1'b0;
      sweep_row_q <= '0;
    end else if (sweep) begin
      sweep_q <= sweep_row_q != '1;
      sweep_row_q <= sweep_row_q + 4'd1;
    end
    if (write) begin
      for (int unsigned c = 0; c < (1 << ColBits); c++) begin
        if (sweep || fill_line_i[LineBits-1:4] == ColBits'(c)) valid_q[row][c] <= !sweep && fill_end_i;
      end
    end
  end

  `WL_ASSERT(NoFillInSweep, !(sweep && (fill_i || lose_i)))
  `WL_ASSERT(EndsWithASector, !fill_end_i || fill_i)
  `WL_ASSERT(FillsOrLoses, !(fill_end_i && lose_i))
endmodule
