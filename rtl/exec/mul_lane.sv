// Multiplier of a lane (docs/microarchitecture.md 6.4, exec/mul): s1 to s4 of mad, and the
// significand product of f32 add, mul, fma. Four 17 x 17 products registered at s2; their sum
// is the low 64 bits of the product. cvt.f32 from integers passes its magnitude through the same
// registers. Alignment and rounding are fp32_lane's.
module mul_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        en1_i,
  input  logic        en2_i,
  input  logic        en3_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic        neg_i,      // cvt: the integer {b, a} is negative
  output logic [63:0] parts2_o,   // s2: value = parts2 + (cross2 << 16) + neg2
  output logic [34:0] cross2_o,
  output logic        neg2_o,
  output logic [31:0] r4_o
);
  logic [63:0] parts2_q, product3_q;
  logic [34:0] cross2_q;
  logic [31:0] c2_q, c3_q, r4_q;
  logic neg2_q, carry_q;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      if (c1_i.grp == GrpMul || c1_i.grp == GrpFma) begin
        logic [31:0] x, y;
        logic signed [16:0] xh, xl, yh, yl;
        // verilator lint_off UNUSEDSIGNAL // of hh the low 32 bits are enough
        logic signed [33:0] hh, hl, lh;
        // verilator lint_on UNUSEDSIGNAL
        x = (c1_i.grp == GrpMul) ? a_i : {8'd0, a_i[30:23] != '0, a_i[22:0]};
        y = (c1_i.grp == GrpMul) ? b_i : {8'd0, b_i[30:23] != '0, b_i[22:0]};
        xh = {c1_i.sgn && x[31], x[31:16]};
        xl = {1'b0, x[15:0]};
        yh = {c1_i.sgn && y[31], y[31:16]};
        yl = {1'b0, y[15:0]};
        hh = 34'(xh) * 34'(yh);
        hl = 34'(xh) * 34'(yl);
        lh = 34'(xl) * 34'(yh);
        parts2_q <= {hh[31:0], 32'(x[15:0]) * 32'(y[15:0])};
        cross2_q <= {hl[33], hl} + {lh[33], lh};
        neg2_q <= 1'b0;
        c2_q <= c_i;
      end else if (c1_i.grp == GrpI2f) begin
        parts2_q <= {b_i, a_i} ^ {64{neg_i}};
        cross2_q <= '0;
        neg2_q <= neg_i;
      end
    end
    if (en2_i && c2_i.grp == GrpMul) begin
      product3_q <= parts2_q + {{13{cross2_q[34]}}, cross2_q, 16'd0} + 64'(neg2_q);
      c3_q <= c2_q;
    end
    if (en3_i && c3_i.grp == GrpMul) begin
      logic [32:0] sum;
      // mad.wide: step 0 adds the low words, step 1 the high words with the carry of step 0.
      sum = {1'b0, (c3_i.op == MulHigh || c3_i.step) ? product3_q[63:32] : product3_q[31:0]} +
            {1'b0, c3_q} + 33'(c3_i.wide && c3_i.step && carry_q);
      r4_q <= sum[31:0];
      carry_q <= sum[32];
    end
  end

  assign parts2_o = parts2_q;
  assign cross2_o = cross2_q;
  assign neg2_o = neg2_q;
  assign r4_o = r4_q;
endmodule
