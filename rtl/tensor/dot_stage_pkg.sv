// What a row of the tensor unit's engine (rtl/tensor/dot.sv) does in its stages with all terms of a
// slice (docs/microarchitecture.md 19.2, 26.11).
//
// The simulator does not inline these functions: so they are one piece of code for all rows. The
// code of 16 rows, 900 KB, would not fit the host's caches (docs/bench.md). A function of a module
// would be a piece for each of its instances; one of a package is not.
package dot_stage_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import tensor_pkg::*;
  import dot_pkg::*;

  // ---- Products.
  typedef struct packed {
    exponent_t            largest;   // of those that are not zero; else 0
    special_t             special;
    term_t [DotTerms-1:0] term;
  } products_t;
  // Kinds are told apart outside of the loops: a simulator does it once for a slice.
  function automatic products_t products_of(
      // verilator lint_off UNUSEDSIGNAL // of the kind, what a product needs; with NarrowHalves
      input dot_kind_t kind, input logic part, input small_t small_a, input small_t small_b,
      // verilator lint_on UNUSEDSIGNAL
      input slice_words_t a, input slice_words_t b, input more_t up);
    /*verilator no_inline_task*/
    products_t         r;
    logic [7:0]        a8 [DotTerms], b8 [DotTerms];
    fields_t           x [DotTerms], y [DotTerms];
    factor_t           m [DotTerms], n [DotTerms];     // of 4 bits and 1 bit: the low four
    nibble_t           m4 [DotTerms], n4 [DotTerms];   // the high four
    logic signed [9:0] high [DotTerms];                // and their product
    exponent_t         node [2*DotTerms];  // node i is the larger one of nodes 2 i and 2 i + 1
    exponent_t         exponent [DotTerms];
    more_t             lack;
    logic              floats, special;    // special: some operand is
    logic [17:0]       free_a, free_b;
    logic              special_a, special_b, inf_a, inf_b;

    // ---- Elements: bytes; or sign, exponent and fraction.
    a8 = '{default: 'x};
    b8 = '{default: 'x};
    if (is_bytes(kind.kind)) begin
      for (int unsigned k = 0; k < DotTerms; k++) begin
        a8[k] = !NarrowHalves ? a[k/4][8*(k%4) +: 8] :
                part ? a[k/2][16*(k%2)+8 +: 8] : a[k/2][16*(k%2) +: 8];
        b8[k] = !NarrowHalves ? b[k/4][8*(k%4) +: 8] :
                part ? b[k/2][16*(k%2)+8 +: 8] : b[k/2][16*(k%2) +: 8];
      end
    end
    x = '{default: 'x};
    y = '{default: 'x};
    unique case (kind.kind)
      KindF16: begin
        for (int unsigned k = 0; k < DotTerms; k++) begin
          x[k] = half_fields(a[k/2][16*(k%2) +: 16]);
          y[k] = half_fields(b[k/2][16*(k%2) +: 16]);
        end
      end
      KindTf32: begin                                // half as many terms
        for (int unsigned k = 0; k < DotTerms; k++) begin
          x[k] = (k < SliceWords) ? a[k%SliceWords][31:13] : '0;
          y[k] = (k < SliceWords) ? b[k%SliceWords][31:13] : '0;
        end
      end
      KindF8: begin
        for (int unsigned k = 0; k < DotTerms; k++) begin
          x[k] = (Umma != 0) ? small_fields(small_a, a8[k]) : fields_t'('x);
          y[k] = (Umma != 0) ? small_fields(small_b, b8[k]) : fields_t'('x);
        end
      end
      default: begin                                 // bf16: tf32 with a shorter fraction
        for (int unsigned k = 0; k < DotTerms; k++) begin
          x[k] = {a[k/2][16*(k%2) +: 16], 3'b0};
          y[k] = {b[k/2][16*(k%2) +: 16], 3'b0};
        end
      end
    endcase

    // ---- Factors.
    m4 = '{default: '0};
    n4 = '{default: '0};
    unique case (kind.kind)
      KindInt8: begin
        for (int unsigned k = 0; k < DotTerms; k++) begin
          m[k] = byte_of(kind.unsigned_a, a8[k]);
          n[k] = byte_of(kind.unsigned_b, b8[k]);
        end
      end
      KindInt4: begin
        for (int unsigned k = 0; k < DotTerms; k++) begin
          m[k] = factor_t'(nibble(kind.unsigned_a, a8[k][3:0]));
          n[k] = factor_t'(nibble(kind.unsigned_b, b8[k][3:0]));
          m4[k] = nibble(kind.unsigned_a, a8[k][7:4]);
          n4[k] = nibble(kind.unsigned_b, b8[k][7:4]);
        end
      end
      KindBit: begin
        for (int unsigned k = 0; k < DotTerms; k++) begin
          logic [7:0] bits;
          bits = kind.differ ? a8[k] ^ b8[k] : a8[k] & b8[k];
          m[k] = factor_t'({1'b0, ones(bits[3:0])});
          n[k] = 12'sd1;
          m4[k] = {2'b0, ones(bits[7:4])};
          n4[k] = 5'sd1;
        end
      end
      default: begin
        for (int unsigned k = 0; k < DotTerms; k++) begin
          m[k] = {1'b0, x[k].exponent != '0, x[k].fraction};
          n[k] = {1'b0, y[k].exponent != '0, y[k].fraction};
        end
      end
    endcase
    for (int unsigned k = 0; k < DotTerms; k++) high[k] = 10'(m4[k]) * 10'(n4[k]);

    // ---- Exponents. Integers have none, and no sign: they stay where they are.
    for (int unsigned k = 0; k < DotTerms; k++) begin
      exponent[k] = 9'(x[k].exponent | 8'(x[k].exponent == '0)) +
                    9'(y[k].exponent | 8'(y[k].exponent == '0));
    end
    if (kind.kind == KindF16) begin
      for (int unsigned k = 0; k < DotTerms; k++) exponent[k][7] = 1'b1;   // bias_of
    end
    if (is_small(kind.kind)) begin
      lack = up + more_t'({6'b0, small_lack(small_a)}) + more_t'({6'b0, small_lack(small_b)});
      for (int unsigned k = 0; k < DotTerms; k++) exponent[k] = small_exponent(exponent[k], lack);
    end
    for (int unsigned k = 0; k < DotTerms; k++) begin
      node[DotTerms+k] = (x[k][17:0] != '0 && y[k][17:0] != '0) ? exponent[k] : '0;
    end
    for (int unsigned i = DotTerms - 1; i > 0; i--) begin
      node[i] = (node[2*i] > node[2*i+1]) ? node[2*i] : node[2*i+1];
    end
    r.largest = node[1];
    floats = is_float(kind.kind);
    for (int unsigned k = 0; k < DotTerms; k++) begin
      r.term[k] = {floats && (x[k].neg ^ y[k].neg), exponent[k] & {9{floats}},
                   22'(m[k]) * 22'(n[k]) + 22'(high[k])};
    end

    // ---- Infinities and NaN.
    r.special = '0;
    free_a = free_bits(kind.kind, small_a);
    free_b = free_bits(kind.kind, small_b);
    special = 1'b0;
    for (int unsigned k = 0; k < DotTerms; k++) begin
      special |= (x[k][17:0] | free_a) == '1 || (y[k][17:0] | free_b) == '1;
    end
    if (special) begin
      for (int unsigned k = 0; k < DotTerms; k++) begin
        special_a = (x[k][17:0] | free_a) == '1;
        special_b = (y[k][17:0] | free_b) == '1;
        inf_a = special_a && x[k].fraction == '0;
        inf_b = special_b && y[k].fraction == '0;
        r.special.nan |= (special_a && !inf_a) || (special_b && !inf_b) ||
                         (inf_a && y[k][17:0] == '0) || (inf_b && x[k][17:0] == '0);
        r.special.pos |= (inf_a || inf_b) && x[k].neg == y[k].neg;
        r.special.neg |= (inf_a || inf_b) && x[k].neg != y[k].neg;
      end
    end
    return r;
  endfunction

  // ---- Terms cut to Kept bits after the point of the largest exponent: 28 bits and their sign.
  typedef logic [DotTerms-1:0][31:0] values_t;
  function automatic values_t aligned_of(
      input logic fraction, input exponent_t largest,
      // verilator lint_off UNUSEDSIGNAL // the sign is dealt with in the sum
      input term_t [DotTerms-1:0] term);
      // verilator lint_on UNUSEDSIGNAL
    /*verilator no_inline_task*/
    values_t   value;
    exponent_t shift;
    for (int unsigned k = 0; k < DotTerms; k++) begin
      shift = largest - term[k].exponent;
      value[k] = {5'd0, term[k].value, 5'd0};
      if (!fraction) value[k] = {{5{term[k].value[21]}}, term[k].value, 5'd0};
      value[k] = (shift[8:5] != '0) ? '0 : value[k] >> shift[4:0];
    end
    return value;
  endfunction

  // ---- Their sum: a tree, with a one of a negative term in each of its nodes but of term 0.
  function automatic sum_t sum_of(
      // verilator lint_off UNUSEDSIGNAL // a value has 28 bits; that of term 0 is added later
      input values_t value, input logic [DotTerms-1:0] neg);
      // verilator lint_on UNUSEDSIGNAL
    /*verilator no_inline_task*/
    sum_t node [2*DotTerms];   // node i is the sum of nodes 2 i and 2 i + 1, and of a one
    for (int unsigned k = 0; k < DotTerms; k++) begin
      node[DotTerms+k] = sum_t'($signed(value[k][27:0] ^ {28{neg[k]}}));
    end
    for (int unsigned i = DotTerms - 1; i > 0; i--) begin
      node[i] = add(node[2*i], node[2*i+1], neg[i]);
    end
    return node[1];
  endfunction

  // ---- A group of KindMx4 (26.11): the sum of its products, and what scales it.
  typedef logic signed [12:0] group_sum_t; // of 16 products in quarters, 144 each at most

  // An e2m1 without its sign, doubled.
  function automatic logic [3:0] twice(input logic [2:0] x);
    unique case (x)
      3'd5:    return 4'd6;
      3'd6:    return 4'd8;
      3'd7:    return 4'd12;
      default: return {1'b0, x};
    endcase
  endfunction
  // A scale: significand in eighths; exponent, too high by 127.
  typedef struct packed {
    logic       nan;
    logic [3:0] value;
    logic [7:0] exponent;
  } scale_t;
  function automatic scale_t scale_of(input logic e4m3, input logic [7:0] x);
    scale_t s;
    if (e4m3) begin
      s.nan = x[6:0] == '1;
      s.value = {x[6:3] != '0, x[2:0]};
      s.exponent = 8'd120 + 8'((x[6:3] == '0) ? 4'd1 : x[6:3]);
    end else begin
      s = '{nan: x == '1, value: 4'd8, exponent: x};
    end
    return s;
  endfunction

  typedef struct packed {
    group_sum_t sum;
    logic       some;                      // a product of it is not zero, nor is a scale
    logic       nan;
    logic [7:0] scale;                     // product of the scales' significands
    exponent_t  exponent;
  } scaled_t;
  function automatic scaled_t group_of(input logic [63:0] a, input logic [63:0] b, input logic e4m3,
                                      input logic [7:0] scale_a, input logic [7:0] scale_b);
    /*verilator no_inline_task*/
    scaled_t     r;
    scale_t     x, y;
    logic [7:0] p;
    {r.sum, r.some} = '0;
    for (int unsigned k = 0; k < 16; k++) begin
      p = 8'(twice(a[4*k +: 3])) * 8'(twice(b[4*k +: 3]));
      r.some |= p != '0;
      if (a[4*k+3] ^ b[4*k+3]) r.sum -= group_sum_t'({1'b0, p});
      else r.sum += group_sum_t'({1'b0, p});
    end
    x = scale_of(e4m3, scale_a);
    y = scale_of(e4m3, scale_b);
    r.exponent = 9'(x.exponent) + 9'(y.exponent);
    r.some &= x.value != '0 && y.value != '0;
    r.nan = x.nan || y.nan;
    r.scale = 8'(x.value) * 8'(y.value);
    return r;
  endfunction
endpackage
