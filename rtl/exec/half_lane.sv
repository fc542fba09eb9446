// Two halves of a slow lane, f16 or bf16 (docs/microarchitecture.md 6.4, Halves). Operands in s1, the
// result in s4, zero if s4 holds none.
module half_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        en1_i,     // s1 to s4 hold a form of GrpHalf
  input  logic        en2_i,
  input  logic        en3_i,
  input  logic        en4_i,
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  input  ctl_t        c4_i,
  input  logic [31:0] a1_i,
  input  logic [31:0] b1_i,
  input  logic [31:0] c1_word_i,
  output logic [31:0] r4_o
);
  for (genvar i = 0; i < 2; i++) begin : gen_half
    half_part u_part (
      .clk_i, .en1_i, .en2_i, .en3_i, .en4_i, .c1_i, .c2_i, .c3_i, .c4_i,
      .a1_i(a1_i[16*i+:16]), .b1_i(b1_i[16*i+:16]), .c1_word_i(c1_word_i[16*i+:16]),
      .r4_o(r4_o[16*i+:16])
    );
  end
endmodule
