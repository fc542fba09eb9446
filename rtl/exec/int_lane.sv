// Integer lane (docs/microarchitecture.md 6.4, exec/int): stages s1 to s3 of ALU operations and of
// f32 min, max, setp, whose comparison is the integer one. Operands come prepared from exec_lane:
// inverted for a difference, flushed, shift amounts negated. One adder subtracts and compares, one
// logic unit also passes operands (min, max, whole shifts, the addend of mad).
// In gates the near steps of a shift are products with a power of two; sum, logic and both halves
// of a shifted word are registers of their own, zero for the operations of the others, which meet
// in s3; and mul_lane makes the limits of a saturated sum.
// No functions here: their local variables would keep the simulator from sharing code among lanes.
module int_lane
  import exec_pkg::*;
  import gates_pkg::Always;
(
  input  logic        clk_i,
  input  logic        en1_i,
  input  logic        en2_i,
  // verilator lint_off UNUSEDSIGNAL // every stage uses its part of the control
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic        carry_i,   // carry into the adder of a first step
  input  logic [4:0]  amount_i,  // right shift of {b, a}
  input  logic        far_i,     // a shift by 32 or more
  input  logic        a_nan_i,   // f32 comparisons
  input  logic        b_nan_i,
  input  logic        zeros_i,   // both are zeros of some sign
  input  logic        t_i,       // predicate t, or truth of a released barrier
  input  logic        s_i,
  output logic        over2_o,   // s2, in gates: the sum saturates and r3_o will be zero,
  output logic        up2_o,     // at its lower limit
  output logic [31:0] r3_o,
  output logic        p3_o,
  output logic        q3_o
);

  logic [31:0] r2_q, r3_q;  // r2_q in gates: of the logic unit
  logic [31:0] sum2_q, right2_q, left2_q;  // in gates
  logic t2_q, s2_q, over2_q, p3_q, q3_q;
  logic lo_carry_q, lo_eq_q;  // of step 0, for step 1 of the same beat

  // Stage s1 to s2.
  always_ff @(posedge clk_i) begin
    if (en1_i && (c1_i.grp <= GrpMul || Always)) begin
      logic [32:0] sum;
      logic [7:0] terms;  // of the logic unit: none for those that set one here
      logic [31:0] logical, shifted, f0, f1;
      logic [46:0] far;
      logic [38:0] mid;
      logic cmp, t, nan, take_a, all, none;
      cmp = c1_i.grp == GrpCmp;
      terms = c1_i.terms;
      take_a = 1'b0;
      sum = '0;
      logical = '0;
      shifted = '0;
      t = t_i;
      nan = 1'b0;
      if (c1_i.sum || cmp || Always) begin
        sum = {1'b0, a_i} + {1'b0, b_i} +
              33'(c1_i.second ? lo_carry_q : carry_i);
      end
      if (cmp) begin
        logic same, less, eq, lt;
        // b is inverted: no carry, a is less. Of step 1 this includes step 0.
        same = sum[31:0] == '0 && (!c1_i.second || lo_eq_q);
        // Signed: the negative one is less. f32: two negative ones the other way round.
        less = !sum[32];
        if ((c1_i.sgn || c1_i.fp) && a_i[31] == b_i[31]) less = a_i[31];
        else if (c1_i.fp && a_i[31]) less = sum[32] && !same;
        lo_eq_q <= same;
        if (c1_i.op == CmpSetp) begin
          // Zeros of either sign are equal here; min and max order them.
          eq = same || (c1_i.fp && zeros_i);
          lt = less;
          t = (c1_i.fp && (a_nan_i || b_nan_i)) ? c1_i.cmp[3] : eq ? c1_i.cmp[1] :
              lt ? c1_i.cmp[0] : c1_i.cmp[2];
        end else begin
          nan = c1_i.fp && ((a_nan_i && b_nan_i) || (c1_i.nan && (a_nan_i || b_nan_i)));
          // b inverted again, or ones. Which one is less is known late, so that a is chosen last.
          // Of equal ones either will do: whether they are is known later still.
          terms[0] = 1'b1;
          terms[2] = !nan;
          if (c1_i.fp && a_i[31] && b_i[31] != a_i[31]) less = sum[32];
          take_a = !nan && ((c1_i.fp && (a_nan_i || b_nan_i)) ? b_nan_i :
                            less == (c1_i.op == CmpMin));
        end
      end
      all = 1'b0;
      none = 1'b0;
      if (c1_i.grp == GrpShift) begin
        // Shift by 32 or more: one operand whole.
        all = !c1_i.wrap && far_i;
        none = c1_i.left && !all && amount_i == '0;
        terms[2] = none || (all && !c1_i.left);
        terms[4] = all && c1_i.left;
      end
      if (Always) begin
        // Right by n is a product with 2^(16 - n): its high half, with the low half of the next.
        logic [16:0] power;
        // verilator lint_off UNUSEDSIGNAL // nothing precedes the first word or follows the last
        logic [31:0] p0, p1, p2;
        // verilator lint_on UNUSEDSIGNAL
        far = amount_i[4] ? {b_i[30:0], a_i[31:16]} : {b_i[14:0], a_i};
        for (int unsigned k = 0; k < 17; k++) power[k] = 5'(amount_i[3:0]) == 5'(16 - k);
        p0 = 32'(far[15:0]) * 32'(power);
        p1 = 32'(far[31:16]) * 32'(power);
        p2 = 32'(far[46:32]) * 32'(power);
        right2_q <= {p1[31:16], p0[31:16]};
        left2_q <= {p2[15:0], p1[15:0]};
        if (c1_i.grp != GrpShift || all || none) begin
          right2_q <= '0;
          left2_q <= '0;
        end
      end else if (c1_i.grp == GrpShift) begin
        // The far steps first: fewer bits remain for the near ones.
        far = amount_i[4] ? {b_i[30:0], a_i[31:16]} : {b_i[14:0], a_i};
        mid = amount_i[3] ? far[46:8] : far[38:0];
        shifted = 32'(mid >> amount_i[2:0]) & {32{!all && !none}};
      end
      if (c1_i.grp == GrpMul && !Always) begin
        logical = c_i;
      end else if (terms != '0 || Always) begin
        // As sums of products: a function of b and c is then two steps of four inputs.
        f0 = {32{terms[0]}} ^ ({32{terms[2]}} & b_i) ^
             (c_i & ({32{terms[1]}} ^ ({32{terms[3]}} & b_i)));
        f1 = {32{terms[4]}} ^ ({32{terms[6]}} & b_i) ^
             (c_i & ({32{terms[5]}} ^ ({32{terms[7]}} & b_i)));
        f0[31] = f0[31] && !nan;
        logical = take_a ? a_i : f0 ^ (f1 & a_i);
      end
      if (Always) begin
        r2_q <= logical;
        sum2_q <= sum[31:0];
        if (!c1_i.sum) sum2_q <= '0;
      end else begin
        r2_q <= (sum[31:0] & {32{c1_i.sum}}) | logical | shifted;
      end
      over2_q <= c1_i.sat && (a_i[31] == b_i[31]) && (sum[31] != a_i[31]);
      if (c1_i.sum || cmp) lo_carry_q <= sum[32];
      t2_q <= t;
      s2_q <= s_i;
    end
  end

  // Stage s2 to s3.
  always_ff @(posedge clk_i) begin
    if (en2_i && (c2_i.grp <= GrpMul || Always)) begin
      unique case (c2_i.bop)
        2'd0: begin
          p3_q <= t2_q && s2_q;
          q3_q <= !t2_q && s2_q;
        end
        2'd1: begin
          p3_q <= t2_q || s2_q;
          q3_q <= !t2_q || s2_q;
        end
        2'd2: begin
          p3_q <= t2_q != s2_q;
          q3_q <= t2_q == s2_q;
        end
        default: begin
          p3_q <= t2_q;
          q3_q <= !t2_q;
        end
      endcase
      if (Always) begin
        r3_q <= r2_q | sum2_q | right2_q | left2_q;
        if (over2_q) r3_q <= '0;
      end else begin
        r3_q <= r2_q;
        if (over2_q) r3_q <= {~r2_q[31], {31{r2_q[31]}}};
      end
    end
  end
  assign over2_o = over2_q && Always;
  assign up2_o = over2_q && !sum2_q[31] && Always;

  assign r3_o = r3_q;
  assign p3_o = p3_q;
  assign q3_o = q3_q;
endmodule
