// Types of the copy engine (docs/microarchitecture.md 23): of its ports, and of the wires between its
// parts.
package copy_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;

  localparam int unsigned EntryBits = $clog2(CopyQueue);
  localparam int unsigned PlaceBits = $clog2(CopyRows);     // of a row
  localparam int unsigned SmemBits = $clog2(SmemBytes);     // of a byte address
  localparam bit          Pair = SmemBanks >= 8;            // both halves of a sector at once
  typedef logic [EntryBits-1:0] entry_t;
  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [SmemBits-1:0]  smem_addr_t;
  typedef logic [SmemBits-5:0]  chunk_at_t;                 // shared address / 16
  typedef logic [27:0]          global_at_t;                // low bits of a global address / 16
  typedef logic [SmemBits-4:0]  chunk_count_t;              // chunks of a command, or left of it

  // An instruction in T, the cycle after the last X1.
  typedef struct packed {
    logic       valid;
    warp_slot_t warp;
    logic [4:0] lane;
    pc_t        pc;
    mem_kind_e  kind;
    mem_type_e  mtype;
    atom_op_e   atom;
    logic [63:0] g;          // global address
    logic [31:0] s;          // offset in the CTA's shared memory
    logic [31:0] k;          // bytes
    logic [31:0] m;          // LOAD: offset of the mbarrier; STORE: byte mask
    smem_addr_t base;        // where the CTA's shared memory begins
  } command_t;

  // The end of a load, offered to shared memory: MBAR COMPLETE of lane 0 of LSU beat 0. It stays,
  // unchanged, until it is taken.
  typedef struct packed {
    logic        valid;
    logic [31:0] at;         // byte address of the mbarrier, the CTA's base included
    logic [31:0] bytes;      // operand
  } copy_signal_t;

  // ---- Between the parts.
  // What an entry knows of its command from T on. m: LOAD: shared address of the mbarrier; STORE: byte
  // mask, all ones of a RED.
  localparam int unsigned MBits = (SmemBits > 16) ? SmemBits : 16;
  typedef struct packed {
    warp_slot_t   warp;
    logic [4:0]   lane;
    pc_t          pc;
    mem_kind_e    kind;
    mem_type_e    mtype;
    atom_op_e     atom;
    global_at_t   g;
    chunk_at_t    s;
    chunk_count_t chunks;    // bytes / 16
    logic [MBits-1:0] m;
  } info_t;

  // What a row knows of its sector.
  typedef struct packed {
    entry_t      entry;
    logic        last;       // sector of its command
    logic [1:0]  halves;     // present
    chunk_at_t   at;         // shared address of half 0, present or not
    logic [26:0] sector;     // low bits of the global address / 32
  } row_t;

  // An event of an entry.
  typedef struct packed {
    logic   valid;
    entry_t entry;
  } event_t;

  function automatic logic is_load(input mem_kind_e kind);
    return kind == MemKindBload;
  endfunction
  function automatic entry_t next_entry(input entry_t e);
    return (e == entry_t'(CopyQueue - 1)) ? '0 : e + entry_t'(1);
  endfunction
  function automatic place_t next_place(input place_t p);
    return (p == place_t'(CopyRows - 1)) ? '0 : p + place_t'(1);
  endfunction
endpackage
