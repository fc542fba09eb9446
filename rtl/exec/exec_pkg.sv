// Control of the fixed pipe (docs/microarchitecture.md 6.2, 6.4): what a lane must know of an
// instruction, decoded once for all lanes by exec_decode. Not shared with the model.
package exec_pkg;
  // Groups of operations that share hardware in a lane. Those of the slow lanes are at the end.
  typedef enum logic [4:0] {
    GrpSel   = 5'd0,   // d = an operand, as a sum with zero
    GrpAdd   = 5'd1,
    GrpCmp   = 5'd2,   // integer and f32 min, max, setp
    GrpLop   = 5'd3,
    GrpShift = 5'd4,   // funnel shifts, shr.s32
    GrpPlop  = 5'd5,
    GrpMul   = 5'd6,
    GrpFma   = 5'd7,   // f32 add, mul, fma
    GrpI2f   = 5'd8,   // a slow form, but of the f32 lanes
    GrpField = 5'd9,   // bfe, bfi
    GrpPrmt  = 5'd10,
    GrpCount = 5'd11,  // popc, clz, brev, bfind
    GrpSreg  = 5'd12,
    GrpF2i   = 5'd13,
    GrpFrnd  = 5'd14,
    GrpFormat = 5'd15, // conversions between floating-point formats
    GrpHalf  = 5'd16,  // two halves, f16 or bf16
    GrpPacked = 5'd17, // packed integers
    GrpSpecial = 5'd18 // special functions
  } grp_e;

  // Field op, by group.
  localparam logic [1:0] CmpMin = 2'd0;
  localparam logic [1:0] CmpMax = 2'd1;
  localparam logic [1:0] CmpSetp = 2'd2;
  localparam logic [1:0] CntPopc = 2'd0;
  localparam logic [1:0] CntClz = 2'd1;
  localparam logic [1:0] CntBrev = 2'd2;
  localparam logic [1:0] CntBfind = 2'd3;
  localparam logic [1:0] FmtNarrow = 2'd0;  // bytes: to bytes
  localparam logic [1:0] FmtTf32 = 2'd1;
  localparam logic [1:0] FmtWiden = 2'd2;
  localparam logic [1:0] FmtWiden8 = 2'd3;
  localparam logic [1:0] HalfFma = 2'd0;
  localparam logic [1:0] HalfMin = 2'd1;
  localparam logic [1:0] HalfMax = 2'd2;
  localparam logic [1:0] HalfSet = 2'd3;
  localparam logic [1:0] SpecEx2 = 2'd0;
  localparam logic [1:0] SpecLg2 = 2'd1;
  localparam logic [1:0] SpecTanh = 2'd2;
  localparam logic [1:0] PackAdd = 2'd0;
  localparam logic [1:0] PackMin = 2'd1;
  localparam logic [1:0] PackMax = 2'd2;

  // rnd codes of the instruction word; 3 is up.
  localparam logic [1:0] RndNearest = 2'd0;
  localparam logic [1:0] RndZero = 2'd1;
  localparam logic [1:0] RndDown = 2'd2;

  // Preparation of the operands of a fast form in X1.
  typedef struct packed {
    logic a;        // a is read, else the link or barrier value
    logic b;        // b is read, else zero
    logic inv_a;
    logic inv_b;
    logic abs;      // a inverted if negative
    logic carry;    // the source predicate is the carry into the sum
    logic sar;      // b = sign of a
    logic selp;     // a or b, by the predicate
    logic one;      // b = 1.0
    logic c_is_b;   // c takes b
    logic c_is_c;
    logic sign;     // c = zero with the product's sign
    logic left;     // shift amount negated
    logic fp;       // f32 arithmetic or comparison
    logic ftz;
    logic neg_a;    // sign bits of f32 operands
    logic neg_b;
    logic neg_c;
  } prep_t;

  typedef struct packed {
    grp_e       grp;
    logic [1:0] op;
    logic       sgn;    // signed integer
    logic       wide;   // 64-bit operand or result; GrpFormat: two results
    logic       second; // second step of a PAIR form of 64 bits
    logic       sum;    // the result is the adder's
    logic       fp;     // f32 comparison
    logic       arith;  // of fp32_lane: GrpFma, GrpI2f
    logic       wrap;   // shf.wrap
    logic       left;   // shf.l
    logic       high;   // high word of the product
    logic       insert; // bfi
    wl_pkg::format_e fmt; // GrpFormat, GrpHalf: the format
    logic       bytes;  // GrpFormat: narrow to bytes; GrpPacked: four of 8 bits
    logic       random; // GrpFormat: narrow by random bits
    logic       relu;
    logic       oob;    // GrpHalf
    logic       xorsign;
    logic       neg_a;  // GrpHalf: sign bits of a and c
    logic       neg_c;
    logic       neg_b;  // GrpPacked: a difference
    logic       carry;  // ADDC: carry out is the predicate
    logic [1:0] rnd;
    logic       ftz;
    logic       sat;
    logic       nan;
    logic [3:0] cmp;
    logic [1:0] bop;
    logic [7:0] terms;  // of the logic unit: 1, c, b, bc, a, ac, ab, abc, joined by XOR
  } ctl_t;

  // Floating-point arithmetic: what goes along with the sum.
  typedef struct packed {
    logic neg;
    logic sub;      // of a difference
    logic nan;
    logic inf;
    logic inf_neg;
  } fp_kind_t;
endpackage
