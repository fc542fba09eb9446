// Integer lane (docs/microarchitecture.md 6.4, exec/int): stages s1 to s3 of ALU operations and of
// f32 min, max, setp, whose comparison is the integer one. Operands come prepared from exec_lane:
// inverted for a difference, flushed, shift amounts negated. One adder subtracts and compares. One
// logic unit also passes operands (min, max, whole shifts, the addend of mad).
// No functions here: their local variables would keep the simulator from sharing code among lanes.
module int_lane
  import exec_pkg::*;
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
  output logic [31:0] r3_o,
  output logic        p3_o,
  output logic        q3_o
);
  logic [31:0] word2_q;  // of the logic unit, else zero
  logic [31:0] sum2_q;   // of the adder where it is the result, else zero
  logic [31:0] r3_q;
  logic t2_q, s2_q, p3_q, q3_q;
  logic lo_carry_q, lo_eq_q;  // of step 0, for step 1 of the same beat

  logic [31:0] shifted2;  // of a shift, else zero
  // verilator lint_off UNUSEDSIGNAL // bits shifted out are of no interest
  logic lost2;
  // verilator lint_on UNUSEDSIGNAL
  // A shift by 32 or more, or by nothing to the left, is one operand whole, of the logic unit.
  shift_right #(.In(63), .Out(32), .Bits(5)) u_shift (
    .clk_i, .en_i(en1_i && c1_i.grp <= GrpMul),
    .zero_i(c1_i.grp != GrpShift || (!c1_i.wrap && far_i) || (c1_i.left && amount_i == '0)),
    .amount_i, .x_i({b_i[30:0], a_i}), .y_o(shifted2), .lost_o(lost2)
  );

  // Stage s1 to s2.
  always_ff @(posedge clk_i) begin
    if (en1_i && c1_i.grp <= GrpMul) begin
      logic [32:0] sum;
      logic [7:0] terms;  // of the logic unit: none for those that set one here
      logic [31:0] f0, f1;
      logic cmp, t, nan, take_a, all, over;
      cmp = c1_i.grp == GrpCmp;
      terms = c1_i.terms;
      take_a = 1'b0;
      all = 1'b0;
      t = t_i;
      nan = 1'b0;
      sum = 'x;
      if (c1_i.sum || cmp) begin
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
          // b inverted again, or ones.
          terms[0] = 1'b1;
          terms[2] = !nan;
          // Of equal operands either is the result.
          // Timing: which one is less arrives late, whether they are equal still later.
          if (c1_i.fp && a_i[31] && b_i[31] != a_i[31]) less = sum[32];
          take_a = !nan && ((c1_i.fp && (a_nan_i || b_nan_i)) ? b_nan_i :
                            less == (c1_i.op == CmpMin));
        end
      end
      if (c1_i.grp == GrpShift) begin
        all = !c1_i.wrap && far_i;
        terms[2] = all ? !c1_i.left : c1_i.left && amount_i == '0;
        terms[4] = all && c1_i.left;
      end
      // The limit of a saturated sum is the logic unit's: ones without the sign, or the sign alone.
      over = c1_i.sat && a_i[31] == b_i[31] && sum[31] != a_i[31];
      if (over) terms[0] = !a_i[31];
      if (terms != '0 || over) begin
        // As sums of products: a function of b and c is then two steps of four inputs.
        f0 = {32{terms[0]}} ^ ({32{terms[2]}} & b_i) ^
             (c_i & ({32{terms[1]}} ^ ({32{terms[3]}} & b_i)));
        f1 = {32{terms[4]}} ^ ({32{terms[6]}} & b_i) ^
             (c_i & ({32{terms[5]}} ^ ({32{terms[7]}} & b_i)));
        f0[31] = over ? a_i[31] : f0[31] && !nan;
        word2_q <= take_a ? a_i : f0 ^ (f1 & a_i);
      end else begin
        word2_q <= '0;
      end
      if (c1_i.sum && !over) sum2_q <= sum[31:0];
      else sum2_q <= '0;
      if (c1_i.carry) t = sum[32];
      if (c1_i.sum || cmp) lo_carry_q <= sum[32];
      t2_q <= t;
      s2_q <= s_i;
    end
  end

  // Stage s2 to s3.
  always_ff @(posedge clk_i) begin
    if (en2_i && c2_i.grp <= GrpMul) begin
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
      r3_q <= word2_q | sum2_q | shifted2;
    end
  end

  assign r3_o = r3_q;
  assign p3_o = p3_q;
  assign q3_o = q3_q;
endmodule
