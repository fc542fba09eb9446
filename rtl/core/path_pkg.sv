// Codes of the path table and of the path engine (docs/microarchitecture.md 7.1, 7.3); what is known
// of a control instruction before it resolves (7.2).
package path_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;

  // A step of SPLIT by lane: what the engine asks of the target buffer, and what that found, takes a
  // cycle each way. They lie far from each other, at the table's memory and at the operands.
  localparam bit FarTargets = RowCycles == 2 && Beats > 1;

  // State of a table row, as the journal writes it.
  typedef enum logic [2:0] {
    RowReady = 3'd0,
    RowSync  = 3'd1,
    RowBar   = 3'd2,
    RowBarc  = 3'd3,  // contributed, waits for the CTA barrier
    RowSleep = 3'd4
  } row_state_e;

  // Change of the call depth of the lanes of E.
  typedef enum logic [1:0] {
    DepthSame = 2'd0,
    DepthUp   = 2'd1,
    DepthDown = 2'd2
  } depth_e;

  // What does not depend on the target buffer.
  typedef struct packed {
    logic bar, sync, leave, sleep, call, ret, branch, user;  // form; leave: EXIT, user: TRAP
    logic by_lane;   // with operands in the target buffer
    logic deep;      // trap: call depth
    logic full;      // all lanes of the path
    logic last;      // no live lane is left, if they end
    logic back;      // BRA to pc or before
    logic counted;
    logic turn_end;
    pc_t  pc1;       // pc + 1
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
    f.sync = r.insn.info.unit == UnitSync;
    f.leave = ctl && op == CtlExit;
    f.sleep = ctl && op == CtlSleep;
    f.call = ctl && (op == CtlCall || op == CtlCallx);
    f.ret = ctl && op == CtlRet;
    f.branch = f.call || f.ret || (ctl && (op == CtlBra || op == CtlBrx));
    f.user = ctl && op == CtlTrap;
    f.by_lane = f.sync ? r.insn.info.c_words != 3'd0 : r.insn.info.a_words != 3'd0;
    f.deep = (f.call && depth == 16'(MaxDepth)) || (f.ret && depth == '0);
    f.full = r.exec == r.path;
    f.last = (live & ~r.exec) == '0;
    f.pc1 = pc + 28'd1;
    f.back = ctl && op == CtlBra && imm <= pc;
    f.counted = f.back || (f.branch && op != CtlBra);
    f.turn_end = f.leave || f.sleep || f.bar || f.sync ||
                 (f.counted && (32'(turn) == TurnBranches - 32'd1 || polled));
    return f;
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // Where the lowest lane of E goes, if the form is a branch.
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
    b.pc = f.by_lane ? value : imm;
    b.next = b.pc == f.pc1;
    b.beyond = stop_valid && b.pc >= stop_pc;
    return b;
  endfunction
endpackage
