// One row of the tensor unit's engine (docs/microarchitecture.md 19.1, 19.2): the slices of an
// element of D come in one after the other, and the element goes out DotLatency cycles after its
// last slice. Stages, if the pipe moves: products; (with two slices of a block: they wait for the
// largest exponent of both;) alignment; sum; rounding. Sums are exact: their order does not matter.
module dot
  import wl_pkg::*;
  import config_pkg::*;
  import tensor_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        move_i,
  input  slice_ctl_t  ctl_i,                 // of the slice whose operands are here (stage 1)
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
  localparam logic signed [9:0] Lowest = 10'(ProfileF16F32Lowest);
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
  term_t               term [DotTerms];
  logic [DotTerms-1:0] some, nan, inf, used;
  logic                en1;
  assign en1 = ctl_i.valid && move_i;
  for (genvar k = 0; k < int'(DotTerms); k++) begin : gen_term
    localparam int unsigned Word32 = (k < int'(SliceWords)) ? k : 0;  // tf32 has half as many terms
    assign used[k] = ctl_i.kind.kind != KindTf32 || k < int'(SliceWords);
    dot_product u_product (
      .en_i(en1), .kind_i(ctl_i.kind), .a16_i(a_i[k/2][16*(k%2) +: 16]),
      .b16_i(b_i[k/2][16*(k%2) +: 16]), .a32_i(a_i[Word32]), .b32_i(b_i[Word32]),
      .a8_i(a_i[k/4][8*(k%4) +: 8]), .b8_i(b_i[k/4][8*(k%4) +: 8]),
      .term_o(term[k]), .some_o(some[k]), .nan_o(nan[k]), .inf_o(inf[k])
    );
  end
  // C as a term: significand of 24 bits.
  logic              c_neg, c_some, c_nan, c_inf;
  logic signed [9:0] c_exponent;
  logic [23:0]       c_value;
  always_comb begin
    logic [7:0] e, bias;
    {c_neg, c_some, c_nan, c_inf, c_exponent, c_value, e, bias} = 'x;
    if (en1) begin
      if (ctl_i.kind.half) begin
        e = {3'b0, c_i[14:10]};
        bias = 8'd15;
        c_neg = c_i[15];
        c_value = {e != '0, c_i[9:0], 13'h0};
        c_nan = c_i[14:10] == '1 && c_i[9:0] != '0;
        c_inf = c_i[14:10] == '1 && c_i[9:0] == '0;
      end else begin
        e = c_i[30:23];
        bias = 8'd127;
        c_neg = c_i[31];
        c_value = {e != '0, c_i[22:0]};
        c_nan = e == '1 && c_i[22:0] != '0;
        c_inf = e == '1 && c_i[22:0] == '0;
      end
      e = {e[7:1], e[0] || e == '0};
      c_exponent = $signed(10'(e)) + bias_of(ctl_i.kind.kind) - $signed(10'(bias));
      c_some = c_value != '0;
    end
  end

  slice_ctl_t        s2_ctl_q;
  term_t             s2_term_q [DotTerms];
  logic [31:0]       s2_c_q;
  logic              s2_c_neg_q;
  logic [23:0]       s2_c_value_q;
  logic signed [9:0] s2_c_exponent_q;
  logic signed [9:0] s2_largest_q;       // of the element so far
  special_t          s2_special_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s2_ctl_q.valid <= 1'b0;
    end else if (move_i) begin
      s2_ctl_q.valid <= ctl_i.valid;
    end
    if (en1) begin
      logic signed [9:0] largest;
      special_t          special;
      s2_ctl_q.first <= ctl_i.first;
      s2_ctl_q.last <= ctl_i.last;
      s2_ctl_q.kind <= ctl_i.kind;
      s2_c_q <= c_i;
      if (is_float(ctl_i.kind.kind)) begin
        largest = s2_largest_q;
        special = s2_special_q;
        if (ctl_i.first) begin
          largest = Lowest + bias_of(ctl_i.kind.kind);
          if (c_some && c_exponent > largest) largest = c_exponent;
          special = '{nan: c_nan, pos: c_inf && !c_neg, neg: c_inf && c_neg};
        end
        for (int unsigned k = 0; k < DotTerms; k++) begin
          if (used[k]) begin
            if (some[k] && term[k].exponent > largest) largest = term[k].exponent;
            special.nan |= nan[k];
            special.pos |= inf[k] && !term[k].neg;
            special.neg |= inf[k] && term[k].neg;
          end
        end
        s2_largest_q <= largest;
        s2_special_q <= special;
        s2_c_neg_q <= c_neg;
        s2_c_value_q <= c_value;
        s2_c_exponent_q <= c_exponent;
      end
      for (int unsigned k = 0; k < DotTerms; k++) begin
        s2_term_q[k] <= term[k];
        if (!used[k]) s2_term_q[k].value <= '0;
      end
    end
  end

  // ---- The wait for the exponents of a second slice. A slice that is not the last of its element
  // takes the largest exponent as it is known then, the last one a stage later.
  slice_ctl_t        w_ctl;
  term_t             w_term [DotTerms];
  logic [31:0]       w_c;
  logic              w_c_neg;
  logic [23:0]       w_c_value;
  logic signed [9:0] w_c_exponent, w_largest;
  special_t          w_special;
  if (Wait == 0) begin : gen_at_once
    assign w_ctl = s2_ctl_q;
    assign w_term = s2_term_q;
    assign w_c = s2_c_q;
    assign {w_c_neg, w_c_value, w_c_exponent} = {s2_c_neg_q, s2_c_value_q, s2_c_exponent_q};
    assign {w_largest, w_special} = {s2_largest_q, s2_special_q};
  end else begin : gen_wait
    slice_ctl_t        ctl_q;
    term_t             term_q [DotTerms];
    logic [31:0]       c_q;
    logic              c_neg_q;
    logic [23:0]       c_value_q;
    logic signed [9:0] c_exponent_q, largest_q;
    special_t          special_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) ctl_q.valid <= 1'b0;
      else if (move_i) ctl_q.valid <= s2_ctl_q.valid;
      if (move_i && s2_ctl_q.valid) begin
        ctl_q.first <= s2_ctl_q.first;
        ctl_q.last <= s2_ctl_q.last;
        ctl_q.kind <= s2_ctl_q.kind;
        term_q <= s2_term_q;
        c_q <= s2_c_q;
        {c_neg_q, c_value_q, c_exponent_q} <= {s2_c_neg_q, s2_c_value_q, s2_c_exponent_q};
        {largest_q, special_q} <= {s2_largest_q, s2_special_q};
      end
    end
    assign w_ctl = ctl_q;
    assign w_term = term_q;
    assign w_c = c_q;
    assign {w_c_neg, w_c_value, w_c_exponent} = {c_neg_q, c_value_q, c_exponent_q};
    assign w_largest = ctl_q.last ? largest_q : s2_largest_q;
    assign w_special = special_q;
  end

  // ---- Alignment: each term cut to Kept bits after the point of the largest exponent; of a negative
  // one the complement, and the sum adds the one that it lacks. C goes with the first slice.
  typedef logic signed [35:0] sum_t;
  typedef logic signed [27:0] aligned_t;
  logic              en3;
  slice_ctl_t        s3_ctl_q;
  aligned_t          s3_term_q [DotTerms];
  logic [DotTerms-1:0] s3_neg_q;
  sum_t              s3_c_q;
  logic signed [9:0] s3_largest_q;
  special_t          s3_special_q;
  assign en3 = w_ctl.valid && move_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) s3_ctl_q.valid <= 1'b0;
    else if (move_i) s3_ctl_q.valid <= w_ctl.valid;
    if (en3) begin
      logic [9:0]  shift;
      logic [27:0] cut;
      s3_ctl_q.first <= w_ctl.first;
      s3_ctl_q.last <= w_ctl.last;
      s3_ctl_q.kind <= w_ctl.kind;
      s3_largest_q <= w_largest;
      s3_special_q <= w_special;
      for (int unsigned k = 0; k < DotTerms; k++) begin
        cut = {{6{w_term[k].value[21]}}, w_term[k].value};
        if (is_float(w_ctl.kind.kind)) begin
          // A significand has 20 bits after its point. A zero is cut to zero by any amount.
          shift = 10'(w_largest - w_term[k].exponent);
          cut = (shift[9:5] != '0) ? '0 : (28'(w_term[k].value) << (Kept - 20)) >> shift[4:0];
        end
        s3_term_q[k] <= $signed(cut ^ {28{w_term[k].neg}});
        s3_neg_q[k] <= w_term[k].neg;
      end
      s3_c_q <= sum_t'($signed(w_c));
      if (is_float(w_ctl.kind.kind)) begin
        shift = 10'(w_largest - w_c_exponent);
        cut = (shift[9:5] != '0) ? '0 : (28'(w_c_value) << (Kept - 23)) >> shift[4:0];
        s3_c_q <= w_c_neg ? -sum_t'({8'h0, cut}) : sum_t'({8'h0, cut});
      end
    end
  end

  // ---- Sum: a tree, with a one of a negative term in each of its nodes.
  function automatic sum_t add(input sum_t a, input sum_t b, input logic carry);
    // verilator lint_off UNUSEDSIGNAL // the bit that makes the carry
    logic signed [36:0] r;
    // verilator lint_on UNUSEDSIGNAL
    r = $signed({a, 1'b1}) + $signed({b, carry});
    return r[36:1];
  endfunction
  logic              en4;
  // verilator lint_off UNUSEDSIGNAL // of a complete element
  slice_ctl_t        s4_ctl_q;
  // verilator lint_on UNUSEDSIGNAL
  sum_t              s4_sum_q;
  logic signed [9:0] s4_largest_q;
  special_t          s4_special_q;
  assign en4 = s3_ctl_q.valid && move_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) s4_ctl_q.valid <= 1'b0;
    else if (move_i) s4_ctl_q.valid <= s3_ctl_q.valid;
    if (en4) begin
      sum_t node [2*DotTerms];   // node i is the sum of nodes 2 i and 2 i + 1, and of a one
      for (int unsigned k = 0; k < DotTerms; k++) node[DotTerms+k] = sum_t'(s3_term_q[k]);
      for (int unsigned i = DotTerms - 1; i > 0; i--) begin
        node[i] = add(node[2*i], node[2*i+1], s3_neg_q[i]);
      end
      node[0] = s3_ctl_q.first ? s3_c_q : s4_sum_q;
      s4_sum_q <= add(node[1], node[0], s3_neg_q[0]);
      s4_ctl_q.first <= s3_ctl_q.first;
      s4_ctl_q.last <= s3_ctl_q.last;
      s4_ctl_q.kind <= s3_ctl_q.kind;
      s4_largest_q <= s3_largest_q;
      s4_special_q <= s3_special_q;
    end
  end

  // ---- Rounding.
  logic        en5, s5_valid_q;
  logic [31:0] rounded, s5_d_q;
  assign en5 = s4_ctl_q.valid && s4_ctl_q.last && move_i;
  dot_round u_round (
    .en_i(en5), .kind_i(s4_ctl_q.kind), .sum_i(s4_sum_q), .largest_i(s4_largest_q),
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
