// Types of the ports of shared memory (docs/microarchitecture.md 11, 11b): of the LSU's port and of the
// chunk port. The function that cuts a load's result out of a word stands here too.
package smem_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;

  // Request of the LSU to shared memory: an LSU beat (11), the copy engine's signal (23.3), or a commit
  // (25.8). Lane arrays are separate.
  typedef struct packed {
    logic                bulk;   // the copy engine's, slot 0, or a commit, slot 1: of no slot
    logic [SlotBits-1:0] slot;
    mem_kind_e           kind;
    mem_type_e           mtype;
    atom_op_e            atom;
    logic [LsuBeatBits-1:0] beat;
    logic [LsuLanes-1:0] mask;
  } smem_req_t;

  // Results of an LSU beat from shared memory, also for stores (no data then).
  typedef struct packed {
    logic                bulk;
    logic [SlotBits-1:0] slot;
    logic [LsuBeatBits-1:0] beat;
    logic [LsuLanes-1:0] mask;
    logic [3:0]          words;  // which of the four result words of each lane (0 for stores)
    logic                last;   // of the request: subtracts from outstanding
  } smem_rsp_t;

  // mbarriers (21.2): phases completed; place of an object, byte address / 8; lane of a request.
  localparam int unsigned SmemLaneBits = (LsuLanes > 1) ? $clog2(LsuLanes) : 1;
  typedef logic [30:0] mbar_gen_t;
  typedef logic [$clog2(SmemBytes)-4:0] mbar_at_t;
  typedef logic [SmemLaneBits-1:0] smem_lane_t;

  // The operation that acts in a cycle, as far as it completes a phase or is misuse.
  typedef struct packed {
    logic       complete;
    logic       misuse;
    smem_lane_t lane;
    mbar_at_t   at;
  } mbar_act_t;

  // First misuse of the request whose results are delivered.
  typedef struct packed {
    logic       valid;
    smem_lane_t lane;
    mbar_at_t   at;
  } mbar_misuse_t;

  // Chunk port of shared memory (11b). Quad k is the banks 4k .. 4k + 3: 16 bytes of a row.
  localparam int unsigned SmemRowBits = $clog2(SmemBytes / 4 / SmemBanks);
  localparam int unsigned Quads = SmemBanks / 4;
  localparam int unsigned ChunkTagBits = 8;
  localparam int unsigned ChunkNumberBits = 3;   // of a requester
  localparam int unsigned ChunkPorts = (HasChunk != 0) ? ChunkRequesters : 1;
  typedef struct packed {
    logic                   valid;
    logic [SmemRowBits-1:0] row;
    logic [15:0]            bytes;  // that a store writes
    logic [127:0]           data;   // of a store
  } chunk_quad_t;

  typedef struct packed {
    logic                    valid;
    logic                    store;
    logic [ChunkTagBits-1:0] tag;   // comes back with the answer
    chunk_quad_t [Quads-1:0] quad;
  } chunk_req_t;

  typedef struct packed {
    logic                       valid;      // answer of a load
    logic [ChunkNumberBits-1:0] requester;
    logic [ChunkTagBits-1:0]    tag;
    logic [Quads-1:0][127:0]    data;       // of the quads that were asked for
  } chunk_rsp_t;

  // Result of a load: the sub-word of w at byte at; words have place 0.
  function automatic logic [31:0] extend(input mem_type_e t, input logic [31:0] w,
                                         input logic [1:0] at);
    logic [15:0] v;
    logic        is_byte, is_sub, fill;
    is_byte = t == MemTypeU8 || t == MemTypeS8;
    is_sub = is_byte || t == MemTypeU16 || t == MemTypeS16;
    v = at[1] ? w[31:16] : w[15:0];
    if (at[0]) v[7:0] = v[15:8];
    fill = (t == MemTypeS8 && v[7]) || (t == MemTypeS16 && v[15]);
    return {is_sub ? {16{fill}} : w[31:16], is_byte ? {8{fill}} : v[15:8], v[7:0]};
  endfunction
endpackage
