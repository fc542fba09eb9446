// Sizes, classes and small functions shared by the parts of the LSU (docs/microarchitecture.md 10).
// Lane storage has one column per physical lane, at least the eight of a coalescer group; a row
// holds the Cols lanes of one part of a warp.
package lsu_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;

  localparam int unsigned Cols = (Lanes > 8) ? Lanes : 8;
  localparam int unsigned ColGroups = Cols / 8;          // groups side by side in a row
  localparam int unsigned WarpRows = 32 / Cols;          // rows of a warp
  localparam int unsigned RowBits = $clog2(LsuDepth * WarpRows);
  localparam int unsigned ColBits = $clog2(Cols);
  localparam int unsigned WordRows = 4 / LsuWords;       // rows of result words in a bank
  localparam int unsigned ResBits = RowBits + $clog2(WordRows);
  localparam logic [1:0] UnitIdLsu = 2'd3;

  typedef logic [SlotBits-1:0] slot_t;
  typedef enum logic [1:0] {ClassNone, ClassG, ClassL, ClassS} class_e;
  typedef enum logic [1:0] {FaultNone, FaultMisaligned, FaultBounds, FaultStack} fault_e;
  typedef enum logic [2:0] {OpLd = 3'd0, OpSt = 3'd1, OpAtom = 3'd2, OpRed = 3'd3} packet_op_e;

  // What a slot knows of its instruction from issue on.
  typedef struct packed {
    warp_t       warp;
    pc_t         pc;
    mem_kind_e   kind;
    mem_type_e   mtype;
    atom_op_e    atom;
    logic [7:0]  rd;
    logic [31:0] exec;
  } slot_info_t;

  // Row of a lane's storage.
  function automatic logic [RowBits-1:0] row_of(input slot_t slot, input logic [4:0] lane);
    return RowBits'({slot, lane} >> ColBits);
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
