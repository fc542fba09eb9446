// One product of the tensor unit (docs/microarchitecture.md 19.2): two elements, or the elements of
// two bytes, to sign, exponent and exact significand, or to an integer. Combinational.
module dot_product
  import tensor_pkg::*;
(
  input  logic        en_i,
  // verilator lint_off UNUSEDSIGNAL // sign of integers, xor: by kind
  input  dot_kind_t   kind_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [15:0] a16_i,
  input  logic [15:0] b16_i,
  // verilator lint_off UNUSEDSIGNAL // tf32 has 19 bits
  input  logic [31:0] a32_i,
  input  logic [31:0] b32_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [7:0]  a8_i,
  input  logic [7:0]  b8_i,
  output term_t       term_o,
  output logic        some_o,      // not zero: it has an exponent
  output logic        nan_o,
  output logic        inf_o
);
  // Sign, exponent field and fraction of 10 bits, of any of the three formats.
  typedef struct packed {
    logic       neg;
    logic [7:0] exponent;
    logic [9:0] fraction;
    logic       top;       // infinity or NaN
  } number_t;
  function automatic number_t split(input kind_e kind, input logic [15:0] h,
                                    input logic [18:0] w);  // of tf32
    unique case (kind)
      KindF16:  return '{h[15], {3'b0, h[14:10]}, h[9:0], h[14:10] == '1};
      KindBf16: return '{h[15], h[14:7], {h[6:0], 3'b0}, h[14:7] == '1};
      default:  return '{w[18], w[17:10], w[9:0], w[17:10] == '1};
    endcase
  endfunction
  function automatic logic signed [8:0] byte_of(input logic is_unsigned, input logic [7:0] x);
    return {x[7] && !is_unsigned, x};
  endfunction
  function automatic logic signed [9:0] nibbles(input logic a_unsigned, input logic b_unsigned,
                                                input logic [3:0] a, input logic [3:0] b);
    logic signed [4:0] x, y;
    x = {a[3] && !a_unsigned, a};
    y = {b[3] && !b_unsigned, b};
    return x * y;
  endfunction

  always_comb begin
    number_t            a, b;
    logic               a_zero, b_zero;
    logic [10:0]        a_value, b_value;
    logic [9:0]         bias;
    logic signed [17:0] product;
    logic [7:0]         ones;
    {a, b} = 'x;
    {a_zero, b_zero, a_value, b_value, bias, product, ones} = 'x;
    {term_o, some_o, nan_o, inf_o} = 'x;
    if (en_i) begin
      {some_o, nan_o, inf_o} = '0;
      if (is_float(kind_i.kind)) begin
        a = split(kind_i.kind, a16_i, a32_i[31:13]);
        b = split(kind_i.kind, b16_i, b32_i[31:13]);
        a_value = {a.exponent != '0, a.fraction};
        b_value = {b.exponent != '0, b.fraction};
        a_zero = a_value == '0;
        b_zero = b_value == '0;
        bias = (kind_i.kind == KindF16) ? 10'd30 : 10'd254;  // both
        // An exponent field of 0 counts as 1.
        term_o.exponent = $signed(10'(a.exponent) + 10'(a.exponent == '0) + 10'(b.exponent) +
                                  10'(b.exponent == '0) - bias);
        term_o.value = a_value * b_value;
        term_o.neg = a.neg ^ b.neg;
        some_o = !a_zero && !b_zero;
        nan_o = (a.top && a.fraction != '0) || (b.top && b.fraction != '0) ||
                (a.top && b_zero) || (b.top && a_zero);
        inf_o = a.top || b.top;
      end else begin
        unique case (kind_i.kind)
          KindInt8: product = byte_of(kind_i.unsigned_a, a8_i) * byte_of(kind_i.unsigned_b, b8_i);
          KindInt4:
            product = 18'(nibbles(kind_i.unsigned_a, kind_i.unsigned_b, a8_i[3:0], b8_i[3:0])) +
                      18'(nibbles(kind_i.unsigned_a, kind_i.unsigned_b, a8_i[7:4], b8_i[7:4]));
          default: begin
            ones = kind_i.differ ? a8_i ^ b8_i : a8_i & b8_i;
            product = '0;
            for (int unsigned i = 0; i < 8; i++) product = product + 18'(ones[i]);
          end
        endcase
        term_o.neg = product < 0;
        term_o.exponent = '0;
        if (term_o.neg) product = -product;
        term_o.value = 22'(product);
      end
    end
  end
endmodule
