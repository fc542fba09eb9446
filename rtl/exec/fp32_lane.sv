// Binary32 lane (docs/microarchitecture.md 6.4, exec/fp32): stages s1 to s6 of add, mul, fma, of
// conversions between f32 and integers, and of rounding to an integral value. The product comes
// from mul_lane; operands come flushed and with their signs applied. Comparisons: int_lane.
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
  /* verilator lint_off UNUSEDSIGNAL */
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  input  ctl_t        c4_i,
  input  ctl_t        c5_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // s1: fma operands; conversions to integer and frnd use c.
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic        neg_i,      // cvt from integer: negative
  // s2: product or magnitude of the integer.
  input  logic [63:0] parts2_i,
  input  logic [34:0] cross2_i,
  input  logic        neg2_i,
  output logic [31:0] result5_o   // combinational from s5, to be registered at s6
);
  localparam logic [9:0] IntPoint = 10'd150;  // exponent of a 24-bit significand that is an integer
  localparam logic [9:0] IntToFrame = 10'd188;  // exponent of the frame whose bit 0 is one

  typedef struct packed {
    logic nan;
    logic inf;
    logic inf_neg;
  } special_t;

  function automatic special_t special(input logic [31:0] a, input logic [31:0] b,
                                       input logic [31:0] c);
    special_t s;
    logic a_top, b_top, c_top, a_inf, b_inf, c_inf, prod_neg;
    a_top = a[30:23] == 8'hff;
    b_top = b[30:23] == 8'hff;
    c_top = c[30:23] == 8'hff;
    a_inf = a_top && a[22:0] == '0;
    b_inf = b_top && b[22:0] == '0;
    c_inf = c_top && c[22:0] == '0;
    prod_neg = a[31] ^ b[31];
    s.nan = (a_top && !a_inf) || (b_top && !b_inf) || (c_top && !c_inf) ||
            (a_inf && b[30:0] == '0) || (b_inf && a[30:0] == '0) ||
            ((a_inf || b_inf) && c_inf && prod_neg != c[31]);
    s.inf = a_inf || b_inf || c_inf;
    s.inf_neg = c_inf ? c[31] : prod_neg;
    return s;
  endfunction

  function automatic logic [7:0] exponent(input logic [7:0] field);
    return (field == '0) ? 8'd1 : field;
  endfunction

  // s1 to s2: exponents, signs, special operands; the significands are being multiplied.
  logic [31:0] c2_q;
  logic [5:0] gap2_q;      // distance of the exponents, at most 63
  logic c_high2_q;          // c has the higher exponent; conversions: shift left, no fraction
  logic [8:0] e2_q;
  logic neg2_q, sub2_q, over2_q;
  special_t spec2_q;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      logic [9:0] ep, gap;
      logic c_high, prod_zero;
      ep = IntPoint;
      if (c1_i.grp == GrpFma) ep = 10'(exponent(a_i[30:23])) + 10'(exponent(b_i[30:23])) - 10'd127;
      gap = ep - 10'(exponent(c_i[30:23]));  // -253..380
      c_high = gap >= 10'd512;
      // A zero product has no exponent: c alone decides.
      prod_zero = c1_i.grp == GrpFma && (a_i[30:0] == '0 || b_i[30:0] == '0);
      if (prod_zero) c_high = 1'b1;
      unique case (c1_i.grp)
        GrpFma, GrpF2i, GrpFrnd: begin
          c2_q <= c_i;
          c_high2_q <= c_high;
          if (c_high) begin
            e2_q <= 9'(exponent(c_i[30:23]));
            gap2_q <= (prod_zero || gap <= 10'd961) ? 6'd63 : 6'(10'd0 - gap);
          end else begin
            e2_q <= ep[8:0];
            gap2_q <= (gap >= 10'd63) ? 6'd63 : gap[5:0];
          end
          neg2_q <= (c1_i.grp == GrpFma && !c_high) ? a_i[31] ^ b_i[31] : c_i[31];
          sub2_q <= c1_i.grp == GrpFma && (a_i[31] ^ b_i[31] ^ c_i[31]);
          if (c1_i.grp == GrpFma) begin
            spec2_q <= special(a_i, b_i, c_i);
          end else begin
            spec2_q <= '0;
            spec2_q.nan <= c_i[30:0] > 31'h7f80_0000;
          end
          over2_q <= c_i[30:23] >= ((c1_i.wide ? 8'd190 : 8'd158) + 8'(!c1_i.sgn));
        end
        GrpI2f: begin
          c_high2_q <= 1'b0;
          e2_q <= IntToFrame[8:0];
          neg2_q <= neg_i;
          sub2_q <= 1'b0;
          spec2_q <= '0;
        end
        default: ;
      endcase
    end
  end

  // s2 to s3: sum of the partial products; alignment.
  logic [63:0] big3_q;
  logic [50:0] small3_q;
  logic [5:0] gap3_q;
  logic c_high3_q, neg3_q, sub3_q, over3_q;
  logic [8:0] e3_q;
  special_t spec3_q;

  always_ff @(posedge clk_i) begin
    if (en2_i && c2_i.grp >= GrpFma) begin
      logic [63:0] sum;
      logic [50:0] c_part, p_part, low;
      sum = parts2_i + {{13{cross2_i[34]}}, cross2_i, 16'd0} + 64'(neg2_i);
      c_part = {1'b0, c2_q[30:23] != '0, c2_q[22:0], 26'd0};
      p_part = {sum[47:0], 3'd0};
      // The higher one stays in place, the lower one is shifted.
      unique case (c2_i.grp)
        GrpFma: big3_q <= {1'b0, c_high2_q ? c_part : p_part, 12'd0};
        GrpI2f: big3_q <= sum;
        GrpF2i: big3_q <= {40'd0, c_part[49:26]};
        default: big3_q <= {32'd0, c2_q};
      endcase
      if (c2_i.grp != GrpI2f) begin
        low = (c_high2_q && c2_i.grp == GrpFma) ? p_part : c_part;
        small3_q <= low >> gap2_q;
        small3_q[0] <= 1'((low >> gap2_q) & 51'd1) |
                       ((low & ~({51{1'b1}} << gap2_q)) != '0);
      end
      gap3_q <= gap2_q;
      c_high3_q <= c_high2_q;
      e3_q <= e2_q;
      neg3_q <= neg2_q;
      sub3_q <= sub2_q;
      over3_q <= over2_q;
      spec3_q <= spec2_q;
    end
  end

  // s3 to s4: magnitude of the sum. Conversions to integer: integer part, lsb, guard, sticky; frnd:
  // {mask of the fraction bits, operand with these bits set}, so that one increment rounds it.
  logic [63:0] sum4_q;
  logic [8:0] e4_q;
  logic [5:0] left4_q;
  logic neg4_q, sub4_q, over4_q, lsb4_q, guard4_q, sticky4_q, less4_q;
  special_t spec4_q;

  always_ff @(posedge clk_i) begin
    if (en3_i && c3_i.grp >= GrpFma) begin
      logic [63:0] low, diff, back;
      logic [22:0] mask;
      low = {1'b0, small3_q, 12'd0};
      neg4_q <= neg3_q;
      left4_q <= '0;
      lsb4_q <= small3_q[26];
      guard4_q <= small3_q[25] && !c_high3_q;
      sticky4_q <= small3_q[24:0] != '0 && !c_high3_q;
      less4_q <= !c_high3_q && gap3_q >= 6'd24;
      unique case (c3_i.grp)
        GrpFma: begin
          if (sub3_q) begin
            diff = big3_q - low;
            back = low - big3_q;
            sum4_q <= diff[63] ? back : diff;
            neg4_q <= neg3_q ^ diff[63];
          end else begin
            sum4_q <= big3_q + low;
          end
        end
        GrpI2f: sum4_q <= big3_q;
        GrpF2i: begin
          sum4_q <= c_high3_q ? big3_q : {40'd0, small3_q[49:26]};
          left4_q <= c_high3_q ? gap3_q : 6'd0;
        end
        default: begin
          mask = c_high3_q ? 23'd0 : ~(23'h7f_ffff << gap3_q);
          sum4_q <= {9'd0, mask, big3_q[31:23], big3_q[22:0] | mask};
        end
      endcase
      e4_q <= e3_q;
      sub4_q <= sub3_q;
      over4_q <= over3_q;
      spec4_q <= spec3_q;
    end
  end

  // s4 to s5: normalise, not below exponent 1.
  logic [63:0] norm5_q;
  logic [9:0] e5_q;  // exponent field that goes with a significand below 1.0
  logic neg5_q, zero5_q, over5_q, lsb5_q, guard5_q, sticky5_q, less5_q;
  special_t spec5_q;

  always_ff @(posedge clk_i) begin
    if (en4_i && c4_i.grp >= GrpFma) begin
      logic [5:0] lead, shift;
      logic [9:0] limit;
      limit = 10'(e4_q) + 10'd1;
      lead = lead_zeros64(sum4_q);
      if (c4_i.grp == GrpFma || c4_i.grp == GrpI2f) begin
        shift = (10'(lead) > limit) ? limit[5:0] : lead;
      end else begin
        shift = left4_q;
      end
      norm5_q <= sum4_q << shift;
      e5_q <= limit - 10'(shift);
      zero5_q <= sum4_q == '0;
      neg5_q <= (sub4_q && sum4_q == '0) ? c4_i.rnd == RndDown : neg4_q;
      over5_q <= over4_q;
      lsb5_q <= lsb4_q;
      guard5_q <= guard4_q;
      sticky5_q <= sticky4_q;
      less5_q <= less4_q;
      spec5_q <= spec4_q;
    end
  end

  // s5: round and pack.
  function automatic logic [31:0] float_result(input logic [1:0] rnd, input logic ftz,
                                               input logic sat, input logic [63:0] norm,
                                               input logic [9:0] e, input logic neg,
                                               input logic zero, input special_t spec);
    logic [32:0] v;
    logic [31:0] r;
    logic inc, tiny_up;
    inc = round_up(rnd, neg, norm[40], norm[39], norm[38:0] != '0);
    v = {e, norm[62:40]} + {9'd0, norm[63], 23'd0} + 33'(inc);
    r = {neg, v[30:0]};
    if (v[32:23] >= 10'd255) begin
      // Overflow: infinity, or the largest number where the mode rounds towards zero.
      if (rnd == RndNearest || (rnd == RndDown && neg) || (rnd == RndUp && !neg)) begin
        r[30:0] = 31'h7f80_0000;
      end else begin
        r[30:0] = 31'h7f7f_ffff;
      end
    end
    if (ftz && !norm[63]) begin
      // Kept only if 24 bits with unbounded exponent round up to the least normal number.
      tiny_up = norm[62:39] == 24'hff_ffff &&
                round_up(rnd, neg, 1'b1, norm[38], norm[37:0] != '0);
      r[30:0] = tiny_up ? 31'h0080_0000 : 31'd0;
    end
    if (zero) r[30:0] = '0;
    if (spec.inf) r = {spec.inf_neg, 31'h7f80_0000};
    if (sat && (r[31] || r[30:0] > 31'h3f80_0000)) r = r[31] ? 32'd0 : 32'h3f80_0000;
    if (spec.nan) r = sat ? 32'd0 : 32'h7fff_ffff;
    return r;
  endfunction

  function automatic logic [31:0] int_result(input logic sgn, input logic wide,
                                             input logic step, input logic [63:0] mag,
                                             input logic neg, input logic inc, input logic over,
                                             input logic nan);
    logic [31:0] x;
    logic high, carry;
    high = wide && step;
    // -(mag + inc) = ~mag + !inc; only a zero low word of it carries into the high word.
    x = (high ? mag[63:32] : mag[31:0]) ^ {32{neg}};
    carry = neg ? !inc : inc;
    if (high) carry = neg && !inc && mag[31:0] == '0;
    if (nan) return {high, 31'd0};
    if (!sgn && neg) return '0;
    if (over) begin
      if (!sgn) return 32'hffff_ffff;
      return ((high || !wide) ? 32'h7fff_ffff : 32'hffff_ffff) ^ {32{neg}};
    end
    return x + 32'(carry);
  endfunction

  function automatic logic [31:0] integral_result(input logic [30:0] x, input logic [22:0] mask,
                                                  input logic neg, input logic inc,
                                                  input logic less, input logic nan);
    logic [30:0] v;
    v = (x + 31'(inc)) & {8'hff, ~mask};
    if (less) v = inc ? 31'h3f80_0000 : 31'd0;  // magnitude below one
    return nan ? 32'h7fff_ffff : {neg, v};
  endfunction

  logic inc5;
  always_comb begin
    inc5 = round_up(c5_i.rnd, neg5_q, lsb5_q, guard5_q, sticky5_q);
    unique case (c5_i.grp)
      GrpFma, GrpI2f:
        result5_o = float_result(c5_i.rnd, c5_i.ftz, c5_i.sat, norm5_q, e5_q,
                                 neg5_q, zero5_q, spec5_q);
      GrpF2i:
        result5_o = int_result(c5_i.sgn, c5_i.wide, c5_i.step, norm5_q, neg5_q, inc5,
                               over5_q, spec5_q.nan);
      GrpFrnd:
        result5_o = integral_result(norm5_q[30:0], norm5_q[54:32], neg5_q, inc5, less5_q,
                                    spec5_q.nan);
      default: result5_o = '0;
    endcase
  end
endmodule
