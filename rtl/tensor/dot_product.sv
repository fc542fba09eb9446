// One product of the tensor unit (docs/microarchitecture.md 19.2): two elements, or the elements of
// two bytes, to sign, exponent and exact significand, or to an integer. Combinational.
module dot_product
  import tensor_pkg::*;
(
  input  logic        en_i,
  // verilator lint_off UNUSEDSIGNAL // of the kind, what a product needs
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
  // Sign, exponent field (0 counts as 1) and significand, of any of the three formats.
  typedef struct packed {
    logic        neg;
    logic [7:0]  exponent;
    logic [10:0] value;
    logic        zero;
    logic        nan;
    logic        inf;
  } number_t;
  function automatic number_t split(input kind_e kind, input logic [15:0] h,
                                    input logic [18:0] w);  // of tf32
    number_t    n;
    logic [7:0] e;
    logic [9:0] f;
    logic       top;
    unique case (kind)
      KindF16:  {n.neg, e, f, top} = {h[15], 3'b0, h[14:0], h[14:10] == '1};
      KindBf16: {n.neg, e, f, top} = {h, 3'b0, h[14:7] == '1};
      default:  {n.neg, e, f, top} = {w, w[17:10] == '1};
    endcase
    n.exponent = {e[7:1], e[0] || e == '0};
    n.value = {e != '0, f};
    n.zero = e == '0 && f == '0;
    n.nan = top && f != '0;
    n.inf = top && f == '0;
    return n;
  endfunction

  // Two elements of 4 bits, 10 bits apart: in the product of two such words, one of which has them
  // in the other order, the bits from 10 on are the sum of two products.
  typedef logic signed [17:0] factor_t;
  function automatic factor_t pair(input logic is_unsigned, input logic [3:0] low,
                                   input logic [3:0] high);
    logic       low_neg;
    logic [7:0] above;
    low_neg = low[3] && !is_unsigned;
    above = {{4{high[3] && !is_unsigned}}, high} - 8'(low_neg);
    return {above, {6{low_neg}}, low};
  endfunction
  function automatic factor_t byte_of(input logic is_unsigned, input logic [7:0] x);
    return {{10{x[7] && !is_unsigned}}, x};
  endfunction
  function automatic logic [2:0] ones(input logic [3:0] x);
    logic two;
    two = (x[0] && x[1]) || (x[2] && x[3]) || ((x[0] || x[1]) && (x[2] || x[3]));
    return {x == '1, two && x != '1, ^x};
  endfunction

  always_comb begin
    number_t            a, b;
    factor_t            x, y;
    // verilator lint_off UNUSEDSIGNAL // of two words of 4 bits the highest part
    logic signed [35:0] product;
    // verilator lint_on UNUSEDSIGNAL
    logic [9:0]         middle;
    logic [7:0]         bits;
    {a, b, x, y, product, middle, bits} = 'x;
    {term_o, some_o, nan_o, inf_o} = 'x;
    if (en_i) begin
      a = split(kind_i.kind, a16_i, a32_i[31:13]);
      b = split(kind_i.kind, b16_i, b32_i[31:13]);
      unique case (kind_i.kind)
        KindInt8: begin
          x = byte_of(kind_i.unsigned_a, a8_i);
          y = byte_of(kind_i.unsigned_b, b8_i);
        end
        KindInt4: begin
          x = pair(kind_i.unsigned_a, a8_i[3:0], a8_i[7:4]);
          y = pair(kind_i.unsigned_b, b8_i[7:4], b8_i[3:0]);
        end
        default: begin
          x = factor_t'({1'b0, a.value});
          y = factor_t'({1'b0, b.value});
        end
      endcase
      product = x * y;
      middle = product[19:10] + 10'(product[9]);  // the part below may be negative
      bits = kind_i.differ ? a8_i ^ b8_i : a8_i & b8_i;
      term_o.neg = is_float(kind_i.kind) && (a.neg ^ b.neg);
      term_o.exponent = $signed(10'(a.exponent) + 10'(b.exponent));
      unique case (kind_i.kind)
        KindInt4: term_o.value = {{12{middle[9]}}, middle};
        KindBit:  term_o.value = 22'(ones(bits[3:0])) + 22'(ones(bits[7:4]));
        default:  term_o.value = product[21:0];
      endcase
      some_o = !a.zero && !b.zero;
      nan_o = a.nan || b.nan || (a.inf && b.zero) || (b.inf && a.zero);
      inf_o = a.inf || b.inf;
    end
  end
endmodule
