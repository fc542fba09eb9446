// Single-precision sum for atomic add (docs/microarchitecture.md section 13; PTX 9.7.13.6).
// Rounds to nearest even. With flush_i subnormal inputs and results become zeros of their sign.
// NaN results are 0x7fffffff. Deliberately without other rounding modes and saturation: the fixed
// pipe has its own adder.
module f32_add_rne (
  input  logic        en_i,     // sum is zero without
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        flush_i,
  output logic [31:0] sum_o
);

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  logic [31:0] x, y;      // |x| >= |y|
  logic        sub;
  logic [7:0]  ex, ey;    // effective exponents: 1 for subnormal numbers and zero
  logic [7:0]  gap;     // of the exponents
  logic [26:0] mx, my;    // 24-bit significand, guard, round, sticky
  logic        sticky;
  logic [27:0] raw;
  logic [4:0]  lead;      // left shift that would bring the first one to bit 26
  logic [4:0]  shift;
  logic [26:0] norm;
  logic [7:0]  exp;
  logic        up;
  logic [30:0] packed_mag;

  // Leading zeros of 27 bits as a binary tree; 27 or more for zero.
  function automatic logic [4:0] leading_zeros(input logic [26:0] v);
    logic [31:0] t;
    logic [4:0]  n;
    t = {v, 5'h1f};
    n[4] = t[31:16] == '0;
    if (n[4]) t = t << 16;
    n[3] = t[31:24] == '0;
    if (n[3]) t = t << 8;
    n[2] = t[31:28] == '0;
    if (n[2]) t = t << 4;
    n[1] = t[31:30] == '0;
    if (n[1]) t = t << 2;
    n[0] = !t[31];
    return n;
  endfunction

  always_comb begin
    logic [31:0] fa, fb;
    fa = '0;
    fb = '0;
    x = '0;
    y = '0;
    sub = 1'b0;
    ex = '0;
    ey = '0;
    gap = '0;
    mx = '0;
    my = '0;
    sticky = 1'b0;
    raw = '0;
    lead = '0;
    shift = '0;
    norm = '0;
    exp = '0;
    up = 1'b0;
    packed_mag = '0;
    sum_o = '0;
    if (en_i || Always) begin
      fa = a_i;
      fb = b_i;
      if (flush_i && fa[30:23] == '0) fa[22:0] = '0;
      if (flush_i && fb[30:23] == '0) fb[22:0] = '0;
      if (fa[30:0] >= fb[30:0]) begin
        x = fa;
        y = fb;
      end else begin
        x = fb;
        y = fa;
      end
      sub = x[31] ^ y[31];
      ex = (x[30:23] == '0) ? 8'd1 : x[30:23];
      ey = (y[30:23] == '0) ? 8'd1 : y[30:23];
      gap = ex - ey;
      mx = {x[30:23] != '0, x[22:0], 3'b0};
      my = {y[30:23] != '0, y[22:0], 3'b0};
      // What each step of the shift loses stays as sticky; 32 or more loses everything.
      sticky = 1'b0;
      for (int s = 0; s < 5; s++) begin
        if (gap[s]) begin
          sticky = sticky | ((my & ~(27'h7ffffff << (1 << s))) != '0);
          my = my >> (1 << s);
        end
      end
      if (gap[7:5] != '0) begin
        sticky = sticky | (my != '0);
        my = '0;
      end
      my[0] = my[0] | sticky;
      raw = {1'b0, mx} + ({1'b0, my} ^ {28{sub}}) + 28'(sub);

      lead = leading_zeros(raw[26:0]);
      // A subnormal result stays at exponent 1 without a hidden bit.
      shift = ({3'b0, lead} >= ex) ? 5'(ex - 8'd1) : lead;
      if (raw[27]) begin
        norm = {raw[27:2], raw[1] | raw[0]};
        exp = ex + 8'd1;
      end else begin
        norm = raw[26:0] << shift;
        exp = ex - {3'b0, shift};
      end
      up = norm[2] && (norm[1:0] != '0 || norm[3]);
      // A carry out of the fraction moves into the exponent, which is what rounding up means.
      packed_mag = {norm[26] ? exp : 8'd0, norm[25:3]} + 31'(up);

      if ((x[30:23] == '1 && x[22:0] != '0) || (y[30:23] == '1 && y[22:0] != '0) ||
          (y[30:23] == '1 && sub)) begin
        sum_o = 32'h7fffffff;
      end else if (x[30:23] == '1 || packed_mag[30:23] == '1) begin
        sum_o = {x[31], 31'h7f800000};
      end else if (sub && raw == '0) begin
        sum_o = '0;
      end else if (flush_i && packed_mag[30:23] == '0) begin
        sum_o = {x[31], 31'h0};
      end else begin
        sum_o = {x[31], packed_mag};
      end
    end
  end
endmodule
