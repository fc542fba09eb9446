// Tensor memory: stores (docs/microarchitecture.md 24.2). A word that comes in X1 in x is written in
// x + 2; what the address says is known by then. Nothing is written of a store with a fault.
`include "cells/assert.svh"

module tmem_store
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,          // without clear
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  x1_t         x1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] x1_a_i [Lanes],
  input  tmem_place_t place_i,         // of the address that came in the cycle before
  output tmem_write_t write_o,
  output logic [31:0] data_o [Lanes]
);
  // The store under way.
  // verilator lint_off UNUSEDSIGNAL // it is a store
  tmem_place_t place_q;
  // verilator lint_on UNUSEDSIGNAL
  always_ff @(posedge clk_i) if (place_i.valid && !place_i.load) place_q <= place_i;

  logic        word;
  tmem_word_t  word_q;
  logic [31:0] word_data_q [Lanes];
  assign word = x1_i.valid && is_store(x1_i.info) && x1_i.step != '0;
  always_ff @(posedge clk_i) begin
    word_q.valid <= rst_ni && word;
    if (word) begin
      word_q.beat <= x1_i.beat;
      word_q.k <= 4'(32'(x1_i.step) - 32'd1);
      word_q.mask <= x1_i.mask;
      word_data_q <= x1_a_i;
    end
  end

  // Lanes of the beat that the store has.
  logic [Lanes-1:0] mask;
  always_comb begin
    logic [31:0] half;
    half = place_q.high ? 32'hffff_0000 : 32'h0000_ffff;
    mask = word_q.mask & (place_q.half ? half[32'(word_q.beat) * Lanes +: Lanes] : '1);
  end

  tmem_write_t write_q;
  logic [31:0] write_data_q [Lanes];
  always_ff @(posedge clk_i) begin
    write_q.valid <= rst_ni && word_q.valid && place_q.ok && mask != '0;
    if (word_q.valid) begin
      write_q.quarter <= place_q.quarter;
      write_q.row <= tmem_row_t'(column_t'(place_q.column + column_t'(word_q.k))) *
                     tmem_row_t'(Beats) + tmem_row_t'(word_q.beat);
      write_q.mask <= mask;
      write_data_q <= word_data_q;
    end
  end
  assign write_o = write_q;
  assign data_o = write_data_q;

  `WL_ASSERT(WritesLanes, !write_q.valid || write_q.mask != '0)
  `WL_ASSERT(WordOfStore, !word || 32'(x1_i.step) <= 16)
endmodule
