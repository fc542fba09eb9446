// Multiplier of a lane (docs/microarchitecture.md 6.4, exec/mul): s1 to s4 of mad, and the
// significand product of f32 add, mul, fma. The product is registered at s2. The addend comes from
// the integer part in s3; its other results pass the same adder with a zero product.
// Alignment and rounding are fp32_lane's.
module mul_lane
  import exec_pkg::*;
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
  input  logic [31:0] add3_i,      // s3
  output logic [47:0] product2_o,  // s2: of the significands
  output logic [31:0] r4_o
);
  logic signed [63:0] product2_q;
  logic [31:0] word3_q;            // of the product, zero for other operations
  logic [31:0] r4_q;
  logic carry_q;

  always_ff @(posedge clk_i) begin
    if (en1_i && (c1_i.grp == GrpMul || (c1_i.grp == GrpFma && WithFp))) begin
      logic signed [63:0] x, y;
      x = {{32{c1_i.sgn && a_i[31]}}, a_i};
      y = {{32{c1_i.sgn && b_i[31]}}, b_i};
      if (WithFp && c1_i.grp == GrpFma) begin
        x[31:23] = {8'd0, a_i[30:23] != '0};
        y[31:23] = {8'd0, b_i[30:23] != '0};
      end
      product2_q <= x * y;
    end
  end
  assign product2_o = product2_q[47:0];

  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      if (c2_i.grp == GrpMul) word3_q <= c2_i.high ? product2_q[63:32] : product2_q[31:0];
      else word3_q <= '0;
    end
    // mad.wide: step 0 adds the low words, step 1 the high words with the carry of step 0.
    if (en3_i && c3_i.grp <= GrpMul) begin
      logic [32:0] sum;
      sum = {1'b0, word3_q} + {1'b0, add3_i} +
            33'(c3_i.second && c3_i.grp == GrpMul && carry_q);
      r4_q <= sum[31:0];
      if (c3_i.grp == GrpMul) carry_q <= sum[32];
    end
  end

  assign r4_o = r4_q;
endmodule
