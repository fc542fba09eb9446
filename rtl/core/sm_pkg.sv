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
  } insn_t;

  // Issue event of a cycle (section 5), combinational in t.
  typedef struct packed {
    logic        valid;      // an instruction issues (not: a trap)
    logic        empty;      // exec mask empty: only the PC advances
    logic        ctl;        // control, unreleased BAR or slow SYNC: resolves at T
    logic        released;   // released BAR or SYNC (7.4)
    logic        poll;       // sets polled
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

  typedef struct packed {
    logic [10:0] popc;
    logic        all;
    logic        any;
  } bar_result_t;
endpackage
