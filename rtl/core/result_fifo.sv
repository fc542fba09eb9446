// Two words of a unit that wait for the result queue (docs/microarchitecture.md 19.1, 24.2: `out`): words
// of whole beats, of the oldest the unit's result.
`include "cells/assert.svh"

module result_fifo
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,          // without clear
  input  logic         put_i,           // there is room
  input  result_word_t word_i,
  input  logic [31:0]  data_i [Lanes],
  output logic         full_o,
  output logic         empty_o,
  // Result queue (6.5).
  output vwb_t         result_o,
  output logic [Lanes-1:0][31:0] result_data_o,   // a row: a simulator copies it at once
  input  logic         result_taken_i
);
  result_word_t word_q [2];             // the older one in place 0
  logic [Lanes-1:0][31:0] data_q [2];
  logic [1:0]   count_q;
  assign full_o = count_q[1];
  assign empty_o = count_q == '0;
  always_ff @(posedge clk_i) begin
    logic [1:0] count;
    count = count_q - 2'(result_taken_i);
    if (result_taken_i) begin
      word_q[0] <= word_q[1];
      data_q[0] <= data_q[1];
    end
    if (put_i) begin
      word_q[count[0]] <= word_i;
      for (int unsigned l = 0; l < Lanes; l++) data_q[count[0]][l] <= data_i[l];
    end
    if (!rst_ni) count_q <= '0;
    else count_q <= count + 2'(put_i);
  end
  always_comb begin
    result_o = '0;
    result_o.valid = !empty_o;
    result_o.warp = word_q[0].warp;
    result_o.rd = word_q[0].rd;
    result_o.has_reg = word_q[0].has_reg;
    result_o.beat = word_q[0].beat;
    result_o.mask = '1;
    result_o.last_beat = 32'(word_q[0].beat) == Beats - 1;
    result_o.last = result_o.last_beat && word_q[0].last_word;
  end
  assign result_data_o = data_q[0];

  `WL_ASSERT(HasRoom, !put_i || !full_o)
  `WL_ASSERT(TakenPresented, !result_taken_i || !empty_o)
endmodule
