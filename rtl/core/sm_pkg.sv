// Types of the wires between the units of an SM (docs/interfaces.md). Not shared with the model.
package sm_pkg;
  import wl_pkg::*;
  import config_pkg::*;

  // A sub-core numbers its warps from 0: warp w of sub-core k is slot w * SubCores + k of the SM.
  localparam int unsigned SubWarps = Warps / SubCores;
  localparam int unsigned SubBits = (SubCores > 1) ? $clog2(SubCores) : 1;
  localparam int unsigned WarpBits = $clog2(SubWarps);
  localparam int unsigned WarpSlotBits = $clog2(Warps);
  localparam int unsigned CtaBits = $clog2(Ctas);
  localparam int unsigned BeatBits = (Beats > 1) ? $clog2(Beats) : 1;
  // Parts of a beat (6.1) for slow forms, for f32 arithmetic, for the LSU; the most of them.
  localparam int unsigned SlowParts = Lanes / SlowLanes;
  localparam int unsigned FpParts = Lanes / FpLanes;
  localparam int unsigned LsuParts = Lanes / LsuLanes;
  localparam int unsigned FastParts = (FpParts > LsuParts) ? FpParts : LsuParts;
  localparam int unsigned MaxParts = (SlowParts > FastParts) ? SlowParts : FastParts;
  localparam int unsigned PartBits = (MaxParts > 1) ? $clog2(MaxParts) : 1;
  localparam int unsigned LsuBeats = 32 / LsuLanes;       // LSU beats of a warp (10)
  localparam int unsigned LsuBeatBits = (LsuBeats > 1) ? $clog2(LsuBeats) : 1;
  localparam int unsigned SubPages = RegPages / SubCores;
  localparam int unsigned PageBits = $clog2(SubPages);
  localparam int unsigned SlotBits = $clog2(LsuDepth);
  localparam int unsigned RfRows = SubPages * 2 * Beats;  // rows of one register bank
  localparam int unsigned RfRowBits = $clog2(RfRows);

  typedef logic [WarpBits-1:0] warp_t;           // in its sub-core
  typedef logic [WarpSlotBits-1:0] warp_slot_t;  // in the SM
  typedef logic [SubBits-1:0] sub_t;
  typedef logic [27:0] pc_t;
  typedef logic [$bits(trap_e)-1:0] cause_t;     // trap.def code

  // A decoded instruction as it lies in an instruction buffer.
  typedef struct packed {
    logic       trap;       // carries a trap: taken at issue
    cause_t     cause;      // trap.def code
    pc_t        pc;
    form_info_t info;
    insn_word_t word;
    logic       two;        // two steps (6.1)
    logic [PartBits-1:0] last_part;  // parts of a beat (6.1), less one
  } insn_t;

  // What issue must know of the oldest instruction of every warp before it chooses one.
  typedef struct packed {
    logic       trap;
    logic [7:0] rd, ra, rb, rc;
    logic [2:0] nd, na, nb, nc;  // words of the operands, 0 = not used
    logic [6:0] preds;           // P0..P6 read or written
    logic [2:0] guard;
    logic       guard_neg;
    logic       lsu, ldc, sync;
    logic       returns;         // may issue again, released
    logic       waits;           // for the warp's memory operations unless released
    logic       tbuf;            // takes the target buffer unless released
  } need_t;

  // Issue event of a cycle (section 5), combinational in t.
  typedef struct packed {
    logic        valid;      // an instruction issues (not: a trap)
    logic        empty;      // exec mask empty: only the PC advances
    logic        ctl;        // control, unreleased BAR or slow SYNC: resolves at T
    logic        released;   // released BAR or SYNC (7.4)
    logic        poll;       // sets polled
    logic        tbuf;       // takes the target buffer
    warp_t       warp;
    logic [31:0] path;       // M
    logic [31:0] exec;       // E (= M for released ones)
    insn_t       insn;
  } issue_t;

  // X1 token: operands of one step and beat arrive (6.1). Data in separate arrays.
  typedef struct packed {
    logic                valid;
    logic                arrival;    // slow SYNC arrival
    logic                released;
    logic                last_step;  // last step of the beat
    logic                last;       // last slot of the instruction
    logic [1:0]          step;
    logic [BeatBits-1:0] beat;
    logic [PartBits-1:0] part;       // part of the beat (6.1)
    logic [Lanes-1:0]    mask;       // E lanes of the part
    logic [SlotBits-1:0] slot;       // LSU slot
    warp_t               warp;
    pc_t                 pc;
    form_info_t          info;
    insn_word_t          word;
  } x1_t;

  // A word presented to the variable write-back (6.3). Data in a separate array.
  typedef struct packed {
    logic                valid;
    warp_t               warp;
    logic                has_reg;    // rd is not 255: it writes a register
    logic [7:0]          rd;
    logic [BeatBits-1:0] beat;
    logic [Lanes-1:0]    mask;
    logic                last_beat;  // last active beat of this register: busy clears
    logic                last;       // last word of the instruction: it finishes
    logic                has_pred;
    logic [2:0]          pd;
    logic [Lanes-1:0]    pval;
  } vwb_t;

  typedef struct packed {
    logic        valid;
    cause_t      cause;
    warp_slot_t  warp;
    logic [4:0]  lane;
    pc_t         pc;
    logic [63:0] addr;
  } trap_t;

  // A finished instruction: inflight - 1 of the warp.
  typedef struct packed {
    logic  valid;
    warp_t warp;
  } finish_t;

  // Resolve event in T (7.2), from operands to paths.
  typedef struct packed {
    logic        valid;
    warp_t       warp;
    logic [31:0] path;
    logic [31:0] exec;
    logic [31:0] psrc;       // predicate s at issue, by lane (BAR and vote arrivals)
    insn_t       insn;
  } resolve_t;

  // New fetch PC of a warp (resolve, engine); the flush vector is separate.
  typedef struct packed {
    logic  valid;
    warp_t warp;
    pc_t   pc;
  } setpc_t;

  // From paths to barrier: predicates of BAR lanes latched in T; a contribution (7.3).
  typedef struct packed {
    logic        valid;
    warp_t       warp;
    logic [31:0] mask;       // lanes of E
    logic [31:0] value;      // predicate s of these lanes (if the form has one)
  } bar_pred_t;

  typedef struct packed {
    logic        valid;
    warp_t       warp;
    logic [3:0]  a;
    logic [5:0]  b;          // as written in the key: 0 = whole CTA
    logic [2:0]  kind;       // bar_op_e
    logic        wait_f;     // some gathered lane was not ARRIVE: bar_wait
    logic [31:0] mask;
  } bar_req_t;

  // Register write of the fixed pipe in W (6.2).
  typedef struct packed {
    logic                valid;      // a step of a part of a beat is in W
    logic                has_reg;    // writes register rd
    warp_t               warp;
    logic [7:0]          rd;
    logic [BeatBits-1:0] beat;
    logic [Lanes-1:0]    mask;
  } fix_t;

  // Predicate write of the fixed pipe: pd or a lone pq in W, pq beside a pd in W + 1 (6.2).
  typedef struct packed {
    logic                valid;
    logic                q;          // the value is q, not p
    logic                late;       // W + 1: the value came in the cycle before
    logic                last;       // last active beat: pbusy clears
    warp_t               warp;
    logic [2:0]          pd;
    logic [BeatBits-1:0] beat;
    logic [Lanes-1:0]    mask;
  } fixp_t;

  // What an instruction in a stage from slots to W + 1 still has to write: registers lo .. hi,
  // predicates. Only with HazardScan, where this stands for busy bits of the fixed pipe.
  localparam int unsigned PipeStages = LatFixed + 4;
  typedef struct packed {
    logic       has_reg;
    logic [6:0] preds;
    warp_t      warp;
    logic [7:0] lo;
    logic [7:0] hi;
  } inpipe_t;

  // Where a register of a step comes from: which operand of the word, and its number after the
  // first.
  typedef struct packed {
    logic       a, b, c;
    logic [2:0] offset;
  } step_from_t;

  // A register whose busy bit clears at the end of the cycle.
  typedef struct packed {
    logic       valid;
    warp_t      warp;
    logic [7:0] rd;
  } regclr_t;

  // Request of the LSU to shared memory: an LSU beat (11). Lane arrays are separate.
  typedef struct packed {
    logic [SlotBits-1:0] slot;
    mem_kind_e           kind;
    mem_type_e           mtype;
    atom_op_e            atom;
    logic [LsuBeatBits-1:0] beat;
    logic [LsuLanes-1:0] mask;
  } smem_req_t;

  // Results of an LSU beat from shared memory, also for stores (no data then).
  typedef struct packed {
    logic [SlotBits-1:0] slot;
    logic [LsuBeatBits-1:0] beat;
    logic [LsuLanes-1:0] mask;
    logic [3:0]          words;  // which of the four result words of each lane (0 for stores)
    logic                last;   // of the request: subtracts from outstanding
  } smem_rsp_t;

  // Chunk port of shared memory (11b). Quad k is the banks 4k .. 4k + 3: 16 bytes of a row.
  localparam int unsigned SmemRowBits = $clog2(SmemBytes / 4 / SmemBanks);
  localparam int unsigned Quads = SmemBanks / 4;
  localparam int unsigned ChunkTagBits = 8;
  localparam int unsigned ChunkNumberBits = 3;   // of a requester
  localparam int unsigned ResultPorts = (HasResult != 0) ? ResultProducers : 1;  // result queue (6.5)
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

  typedef struct packed {
    logic [10:0] popc;
    logic        all;
    logic        any;
  } bar_result_t;

  // Board ports (docs/fpga.md 6): a word of an array to write, or to read. Elsewhere zero. A unit
  // with arrays takes of slice and row what its array has.
  typedef struct packed {
    logic [3:0]  valid;      // by array (link.def), so that each unit has a register of its own
    logic [7:0]  slice;      // of the sub-core inside it
    logic [15:0] row;
    logic [31:0] data;
  } poke_t;

  typedef struct packed {
    logic        valid;
    logic [1:0]  array;
    logic [7:0]  slice;
    logic [15:0] row;
  } peek_t;

  // Bit k of the number of a one-hot bit is the OR over these bits.
  localparam logic [63:0] IndexMask[6] = '{
    64'hAAAA_AAAA_AAAA_AAAA, 64'hCCCC_CCCC_CCCC_CCCC, 64'hF0F0_F0F0_F0F0_F0F0,
    64'hFF00_FF00_FF00_FF00, 64'hFFFF_0000_FFFF_0000, 64'hFFFF_FFFF_0000_0000};

  function automatic warp_t warp_number(input logic [SubWarps-1:0] one_hot);
    warp_t i;
    for (int unsigned k = 0; k < WarpBits; k++) i[k] = |(one_hot & IndexMask[k][SubWarps-1:0]);
    return i;
  endfunction

  // Of few warps without a carry chain.
  function automatic warp_t lowest_warp(input logic [SubWarps-1:0] v);
    if (SubWarps <= 8) return warp_t'(low_index(32'(v)));
    return warp_number(v & (~v + SubWarps'(1)));
  endfunction

  // First of v after warp last, circular ascending.
  function automatic warp_t next_warp(input logic [SubWarps-1:0] v, input warp_t last);
    logic [SubWarps-1:0] above;
    above = v & ({SubWarps{1'b1}} << last) & ~(SubWarps'(1) << last);
    if (SubWarps <= 8) return (above != '0) ? lowest_warp(above) : lowest_warp(v);  // fewer levels
    return lowest_warp((above != '0) ? above : v);
  endfunction

  // The same for the slots of the SM.
  function automatic warp_slot_t lowest_slot(input logic [Warps-1:0] v);
    logic [Warps-1:0] one_hot;
    warp_slot_t i;
    one_hot = v & (~v + Warps'(1));
    for (int unsigned k = 0; k < WarpSlotBits; k++) i[k] = |(one_hot & IndexMask[k][Warps-1:0]);
    return i;
  endfunction

  // The registers of an instruction's operands as intervals, cut at the last one, and its predicates
  // (HazardScan = 1).
  localparam int unsigned RegBits = $clog2(MaxRegs);
  localparam int unsigned Regs = 1 << RegBits;
  typedef logic [RegBits-1:0] reg_t;
  typedef struct packed {
    logic [3:0] used;
    reg_t [3:0] first;
    reg_t [3:0] last;
    logic [6:0] preds;
  } scan_need_t;

  // Slot of warp w of sub-core k, and back. With one sub-core a slot is the warp.
  // verilator lint_off UNUSEDSIGNAL // with one sub-core its number
  function automatic warp_slot_t slot_of(input warp_t w, input sub_t k);
    return (SubCores == 1) ? warp_slot_t'(w) : warp_slot_t'(32'(w) * SubCores + 32'(k));
  endfunction

  // What warp w adds to a register's number to give its bank (6.1).
  function automatic logic [1:0] warp_bank(input warp_t w, input sub_t k);
    return 2'(slot_of(w, k));
  endfunction

  function automatic warp_t warp_of(input warp_slot_t s);
    return warp_t'(32'(s) / SubCores);
  endfunction

  function automatic sub_t sub_of(input warp_slot_t s);
    return (SubCores == 1) ? '0 : sub_t'(s);
  endfunction

  // One bit per slot: those of sub-core k, and the other way round.
  function automatic logic [SubWarps-1:0] warps_of(input logic [Warps-1:0] slots,
                                                   input int unsigned k);
    logic [SubWarps-1:0] v;
    if (SubCores == 1) v = SubWarps'(slots);
    else for (int unsigned w = 0; w < SubWarps; w++) v[w] = slots[w*SubCores+k];
    return v;
  endfunction

  function automatic logic [Warps-1:0] slots_of(input logic [SubWarps-1:0] warps,
                                                input int unsigned k);
    logic [Warps-1:0] v;
    v = '0;
    if (SubCores == 1) v = Warps'(warps);
    else for (int unsigned w = 0; w < SubWarps; w++) v[w*SubCores+k] = warps[w];
    return v;
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // Number of the only bit.
  function automatic logic [4:0] bit_number(input logic [31:0] one_hot);
    logic [4:0] i;
    for (int unsigned k = 0; k < 5; k++) i[k] = |(one_hot & IndexMask[k][31:0]);
    return i;
  endfunction

  // Number of the lowest bit: groups of four, then pairs of groups, without a carry chain. 0 for 0.
  function automatic logic [4:0] low_index(input logic [31:0] v);
    logic [7:0] g;
    logic [4:0] i [8];
    for (int unsigned k = 0; k < 8; k++) begin
      g[k] = v[4*k+:4] != '0;
      i[k] = '0;
      i[k][1] = !v[4*k] && !v[4*k+1] && (v[4*k+2] || v[4*k+3]);
      i[k][0] = !v[4*k] && (v[4*k+1] || (!v[4*k+2] && v[4*k+3]));
    end
    for (int unsigned l = 0; l < 3; l++) begin
      for (int unsigned k = 0; k < (32'd4 >> l); k++) begin
        i[k] = g[2*k] ? i[2*k] : i[2*k+1];
        i[k][l+2] = !g[2*k] && g[2*k+1];
        g[k] = g[2*k] || g[2*k+1];
      end
    end
    return i[0];
  endfunction

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
