// Types and constants of the unit of 64-bit floating point (docs/microarchitecture.md 20). The
// frame is the fixed-point number in which a product and an addend are summed:
//   163..111 addend before it is shifted, 110..109 zero, 108..3 product, 2..1 guard, 0 sticky.
// An addend that lies higher stands at the top, then the product counts only as not zero: two zero
// bits between them keep it below what rounding looks at.
package fp64_pkg;
  localparam int unsigned Sig = 53;            // significand
  localparam int unsigned Frame = 164;
  localparam int unsigned AddendAt = 111;      // lowest bit of the addend before it is shifted
  localparam int unsigned ProductAt = 3;
  // Exponent fields of a factor each add up to that of the top of the frame and this.
  localparam int unsigned TopBias = 967;
  typedef logic [63:0]      f64_t;
  typedef logic [Sig-1:0]   sig_t;
  typedef logic [10:0]      exp_t;
  typedef logic [11:0]      wide_exp_t;
  typedef logic [Frame-1:0] frame_t;
  typedef logic [7:0]       shift_t;           // in the frame
  localparam f64_t One = 64'h3ff0_0000_0000_0000;
  localparam f64_t Quiet = 64'h0008_0000_0000_0000;
  localparam f64_t Invalid = 64'hfff8_0000_0000_0000;  // NaN of an invalid operation
  localparam logic [62:0] Infinity = 63'h7ff0_0000_0000_0000;
  localparam logic [62:0] Largest = 63'h7fef_ffff_ffff_ffff;

  // What a lane gets: the sum of x * y and z.
  typedef struct packed {
    logic       negate;   // z, unless it is a NaN
    logic       product;  // without z
    logic [1:0] rnd;
  } fp64_kind_t;

  // verilator lint_off UNUSEDSIGNAL // of a number what the function looks at
  function automatic logic is_nan(input f64_t v);
    return v[62:0] > Infinity;
  endfunction
  function automatic logic is_infinity(input f64_t v);
    return v[62:0] == Infinity;
  endfunction
  function automatic sig_t significand(input f64_t v);
    return {v[62:52] != '0, v[51:0]};
  endfunction
  // Exponent field; of a subnormal number and of zero that of the smallest normal number.
  function automatic exp_t exponent(input f64_t v);
    return v[62:52] | exp_t'(v[62:52] == '0);
  endfunction
  // verilator lint_on UNUSEDSIGNAL
  // Bits before the highest one; of zero 63.
  function automatic logic [5:0] leading_zeros(input logic [63:0] v);
    logic [63:0] x;
    logic [5:0] n;
    x = v;
    n[5] = x[63:32] == '0;
    if (n[5]) x <<= 32;
    n[4] = x[63:48] == '0;
    if (n[4]) x <<= 16;
    n[3] = x[63:56] == '0;
    if (n[3]) x <<= 8;
    n[2] = x[63:60] == '0;
    if (n[2]) x <<= 4;
    n[1] = x[63:62] == '0;
    if (n[1]) x <<= 2;
    n[0] = !x[63];
    return n;
  endfunction
endpackage
