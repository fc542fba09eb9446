// Types of the unit of products in tensor memory (docs/microarchitecture.md 25): of its wires to the
// sub-cores and to shared memory, and between its parts.
package umma_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import tensor_pkg::*;
  import tmem_pkg::*;

  localparam int unsigned UmmaEntryBits = (UmmaQueue > 1) ? $clog2(UmmaQueue) : 1;
  localparam int unsigned UmmaSmemBits = $clog2(SmemBytes);
  localparam int unsigned AtBits = UmmaSmemBits - 4;
  typedef logic [UmmaEntryBits-1:0] umma_entry_t;
  typedef logic [AtBits-1:0]        umma_at_t;     // shared address / 16

  // Passes of a command: quarters that come one after the other (25.4). Units of eight rows: of A in a
  // pass at most, of B. A half of a unit: eight rows of eight elements.
  localparam int unsigned Passes = 4 / SubCores;
  localparam int unsigned RowUnits = 4 * SubCores;
  localparam int unsigned RowUnitBits = $clog2(RowUnits);
  typedef logic [QuarterBits-1:0] pass_t;
  typedef logic [RowUnitBits-1:0] row_unit_t;
  typedef logic [7:0][127:0]      half_t;

  // Operations, their numbers in wl_pkg. Bytes of an element in shared memory and in the buffers.
  typedef logic [2:0] umma_code_t;
  localparam umma_code_t CodeF16 = umma_code_t'(UmmaF16), CodeCommit = umma_code_t'(UmmaCommit),
                         CodeTf32 = umma_code_t'(UmmaTf32), CodeF8 = umma_code_t'(UmmaF8f6f4),
                         CodeI8 = umma_code_t'(UmmaI8), CodeCp = umma_code_t'(UmmaCp),
                         CodeShift = umma_code_t'(UmmaShift);
  // MXF4; MXF8F6F4 is CodeF8 with scales.
  localparam umma_code_t CodeMx4 = umma_code_t'(7);
  function automatic logic is_mx4(input umma_code_t code);
    return TensorScaled != 0 && code == CodeMx4;
  endfunction
  typedef enum logic [1:0] {SizeByte, SizeHalf, SizeWord} umma_size_e;
  function automatic umma_size_e size_of(input umma_code_t code);
    return (code == CodeF16) ? SizeHalf : (code == CodeTf32) ? SizeWord : SizeByte;
  endfunction
  function automatic logic is_product(input umma_code_t code);
    return code inside {CodeF16, CodeTf32, CodeF8, CodeI8} || is_mx4(code);
  endfunction

  // Slices of a group (26.4, 26.11): of 16 and 32 bits, of integers, of KindF8 (twice with 8 products),
  // of KindMx4.
  localparam int unsigned UmmaSliceBits = (DotTerms == 8) ? 3 : 1;
  typedef logic [UmmaSliceBits-1:0] umma_slice_t;
  function automatic umma_slice_t last_slice_of(input umma_code_t code);
    int unsigned slices;
    slices = (code == CodeF8) ? (DotTerms == 8 ? 8 : 2) : is_mx4(code) ? 2 :
             (code == CodeI8) ? 32 / DotTerms : 16 / DotTerms;
    return umma_slice_t'(slices - 1);
  endfunction

  // ---- Commands.
  // An instruction in T, the cycle after the last X1.
  typedef struct packed {
    logic               valid;
    umma_code_t         code;
    logic               scaled;    // a form of block scales
    logic               b16;       // MXF4: a scale for 16 elements
    logic               ta;        // A is in tensor memory
    logic [4:0]         imm;       // CP: unpacking, shape
    logic               generic;   // COMMIT: a[1]:a[0] is a generic address
    logic               read;      // p: D is read
    logic [3:0]         scale;     // e
    warp_slot_t         warp;
    logic [CtaBits-1:0] cta;
    logic [4:0]         lane;
    pc_t                pc;
    umma_at_t           base;      // where the CTA's shared memory begins, / 16
    logic [3:0][31:0]   a;
    logic [1:0][31:0]   b;
    logic [3:0][31:0]   off;       // lanes of D that are not written; of a scaled one [0]: sa, [1]: sb
  } umma_command_t;

  // Of a descriptor of shared memory, what the fetch needs. Offsets / 16.
  typedef struct packed {
    umma_at_t   start;             // the CTA's base included: a multiple of 1,024 bytes
    umma_at_t   lbo;
    umma_at_t   sbo;
    logic [2:0] offset;            // base offset
    logic [2:0] swizzle;
    logic       across;            // MN-major
    logic       neg;
    small_t     format;            // format of its elements of 8, 6 and 4 bits
  } umma_operand_t;

  typedef logic [UmmaSmemBits-1:0] umma_byte_t;    // byte address in shared memory

  // What an entry knows of its command from T on.
  typedef struct packed {
    umma_code_t       code;
    umma_byte_t       mbar;        // COMMIT: the mbarrier, the CTA's base included
    warp_slot_t       warp;
    logic [4:0]       lane;
    pc_t              pc;
    umma_operand_t    a;
    umma_operand_t    b;
    logic             tall;        // M = 128, not 64
    logic             high;        // z
    logic [4:0]       last_block;  // blocks of B, less one
    logic             read;
    logic             half;        // D is f16
    logic             bf16;
    logic             sat;
    logic [3:0]       scale;
    column_t          column;      // of D; CP, SHIFT: the first that is written
    logic             ta;          // A is in tensor memory
    column_t          from;        // its first column; SHIFT: likewise
    logic [1:0]       quarter;     // SHIFT
    logic [2:0]       shape;       // CP
    logic             short_k;     // CP: a row has one chunk
    logic [4:0]       first_lane;  // CP of one lane: that lane
    logic [3:0][31:0] off;         // lanes that are not written; M = 64: the idle ones too
    logic             scaled;      // with block scales
  } umma_info_t;
  // Likewise of its scales.
  typedef struct packed {
    column_t    a;                 // the first columns
    column_t    b;
    logic [1:0] id_a;
    logic [1:0] id_b;
    logic       b16;
    logic       e4m3;              // ue4m3, not ue8m0
  } umma_scaling_t;

  // Offer to shared memory: MBAR ARRIVE of lane 0 of LSU beat 0. It stays until it is taken.
  typedef struct packed {
    logic        valid;
    logic [31:0] at;               // byte address of the mbarrier, the CTA's base included
  } umma_signal_t;

  // ---- Fetch. A request that was granted: what its answer gives.
  typedef struct packed {
    logic       valid;
    logic [7:0] served;            // chunks
    logic       across;
    logic       neg;
    umma_size_e size;
    small_t     format;
    logic       upper;             // MN-major of bytes: rows 8 to 15 of each chunk
    logic [1:0] half;              // of the unit
    logic       last;              // of what goes to the operands at once
    logic       fills;             // of its buffer
    logic       b;                 // of B, not of A
    logic       buffer;
    row_unit_t  unit;              // of A: in the pass
  } umma_note_t;
  localparam int unsigned UmmaQuadBits = (smem_pkg::Quads > 1) ? $clog2(smem_pkg::Quads) : 1;
  typedef logic [UmmaQuadBits-1:0] umma_quad_t;
  // Sixteen bytes of K of a unit, as they go to the operands; with one row of the engine, which has one
  // chunk in a cycle, the chunk alone.
  localparam bit ByChunk = DotRows == 1;
  typedef struct packed {
    logic      valid;
    logic      b;                  // of B, not of A
    logic      buffer;
    row_unit_t unit;               // of A: in the pass
    logic      half;
  } umma_fill_t;
  typedef struct packed {
    logic [2:0] number;            // in the half
    logic       across;
    umma_size_e size;
    logic       upper;             // MN-major of bytes: rows 8 to 15
    logic       second;            // and bytes 8 to 15 of K
  } umma_piece_t;

  // Rows of tensor memory that are read, in which sub-cores (26.6), and their words in the next cycle.
  typedef struct packed {
    logic [SubCores-1:0] valid;
    quarter_t            quarter;
    tmem_row_t           row;
    logic                apart;     // and as many columns on as the sub-core's number
  } umma_read_t;
  typedef struct packed {
    logic [SubCores-1:0] valid;
    logic                buffer;
    logic [2:0]          word;
    logic [BeatBits-1:0] beat;
    logic [31:0]         signs;     // that are inverted
  } umma_take_t;

  // ---- Engine. The slice of a cycle: from the unit to all sub-cores.
  typedef struct packed {
    logic       valid;
    logic       first;             // slice of its group
    logic       last;
    logic       adds;              // its products are summed: the first of the group
    logic       part;              // with NarrowHalves: high bytes
    small_t     small_a;
    small_t     small_b;
    logic       begins;            // its row of D is read in this cycle
    logic       ends;              // the group's results complete the row of D
    logic       read;              // p
    dot_kind_t  kind;
    logic [3:0] scale;
    quarter_t   quarter;           // in the sub-core
    tmem_row_t  row;
    logic [4:0] lane;              // first of the group
  } umma_step_t;

  // Place of a row of D in tensor memory.
  typedef struct packed {
    quarter_t   quarter;
    tmem_row_t  row;
    logic [4:0] lane;              // first of the group that completes it
  } umma_row_t;
  // A row that a copy or a shift writes, in which sub-cores (26.7).
  typedef struct packed {
    logic [SubCores-1:0] valid;
    umma_row_t           row;
  } umma_put_t;

  // Scales (26.10), to all sub-cores: which words came with the last read, which ones a step takes.
  typedef struct packed {
    logic            take;         // scale words came
    logic            take_b;       // of B, eight lanes of the row
    logic [1:0]      take_part;
    logic            take_buffer;
    logic            scaled;       // the step has scales
    logic            buffer;
    logic [2:0]      column;       // of the block
    logic            e4m3;
    logic [1:0][1:0] a;            // bytes of the words
    logic [1:0][1:0] b;
  } umma_scale_t;

  // To all sub-cores, beside the step: what they do, operand B, lanes that are not written, by quarter.
  typedef struct packed {
    logic             on;
    logic             hold;        // no set is taken
    logic             move;        // with on: all pipes move
    slice_words_t     b;           // in the cycle after a step
    logic [3:0][31:0] off;
    umma_read_t       read;
    umma_put_t        put;
    umma_scale_t      scale;
  } umma_lanes_t;

  // From a sub-core, as visible in this cycle.
  typedef struct packed {
    logic cur;                     // the tensor unit works on a set
    logic next;                    // the next one is full
    logic busy;                    // groups of a block are in the pipe, or drain is valid
    logic blocked;                 // drain waits
  } umma_state_t;

  // log2 of the bytes / 16 that a pattern is wide.
  function automatic logic [1:0] width_of(input logic [2:0] swizzle);
    unique case (swizzle)
      3'd6:       return 2'd1;
      3'd4:       return 2'd2;
      3'd1, 3'd2: return 2'd3;
      default:    return 2'd0;
    endcase
  endfunction

  // The chunk at x is at s(x) (25.3).
  function automatic umma_at_t swizzled(input umma_at_t x, input logic [2:0] offset,
                                        input logic [2:0] swizzle);
    logic [2:0] h, change;
    h = x[5:3] - offset;
    unique case (swizzle)
      3'd6:    change = {2'b0, h[0]};
      3'd4:    change = {1'b0, h[1:0]};
      3'd2:    change = h;
      3'd1:    change = {h[1:0], 1'b0};
      default: change = '0;
    endcase
    return x ^ umma_at_t'(change);
  endfunction

  // The signs of 16 bytes of an operand.
  function automatic logic [127:0] signs_of(input umma_size_e size, input small_t format);
    unique case (size)
      SizeHalf: return {8{16'h8000}};
      SizeWord: return {4{32'h8000_0000}};
      default: begin
        if (TensorScaled != 0 && format == SmallPair) return {16{8'h88}};
        return (format == SmallE4m3 || format == SmallE5m2) ? {16{8'h80}} : {16{8'h20}};
      end
    endcase
  endfunction

  function automatic umma_entry_t next_command(input umma_entry_t e);
    return (32'(e) == UmmaQueue - 1) ? '0 : e + umma_entry_t'(1);
  endfunction
endpackage
