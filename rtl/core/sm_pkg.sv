// Sizes of an SM and types of the wires between its units (docs/interfaces.md). Not shared with the
// model. Types of hazards stand in hazard_pkg, those of shared memory's ports in smem_pkg, choices
// among warps in choice_pkg.
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
  // Parts of a beat (6.1) for slow forms, for f32 arithmetic, for the LSU, for LANE forms and those of
  // the lowest lane only; the most of them.
  localparam int unsigned SlowParts = Lanes / SlowLanes;
  localparam int unsigned FpParts = Lanes / FpLanes;
  localparam int unsigned LsuParts = Lanes / LsuLanes;
  localparam int unsigned LaneParts = Lanes;
  localparam int unsigned FastParts = (FpParts > LsuParts) ? FpParts : LsuParts;
  localparam int unsigned MaxParts = (HasLane != 0) ? LaneParts :
                                     (SlowParts > FastParts) ? SlowParts : FastParts;
  localparam int unsigned PartBits = (MaxParts > 1) ? $clog2(MaxParts) : 1;
  localparam int unsigned LsuBeats = 32 / LsuLanes;       // LSU beats of a warp (10)
  localparam int unsigned LsuBeatBits = (LsuBeats > 1) ? $clog2(LsuBeats) : 1;
  localparam int unsigned SubPages = RegPages / SubCores;
  localparam int unsigned PageBits = $clog2(SubPages);
  localparam int unsigned ResultPorts = (HasResult != 0) ? ResultProducers : 1;  // (6.5)
  localparam int unsigned SlotBits = $clog2(LsuDepth);
  localparam int unsigned RfRows = SubPages * 2 * Beats;  // rows of one register bank
  localparam int unsigned RfRowBits = $clog2(RfRows);

  typedef logic [WarpBits-1:0] warp_t;           // in its sub-core
  typedef logic [WarpSlotBits-1:0] warp_slot_t;  // in the SM
  typedef logic [SubBits-1:0] sub_t;
  typedef logic [27:0] pc_t;
  typedef logic [$bits(trap_e)-1:0] cause_t;     // trap.def code

  // Steps of an instruction (6.1), and words of an operand that is not counted.
  localparam int unsigned StepBits = (MostSteps > 2) ? $clog2(MostSteps) : 1;
  localparam int unsigned WordsBits = (MostOperandWords > 4) ? 5 : 3;
  localparam int unsigned OffsetBits = (MostOperandWords > 4) ? 4 : 3;
  typedef logic [StepBits-1:0] operand_step_t;
  typedef logic [WordsBits-1:0] words_t;
  typedef logic [OffsetBits-1:0] offset_t;

  // A decoded instruction as it lies in an instruction buffer.
  typedef struct packed {
    logic       trap;       // carries a trap: taken at issue
    cause_t     cause;      // trap.def code
    pc_t        pc;
    form_info_t info;
    insn_word_t word;
    operand_step_t      last_step;  // steps (6.1), less one
    logic [PartBits-1:0] last_part;  // parts of a beat (6.1), less one
  } insn_t;

  // Issue event of a cycle (section 5), combinational in t.
  typedef struct packed {
    logic        valid;      // an instruction issues (not: a trap)
    logic        empty;      // exec mask empty: only the PC advances
    logic        ctl;        // control, unreleased BAR, slow SYNC, gathered form that arrives:
                             // resolves at T
    logic        arrives;    // gathered form that arrives
    logic        released;   // released BAR or SYNC (7.4)
    logic        poll;       // sets polled
    logic        tbuf;       // takes the target buffer
    warp_t       warp;
    logic [31:0] path;       // M
    logic [31:0] exec;       // E (= M for released ones and arrivals of gathered forms)
    insn_t       insn;
  } issue_t;

  // X1 token: operands of one step and beat arrive (6.1). Data in separate arrays.
  typedef struct packed {
    logic                valid;
    logic                arrival;    // slow SYNC arrival
    logic                released;
    logic                last_step;  // last step of the beat
    logic                last;       // last slot of the instruction
    logic [(StepBits > 2 ? StepBits : 2)-1:0] step;
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

  // A word of a whole beat on its way to the result queue (6.5). Data in a separate array.
  typedef struct packed {
    warp_t               warp;
    logic [7:0]          rd;
    logic                has_reg;
    logic [BeatBits-1:0] beat;
    logic                last_word;  // of its instruction
  } result_word_t;

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
    logic        arrives;    // gathered form that arrives
    warp_t       warp;
    logic [31:0] path;
    logic [31:0] exec;
    logic [31:0] psrc;       // predicate s at issue, by lane (BAR and vote arrivals)
    insn_t       insn;
  } resolve_t;

  // A form that waits until few groups of copies are pending (22.2, 23.4), in the cycle before T.
  typedef struct packed {
    logic       valid;
    logic       bulk;        // asks the copy engine, not the LSU
    logic       read;        // bulk: only copies that have still to read count
    warp_t      warp;
    logic [5:0] most;        // groups that may be pending
  } copy_ask_t;

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
    logic        wait_f;     // some gathered lane was neither ARRIVE nor CLUSTER: bar_wait
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

  // Where a register of a step comes from: which operand of the word, and its number after the
  // first.
  typedef struct packed {
    logic       a, b, c, x;
    offset_t    offset;
  } step_from_t;

  // A register whose busy bit clears at the end of the cycle.
  typedef struct packed {
    logic       valid;
    warp_t      warp;
    logic [7:0] rd;
  } regclr_t;

  typedef struct packed {
    logic [10:0] popc;
    logic        all;
    logic        any;
  } bar_result_t;

  // Board ports (docs/fpga.md 6): a word of an array to write, or to read. Elsewhere zero. A unit
  // with arrays takes of slice and row what its array has.
  typedef struct packed {
    logic [4:0]  valid;      // by array (link.def), so that each unit has a register of its own
    logic [7:0]  slice;      // of the sub-core inside it
    logic [15:0] row;
    logic [31:0] data;
  } poke_t;

  typedef struct packed {
    logic        valid;
    logic [2:0]  array;
    logic [7:0]  slice;
    logic [15:0] row;
  } peek_t;

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

  function automatic sub_t next_sub(input sub_t k);
    return (k == sub_t'(SubCores - 1)) ? '0 : k + sub_t'(1);
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

  // Deferred forms of the LSU (22).
  function automatic logic is_deferred(input mem_kind_e kind);
    return kind == MemKindCpasync || kind == MemKindCparrive;
  endfunction
endpackage
