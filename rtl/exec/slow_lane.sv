// One lane of the slow unit (docs/microarchitecture.md 6.1, 6.4): bfe, bfi, prmt, bit counts,
// special registers, f32 to integer, rounding to an integral value. The operand in X1, its result
// in s5, where the lanes of the part take it; 0 for other operations. Integer to f32: fp32_lane.
// Conversions between floating-point formats: format_lane.
//
// One word is rotated left: a significand by its exponent, a field by its position, others not at
// all. Of a significand the bits from the amount on are then those of the low word of the integer,
// or of the fraction if the exponent is below that of an integer; the bits before the amount are
// those of the high word, or of the integer. One LUT a bit merges what remains with the base of
// a field or with the results that need no rotation, one adder rounds. No functions here, for the
// reason given in int_lane.
module slow_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [5:0]  slow_i,    // bit k: stage k holds a form of these lanes, bit 0: X1
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic [31:0] sreg_i,
  input  logic        field_imm_i,
  input  logic [15:0] field_i,
  // verilator lint_off UNUSEDSIGNAL // every stage uses its part of the control
  input  ctl_t        c0_i,
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  input  ctl_t        c4_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [31:0] r5_o
);
  localparam logic [7:0] ExpInt = 8'd150;  // of a 24-bit significand that is an integer
  localparam logic [7:0] ExpHalf = 8'd126;

  logic [31:0] a1_q, b1_q, sreg1_q;
  logic [31:0] c1_q;
  logic [7:0] pos1_q, len1_q;

  logic [31:0] value2_q, base2_q, perm2_q;
  logic [3:0] ext2_q;           // byte of prmt is its sign
  logic [4:0] turn2_q;
  logic [5:0] last2_q;
  logic none2_q, inv2_q, both2_q;  // mask: none; before turn; and before last
  logic [31:0] value3_q, other3_q, mask3_q, below3_q;
  logic [4:0] turn3_q;
  logic [31:0] turned4_q, other4_q, mask4_q, below4_q;
  logic sticky4_q;
  // Along with them: length of a field, kinds of an f32 operand.
  logic [4:0] len2_q, len3_q, len4_q;
  typedef struct packed {
    logic neg;
    logic frac;    // below 2^23
    logic less;    // below 1.0
    logic half;    // at least 0.5
    logic high;    // at least 2^55
    logic over;
    logic nan;
    logic beyond;  // the field's top is the word's
    logic empty;
  } kind_t;
  kind_t k2_q, k3_q, k4_q;
  logic [31:0] r5_q;

  logic [31:0] format4;
  format_lane u_format (
    .clk_i, .busy_i(slow_i != '0),
    .en1_i(slow_i[1] && c1_i.grp == GrpFormat), .en2_i(slow_i[2] && c2_i.grp == GrpFormat),
    .en3_i(slow_i[3] && c3_i.grp == GrpFormat), .c1_i, .c2_i, .c3_i, .c4_i,
    .a1_i(a1_q), .b1_i(b1_q), .random1_i(c1_q), .r4_o(format4)
  );

  logic [31:0] special4;
  special_lane u_special (
    .clk_i, .busy_i(slow_i != '0), .en1_i(slow_i[1] && c1_i.grp == GrpSpecial),
    .en2_i(slow_i[2] && c2_i.grp == GrpSpecial), .en3_i(slow_i[3] && c3_i.grp == GrpSpecial),
    .c1_i, .a1_i(a1_q), .r4_o(special4)
  );

  logic [31:0] half5, packed4;
  half_lane u_half (
    .clk_i, .rst_ni, .busy_i(slow_i != '0),
    .en1_i(slow_i[1] && c1_i.grp == GrpHalf), .en2_i(slow_i[2] && c2_i.grp == GrpHalf),
    .en3_i(slow_i[3] && c3_i.grp == GrpHalf), .en4_i(slow_i[4] && c4_i.grp == GrpHalf),
    .c1_i, .c2_i, .c3_i, .c4_i, .a1_i(a1_q), .b1_i(b1_q), .c1_word_i(c1_q), .r5_o(half5)
  );
  packed_lane u_packed (
    .clk_i, .busy_i(slow_i != '0),
    .en1_i(slow_i[1] && c1_i.grp == GrpPacked), .en2_i(slow_i[2] && c2_i.grp == GrpPacked),
    .en3_i(slow_i[3] && c3_i.grp == GrpPacked), .c1_i, .a1_i(a1_q), .b1_i(b1_q), .r4_o(packed4)
  );

  always_ff @(posedge clk_i) begin
    if (slow_i != '0) begin
      r5_q <= '0;
      // X1. Position and length of a field: pos, len.
      if (slow_i[0]) begin
        a1_q <= a_i;
        sreg1_q <= sreg_i;
        if (c0_i.grp == GrpSreg) a1_q <= '0;
        else sreg1_q <= '0;
        if (c0_i.ftz && a_i[30:23] == '0 && (c0_i.grp == GrpF2i || c0_i.grp == GrpFrnd)) begin
          a1_q[22:0] <= '0;
        end
        b1_q <= b_i;
        c1_q <= c_i;
        if (field_imm_i) {len1_q, pos1_q} <= field_i;
        else if (c0_i.insert) {len1_q, pos1_q} <= c_i[15:0];
        else {len1_q, pos1_q} <= {c_i[7:0], b_i[7:0]};
      end

      // s1 to s2: the value, the amount, what the masks will be.
      if (slow_i[1]) begin
        logic [7:0] e;
        logic [8:0] ends;
        logic real_op, reverse, invert, up;
        logic is_int, is_less, is_half, is_high, near;
        real_op = c1_i.grp == GrpF2i || c1_i.grp == GrpFrnd;
        reverse = c1_i.grp == GrpCount && c1_i.op == CntBrev;
        invert = c1_i.grp == GrpCount && c1_i.sgn && a1_q[31];
        up = c1_i.second;
        e = {a1_q[30:24], a1_q[23] || a1_q[30:24] == '0};
        // At least 150, at most 126, at least 182, too large for the integer: without chains.
        near = e[3] || (e[2] && e[1]);
        is_int = e[7] && (e[6] || e[5] || (e[4] && near));
        is_less = !e[7] && e[6:0] != '1;
        is_half = e == ExpHalf;
        is_high = e[7] && (e[6] || (e[5] && e[4] && near));
        for (int unsigned i = 0; i < 32; i++) begin
          value2_q[i] <= (reverse ? a1_q[31-i] : a1_q[i]) ^ invert;
        end
        if (real_op) value2_q[31:23] <= {8'd0, a1_q[30:23] != '0};
        ends = 9'(len1_q) + 9'(pos1_q);
        // Amount and last bit are those of a left rotation: of a significand e - 150 and its
        // inverse, of bfe the negated position.
        turn2_q <= (real_op ? e[4:0] : c1_i.insert ? pos1_q[4:0] : ~pos1_q[4:0]) +
                   (real_op ? 5'd10 : 5'd0) + 5'(!real_op && !c1_i.insert);
        if (c1_i.grp != GrpField && !real_op) turn2_q <= '0;
        if (real_op) begin
          last2_q <= {1'b0, 5'd22 - e[4:0]};
          if (e == ExpInt || (is_less && !is_half)) last2_q <= 6'd32;
          if (c1_i.grp == GrpFrnd && is_int) last2_q <= 6'd0;
        end else begin
          last2_q <= c1_i.insert ? {|ends[8:5], ends[4:0]} : {|len1_q[7:5], len1_q[4:0]};
        end
        inv2_q <= (c1_i.grp == GrpF2i) ? (up ? !is_high : !is_int) :
                  c1_i.grp == GrpField && !c1_i.insert && pos1_q[4:0] != '0;
        both2_q <= c1_i.grp == GrpField;
        unique case (c1_i.grp)
          GrpField: none2_q <= pos1_q[7:5] != '0;
          GrpCount: none2_q <= !reverse;
          GrpF2i:   none2_q <= up ? !is_int : is_high || is_less;
          default:  none2_q <= 1'b1;
        endcase
        k2_q.neg <= a1_q[31];
        k2_q.frac <= !is_int && real_op;
        k2_q.less <= is_less && real_op;
        k2_q.half <= is_half;
        k2_q.high <= is_high;
        near = e[4:1] == '1 && (c1_i.sgn || e[0]);  // 190 and 158, of unsigned one more
        k2_q.over <= e[7] && (e[6] || (c1_i.wide ? e[5] && near : e[5] || near));
        k2_q.nan <= a1_q[30:23] == 8'hff && a1_q[22:0] != '0;
        k2_q.beyond <= ends[8:6] != '0 || (ends[5] && ends[4:0] != '0);
        k2_q.empty <= len1_q == '0;
        len2_q <= len1_q[4:0];
        // One of them: a is zero for a special register, which is zero for others.
        base2_q <= (c1_i.insert ? b1_q : a1_q) | sreg1_q;
        if (!c1_i.insert && c1_i.grp != GrpFrnd && c1_i.grp != GrpSreg) base2_q <= '0;
        perm2_q <= '0;
        ext2_q <= '0;
        if (c1_i.grp == GrpPrmt) begin
          // A byte of {b, a} by its number.
          for (int unsigned i = 0; i < 4; i++) begin
            logic [31:0] w;
            logic [15:0] h;
            w = c1_q[4*i+2] ? b1_q : a1_q;
            h = c1_q[4*i+1] ? w[31:16] : w[15:0];
            perm2_q[8*i+:8] <= c1_q[4*i] ? h[15:8] : h[7:0];
            ext2_q[i] <= c1_q[4*i+3];
          end
        end
        if (c1_i.grp == GrpCount && c1_i.op == CntPopc) begin
          logic [31:0] x;
          x = (a1_q & 32'h5555_5555) + ((a1_q >> 1) & 32'h5555_5555);
          x = (x & 32'h3333_3333) + ((x >> 2) & 32'h3333_3333);
          x = (x + (x >> 4)) & 32'h0f0f_0f0f;
          perm2_q[5:0] <= 6'(x[4:0] + x[12:8]) + 6'(x[20:16] + x[28:24]);
        end
      end

      // s2 to s3: leading zeros; the masks.
      if (slow_i[2]) begin
        logic [4:0] lead;
        logic [31:0] from, below;
        logic [15:0] y16;
        logic [7:0] y8;
        logic [3:0] y4;
        logic zero, clz, bfind;
        lead[4] = value2_q[31:16] == '0;
        y16 = lead[4] ? value2_q[15:0] : value2_q[31:16];
        lead[3] = y16[15:8] == '0;
        y8 = lead[3] ? y16[7:0] : y16[15:8];
        lead[2] = y8[7:4] == '0;
        y4 = lead[2] ? y8[3:0] : y8[7:4];
        lead[1] = y4[3:2] == '0;
        lead[0] = lead[1] ? !y4[1] : !y4[3];
        zero = lead == '1 && !y4[0];
        from = 32'hffff_ffff << turn2_q;
        below = last2_q[5] ? 32'hffff_ffff : ~(32'hffff_ffff << last2_q[4:0]);
        mask3_q <= (from ^ {32{inv2_q}}) & (below | {32{!both2_q}});
        if (none2_q) mask3_q <= '0;
        below3_q <= below;
        value3_q <= value2_q;
        turn3_q <= turn2_q;
        clz = c2_i.grp == GrpCount && c2_i.op == CntClz;
        bfind = c2_i.grp == GrpCount && c2_i.op == CntBfind;
        for (int unsigned i = 0; i < 4; i++) begin
          other3_q[8*i+:8] <= (ext2_q[i] ? {8{perm2_q[8*i+7]}} : perm2_q[8*i+:8]) |
                              base2_q[8*i+:8];
        end
        if (clz) other3_q[5:0] <= {zero, lead & {5{!zero}}};
        if (bfind) other3_q[4:0] <= ~lead;
        if (bfind && zero) other3_q <= '1;
        k3_q <= k2_q;
        len3_q <= len2_q;
      end

      // s3 to s4: rotate. Of the fraction, the bits behind the first; of the low word likewise.
      if (slow_i[3]) begin
        logic [31:0] t;
        t = value3_q;
        if (turn3_q[4]) t = {t[15:0], t[31:16]};
        if (turn3_q[3]) t = {t[23:0], t[31:24]};
        if (turn3_q[2]) t = {t[27:0], t[31:28]};
        if (turn3_q[1]) t = {t[29:0], t[31:30]};
        if (turn3_q[0]) t = {t[30:0], t[31]};
        turned4_q <= t;
        sticky4_q <= (value3_q[23:0] & below3_q[24:1]) != '0;
        mask4_q <= mask3_q;
        below4_q <= below3_q;
        if (c3_i.grp != GrpFrnd) below4_q <= '0;
        other4_q <= (c3_i.grp == GrpFrnd) ? other3_q | below3_q : other3_q & ~mask3_q;
        if (c3_i.grp == GrpField && c3_i.sgn) other4_q <= '1;
        k4_q <= k3_q;
        len4_q <= len3_q;
      end

      // s4 to s5: merge and round.
      if (slow_i[4]) begin
        logic guard, sticky, away, inc, carry, fill, flip, high, keep, ones, top, other;
        logic [31:0] shown, x, v, r;
        high = c4_i.second;
        guard = k4_q.frac && turned4_q[31] && (!k4_q.less || k4_q.half);
        sticky = k4_q.frac && sticky4_q;
        away = c4_i.rnd != RndZero && ((c4_i.rnd == RndDown) ? k4_q.neg : !k4_q.neg);
        if (c4_i.rnd == RndNearest) inc = guard && (sticky || (turned4_q[0] && !k4_q.less));
        else inc = away && (guard || sticky);
        // bfe.s: the bit at the top of the field.
        shown = {turned4_q[30:0], turned4_q[31]};
        fill = !k4_q.empty && (k4_q.beyond ? k4_q.neg : shown[len4_q]);
        flip = (c4_i.grp == GrpF2i) ? k4_q.neg : c4_i.grp == GrpField && c4_i.sgn && !fill;
        // Where the other word has a one: not masked, except with bfe.s, of which it has no zero.
        for (int unsigned i = 0; i < 32; i++) begin
          x[i] = other4_q[i] ? (mask4_q[i] ? turned4_q[i] : !flip) :
                 (turned4_q[i] && mask4_q[i]) ^ flip;
        end
        // -(mag + inc) = ~mag + !inc; only a zero low word of it carries into the high word.
        carry = inc;
        if (c4_i.grp == GrpF2i) begin
          carry = inc ^ k4_q.neg;
          if (high) begin
            carry = k4_q.neg && !inc && (k4_q.frac ? k4_q.less :
                                         k4_q.high || !(sticky4_q || turned4_q[31]));
          end
        end
        v = x + 32'(carry);
        // Units of their own have a result in s4 only if s4 holds one of their forms.
        other = c4_i.grp == GrpFormat || c4_i.grp == GrpHalf || c4_i.grp == GrpPacked ||
                c4_i.grp == GrpSpecial;
        keep = !other;
        ones = 1'b0;
        top = v[31] && !other;
        r = v & ~below4_q;
        if (c4_i.grp == GrpF2i) begin
          keep = !(k4_q.over || k4_q.nan || (!c4_i.sgn && k4_q.neg));
          ones = k4_q.over && !k4_q.nan && !k4_q.neg;
          top = (keep && v[31]) || (k4_q.nan && high) ||
                (k4_q.over && !k4_q.nan &&
                 (k4_q.neg == (c4_i.sgn && (high || !c4_i.wide))));
        end
        if (c4_i.grp == GrpFrnd) begin
          keep = !(k4_q.less || k4_q.nan);
          ones = k4_q.nan;
          top = k4_q.neg && !k4_q.nan;
        end
        r[31] = top;
        r[30:0] = (r[30:0] & {31{keep}}) | {31{ones}};
        r[29:23] = r[29:23] | {7{c4_i.grp == GrpFrnd && k4_q.less && inc}};
        r5_q <= r | format4 | packed4 | special4;
      end
    end
    // A result that a reset cuts off would be merged into all that follow.
    if (!rst_ni) r5_q <= '0;
  end
  assign r5_o = r5_q | half5;
endmodule
