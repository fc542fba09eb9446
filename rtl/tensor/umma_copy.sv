// Products in tensor memory: the order in which copies and shifts write rows (docs/microarchitecture.md
// 26.7, 26.8): those of buffer a_get, beats ascending, then words, to the `drain` of the sub-cores
// (umma_port.sv). Umma_engine.sv has the passes.
`include "cells/assert.svh"

module umma_copy
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,          // without clear
  input  logic        moves_i,         // a copy or a shift has a buffer that is FULL
  // verilator lint_off UNUSEDSIGNAL // where it writes
  input  umma_info_t  info_i,
  // verilator lint_on UNUSEDSIGNAL
  input  pass_t       pass_i,
  input  logic        blocked_i,       // a drain waits
  output umma_put_t   put_o,
  output logic [2:0]  word_o,          // of the row that is placed
  output logic [BeatBits-1:0] beat_o,
  output logic        last_o,          // it is the pass's last
  output logic        begins_o,        // it is the command's first
  output logic        rest_o
);
  logic [2:0]          word_q;
  logic [BeatBits-1:0] beat_q;
  logic                place, last_beat;
  assign place = moves_i && !blocked_i;
  assign last_beat = 32'(beat_q) == Beats - 1;
  assign last_o = place && last_beat && word_q == (info_i.short_k ? 3'd3 : 3'd7);
  assign begins_o = place && word_q == '0 && beat_q == '0 && pass_i == '0;
  assign {word_o, beat_o} = {word_q, beat_q};
  always_comb begin
    put_o = '0;
    if (place) begin
      put_o.valid = '1;
      put_o.row.quarter = (Quarters == 1) ? '0 : quarter_t'(pass_i);
      if (info_i.code == CodeShift) begin
        if (Quarters == 1) put_o.valid = SubCores'(1) << info_i.quarter;
        else put_o.row.quarter = quarter_t'(info_i.quarter);
      end
      put_o.row.row = tmem_row_t'(column_t'(info_i.column + column_t'(word_q))) *
                      tmem_row_t'(Beats) + tmem_row_t'(beat_q);
      put_o.row.lane = 5'(32'(beat_q) * Lanes);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_q <= '0;
      beat_q <= '0;
    end else if (place) begin
      beat_q <= last_beat ? '0 : beat_q + BeatBits'(1);
      if (last_beat) word_q <= last_o ? '0 : word_q + 3'd1;
    end
  end
  assign rest_o = word_q == '0 && beat_q == '0;

  `WL_ASSERT(PlacesMove, !place || info_i.code inside {CodeCp, CodeShift})
endmodule
