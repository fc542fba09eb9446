// One physical lane of the fixed pipe (docs/microarchitecture.md 6.2): operand preparation in X1,
// the registers s1, the integer, multiplier and binary32 parts, and the result registers up to s6,
// LatFixed = 6 cycles after X1. Stage k works only if its enable is set: an idle lane is quiet.
// Knows nothing of warps, registers and predicates by number.
module exec_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // X1. Marked public and writable so that they stay variables of the lane and all lanes share one
  // piece of simulator code; rtl/CMakeLists.txt splits functions for the same reason.
  input  logic        en_i /*verilator public_flat_rw*/,
  input  logic [31:0] a_i /*verilator public_flat_rw*/,
  input  logic [31:0] b_i /*verilator public_flat_rw*/,
  input  logic [31:0] c_i /*verilator public_flat_rw*/,
  input  logic [31:0] sreg_i /*verilator public_flat_rw*/,
  input  logic        ps_i /*verilator public_flat_rw*/,
  input  logic        pt_i /*verilator public_flat_rw*/,
  input  logic        field_imm_i,
  input  logic [15:0] field_i,
  // Control of the operation in X1 and in stages s1 to s5, the same for all lanes.
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  ctl_t        c0_i,
  // verilator lint_on UNUSEDSIGNAL
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  input  ctl_t        c4_i,
  input  ctl_t        c5_i,
  output logic [31:0] data_o,
  output logic        p_o,
  output logic        q_o
);
  /*verilator no_inline_module*/
  localparam logic [31:0] One = 32'h3f80_0000;

  // enk_q: stage sk holds an operation of this lane.
  logic en1_q, en2_q, en3_q, en4_q, en5_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {en1_q, en2_q, en3_q, en4_q, en5_q} <= '0;
    end else begin
      {en1_q, en2_q, en3_q, en4_q, en5_q} <= {en_i, en1_q, en2_q, en3_q, en4_q};
    end
  end

  logic [31:0] a1_q, b1_q, c1_q;
  logic [5:0] amount1_q, low1_q, high1_q;
  logic flag1_q, t1_q, s1_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      a1_q <= a_i;
      b1_q <= b_i;
      c1_q <= c_i;
      s1_q <= ps_i;
      t1_q <= pt_i;
      flag1_q <= 1'b0;
      unique case (c0_i.grp)
        GrpSel: begin
          t1_q <= sreg_i[0];
          unique case (c0_i.op)
            SelA:    a1_q <= a_i;
            SelB:    a1_q <= b_i;
            SelPred: a1_q <= ps_i ? a_i : b_i;
            default: a1_q <= sreg_i;
          endcase
        end
        GrpAdd: begin
          unique case (c0_i.op)
            AddSub: begin
              b1_q <= ~b_i;
              flag1_q <= 1'b1;
            end
            AddRsub: begin
              a1_q <= b_i;
              b1_q <= ~a_i;
              flag1_q <= 1'b1;
            end
            AddAbs: begin
              a1_q <= '0;
              b1_q <= a_i ^ {32{a_i[31]}};
              flag1_q <= a_i[31];
            end
            default: ;
          endcase
        end
        GrpCmp: begin
          // ftz: a subnormal becomes zero of its sign, here and below.
          if (c0_i.fp && c0_i.ftz && a_i[30:23] == '0) a1_q[22:0] <= '0;
          if (c0_i.fp && c0_i.ftz && b_i[30:23] == '0) b1_q[22:0] <= '0;
        end
        GrpShift: begin
          // All are right shifts of the pair {b1, a1} by 0..32; bfe, bfi then use a field.
          logic [7:0] pos, len;
          logic [31:0] by;
          logic [8:0] last;
          logic [5:0] n;
          if (field_imm_i) {len, pos} = field_i;
          else if (c0_i.op == ShInsert) {len, pos} = c_i[15:0];
          else {len, pos} = {c_i[7:0], b_i[7:0]};
          unique case (c0_i.op)
            ShLeft, ShRight: by = c0_i.wrap ? {27'd0, c_i[4:0]} : c_i;
            ShArith:         by = b_i;
            default:         by = 32'(pos);
          endcase
          n = (by[31:5] != '0) ? 6'd32 : {1'b0, by[4:0]};
          amount1_q <= (c0_i.op == ShLeft || c0_i.op == ShInsert) ? 6'd32 - n : n;
          if (c0_i.op == ShInsert) begin
            a1_q <= '0;
            b1_q <= a_i;
            c1_q <= b_i;
          end
          if (c0_i.op == ShArith || c0_i.op == ShExtract) begin
            b1_q <= {32{a_i[31] && (c0_i.op == ShArith || c0_i.sgn)}};
          end
          last = 9'(len) + ((c0_i.op == ShInsert) ? 9'(pos) : 9'd0);
          low1_q <= (c0_i.op == ShInsert) ? n : 6'd0;
          high1_q <= (last[8:5] != '0) ? 6'd32 : {1'b0, last[4:0]};
        end
        GrpFma: begin
          logic [31:0] x, y, z;
          x = a_i ^ {c0_i.neg_a, 31'd0};
          y = b_i ^ {c0_i.op == FmaAdd && c0_i.neg_b, 31'd0};
          z = c_i ^ {c0_i.neg_c, 31'd0};
          if (c0_i.ftz && x[30:23] == '0) x[22:0] = '0;
          if (c0_i.ftz && y[30:23] == '0) y[22:0] = '0;
          if (c0_i.ftz && z[30:23] == '0) z[22:0] = '0;
          // add: a * 1 + b; mul: a * b + zero of the product's sign.
          a1_q <= x;
          b1_q <= (c0_i.op == FmaAdd) ? One : y;
          unique case (c0_i.op)
            FmaAdd:  c1_q <= y;
            FmaMul:  c1_q <= {x[31] ^ y[31], 31'd0};
            default: c1_q <= z;
          endcase
        end
        GrpI2f: begin
          if (!c0_i.wide) b1_q <= {32{c0_i.sgn && a_i[31]}};
          flag1_q <= c0_i.sgn && (c0_i.wide ? b_i[31] : a_i[31]);
        end
        GrpF2i, GrpFrnd: begin
          c1_q <= a_i;
          if (c0_i.ftz && a_i[30:23] == '0) c1_q[22:0] <= '0;
        end
        default: ;
      endcase
    end
  end

  logic [31:0] int3, mul4, r5_q;
  logic p3, q3, neg2;
  logic [63:0] parts2;
  logic [34:0] cross2;

  int_lane u_int (
    .clk_i, .en1_i(en1_q), .en2_i(en2_q), .c1_i, .c2_i,
    .a_i(a1_q), .b_i(b1_q), .c_i(c1_q), .carry_i(flag1_q),
    .amount_i(amount1_q), .low_i(low1_q), .high_i(high1_q), .t_i(t1_q), .s_i(s1_q),
    .r3_o(int3), .p3_o(p3), .q3_o(q3)
  );

  mul_lane u_mul (
    .clk_i, .en1_i(en1_q), .en2_i(en2_q), .en3_i(en3_q), .c1_i, .c2_i, .c3_i,
    .a_i(a1_q), .b_i(b1_q), .c_i(c1_q), .neg_i(flag1_q),
    .parts2_o(parts2), .cross2_o(cross2), .neg2_o(neg2), .r4_o(mul4)
  );

  fp32_lane u_fp (
    .clk_i, .en1_i(en1_q), .en2_i(en2_q), .en3_i(en3_q), .en4_i(en4_q),
    .en5_i(en5_q), .c1_i, .c2_i, .c3_i, .c4_i, .c5_i,
    .a_i(a1_q), .b_i(b1_q), .c_i(c1_q), .neg_i(flag1_q),
    .parts2_i(parts2), .cross2_i(cross2), .neg2_i(neg2), .other5_i(r5_q), .r6_o(data_o)
  );

  // Results of the integer part wait in s4, s5; the multiplier's join in s5, the f32 ones in s6.
  logic [31:0] r4_q;
  logic p4_q, q4_q, p5_q, q5_q, p6_q, q6_q;
  always_ff @(posedge clk_i) begin
    if (en3_q) begin
      r4_q <= int3;
      p4_q <= p3;
      q4_q <= q3;
    end
    if (en4_q) begin
      r5_q <= (c4_i.grp == GrpMul) ? mul4 : r4_q;
      p5_q <= p4_q;
      q5_q <= q4_q;
    end
    if (en5_q) begin
      p6_q <= p5_q;
      q6_q <= q5_q;
    end
  end
  assign p_o = p6_q;
  assign q_o = q6_q;
endmodule
