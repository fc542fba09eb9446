// Binary32 lane (docs/microarchitecture.md 6.4, exec/fp32): stages s1 to s6 of add, mul, fma;
// results of the other parts join at s6. The product comes from mul_lane; operands come flushed and
// with their signs applied. Comparisons: int_lane; f32 to integer: slow_lane. Integer to f32: the
// 64-bit integer {b, a} takes the place of the sum. No functions here, for the reason given in
// int_lane.
//
// Frame of s3..s5: 51 bits and a carry, bit 49 has weight 2^(e - 127). The operand of the lower
// exponent is shifted right in it, its last bit is sticky: enough, because either the other one has
// at least 24 bits above the third bit or no bit is lost. Exponents of subnormals are 1 and e >= 1,
// so normalisation is limited to e = 1 and subnormal results need no second shift.
module fp32_lane
  import exec_pkg::*;
  import gates_pkg::Always;
(
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
  // verilator lint_off UNUSEDSIGNAL // of a, b the significands are mul_lane's
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  // verilator lint_on UNUSEDSIGNAL
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

  // s1 to s2: exponents, signs, special operands; the significands are being multiplied.
  logic [51:0] int2_q;             // an integer in the frame, in gates else zero
  logic [23:0] sig2_q;             // of c
  logic [5:0] gap2_q;              // distance of the exponents, at most 63
  logic c_high2_q;                 // c has the higher exponent
  logic [8:0] e2_q;
  logic neg2_q, sub2_q, nan2_q, inf2_q, inf_neg2_q;

  // Of an integer with more than 51 bits the 50 high ones, those behind sticky.
  logic int_neg, high;
  assign int_neg = c1_i.sgn && b_i[31];
  assign high = b_i[31:19] != {13{int_neg}};

  always_ff @(posedge clk_i) begin
    if (en1_i && (c1_i.grp == GrpFma || c1_i.grp == GrpI2f)) begin
      logic [7:0] ea, eb, ec;
      logic [8:0] two;
      logic [9:0] ep, gap;
      logic c_top, no_product, prod_neg;
      ea = {a_i[30:24], a_i[23] || a_i[30:24] == '0};
      eb = {b_i[30:24], b_i[23] || b_i[30:24] == '0};
      ec = {c_i[30:24], c_i[23] || c_i[30:24] == '0};
      c_top = c_i[30:23] == 8'hff;
      // A zero product has no exponent: c alone decides.
      no_product = a_zero_i || b_zero_i;
      prod_neg = a_i[31] ^ b_i[31];
      sig2_q <= {c_i[30:23] != '0, c_i[22:0]};
      two = 9'(ea) + 9'(eb) + 9'd1;
      ep = {3'(two[8:7]) - 3'd1, two[6:0]};
      gap = ep - 10'(ec);  // -253..380
      c_high2_q <= gap[9] || no_product;
      e2_q <= (gap[9] || no_product) ? 9'(ec) : ep[8:0];
      // Of a negative distance the inverse, one less: s2 shifts by one more.
      gap2_q <= (gap[5:0] ^ {6{gap[9]}}) |
                {6{no_product || (gap[9:6] != '0 && gap[9:6] != '1)}};
      neg2_q <= (gap[9] || no_product) ? c_i[31] : prod_neg;
      sub2_q <= prod_neg ^ c_i[31];
      nan2_q <= nan_i || (c_top && c_i[22:0] != '0) ||
                (a_top_i && b_zero_i) || (b_top_i && a_zero_i) ||
                ((a_top_i || b_top_i) && c_top && prod_neg != c_i[31]);
      inf2_q <= a_top_i || b_top_i || c_top;
      inf_neg2_q <= c_top ? c_i[31] : prod_neg;
      if (c1_i.grp == GrpI2f) begin
        e2_q <= high ? 9'd189 : 9'd176;
        {neg2_q, sub2_q, nan2_q, inf2_q} <= '0;
      end
    end
    if (Always || (en1_i && c1_i.grp == GrpI2f)) begin
      int2_q <= {int_neg, high ? {b_i, a_i[31:14], a_i[13:0] != '0} : {b_i[18:0], a_i}};
      if (c1_i.grp != GrpI2f) int2_q <= '0;
    end
  end

  // s2 to s3: alignment. The higher one stays in place, the lower one is shifted.
  logic [50:0] big3_q;
  logic [51:0] small3_q, int3_q;
  logic [33:0] next3_q;  // in gates: the bits of small from the word to the left
  logic neg3_q, sub3_q, nan3_q, inf3_q, inf_neg3_q;
  logic [8:0] e3_q;

  always_ff @(posedge clk_i) begin
    if (Always) int3_q <= int2_q;
    if (en2_i && (c2_i.grp == GrpFma || c2_i.grp == GrpI2f)) begin
      logic [50:0] low, low32, low16, low1;
      logic s32, s16;
      // verilator lint_off UNUSEDSIGNAL // two bits are always zero; of p0 the high half counts
      logic [17:0] power;
      logic [33:0] p0;
      // verilator lint_on UNUSEDSIGNAL
      logic [33:0] p1, p2;
      logic [15:0] tail;
      big3_q[50:26] <= c_high2_q ? {1'b0, sig2_q} : product2_i[47:23];
      big3_q[25:0] <= {product2_i[22:0], 3'd0};
      if (c_high2_q) big3_q[25:0] <= '0;
      // The product is one lower where c is high: gap2 is one less than the distance.
      low = c_high2_q ? {1'b0, product2_i, 2'd0} : {1'b0, sig2_q, 26'd0};
      if (Always) begin
        low32 = gap2_q[5] ? low >> 32 : low;
        s32 = gap2_q[5] && low[31:0] != '0;
        low16 = gap2_q[4] ? low32 >> 16 : low32;
        s16 = gap2_q[4] && low32[15:0] != '0;
        // Right by n is a product with 2^(17 - n): its high half, with the low half of the next.
        for (int unsigned k = 0; k < 18; k++) power[k] = 5'(gap2_q[3:0]) == 5'(17 - k);
        p0 = 34'(low16[16:0]) * 34'(power);
        p1 = 34'(low16[33:17]) * 34'(power);
        p2 = 34'(low16[50:34]) * 34'(power);
        small3_q <= {1'b0, p2[33:17], p1[33:17], p0[33:17]};
        // The last bit and those behind it, beside the product.
        for (int unsigned k = 0; k < 16; k++) tail[k] = 4'(k) <= gap2_q[3:0];
        small3_q[0] <= (low16[15:0] & tail) != '0 || s32 || s16;
        next3_q <= {p2[16:0], p1[16:0]};
      end else begin
        // The same with one shift, for a fast simulation.
        low1 = low >> gap2_q;
        small3_q <= {1'b0, low1[50:1], low1[0] || (low1 << gap2_q) != low};
      end
      if (c2_i.grp == GrpI2f) begin
        big3_q <= '0;
        small3_q <= Always ? '0 : int2_q;
        next3_q <= '0;
      end
      e3_q <= e2_q;
      neg3_q <= neg2_q;
      sub3_q <= sub2_q;
      nan3_q <= nan2_q;
      inf3_q <= inf2_q;
      inf_neg3_q <= inf_neg2_q;
    end
  end

  // s3 to s4: the sum. If negative, its inverse is the magnitude less one: that is taken as
  // followed by ones without end, and s6 adds the one. In gates its first two steps of normalisation.
  logic [51:0] sum4_q;
  logic [40:0] norm4_q;   // in gates: the magnitude, shifted
  logic sticky4_q;        // in gates, as sticky5_q
  logic free4_q;          // in gates: the limit does not bind the steps that follow
  logic [5:4] take4_q;    // in gates
  logic [9:0] limit4_q;   // of normalisation
  logic neg4_q, inv4_q, sub4_q, nan4_q, inf4_q, inf_neg4_q;

  always_ff @(posedge clk_i) begin
    if (en3_i && (c3_i.grp == GrpFma || c3_i.grp == GrpI2f)) begin
      logic [51:0] total, shifted, n64, n32;
      logic [9:0] limit;
      logic [5:4] take, take_by [2];
      logic [1:0] free_by;
      logic minus, free;
      shifted = Always ? small3_q | {18'd0, next3_q} | int3_q : small3_q;
      total = {1'b0, big3_q} + (shifted ^ {52{sub3_q}}) + 52'(sub3_q);
      minus = (sub3_q || c3_i.grp == GrpI2f) && total[51];
      sum4_q <= total;
      inv4_q <= minus;
      neg4_q <= neg3_q ^ minus;
      limit = 10'(e3_q) + 10'd1;
      limit4_q <= limit;
      if (Always) begin
        n64 = total ^ {52{minus}};
        // All at once: the step by 16 looks at the bits of both results of the step by 32. And for both
        // signs, as the sign comes last.
        free = limit[9:6] != '0;
        for (int s = 0; s < 2; s++) begin
          logic clear3, clear1, clear32;
          clear3 = total[51:36] == {16{s[0]}};
          clear1 = total[19:4] == {16{s[0]}};
          clear32 = clear3 && total[35:20] == {16{s[0]}};
          take_by[s][5] = clear32 && (free || limit[5]);
          if (clear32) begin
            take_by[s][4] = (free || limit[5]) ? clear1 && (free || limit[4]) : limit[4];
          end else begin
            take_by[s][4] = clear3 && (free || limit[5] || limit[4]);
          end
          free_by[s] = free || (limit[5] && !clear32) ||
                       (limit[4] && !(take_by[s][5] ? clear1 : clear3));
        end
        take = take_by[minus];
        n32 = take[5] ? {n64[19:0], {32{minus}}} : n64;
        norm4_q <= take[4] ? {n32[35:0], {5{minus}}} : n32[51:11];
        sticky4_q <= take == '0 && total[10:0] != '0;
        free4_q <= free_by[minus];
        take4_q <= take;
      end
      sub4_q <= sub3_q;
      nan4_q <= nan3_q;
      inf4_q <= inf3_q;
      inf_neg4_q <= inf_neg3_q;
    end
  end

  // s4 to s5: normalise, not below exponent 1. Each step is taken if its leading bits are zero and
  // the limit allows it; a step refused only for its bits shows that the limit is not reached.
  logic [25:0] norm5_q;  // 24 bits, guard, next
  logic sticky5_q;       // a bit behind is not as inv5_q
  logic [9:0] e5_q;      // exponent field that goes with a significand below 1.0
  logic neg5_q, inv5_q, zero5_q, nan5_q, inf5_q, inf_neg5_q;
  // How s6 rounds, the lane's own: the lanes lie far from each other and from the control. Neither
  // counts for a NaN, nor ftz for an infinity.
  logic nearest5_q, away5_q, ftz5_q;

  always_ff @(posedge clk_i) begin
    if ((en4_i && (c4_i.grp == GrpFma || c4_i.grp == GrpI2f)) || Always) begin
      logic [9:0] limit;
      logic [5:0] take;
      logic [3:0] free, clear;
      logic [51:0] n64, n32;
      logic [32:0] n8;
      logic [28:0] n4;
      logic [26:0] n2;
      logic [25:0] n1;
      logic sticky, zero, other, neg;
      other = c4_i.grp != GrpFma && c4_i.grp != GrpI2f;  // gives a zero
      limit = limit4_q;
      if (Always) begin
        take[5:4] = take4_q;
        free[3] = free4_q;
        sticky = sticky4_q;
        clear[3] = norm4_q[40:33] == '0;
        take[3] = clear[3] && (free[3] || limit[3]);
        n8 = take[3] ? norm4_q[32:0] : norm4_q[40:8];
        sticky |= !take[3] && norm4_q[7:0] != {8{inv4_q}};
        free[2] = free[3] || (limit[3] && !clear[3]);
        clear[2] = n8[32:29] == '0;
        take[2] = clear[2] && (free[2] || limit[2]);
        n4 = take[2] ? n8[28:0] : n8[32:4];
        sticky |= !take[2] && n8[3:0] != {4{inv4_q}};
        free[1] = free[2] || (limit[2] && !clear[2]);
        clear[1] = n4[28:27] == '0;
        take[1] = clear[1] && (free[1] || limit[1]);
        n2 = take[1] ? n4[26:0] : n4[28:2];
        sticky |= !take[1] && n4[1:0] != {2{inv4_q}};
        free[0] = free[1] || (limit[1] && !clear[1]);
        clear[0] = !n2[26];
        take[0] = clear[0] && (free[0] || limit[0]);
        n1 = take[0] ? n2[25:0] : n2[26:1];
        sticky |= !take[0] && (n2[0] ^ inv4_q);
        zero = norm4_q == '0 && !sticky4_q && !inv4_q;
      end else begin
        // The same with one shift, for a fast simulation.
        n64 = sum4_q ^ {52{inv4_q}};
        n32 = n64;
        take[5] = n32[51:20] == '0;
        if (take[5]) n32 <<= 32;
        take[4] = n32[51:36] == '0;
        if (take[4]) n32 <<= 16;
        take[3] = n32[51:44] == '0;
        if (take[3]) n32 <<= 8;
        take[2] = n32[51:48] == '0;
        if (take[2]) n32 <<= 4;
        take[1] = n32[51:50] == '0;
        if (take[1]) n32 <<= 2;
        take[0] = !n32[51];
        if (n64 == '0) take = 6'd52;  // ones follow
        if (limit < 10'(take)) take = limit[5:0];
        n32 = (sum4_q << take) ^ {52{inv4_q}};
        n1 = n32[51:26];
        sticky = n32[25:0] != {26{inv4_q}};
        zero = sum4_q == '0;
      end
      norm5_q <= n1;
      sticky5_q <= sticky;
      inv5_q <= inv4_q;
      e5_q <= limit - 10'(take);
      zero5_q <= zero || other;
      neg = !other && ((sub4_q && zero) ? c4_i.rnd == RndDown : neg4_q);
      neg5_q <= neg;
      nearest5_q <= c4_i.rnd == RndNearest && !nan4_q;
      away5_q <= c4_i.rnd != RndZero && ((c4_i.rnd == RndDown) ? neg : !neg);
      ftz5_q <= c4_i.ftz && !inf4_q;
      nan5_q <= !other && nan4_q;
      inf5_q <= !other && inf4_q;
      inf_neg5_q <= inf_neg4_q;
    end
  end

  // s5 to s6: round and pack.
  logic [31:0] r5, r6_q;
  always_comb begin
    r5 = '0;
    if ((en5_i && (c5_i.grp == GrpFma || c5_i.grp == GrpI2f)) || Always) begin
      automatic logic guard, next, rest, away, inc, neg, sat, tiny, up, over, keep, nan, inf, most;
      automatic logic unit;
      automatic logic [2:0] one;  // the one that is missing, on its way up
      automatic logic [32:0] v;
      automatic logic [31:0] r;
      one[0] = inv5_q && !sticky5_q;
      one[1] = one[0] && norm5_q[0];
      one[2] = one[1] && norm5_q[1];
      next = norm5_q[0] ^ one[0];
      guard = norm5_q[1] ^ one[1];
      rest = next || sticky5_q;
      away = away5_q;
      if (nearest5_q) inc = guard && (rest || norm5_q[2]);
      else inc = away && (guard || rest);
      inc |= one[2];
      v = {e5_q, norm5_q[24:2]} + {9'd0, norm5_q[25], 23'd0} + 33'(inc);
      // The sum is kept, or replaced by zeros and ones: NaN, infinity, the largest number, 1.0.
      neg = inf5_q ? inf_neg5_q : neg5_q;
      sat = c5_i.sat;
      over = v[32:23] >= 10'd255 && !zero5_q;
      // ftz: kept only if 24 bits with unbounded exponent round up to the least normal.
      tiny = ftz5_q && !norm5_q[25];
      up = tiny && norm5_q[24:2] == '1 && !zero5_q && !inf5_q && !nan5_q && !(sat && neg) &&
           (one[2] || (guard && (nearest5_q ? next : away && rest)));
      nan = nan5_q && !sat;
      inf = !nan5_q && !sat && (inf5_q || (over && (nearest5_q || away)));
      most = !nan5_q && !sat && !inf5_q && over && !(nearest5_q || away);
      unit = !nan5_q && sat && !neg && (inf5_q || (v[32:23] >= 10'd127 && !zero5_q && !tiny));
      keep = !(over || tiny || zero5_q || inf5_q || nan5_q || unit || (sat && neg));
      r = {1'b0, v[30:0] & {31{keep}}};
      r[31] = neg && !nan5_q && !sat;
      r[30] = r[30] || nan || inf || most;
      r[29:24] = r[29:24] | {6{nan || inf || most || unit}};
      r[23] = r[23] || nan || inf || unit || up;
      r[22:0] = r[22:0] | {23{nan || most}};
      r5 = r;
    end
  end
  always_ff @(posedge clk_i) begin
    if (en5_i) r6_q <= other5_i | slow5_i | r5;
  end
  assign r5_o = r5;
  assign r6_o = r6_q;
endmodule
