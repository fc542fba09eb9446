// Arithmetic of the tensor unit's engine (docs/microarchitecture.md 19.2): a product, the addend,
// and the result of a sum. Functions, so that rtl/tensor/dot calls them only where a slice is.
package dot_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import tensor_pkg::*;

  localparam int unsigned Kept = ProfileF16F32Kept;

  // ---- Operands of products.
  // Sign, exponent field (0 counts as 1) and fraction of an element, where tf32 has them; of KindF8
  // those of an f16 with another bias.
  typedef struct packed {
    logic       neg;
    logic [7:0] exponent;
    logic [9:0] fraction;
  } fields_t;
  function automatic fields_t half_fields(input logic [15:0] x);
    return {x[15], 3'b0, x[14:0]};
  endfunction
  function automatic fields_t small_fields(input small_t format, input logic [7:0] x);
    unique case (format)
      SmallE5m2: return {x[7], 3'b0, x[6:0], 8'b0};
      SmallE2m3: return {x[5], 6'b0, x[4:0], 7'b0};
      SmallE3m2: return {x[5], 5'b0, x[4:0], 8'b0};
      SmallE2m1: return {x[5], 6'b0, x[4:2], 9'b0};
      default:   return {x[7], 4'b0, x[6:0], 7'b0};
    endcase
  endfunction
  // What exponents of a format lack to f16's bias.
  function automatic logic [4:0] small_lack(input small_t format);
    unique case (format)
      SmallE5m2:            return 5'd0;
      SmallE2m3, SmallE2m1: return 5'd14;
      SmallE3m2:            return 5'd12;
      default:              return 5'd8;
    endcase
  endfunction
  // An infinity or a NaN has ones in all bits but these and the sign.
  function automatic logic [17:0] free_bits(input kind_e kind, input small_t format);
    if (is_small(kind) && format == SmallE4m3) return {4'hf, 4'd0, 3'd0, 7'h7f};   // a NaN only
    return {{3{kind == KindF16 || is_small(kind)}}, 5'd0, 10'h3ff};   // exponents of 5 bits, of 8
  endfunction
  // Elements are bytes, or several in one.
  function automatic logic is_bytes(input kind_e kind);
    return kind inside {KindInt8, KindInt4, KindBit} || is_small(kind);
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

  // What scales add to the exponents of KindF8, which have the bias of two f16, to get bias_of.
  typedef logic signed [10:0] more_t;
  function automatic more_t more_of(input logic [7:0] a, input logic [7:0] b);
    return more_t'({1'b0, a}) + more_t'({1'b0, b}) + more_t'(190 - 30 - 2 * 127);
  endfunction
  // The exponent of a product of KindF8: the sum of the exponent fields, with what they lack.
  function automatic exponent_t small_exponent(input exponent_t fields, input more_t lack);
    // verilator lint_off UNUSEDSIGNAL // without TensorScaled
    more_t sum;
    // verilator lint_on UNUSEDSIGNAL
    sum = more_t'({2'b0, fields}) + lack;
    if (TensorScaled == 0) return {2'b01, sum[6:0]};   // bias_of
    return (sum < 0) ? '0 : sum[8:0];
  endfunction

  // ---- C as a term: sign, exponent and significand, or the integer.
  typedef struct packed {
    logic      neg;
    logic      ext;       // of an integer: the bits above the value
    exponent_t exponent;  // of an integer 0
    addend_t   value;
    logic      some;      // not zero: it has an exponent
    logic      nan;
    logic      inf;
  } addend_of_t;
  function automatic addend_of_t addend_of(
      // verilator lint_off UNUSEDSIGNAL // of the kind, what C needs
      input dot_kind_t kind,
      // verilator lint_on UNUSEDSIGNAL
      input logic [31:0] c);
    addend_of_t  r;
    logic [7:0]  e;
    logic [22:0] f;
    logic        top;
    if (kind.half) begin
      {r.neg, e, f} = {c[15], 3'b0, c[14:0], 13'h0};
      top = e[4:0] == '1;
    end else begin
      {r.neg, e, f} = c;
      top = e == '1;
    end
    r.some = e != '0 || f != '0;
    r.nan = top && f != '0;
    r.inf = top && f == '0;
    r.exponent = 9'({e[7:1], e[0] || e == '0}) + bias_of(kind.kind) -
                 (kind.half ? 9'd15 : 9'd127);
    r.value = addend_t'({e != '0, f}) << (Kept - 23);
    r.ext = 1'b0;
    if (!is_float(kind.kind)) begin
      {r.neg, r.ext, r.exponent} = {1'b0, c[31], 9'd0};
      r.value = {c, {IntegerUp{1'b0}}};
    end
    return r;
  endfunction

  // ---- Sums: of two numbers and a one.
  function automatic sum_t add(input sum_t a, input sum_t b, input logic carry);
    // verilator lint_off UNUSEDSIGNAL // the bit that makes the carry
    logic signed [39:0] r;
    // verilator lint_on UNUSEDSIGNAL
    r = $signed({a, 1'b1}) + $signed({b, carry});
    return r[39:1];
  endfunction

  // ---- Results.
  // The magnitude lies at the bottom of Width bits. If its leading one were the top bit, the
  // exponent field of the result would be the largest exponent, less its bias, plus one of these;
  // it is at least 1 in both formats whenever the sum is not zero, so that the magnitude is only
  // shifted left.
  localparam int unsigned Width = 40;
  localparam int unsigned Magnitude = 32;  // bits: 16 products below 2^(2+Kept), and the addend
  localparam int unsigned Wanted = 24;     // highest bits after the shift
  localparam logic signed [9:0] Top32 = 10'(int'(Width) - 1 - int'(Kept) + 127);
  localparam logic signed [9:0] Top16 = 10'(int'(Width) - 1 - int'(Kept) + 15);
  // Bits that a step k of the shift passes over, if it is not taken.
  function automatic logic [Width-1:0] below(input int k);
    int bits;
    bits = int'(Width - Wanted) + 1 - (1 << k);
    return (bits > 0) ? ~({Width{1'b1}} << bits) : '0;
  endfunction

  // One normalisation, cut to f32 or rounded to nearest even to f16; integers modulo 2^32 or
  // clamped. sum: in units of 2^(largest - Kept), of integers 2^-IntegerUp; carry: one unit more,
  // never of integers.
  function automatic logic [31:0] result_of(
      // verilator lint_off UNUSEDSIGNAL // of the kind, what the result needs
      input dot_kind_t kind,
      // verilator lint_on UNUSEDSIGNAL
      input sum_t sum, input logic carry, input exponent_t largest, input special_t infs);
    logic                 neg, nan, special, over, guard, lost; /*verilator no_inline_task*/
    logic [Magnitude-1:0] magnitude;
    logic [Width-1:0]     x;
    logic [5:0]           up;
    logic                 free, clear;
    logic signed [9:0]    field, room;
    logic [30:0]          f32;
    logic [14:0]          f16;
    sum_t                 whole;
    kind_e                half_kind;
    logic [31:0]          d;
    if (is_float(kind.kind)) begin
      half_kind = (TensorScaled != 0 && is_small(kind.kind)) ? KindF8 : KindF16;
      neg = sum < 0;
      magnitude = (Magnitude'(sum) ^ {Magnitude{neg}}) + Magnitude'(neg ^ carry);
      field = $signed(10'(largest)) + (kind.half ? Top16 - 10'(bias_of(half_kind)) :
                                         Top32 - 10'(bias_of(kind.kind)));
      room = (field < 10'sd1) ? '0 : field - 10'sd1;
      // Up by the leading zeros, but by `room` at most: a subnormal result keeps its place. D scaled
      // down may lie below all places. A step that only its bits refuse shows that the limit is not
      // reached.
      x = Width'(magnitude);
      free = room[9:6] != '0;
      lost = 1'b0;
      for (int k = 5; k >= 0; k--) begin
        clear = x >> (Width - (32'd1 << k)) == '0;
        up[k] = clear && (free || room[k]);
        free = free || (room[k] && !clear);
        if (up[k]) x = x << (32'd1 << k);
        else lost |= (x & below(k)) != '0;
        x = x & ~below(k);
      end
      field = x[Width-1] ? field - $signed(10'(up)) : '0;
      special = infs.nan || infs.pos || infs.neg;
      nan = infs.nan || (infs.pos && infs.neg);
      neg = nan ? 1'b0 : special ? infs.neg : neg;
      guard = x[Width-12];
      lost |= x[Width-13:Width-Wanted] != '0;
      f16 = {field[4:0], x[Width-2 -: 10]} + 15'(guard && (lost || x[Width-11]));
      f32 = {field[7:0], x[Width-2 -: 23]};
      if (kind.half) begin
        over = field[9:5] != '0 || field[4:0] == '1 || f16[14:10] == '1;
        d = {16'h0, neg && (special || over || f16 != '0), f16};
        if (special || over) d[14:0] = {5'h1f, {10{nan}}};
      end else begin
        over = field[9:8] != '0 || field[7:0] == '1;
        d = {neg && (special || over || f32 != '0), f32};
        if (special || over) d[30:0] = {8'hff, {23{nan}}};
      end
    end else begin
      whole = sum >>> IntegerUp;
      d = whole[31:0];
      if (kind.sat && whole[38:31] != {8{whole[38]}}) d = {whole[38], {31{!whole[38]}}};
    end
    return d;
  endfunction
endpackage
