// Integer lane (docs/microarchitecture.md 6.4, exec/int): stages s1 to s3 of ALU operations and of
// f32 min, max, setp, whose comparison is the integer one. Operands come prepared from exec_lane
// (inverted, swapped, flushed, shift amounts). Multiplication and rounding are done elsewhere.
module int_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        en1_i,
  input  logic        en2_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic        carry_i,   // carry into the adder of a first step
  input  logic [5:0]  amount_i,  // right shift of {b, a}, 0..32
  input  logic [7:0]  pos_i,     // bfi: field position
  input  logic [7:0]  len_i,     // bfe, bfi: field length
  input  logic        t_i,       // predicate t, or truth of a released barrier
  input  logic        s_i,
  output logic [31:0] r3_o,
  output logic        p3_o,
  output logic        q3_o
);
  logic [31:0] r2_q, base2_q, mask2_q, r3_q;
  logic t2_q, s2_q, flag2_q, p3_q, q3_q;
  logic lo_carry_q, lo_eq_q;  // of step 0, for step 1 of the same beat

  function automatic logic [31:0] lop3(input logic [7:0] lut, input logic [31:0] a,
                                       input logic [31:0] b, input logic [31:0] c);
    logic [31:0] f00, f01, f10, f11, f0, f1;
    f00 = ({32{lut[0]}} & ~c) | ({32{lut[1]}} & c);
    f01 = ({32{lut[2]}} & ~c) | ({32{lut[3]}} & c);
    f10 = ({32{lut[4]}} & ~c) | ({32{lut[5]}} & c);
    f11 = ({32{lut[6]}} & ~c) | ({32{lut[7]}} & c);
    f0 = (f00 & ~b) | (f01 & b);
    f1 = (f10 & ~b) | (f11 & b);
    return (f0 & ~a) | (f1 & a);
  endfunction

  function automatic logic [7:0] prmt_byte(input logic [31:0] a, input logic [31:0] b,
                                           input logic [3:0] sel);
    logic [31:0] w;
    logic [15:0] h;
    logic [7:0] x;
    w = sel[2] ? b : a;
    h = sel[1] ? w[31:16] : w[15:0];
    x = sel[0] ? h[15:8] : h[7:0];
    return sel[3] ? {8{x[7]}} : x;
  endfunction

  function automatic logic [5:0] popc(input logic [31:0] a);
    logic [31:0] x;
    x = (a & 32'h5555_5555) + ((a >> 1) & 32'h5555_5555);
    x = (x & 32'h3333_3333) + ((x >> 2) & 32'h3333_3333);
    x = (x + (x >> 4)) & 32'h0f0f_0f0f;
    x = x + (x >> 8);
    x = x + (x >> 16);
    return x[5:0];
  endfunction

  function automatic logic [31:0] brev(input logic [31:0] a);
    logic [31:0] x;
    x = {a[15:0], a[31:16]};
    x = ((x & 32'h00ff_00ff) << 8) | ((x >> 8) & 32'h00ff_00ff);
    x = ((x & 32'h0f0f_0f0f) << 4) | ((x >> 4) & 32'h0f0f_0f0f);
    x = ((x & 32'h3333_3333) << 2) | ((x >> 2) & 32'h3333_3333);
    return ((x & 32'h5555_5555) << 1) | ((x >> 1) & 32'h5555_5555);
  endfunction

  function automatic logic [31:0] count(input logic [2:0] op, input logic sgn,
                                        input logic [31:0] a);
    logic [31:0] x;
    logic [4:0] lead;
    if (op == CntPopc) return 32'(popc(a));
    if (op == CntBrev) return brev(a);
    x = a ^ {32{sgn && a[31]}};
    lead = lead_zeros32(x);
    if (op == CntClz) return (x == '0) ? 32'd32 : 32'(lead);
    return (x == '0) ? 32'hffff_ffff : 32'(5'd31 - lead);
  endfunction

  // Ones below bit n; all for n > 31.
  function automatic logic [31:0] below(input logic [8:0] n);
    return (n[8:5] != '0) ? 32'hffff_ffff : ~(32'hffff_ffff << n[4:0]);
  endfunction

  // Stage s1 to s2.
  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      t2_q <= t_i;
      s2_q <= s_i;
      unique case (c1_i.grp)
        GrpSel, GrpPlop: r2_q <= a_i;
        GrpAdd: begin
          logic [32:0] sum;
          sum = {1'b0, a_i} + {1'b0, b_i} +
                33'((c1_i.wide && c1_i.step) ? lo_carry_q : carry_i);
          r2_q <= sum[31:0];
          flag2_q <= (a_i[31] == b_i[31]) && (sum[31] != a_i[31]);
          lo_carry_q <= sum[32];
        end
        GrpCmp: begin
          logic ltu, same, eq, lt, a_nan, b_nan, a_wins;
          ltu = a_i < b_i;
          same = a_i == b_i;
          lt = ltu;
          eq = same;
          if ((c1_i.sgn || c1_i.fp) && a_i[31] != b_i[31]) lt = a_i[31];
          else if (c1_i.fp && a_i[31]) lt = !ltu && !same;
          a_nan = c1_i.fp && a_i[30:0] > 31'h7f80_0000;
          b_nan = c1_i.fp && b_i[30:0] > 31'h7f80_0000;
          if (c1_i.op == CmpSetp) begin
            // Zeros of either sign are equal; min and max order them.
            if (c1_i.fp && (a_i[30:0] | b_i[30:0]) == '0) begin
              eq = 1'b1;
              lt = 1'b0;
            end
            if (c1_i.wide && c1_i.step) begin
              lt = lt || (same && lo_carry_q);
              eq = same && lo_eq_q;
            end
            lo_carry_q <= ltu;
            lo_eq_q <= same;
            if (a_nan || b_nan) t2_q <= c1_i.cmp[3];
            else t2_q <= eq ? c1_i.cmp[1] : lt ? c1_i.cmp[0] : c1_i.cmp[2];
          end else begin
            a_wins = b_nan || (!a_nan && (lt == (c1_i.op == CmpMin)));
            if ((a_nan && b_nan) || (c1_i.nan && (a_nan || b_nan))) r2_q <= 32'h7fff_ffff;
            else r2_q <= a_wins ? a_i : b_i;
          end
        end
        GrpLop: r2_q <= lop3(c1_i.lut, a_i, b_i, c_i);
        GrpShift: begin
          r2_q <= 32'({b_i, a_i} >> amount_i);
          base2_q <= c_i;
          if (c1_i.op == ShInsert) begin
            mask2_q <= below(9'(pos_i) + 9'(len_i)) & ~below(9'(pos_i));
          end else begin
            mask2_q <= below(9'(len_i));
          end
        end
        GrpPrmt: begin
          r2_q <= {prmt_byte(a_i, b_i, c_i[15:12]), prmt_byte(a_i, b_i, c_i[11:8]),
                   prmt_byte(a_i, b_i, c_i[7:4]), prmt_byte(a_i, b_i, c_i[3:0])};
        end
        GrpCount: r2_q <= count(c1_i.op, c1_i.sgn, a_i);
        default: ;
      endcase
    end
  end

  function automatic logic bool_op(input logic [1:0] bop, input logic t, input logic s);
    unique case (bop)
      2'd0:    return t && s;
      2'd1:    return t || s;
      2'd2:    return t != s;
      default: return t;
    endcase
  endfunction

  // Stage s2 to s3.
  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      p3_q <= bool_op(c2_i.bop, t2_q, s2_q);
      q3_q <= bool_op(c2_i.bop, !t2_q, s2_q);
      r3_q <= r2_q;
      if (c2_i.grp == GrpAdd && c2_i.sat && flag2_q) begin
        r3_q <= r2_q[31] ? 32'h7fff_ffff : 32'h8000_0000;
      end
      if (c2_i.grp == GrpShift) begin
        logic sign;
        // Top bit of the field: the highest one of its mask.
        sign = c2_i.sgn && ((r2_q & mask2_q & ~(mask2_q >> 1)) != '0);
        if (c2_i.op == ShExtract) r3_q <= (r2_q & mask2_q) | ({32{sign}} & ~mask2_q);
        if (c2_i.op == ShInsert) r3_q <= (r2_q & mask2_q) | (base2_q & ~mask2_q);
      end
    end
  end

  assign r3_o = r3_q;
  assign p3_o = p3_q;
  assign q3_o = q3_q;
endmodule
