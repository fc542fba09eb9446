// First stages of add, mul, fma of a floating-point format (docs/microarchitecture.md 6.4,
// exec/fp32), s1 to s3: exponents, signs and special operands while the significands are
// multiplied, then alignment. The operand of the lower exponent is shifted right in the frame.
//
// Frame: 2 Sig + 3 bits and a carry; the bit below the top has weight 2^(e - bias). The last bit of
// the shifted operand is sticky: enough, because either the other one has at least Sig bits above
// the third bit or no bit is lost. An integer takes the place of the shifted operand in fp_add.
module fp_align
  import exec_pkg::*;
#(
  parameter int unsigned Exp = 8,   // bits of the exponent
  parameter int unsigned Sig = 24,  // bits of the significand
  localparam int unsigned Bits = Exp + Sig,
  localparam int unsigned Frame = 2 * Sig + 3
) (
  input  logic             clk_i,
  input  logic             en1_i,
  input  logic             en2_i,
  // s1: operands, flushed and with their signs applied, and their kinds.
  // verilator lint_off UNUSEDSIGNAL // the significands of a and b are the multiplier's
  input  logic [Bits-1:0]  a_i,
  input  logic [Bits-1:0]  b_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [Bits-1:0]  c_i,
  input  logic             a_top_i,     // infinity or NaN
  input  logic             b_top_i,
  input  logic             a_zero_i,
  input  logic             b_zero_i,
  input  logic             nan_i,       // a or b is NaN
  input  logic             int1_i,      // s1: an integer instead, with this exponent
  input  logic [Exp:0]     int_exp1_i,
  input  logic             int2_i,      // s2
  input  logic [2*Sig-1:0] product2_i,  // s2
  output logic [Frame-1:0] big3_o,
  output logic [Frame-1:0] small3_o,    // zero for an integer
  output logic [Exp:0]     exp3_o,
  output fp_kind_t         kind3_o
);
  localparam int unsigned GapBits = $clog2(Frame);

  logic [Sig-1:0]     sig2_q;     // of c
  logic [GapBits-1:0] gap2_q;     // distance of the exponents, limited
  logic               c_high2_q;  // c has the higher exponent
  logic [Exp:0]       exp2_q;
  fp_kind_t           kind2_q;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      logic [Exp-1:0] ea, eb, ec;
      logic [Exp:0] two;
      logic [Exp+1:0] ep, gap;
      logic c_top, no_product, prod_neg;
      // Of subnormals and zeros 1.
      ea = {a_i[Bits-2:Sig], a_i[Sig-1] || a_i[Bits-2:Sig] == '0};
      eb = {b_i[Bits-2:Sig], b_i[Sig-1] || b_i[Bits-2:Sig] == '0};
      ec = {c_i[Bits-2:Sig], c_i[Sig-1] || c_i[Bits-2:Sig] == '0};
      c_top = c_i[Bits-2:Sig-1] == '1;
      // A zero product has no exponent: c alone decides.
      no_product = a_zero_i || b_zero_i;
      prod_neg = a_i[Bits-1] ^ b_i[Bits-1];
      sig2_q <= {c_i[Bits-2:Sig-1] != '0, c_i[Sig-2:0]};
      // ea + eb - bias: the bias is one less than a power of two.
      two = (Exp+1)'(ea) + (Exp+1)'(eb) + (Exp+1)'(1);
      ep = {3'(two[Exp:Exp-1]) - 3'd1, two[Exp-2:0]};
      gap = ep - (Exp+2)'(ec);
      c_high2_q <= gap[Exp+1] || no_product;
      exp2_q <= (gap[Exp+1] || no_product) ? (Exp+1)'(ec) : ep[Exp:0];
      // Of a negative distance the inverse, one less: s2 shifts by one more.
      gap2_q <= (gap[GapBits-1:0] ^ {GapBits{gap[Exp+1]}}) |
                {GapBits{no_product || (gap[Exp+1:GapBits] != '0 && gap[Exp+1:GapBits] != '1)}};
      kind2_q.neg <= (gap[Exp+1] || no_product) ? c_i[Bits-1] : prod_neg;
      kind2_q.sub <= prod_neg ^ c_i[Bits-1];
      kind2_q.nan <= nan_i || (c_top && c_i[Sig-2:0] != '0) ||
                     (a_top_i && b_zero_i) || (b_top_i && a_zero_i) ||
                     ((a_top_i || b_top_i) && c_top && prod_neg != c_i[Bits-1]);
      kind2_q.inf <= a_top_i || b_top_i || c_top;
      kind2_q.inf_neg <= c_top ? c_i[Bits-1] : prod_neg;
      if (int1_i) begin
        exp2_q <= int_exp1_i;
        {kind2_q.neg, kind2_q.sub, kind2_q.nan, kind2_q.inf} <= '0;
      end
    end
  end

  // The higher one stays in place. The product is one lower where c is high: gap2_q is one less
  // than the distance.
  logic [Frame-1:0] shifted3;
  logic lost3;
  shift_right #(.In(Frame), .Out(Frame), .Bits(GapBits), .Sticky(1'b1)) u_shift (
    .clk_i, .en_i(en2_i), .zero_i(int2_i), .amount_i(gap2_q),
    .x_i(c_high2_q ? {1'b0, product2_i, 2'd0} : {1'b0, sig2_q, (Sig+2)'(0)}),
    .y_o(shifted3), .lost_o(lost3)
  );

  logic [Frame-1:0] big3_q;
  logic [Exp:0]     exp3_q;
  fp_kind_t         kind3_q;
  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      big3_q[Frame-1:Sig+2] <= c_high2_q ? {1'b0, sig2_q} : product2_i[2*Sig-1:Sig-1];
      big3_q[Sig+1:0] <= {product2_i[Sig-2:0], 3'd0};
      if (c_high2_q) big3_q[Sig+1:0] <= '0;
      if (int2_i) big3_q <= '0;
      exp3_q <= exp2_q;
      kind3_q <= kind2_q;
    end
  end
  assign big3_o = big3_q;
  assign small3_o = {shifted3[Frame-1:1], shifted3[0] || lost3};
  assign exp3_o = exp3_q;
  assign kind3_o = kind3_q;
endmodule
