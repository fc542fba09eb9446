// Operand words 4 to 7 of the lanes (docs/microarchitecture.md 10; option Atom128): the new value of a
// cas of 128 bits. The words before them lie in lsu_lane. The coalescer gets those of the lane that it
// serves, shared memory those of all lanes, in a register, from the cycle after its request on. One
// module for all lanes: without such an instruction in X1 or at the processor nothing is done here.
`include "cells/assert.svh"
module lsu_more
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  // X1 of such an instruction.
  input  logic               fill_i,
  input  logic [1:0]         fill_step_i,
  input  logic               fill_wide_i,    // 64-bit address
  input  logic [RowBits-1:0] fill_row_i,
  input  logic [31:0]        fill_a_i [Cols],
  input  logic [31:0]        fill_b_i [Cols],
  input  logic [31:0]        fill_c_i [Cols],
  // Processor: a row; the words of a lane of it; a request to shared memory is taken.
  input  logic [RowBits-1:0] row_i,
  input  logic               lead_i,
  input  logic [ColBits-1:0] lead_col_i,
  output logic [31:0]        lead_o [4],
  input  logic               take_i,
  output logic [31:0]        smem_more_o [4][Cols]  // until the next one is taken
);
  localparam int unsigned Rows = 1 << RowBits;

  // The list is {a0 a1 b0} {b1 b2 b3} {c0 c1 c2} {c3}, or with a 32-bit address {a0 b0 b1} {b2 b3 c0}
  // {c1 c2 c3}. (Of lanes outside E anything is written.)
  logic [31:0] more_q [4][Rows][Cols];
  always_ff @(posedge clk_i) begin
    if (fill_i) begin
      if (fill_wide_i && fill_step_i == 2'd2) begin
        more_q[0][fill_row_i] <= fill_a_i;
        more_q[1][fill_row_i] <= fill_b_i;
        more_q[2][fill_row_i] <= fill_c_i;
      end
      if (fill_wide_i && fill_step_i == 2'd3) more_q[3][fill_row_i] <= fill_a_i;
      if (!fill_wide_i && fill_step_i == 2'd1) more_q[0][fill_row_i] <= fill_c_i;
      if (!fill_wide_i && fill_step_i == 2'd2) begin
        more_q[1][fill_row_i] <= fill_a_i;
        more_q[2][fill_row_i] <= fill_b_i;
        more_q[3][fill_row_i] <= fill_c_i;
      end
    end
    if (take_i) begin
      for (int k = 0; k < 4; k++) smem_more_o[k] <= more_q[k][row_i];
    end
  end

  always_comb begin
    lead_o = '{default: 'x};
    if (lead_i) begin
      for (int k = 0; k < 4; k++) lead_o[k] = more_q[k][row_i][lead_col_i];
    end
  end

  `WL_ASSERT(StepOfList, !fill_i || fill_wide_i || fill_step_i != 2'd3)
  `WL_ASSERT(OneReader, !(lead_i && take_i))
endmodule
