// Types inside the tensor unit (docs/microarchitecture.md 19).
package tensor_pkg;
  import wl_pkg::*;
  import config_pkg::*;

  localparam int unsigned SliceWords = DotTerms / 2;  // 32-bit words of a slice of 16-bit elements
  localparam int unsigned Quads = (DotTerms + 7) / 8; // registers of a row that a slice reads
  // Registers of b; those of a column of B that a slice reads.
  localparam int unsigned BRegs = (TensorSparse != 0) ? 4 : 2;
  localparam int unsigned BQuads = (TensorSparse != 0) ? 2 * Quads : Quads;
  typedef logic [2*SliceWords-1:0][1:0] places_t;     // metadata of a row of A and a slice
  localparam int unsigned SetBits = (TensorSets > 1) ? $clog2(TensorSets) : 1;
  localparam int unsigned Elements = 128;             // of D at most
  localparam int unsigned Groups = Elements / DotRows;
  localparam int unsigned GroupBits = $clog2(Groups);
  localparam int unsigned SlicesMost = 32 / DotTerms; // of an element
  localparam int unsigned SliceBits = (SlicesMost > 1) ? $clog2(SlicesMost) : 1;
  typedef logic [SetBits-1:0]   set_t;
  typedef logic [SliceWords-1:0][31:0] slice_words_t;
  typedef logic [GroupBits-1:0] group_t;
  typedef logic [SliceBits-1:0] slice_t;

  // KindF8: floating point of 8, 6 and 4 bits, of products in tensor memory only (26.4).
  // KindMx4: of 4 bits, in groups with scales (26.11).
  typedef enum logic [2:0] {
    KindF16, KindBf16, KindTf32, KindInt8, KindInt4, KindBit, KindF8, KindMx4
  } kind_e;
  // Format of an element of KindF8, in a byte, as instruction descriptors name it (26.1).
  typedef logic [2:0] small_t;
  localparam small_t SmallE4m3 = 3'd0, SmallE5m2 = 3'd1, SmallE2m3 = 3'd3, SmallE3m2 = 3'd4,
                     SmallE2m1 = 3'd5;
  localparam small_t SmallPair = 3'd7;     // two e2m1 in a byte, of KindMx4

  // Scales of the rows of A and B that meet, bytes as they stand in tensor memory (26.10): of KindF8
  // the first, of KindMx4 one for each group of the slice. Without scales 1, ue8m0.
  typedef struct packed {
    logic            e4m3;     // ue4m3, not ue8m0
    logic [1:0][7:0] a;
    logic [1:0][7:0] b;
  } scales_t;

  // What the dot product must know of an instruction.
  typedef struct packed {
    kind_e kind;
    logic  half;       // C and D are f16
    logic  unsigned_a; // integers
    logic  unsigned_b;
    logic  sat;
    logic  differ;     // one bit: counts where a and b differ
  } dot_kind_t;

  // What a set knows of its instruction.
  typedef struct packed {
    sm_pkg::warp_t warp;
    sm_pkg::pc_t   pc;
    logic [7:0]    rd;
    dot_kind_t     kind;
    logic          tall;       // A has 16 rows
    logic          long_k;     // K has 32 bytes
    logic          sparse;     // 19.3; 0 without TensorSparse
    logic [1:0]    sel;        // where the metadata stands
    logic [2:0]    a_words;
    logic [2:0]    b_words;
  } set_info_t;

  // A slice on its way through the pipe.
  typedef struct packed {
    logic      valid;
    logic      first;  // of its element
    logic      last;
    logic      adds;   // the sum begins with it: first, if its products are summed (26.4)
    dot_kind_t kind;
  } slice_ctl_t;

  // With 8 products a slice a block of KindF8 comes twice: exponents, then products (26.4).
  localparam bit Twice = Umma != 0 && DotTerms == 8;

  // With 8 products a slice of small elements is the low, then the high byte of each 16 bits of the
  // words that a slice of 16-bit elements has: the order of exact sums does not matter.
  localparam bit NarrowHalves = DotTerms == 8;

  typedef logic [8:0]         exponent_t;  // with the biases of both operands (bias_of)
  localparam int unsigned IntegerUp = 5;   // integers are summed as if a term had such bits below
  typedef logic [31+IntegerUp:0] addend_t;  // significand, Kept bits after the point; or integer
  typedef logic signed [38:0] sum_t;

  // One product of floating-point numbers, or of integers.
  typedef struct packed {
    logic        neg;
    exponent_t   exponent;
    logic [21:0] value;            // significand, or a signed integer
  } term_t;

  // What of a sum is no number.
  typedef struct packed {
    logic nan;
    logic pos;  // infinities
    logic neg;
  } special_t;

  function automatic kind_e kind_of(input tensor_op_e op);
    unique case (op)
      TensorF16, TensorF16h: return KindF16;
      TensorBf16:            return KindBf16;
      TensorTf32:            return KindTf32;
      TensorInt8:            return KindInt8;
      TensorInt4:            return KindInt4;
      default:               return KindBit;  // TensorBit, or an operation of another unit
    endcase
  endfunction
  // What the exponent of a product is too high by; so are all exponents of its sum. Products of f16
  // have 128 more than their operands' biases: then no exponent is negative. With scales there may be
  // any exponent: those that are below zero are too low to count.
  function automatic exponent_t bias_of(input kind_e kind);
    if (TensorScaled != 0 && is_small(kind)) return 9'd190;
    return (kind == KindF16 || is_small(kind)) ? 9'd158 : 9'd254;
  endfunction
  function automatic logic is_grouped(input kind_e kind);
    return TensorScaled != 0 && kind == KindMx4;
  endfunction
  function automatic logic is_small(input kind_e kind);
    return Umma != 0 && kind == KindF8;
  endfunction
  function automatic logic is_float(input kind_e kind);
    return kind inside {KindF16, KindBf16, KindTf32} || is_small(kind) || is_grouped(kind);
  endfunction
endpackage
