// Binary32 lane (docs/microarchitecture.md 6.4, exec/fp32): stages s1 to s6 of add, mul, fma;
// results of the other parts join at s6. The product comes from mul_lane; operands come flushed and
// with their signs applied. Comparisons: int_lane; f32 to integer: slow_lane. Integer to f32: the
// 64-bit integer {b, a} takes the place of the sum.
module fp32_lane
  import exec_pkg::*;
#(
  localparam int unsigned Exp = wl_pkg::FmtF32Exp,
  localparam int unsigned Sig = wl_pkg::FmtF32Frac + 1,
  localparam int unsigned Frame = 2 * Sig + 3
) (
  input  logic        clk_i,
  input  logic        en1_i,
  input  logic        en2_i,
  input  logic        en3_i,
  input  logic        en4_i,
  input  logic        en5_i,
  // verilator lint_off UNUSEDSIGNAL // every stage uses its part of the control
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  input  ctl_t        c4_i,
  input  ctl_t        c5_i,
  // verilator lint_on UNUSEDSIGNAL
  // s1: operands and their kinds.
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic        a_top_i,    // infinity or NaN
  input  logic        b_top_i,
  input  logic        a_zero_i,
  input  logic        b_zero_i,
  input  logic        nan_i,      // a or b is NaN
  input  logic [47:0] product2_i, // s2
  input  logic [31:0] other5_i,   // s5: result of the other parts, 0 for fma
  input  logic [31:0] slow5_i,    // s5: of a slow form, else 0
  output logic [31:0] r5_o,       // s5: result, 0 for other operations
  output logic [31:0] r6_o
);
  // An integer in the frame. Of more than 51 bits the 50 high ones, those after them sticky.
  logic int_neg, high;
  logic [Frame:0] int2_q, int3_q;
  assign int_neg = c1_i.sgn && b_i[31];
  assign high = b_i[31:19] != {13{int_neg}};
  always_ff @(posedge clk_i) begin
    if (en1_i && c1_i.arith) begin
      if (c1_i.grp != GrpI2f) int2_q <= '0;
      else int2_q <= {int_neg, high ? {b_i, a_i[31:14], a_i[13:0] != '0} : {b_i[18:0], a_i}};
    end
    if (en2_i && c2_i.arith) int3_q <= int2_q;
  end

  logic [Frame-1:0] big3, small3;
  logic [Frame:0] sum4;
  logic [Exp:0] exp3;
  logic [Exp+1:0] limit4, exp5;
  logic [Sig+1:0] norm5;
  logic inv4, inv5, sticky5;
  fp_kind_t kind3, kind4, kind5;

  fp_align #(.Exp(Exp), .Sig(Sig)) u_align (
    .clk_i, .en1_i(en1_i && c1_i.arith), .en2_i(en2_i && c2_i.arith), .a_i, .b_i, .c_i,
    .a_top_i, .b_top_i, .a_zero_i, .b_zero_i, .nan_i,
    .int1_i(c1_i.grp == GrpI2f), .int_exp1_i(high ? 9'd189 : 9'd176),
    .int2_i(c2_i.grp == GrpI2f), .product2_i,
    .big3_o(big3), .small3_o(small3), .exp3_o(exp3), .kind3_o(kind3)
  );
  fp_add #(.Exp(Exp), .Sig(Sig)) u_add (
    .clk_i, .en3_i(en3_i && c3_i.arith), .int3_i(c3_i.grp == GrpI2f), .big3_i(big3),
    .small3_i(small3), .int_word3_i(int3_q), .exp3_i(exp3), .kind3_i(kind3),
    .sum4_o(sum4), .inv4_o(inv4), .limit4_o(limit4), .kind4_o(kind4)
  );
  fp_normalise #(.Exp(Exp), .Sig(Sig)) u_normalise (
    .clk_i, .en4_i(en4_i && c4_i.arith), .sum4_i(sum4), .inv4_i(inv4),
    .limit4_i(limit4), .kind4_i(kind4), .norm5_o(norm5), .sticky5_o(sticky5), .inv5_o(inv5),
    .exp5_o(exp5), .kind5_o(kind5)
  );
  logic [31:0] r5, r6_q;
  fp_round #(.Exp(Exp), .Sig(Sig)) u_round (
    .en5_i(en5_i && c5_i.arith), .rnd_i(c5_i.rnd), .ftz_i(c5_i.ftz), .sat_i(c5_i.sat),
    .norm5_i(norm5), .sticky5_i(sticky5), .inv5_i(inv5), .exp5_i(exp5), .kind5_i(kind5),
    .r5_o(r5)
  );
  always_ff @(posedge clk_i) begin
    if (en5_i) r6_q <= other5_i | slow5_i | r5;
  end
  assign r5_o = r5;
  assign r6_o = r6_q;
endmodule
