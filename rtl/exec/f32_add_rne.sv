// Single-precision sum for atomic add (docs/microarchitecture.md section 13; PTX 9.7.13.6).
// Rounds to nearest even. With flush_i subnormal inputs and results become zeros of their sign.
// NaN results are 0x7fffffff. Works in the three steps of atomic_alu, so that one shifter does for
// alignment (step 0) and normalisation (step 2). Deliberately without other rounding modes and
// saturation: the fixed pipe has its own adder.
module f32_add_rne (
  input  logic        clk_i,
  input  logic [2:0]  step_i,   // one-hot, three successive cycles
  input  logic        swap_i,   // step 0: |b| > |a|
  input  logic [31:0] a_i,      // step 0
  input  logic [31:0] b_i,
  input  logic        flush_i,
  output logic [31:0] sum_o     // in step 2, else zero
);
  import gates_pkg::Always;

  // Leading zeros of 28 bits (28 for zero), `limit` at most. Each step is taken if its leading bits
  // are zero and the limit allows it; refused only for its bits, the limit does not bind the others.
  // The first three steps look at what is zero of the digits of four bits.
  function automatic logic [4:0] leading_zeros(input logic [27:0] v, input logic [7:0] limit);
    logic [31:0] t;
    logic [4:0]  n;
    logic [7:0]  some;
    logic        free, clear;
    t = {v, 4'hf};
    for (int i = 0; i < 8; i++) some[i] = t[4*i+:4] != '0;
    free = limit[7:5] != '0;
    for (int k = 4; k >= 0; k--) begin
      clear = (k >= 2) ? (some >> (8 - (1 << k) / 4)) == '0 : (t >> (32 - (1 << k))) == '0;
      n[k] = clear && (free || limit[k]);
      free |= limit[k] && !clear;
      if (n[k]) begin
        t = t << (1 << k);
        some = some << ((1 << k) / 4);
      end
    end
    return n;
  endfunction

  function automatic logic [27:0] reversed(input logic [27:0] v);
    logic [27:0] r;
    for (int i = 0; i < 28; i++) r[i] = v[27-i];
    return r;
  endfunction

  logic        sign_q, sub_q, special_q, nan_q, zero_q;
  logic [7:0]  exp_q;        // effective exponent: 1 for subnormal numbers and zero; step 2: one more
  logic [23:0] big_q;        // significand of the larger operand
  logic [26:0] small_q;      // of the smaller one, aligned; guard, round, sticky
  logic [27:0] raw_q;
  logic [4:0]  shift_q;

  // Step 0: |x| >= |y|. Both gaps, because swap_i comes late.
  logic [31:0] x, y;
  logic        hx, hy, sticky;
  logic [7:0]  ex, gap;
  always_comb begin
    logic       ha, hb;
    logic [7:0] ea, eb, ab, ba;
    x = '0;
    y = '0;
    {hx, hy} = '0;
    {ha, hb, ea, eb, ab, ba} = '0;
    gap = '0;
    if (step_i[0] || Always) begin
      x = swap_i ? b_i : a_i;
      y = swap_i ? a_i : b_i;
      ha = a_i[30:23] != '0;
      hb = b_i[30:23] != '0;
      hx = swap_i ? hb : ha;
      hy = swap_i ? ha : hb;
      ea = {a_i[30:24], a_i[23] | ~ha};
      eb = {b_i[30:24], b_i[23] | ~hb};
      ab = ea - eb;
      ba = eb - ea;
      gap = swap_i ? ba : ab;
    end
    ex = {x[30:24], x[23] | ~hx};
  end

  // The shifter: to the right by the gap of exponents, or to the left by reversal.
  logic [27:0] shift_in, shifted, lower;
  logic [4:0]  amount;
  always_comb begin
    shift_in = '0;
    amount = '0;
    shifted = '0;
    lower = '0;
    sticky = 1'b0;
    if (step_i[0] || step_i[2] || Always) begin
      lower = {1'b0, hy, y[22:0] & {23{hy | ~flush_i}}, 3'b0};
      shift_in = step_i[2] ? reversed(raw_q) : lower;
      amount = step_i[2] ? shift_q : gap[4:0];
      // What each stage loses stays as sticky; 32 or more loses everything.
      shifted = shift_in;
      for (int s = 4; s >= 0; s--) begin
        if (amount[s]) begin
          sticky |= (shifted & ~(28'hfffffff << (1 << s))) != '0;
          shifted = shifted >> (1 << s);
        end
      end
    end
  end

  // Step 1.
  logic [27:0] raw;
  logic [4:0]  shift;
  always_comb begin
    raw = '0;
    shift = '0;
    if (step_i[1] || Always) begin
      raw = {1'b0, big_q, 3'b0} + ({1'b0, small_q} ^ {28{sub_q}}) + 28'(sub_q);
      // A subnormal result stays at exponent 1 without a hidden bit.
      shift = leading_zeros(raw, exp_q);
    end
  end

  // Step 2.
  logic [27:0] norm;
  logic [7:0]  exp_norm;
  logic        up, keep, infinite, nan;
  logic [30:0] packed_mag;
  always_comb begin
    norm = '0;
    exp_norm = '0;
    up = 1'b0;
    packed_mag = '0;
    infinite = 1'b0;
    keep = 1'b0;
    nan = 1'b0;
    sum_o = '0;
    if (step_i[2] || Always) begin
      norm = reversed(shifted);
      exp_norm = (exp_q - 8'(shift_q)) & {8{norm[27]}};
      up = norm[3] && (norm[2:0] != '0 || norm[4]);
      // A carry out of the fraction moves into the exponent, which is what rounding up means.
      packed_mag = {exp_norm, norm[26:4]} + 31'(up);
      // The exponent becomes all ones or stays zero: only its lowest bit waits for the sum.
      infinite = special_q || exp_norm == '1 || (exp_norm == 8'd254 && packed_mag[23]);
      keep = !infinite && !(flush_i && exp_norm == '0 && !packed_mag[23]) && step_i[2];
      nan = nan_q && step_i[2];
      sum_o[31] = sign_q && !nan_q && !zero_q && step_i[2];
      sum_o[30:23] = (packed_mag[30:23] | {8{infinite}}) & {8{step_i[2]}};
      sum_o[22:0] = (packed_mag[22:0] & {23{keep}}) | {23{nan}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_i[0]) begin
      sign_q <= x[31];
      sub_q <= x[31] ^ y[31];
      exp_q <= ex;
      big_q <= {hx, x[22:0] & {23{hx | ~flush_i}}};
      // 28 bits and more leave only the sticky bit.
      small_q <= (gap[7:5] != '0) ? {26'd0, lower != '0} :
                 {shifted[26:1], shifted[0] | sticky};
      special_q <= x[30:23] == '1;
      nan_q <= x[30:23] == '1 && (x[22:0] != '0 || (y[30:23] == '1 && x[31] != y[31]));
    end
    if (step_i[1]) begin
      raw_q <= raw;
      zero_q <= sub_q && raw == '0;
      shift_q <= shift;
      exp_q <= exp_q + 8'd1;
    end
  end
endmodule
