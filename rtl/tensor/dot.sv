// One row of the tensor unit's engine (docs/microarchitecture.md 19.1, 19.2): the slices of an
// element of D come in one after the other, and the element goes out DotLatency cycles after its
// last slice. Stages, if the pipe moves: products; (with two slices of a block: they wait for the
// largest exponent of both;) alignment; sum; rounding. Sums are exact: their order does not matter.
`include "cells/assert.svh"

module dot
  import wl_pkg::*;
  import config_pkg::*;
  import tensor_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        move_i,
  input  slice_ctl_t  ctl_i,                 // of the slice whose operands are here (stage 1)
  input  logic        part_i,                // with NarrowHalves: high bytes of small elements
  input  logic [31:0] a_i [SliceWords],
  input  logic [31:0] b_i [SliceWords],
  input  logic [31:0] c_i,
  output logic        valid_o,               // an element is complete
  output logic [31:0] d_o
);
  /*verilator no_inline_module*/
  // A block of 16-bit elements takes so many slices; products wait for the last one's exponents.
  localparam int unsigned BlockSlices = 16 / DotTerms;
  localparam int unsigned Wait = BlockSlices - 1;
  localparam int unsigned Extra = 2 - BlockSlices;   // stages that only pass the result on
  localparam int unsigned Kept = ProfileF16F32Kept;
  localparam int Lowest = ProfileF16F32Lowest;
  if (BlockSlices > 2 || BlockSlices == 0) begin : gen_terms
    $error("a block of 16 products takes one slice or two");
  end
  if (DotLatency != 6) begin : gen_latency
    $error("the pipe has six stages");
  end
  if (ProfileF16F16Kept != Kept || ProfileBf16F32Kept != Kept || ProfileTf32F32Kept != Kept ||
      ProfileF16F16Lowest != ProfileF16F32Lowest || ProfileBf16F32Lowest != ProfileF16F32Lowest ||
      ProfileTf32F32Lowest != ProfileF16F32Lowest || ProfileF16F32Nearest ||
      !ProfileF16F16Nearest || ProfileBf16F32Nearest || ProfileTf32F32Nearest ||
      ProfileF16F32Block != 16 || ProfileF16F16Block != 16 || ProfileBf16F32Block != 16 ||
      ProfileTf32F32Block != 8) begin : gen_profiles
    $error("one pipe for all profiles: they differ in format and rounding of the result only");
  end

  typedef struct packed {
    logic nan;
    logic pos;  // infinities
    logic neg;
  } special_t;

  // ---- Stage 1: products, and the largest exponent.
  slice_ctl_t          s2_ctl_q;
  term_t               s2_term_q [DotTerms];
  logic                s2_c_neg_q, s2_c_ext_q;
  addend_t             s2_c_value_q;
  exponent_t           s2_c_exponent_q;
  exponent_t           s2_largest_q;       // of the element so far
  special_t            s2_special_q;
  term_t               term [DotTerms];
  logic [DotTerms-1:0] some, nan, inf, used;
  logic                en1;
  assign en1 = ctl_i.valid && move_i;
  for (genvar k = 0; k < int'(DotTerms); k++) begin : gen_term
    localparam int unsigned Word32 = (k < int'(SliceWords)) ? k : 0;  // tf32 has half as many terms
    assign used[k] = ctl_i.kind.kind != KindTf32 || k < int'(SliceWords);
    dot_product #(.Tf32(k < int'(SliceWords)), .Halves(NarrowHalves)) u_product (
      .en_i(en1), .kind_i(ctl_i.kind), .part_i, .a16_i(a_i[k/2][16*(k%2) +: 16]),
      .b16_i(b_i[k/2][16*(k%2) +: 16]), .a32_i(a_i[Word32]), .b32_i(b_i[Word32]),
      .a8_i(a_i[k/4][8*(k%4) +: 8]), .b8_i(b_i[k/4][8*(k%4) +: 8]),
      .term_o(term[k]), .some_o(some[k]), .nan_o(nan[k]), .inf_o(inf[k])
    );
  end
  logic      c_neg, c_ext, c_some, c_nan, c_inf;
  exponent_t c_exponent;
  addend_t   c_value;
  dot_addend u_addend (
    .en_i(en1), .kind_i(ctl_i.kind), .c_i, .neg_o(c_neg), .ext_o(c_ext), .exponent_o(c_exponent),
    .value_o(c_value), .some_o(c_some), .nan_o(c_nan), .inf_o(c_inf)
  );
  // The largest exponent of this slice's terms, at least the lowest (a zero has none).
  exponent_t largest;
  always_comb begin
    exponent_t node [2*DotTerms];   // node i is the larger one of nodes 2 i and 2 i + 1
    node = '{default: 'x};
    largest = 'x;
    if (en1) begin
      for (int unsigned k = 0; k < DotTerms; k++) begin
        node[DotTerms+k] = (some[k] && used[k]) ? term[k].exponent : '0;
      end
      for (int unsigned i = DotTerms - 1; i > 0; i--) begin
        node[i] = (node[2*i] > node[2*i+1]) ? node[2*i] : node[2*i+1];
      end
      node[0] = s2_largest_q;
      if (ctl_i.first) begin
        node[0] = 9'(Lowest + int'(bias_of(ctl_i.kind.kind)));
        if (c_some && c_exponent > node[0]) node[0] = c_exponent;
      end
      largest = (node[1] > node[0]) ? node[1] : node[0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) s2_ctl_q.valid <= 1'b0;
    else if (move_i) s2_ctl_q.valid <= ctl_i.valid;
    if (en1) begin
      special_t special;
      special = s2_special_q;
      if (ctl_i.first) special = '{nan: c_nan, pos: c_inf && !c_neg, neg: c_inf && c_neg};
      for (int unsigned k = 0; k < DotTerms; k++) begin
        special.nan |= nan[k] && used[k];
        special.pos |= inf[k] && used[k] && !term[k].neg;
        special.neg |= inf[k] && used[k] && term[k].neg;
      end
      {s2_ctl_q.first, s2_ctl_q.last, s2_ctl_q.kind} <= {ctl_i.first, ctl_i.last, ctl_i.kind};
      s2_special_q <= special;
      {s2_c_neg_q, s2_c_ext_q} <= {c_neg, c_ext};
      s2_c_value_q <= c_value;
      s2_c_exponent_q <= c_exponent;
      s2_largest_q <= largest;
      for (int unsigned k = 0; k < DotTerms; k++) begin
        s2_term_q[k] <= term[k];
        if (!used[k]) s2_term_q[k].value <= '0;
      end
      if (!is_float(ctl_i.kind.kind)) begin  // integers stay where they are
        s2_largest_q <= '0;
        for (int unsigned k = 0; k < DotTerms; k++) s2_term_q[k].exponent <= '0;
      end
    end
  end

  // ---- The wait for the exponents of a second slice. A slice that is not the last of its element
  // takes the largest exponent as it is known then, the last one a stage later.
  slice_ctl_t w_ctl;
  term_t      w_term [DotTerms];
  logic       w_c_neg, w_c_ext;
  addend_t    w_c_value;
  exponent_t  w_c_exponent, w_largest;
  special_t   w_special;
  if (Wait == 0) begin : gen_at_once
    assign w_ctl = s2_ctl_q;
    assign w_term = s2_term_q;
    assign {w_c_neg, w_c_ext, w_c_value, w_c_exponent} =
           {s2_c_neg_q, s2_c_ext_q, s2_c_value_q, s2_c_exponent_q};
    assign {w_largest, w_special} = {s2_largest_q, s2_special_q};
  end else begin : gen_wait
    slice_ctl_t ctl_q;
    term_t      term_q [DotTerms];
    logic       c_neg_q, c_ext_q;
    addend_t    c_value_q;
    exponent_t  c_exponent_q, largest_q;
    special_t   special_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) ctl_q.valid <= 1'b0;
      else if (move_i) ctl_q.valid <= s2_ctl_q.valid;
      if (move_i && s2_ctl_q.valid) begin
        {ctl_q.first, ctl_q.last, ctl_q.kind} <= {s2_ctl_q.first, s2_ctl_q.last, s2_ctl_q.kind};
        term_q <= s2_term_q;
        {c_neg_q, c_ext_q, c_value_q, c_exponent_q} <=
          {s2_c_neg_q, s2_c_ext_q, s2_c_value_q, s2_c_exponent_q};
        {largest_q, special_q} <= {s2_largest_q, s2_special_q};
      end
    end
    assign w_ctl = ctl_q;
    assign w_term = term_q;
    assign {w_c_neg, w_c_ext, w_c_value, w_c_exponent} =
           {c_neg_q, c_ext_q, c_value_q, c_exponent_q};
    assign w_largest = ctl_q.last ? largest_q : s2_largest_q;
    assign w_special = special_q;
  end

  // ---- Alignment: each term cut to Kept bits after the point of the largest exponent; of a
  // negative one the complement, and the sum adds the one that it lacks. C goes with the first
  // slice.
  logic                en3;
  slice_ctl_t          s3_ctl_q;
  logic [26:0]         s3_value [DotTerms];
  logic [DotTerms-1:0] s3_neg_q, s3_ext_q;
  addend_t             s3_c_value;
  logic                s3_c_neg_q, s3_c_ext_q;
  exponent_t           s3_largest_q;
  special_t            s3_special_q;
  assign en3 = w_ctl.valid && move_i;
  exponent_t           shift [DotTerms], c_shift;
  always_comb begin
    shift = '{default: 'x};
    c_shift = 'x;
    if (en3) begin                                   // a zero is cut to zero by any amount
      for (int unsigned k = 0; k < DotTerms; k++) shift[k] = w_largest - w_term[k].exponent;
      c_shift = w_largest - w_c_exponent;
    end
  end
  for (genvar k = 0; k < int'(DotTerms); k++) begin : gen_align
    // verilator lint_off UNUSEDSIGNAL
    logic      lost;  // cut toward zero
    // verilator lint_on UNUSEDSIGNAL
    shift_right #(.In(27), .Out(27), .Bits(5)) u_shift (
      .clk_i, .en_i(en3), .zero_i(shift[k][8:5] != '0), .amount_i(shift[k][4:0]),
      .x_i({w_term[k].value, 5'd0}),                 // a significand has 20 bits after its point
      .y_o(s3_value[k]), .lost_o(lost)
    );
    `WL_ASSERT(TermBelow, !w_ctl.valid || w_term[k].value == '0 || w_term[k].exponent <= w_largest)
  end
  // verilator lint_off UNUSEDSIGNAL
  logic      c_lost;
  // verilator lint_on UNUSEDSIGNAL
  shift_right #(.In(37), .Out(37), .Bits(5)) u_shift_c (
    .clk_i, .en_i(en3), .zero_i(c_shift[8:5] != '0), .amount_i(c_shift[4:0]),
    .x_i(w_c_value), .y_o(s3_c_value), .lost_o(c_lost)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) s3_ctl_q.valid <= 1'b0;
    else if (move_i) s3_ctl_q.valid <= w_ctl.valid;
    if (en3) begin
      {s3_ctl_q.first, s3_ctl_q.last, s3_ctl_q.kind} <= {w_ctl.first, w_ctl.last, w_ctl.kind};
      s3_largest_q <= w_largest;
      s3_special_q <= w_special;
      for (int unsigned k = 0; k < DotTerms; k++) begin
        s3_neg_q[k] <= w_term[k].neg;
        s3_ext_q[k] <= !is_float(w_ctl.kind.kind) && w_term[k].value[21];
      end
      {s3_c_neg_q, s3_c_ext_q} <= {w_c_neg, w_c_ext};
    end
  end

  // ---- Sum: a tree, with a one of a negative term in each of its nodes. The one of a negative C
  // is added as the result is rounded.
  function automatic sum_t add(input sum_t a, input sum_t b, input logic carry);
    // verilator lint_off UNUSEDSIGNAL // the bit that makes the carry
    logic signed [39:0] r;
    // verilator lint_on UNUSEDSIGNAL
    r = $signed({a, 1'b1}) + $signed({b, carry});
    return r[39:1];
  endfunction
  logic              en4;
  // verilator lint_off UNUSEDSIGNAL // of a complete element
  slice_ctl_t        s4_ctl_q;
  // verilator lint_on UNUSEDSIGNAL
  sum_t              s4_sum_q;
  logic              s4_carry_q;
  exponent_t         s4_largest_q;
  special_t          s4_special_q;
  assign en4 = s3_ctl_q.valid && move_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) s4_ctl_q.valid <= 1'b0;
    else if (move_i) s4_ctl_q.valid <= s3_ctl_q.valid;
    if (en4) begin
      sum_t node [2*DotTerms];   // node i is the sum of nodes 2 i and 2 i + 1, and of a one
      for (int unsigned k = 0; k < DotTerms; k++) begin
        node[DotTerms+k] = sum_t'($signed({s3_ext_q[k] ^ s3_neg_q[k],
                                           s3_value[k] ^ {27{s3_neg_q[k]}}}));
      end
      for (int unsigned i = DotTerms - 1; i > 0; i--) begin
        node[i] = add(node[2*i], node[2*i+1], s3_neg_q[i]);
      end
      node[0] = s4_sum_q;
      if (s3_ctl_q.first) begin
        node[0] = sum_t'($signed({s3_c_ext_q ^ s3_c_neg_q, s3_c_value ^ {37{s3_c_neg_q}}}));
        s4_carry_q <= s3_c_neg_q;
      end
      s4_sum_q <= add(node[1], node[0], s3_neg_q[0]);
      {s4_ctl_q.last, s4_ctl_q.kind} <= {s3_ctl_q.last, s3_ctl_q.kind};
      s4_largest_q <= s3_largest_q;
      s4_special_q <= s3_special_q;
    end
  end

  `WL_ASSERT(FirstAfterLast, !ctl_i.valid || !s2_ctl_q.valid || ctl_i.first == s2_ctl_q.last)
  `WL_ASSERT(SlicesTogether, !s2_ctl_q.valid || s2_ctl_q.last || ctl_i.valid)
  `WL_ASSERT(AddendBelow, !(w_ctl.valid && w_ctl.first) || w_c_value == '0 ||
                          w_c_exponent <= w_largest)
  `WL_ASSERT(SumFits, !s4_ctl_q.valid || !is_float(s4_ctl_q.kind.kind) ||
                      s4_sum_q[38:32] == {7{s4_sum_q[38]}})

  // ---- Rounding.
  logic        en5, s5_valid_q;
  logic [31:0] rounded, s5_d_q;
  assign en5 = s4_ctl_q.valid && s4_ctl_q.last && move_i;
  dot_round u_round (
    .en_i(en5), .kind_i(s4_ctl_q.kind), .sum_i(s4_sum_q), .carry_i(s4_carry_q),
    .largest_i(s4_largest_q),
    .nan_i(s4_special_q.nan), .pos_inf_i(s4_special_q.pos), .neg_inf_i(s4_special_q.neg),
    .d_o(rounded)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) s5_valid_q <= 1'b0;
    else if (move_i) s5_valid_q <= s4_ctl_q.valid && s4_ctl_q.last;
    if (en5) s5_d_q <= rounded;
  end
  if (Extra == 0) begin : gen_out
    assign {valid_o, d_o} = {s5_valid_q, s5_d_q};
  end else begin : gen_out
    logic        valid_q;
    logic [31:0] d_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (move_i) valid_q <= s5_valid_q;
      if (move_i && s5_valid_q) d_q <= s5_d_q;
    end
    assign {valid_o, d_o} = {valid_q, d_q};
  end
endmodule
