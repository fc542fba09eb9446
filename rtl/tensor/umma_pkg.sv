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

  // ---- Commands.
  // An instruction in T, the cycle after the last X1.
  typedef struct packed {
    logic               valid;
    logic               commit;
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
    logic [3:0][31:0]   off;       // lanes of D that are not written
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
  } umma_operand_t;

  typedef logic [UmmaSmemBits-1:0] umma_byte_t;    // byte address in shared memory

  // What an entry knows of its command from T on.
  typedef struct packed {
    logic             commit;
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
    logic [3:0]       scale;
    column_t          column;      // of D
    logic [3:0][31:0] off;         // lanes that are not written; M = 64: the idle ones too
  } umma_info_t;

  // Offer to shared memory: MBAR ARRIVE of lane 0 of LSU beat 0. It stays until it is taken.
  typedef struct packed {
    logic        valid;
    logic [31:0] at;               // byte address of the mbarrier, the CTA's base included
  } umma_signal_t;

  // ---- Fetch. A half that is complete, as it goes to the operands.
  typedef struct packed {
    logic      valid;
    logic      b;                  // of B, not of A
    logic      buffer;
    row_unit_t unit;               // of A: in the pass
    logic      half;
  } umma_fill_t;

  // ---- Engine. The slice of a cycle: from the unit to all sub-cores.
  typedef struct packed {
    logic       valid;
    logic       first;             // slice of its group
    logic       last;
    logic       begins;            // its row of D is read in this cycle
    logic       ends;              // the group's results complete the row of D
    logic       read;              // p
    dot_kind_t  kind;
    logic [3:0] scale;
    quarter_t   quarter;           // in the sub-core
    tmem_row_t  row;
    logic [4:0] lane;              // first of the group
  } umma_step_t;

  // To all sub-cores, beside the step: what they do, operand B, lanes that are not written, by quarter.
  typedef struct packed {
    logic             on;
    logic             hold;        // no set is taken
    logic             move;        // with on: all pipes move
    slice_words_t     b;           // in the cycle after a step
    logic [3:0][31:0] off;
  } umma_lanes_t;

  // From a sub-core, as visible in this cycle.
  typedef struct packed {
    logic cur;                     // the tensor unit works on a set
    logic next;                    // the next one is full
    logic busy;                    // groups of a block are in the pipe, or drain is valid
  } umma_state_t;

  // Place of a row of D in tensor memory.
  typedef struct packed {
    quarter_t   quarter;
    tmem_row_t  row;
    logic [4:0] lane;              // first of the group that completes it
  } umma_row_t;

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

  function automatic umma_entry_t next_command(input umma_entry_t e);
    return (32'(e) == UmmaQueue - 1) ? '0 : e + umma_entry_t'(1);
  endfunction
endpackage
