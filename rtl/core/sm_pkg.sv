// Types of the wires between the units of an SM (docs/interfaces.md). Not shared with the model.
package sm_pkg;
  import wl_pkg::*;
  import config_pkg::*;

  localparam int unsigned WarpBits = $clog2(Warps);
  localparam int unsigned CtaBits = $clog2(Ctas);
  localparam int unsigned BeatBits = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int unsigned PageBits = $clog2(RegPages);
  localparam int unsigned SlotBits = $clog2(LsuDepth);
  localparam int unsigned RfRows = RegPages * 2 * Beats;  // rows of one register bank
  localparam int unsigned RfRowBits = $clog2(RfRows);

  typedef logic [WarpBits-1:0] warp_t;
  typedef logic [27:0] pc_t;

  // A decoded instruction as it lies in an instruction buffer.
  typedef struct packed {
    logic       trap;       // carries a trap: taken at issue
    logic [3:0] cause;      // trap.def code
    pc_t        pc;
    form_info_t info;
    insn_word_t word;
    logic       two;        // two steps (6.1)
    logic [1:0] c0;         // read slots of step 0 per beat
    logic [1:0] c1;         // of step 1, 0 if there is none
  } insn_t;

  // Issue event of a cycle (section 5), combinational in t.
  typedef struct packed {
    logic        valid;      // an instruction issues (not: a trap)
    logic        empty;      // exec mask empty: only the PC advances
    logic        ctl;        // control, unreleased BAR or slow SYNC: resolves at T
    logic        released;   // released BAR or SYNC (7.4)
    logic        poll;       // sets polled
    logic        tbuf;       // takes the target buffer
    logic [6:0]  slots;      // n: number of read slots, 0 if empty
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
    logic [Lanes-1:0]    mask;       // E lanes of the beat
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
    logic                has_reg;    // 0, or rd = 255: writes no register
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
    logic [3:0]  cause;
    warp_t       warp;
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
    logic [31:0] value;      // predicate s of these lanes
  } bar_pred_t;

  typedef struct packed {
    logic        valid;
    warp_t       warp;
    logic [3:0]  a;
    logic [5:0]  b;          // as written in the key: 0 = whole CTA
    logic [2:0]  kind;       // bar_op_e
    logic        wait_f;     // some gathered lane was not ARRIVE: bar_wait
    logic [31:0] mask;
    pc_t         pc;         // of the row that decided, for traps
  } bar_req_t;

  // Write of the fixed pipe in W (6.2), and what it clears.
  typedef struct packed {
    logic                valid;      // a step of a beat is in W
    logic                has_reg;    // writes register rd
    logic                has_p;      // writes pd
    logic                has_q;      // writes pq
    logic                last;       // last step of the last active beat: finishes, pbusy clears
    warp_t               warp;
    logic [7:0]          rd;
    logic [BeatBits-1:0] beat;
    logic [Lanes-1:0]    mask;
    logic [2:0]          pd;
    logic [2:0]          pq;
  } fix_t;

  // A register whose busy bit clears at the end of the cycle.
  typedef struct packed {
    logic       valid;
    warp_t      warp;
    logic [7:0] rd;
  } regclr_t;

  // Beat request of the LSU to shared memory (11). Lane arrays are separate.
  typedef struct packed {
    logic [SlotBits-1:0] slot;
    mem_kind_e           kind;
    mem_type_e           mtype;
    atom_op_e            atom;
    logic [BeatBits-1:0] beat;
    logic [Lanes-1:0]    mask;
  } smem_req_t;

  // Results of a beat from shared memory, also for stores (no data then).
  typedef struct packed {
    logic [SlotBits-1:0] slot;
    logic [BeatBits-1:0] beat;
    logic [Lanes-1:0]    mask;
  } smem_rsp_t;

  typedef struct packed {
    logic [10:0] popc;
    logic        all;
    logic        any;
  } bar_result_t;
endpackage
