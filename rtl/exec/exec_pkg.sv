// Control of the fixed pipe (docs/microarchitecture.md 6.2, 6.4): what a lane must know of an
// instruction, decoded once for all lanes by exec_decode. Not shared with the model.
package exec_pkg;
  // Groups of operations that share hardware in a lane.
  typedef enum logic [3:0] {
    GrpSel   = 4'd0,   // d = one of the operands
    GrpAdd   = 4'd1,
    GrpCmp   = 4'd2,   // integer and f32 min, max, setp
    GrpLop   = 4'd3,
    GrpShift = 4'd4,   // funnel shifts, shr.s32, bfe, bfi
    GrpPrmt  = 4'd5,
    GrpCount = 4'd6,   // popc, clz, brev, bfind
    GrpPlop  = 4'd7,
    GrpMul   = 4'd8,
    GrpFma   = 4'd9,   // f32 add, mul, fma
    GrpI2f   = 4'd10,
    GrpF2i   = 4'd11,
    GrpFrnd  = 4'd12
  } grp_e;

  // Field op, by group.
  localparam logic [2:0] SelA = 3'd0;
  localparam logic [2:0] SelB = 3'd1;
  localparam logic [2:0] SelSreg = 3'd2;
  localparam logic [2:0] SelPred = 3'd3;
  localparam logic [2:0] AddAdd = 3'd0;
  localparam logic [2:0] AddSub = 3'd1;
  localparam logic [2:0] AddRsub = 3'd2;
  localparam logic [2:0] AddAbs = 3'd3;
  localparam logic [2:0] CmpMin = 3'd0;
  localparam logic [2:0] CmpMax = 3'd1;
  localparam logic [2:0] CmpSetp = 3'd2;
  localparam logic [2:0] ShLeft = 3'd0;
  localparam logic [2:0] ShRight = 3'd1;
  localparam logic [2:0] ShArith = 3'd2;
  localparam logic [2:0] ShExtract = 3'd3;
  localparam logic [2:0] ShInsert = 3'd4;
  localparam logic [2:0] CntPopc = 3'd0;
  localparam logic [2:0] CntClz = 3'd1;
  localparam logic [2:0] CntBrev = 3'd2;
  localparam logic [2:0] CntBfind = 3'd3;
  localparam logic [2:0] MulLow = 3'd0;
  localparam logic [2:0] MulHigh = 3'd1;
  localparam logic [2:0] FmaAdd = 3'd0;
  localparam logic [2:0] FmaMul = 3'd1;
  localparam logic [2:0] FmaFma = 3'd2;

  // rnd codes of the instruction word; 3 is up.
  localparam logic [1:0] RndNearest = 2'd0;
  localparam logic [1:0] RndZero = 2'd1;
  localparam logic [1:0] RndDown = 2'd2;

  typedef struct packed {
    grp_e       grp;
    logic [2:0] op;
    logic       sgn;    // signed integer
    logic       wide;   // 64-bit operand or result
    logic       step;   // 1: second step of a PAIR form
    logic       fp;     // f32 comparison
    logic       wrap;   // shf.wrap
    logic [1:0] rnd;
    logic       ftz;
    logic       sat;
    logic       nan;
    logic       neg_a;
    logic       neg_b;
    logic       neg_c;
    logic [3:0] cmp;
    logic [1:0] bop;
    logic [7:0] lut;
  } ctl_t;
endpackage
