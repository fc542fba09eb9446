// Binary32 lane (docs/microarchitecture.md 6.4, exec/fp32): stages s1 to s6 of add, mul, fma, of
// conversions between f32 and integers, and of rounding to an integral value; results of the other
// parts join at s6. The product comes from mul_lane; operands come flushed and with their signs
// applied. Comparisons: int_lane. No functions here, for the reason given there.
//
// Frame of s2..s5: 64 bits, bit 61 has weight 2^(e - 127). The operand of the lower exponent is
// shifted right in a 51-bit window (bits 62:12) whose last bit is sticky: enough, because either
// the other one has at least 24 bits above the window's third bit or no bit is lost. Exponents of
// subnormals are 1 and e >= 1, so normalisation is limited to e = 1 and subnormal results need no
// second shift.
module fp32_lane
  import exec_pkg::*;
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
  // s1: fma operands; conversions to integer and frnd use c.
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic        neg_i,      // cvt from integer: negative
  // s2: product or magnitude of the integer.
  input  logic [63:0] parts2_i,
  input  logic [34:0] cross2_i,
  input  logic        neg2_i,
  input  logic [31:0] other5_i,   // s5: result of the other parts
  output logic [31:0] r6_o
);
  localparam logic [9:0] IntPoint = 10'd150;  // exponent of a 24-bit significand that is an integer
  localparam logic [8:0] IntFrame = 9'd188;   // exponent of the frame whose bit 0 is one

  // s1 to s2: exponents, signs, special operands; the significands are being multiplied.
  logic [23:0] sig2_q;             // of c
  logic [5:0] gap2_q;              // distance of the exponents, at most 63
  logic [5:0] left2_q;             // to integer: the operand is an integer times 2^left
  logic c_high2_q;                 // c has the higher exponent
  logic [8:0] e2_q;
  logic neg2_q, sub2_q, over2_q, nan2_q, inf2_q, inf_neg2_q;

  always_ff @(posedge clk_i) begin
    if (en1_i && c1_i.grp >= GrpFma) begin
      logic [7:0] ea, eb, ec;
      logic [9:0] ep, gap;
      logic a_top, b_top, c_top, a_frac, b_frac, c_frac, a_zero, b_zero, c_high, prod_neg;
      ea = {a_i[30:24], a_i[23] || a_i[30:24] == '0};
      eb = {b_i[30:24], b_i[23] || b_i[30:24] == '0};
      ec = {c_i[30:24], c_i[23] || c_i[30:24] == '0};
      a_top = a_i[30:23] == 8'hff;
      b_top = b_i[30:23] == 8'hff;
      c_top = c_i[30:23] == 8'hff;
      a_frac = a_i[22:0] != '0;
      b_frac = b_i[22:0] != '0;
      c_frac = c_i[22:0] != '0;
      a_zero = a_i[30:23] == '0 && !a_frac;
      b_zero = b_i[30:23] == '0 && !b_frac;
      prod_neg = a_i[31] ^ b_i[31];
      sig2_q <= {c_i[30:23] != '0, c_i[22:0]};
      left2_q <= '0;
      sub2_q <= 1'b0;
      inf2_q <= 1'b0;
      unique case (c1_i.grp)
        GrpFma: begin
          ep = 10'(ea) + 10'(eb) - 10'd127;
          gap = ep - 10'(ec);  // -253..380
          // A zero product has no exponent: c alone decides.
          c_high = gap[9] || a_zero || b_zero;
          c_high2_q <= c_high;
          e2_q <= c_high ? 9'(ec) : ep[8:0];
          if (c_high) gap = 10'd0 - gap;
          gap2_q <= (a_zero || b_zero || gap >= 10'd63) ? 6'd63 : gap[5:0];
          neg2_q <= c_high ? c_i[31] : prod_neg;
          sub2_q <= prod_neg ^ c_i[31];
          nan2_q <= (a_top && a_frac) || (b_top && b_frac) || (c_top && c_frac) ||
                    (a_top && b_zero) || (b_top && a_zero) ||
                    ((a_top || b_top) && c_top && prod_neg != c_i[31]);
          inf2_q <= a_top || b_top || c_top;
          inf_neg2_q <= c_top ? c_i[31] : prod_neg;
        end
        GrpI2f: begin
          c_high2_q <= 1'b0;
          e2_q <= IntFrame;
          neg2_q <= neg_i;
          nan2_q <= 1'b0;
        end
        default: begin  // GrpF2i, GrpFrnd
          gap = IntPoint - 10'(ec);
          gap2_q <= gap[9] ? 6'd0 : (gap >= 10'd63) ? 6'd63 : gap[5:0];
          // More than 40 is out of range anyway.
          if (gap[9] && c1_i.grp == GrpF2i) left2_q <= 6'(10'd0 - gap);
          c_high2_q <= 1'b0;
          e2_q <= {1'b0, c_i[30:23]} - 9'd1;
          neg2_q <= c_i[31];
          over2_q <= c_i[30:23] >= ((c1_i.wide ? 8'd190 : 8'd158) + 8'(!c1_i.sgn));
          nan2_q <= c_top && c_frac;
        end
      endcase
    end
  end

  // s2 to s3: sum of the partial products; alignment.
  logic [63:0] big3_q;
  logic [50:0] small3_q;
  logic [22:0] frac3_q;
  logic [5:0] gap3_q, left3_q;
  logic neg3_q, sub3_q, over3_q, nan3_q, inf3_q, inf_neg3_q;
  logic [8:0] e3_q;

  always_ff @(posedge clk_i) begin
    if (en2_i && c2_i.grp >= GrpFma) begin
      logic [63:0] sum;
      logic [50:0] c_part, low, coarse, fine;
      logic [5:0] by8;
      sum = parts2_i + {{13{cross2_i[34]}}, cross2_i, 16'd0} + 64'(neg2_i);
      c_part = {1'b0, sig2_q, 26'd0};
      // The higher one stays in place, the lower one is shifted.
      if (c_high2_q) big3_q <= {1'b0, c_part, 12'd0};
      else big3_q <= (c2_i.grp == GrpI2f) ? sum : {1'b0, sum[47:0], 15'd0};
      low = c_high2_q ? {sum[47:0], 3'd0} : c_part;
      by8 = {gap2_q[5:3], 3'd0};
      coarse = low >> by8;
      fine = coarse >> gap2_q[2:0];
      small3_q <= {fine[50:1],
                   fine[0] || (low & ~({51{1'b1}} << by8)) != '0 ||
                   (coarse[6:0] & ~(7'h7f << gap2_q[2:0])) != '0};
      frac3_q <= sig2_q[22:0];
      gap3_q <= gap2_q;
      left3_q <= left2_q;
      e3_q <= e2_q;
      neg3_q <= neg2_q;
      sub3_q <= sub2_q;
      over3_q <= over2_q;
      nan3_q <= nan2_q;
      inf3_q <= inf2_q;
      inf_neg3_q <= inf_neg2_q;
    end
  end

  // s3 to s4: magnitude of the sum. Conversions to integer: the integer part. frnd: the fraction
  // with the bits below the point set, so that one increment rounds it, and these bits as a mask.
  logic [63:0] sum4_q;
  logic [8:0] e4_q;
  logic [5:0] left4_q;
  logic neg4_q, sub4_q, over4_q, nan4_q, inf4_q, inf_neg4_q, lsb4_q, guard4_q, sticky4_q, less4_q;

  always_ff @(posedge clk_i) begin
    if (en3_i && c3_i.grp >= GrpFma) begin
      logic [51:0] total, back;
      logic [22:0] mask;
      neg4_q <= neg3_q;
      unique case (c3_i.grp)
        GrpFma: begin
          total = {1'b0, big3_q[62:12]} + ({1'b0, small3_q} ^ {52{sub3_q}}) + 52'(sub3_q);
          back = {1'b0, small3_q} - {1'b0, big3_q[62:12]};
          if (sub3_q && total[51]) begin
            sum4_q <= {back, 12'd0};
            neg4_q <= !neg3_q;
          end else begin
            sum4_q <= {total, 12'd0};
          end
        end
        GrpI2f: sum4_q <= big3_q;
        GrpF2i: sum4_q <= {40'd0, small3_q[49:26]};
        default: begin
          mask = ~(23'h7f_ffff << gap3_q[4:0]);
          sum4_q <= {1'b0, frac3_q | mask, 17'd0, mask};
        end
      endcase
      lsb4_q <= small3_q[26];
      guard4_q <= small3_q[25];
      sticky4_q <= small3_q[24:0] != '0;
      less4_q <= gap3_q[5] || gap3_q[4:3] == 2'b11;  // magnitude below one: gap >= 24
      left4_q <= left3_q;
      e4_q <= e3_q;
      sub4_q <= sub3_q;
      over4_q <= over3_q;
      nan4_q <= nan3_q;
      inf4_q <= inf3_q;
      inf_neg4_q <= inf_neg3_q;
    end
  end

  // s4 to s5: normalise, not below exponent 1.
  logic [63:0] norm5_q;
  logic [9:0] e5_q;  // exponent field that goes with a significand below 1.0
  logic neg5_q, zero5_q, over5_q, nan5_q, inf5_q, inf_neg5_q, lsb5_q, guard5_q, sticky5_q, less5_q;

  always_ff @(posedge clk_i) begin
    if (en4_i && c4_i.grp >= GrpFma) begin
      logic [5:0] lead, shift;  // leading zeros as a binary tree
      logic [31:0] y32;
      logic [15:0] y16;
      logic [7:0] y8;
      // verilator lint_off UNUSEDSIGNAL // the lowest bit decides nothing
      logic [3:0] y4;
      // verilator lint_on UNUSEDSIGNAL
      logic [9:0] limit;
      logic zero;
      limit = 10'(e4_q) + 10'd1;
      lead[5] = sum4_q[63:32] == '0;
      y32 = lead[5] ? sum4_q[31:0] : sum4_q[63:32];
      lead[4] = y32[31:16] == '0;
      y16 = lead[4] ? y32[15:0] : y32[31:16];
      lead[3] = y16[15:8] == '0;
      y8 = lead[3] ? y16[7:0] : y16[15:8];
      lead[2] = y8[7:4] == '0;
      y4 = lead[2] ? y8[3:0] : y8[7:4];
      lead[1] = y4[3:2] == '0;
      lead[0] = lead[1] ? !y4[1] : !y4[3];
      zero = lead == 6'd63 && !sum4_q[0];
      if (c4_i.grp == GrpFma || c4_i.grp == GrpI2f) begin
        shift = (10'(lead) > limit) ? limit[5:0] : lead;
      end else begin
        shift = left4_q;
      end
      norm5_q <= sum4_q << shift;
      e5_q <= limit - 10'(shift);
      zero5_q <= zero;
      neg5_q <= (sub4_q && zero) ? c4_i.rnd == RndDown : neg4_q;
      over5_q <= over4_q;
      lsb5_q <= lsb4_q;
      guard5_q <= guard4_q;
      sticky5_q <= sticky4_q;
      less5_q <= less4_q;
      nan5_q <= nan4_q;
      inf5_q <= inf4_q;
      inf_neg5_q <= inf_neg4_q;
    end
  end

  // s5 to s6: round and pack, with one adder for all.
  logic [31:0] r6_q;
  always_ff @(posedge clk_i) begin
    if (en5_i) begin
      if (c5_i.grp < GrpFma) begin
        r6_q <= other5_i;
      end else begin
        logic is_float, high, lsb, guard, sticky, away, inc, carry, tiny_up;
        logic [32:0] x, v;
        logic [31:0] r;
        is_float = c5_i.grp == GrpFma || c5_i.grp == GrpI2f;
        high = c5_i.wide && c5_i.step;
        lsb = is_float ? norm5_q[40] : lsb5_q;
        guard = is_float ? norm5_q[39] : guard5_q;
        sticky = is_float ? norm5_q[38:0] != '0 : sticky5_q;
        away = (c5_i.rnd == RndDown) ? neg5_q : !neg5_q;  // of the directed modes
        if (c5_i.rnd == RndNearest) inc = guard && (sticky || lsb);
        else inc = c5_i.rnd != RndZero && away && (guard || sticky);
        carry = inc;
        x = {e5_q, norm5_q[62:40]};
        if (c5_i.grp == GrpF2i) begin
          // -(mag + inc) = ~mag + !inc; only a zero low word of it carries into the high word.
          x = {1'b0, (high ? norm5_q[63:32] : norm5_q[31:0]) ^ {32{neg5_q}}};
          if (high) carry = neg5_q && !inc && norm5_q[31:0] == '0;
          else carry = inc ^ neg5_q;
        end
        v = x + {9'd0, is_float && norm5_q[63], 23'd0} + 33'(carry);
        unique case (c5_i.grp)
          GrpFma, GrpI2f: begin
            r = {neg5_q, v[30:0]};
            // Overflow: infinity, or the largest number where the mode rounds towards zero.
            if (v[32:23] >= 10'd255) begin
              r[30:0] = (c5_i.rnd == RndNearest || (c5_i.rnd != RndZero && away)) ?
                        31'h7f80_0000 : 31'h7f7f_ffff;
            end
            // ftz: kept only if 24 bits with unbounded exponent round up to the least normal.
            if (c5_i.ftz && !norm5_q[63]) begin
              tiny_up = norm5_q[62:39] == 24'hff_ffff &&
                        ((c5_i.rnd == RndNearest) ? norm5_q[38] :
                         c5_i.rnd != RndZero && away && norm5_q[38:0] != '0);
              r[30:0] = {7'd0, tiny_up, 23'd0};
            end
            if (zero5_q) r[30:0] = '0;
            if (inf5_q) r = {inf_neg5_q, 31'h7f80_0000};
            if (c5_i.sat) begin
              if (r[31]) r = '0;
              else if (r[30:23] >= 8'd127) r = 32'h3f80_0000;
            end
            if (nan5_q) r = c5_i.sat ? 32'd0 : 32'h7fff_ffff;
          end
          GrpF2i: begin
            r = v[31:0];
            if (over5_q) begin
              if (!c5_i.sgn) r = 32'hffff_ffff;
              else r = ((high || !c5_i.wide) ? 32'h7fff_ffff : 32'hffff_ffff) ^ {32{neg5_q}};
            end
            if (!c5_i.sgn && neg5_q) r = '0;
            if (nan5_q) r = {high, 31'd0};
          end
          default: begin
            r = {neg5_q, v[30:23], v[22:0] & ~norm5_q[22:0]};
            if (less5_q) r[30:0] = inc ? 31'h3f80_0000 : 31'd0;
            if (nan5_q) r = 32'h7fff_ffff;
          end
        endcase
        r6_q <= r;
      end
    end
  end
  assign r6_o = r6_q;
endmodule
