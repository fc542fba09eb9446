// One row of the tensor unit's engine (docs/microarchitecture.md 19.1, 19.2): the slices of an
// element of D come in one after the other, and the element goes out DotLatency cycles after its
// last slice. Stages, if the pipe moves: products; (with two slices of a block: they wait for the
// largest exponent of both;) alignment; sum; rounding. Sums are exact: their order does not matter.
// A block of more slices comes twice: the first time for its largest exponent only.
`include "cells/assert.svh"

module dot
  import wl_pkg::*;
  import config_pkg::*;
  import tensor_pkg::*;
  import dot_pkg::*;
  import dot_stage_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        move_i,                // the pipe moves, and has a slice
  input  slice_ctl_t  ctl_i,                 // of the slice whose operands are here (stage 1)
  input  logic        part_i,                // with NarrowHalves: high bytes of small elements
  // verilator lint_off UNUSEDSIGNAL // without Umma
  input  small_t      small_a_i,             // formats of KindF8
  input  small_t      small_b_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [3:0]  scale_i,               // of the addend's exponent: subtracted (25.7)
  // verilator lint_off UNUSEDSIGNAL // without TensorScaled
  input  scales_t     scales_i,              // of KindF8 and KindMx4
  // verilator lint_on UNUSEDSIGNAL
  input  slice_words_t a_i,
  input  slice_words_t b_i,
  input  logic [31:0] c_i,
  output logic        valid_o,               // an element is complete
  output logic [31:0] d_o
);
  /*verilator no_inline_module*/
  // A block of 16-bit elements takes so many slices, one of KindF8 two at least; products wait for
  // the last one's exponents.
  localparam int unsigned BlockSlices = 16 / DotTerms;
  localparam int unsigned Wait = (BlockSlices == 2 || Umma != 0) ? 1 : 0;
  localparam int unsigned Extra = 1 - Wait;          // stages that only pass the result on
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
      ProfileTf32F32Block != 8 || ProfileF8f6f4F32Block != 32 || ProfileF8f6f4F16Block != 32 ||
      ProfileF8f6f4F32Kept != Kept || ProfileF8f6f4F16Kept != Kept || ProfileF8f6f4F32Nearest ||
      !ProfileF8f6f4F16Nearest || ProfileF8f6f4F32Lowest != Lowest ||
      ProfileF8f6f4F16Lowest != Lowest || ProfileMxf8f6f4F32Block != 32 ||
      ProfileMxf8f6f4F32Kept != Kept || ProfileMxf8f6f4F32Lowest != Lowest ||
      ProfileMxf8f6f4F32Nearest) begin : gen_profiles
    $error("one pipe for all profiles: they differ in format and rounding of the result only");
  end

  // ---- Stage 1: products, and the largest exponent, at least the lowest (a zero has none).
  slice_ctl_t           s2_ctl_q;
  term_t [DotTerms-1:0] s2_term_q;
  logic                 s2_c_neg_q, s2_c_ext_q;
  addend_t              s2_c_value_q;
  exponent_t            s2_c_exponent_q;
  exponent_t            s2_largest_q;       // of the element so far
  special_t             s2_special_q;
  logic                 en1;
  // Of KindMx4, which dot_groups.sv sums: no terms here.
  exponent_t            groups_largest, groups_unit;
  logic                 groups_nan, groups_carry;
  sum_t                 groups_sum;
  // Tested once for all stages: without a slice in the pipe move_i is 0.
  logic                 step;
  assign step = move_i || !rst_ni;
  assign en1 = ctl_i.valid && move_i;
  always_ff @(posedge clk_i) if (step) begin
    if (!rst_ni) s2_ctl_q.valid <= 1'b0;
    else if (move_i) s2_ctl_q.valid <= ctl_i.valid;
    if (en1) begin
      special_t             special;
      exponent_t            least, largest;     // before the slice; of its products
      products_t            products;
      addend_of_t           c;
      // verilator lint_off UNUSEDSIGNAL // without TensorScaled
      more_t                up;
      // verilator lint_on UNUSEDSIGNAL
      c = addend_of(ctl_i.kind, c_i);
      c.exponent = c.exponent - 9'(scale_i);  // at least 32 before, if it is not an integer
      least = s2_largest_q;
      special = s2_special_q;
      if (ctl_i.first) begin
        least = 9'((is_grouped(ctl_i.kind.kind) ? ProfileMxf4F32Lowest : Lowest) +
                     int'(bias_of(ctl_i.kind.kind)));
        if (c.some && c.exponent > least) least = c.exponent;
        special = '{nan: c.nan, pos: c.inf && !c.neg, neg: c.inf && c.neg};
      end
      if (is_grouped(ctl_i.kind.kind)) begin
        largest = groups_largest;
        special.nan |= groups_nan;
      end else begin
        up = '0;
        if (TensorScaled != 0 && is_small(ctl_i.kind.kind)) begin
          up = more_of(scales_i.a[0], scales_i.b[0]);
          special.nan |= scales_i.a[0] == '1 || scales_i.b[0] == '1;
        end
        products = products_of(ctl_i.kind, part_i, small_a_i, small_b_i, a_i, b_i, up);
        largest = products.largest;
        special = special | products.special;
        s2_term_q <= products.term;
      end
      s2_largest_q <= (largest > least) ? largest : least;
      if (!is_float(ctl_i.kind.kind)) s2_largest_q <= '0;
      {s2_ctl_q.first, s2_ctl_q.last, s2_ctl_q.adds, s2_ctl_q.kind} <=
          {ctl_i.first, ctl_i.last, ctl_i.adds, ctl_i.kind};
      s2_special_q <= special;
      {s2_c_neg_q, s2_c_ext_q} <= {c.neg, c.ext};
      s2_c_value_q <= c.value;
      s2_c_exponent_q <= c.exponent;
    end
  end

  // ---- The wait for the exponents of a second slice. A slice that is not the last of its element
  // takes the largest exponent as it is known then, the last one a stage later.
  slice_ctl_t w_ctl;
  term_t [DotTerms-1:0] w_term;
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
    term_t [DotTerms-1:0] term_q;
    logic       c_neg_q, c_ext_q;
    addend_t    c_value_q;
    exponent_t  c_exponent_q, largest_q;
    special_t   special_q;
    always_ff @(posedge clk_i) if (step) begin
      if (!rst_ni) ctl_q.valid <= 1'b0;
      else if (move_i) ctl_q.valid <= s2_ctl_q.valid;
      if (move_i && s2_ctl_q.valid) begin
        {ctl_q.first, ctl_q.last, ctl_q.adds, ctl_q.kind} <=
            {s2_ctl_q.first, s2_ctl_q.last, s2_ctl_q.adds, s2_ctl_q.kind};
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
  // slice that is summed.
  logic                en3;
  slice_ctl_t          s3_ctl_q;
  values_t             s3_value;
  logic [DotTerms-1:0] s3_neg_q;
  addend_t             s3_c_value;
  logic                s3_c_neg_q, s3_c_ext_q;
  exponent_t           s3_largest_q;
  special_t            s3_special_q;
  assign en3 = w_ctl.valid && move_i;
  dot_align u_align (
    .clk_i, .en_i(en3 && !is_grouped(w_ctl.kind.kind)), .float_i(is_float(w_ctl.kind.kind)),
    .largest_i(w_largest), .term_i(w_term), .c_exponent_i(w_c_exponent), .c_value_i(w_c_value), .value_o(s3_value),
    .c_value_o(s3_c_value)
  );
  always_ff @(posedge clk_i) if (step) begin
    if (!rst_ni) s3_ctl_q.valid <= 1'b0;
    else if (move_i) s3_ctl_q.valid <= w_ctl.valid;
    if (en3) begin
      logic [DotTerms-1:0] neg;
      for (int unsigned k = 0; k < DotTerms; k++) neg[k] = w_term[k].neg;
      {s3_ctl_q.first, s3_ctl_q.last, s3_ctl_q.adds, s3_ctl_q.kind} <=
          {w_ctl.first, w_ctl.last, w_ctl.adds, w_ctl.kind};
      s3_largest_q <= w_largest;
      s3_special_q <= w_special;
      s3_neg_q <= neg;
      {s3_c_neg_q, s3_c_ext_q} <= {w_c_neg, w_c_ext};
    end
  end
  for (genvar k = 0; k < int'(DotTerms); k++) begin : gen_below
    `WL_ASSERT(TermBelow, !w_ctl.valid || is_grouped(w_ctl.kind.kind) || w_term[k].value == '0 ||
                          w_term[k].exponent <= w_largest)
  end

  // ---- Sum: a tree, with a one of a negative term in each of its nodes. The one of a negative C
  // is added as the result is rounded.
  logic              en4;
  // verilator lint_off UNUSEDSIGNAL // of a complete element
  slice_ctl_t        s4_ctl_q;
  // verilator lint_on UNUSEDSIGNAL
  sum_t              s4_sum_q;
  logic              s4_carry_q;
  exponent_t         s4_largest_q;
  special_t          s4_special_q;
  assign en4 = s3_ctl_q.valid && move_i;
  always_ff @(posedge clk_i) if (step) begin
    if (!rst_ni) s4_ctl_q.valid <= 1'b0;
    else if (move_i) s4_ctl_q.valid <= s3_ctl_q.valid;
    if (en4 && !is_grouped(s3_ctl_q.kind.kind)) begin
      sum_t sum;
      sum = s4_sum_q;
      if (Twice ? s3_ctl_q.adds : s3_ctl_q.first) begin
        sum = sum_t'($signed({s3_c_ext_q ^ s3_c_neg_q, s3_c_value ^ {37{s3_c_neg_q}}}));
        s4_carry_q <= s3_c_neg_q;
      end
      s4_sum_q <= add(sum_of(s3_value, s3_neg_q), sum, s3_neg_q[0]);
    end
    if (en4) begin
      {s4_ctl_q.last, s4_ctl_q.kind} <= {s3_ctl_q.last, s3_ctl_q.kind};
      s4_largest_q <= s3_largest_q;
      s4_special_q <= s3_special_q;
    end
  end

  // ---- Groups of KindMx4: in the same stages.
  logic en5;
  assign en5 = s4_ctl_q.valid && s4_ctl_q.last && move_i;
  if (TensorScaled != 0) begin : gen_groups
    dot_groups u_groups (
      .clk_i, .step_i(step), .en1_i(en1 && is_grouped(ctl_i.kind.kind)), .a_i(a_i[3:0]), .b_i(b_i[3:0]), .scales_i,
      .largest_o(groups_largest), .nan_o(groups_nan),
      .en2_i(move_i && s2_ctl_q.valid && is_grouped(s2_ctl_q.kind.kind)),
      .en3_i(en3 && is_grouped(w_ctl.kind.kind)), .largest_i(w_largest), .c_neg_i(w_c_neg),
      .c_exponent_i(w_c_exponent), .c_value_i(w_c_value),
      .en4_i(en4 && is_grouped(s3_ctl_q.kind.kind)), .first_i(s3_ctl_q.first),
      .done_i(en5 && is_grouped(s4_ctl_q.kind.kind)), .done_largest_i(s4_largest_q),
      .sum_o(groups_sum), .carry_o(groups_carry), .unit_o(groups_unit)
    );
  end else begin : gen_no_groups
    assign {groups_largest, groups_nan, groups_sum, groups_carry, groups_unit} = '0;
  end

  `WL_ASSERT(FirstAfterLast, !ctl_i.valid || !s2_ctl_q.valid || ctl_i.first == s2_ctl_q.last)
  `WL_ASSERT(SlicesTogether, !s2_ctl_q.valid || s2_ctl_q.last || ctl_i.valid)
  `WL_ASSERT(AddendBelow, !(w_ctl.valid && (Twice ? w_ctl.adds : w_ctl.first)) || w_c_value == '0 ||
                          w_c_exponent <= w_largest)
  `WL_ASSERT(SumFits, !(s4_ctl_q.valid && s4_ctl_q.last) || !is_float(s4_ctl_q.kind.kind) ||
                      is_grouped(s4_ctl_q.kind.kind) ||
                      s4_sum_q[38:32] == {7{s4_sum_q[38]}})

  // ---- Rounding.
  logic        s5_valid_q;
  logic [31:0] s5_d_q;
  always_ff @(posedge clk_i) if (step) begin
    if (!rst_ni) s5_valid_q <= 1'b0;
    else if (move_i) s5_valid_q <= s4_ctl_q.valid && s4_ctl_q.last;
    if (en5) begin
      sum_t      sum;
      logic      carry;
      exponent_t largest;
      {sum, carry, largest} = {s4_sum_q, s4_carry_q, s4_largest_q};
      if (is_grouped(s4_ctl_q.kind.kind)) begin
        {sum, carry, largest} = {groups_sum, groups_carry, groups_unit};
      end
      s5_d_q <= result_of(s4_ctl_q.kind, sum, carry, largest, s4_special_q);
    end
  end
  if (Extra == 0) begin : gen_out
    assign {valid_o, d_o} = {s5_valid_q, s5_d_q};
  end else begin : gen_out
    logic        valid_q;
    logic [31:0] d_q;
    always_ff @(posedge clk_i) if (step) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (move_i) valid_q <= s5_valid_q;
      if (move_i && s5_valid_q) d_q <= s5_d_q;
    end
    assign {valid_o, d_o} = {valid_q, d_q};
  end
endmodule
