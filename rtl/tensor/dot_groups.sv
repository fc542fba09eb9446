// Sums of KindMx4 of a row of the tensor unit's engine (docs/microarchitecture.md 26.11; option
// TensorScaled): a slice has two groups of 16 products of e2m1, and each group two scales. The stages
// are those of dot.sv, which also has the largest exponent and rounds: sums of the groups; their
// products with the scales; alignment; sum. What a stage has stays until the next one takes it.
module dot_groups
  import wl_pkg::*;
  import tensor_pkg::*;
  import dot_stage_pkg::*;
(
  input  logic             clk_i,
  input  logic             step_i,         // with all enables
  // Stage 1: a slice is here.
  input  logic             en1_i,
  input  logic [3:0][31:0] a_i,            // 32 elements, the first in bits 3:0
  input  logic [3:0][31:0] b_i,
  input  scales_t          scales_i,
  output exponent_t        largest_o,      // of the terms that have an exponent; 0: none has
  output logic             nan_o,
  // Products with the scales.
  input  logic             en2_i,
  // Alignment, with the largest exponent of all terms and C.
  input  logic             en3_i,
  input  exponent_t        largest_i,
  input  logic             c_neg_i,
  input  exponent_t        c_exponent_i,
  // verilator lint_off UNUSEDSIGNAL // of a float 26 bits
  input  addend_t          c_value_i,
  // verilator lint_on UNUSEDSIGNAL
  // Sum; C goes with the first slice.
  input  logic             en4_i,
  input  logic             first_i,
  // The sum as result_of (dot_pkg.sv) wants it: at most 32 bits, in units of 2^(unit - 25).
  input  logic             done_i,
  input  exponent_t        done_largest_i,
  output sum_t             sum_o,
  output logic             carry_o,
  output exponent_t        unit_o
);
  localparam int unsigned Kept = ProfileMxf4F32Kept;
  localparam int unsigned Below = Kept - 8;    // bits below those of a term
  localparam int unsigned Bits = 20 + Below;
  typedef logic signed [50:0] wide_t;

  // ---- Stage 1. Exponents are too high by 254 (bias_of).
  // verilator lint_off UNUSEDSIGNAL // what only this stage wants
  scaled_t group [2], s2_group_q [2];
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin
    group = '{default: 'x};
    largest_o = 'x;
    nan_o = 'x;
    if (en1_i) begin
      group[0] = group_of({a_i[1], a_i[0]}, {b_i[1], b_i[0]}, scales_i.e4m3, scales_i.a[0], scales_i.b[0]);
      group[1] = group_of({a_i[3], a_i[2]}, {b_i[3], b_i[2]}, scales_i.e4m3, scales_i.a[1], scales_i.b[1]);
      largest_o = group[0].some ? group[0].exponent : '0;
      if (group[1].some && group[1].exponent > largest_o) largest_o = group[1].exponent;
      nan_o = group[0].nan || group[1].nan;
    end
  end
  always_ff @(posedge clk_i) if (step_i) begin
    if (en1_i) s2_group_q <= group;
  end

  // ---- Terms: significands in 2^-8.
  logic [1:0]  w_neg_q, s3_neg_q;
  logic [1:0][19:0] w_value_q;
  exponent_t [1:0]  w_exponent_q;
  always_ff @(posedge clk_i) if (step_i) begin
    if (en2_i) begin
      for (int unsigned g = 0; g < 2; g++) begin
        logic [11:0] size;
        w_neg_q[g] <= s2_group_q[g].sum[12];
        size = s2_group_q[g].sum[12] ? -s2_group_q[g].sum[11:0] : s2_group_q[g].sum[11:0];
        w_value_q[g] <= 20'(size) * 20'(s2_group_q[g].scale);
        w_exponent_q[g] <= s2_group_q[g].exponent;
      end
    end
  end

  // ---- Alignment: a term that is not zero is at least 2^-8, so one whose exponent is farther below the
  // largest than its bits reach is cut to zero.
  logic [1:0][Bits-1:0] s3_value_q;
  logic [Bits-1:0]      s3_c_q;
  logic                 s3_c_neg_q;
  always_ff @(posedge clk_i) if (step_i) begin
    if (en3_i) begin
      exponent_t down;
      s3_neg_q <= w_neg_q;
      for (int unsigned g = 0; g < 2; g++) begin
        down = largest_i - w_exponent_q[g];
        s3_value_q[g] <= (w_value_q[g] == '0 || down[8:6] != '0) ? '0 :
                         {w_value_q[g], {Below{1'b0}}} >> down[5:0];
      end
      down = largest_i - c_exponent_i;
      s3_c_neg_q <= c_neg_i;
      s3_c_q <= (down[8:6] != '0) ? '0 : Bits'({c_value_i[25:0], {Kept-25{1'b0}}}) >> down[5:0];
    end
  end

  // ---- Sum.
  wide_t s4_sum_q;
  function automatic wide_t signed_of(input logic neg, input logic [Bits-1:0] x);
    return neg ? -wide_t'({4'b0, x}) : wide_t'({4'b0, x});
  endfunction
  always_ff @(posedge clk_i) if (step_i) begin
    if (en4_i) begin
      s4_sum_q <= (first_i ? signed_of(s3_c_neg_q, s3_c_q) : s4_sum_q) +
                  signed_of(s3_neg_q[0], s3_value_q[0]) + signed_of(s3_neg_q[1], s3_value_q[1]);
    end
  end

  // ---- To 32 bits: what is cut off lies below the 24 bits of a normal result, or below the last bit of
  // a subnormal one.
  always_comb begin
    logic        neg;
    logic [49:0] size;
    logic [31:0] x;
    {neg, size, x} = 'x;
    {sum_o, carry_o, unit_o} = 'x;
    if (done_i) begin
      neg = s4_sum_q < 0;
      size = neg ? -s4_sum_q[49:0] : s4_sum_q[49:0];
      if (size[49:40] != '0 || done_largest_i <= 9'(254 - 131)) begin
        x = size[48:17];
        unit_o = (done_largest_i > 9'(511 - 7)) ? 9'd511 : done_largest_i + 9'd7;
      end else if (size[39:32] != '0) begin
        x = size[39:8];
        unit_o = done_largest_i - 9'd2;
      end else begin
        x = size[31:0];
        unit_o = done_largest_i - 9'd10;
      end
      // Of a negative one the complement, and a carry.
      carry_o = neg;
      sum_o = {7'd0, x} ^ {39{neg}};
    end
  end
endmodule
