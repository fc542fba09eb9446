// Paths of the warps (docs/microarchitecture.md 7.1): who changes their state, and which warps run
// or ask for the path engine. A warp's state is changed by its start, by issue (section 5, rules 2
// to 5), by the resolve stage (path_resolve), by the path engine (path_engine) and by wake-ups
// (path_wakeup, 7.3): at most one of these in a cycle. The words lie in path_state. Decides no
// branch itself.
`include "cells/assert.svh"
module paths
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  sub_t                sub_i,
  input  logic                stall_i,  // disturbance (17)
  input  logic                clear_i,
  input  logic [31:0]         now_i,
  input  pc_t                 entry_pc_i,
  input  logic [SubWarps-1:0] warp_valid_i,
  input  logic [SubWarps-1:0] warp_start_i,
  input  logic [31:0]         tail_mask_i,   // lanes of the last warp of a CTA, in this launch
  input  logic [SubWarps-1:0] start_tail_i,  // the last warp of its CTA
  input  logic                trap_pending_i,
  input  issue_t              issue_i,
  // verilator lint_off UNUSEDSIGNAL // a part is foreseen
  input  resolve_t            resolve_next_i,  // resolve_i of the next cycle
  // verilator lint_on UNUSEDSIGNAL
  input  resolve_t            resolve_i,
  input  x1_t                 x1_i,
  input  logic [31:0]         x1_a_i [Lanes],
  input  logic [31:0]         x1_b_i [Lanes],
  input  logic [31:0]         x1_c_i [Lanes],
  input  warp_t               sel_warp_i,  // about to issue
  input  pc_t                 head_pc_i,   // of its instruction
  output logic [31:0]         cur_mask_o,  // of sel_warp_i
  output logic [31:0]         live_o,
  output logic [31:0]         xmask_o,
  output logic [SubWarps-1:0] run_o,
  output logic [SubWarps-1:0] ctl_o,
  output logic [SubWarps-1:0] released_o,  // the running path lies within the released lanes
  output logic [SubWarps-1:0] dead_o,      // live = 0
  output logic                tbuf_free_o,
  output finish_t             turn_end_o,
  output logic [SubWarps-1:0] path_idle_o,
  output logic [SubWarps-1:0] flush_o,
  output setpc_t              setpc_resolve_o,
  output setpc_t              setpc_engine_o,
  output bar_pred_t           bar_pred_o,
  output bar_req_t            bar_req_o,
  output finish_t             bar_exit_o,
  output finish_t             wake_clr_o,       // bar_wake and wait_wake of a warp are taken
  input  logic [SubWarps-1:0] bar_wake_i,
  input  logic [SubWarps-1:0] wait_wake_i,
  input  logic [SubWarps-1:0] cluster_wait_i,
  output copy_ask_t           copy_ask_o,       // of the form that resolves in the next cycle
  input  logic                columns_wait_i,   // the allocation of tensor memory in T has to wait
  input  logic                copies_left_i,    // more groups of copies than it asked for are pending
  input  logic [30:0]         mbar_gen_i,       // phases of mbarriers completed
  output logic                sleeping_o,   // some warp waits for a sleeper (14)
  input  logic [SubWarps-1:0] bar_req_busy_i,
  output logic                rest_o,       // nothing is asked of the engine or served (15)
  output trap_t               trap_resolve_o,
  output trap_t               trap_engine_o
);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  // Bits of the warps.
  logic [SubWarps-1:0] run_q, ctl_q, polled_q, chk_q, dead_q;
  logic [SubWarps-1:0] req_split_q, req_walk_q, req_split_d, req_walk_d;
  logic [SubWarps-1:0] rel_q;          // the running path is released

  // Issue (section 5): control forms only set ctl, all others go on to pc + 1.
  warp_t       issue_warp;
  // verilator lint_off UNUSEDSIGNAL // each reader needs some of the flags
  path_flags_t issue_flags;
  // verilator lint_on UNUSEDSIGNAL
  logic        issue_ctl, issue_step, issue_walk, issue_check, beyond;
  pc_t         stop_pc, next_pc;
  assign issue_warp = issue_i.warp;
  assign issue_ctl = issue_i.valid && issue_i.ctl;
  assign issue_step = issue_i.valid && !issue_i.ctl;
  // The last released lanes issue: a rendezvous that is complete meanwhile may follow.
  assign issue_check = issue_step && issue_i.released && !issue_flags.any_released &&
                       issue_flags.waits;
  assign issue_walk = issue_step && (beyond || (issue_i.released && issue_flags.several));
  path_next u_next (
    .clk_i, .pc_i(head_pc_i), .stop_i(issue_flags.stop), .stop_pc_i(stop_pc), .next_pc_o(next_pc),
    .beyond_o(beyond)
  );

  // Resolve. What is known before T is found in the cycle before: nothing changes the state of the
  // warp between issue and T.
  typedef struct packed {
    foreseen_t  foreseen;
    path_view_t view;
    logic       polled;
    branch_t    target;
  } before_t;
  before_t    before_q;
  path_view_t next_view;
  foreseen_t  next_foreseen;
  pc_t        buffer_target;  // the last operand of the target buffer is in X1
  warp_t      before_warp, resolve_warp;
  assign before_warp = resolve_next_i.warp;
  assign resolve_warp = resolve_i.warp;
  assign next_foreseen = foresee(resolve_next_i, next_view.depth, next_view.live, next_view.turn,
                                 polled_q[before_warp]);
  always_ff @(posedge clk_i) begin
    if (resolve_next_i.valid) begin
      before_q <= '{
        foreseen: next_foreseen, view: next_view, polled: polled_q[before_warp],
        target: branch_to(next_foreseen, buffer_target, resolve_next_i.insn.word.imm[27:0],
                          next_view.flags.stop, next_view.stop_pc)
      };
    end
  end
  assign copy_ask_o = '{valid: resolve_next_i.valid && next_foreseen.drain,
                        bulk: resolve_next_i.insn.info.op == CtlBwait,
                        read: resolve_next_i.insn.word.imm[6], warp: before_warp,
                        most: resolve_next_i.insn.word.imm[5:0]};
  logic        resolves, asks_split, asks_walk, asks_check, ends, turn_end, jumps, polled, is_bar;
  logic        exits;         // for the journal
  logic        buffer_same, buffer_bad, buffer_some_undone, buffer_stale;
  logic [4:0]  buffer_bad_lane;
  logic [31:0] buffer_value, buffer_undone;
  resolved_t   resolved;
  split_t      split;
  path_resolve u_resolve (
    .sub_i, .resolve_i, .foreseen_i(before_q.foreseen), .now_i,
    .depth_i(before_q.view.depth), .live_i(before_q.view.live),
    .alone_i(!before_q.view.flags.several), .served_i(before_q.view.served),
    .served_v_i(before_q.view.any_served), .turn_i(before_q.view.turn),
    .polled_i(before_q.polled), .target_i(before_q.target), .below_i(before_q.view.flags.below),
    .value_i(buffer_value), .same_i(buffer_same), .undone_i(buffer_undone),
    .some_undone_i(buffer_some_undone), .stale_i(buffer_stale), .bad_i(buffer_bad),
    .bad_lane_i(buffer_bad_lane), .cluster_wait_i(cluster_wait_i[resolve_warp]), .copies_left_i,
    .columns_wait_i,
    .act_o(resolves), .exit_o(exits), .pc_o(resolved.pc), .depth_o(resolved.depth),
    .live_o(resolved.live), .first_o(resolved.first), .leader_o(resolved.leader),
    .served_o(resolved.served), .turn_o(resolved.turn), .polled_o(polled),
    .split_o(asks_split), .walk_o(asks_walk), .chk_o(asks_check), .done_o(ends),
    .turn_end_o(turn_end), .jump_o(jumps), .split_mask_o(split.mask),
    .split_value_o(split.value), .split_next_o(split.next),
    .split_state_o(split.state), .split_op_o(split.op), .split_depth_o(split.depth),
    .split_lanes_o(split.by_lane), .split_paced_o(split.paced), .is_bar_o(is_bar), .trap_o(trap_resolve_o)
  );

  // Target buffer: the resolve stage looks at it only for its owner, as does a split.
  target_ask_t   target_ask;
  target_found_t target_found;
  warp_t         buffer_owner, serve_warp;
  logic          buffer_drop, split_done;
  assign buffer_drop = (resolves && !asks_split && resolve_warp == buffer_owner) ||
                       (split_done && serve_warp == buffer_owner);
  path_targets u_targets (
    .clk_i, .rst_ni(rst_n), .take_i(issue_i.valid && issue_i.tbuf), .take_warp_i(issue_warp),
    .take_exec_i(issue_i.exec), .take_bar_i(issue_i.insn.info.unit == UnitBar),
    .take_wait_i(issue_i.insn.info.unit == UnitCtl && issue_i.insn.info.op == CtlWait),
    .drop_i(buffer_drop), .free_o(tbuf_free_o), .owner_o(buffer_owner),
    .x1_i, .x1_a_i, .x1_b_i, .x1_c_i, .gen_i(mbar_gen_i),
    .value_o(buffer_value), .target_o(buffer_target), .same_o(buffer_same), .undone_o(buffer_undone),
    .some_undone_o(buffer_some_undone), .stale_o(buffer_stale), .bad_o(buffer_bad),
    .bad_lane_o(buffer_bad_lane), .ask_i(target_ask), .found_o(target_found)
  );

  // State.
  logic [SubWarps-1:0] next_split, next_walk;
  warp_t       pick, load_warp, wake_warp;
  picked_t     picked_state, picked;
  loaded_t     load_state, loaded;
  serving_t    serving;
  service_t    result;
  logic        load, loads, take, serves, any_served;
  logic [31:0] wake_at, served, released;
  path_state u_state (
    .clk_i, .warp_start_i, .tail_mask_i, .start_tail_i, .sel_warp_i, .cur_mask_o, .live_o, .xmask_o,
    .issue_warp_i(issue_warp), .issue_flags_o(issue_flags), .issue_stop_pc_o(stop_pc),
    .issue_we_i(issue_walk), .issue_pc_i(next_pc), .next_i(resolve_next_i.valid),
    .next_warp_i(before_warp),
    .next_view_o(next_view), .resolve_we_i(resolves), .resolve_warp_i(resolve_warp),
    .resolved_i(resolved), .split_we_i(asks_split), .split_i(split), .asks_i((next_split | next_walk) != '0),
    .pick_i(pick), .picked_o(picked_state), .load_i(loads), .load_warp_i(load_warp), .loaded_o(load_state),
    .engine_warp_i(serve_warp), .served_o(served), .any_served_o(any_served),
    .released_o(released), .result_i(result), .wake_warp_i(wake_warp),
    .wake_at_o(wake_at)
  );

  // Engine. With EventDelay requests are those of the registers, and what a service reads is read
  // with the pick.
  logic [4:0]          left_leader;
  always_comb begin
    picked = picked_state;
    picked.check = chk_q[pick];
    if (EventDelay == 0) begin
      if (asks_check && resolve_warp == pick) picked.check = 1'b1;
      if (issue_check && issue_warp == pick) picked.check = 1'b1;
    end
  end
  if (EventDelay == 0) begin : gen_at_once
    assign load_warp = serve_warp;
    assign loads = serves || take;
    assign loaded = load_state;
    assign next_split = req_split_d;
    assign next_walk = req_walk_d;
    logic unused_load;
    assign unused_load = load;
  end else begin : gen_delay
    loaded_t loaded_q;
    assign load_warp = pick;
    assign loads = load;
    assign loaded = loaded_q;
    assign next_split = req_split_q;
    assign next_walk = req_walk_q;
    always_ff @(posedge clk_i) if (load) loaded_q <= load_state;
  end
  always_comb begin
    serving = 'x;
    if (serves || take) begin
      serving = '{
        pc: loaded.pc, next_pc: loaded.next_pc, depth: loaded.depth, served: served,
        any_served: any_served, released: released, check: chk_q[serve_warp],
        bar_wake: bar_wake_i[serve_warp], wait_wake: wait_wake_i[serve_warp],
        bar_busy: bar_req_busy_i[serve_warp]
      };
    end
  end
  path_engine u_engine (
    .clk_i, .rst_ni(rst_n), .sub_i, .stall_i, .now_i, .trap_pending_i,
    .req_i((req_split_q | req_walk_q) != '0), .next_split_i(next_split),
    .next_walk_i(next_walk), .pick_o(pick), .picked_i(picked), .load_o(load),
    .warp_o(serve_warp), .take_o(take), .busy_o(serves), .state_i(serving), .split_i(loaded.split),
    .target_o(target_ask), .target_i(target_found), .split_done_o(split_done),
    .result_o(result), .left_leader_o(left_leader), .bar_req_o, .trap_o(trap_engine_o)
  );

  // Wake-ups.
  logic [SubWarps-1:0] idle, wake, serve_bit;
  assign serve_bit = SubWarps'(1) << serve_warp;
  assign idle = warp_valid_i & ~run_q & ~ctl_q & ~req_split_q & ~req_walk_q & ~dead_q &
                ~(serve_bit & {SubWarps{serves}});
  path_wakeup u_wakeup (
    .clk_i, .sub_i, .now_i, .trap_pending_i, .idle_i(idle), .bar_wake_i, .wait_wake_i,
    .done_i(result.done), .parks_i(result.parks),
    .done_warp_i(serve_warp), .sleeps_i(result.sleeps), .warp_o(wake_warp), .wake_at_i(wake_at),
    .wake_o(wake), .sleeping_o
  );

  // One bit per warp: the next value with some bits cleared, then some set. A warp whose last lanes
  // ended leaves nothing running.
  logic [SubWarps-1:0] issue_bit, resolve_bit, run_bit, issue_walk_bit, ask_bit;
  assign issue_bit = SubWarps'(1) << issue_warp;
  assign resolve_bit = SubWarps'(resolves) << resolve_warp;
  assign run_bit = serve_bit & {SubWarps{result.run}};
  assign issue_walk_bit = issue_bit & {SubWarps{issue_walk}};
  assign ask_bit = resolve_bit & {SubWarps{asks_split || asks_walk}};
  assign req_split_d = (req_split_q & ~(serve_bit & {SubWarps{take}})) |
                       (resolve_bit & {SubWarps{asks_split}});
  assign req_walk_d = (req_walk_q & ~(serve_bit & {SubWarps{take}})) |
                      (resolve_bit & {SubWarps{asks_walk}}) | issue_walk_bit | wake;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      run_q <= '0;
      ctl_q <= '0;
      chk_q <= '0;
      polled_q <= '0;
      req_split_q <= '0;
      req_walk_q <= '0;
      dead_q <= '1;
    end else begin
      run_q <= (run_q & ~issue_walk_bit & ~ask_bit & ~(resolve_bit & {SubWarps{ends}})) |
               run_bit | warp_start_i;
      ctl_q <= ((ctl_q & ~resolve_bit) | (issue_bit & {SubWarps{issue_ctl}})) & ~warp_start_i;
      chk_q <= ((chk_q & ~(serve_bit & {SubWarps{result.check_clr}})) |
                (resolve_bit & {SubWarps{asks_check}}) |
                (issue_bit & {SubWarps{issue_check}})) & ~warp_start_i;
      polled_q <= ((polled_q & ~(resolve_bit & {SubWarps{!polled}})) |
                   (issue_bit & {SubWarps{issue_i.valid && issue_i.poll}})) & ~warp_start_i;
      req_split_q <= req_split_d;
      req_walk_q <= req_walk_d;
      dead_q <= (dead_q | (resolve_bit & {SubWarps{ends}})) & ~warp_start_i;
    end
    rel_q <= ((rel_q & ~(issue_bit & {SubWarps{issue_step}})) |
              (run_bit & {SubWarps{result.run_released}})) & ~warp_start_i;
  end

  // Outputs.
  assign {run_o, ctl_o, released_o, dead_o} = {run_q, ctl_q, rel_q, dead_q};
  assign path_idle_o = dead_q & ~req_split_q & ~req_walk_q & ~(serve_bit & {SubWarps{serves}});
  assign turn_end_o = '{valid: turn_end, warp: resolve_warp};
  assign flush_o = issue_walk_bit | ask_bit | (resolve_bit & {SubWarps{jumps}}) | run_bit;
  assign setpc_resolve_o = '{valid: jumps, warp: resolve_warp, pc: resolved.pc};
  assign setpc_engine_o = '{valid: result.run, warp: serve_warp, pc: result.run_pc};
  assign bar_pred_o = '{valid: resolves && is_bar, warp: resolve_warp, mask: resolve_i.exec,
                        value: resolve_i.psrc};
  assign bar_exit_o = '{valid: ends, warp: resolve_warp};
  assign wake_clr_o = '{valid: result.wake_clr, warp: serve_warp};

  logic unused_issue;
  assign unused_issue = ^{issue_i, entry_pc_i, left_leader, exits};

  assign rest_o = req_split_q == '0 && req_walk_q == '0 && !serves;

  `WL_ASSERT_ON(OneChange, rst_n, (issue_bit & {SubWarps{issue_i.valid}} & resolve_bit) == '0 &&
                (resolve_bit & serve_bit & {SubWarps{serves}}) == '0)
  `WL_ASSERT_ON(IssuesRunning, rst_n, !issue_i.valid || run_q[issue_warp])
  `WL_ASSERT_ON(RunsOrAsks, rst_n, (run_q & (req_split_q | req_walk_q)) == '0)

  `WL_ASSERT_ON(DeadIsStill, rst_n, (dead_q & (run_q | ctl_q)) == '0)
  `WL_ASSERT_ON(ControlRuns, rst_n, (ctl_q & ~run_q) == '0)
  `WL_ASSERT_ON(ResolvesControl, rst_n, !resolves || ctl_q[resolve_warp])
  `WL_ASSERT_ON(RunsWhereStarted, rst_n, (run_q & ~warp_valid_i) == '0)
endmodule
