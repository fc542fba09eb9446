// Bench top of a row of the tensor unit's engine: one slice of an element per cycle in which the
// pipe moves, as separate ports, so that the bench (dot_test.cpp) needs no knowledge of packed
// types.
module tb_dot
  import wl_pkg::*;
  import config_pkg::*;
  import tensor_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        move_i,
  input  logic        valid_i,
  input  logic        first_i,
  input  logic        last_i,
  input  logic        part_i,      // small elements of NarrowHalves: high bytes
  input  logic [2:0]  kind_i,      // kind_e
  input  logic        half_i,
  input  logic        unsigned_a_i,
  input  logic        unsigned_b_i,
  input  logic        sat_i,
  input  logic        differ_i,
  input  slice_words_t a_i,
  input  slice_words_t b_i,
  input  logic [31:0] c_i,
  output logic        valid_o,
  output logic [31:0] d_o,
  output logic [7:0]  terms_o,     // of the configuration
  output logic [7:0]  latency_o
);
  slice_ctl_t ctl;
  assign ctl = '{valid: valid_i, first: first_i, last: last_i, adds: first_i,
                 kind: '{kind: kind_e'(kind_i), half: half_i, unsigned_a: unsigned_a_i,
                         unsigned_b: unsigned_b_i, sat: sat_i, differ: differ_i}};
  assign terms_o = 8'(DotTerms);
  assign latency_o = 8'(DotLatency);
  dot dut (.clk_i, .rst_ni, .move_i, .ctl_i(ctl), .part_i, .small_a_i('0), .small_b_i('0), .scale_i('0), .scales_i('0), .a_i, .b_i, .c_i, .valid_o, .d_o);
endmodule
