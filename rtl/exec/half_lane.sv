// Two halves of a slow lane, f16 or bf16 (docs/microarchitecture.md 6.4, Halves). Operands in s1, the
// result in s4.
module half_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        en1_i,     // s1 to s3 hold a form of GrpHalf
  input  logic        en2_i,
  input  logic        en3_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  input  ctl_t        c4_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] a1_i,
  input  logic [31:0] b1_i,
  input  logic [31:0] c1_word_i,
  output logic [31:0] r4_o
);
  logic [31:0] x_q;
  always_ff @(posedge clk_i) if (en1_i && en2_i && en3_i) x_q <= a1_i ^ b1_i ^ c1_word_i;
  assign r4_o = x_q;
endmodule
