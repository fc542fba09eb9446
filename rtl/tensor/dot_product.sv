// One product of the tensor unit (docs/microarchitecture.md 19.2): two elements, or the elements of
// two bytes, to sign, exponent and exact significand, or to an integer. Combinational.
module dot_product
  import tensor_pkg::*;
#(
  parameter bit Tf32 = 1'b1,       // a slice of tf32 has this product
  parameter bit Halves = 1'b0      // a byte is one of the 16 bits, else it has its own port
) (
  input  logic        en_i,
  // verilator lint_off UNUSEDSIGNAL // of the kind, what a product needs; of the rest, by parameter
  input  dot_kind_t   kind_i,
  input  logic        part_i,      // with Halves: the high byte
  input  logic [15:0] a16_i,
  input  logic [15:0] b16_i,
  input  logic [31:0] a32_i,
  input  logic [31:0] b32_i,
  input  logic [7:0]  a8_i,
  input  logic [7:0]  b8_i,
  // verilator lint_on UNUSEDSIGNAL
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
    number_t     n;
    logic [18:0] wide;
    logic [7:0]  e;
    logic [9:0]  f;
    logic        top;
    wide = (Tf32 && kind == KindTf32) ? w : {h, 3'b0};  // bf16 is tf32 with a shorter fraction
    if (kind == KindF16) {n.neg, e, f} = {h[15], 3'b0, h[14:0]};
    else {n.neg, e, f} = wide;
    top = e[4:0] == '1 && (e[7:5] == '1 || kind == KindF16);
    n.exponent = {e[7:1], e[0] || e == '0};
    n.value = {e != '0, f};
    n.zero = e == '0 && f == '0;
    n.nan = top && f != '0;
    n.inf = top && f == '0;
    return n;
  endfunction

  typedef logic signed [11:0] factor_t;
  typedef logic signed [4:0]  nibble_t;
  function automatic nibble_t nibble(input logic is_unsigned, input logic [3:0] x);
    return {x[3] && !is_unsigned, x};
  endfunction
  function automatic factor_t byte_of(input logic is_unsigned, input logic [7:0] x);
    return {{4{x[7] && !is_unsigned}}, x};
  endfunction
  function automatic logic [2:0] ones(input logic [3:0] x);
    logic two;
    two = (x[0] && x[1]) || (x[2] && x[3]) || ((x[0] || x[1]) && (x[2] || x[3]));
    return {x == '1, two && x != '1, ^x};
  endfunction

  always_comb begin
    number_t            a, b;
    logic [7:0]         a8, b8, bits;
    factor_t            x, y;        // with 4 bits and 1 bit: of the low four bits
    nibble_t            x2, y2;      // of the high four bits
    logic signed [21:0] product, more;
    {a, b, a8, b8, bits, x, y, x2, y2, product, more} = 'x;
    {term_o, some_o, nan_o, inf_o} = 'x;
    if (en_i) begin
      a = split(kind_i.kind, a16_i, a32_i[31:13]);
      b = split(kind_i.kind, b16_i, b32_i[31:13]);
      a8 = !Halves ? a8_i : part_i ? a16_i[15:8] : a16_i[7:0];
      b8 = !Halves ? b8_i : part_i ? b16_i[15:8] : b16_i[7:0];
      bits = kind_i.differ ? a8 ^ b8 : a8 & b8;
      {x2, y2} = '0;
      unique case (kind_i.kind)
        KindInt8: begin
          x = byte_of(kind_i.unsigned_a, a8);
          y = byte_of(kind_i.unsigned_b, b8);
        end
        KindInt4: begin
          x = factor_t'(nibble(kind_i.unsigned_a, a8[3:0]));
          y = factor_t'(nibble(kind_i.unsigned_b, b8[3:0]));
          x2 = nibble(kind_i.unsigned_a, a8[7:4]);
          y2 = nibble(kind_i.unsigned_b, b8[7:4]);
        end
        KindBit: begin
          x = factor_t'({1'b0, ones(bits[3:0])});
          y = 12'sd1;
          x2 = {2'b0, ones(bits[7:4])};
          y2 = 5'sd1;
        end
        default: begin
          x = factor_t'({1'b0, a.value});
          y = factor_t'({1'b0, b.value});
        end
      endcase
      product = 22'(x) * 22'(y);
      more = 22'(x2) * 22'(y2);
      term_o.value = product + more;
      term_o.neg = is_float(kind_i.kind) && (a.neg ^ b.neg);
      term_o.exponent = 9'(a.exponent) + 9'(b.exponent);
      if (kind_i.kind == KindF16) term_o.exponent[7] = 1'b1;  // bias_of
      some_o = !a.zero && !b.zero;
      nan_o = a.nan || b.nan || (a.inf && b.zero) || (b.inf && a.zero);
      inf_o = a.inf || b.inf;
    end
  end
endmodule
