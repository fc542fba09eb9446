// One half of a half lane (docs/microarchitecture.md 6.4, Halves): HFMA, HMIN, HMAX, HSET of f16 or
// bf16. Operands in s1; the result leaves as logic of s4. What is known from the operands alone
// (comparisons, infinities, NaN) is a word that waits; a finite sum is made beside it: product and
// exponents in s1, alignment and sum in s2, normalisation in s3, rounding in s4.
//
// A significand has 11 bits; of bf16 the last three are zero, and it is rounded three bits earlier.
// Exponents are those of the format. Frame: two significands, three bits and a carry; the bit below
// the top has weight 2^(exponent - bias). The last bit of the shifted operand is sticky, which is
// enough: where bits are lost, the other operand has 11 bits above the third one.
// No functions here, for the reason given in int_lane.
module half_part
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        en1_i,     // s1 to s4 hold a form of GrpHalf
  input  logic        en2_i,
  input  logic        en3_i,
  input  logic        en4_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  input  ctl_t        c4_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [15:0] a1_i,
  input  logic [15:0] b1_i,
  input  logic [15:0] c1_word_i,
  output logic [15:0] r4_o       // zero if s4 holds none
);
  localparam int unsigned Frame = 25;
  localparam logic [14:0] OutOfBounds = 15'h7ff7;
  localparam logic [15:0] Nan = 16'h7fff;

  // Result that is known in s1.
  logic        known2_q, known3_q, known4_q;
  logic [15:0] word2_q, word3_q, word4_q;
  // A sum.
  logic [21:0] product2_q;
  logic [10:0] addend2_q;      // significand of c
  logic [4:0]  gap2_q;         // distance of the exponents, limited
  logic        c_high2_q;      // c has the higher exponent
  logic [8:0]  exp2_q;         // the higher exponent
  logic        neg2_q, sub2_q, neg3_q, sub3_q, neg4_q, sub4_q;
  logic [Frame:0] sum3_q;
  logic [8:0]  limit3_q;       // of normalisation: not below exponent 1

  // Stage s1 to s2.
  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      logic       bf, a_low, b_low, c_low, a_top, b_top, c_top, a_nan, b_nan, c_nan, a_zero, b_zero;
      logic       a_neg, c_neg, b_neg, p_neg;
      logic [7:0] ea, eb, ec;
      logic [14:0] a, b;        // magnitudes
      logic [9:0] af, bfr, cf;  // fractions
      bf = c1_i.fmt == wl_pkg::FormatBf16;
      ea = bf ? a1_i[14:7] : {3'd0, a1_i[14:10]};
      eb = bf ? b1_i[14:7] : {3'd0, b1_i[14:10]};
      ec = bf ? c1_word_i[14:7] : {3'd0, c1_word_i[14:10]};
      a_low = ea == '0;
      b_low = eb == '0;
      c_low = ec == '0;
      // ftz: a subnormal becomes a zero of its sign.
      a = a1_i[14:0] & ~{15{c1_i.ftz && a_low}};
      b = b1_i[14:0] & ~{15{c1_i.ftz && b_low}};
      af = bf ? {a[6:0], 3'd0} : a[9:0];
      bfr = bf ? {b[6:0], 3'd0} : b[9:0];
      cf = (bf ? {c1_word_i[6:0], 3'd0} : c1_word_i[9:0]) & ~{10{c1_i.ftz && c_low}};
      a_top = ea[4:0] == '1 && (!bf || ea[7:5] == '1);
      b_top = eb[4:0] == '1 && (!bf || eb[7:5] == '1);
      a_nan = a_top && af != '0;
      b_nan = b_top && bfr != '0;
      a_zero = a_low && af == '0;
      b_zero = b_low && bfr == '0;
      a_neg = a1_i[15] ^ c1_i.neg_a;
      b_neg = b1_i[15];
      if (c1_i.op == HalfFma) begin
        logic [9:0] two, ep, gap;
        logic       none, c_high, inf, bounds;
        c_neg = c1_word_i[15] ^ c1_i.neg_c;
        c_top = ec[4:0] == '1 && (!bf || ec[7:5] == '1);
        c_nan = c_top && cf != '0;
        p_neg = a_neg ^ b_neg;
        product2_q <= 22'({!a_low, af}) * 22'({!b_low, bfr});
        addend2_q <= {!c_low, cf};
        // The exponent of the product, ea + eb - bias: the bias is one less than a power of two. Of
        // a zero product there is none: c alone decides.
        none = a_zero || b_zero;
        two = 10'({ea[7:1], ea[0] || a_low}) + 10'({eb[7:1], eb[0] || b_low}) + 10'd1;
        ep = {two[9:4] - (bf ? 6'd8 : 6'd1), two[3:0]};
        gap = ep - 10'({ec[7:1], ec[0] || c_low});
        c_high = gap[9] || none;
        c_high2_q <= c_high;
        exp2_q <= c_high ? {1'b0, ec[7:1], ec[0] || c_low} : ep[8:0];
        // Of a negative distance the inverse, one less: s2 shifts by one more.
        gap2_q <= (gap[4:0] ^ {5{gap[9]}}) | {5{none || (gap[9:5] != '0 && gap[9:5] != '1)}};
        neg2_q <= c_high ? c_neg : p_neg;
        sub2_q <= p_neg ^ c_neg;
        // Those that are no finite sum.
        inf = a_top || b_top || c_top;
        bounds = c1_i.oob && (a1_i[14:0] == OutOfBounds || b1_i[14:0] == OutOfBounds);
        known2_q <= bounds || inf;
        if (bounds) begin
          word2_q <= '0;
        end else if (a_nan || b_nan || c_nan || (a_top && b_zero) || (b_top && a_zero) ||
                     ((a_top || b_top) && c_top && (p_neg ^ c_neg))) begin
          word2_q <= c1_i.sat ? '0 : Nan;
        end else begin
          word2_q <= {c_top ? c_neg : p_neg, bf ? 15'h7f80 : 15'h7c00};
          if (c1_i.sat) word2_q <= bf ? 16'h3f80 : 16'h3c00;
          if ((c1_i.sat || c1_i.relu) && (c_top ? c_neg : p_neg)) word2_q <= '0;
        end
      end else begin
        logic same, below, less;
        known2_q <= 1'b1;
        same = a == b;
        below = a < b;
        // Of equal operands either is the result.
        if (c1_i.xorsign) less = below;
        else if (a_neg != b_neg) less = a_neg;
        else less = a_neg ? !below && !same : below;
        if (c1_i.op == HalfSet) begin
          word2_q <= {16{(a_nan || b_nan) ? c1_i.cmp[3] :
                         (same && (a_neg == b_neg || a_zero)) ? c1_i.cmp[1] :
                         less ? c1_i.cmp[0] : c1_i.cmp[2]}};
        end else if ((a_nan && b_nan) || (c1_i.nan && (a_nan || b_nan))) begin
          word2_q <= Nan;
        end else if ((a_nan || b_nan) ? b_nan : less == (c1_i.op == HalfMin)) begin
          word2_q <= {a_neg ^ (c1_i.xorsign && b_neg), a};
        end else begin
          word2_q <= {b_neg ^ (c1_i.xorsign && a_neg), b};
        end
      end
    end
  end

  // Stage s2 to s3. The higher one stays in place.
  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      known3_q <= known2_q;
      word3_q <= word2_q;
      if (c2_i.op == HalfFma) begin
        logic [Frame-1:0] fixed, shifted;
        logic             lost;
        fixed = c_high2_q ? {1'b0, addend2_q, 13'd0} : {product2_q, 3'd0};
        shifted = c_high2_q ? {1'b0, product2_q, 2'd0} : {1'b0, addend2_q, 13'd0};
        lost = 1'b0;
        for (int k = 4; k >= 0; k--) begin
          if (gap2_q[k]) begin
            lost |= (shifted & ~({Frame{1'b1}} << (1 << k))) != '0;
            shifted >>= 1 << k;
          end
        end
        shifted[0] |= lost;
        sum3_q <= {1'b0, fixed} + ({1'b0, shifted} ^ {(Frame+1){sub2_q}}) + (Frame+1)'(sub2_q);
        limit3_q <= exp2_q + 9'd1;
        neg3_q <= neg2_q;
        sub3_q <= sub2_q;
      end
    end
  end

  // Stage s3 to s4.
  logic           minus3;      // the sum is negative
  logic [Frame:0] magnitude3;
  logic [12:0]    norm4;       // significand, guard, next
  logic [8:0]     exp4;        // exponent field that goes with a significand below 1.0
  logic           lost4;
  always_comb begin
    minus3 = 'x;
    magnitude3 = 'x;
    if (en3_i && c3_i.op == HalfFma) begin
      minus3 = sub3_q && sum3_q[Frame];
      magnitude3 = (sum3_q ^ {(Frame+1){minus3}}) + (Frame+1)'(minus3);
    end
  end
  normalise #(.In(Frame + 1), .Out(13), .Bits(5), .LimitBits(9)) u_normalise (
    .clk_i, .en_i(en3_i && c3_i.op == HalfFma), .x_i(magnitude3), .inv_i(1'b0), .limit_i(limit3_q),
    .y_o(norm4), .left_o(exp4), .lost_o(lost4)
  );
  always_ff @(posedge clk_i) begin
    if (en3_i) begin
      known4_q <= known3_q;
      word4_q <= word3_q;
      neg4_q <= neg3_q ^ minus3;
      sub4_q <= sub3_q;
    end
  end

  // s4: rounding to nearest even.
  always_comb begin
    r4_o = '0;
    if (en4_i) begin
      automatic logic bf, zero, neg, inc, tiny, over, unit, drop;
      automatic logic [18:0] v;  // exponent field and fraction, of bf16 with ones after it
      bf = c4_i.fmt == wl_pkg::FormatBf16;
      zero = norm4 == '0 && !lost4;
      neg = neg4_q && !(sub4_q && zero);
      if (bf) inc = norm4[4] && (norm4[3:0] != '0 || lost4 || norm4[5]);
      else inc = norm4[1] && (norm4[0] || lost4 || norm4[2]);
      v = {exp4, norm4[11:5], norm4[4:2] | {3{bf}}} + {8'd0, norm4[12], 10'd0} + 19'(inc);
      // ftz: kept only if it rounds up to the least normal number with unbounded exponent.
      tiny = c4_i.ftz && !norm4[12] && !(norm4[11:3] == '1 && (bf || norm4[2:0] == '1));
      over = bf ? v[18] || v[17:10] == '1 : v[18:15] != '0 || v[14:10] == '1;
      unit = c4_i.sat && (bf ? v[18:17] != '0 || v[16:10] == '1 : v[18:14] != '0 || v[13:10] == '1);
      drop = zero || tiny || (neg && (c4_i.sat || c4_i.relu));
      if (known4_q) begin
        r4_o = word4_q;
      end else begin
        r4_o = bf ? {neg, v[17:3]} : {neg, v[14:0]};
        if (over) r4_o[14:0] = bf ? 15'h7f80 : 15'h7c00;
        if (unit) r4_o[14:0] = bf ? 15'h3f80 : 15'h3c00;
        if (drop) r4_o[14:0] = '0;
        if (c4_i.sat || c4_i.relu) r4_o[15] = 1'b0;
      end
    end
  end
endmodule
