// Sizes, classes and small functions shared by the parts of the LSU (docs/microarchitecture.md 10).
// Lane storage has one column per lane of an LSU beat; a row holds one LSU beat of a slot. A
// coalescer group is eight lanes, or the LSU beat where that is less.
package lsu_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;

  localparam int unsigned Cols = LsuLanes;
  localparam int unsigned GroupLanes = (LsuLanes < 8) ? LsuLanes : 8;
  localparam int unsigned GroupBits = $clog2(GroupLanes);
  localparam int unsigned Groups = 32 / GroupLanes;      // of a warp
  localparam int unsigned ColGroups = Cols / GroupLanes; // side by side in a row
  localparam int unsigned RowBits = $clog2(LsuDepth * LsuBeats);
  localparam int unsigned ColBits = $clog2(Cols);
  localparam int unsigned SmemBits = $clog2(SmemBytes);   // of a byte address
  // Result words are picked as they come, and a sub-word is filled up at write-back; or all are finished
  // when they come.
  localparam bit LateExtend = LsuWords == 2;
  localparam int unsigned WordRows = LateExtend ? 4 : 4 / LsuWords;  // rows of results in a bank
  localparam int unsigned ResBits = RowBits + $clog2(WordRows);
  // Addresses and operand words come from memories with registered outputs: read one cycle ahead,
  // words 2 and 3 for shared memory one cycle after the others.
  localparam bit LateWords = SmemWide == 0;
  // With groups of two lanes, which come together: whether they share a sector, and a word's place
  // in one, is compared as they come and lies beside the second lane's address.
  localparam bit KeptSame = LateWords && GroupLanes == 2 && LsuLanes == 2;
  typedef struct packed {
    logic sector;  // address bits 31:5
    logic place;   // bits 4:2
    logic low;     // bits 1:0
  } same_t;

  typedef logic [SlotBits-1:0] slot_t;
  typedef enum logic [1:0] {ClassNone, ClassG, ClassL, ClassS} class_e;
  typedef enum logic [1:0] {FaultNone, FaultMisaligned, FaultBounds, FaultStack} fault_e;

  // What a slot knows of its instruction from issue on.
  typedef struct packed {
    warp_slot_t  warp;
    pc_t         pc;
    mem_kind_e   kind;
    mem_type_e   mtype;
    atom_op_e    atom;
    matrix_e     matrix;     // of LDMATRIX, STMATRIX
    logic [1:0]  last_word;  // last word of a lane's result, or of a matrix store
    logic [7:0]  rd;
  } slot_info_t;
  // What its write-back needs of it.
  typedef struct packed {
    warp_slot_t  warp;
    mem_type_e   mtype;
    matrix_e     matrix;
    logic [1:0]  last_word;
    logic [7:0]  rd;
    logic        copy;       // CPASYNC: words go to shared memory
    logic        arrive;     // CPARRIVE
  } wb_info_t;
  // What write-back offers to shared memory (22.1): word k of a copy's LSU beat, or arrivals.
  typedef struct packed {
    logic                   valid;
    slot_t                  slot;
    warp_slot_t             warp;
    logic                   arrive;
    logic [LsuBeatBits-1:0] beat;
    logic [Cols-1:0]        mask;
    logic [1:0]             word;
  } offer_t;
  typedef logic [Groups-1:0]   groups_t;
  typedef logic [LsuBeats-1:0] beats_t;
  typedef logic [4-GroupBits:0] group_t;          // number of a group
  typedef logic [GroupLanes-1:0] lanes_t;         // of a group

  // What X1 of its LSU beats tells of a slot, but for the address of its fault.
  typedef struct packed {
    logic [4:0]  fault_lane;
    fault_e      fault;
    logic        has_g;   // any_g is not 0
    logic        has_l;
    groups_t     any_g;   // groups with global lanes
    groups_t     any_l;
    beats_t      any_s;   // LSU beats with shared lanes
  } slot_fill_t;

  // A step of X1 as its addresses are compared with their limits.
  typedef struct packed {
    logic        first;   // step 0: completes addresses
    logic        last;    // of the slot
    slot_t       slot;
    logic [4:0]  lane0;   // first lane of the LSU beat
    logic        atom;
    logic        matrix;  // all lanes are of E, not only those with an address
    logic        shared;  // of shared memory only
    logic        copy;    // CPASYNC: has a destination
    logic        arrive;  // CPARRIVE
    logic [3:0]  low;     // access bytes - 1
  } fill_step_t;

  // Row of a lane's storage.
  function automatic logic [RowBits-1:0] row_of(input slot_t slot, input logic [4:0] lane);
    return RowBits'({slot, lane} >> ColBits);
  endfunction

  // Column of lane i of a group.
  function automatic logic [ColBits-1:0] col_of(input group_t grp, input int unsigned i);
    return ColBits'(32'(grp) * GroupLanes + i);
  endfunction

  // First lane of the lowest LSU beat of v.
  function automatic logic [4:0] first_lane(input beats_t v);
    return 5'(32'(cells_pkg::number(cells_pkg::lowest(64'(v)))) * LsuLanes);
  endfunction

  // An operation on mbarriers or a test of them.
  function automatic logic is_mbarrier(input mem_kind_e kind);
    return kind == MemKindMbar || kind == MemKindMbtest || kind == MemKindCparrive;
  endfunction

  // log2 of the access bytes.
  function automatic logic [2:0] size_of(input mem_type_e t);
    unique case (t)
      MemTypeU8, MemTypeS8, MemTypeB8:       return 3'd0;
      MemTypeU16, MemTypeS16, MemTypeB16:    return 3'd1;
      MemTypeB64, MemTypeU64, MemTypeS64:    return 3'd3;
      MemTypeB128:                           return 3'd4;
      default:                               return 3'd2;
    endcase
  endfunction

  function automatic logic [1:0] last_word_of(input logic [2:0] size);
    return (size == 3'd4) ? 2'd3 : (size == 3'd3) ? 2'd1 : 2'd0;
  endfunction
endpackage
