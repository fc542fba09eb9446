// Codes of the path table and of the path engine (docs/microarchitecture.md 7.1, 7.3); what is
// known of a control instruction before it resolves (7.2).
package path_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;

  // A step of SPLIT by lane: what the engine asks of the target buffer, and what that found, takes
  // a cycle each way. They lie far from each other, at the table's memory and at the operands.
  localparam bit FarTargets = RowCycles == 2 && Beats > 1;

  // State of a table row, as the journal writes it.
  typedef enum logic [2:0] {
    RowReady = 3'd0,
    RowSync  = 3'd1,
    RowBar   = 3'd2,
    RowBarc  = 3'd3,  // contributed, waits for the CTA barrier
    RowSleep = 3'd4,
    RowWait  = 3'd5   // waits for an mbarrier, the barrier of the cluster (21), copies (22, 23), columns (24)
  } row_state_e;

  // op of a row whose lanes wait for the others at a gathered form (7.2, ALIGNED).
  localparam logic [9:0] OpAligned = 10'd1023;
  // op of a row in WAIT: for an mbarrier, with a time limit; for the barrier of the cluster, for
  // copies or for columns of tensor memory.
  localparam logic [9:0] OpMbarrier = 10'd0;
  localparam logic [9:0] OpCluster = 10'd1;

  // Change of the call depth of the lanes of E.
  typedef enum logic [1:0] {
    DepthSame = 2'd0,
    DepthUp   = 2'd1,
    DepthDown = 2'd2
  } depth_e;

  // A row of the path table.
  typedef struct packed {
    logic [31:0] mask;
    pc_t         pc;
    logic [15:0] depth;
    row_state_e  state;
    logic [9:0]  op;     // op and key: of the instruction that lanes wait at, 0 of a READY row
    logic [31:0] key;
  } path_row_t;

  // Phases of a service of the path engine (7.3).
  typedef enum logic [2:0] {
    PhaseSplit = 3'd0,
    PhaseCheck = 3'd1,
    PhaseMark  = 3'd2,
    PhaseWalk1 = 3'd3,
    PhaseWalk2 = 3'd4
  } phase_e;

  // Bits that a service leaves.
  typedef struct packed {
    logic stop;          // the stop PC is valid
    logic below;
    logic several;       // there are other paths
    logic cur;           // cur.mask is not 0 (or its lanes ended)
    logic waits;         // `waiting` is not 0
    logic any_released;  // released, without the running path, is not 0
  } path_flags_t;
  localparam path_flags_t FlagsStart = '{cur: 1'b1, default: 1'b0};

  // State of a warp that the resolve stage reads.
  typedef struct packed {
    path_flags_t flags;
    logic [15:0] depth;
    logic [31:0] live;
    logic [9:0]  turn;
    logic [31:0] served;
    logic        any_served;  // served means something
    pc_t         stop_pc;
  } path_view_t;

  // State that a resolve leaves.
  typedef struct packed {
    pc_t         pc;
    logic [15:0] depth;
    logic [31:0] live;
    logic [4:0]  first;    // lowest lane of live
    logic [4:0]  leader;   // lowest lane of the path, also of one that ends
    logic [31:0] served;
    logic [9:0]  turn;
  } resolved_t;

  // A warp that asks for the engine, as it will be in the next cycle.
  typedef struct packed {
    logic [31:0] mask;         // of the running path, 0: none runs
    logic [31:0] live;
    logic [31:0] others;       // rows in the table
    logic        check;        // CHECK is asked for
    logic        waits;        // rows wait
    logic        any_released; // lanes are released
    logic [4:0]  first;        // lowest live lane
    logic [4:0]  leader;       // lowest lane of the running path, if there is one
  } picked_t;

  // State of the warp that is served.
  typedef struct packed {
    pc_t         pc;
    pc_t         next_pc;      // pc + 1
    logic [15:0] depth;
    logic [31:0] served;
    logic        any_served;   // served is not 0
    logic [31:0] released;     // means something only if lanes are released
    logic        check;        // CHECK is asked for
    logic        bar_wake;     // a barrier of the CTA is over
    logic        wait_wake;    // what its rows in WAIT wait for may be there
    logic        bar_busy;     // the barrier unit has not taken the last contribution
  } serving_t;

  // SPLIT: what the lanes of E become. The other lanes of the path go to pc + 1.
  typedef struct packed {
    logic [31:0] mask;         // lanes of E
    logic [31:0] value;        // target, wake time or key
    logic        next;         // the value is pc + 1
    logic        by_lane;      // each lane has its value in the target buffer
    logic        paced;        // its steps take as long as if it looked there
    depth_e      depth;
    logic [9:0]  op;
    row_state_e  state;
  } split_t;

  // What a service reads of its warp from the first step on.
  typedef struct packed {
    pc_t         pc;
    pc_t         next_pc;      // pc + 1
    logic [15:0] depth;
    split_t      split;
  } loaded_t;

  // A question to the target buffer: which lanes have the value of this lane, or the PC given.
  typedef struct packed {
    logic                look;
    logic [BeatBits-1:0] beat;
    logic [4:0]          lane;
    logic                of_lane; // compare with the value of the lane, else with ref_pc
    pc_t                 ref_pc;
  } target_ask_t;

  typedef struct packed {
    logic [31:0] value;        // with which the lanes are compared
    logic        is_ref;       // it is ref_pc
    logic [31:0] equal;        // all ones where nothing is asked
  } target_found_t;

  // The row of a step of the engine.
  typedef struct packed {
    path_row_t   row;
    logic        bar, sync;    // state of the row
    logic        released;     // its lanes are released
    logic [31:0] rest;         // rows after it in the scan
    logic        last;         // there are none
  } step_t;

  // CHECK: what follows from the rows up to this one.
  typedef struct packed {
    logic        hit;          // the row is gathered
    logic        restart;      // the gathering begins with this row
    logic        passes;       // the scan goes on as if this row did not exist
    logic        named;        // a trap names this row
    logic        kept;         // the verdict of this row is kept
    logic        release_rows; // at the end: the rows gathered are released
    logic        contribute;   // at the end: all lanes are at the barrier
    logic        join_rows;    // at the end: all lanes are at the gathered form
    logic        marks;        // at the end: MARK follows
    logic        marked;       // MARK: the row is one of the gathered form
    logic        stall;        // the contribution waits
    logic        misuse;       // at the end: a trap
    logic        more;         // at the end: another row has to be checked
    logic [31:0] key;          // of the rows gathered
    logic [2:0]  bar_kind;     // bar_op_e of the contribution
    logic        bar_wait;     // a lane of it waits for the barrier
  } check_t;

  // WALK: the rows up to this one.
  typedef struct packed {
    logic        ready;        // WALK1: the row may run
    logic        woken;        // by a barrier
    pc_t         row_pc;       // where the row goes on
    logic        any;          // some row may run
    logic        all_served;   // all rows that may run were served
    logic        waits;        // some row waits for lanes of its warp
    logic        sleeps;       // some row waits for a time
    logic        parks;        // some row is in WAIT
    logic [31:0] wake_at;      // the least of these times
    logic        deadlock;     // no row may run or will by itself
    pc_t         pc;           // of the chosen row
    logic [15:0] depth;
    logic        released;
    logic        same;         // WALK2: the row runs with the chosen one
    logic        joins;        // the row is merged with the row of the stop PC
    logic [4:0]  stop_row;     // the row of the stop PC
    logic [31:0] stop_mask;
    logic [4:0]  leader;       // first row that runs
    logic        several;      // some row stays
    logic        any_released; // some row that stays is released
    logic        stop;         // a row waits at stop_pc
    pc_t         stop_pc;
    logic        below;
  } walk_t;

  // Changes of the state of the warp that is served.
  typedef struct packed {
    logic        released_we;
    logic [31:0] released;
    logic        xmask_we;
    logic [31:0] xmask;
    logic        check_clr;
    logic        served_clr;
    logic        wake_clr;     // bar_wake and wait_wake
    logic        done;         // the service ends
    logic [31:0] others;       // rows that are left
    logic        several;      // others is not 0
    logic        waits;
    logic        any_released;
    logic        sleeps;       // where no path runs: wake_at means something
    logic        parks;        // a row is in WAIT
    logic [31:0] wake_at;
    logic        run;          // the service ends with a path
    logic [31:0] run_mask;
    pc_t         run_pc;
    logic [15:0] run_depth;
    logic        run_released;
    logic [4:0]  run_leader;
    logic        stop;
    pc_t         stop_pc;
    logic        below;
  } service_t;

  // What does not depend on the target buffer.
  typedef struct packed {
    logic bar, sync, leave, sleep, call, ret, branch, user;  // form; leave: EXIT, user: TRAP
    logic park, meet, drain;  // WAIT, CWAIT, CPWAIT or BWAIT
    logic columns;   // ALLOC, DEALLOC or RELINQUISH of tensor memory
    logic alloc;     // ALLOC
    logic copy;      // of the unit COPY or UMMA: the lowest lane of E goes on, the others issue again
    logic lone;      // E is one lane
    logic gather;    // lanes arrive at a gathered form
    logic by_lane;   // with operands in the target buffer
    logic deep;      // trap: call depth
    logic full;      // all lanes of the path
    logic last;      // no live lane is left, if they end
    logic back;      // BRA to pc or before
    logic counted;
    logic turn_end;
    pc_t  pc1;       // pc + 1
    pc_t  test_pc;   // WAIT: of the test before it
  } foreseen_t;

  // verilator lint_off UNUSEDSIGNAL // a part of the event
  function automatic foreseen_t foresee(input resolve_t r, input logic [15:0] depth,
                                        input logic [31:0] live, input logic [9:0] turn,
                                        input logic polled);
    foreseen_t f;
    logic [7:0] op;
    logic       ctl;
    pc_t        imm, pc;
    op = r.insn.info.op;
    imm = r.insn.word.imm[27:0];
    pc = r.insn.pc;
    ctl = r.insn.info.unit == UnitCtl;
    f.bar = r.insn.info.unit == UnitBar;
    f.leave = ctl && op == CtlExit;
    f.sleep = ctl && op == CtlSleep;
    f.call = ctl && (op == CtlCall || op == CtlCallx);
    f.ret = ctl && op == CtlRet;
    f.branch = f.call || f.ret || (ctl && (op == CtlBra || op == CtlBrx));
    f.user = ctl && op == CtlTrap;
    f.park = ctl && op == CtlWait;
    f.meet = ctl && op == CtlCwait;
    f.drain = ctl && (op == CtlCpwait || op == CtlBwait);
    f.copy = (Copy != 0 && r.insn.info.unit == UnitCopy) ||
             (Umma != 0 && r.insn.info.unit == UnitUmma);
    f.lone = (r.exec & (r.exec - 32'd1)) == '0;
    f.gather = HasGathered != 0 && r.arrives;
    f.columns = Tmem != 0 && r.insn.info.unit == UnitTmem && !f.gather;
    f.alloc = f.columns && op == 8'(TmemAlloc);
    f.sync = r.insn.info.unit == UnitSync && !f.gather;
    f.by_lane = !f.gather && !f.park && !f.copy && !f.columns &&
                (f.sync ? r.insn.info.c_words : r.insn.info.a_words) != 3'd0;
    f.deep = (f.call && depth == 16'(MaxDepth)) || (f.ret && depth == '0);
    f.full = r.exec == r.path;
    f.last = (live & ~r.exec) == '0;
    f.pc1 = pc + 28'd1;
    f.test_pc = pc - 28'd1;
    f.back = ctl && op == CtlBra && imm <= pc;
    f.counted = f.back || (f.branch && op != CtlBra);
    f.turn_end = f.leave || f.sleep || f.bar || f.sync || f.gather ||
                 (f.counted && (32'(turn) == TurnBranches - 32'd1 || polled));
    return f;
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // Where the lowest lane of E goes, if the form is a branch, or WAIT, CWAIT, CPWAIT, BWAIT or one for
  // the allocator of tensor memory and goes on, or COPY.
  typedef struct packed {
    pc_t  pc;
    logic next;    // that is pc + 1
    logic beyond;  // that is at the stop PC or above
  } branch_t;

  // value: of the target buffer, for forms that have it there.
  // verilator lint_off UNUSEDSIGNAL // a part of what is foreseen
  function automatic branch_t branch_to(input foreseen_t f, input pc_t value, input pc_t imm,
                                        input logic stop_valid, input pc_t stop_pc);
    // verilator lint_on UNUSEDSIGNAL
    branch_t b;
    b.pc = f.by_lane ? value : (f.park || f.meet || f.drain || f.columns || f.copy) ? f.pc1 : imm;
    b.next = b.pc == f.pc1;
    b.beyond = stop_valid && b.pc >= stop_pc;
    return b;
  endfunction
endpackage
