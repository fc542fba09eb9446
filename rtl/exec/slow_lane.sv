// One lane of the slow unit (docs/microarchitecture.md 6.1, 6.4): bfe, bfi, prmt, bit counts,
// special registers, conversions between f32 and integers, rounding to an integral value. The
// operand in X1, its result in s5, where the lanes of the part take it; 0 for other operations.
//
// One 64-bit value is rotated left: to integer by the exponent (a fraction then lies in the top 24
// bits), from integer by its leading zeros, fields by their position. No functions here, for the
// reason given in int_lane.
module slow_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic [5:0]  slow_i,    // bit k: stage k holds a slow form, bit 0: X1
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
  input  ctl_t        c4_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [31:0] r5_o
);
`ifdef SYNTHESIS
  localparam bit Always = 1'b1;  // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif
  localparam logic [8:0] IntPoint = 9'd150;  // exponent of a 24-bit significand that is an integer

  logic [31:0] a1_q, b1_q, c1_q;
  logic [7:0] pos1_q, len1_q;
  logic [63:0] value2_q;
  logic [31:0] other2_q;  // bfi: base; prmt, popc, brev, special register: result; frnd: operand
  logic [5:0] amount2_q, low2_q, high2_q;
  logic neg2_q, frac2_q, less2_q, half2_q, over2_q, nan2_q;
  logic [63:0] value3_q;
  logic [31:0] other3_q, mask3_q;
  logic [5:0] amount3_q;
  logic neg3_q, zero3_q, frac3_q, less3_q, half3_q, over3_q, nan3_q;
  logic [63:0] turned4_q;
  logic [31:0] other4_q, mask4_q;
  logic [5:0] lead4_q;
  logic neg4_q, zero4_q, frac4_q, less4_q, half4_q, over4_q, nan4_q;
  logic [31:0] r5_q;

  always_ff @(posedge clk_i) begin
    if (slow_i != '0 || Always) begin
      r5_q <= '0;
      // X1. Position and length of a field: pos, len.
      if (slow_i[0]) begin
        a1_q <= (c0_i.grp == GrpSreg) ? sreg_i : a_i;
        if (c0_i.ftz && a_i[30:23] == '0 && (c0_i.grp == GrpF2i || c0_i.grp == GrpFrnd)) begin
          a1_q[22:0] <= '0;
        end
        b1_q <= b_i;
        c1_q <= c_i;
        if (field_imm_i) {len1_q, pos1_q} <= field_i;
        else if (c0_i.insert) {len1_q, pos1_q} <= c_i[15:0];
        else {len1_q, pos1_q} <= {c_i[7:0], b_i[7:0]};
      end

      // s1 to s2: the value, the amount; bits low .. high - 1: the field, or those below the point.
      if (slow_i[1]) begin
        logic [31:0] x;
        logic [8:0] gap, last;
        logic top;
        logic [5:0] n;
        // Distance of the binary point from the lowest bit of the significand.
        gap = IntPoint - 9'({a1_q[30:24], a1_q[23] || a1_q[30:24] == '0});
        top = a1_q[30:23] == 8'hff;
        n = (pos1_q[7:5] != '0) ? 6'd32 : {1'b0, pos1_q[4:0]};
        last = 9'(len1_q) + (c1_i.insert ? 9'(pos1_q) : 9'd0);
        neg2_q <= a1_q[31];
        frac2_q <= !gap[8] && gap != '0;
        less2_q <= !gap[8] && gap >= 9'd24;
        half2_q <= gap == 9'd24;
        over2_q <= a1_q[30:23] >= ((c1_i.wide ? 8'd190 : 8'd158) + 8'(!c1_i.sgn));
        nan2_q <= top && a1_q[22:0] != '0;
        amount2_q <= -gap[5:0];
        low2_q <= '0;
        high2_q <= '0;
        other2_q <= '0;
        value2_q <= {40'd0, a1_q[30:23] != '0, a1_q[22:0]};
        unique case (c1_i.grp)
          GrpField: begin
            value2_q <= {{32{a1_q[31] && c1_i.sgn}}, a1_q};
            amount2_q <= c1_i.insert ? n : -n;
            low2_q <= c1_i.insert ? n : 6'd0;
            high2_q <= (last[8:5] != '0) ? 6'd32 : {1'b0, last[4:0]};
            if (c1_i.insert) other2_q <= b1_q;
          end
          GrpPrmt: begin
            for (int unsigned i = 0; i < 4; i++) begin
              logic [31:0] w;
              logic [15:0] h;
              logic [7:0] y;
              w = c1_q[4*i+2] ? b1_q : a1_q;
              h = c1_q[4*i+1] ? w[31:16] : w[15:0];
              y = c1_q[4*i] ? h[15:8] : h[7:0];
              other2_q[8*i+:8] <= c1_q[4*i+3] ? {8{y[7]}} : y;
            end
          end
          GrpCount: begin
            value2_q <= {32'd0, a1_q ^ {32{c1_i.sgn && a1_q[31]}}};
            if (c1_i.op == CntPopc) begin
              x = (a1_q & 32'h5555_5555) + ((a1_q >> 1) & 32'h5555_5555);
              x = (x & 32'h3333_3333) + ((x >> 2) & 32'h3333_3333);
              x = (x + (x >> 4)) & 32'h0f0f_0f0f;
              other2_q <= 32'(6'(x[4:0] + x[12:8]) + 6'(x[20:16] + x[28:24]));
            end
            if (c1_i.op == CntBrev) begin
              for (int unsigned i = 0; i < 32; i++) other2_q[i] <= a1_q[31-i];
            end
          end
          GrpSreg: other2_q <= a1_q;
          GrpI2f: begin
            logic neg;
            neg = c1_i.sgn && (c1_i.wide ? b1_q[31] : a1_q[31]);
            value2_q <= ({c1_i.wide ? b1_q : {32{neg}}, a1_q} ^ {64{neg}}) + 64'(neg);
            neg2_q <= neg;
          end
          GrpFrnd: begin
            if (!gap[8] && gap < 9'd24) high2_q <= gap[5:0];
            other2_q <= a1_q;
          end
          default: ;
        endcase
      end

      // s2 to s3: leading zeros; the mask.
      if (slow_i[2]) begin
        logic [5:0] lead;
        logic [31:0] y32;
        logic [15:0] y16;
        logic [7:0] y8;
        logic [3:0] y4;
        logic zero;
        lead[5] = value2_q[63:32] == '0;
        y32 = lead[5] ? value2_q[31:0] : value2_q[63:32];
        lead[4] = y32[31:16] == '0;
        y16 = lead[4] ? y32[15:0] : y32[31:16];
        lead[3] = y16[15:8] == '0;
        y8 = lead[3] ? y16[7:0] : y16[15:8];
        lead[2] = y8[7:4] == '0;
        y4 = lead[2] ? y8[3:0] : y8[7:4];
        lead[1] = y4[3:2] == '0;
        lead[0] = lead[1] ? !y4[1] : !y4[3];
        zero = lead == '1 && !y4[0];
        value3_q <= value2_q;
        amount3_q <= (c2_i.grp == GrpI2f) ? lead : amount2_q;
        mask3_q <= (high2_q[5] ? 32'hffff_ffff : ~(32'hffff_ffff << high2_q[4:0])) &
                   (low2_q[5] ? 32'd0 : 32'hffff_ffff << low2_q[4:0]);
        other3_q <= other2_q;
        // Zeros of the low word: 32 more precede it.
        if (c2_i.grp == GrpCount && c2_i.op == CntClz) begin
          other3_q <= {26'd0, zero, lead[4:0] & {5{!zero}}};
        end
        if (c2_i.grp == GrpCount && c2_i.op == CntBfind) begin
          other3_q <= zero ? 32'hffff_ffff : {27'd0, ~lead[4:0]};
        end
        neg3_q <= neg2_q;
        zero3_q <= zero;
        frac3_q <= frac2_q;
        less3_q <= less2_q;
        half3_q <= half2_q;
        over3_q <= over2_q;
        nan3_q <= nan2_q;
      end

      // s3 to s4: rotate.
      if (slow_i[3]) begin
        logic [63:0] t;
        t = value3_q;
        if (amount3_q[5]) t = {t[31:0], t[63:32]};
        if (amount3_q[4]) t = {t[47:0], t[63:48]};
        if (amount3_q[3]) t = {t[55:0], t[63:56]};
        if (amount3_q[2]) t = {t[59:0], t[63:60]};
        if (amount3_q[1]) t = {t[61:0], t[63:62]};
        if (amount3_q[0]) t = {t[62:0], t[63]};
        turned4_q <= t;
        lead4_q <= amount3_q;
        other4_q <= other3_q;
        mask4_q <= mask3_q;
        neg4_q <= neg3_q;
        zero4_q <= zero3_q;
        frac4_q <= frac3_q;
        less4_q <= less3_q;
        half4_q <= half3_q;
        over4_q <= over3_q;
        nan4_q <= nan3_q;
      end

      // s4 to s5: round with one adder for all, or merge the field.
      if (slow_i[4]) begin
        logic lsb, guard, sticky, away, inc, carry, fill, high, is_frac;
        logic [31:0] x, v, r;
        high = c4_i.wide && c4_i.step;
        // The fraction of a value to be made integral is in the top bits; of one below a half it is
        // not zero, if the value is not.
        is_frac = c4_i.grp != GrpI2f;
        lsb = is_frac ? turned4_q[0] && !less4_q : turned4_q[40];
        if (is_frac) begin
          guard = frac4_q && turned4_q[63] && (!less4_q || half4_q);
          sticky = frac4_q && (turned4_q[62:40] != '0 || (less4_q && !half4_q && !zero4_q));
        end else begin
          guard = turned4_q[39];
          sticky = turned4_q[38:0] != '0;
        end
        away = c4_i.rnd != RndZero && ((c4_i.rnd == RndDown) ? neg4_q : !neg4_q);
        if (c4_i.rnd == RndNearest) inc = guard && (sticky || lsb);
        else inc = away && (guard || sticky);
        carry = inc;
        unique case (c4_i.grp)
          GrpI2f: x = {1'b0, 8'd190 - 8'(lead4_q), turned4_q[62:40]};
          GrpF2i: begin
            // -(mag + inc) = ~mag + !inc; only a zero low word of it carries into the high word.
            if (high) x = turned4_q[63:32] & {32{!frac4_q}};
            else x = turned4_q[31:0] & {32{!less4_q}};
            x = x ^ {32{neg4_q}};
            carry = inc ^ neg4_q;
            if (high) carry = neg4_q && !inc && (less4_q || turned4_q[31:0] == '0);
          end
          default: x = {1'b0, other4_q[30:23], other4_q[22:0] | mask4_q[22:0]};
        endcase
        v = x + 32'(carry);
        unique case (c4_i.grp)
          GrpI2f: r = zero4_q ? '0 : {neg4_q, v[30:0]};
          GrpF2i: begin
            r = v;
            if (over4_q) begin
              if (!c4_i.sgn) r = 32'hffff_ffff;
              else r = ((high || !c4_i.wide) ? 32'h7fff_ffff : 32'hffff_ffff) ^ {32{neg4_q}};
            end
            if (!c4_i.sgn && neg4_q) r = '0;
            if (nan4_q) r = {high, 31'd0};
          end
          GrpFrnd: begin
            r = {neg4_q, v[30:23], v[22:0] & ~mask4_q[22:0]};
            if (less4_q) r[30:0] = inc ? 31'h3f80_0000 : 31'd0;
            if (nan4_q) r = 32'h7fff_ffff;
          end
          default: begin
            // Outside the field its sign or the base; all others have an empty field.
            fill = c4_i.sgn && c4_i.grp == GrpField &&
                   (turned4_q[31:0] & mask4_q & ~(mask4_q >> 1)) != '0;
            r = (turned4_q[31:0] & mask4_q) | ((other4_q | {32{fill}}) & ~mask4_q);
          end
        endcase
        r5_q <= r;
      end
    end
  end
  assign r5_o = r5_q;
endmodule
