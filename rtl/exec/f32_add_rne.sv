// Single-precision sum for atomic add (docs/microarchitecture.md section 13; PTX 9.7.13.6).
// Rounds to nearest even. With flush_i subnormal inputs and results become zeros of their sign.
// NaN results are 0x7fffffff. Works in the four steps of atomic_alu: the smaller one is aligned (0),
// sum and leading zeros (1), normalised (2), rounded (3); one shifter does for steps 0 and 2.
// Deliberately without other rounding modes and saturation: the fixed pipe has its own adder.
module f32_add_rne (
  input  logic        clk_i,
  input  logic [3:0]  step_i,   // one-hot, four successive cycles
  input  logic        less_i,   // step 0: |a| < |b|
  input  logic [31:0] a_i,      // step 0
  input  logic [31:0] b_i,
  input  logic        flush_i,
  output logic [31:0] sum_o     // in step 3, else zero
);
  function automatic logic [28:0] reversed(input logic [28:0] v);
    logic [28:0] r;
    for (int i = 0; i < 29; i++) r[i] = v[28-i];
    return r;
  endfunction

  logic        sign_q, special_q, nan_q, zero_q;
  logic        minus_x_q, minus_y_q;   // a difference: what is subtracted
  logic [7:0]  exp_q;        // effective exponent: 1 for subnormal numbers and zero; step 2: one more;
                             // step 3: of the result
  logic [23:0] big_q;        // significand of the one with the larger exponent
  logic [26:0] small_q;      // of the other one, aligned; guard, round, part of sticky
  logic [1:0]  lost_q;       // the rest of sticky: something was shifted out, early, late
  logic [27:0] raw_q;        // step 2: sum; step 3: normalised
  logic [4:0]  shift_q;

  // Step 0: x has the exponent that is not smaller. With equal exponents nothing is shifted, so that
  // the shifter need not know which one is larger.
  logic [31:0] x;
  logic [22:0] y;
  logic        swap, hx, hy;
  logic        flip;         // of equal exponents, and y is subtracted from and larger
  logic [7:0]  gap;
  always_comb begin
    logic       ha, hb, unused_above;
    logic [7:0] ab, ba;
    x = 'x;
    y = 'x;
    swap = 'x;
    {hx, hy, flip} = 'x;
    {ha, hb, ab, ba, unused_above} = 'x;
    gap = 'x;
    if (step_i[0]) begin
      ha = a_i[30:23] != '0;
      hb = b_i[30:23] != '0;
      hx = ha || hb;
      hy = ha && hb;
      {swap, ab} = {1'b0, a_i[30:23]} - {1'b0, b_i[30:23]};
      {unused_above, ba} = {1'b0, b_i[30:23]} - {1'b0, a_i[30:23]};
      gap = swap ? ba : ab;
      x = swap ? b_i : a_i;
      y = swap ? a_i[22:0] : b_i[22:0];
      flip = a_i[31] != b_i[31] && less_i && !swap;
    end
  end

  // The shifter: to the right by the gap of exponents, or to the left by reversal. A subnormal number
  // beside one that is not lies at exponent 1: one place less, which is taken last. A gap of 28 and more
  // leaves only the sticky bit.
  logic [28:0] shift_in, shifted;
  logic [27:0] lower;
  logic [4:0]  amount;
  logic [26:0] aligned;
  logic [1:0]  lost;
  logic        flushed;
  always_comb begin
    logic less_by_one;
    shift_in = 'x;
    amount = 'x;
    shifted = 'x;
    lower = 'x;
    lost = 'x;
    aligned = 'x;
    less_by_one = hx && !hy;
    flushed = flush_i && !hy;
    if (step_i[0] || step_i[2]) begin
      lost = '0;
      lower = {1'b0, hy, y, 3'b0};
      shift_in = step_i[2] ? reversed({raw_q, 1'b0}) : {lower, 1'b0};
      amount = step_i[2] ? shift_q : gap[4:0];
      shifted = shift_in;
      lost[0] = gap[7:5] != '0 && lower != '0;
      for (int s = 4; s >= 0; s--) begin
        if (amount[s]) begin
          lost[32'(s < 3)] |= (shifted & ~(29'h1fffffff << (1 << s))) != '0;
          shifted = shifted >> (1 << s);
        end
      end
      aligned = less_by_one ? shifted[26:0] : shifted[27:1];
      aligned[0] |= shifted[0];
    end
  end

  // Step 1. Leading zeros, as many at most as the exponent allows: a subnormal result stays at exponent
  // 1 without a hidden bit. A mark behind the last place that the exponent allows ends the count.
  logic [27:0] raw;
  logic [4:0]  shift;
  always_comb begin
    logic [31:0] t;
    logic [7:0]  some;        // by digits of four bits, from the left: not zero
    logic [4:0]  zeros [8];   // before the first one in the digit; then of pairs, quadruples, all
    raw = 'x;
    t = 'x;
    some = 'x;
    for (int i = 0; i < 8; i++) zeros[i] = 'x;
    shift = 'x;
    if (step_i[1]) begin
      for (int i = 0; i < 8; i++) zeros[i] = '0;
      raw = ({1'b0, big_q, 3'b0} ^ {28{minus_x_q}}) +
            ({1'b0, small_q[26:1], small_q[0] | (lost_q != '0)} ^ {28{minus_y_q}}) +
            28'(minus_x_q || minus_y_q);
      t = {raw, 4'hf};
      for (int unsigned i = 0; i < 28; i++) t[31-i] |= exp_q == 8'(i);
      for (int i = 0; i < 8; i++) begin
        some[i] = t[31-4*i -: 4] != '0;
        zeros[i][1] = t[31-4*i -: 2] == '0;
        zeros[i][0] = !t[31-4*i] && (t[30-4*i] || !t[29-4*i]);
      end
      for (int n = 2; n < 5; n++) begin
        for (int i = 0; i < 32 >> n; i += 2) begin
          zeros[i/2] = some[i] ? zeros[i] : zeros[i+1] | 5'd1 << n;
          some[i/2] = some[i] || some[i+1];
        end
      end
      shift = zeros[0];
    end
  end

  // Step 2.
  logic [27:0] norm;
  logic [7:0]  exp_norm;
  always_comb begin
    logic unused_low;
    norm = 'x;
    unused_low = 'x;
    exp_norm = 'x;
    if (step_i[2]) begin
      {norm, unused_low} = reversed(shifted);
      exp_norm = (exp_q - 8'(shift_q)) & {8{norm[27]}};
    end
  end

  // Step 3.
  logic        up, keep, infinite, nan;
  logic [30:0] packed_mag;
  always_comb begin
    up = 'x;
    packed_mag = 'x;
    infinite = 'x;
    keep = 'x;
    nan = 'x;
    sum_o = '0;
    if (step_i[3]) begin
      up = raw_q[3] && (raw_q[2:0] != '0 || raw_q[4]);
      // A carry out of the fraction moves into the exponent, which is what rounding up means.
      packed_mag = {exp_q, raw_q[26:4]} + 31'(up);
      // The exponent becomes all ones or stays zero: only its lowest bit waits for the sum.
      infinite = special_q || exp_q == '1 || (exp_q == 8'd254 && packed_mag[23]);
      keep = !infinite && !(flush_i && exp_q == '0 && !packed_mag[23]);
      nan = nan_q;
      sum_o[31] = sign_q && !nan_q && !zero_q;
      sum_o[30:23] = packed_mag[30:23] | {8{infinite}};
      sum_o[22:0] = (packed_mag[22:0] & {23{keep}}) | {23{nan}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_i[0]) begin
      sign_q <= flip ? b_i[31] : x[31];
      minus_x_q <= flip;
      minus_y_q <= a_i[31] != b_i[31] && !flip;
      exp_q <= {x[30:24], x[23] | ~hx};
      big_q <= {hx, x[22:0] & {23{hx | ~flush_i}}};
      small_q <= (gap[7:5] != '0 || flushed) ? '0 : aligned;
      lost_q <= flushed ? '0 : lost;
      special_q <= a_i[30:23] == '1 || b_i[30:23] == '1;
      nan_q <= (a_i[30:23] == '1 && a_i[22:0] != '0) || (b_i[30:23] == '1 && b_i[22:0] != '0) ||
               (a_i[30:23] == '1 && b_i[30:23] == '1 && a_i[31] != b_i[31]);
    end
    if (step_i[1]) begin
      zero_q <= (minus_x_q || minus_y_q) && raw == '0;
      shift_q <= shift;
      exp_q <= exp_q + 8'd1;
    end
    if (step_i[2]) exp_q <= exp_norm;
    if (step_i[1] || step_i[2]) raw_q <= step_i[2] ? norm : raw;
  end
endmodule
