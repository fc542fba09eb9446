// Changes that a step of the path engine makes (docs/microarchitecture.md 7.3): the row that it
// writes into the path table, the state of the warp that it serves, the request to the barrier
// unit, a trap. They follow from the verdicts of path_split, path_check and path_walk, in the cycle
// in which the step acts. Has no state: path_engine walks over the rows.
module path_changes
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  sub_t        sub_i,
  input  warp_t       warp_i,
  // The step, and the verdicts on its row.
  input  logic        acts_i,
  input  phase_e      phase_i,
  input  logic [4:0]  number_i,        // of its row
  input  logic        fresh_i,         // first row of the scan
  input  logic        split_step_i,    // a step of SPLIT is complete
  input  logic        sample_i,        // bar_wake and wait_wake are looked at
  // verilator lint_off UNUSEDSIGNAL // of each a part
  input  step_t       step_i,
  input  path_row_t   split_row_i,
  input  check_t      check_i,
  input  walk_t       walk_i,
  input  serving_t    state_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] gathered_i,      // lanes of the rows gathered, with this one
  input  logic [31:0] exist_i,         // rows after the step
  input  logic        any_released_i,
  input  logic [4:0]  named_row_i,     // the row that a trap names, of an earlier step
  input  pc_t         named_pc_i,
  // Changes.
  output logic        we_o,            // of a row of the table
  output logic [4:0]  write_number_o,
  output path_row_t   write_row_o,
  output service_t    result_o,
  output logic        finish_o,        // the service ends
  output logic        released_row_o,  // the lanes of the row become released
  output logic        named_o,         // a trap names this row
  output bar_req_t    bar_req_o,
  output trap_t       trap_o
);
  logic in_walk1, in_walk2;
  assign in_walk1 = acts_i && phase_i == PhaseWalk1;
  assign in_walk2 = acts_i && phase_i == PhaseWalk2;

  // Write of the table: a new row, or the row of the step with its changes.
  logic       arrives, settles, marked;
  pc_t        write_pc;
  row_state_e write_state;
  assign marked = HasGathered != 0 && check_i.marked;
  assign arrives = phase_i == PhaseMark && (step_i.row.op[2:0] == 3'(BarArrive) ||
                                            step_i.row.op[2:0] == 3'(BarCluster));
  assign settles = arrives || (phase_i == PhaseWalk1 && walk_i.ready) ||
                   (phase_i == PhaseMark && marked);
  assign write_pc = (phase_i == PhaseWalk1) ? walk_i.row_pc : step_i.row.pc + {27'd0, arrives};
  assign write_state = settles ? RowReady : (phase_i == PhaseMark) ? RowBarc : step_i.row.state;
  assign write_number_o = (phase_i == PhaseWalk2) ? walk_i.stop_row : number_i;
  always_comb begin
    we_o = 1'b0;
    write_row_o = 'x;
    if (acts_i) begin
      unique case (phase_i)
        PhaseSplit: we_o = split_step_i;
        PhaseMark: we_o = step_i.bar || marked;
        PhaseWalk1: we_o = 1'b1;
        PhaseWalk2: we_o = walk_i.joins;
        default: ;
      endcase
      if (phase_i == PhaseSplit) begin
        write_row_o = split_row_i;
      end else begin
        write_row_o = '{
          mask: step_i.row.mask | (walk_i.stop_mask & {32{phase_i == PhaseWalk2}}), pc: write_pc,
          depth: step_i.row.depth, state: write_state,
          op: step_i.row.op & {10{write_state != RowReady}},
          key: step_i.row.key & {32{write_state != RowReady}}
        };
      end
    end
  end

  // Changes of the warp's state. A service ends with a path that runs, or idle.
  logic        runs, idle;
  logic [31:0] kept, released;
  assign released_row_o = in_walk1 && walk_i.woken;
  assign runs = in_walk2 && step_i.last;
  assign idle = in_walk1 && step_i.last && !walk_i.any;
  assign finish_o = runs || idle;
  assign kept = state_i.released & {32{any_released_i}};
  assign released = (phase_i == PhaseWalk2) ? kept & ~gathered_i :
                    kept | ((phase_i == PhaseWalk1) ? step_i.row.mask : gathered_i);
  always_comb begin
    result_o = 'x;
    result_o.released_we = 1'b0;
    result_o.xmask_we = 1'b0;
    result_o.check_clr = 1'b0;
    result_o.served_clr = 1'b0;
    result_o.done = 1'b0;
    result_o.run = 1'b0;
    if (acts_i) begin
      result_o = '{
        released_we: check_i.release_rows || released_row_o || runs, released: released,
        xmask_we: check_i.release_rows, xmask: check_i.key,
        check_clr: in_walk1,
        served_clr: in_walk1 && step_i.last && walk_i.any && state_i.any_served &&
                    walk_i.all_served,
        wake_clr: 1'b0,
        done: finish_o, others: exist_i, several: in_walk1 || walk_i.several, waits: walk_i.waits,
        any_released: in_walk2 ? walk_i.any_released : any_released_i,
        sleeps: walk_i.sleeps, parks: walk_i.parks, wake_at: walk_i.wake_at,
        run: runs, run_mask: gathered_i, run_pc: walk_i.pc, run_depth: walk_i.depth,
        run_released: walk_i.released, run_leader: walk_i.leader,
        stop: walk_i.stop, stop_pc: walk_i.stop_pc, below: walk_i.below
      };
    end
    result_o.wake_clr = sample_i;
  end
  assign bar_req_o = '{
    valid: check_i.contribute && !check_i.stall, warp: warp_i, a: check_i.key[3:0],
    b: check_i.key[9:4], kind: check_i.bar_kind, wait_f: check_i.bar_wait, mask: gathered_i
  };

  // A trap names row j, or the lowest row.
  logic deadlock;
  assign named_o = check_i.named || (in_walk1 && fresh_i);
  assign deadlock = idle && walk_i.deadlock;
  assign trap_o = '{
    valid: check_i.misuse || deadlock,
    cause: check_i.misuse ? TrapBarrierMisuse : TrapSyncDeadlock,
    warp: slot_of(warp_i, sub_i), lane: named_o ? number_i : named_row_i,
    pc: named_o ? step_i.row.pc : named_pc_i, addr: '0
  };
endmodule
