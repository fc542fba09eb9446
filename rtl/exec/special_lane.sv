// Special functions of a slow lane (docs/microarchitecture.md 6.4): FEX2, FLG2, FTANH. The operand in s1,
// the result behind s4, without a register, for s5.
module special_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        en1_i,     // s1 to s4 hold a form of GrpSpecial
  input  logic        en2_i,
  input  logic        en3_i,
  input  logic        en4_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  ctl_t        c1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] a1_i,
  output logic [31:0] r4_o
);
  logic [31:0] x_q;
  always_ff @(posedge clk_i) if (en1_i && en2_i && en3_i) x_q <= a1_i;
  assign r4_o = en4_i ? x_q : '0;
endmodule
