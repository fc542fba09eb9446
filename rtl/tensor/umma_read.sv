// Products in tensor memory: reading of A in tensor memory, and of what is shifted (docs/microarchitecture.md
// 26.6, 26.8): the rows of eight columns, beats ascending, then words, of a pass or of one quarter. Decides
// in which cycles, so that no load waits for long. The sub-cores' umma_port.sv reads.
`include "cells/assert.svh"

module umma_read
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,          // without clear
  input  logic        wants_i,         // rows are to be read, and the buffer has room
  // verilator lint_off UNUSEDSIGNAL // where they lie
  input  umma_info_t  info_i,
  // verilator lint_on UNUSEDSIGNAL
  input  pass_t       pass_i,
  input  logic        buffer_i,
  input  logic        d_read_i,        // the unit reads D in this cycle
  output logic        room_o,          // scales may be read
  input  logic        scales_i,        // they are
  output umma_read_t  read_o,
  output logic        last_o,          // the last read of the buffer
  // The words of a beat in the next cycle.
  output umma_take_t  take_o,
  output logic        full_o,          // with them the buffer is FULL
  output logic        rest_o
);
  logic [2:0]          word_q, reads_q;   // reads: of the last three cycles
  logic [BeatBits-1:0] beat_q;
  umma_take_t          take_q;
  logic                free, read, last_beat, full_q;
  assign free = !d_read_i && reads_q != '1;
  assign read = wants_i && free;
  assign room_o = !wants_i && free;
  assign last_beat = 32'(beat_q) == Beats - 1;
  assign last_o = read && last_beat && word_q == '1;
  always_comb begin
    read_o = '0;
    if (read) begin
      read_o.valid = '1;
      read_o.quarter = (Quarters == 1) ? '0 : quarter_t'(pass_i);
      if (info_i.code == CodeShift) begin
        if (Quarters == 1) read_o.valid = SubCores'(1) << info_i.quarter;
        else read_o.quarter = quarter_t'(info_i.quarter);
      end
      read_o.row = tmem_row_t'(column_t'(info_i.from + column_t'(word_q))) * tmem_row_t'(Beats) +
                   tmem_row_t'(beat_q);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_q <= '0;
      beat_q <= '0;
    end else if (read) begin
      beat_q <= last_beat ? '0 : beat_q + BeatBits'(1);
      if (last_beat) word_q <= word_q + 3'd1;
    end
    reads_q <= rst_ni ? {reads_q[1:0], read || d_read_i || scales_i} : '0;
    full_q <= rst_ni && last_o;
    take_q.valid <= rst_ni ? read_o.valid : '0;
    if (read) begin
      take_q.buffer <= buffer_i;
      take_q.word <= word_q;
      take_q.beat <= beat_q;
      take_q.signs <= info_i.a.neg && info_i.code != CodeShift ?
                      32'(signs_of(size_of(info_i.code), info_i.a.format)) : '0;
    end
  end
  assign take_o = take_q;
  assign full_o = full_q;
  assign rest_o = word_q == '0 && beat_q == '0;

  `WL_ASSERT(GathersOrOther, 32'(read) + 32'(d_read_i) + 32'(scales_i) <= 1)
endmodule
