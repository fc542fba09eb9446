// A lane of the unit of 64-bit floating point (docs/microarchitecture.md 20.2): x * y + z, rounded
// once. Stage 1 of the pipe is the registers that hold x_i, y_i and z_i in the unit (fp64.sv),
// stages 2 to 8 are here. A stage takes a number when its bit of en_i is 1. Which lanes and cycles,
// the unit decides.
module fp64_lane
  import fp64_pkg::*;
(
  input  logic       clk_i,
  input  logic [8:2] en_i,      // a stage takes what the stage before it has
  input  fp64_kind_t kind_i,
  input  f64_t       x_i,
  input  f64_t       y_i,
  input  f64_t       z_i,
  output f64_t       d_o        // of stage 8
);
  // ---- 2: signs, significands and exponents; results that no sum gives.
  sig_t       s2_x_q, s2_y_q, s2_z_q;
  exp_t       s2_ex_q, s2_ey_q, s2_ez_q;
  logic       s2_p_neg_q, s2_z_neg_q, s2_special_q;
  logic [1:0] s2_rnd_q;
  f64_t       s2_value_q;
  always_ff @(posedge clk_i) begin
    if (en_i[2]) begin
      automatic logic p_neg, z_neg, p_inf, p_bad, z_inf;
      automatic f64_t z;
      p_neg = x_i[63] ^ y_i[63];
      z = kind_i.product ? {p_neg, 63'd0} : z_i;
      z_neg = z[63] ^ kind_i.negate;
      p_inf = is_infinity(x_i) || is_infinity(y_i);
      p_bad = p_inf && (x_i[62:0] == '0 || y_i[62:0] == '0);
      z_inf = is_infinity(z);
      s2_special_q <= 1'b1;
      if (is_nan(y_i)) s2_value_q <= y_i | Quiet;
      else if (is_nan(z)) s2_value_q <= z | Quiet;
      else if (is_nan(x_i)) s2_value_q <= x_i | Quiet;
      else if (p_bad || (p_inf && z_inf && p_neg != z_neg)) s2_value_q <= Invalid;
      else if (p_inf) s2_value_q <= {p_neg, Infinity};
      else if (z_inf) s2_value_q <= {z_neg, Infinity};
      else s2_special_q <= 1'b0;
      s2_x_q <= significand(x_i);
      s2_y_q <= significand(y_i);
      s2_z_q <= significand(z);
      s2_ex_q <= exponent(x_i);
      s2_ey_q <= exponent(y_i);
      s2_ez_q <= exponent(z);
      s2_p_neg_q <= p_neg;
      s2_z_neg_q <= z_neg;
      s2_rnd_q <= kind_i.rnd;
    end
  end

  // ---- 3: product, exponent of the top of the frame, how far the addend is shifted.
  logic [2*Sig-1:0] s3_p_q;
  sig_t       s3_z_q;
  wide_exp_t  s3_top_q;
  shift_t     s3_shift_q;
  logic       s3_p_neg_q, s3_z_neg_q, s3_special_q;
  logic [1:0] s3_rnd_q;
  f64_t       s3_value_q;
  always_ff @(posedge clk_i) begin
    if (en_i[3]) begin
      automatic logic [53:0] low, mid;
      automatic logic [51:0] high;
      automatic logic signed [12:0] top, shift;
      low = 54'(s2_x_q[26:0]) * 54'(s2_y_q[26:0]);
      high = 52'(s2_x_q[52:27]) * 52'(s2_y_q[52:27]);
      mid = 54'(s2_x_q[52:27]) * 54'(s2_y_q[26:0]) + 54'(s2_x_q[26:0]) * 54'(s2_y_q[52:27]);
      s3_p_q <= {high, low} + ((2*Sig)'(mid) << 27);
      top = 13'(s2_ex_q) + 13'(s2_ey_q) - 13'(TopBias);
      shift = top - 13'(s2_ez_q);
      if (shift < 0 || s2_x_q == '0 || s2_y_q == '0) begin  // the addend is at the top
        s3_top_q <= wide_exp_t'(s2_ez_q);
        s3_shift_q <= '0;
      end else begin
        s3_top_q <= top[11:0];
        s3_shift_q <= (shift > 13'(Frame)) ? shift_t'(Frame) : shift_t'(shift);
      end
      s3_z_q <= s2_z_q;
      {s3_p_neg_q, s3_z_neg_q, s3_rnd_q} <= {s2_p_neg_q, s2_z_neg_q, s2_rnd_q};
      {s3_special_q, s3_value_q} <= {s2_special_q, s2_value_q};
    end
  end

  // ---- 4: the addend in its place; bit 0 stands for the bits that it loses.
  frame_t     s4_z_q;
  logic [2*Sig-1:0] s4_p_q;
  wide_exp_t  s4_top_q;
  logic       s4_p_neg_q, s4_z_neg_q, s4_special_q;
  logic [1:0] s4_rnd_q;
  f64_t       s4_value_q;
  always_ff @(posedge clk_i) begin
    if (en_i[4]) begin
      automatic shift_t beyond;
      automatic logic lost;
      beyond = (s3_shift_q > shift_t'(AddendAt)) ? s3_shift_q - shift_t'(AddendAt) : '0;
      lost = 64'(s3_z_q) << (8'd64 - beyond) != '0;
      s4_z_q <= ({s3_z_q, (AddendAt)'(0)} >> s3_shift_q) | Frame'(lost);
      s4_p_q <= s3_p_q;
      s4_top_q <= s3_top_q;
      {s4_p_neg_q, s4_z_neg_q, s4_rnd_q} <= {s3_p_neg_q, s3_z_neg_q, s3_rnd_q};
      {s4_special_q, s4_value_q} <= {s3_special_q, s3_value_q};
    end
  end

  // ---- 5: sum of magnitudes, or their difference; its sign.
  frame_t     s5_sum_q;
  wide_exp_t  s5_top_q;
  logic       s5_neg_q, s5_special_q;
  logic [1:0] s5_rnd_q;
  f64_t       s5_value_q;
  always_ff @(posedge clk_i) begin
    if (en_i[5]) begin
      automatic frame_t p;
      p = Frame'(s4_p_q) << ProductAt;
      if (s4_p_neg_q == s4_z_neg_q) begin
        s5_sum_q <= s4_z_q + p;
        s5_neg_q <= s4_z_neg_q;
      end else if (s4_z_q > p) begin
        s5_sum_q <= s4_z_q - p;
        s5_neg_q <= s4_z_neg_q;
      end else begin
        s5_sum_q <= p - s4_z_q;
        s5_neg_q <= (s4_z_q == p) ? s4_rnd_q == 2'd2 : s4_p_neg_q;
      end
      s5_top_q <= s4_top_q;
      s5_rnd_q <= s4_rnd_q;
      {s5_special_q, s5_value_q} <= {s4_special_q, s4_value_q};
    end
  end

  // ---- 6: how far the sum is shifted up: to its highest one, or as far as a subnormal number is.
  frame_t     s6_sum_q;
  shift_t     s6_shift_q;
  wide_exp_t  s6_exp_q;
  logic       s6_neg_q, s6_special_q;
  logic [1:0] s6_rnd_q;
  f64_t       s6_value_q;
  always_ff @(posedge clk_i) begin
    if (en_i[6]) begin
      automatic shift_t zeros;
      automatic wide_exp_t most;
      if (s5_sum_q[163:100] != '0) zeros = 8'(leading_zeros(s5_sum_q[163:100]));
      else if (s5_sum_q[99:36] != '0) zeros = 8'd64 + 8'(leading_zeros(s5_sum_q[99:36]));
      else zeros = 8'd128 + 8'(leading_zeros({s5_sum_q[35:0], 28'd0}));
      most = s5_top_q - wide_exp_t'(1);
      if (most < wide_exp_t'(zeros)) zeros = most[7:0];
      s6_shift_q <= zeros;
      s6_exp_q <= s5_top_q - wide_exp_t'(zeros);
      s6_sum_q <= s5_sum_q;
      {s6_neg_q, s6_rnd_q} <= {s5_neg_q, s5_rnd_q};
      {s6_special_q, s6_value_q} <= {s5_special_q, s5_value_q};
    end
  end

  // ---- 7: shifted: the significand, the bit after it and whether others follow.
  logic [51:0] s7_sig_q;  // without the leading one
  logic       s7_half_q, s7_rest_q, s7_neg_q, s7_special_q;
  wide_exp_t  s7_exp_q;
  logic [1:0] s7_rnd_q;
  f64_t       s7_value_q;
  always_ff @(posedge clk_i) begin
    if (en_i[7]) begin
      automatic frame_t sum;
      sum = s6_sum_q << s6_shift_q;
      {s7_sig_q, s7_half_q} <= sum[Frame-2-:Sig];
      s7_rest_q <= sum[Frame-Sig-2:0] != '0;
      s7_exp_q <= sum[Frame-1] ? s6_exp_q : '0;
      {s7_neg_q, s7_rnd_q} <= {s6_neg_q, s6_rnd_q};
      {s7_special_q, s7_value_q} <= {s6_special_q, s6_value_q};
    end
  end

  // ---- 8: rounded. A carry goes from the fraction to the exponent field.
  f64_t s8_d_q;
  assign d_o = s8_d_q;
  always_ff @(posedge clk_i) begin
    if (en_i[8]) begin
      automatic logic nearest, away, up;
      automatic logic [63:0] magnitude;
      nearest = s7_rnd_q == 2'd0;
      away = s7_rnd_q == (s7_neg_q ? 2'd2 : 2'd3);
      up = nearest ? s7_half_q && (s7_rest_q || s7_sig_q[0])
                   : away && (s7_half_q || s7_rest_q);
      magnitude = {s7_exp_q, s7_sig_q} + 64'(up);
      if (s7_special_q) s8_d_q <= s7_value_q;
      else if (magnitude < 64'(Infinity)) s8_d_q <= {s7_neg_q, magnitude[62:0]};
      else s8_d_q <= {s7_neg_q, (nearest || away) ? Infinity : Largest};
    end
  end
endmodule
