// One physical lane of the fixed pipe for forms that are not slow (docs/microarchitecture.md 6.2):
// operand preparation in X1, the registers s1, the integer, multiplier and binary32 parts, and the
// result registers up to s6, LatFixed = 6 cycles after X1. Slow forms: slow_lane, one in every
// lane if WithSlow, else outside; its result joins at s6. f32 add, mul, fma and integer to f32:
// fp32_lane if WithFp, else that of another lane, of which the result likewise joins at s6. Stage k
// works only if its enable is set: an idle lane is quiet. Knows nothing of warps, registers and
// predicates by number.
module exec_lane
  import exec_pkg::*;
#(
  parameter bit WithSlow = 1'b0,
  parameter bit WithFp = 1'b1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // X1. Marked public and writable so that they stay variables of the lane and all lanes share one
  // piece of simulator code; rtl/CMakeLists.txt splits functions for the same reason.
  input  logic        en_i /*verilator public_flat_rw*/,
  input  logic [31:0] a_i /*verilator public_flat_rw*/,
  input  logic [31:0] b_i /*verilator public_flat_rw*/,
  input  logic [31:0] c_i /*verilator public_flat_rw*/,
  input  logic [31:0] link_i,     // value that passes through, else 0
  input  logic        ps_i /*verilator public_flat_rw*/,
  input  logic        pt_i /*verilator public_flat_rw*/,
  input  prep_t       prep_i,
  // Control of the operation in X1 and in stages s1 to s5, the same for all lanes.
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  logic [5:0]  slow_i,       // for slow_lane
  input  logic [31:0] sreg_i /*verilator public_flat_rw*/,
  input  logic        field_imm_i,
  input  logic [15:0] field_i,
  input  ctl_t        c0_i,
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  input  ctl_t        c4_i,
  input  ctl_t        c5_i,
  input  logic [31:0] slow5_i /*verilator public_flat_rw*/,  // without WithSlow: s5 of slow_lane
  input  logic [31:0] fp5_i /*verilator public_flat_rw*/,    // without WithFp: of fp32_lane
  // verilator lint_on UNUSEDSIGNAL
  output logic [31:0] fp5_o,        // s5: result of fp32_lane, 0 for other operations
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
  logic [4:0] amount1_q;
  logic flag1_q, t1_q, s1_q;
  logic far1;  // a shift by 32 or more
  // Kinds of f32 operands; only comparisons and fma look at them.
  // verilator lint_off UNUSEDSIGNAL // those of infinities: only with fma
  logic a_top1_q, b_top1_q, a_zero1_q, b_zero1_q, a_nan1_q, b_nan1_q;
  // verilator lint_on UNUSEDSIGNAL

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      logic take_a, take_b, inv_a, inv_b, a_sub, b_sub;
      logic [4:0] n;
      logic [31:0] a, b, c, keep_a, keep_b;
      // verilator lint_off UNUSEDSIGNAL // only with fma
      logic c_sub;
      logic [31:0] keep_c;
      // verilator lint_on UNUSEDSIGNAL
      // ftz: a subnormal becomes a zero of its sign.
      a_sub = prep_i.ftz && a_i[30:23] == '0;
      b_sub = prep_i.ftz && b_i[30:23] == '0;
      c_sub = prep_i.ftz && c_i[30:23] == '0;
      take_a = prep_i.selp ? ps_i : prep_i.a;
      take_b = prep_i.selp ? !ps_i : prep_i.b;
      inv_a = prep_i.inv_a || (prep_i.abs && a_i[31]);
      inv_b = prep_i.inv_b || (prep_i.sar && a_i[31]);
      // Which bits of the operands count. The link is zero where a subnormal is flushed.
      keep_a = {{9{take_a}}, {23{take_a && !a_sub}}};
      keep_b = {{9{take_b}}, {23{take_b && !b_sub}}};
      a = ((a_i & keep_a) | (link_i & ~keep_a)) ^ {32{inv_a}};
      b = (b_i & keep_b) ^ {32{inv_b}};
      c = c_i;
      if (WithFp) begin
        keep_b = {{9{prep_i.c_is_b}}, {23{prep_i.c_is_b && !b_sub}}};
        keep_c = {{9{prep_i.c_is_c}}, {23{prep_i.c_is_c && !c_sub}}};
        c = (b_i & keep_b) | (c_i & keep_c);
        a[31] ^= prep_i.neg_a;
        b |= One & {32{prep_i.one}};
        c[31] ^= prep_i.neg_b || prep_i.neg_c;
        if (prep_i.sign) c[31] = a_i[31] ^ prep_i.neg_a ^ b_i[31];
      end
      a1_q <= a;
      b1_q <= b;
      c1_q <= c;
      if (prep_i.fp) begin
        logic a_frac, b_frac;
        a_frac = a_i[22:0] != '0;
        b_frac = b_i[22:0] != '0;
        a_top1_q <= a_i[30:23] == '1;
        b_top1_q <= b_i[30:23] == '1 && prep_i.b;
        a_zero1_q <= a_i[30:23] == '0 && (!a_frac || prep_i.ftz);
        b_zero1_q <= b_i[30:23] == '0 && (!b_frac || prep_i.ftz) && prep_i.b;
        a_nan1_q <= a_i[30:23] == '1 && a_frac;
        b_nan1_q <= b_i[30:23] == '1 && b_frac && prep_i.b;
      end
      flag1_q <= prep_i.carry ? ps_i : inv_a || inv_b;
      n = prep_i.c_is_b ? b_i[4:0] : c_i[4:0];
      amount1_q <= prep_i.left ? -n : n;
      s1_q <= ps_i;
      t1_q <= prep_i.a ? pt_i : link_i[0];
    end
  end

  // Only shift amounts and f32 addends are taken from b.
  if (WithFp) begin : gen_far
    assign far1 = c1_q[31:5] != '0;
  end else begin : gen_far_b
    logic far1_q;
    always_ff @(posedge clk_i) begin
      if (en_i) far1_q <= prep_i.c_is_b ? b_i[31:5] != '0 : c_i[31:5] != '0;
    end
    assign far1 = far1_q;
  end

  logic [31:0] int3, mul4;
  logic p3, q3;
  // verilator lint_off UNUSEDSIGNAL // only with fma
  logic [47:0] product2;
  // verilator lint_on UNUSEDSIGNAL

  int_lane u_int (
    .clk_i, .en1_i(en1_q), .en2_i(en2_q), .c1_i, .c2_i,
    .a_i(a1_q), .b_i(b1_q), .c_i(c1_q), .carry_i(flag1_q), .amount_i(amount1_q), .far_i(far1),
    .a_nan_i(a_nan1_q), .b_nan_i(b_nan1_q), .zeros_i(a_zero1_q && b_zero1_q),
    .t_i(t1_q), .s_i(s1_q),
    .r3_o(int3), .p3_o(p3), .q3_o(q3)
  );

  mul_lane #(.WithFp(WithFp)) u_mul (
    .clk_i, .en1_i(en1_q), .en2_i(en2_q), .en3_i(en3_q), .c1_i, .c2_i, .c3_i,
    .a_i(a1_q), .b_i(b1_q), .add3_i(int3),
    .product2_o(product2), .r4_o(mul4)
  );

  // Results of the integer part and the multiplier wait in s5; those of the others join at s6.
  logic [31:0] r5_q;
  logic p4_q, q4_q, p5_q, q5_q, p6_q, q6_q;
  always_ff @(posedge clk_i) begin
    if (en3_q) begin
      p4_q <= p3;
      q4_q <= q3;
    end
    if (en4_q) begin
      r5_q <= (c4_i.grp < GrpFma) ? mul4 : '0;
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

  logic [31:0] slow5;
  if (WithSlow) begin : gen_slow
    slow_lane u_slow (
      .clk_i, .rst_ni, .slow_i, .a_i, .b_i, .c_i, .sreg_i, .field_imm_i, .field_i,
      .c0_i, .c1_i, .c2_i, .c3_i, .c4_i, .r5_o(slow5)
    );
  end else begin : gen_outside
    assign slow5 = slow5_i;
  end

  if (WithFp) begin : gen_fp
    fp32_lane u_fp (
      .clk_i, .en1_i(en1_q), .en2_i(en2_q), .en3_i(en3_q), .en4_i(en4_q), .en5_i(en5_q),
      .c1_i, .c2_i, .c3_i, .c4_i, .c5_i, .a_i(a1_q), .b_i(b1_q), .c_i(c1_q),
      .a_top_i(a_top1_q), .b_top_i(b_top1_q), .a_zero_i(a_zero1_q), .b_zero_i(b_zero1_q),
      .nan_i(a_nan1_q || b_nan1_q), .product2_i(product2), .other5_i(r5_q), .slow5_i(slow5),
      .r5_o(fp5_o), .r6_o(data_o)
    );
  end else begin : gen_fp_outside
    logic [31:0] r6_q;
    always_ff @(posedge clk_i) begin
      if (en5_q) r6_q <= r5_q | slow5 | fp5_i;
    end
    assign data_o = r6_q;
    assign fp5_o = '0;
  end
endmodule
