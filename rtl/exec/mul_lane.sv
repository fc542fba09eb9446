// Multiplier of a lane (docs/microarchitecture.md 6.4, exec/mul): s1 to s4 of mad, and the
// significand product of f32 add, mul, fma. Four 17 x 17 products registered at s2. The addend
// comes from the integer part in s3; its results pass the same adder with a zero product, or in
// gates with the limit of a saturated sum.
// Alignment and rounding are fp32_lane's.
module mul_lane
  import exec_pkg::*;
  import gates_pkg::Always;
#(
  parameter bit WithFp = 1'b1
) (
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
  input  logic        over2_i,     // s2: the addend is zero, the limit 7fff'ffff, or one more
  input  logic        up2_i,       // with up
  input  logic [31:0] add3_i,      // s3
  output logic [47:0] product2_o,  // s2: of the significands
  output logic [31:0] r4_o
);
  logic [63:0] parts2_q, product2;
  logic [31:0] word3_q;    // of the product, or a limit; in gates zero for others
  logic [33:0] cross2_q;  // of one sign: -2^32 .. 2^33 - 1
  logic [31:0] r4_q;
  logic carry_q, up3_q;

  always_ff @(posedge clk_i) begin
    if (en1_i && (c1_i.grp == GrpMul || (c1_i.grp == GrpFma && WithFp))) begin
      logic [31:0] x, y;
      logic signed [16:0] xh, xl, yh, yl;
      // verilator lint_off UNUSEDSIGNAL // of hh the low 32 bits are enough
      logic signed [33:0] hh, hl, lh;
      // verilator lint_on UNUSEDSIGNAL
      x = (c1_i.grp == GrpMul || !WithFp) ? a_i : {8'd0, a_i[30:23] != '0, a_i[22:0]};
      y = (c1_i.grp == GrpMul || !WithFp) ? b_i : {8'd0, b_i[30:23] != '0, b_i[22:0]};
      if (Always) begin
        xh = {c1_i.sgn && x[31], x[31:16]};
        xl = {1'b0, x[15:0]};
        yh = {c1_i.sgn && y[31], y[31:16]};
        yl = {1'b0, y[15:0]};
        hh = 34'(xh) * 34'(yh);
        hl = 34'(xh) * 34'(yl);
        lh = 34'(xl) * 34'(yh);
        parts2_q <= {hh[31:0], 32'(x[15:0]) * 32'(y[15:0])};
        cross2_q <= hl + lh;
      end else begin
        // The same product with one operator, for a fast simulation.
        parts2_q <= {{32{c1_i.sgn && x[31]}}, x} * {{32{c1_i.sgn && y[31]}}, y};
      end
    end
  end

  // Bits 15:0 are those of the low product.
  assign product2 = !Always ? parts2_q :
      {parts2_q[63:16] + {{14{cross2_q[33]}}, cross2_q}, parts2_q[15:0]};
  assign product2_o = product2[47:0];

  always_ff @(posedge clk_i) begin
    // mad.wide: step 0 adds the low words, step 1 the high words with the carry of step 0.
    if ((en2_i && c2_i.grp == GrpMul) || Always) begin
      word3_q <= over2_i ? 32'h7fff_ffff : c2_i.high ? product2[63:32] : product2[31:0];
      if (c2_i.grp != GrpMul && !over2_i) word3_q <= '0;
    end
    up3_q <= up2_i;
    if (en3_i && c3_i.grp < GrpMul && !Always) begin
      r4_q <= add3_i;
    end else if (en3_i && c3_i.grp <= GrpMul) begin
      logic [32:0] sum;
      sum = {1'b0, word3_q} + {1'b0, add3_i} +
            33'((c3_i.second && c3_i.grp == GrpMul && carry_q) || up3_q);
      r4_q <= sum[31:0];
      if (c3_i.grp == GrpMul) carry_q <= sum[32];
    end
  end

  assign r4_o = r4_q;
endmodule
