// Integer lane (docs/microarchitecture.md 6.4, exec/int): stages s1 to s3 of ALU operations and of
// f32 min, max, setp, whose comparison is the integer one. Operands come prepared from exec_lane
// (inverted, swapped, flushed, shift amounts). Multiplication and rounding are done elsewhere.
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
  input  logic [5:0]  amount_i,  // right shift of {b, a}, 0..32
  input  logic [5:0]  low_i,     // bfe, bfi: field is bits low .. high - 1, both 0..32
  input  logic [5:0]  high_i,
  input  logic        t_i,       // predicate t, or truth of a released barrier
  input  logic        s_i,
  output logic [31:0] r3_o,
  output logic        p3_o,
  output logic        q3_o
);
  logic [31:0] r2_q, base2_q, mask2_q, r3_q;
  logic t2_q, s2_q, over2_q, p3_q, q3_q;
  logic lo_carry_q, lo_eq_q;  // of step 0, for step 1 of the same beat

  // Stage s1 to s2.
  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      t2_q <= t_i;
      s2_q <= s_i;
      over2_q <= 1'b0;
      mask2_q <= '1;
      unique case (c1_i.grp)
        GrpSel, GrpPlop: r2_q <= a_i;
        GrpAdd: begin
          logic [32:0] sum;
          sum = {1'b0, a_i} + {1'b0, b_i} +
                33'((c1_i.wide && c1_i.step) ? lo_carry_q : carry_i);
          r2_q <= sum[31:0];
          over2_q <= c1_i.sat && (a_i[31] == b_i[31]) && (sum[31] != a_i[31]);
          lo_carry_q <= sum[32];
        end
        GrpCmp: begin
          logic ltu, same, both_zero, less, eq, lt, a_nan, b_nan;
          ltu = a_i < b_i;
          same = a_i == b_i;
          // Signed: the negative one is less. f32: two negative ones the other way round.
          less = ltu;
          if ((c1_i.sgn || c1_i.fp) && a_i[31] != b_i[31]) less = a_i[31];
          else if (c1_i.fp && a_i[31]) less = !ltu && !same;
          a_nan = c1_i.fp && a_i[30:23] == 8'hff && a_i[22:0] != '0;
          b_nan = c1_i.fp && b_i[30:23] == 8'hff && b_i[22:0] != '0;
          if (c1_i.op == CmpSetp) begin
            // Zeros of either sign are equal here; min and max order them.
            both_zero = c1_i.fp && (a_i[30:0] | b_i[30:0]) == '0;
            eq = same || both_zero;
            lt = less && !both_zero;
            if (c1_i.wide && c1_i.step) begin
              lt = less || (same && lo_carry_q);
              eq = same && lo_eq_q;
            end
            lo_carry_q <= ltu;
            lo_eq_q <= same;
            t2_q <= (a_nan || b_nan) ? c1_i.cmp[3] : eq ? c1_i.cmp[1] :
                    lt ? c1_i.cmp[0] : c1_i.cmp[2];
          end else begin
            if ((a_nan && b_nan) || (c1_i.nan && (a_nan || b_nan))) r2_q <= 32'h7fff_ffff;
            else r2_q <= (b_nan || (!a_nan && less == (c1_i.op == CmpMin))) ? a_i : b_i;
          end
        end
        GrpLop: begin
          logic [31:0] f00, f01, f10, f11;
          f00 = ({32{c1_i.lut[0]}} & ~c_i) | ({32{c1_i.lut[1]}} & c_i);
          f01 = ({32{c1_i.lut[2]}} & ~c_i) | ({32{c1_i.lut[3]}} & c_i);
          f10 = ({32{c1_i.lut[4]}} & ~c_i) | ({32{c1_i.lut[5]}} & c_i);
          f11 = ({32{c1_i.lut[6]}} & ~c_i) | ({32{c1_i.lut[7]}} & c_i);
          r2_q <= (((f00 & ~b_i) | (f01 & b_i)) & ~a_i) | (((f10 & ~b_i) | (f11 & b_i)) & a_i);
        end
        GrpShift: begin
          logic [38:0] coarse;
          coarse = 39'({b_i[30:0], a_i} >> {amount_i[4:3], 3'd0});
          r2_q <= amount_i[5] ? b_i : 32'(coarse >> amount_i[2:0]);
          if (c1_i.op == ShExtract || c1_i.op == ShInsert) begin
            base2_q <= (c1_i.op == ShInsert) ? c_i : '0;
            mask2_q <= (high_i[5] ? 32'hffff_ffff : ~(32'hffff_ffff << high_i[4:0])) &
                       (low_i[5] ? 32'd0 : 32'hffff_ffff << low_i[4:0]);
          end
        end
        GrpPrmt: begin
          for (int unsigned i = 0; i < 4; i++) begin
            logic [31:0] w;
            logic [15:0] h;
            logic [7:0] x;
            w = c_i[4*i+2] ? b_i : a_i;
            h = c_i[4*i+1] ? w[31:16] : w[15:0];
            x = c_i[4*i] ? h[15:8] : h[7:0];
            r2_q[8*i+:8] <= c_i[4*i+3] ? {8{x[7]}} : x;
          end
        end
        GrpCount: begin
          logic [31:0] x, y;
          logic [4:0] lead;  // leading zeros as a binary tree
          logic [15:0] y16;
          logic [7:0] y8;
          // verilator lint_off UNUSEDSIGNAL // the lowest bit decides nothing
          logic [3:0] y4;
          // verilator lint_on UNUSEDSIGNAL
          unique case (c1_i.op)
            CntPopc: begin
              x = (a_i & 32'h5555_5555) + ((a_i >> 1) & 32'h5555_5555);
              x = (x & 32'h3333_3333) + ((x >> 2) & 32'h3333_3333);
              x = (x + (x >> 4)) & 32'h0f0f_0f0f;
              r2_q <= 32'(6'(x[4:0] + x[12:8]) + 6'(x[20:16] + x[28:24]));
            end
            CntBrev: begin
              for (int unsigned i = 0; i < 32; i++) x[i] = a_i[31-i];
              r2_q <= x;
            end
            default: begin
              y = a_i ^ {32{c1_i.sgn && a_i[31]}};
              lead[4] = y[31:16] == '0;
              y16 = lead[4] ? y[15:0] : y[31:16];
              lead[3] = y16[15:8] == '0;
              y8 = lead[3] ? y16[7:0] : y16[15:8];
              lead[2] = y8[7:4] == '0;
              y4 = lead[2] ? y8[3:0] : y8[7:4];
              lead[1] = y4[3:2] == '0;
              lead[0] = lead[1] ? !y4[1] : !y4[3];
              if (c1_i.op == CntClz) r2_q <= (lead == 5'd31 && !y[0]) ? 32'd32 : 32'(lead);
              else r2_q <= (lead == 5'd31 && !y[0]) ? 32'hffff_ffff : {27'd0, ~lead};
            end
          endcase
        end
        default: ;
      endcase
    end
  end

  // Stage s2 to s3.
  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      logic fill;
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
      // bfe, bfi: outside the field its sign or the base; all others have a full mask.
      fill = c2_i.sgn && (r2_q & mask2_q & ~(mask2_q >> 1)) != '0;
      r3_q <= (r2_q & mask2_q) | ((base2_q | {32{fill}}) & ~mask2_q);
      if (over2_q) r3_q <= {~r2_q[31], {31{r2_q[31]}}};
    end
  end

  assign r3_o = r3_q;
  assign p3_o = p3_q;
  assign q3_o = q3_q;
endmodule
