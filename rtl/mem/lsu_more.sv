// Operand words 4 to 7 of the lanes (docs/microarchitecture.md 10; option Atom128): the new value of a
// cas of 128 bits. The words before them lie in lsu_lane. One module for all lanes: without such an
// instruction in X1 or at the processor nothing is done here.
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
  input  logic               fill_wide_i,       // 64-bit address
  input  logic [RowBits-1:0] fill_row_i,
  input  logic [31:0]        fill_a_i [Cols],
  input  logic [31:0]        fill_b_i [Cols],
  input  logic [31:0]        fill_c_i [Cols],
  // Processor: the words of a row.
  input  logic               proc_i,
  input  logic [RowBits-1:0] proc_row_i,
  output logic [31:0]        proc_more_o [4][Cols]
);
  localparam int unsigned Rows = 1 << RowBits;

  // The list is {a0 a1 b0} {b1 b2 b3} {c0 c1 c2} {c3}, or with a 32-bit address {a0 b0 b1} {b2 b3 c0}
  // {c1 c2 c3}. (Of lanes outside E anything is written.)
  logic [31:0] more_q [4][Rows][Cols];
  always_ff @(posedge clk_i) begin
    if (fill_i) begin
      for (int i = 0; i < int'(Cols); i++) begin
        if (fill_step_i == 2'd1 && !fill_wide_i) more_q[0][fill_row_i][i] <= fill_c_i[i];
        if (fill_step_i == 2'd2) begin
          if (fill_wide_i) more_q[0][fill_row_i][i] <= fill_a_i[i];
          more_q[1][fill_row_i][i] <= fill_wide_i ? fill_b_i[i] : fill_a_i[i];
          more_q[2][fill_row_i][i] <= fill_wide_i ? fill_c_i[i] : fill_b_i[i];
          if (!fill_wide_i) more_q[3][fill_row_i][i] <= fill_c_i[i];
        end
        if (fill_step_i == 2'd3) more_q[3][fill_row_i][i] <= fill_a_i[i];
      end
    end
  end

  always_comb begin
    proc_more_o = '{default: 'x};
    if (proc_i) begin
      for (int i = 0; i < int'(Cols); i++) begin
        for (int k = 0; k < 4; k++) proc_more_o[k][i] = more_q[k][proc_row_i][i];
      end
    end
  end

  `WL_ASSERT(StepOfList, !fill_i || fill_wide_i || fill_step_i != 2'd3)
endmodule
