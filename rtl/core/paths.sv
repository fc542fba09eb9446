// Path state of the warps (docs/microarchitecture.md 7.1) and who changes it: CTA launch, issue
// (section 5, rules 2 to 5), the resolve stage (path_resolve), the path engine (path_engine),
// wake-ups (7.3). In a cycle at most one of these changes a given warp. Decides no branch itself.
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
  output finish_t             bar_wake_clr_o,
  input  logic [SubWarps-1:0] bar_wake_i,
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
  logic [SubWarps-1:0] tail_q;         // started with the tail mask
  logic [SubWarps-1:0] rel_q;          // the running path is released
  // Words in distributed memory, each with one writer: r resolve, i issue, e engine. Where two
  // write the same word, a bit tells who was last. Until the first of its writes after the launch a
  // word has its initial value: all of r are written at every resolve, of e at every end of a
  // service.
  logic [SubWarps-1:0] served_w_q, resolved_q, depth_r_w_q, pc_r_w_q, walked_q;
  logic [31:0]      live_r_q [SubWarps];
  logic [31:0]      served_r_q [SubWarps];
  logic [9:0]       turn_r_q [SubWarps];
  logic [15:0]      depth_r_q [SubWarps];
  pc_t              pc_r_q [SubWarps];        // kept only while the path does not run
  pc_t              pc_i_q [SubWarps];
  logic [15:0]      depth_e_q [SubWarps];
  logic [31:0]      mask_e_q [SubWarps];   // cur.mask as the walk left it; ended lanes still in it
  logic [31:0]      others_e_q [SubWarps];    // exist without the running path
  logic [31:0]      released_e_q [SubWarps];  // without the running path
  logic [31:0]      xmask_e_q [SubWarps];
  logic [31:0]      wake_at_e_q [SubWarps];   // while no path runs and nothing is asked
  pc_t              stop_pc_e_q [SubWarps];
  // The target is pc + 1; lowest live lane, lowest lane of the path.
  logic [10:0]      lows_r_q [SubWarps];
  logic [4:0]       leader_e_q [SubWarps];    // of the running path
  typedef struct packed {
    logic stop;      // stop is valid
    logic below;
    logic several;   // there are other paths
    logic cur;       // cur.mask is not 0 (or its lanes ended)
    logic waits;     // `waiting` is not 0
    logic rel_any;   // released, without the running path, is not 0
  } flags_t;
  localparam flags_t FlagsStart = '{cur: 1'b1, default: 1'b0};
  flags_t           flags_e_q [SubWarps];
  // What a requested split makes of the lanes of E.
  logic [31:0]      e_mask_q [SubWarps];
  logic [31:0]      e_value_q [SubWarps];
  logic [15:0]      e_what_q [SubWarps]; // state, op, depth, by lane

  function automatic logic [31:0] live_now(input logic [31:0] word, input logic written,
                                           input logic tail, input logic [31:0] tail_mask);
    return written ? word : (tail_mask | {32{!tail}});
  endfunction
  function automatic logic [31:0] mask_now(input logic [31:0] word, input logic written,
                                           input logic cur, input logic [31:0] live);
    return live & (word | {32{!written}}) & {32{cur}};
  endfunction

  // Issue (section 5): control forms only set ctl, all others go on to pc + 1.
  warp_t iw;
  pc_t   i_next;
  // verilator lint_off UNUSEDSIGNAL // each reader needs some of the flags
  flags_t i_flags, n_flags, p_flags;
  // verilator lint_on UNUSEDSIGNAL
  logic  i_ctl, i_step, i_walk, i_chk, i_beyond;
  assign iw = issue_i.warp;
  assign i_ctl = issue_i.valid && issue_i.ctl;
  assign i_step = issue_i.valid && !issue_i.ctl;
  // The last released lanes issue: a rendezvous that is complete meanwhile may follow.
  assign i_flags = walked_q[iw] ? flags_e_q[iw] : FlagsStart;
  assign i_chk = i_step && issue_i.released && !i_flags.rel_any && i_flags.waits;
  assign i_walk = i_step && (i_beyond || (issue_i.released && i_flags.several));
  // Whether pc + 1 lies at the stop PC or above. An instruction that is read before it issues is
  // compared then: of a warp that runs neither changes. (Beside the sum: a bit of pc + 1 differs
  // from that of pc where the one below goes from one to zero. The last of 2^28 instructions cannot
  // be: there is a launch block.)
  pc_t  head_next, head_stop;
  logic head_beyond, head_at;
  assign head_stop = stop_pc_e_q[iw];
  assign head_at = (head_pc_i ^ head_stop) == {head_pc_i[26:0] & ~head_stop[26:0], 1'b1};
  assign head_next = head_pc_i + 28'd1;
  assign head_beyond = i_flags.stop && (head_pc_i >= head_stop || head_at);
  if (IssueAhead == 0) begin : gen_compare
    assign i_next = head_next;
    assign i_beyond = head_beyond;
  end else begin : gen_compared
    pc_t  next_q;
    logic beyond_q;
    always_ff @(posedge clk_i) begin
      next_q <= head_next;
      beyond_q <= head_beyond;
    end
    assign i_next = next_q;
    assign i_beyond = beyond_q;
  end
  assign live_o = live_now(live_r_q[sel_warp_i], resolved_q[sel_warp_i], tail_q[sel_warp_i],
                           tail_mask_i);
  assign cur_mask_o = mask_now(mask_e_q[sel_warp_i], walked_q[sel_warp_i], 1'b1, live_o);
  assign xmask_o = xmask_e_q[sel_warp_i];

  // Resolve.
  warp_t       rw;
  logic        r_act, r_split, r_walk, r_chk, r_done, r_turn_end, r_jump, r_polled, r_lanes, r_bar;
  logic        r_exit;  // for the journal
  logic [31:0] r_live, r_served, r_value, tb_value;
  pc_t         r_pc;
  logic [15:0] r_depth;
  logic [4:0]  tb_bad_lane, r_first, r_leader;
  logic [9:0]  r_turn, r_op;
  row_state_e  r_state;
  depth_e      r_depth_e;
  logic        tb_same, tb_bad;
  assign rw = resolve_i.warp;
  // The state of the warp is read in the cycle before: nothing changes it between issue and T.
  typedef struct packed {
    foreseen_t   foreseen;
    logic [15:0] depth;
    logic [31:0] live;
    logic        alone;
    logic [31:0] served;
    logic        served_v;
    logic [9:0]  turn;
    logic        polled;
    logic        below;
    branch_t     target;
  } resolved_t;
  warp_t       nw;
  foreseen_t   n_foreseen;
  pc_t         tb_target;  // the last operand of the target buffer is in X1
  logic [15:0] n_depth;
  logic [31:0] n_live;
  logic [9:0]  n_turn;
  resolved_t   rs_q;
  assign nw = resolve_next_i.warp;
  assign n_depth = depth_r_w_q[nw] ? depth_r_q[nw] : depth_e_q[nw] & {16{walked_q[nw]}};
  assign n_live = live_now(live_r_q[nw], resolved_q[nw], tail_q[nw], tail_mask_i);
  assign n_turn = turn_r_q[nw] & {10{resolved_q[nw]}};
  assign n_flags = walked_q[nw] ? flags_e_q[nw] : FlagsStart;
  assign n_foreseen = foresee(resolve_next_i, n_depth, n_live, n_turn, polled_q[nw]);
  always_ff @(posedge clk_i) begin
    if (resolve_next_i.valid) begin
      rs_q <= '{
        foreseen: n_foreseen, depth: n_depth, live: n_live, alone: !n_flags.several,
        served: served_r_q[nw], served_v: served_w_q[nw], turn: n_turn, polled: polled_q[nw],
        below: n_flags.below,
        target: branch_to(n_foreseen, tb_target, resolve_next_i.insn.word.imm[27:0], n_flags.stop,
                          stop_pc_e_q[nw])
      };
    end
  end
  path_resolve u_resolve (
    .sub_i, .resolve_i, .foreseen_i(rs_q.foreseen), .now_i,
    .depth_i(rs_q.depth), .live_i(rs_q.live), .alone_i(rs_q.alone),
    .served_i(rs_q.served), .served_v_i(rs_q.served_v), .turn_i(rs_q.turn),
    .polled_i(rs_q.polled),
    .target_i(rs_q.target), .below_i(rs_q.below),
    .value_i(tb_value), .same_i(tb_same), .bad_i(tb_bad), .bad_lane_i(tb_bad_lane),
    .act_o(r_act), .exit_o(r_exit), .pc_o(r_pc), .depth_o(r_depth),
    .live_o(r_live), .first_o(r_first), .leader_o(r_leader), .served_o(r_served), .turn_o(r_turn),
    .polled_o(r_polled), .split_o(r_split), .walk_o(r_walk), .chk_o(r_chk), .done_o(r_done),
    .turn_end_o(r_turn_end), .jump_o(r_jump),
    .split_value_o(r_value), .split_state_o(r_state), .split_op_o(r_op),
    .split_depth_o(r_depth_e), .split_lanes_o(r_lanes), .is_bar_o(r_bar),
    .trap_o(trap_resolve_o)
  );

  // Target buffer: the resolve stage looks at it only for its owner, as does a split.
  target_ask_t         target_ask;
  target_found_t       target_found;
  logic                tb_drop;
  warp_t               tb_owner;
  logic                e_split_done;
  warp_t               ew;
  assign tb_drop = (r_act && !r_split && rw == tb_owner) || (e_split_done && ew == tb_owner);
  path_targets u_targets (
    .clk_i, .rst_ni(rst_n), .take_i(issue_i.valid && issue_i.tbuf), .take_warp_i(iw),
    .take_exec_i(issue_i.exec), .take_bar_i(issue_i.insn.info.unit == UnitBar),
    .drop_i(tb_drop), .free_o(tbuf_free_o), .owner_o(tb_owner),
    .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
    .value_o(tb_value), .target_o(tb_target), .same_o(tb_same), .bad_o(tb_bad),
    .bad_lane_o(tb_bad_lane),
    .ask_i(target_ask), .found_o(target_found)
  );

  // Engine.
  logic [SubWarps-1:0] e_next_split, e_next_walk;
  logic        e_take, e_busy;
  logic [4:0]  e_left_leader;
  service_t    result;      // what the service changes of warp ew
  // State of the warp that is picked, as it will be in the next cycle: an exit in T changes it, not
  // with EventDelay, where its request is visible. A warp that asks has resolved before.
  warp_t       pw;
  logic        p_same, e_load;
  logic [31:0] p_live;
  logic [4:0]  p_first, p_leader, p_leader_r;
  picked_t     picked;
  assign p_same = EventDelay == 0 && r_act && rw == pw;
  assign p_live = p_same ? r_live : live_r_q[pw];
  assign p_flags = walked_q[pw] ? flags_e_q[pw] : FlagsStart;
  assign {p_first, p_leader_r} = p_same ? {r_first, r_leader} : lows_r_q[pw][9:0];
  assign p_leader = (p_same || depth_r_w_q[pw]) ? p_leader_r : leader_e_q[pw];
  assign picked = '{
    mask: mask_now(mask_e_q[pw], walked_q[pw], p_flags.cur, p_live), live: p_live,
    others: others_e_q[pw] & {32{walked_q[pw]}},
    check: chk_q[pw] || (p_same && r_chk) || (EventDelay == 0 && i_chk && iw == pw),
    waits: p_flags.waits, any_released: p_flags.rel_any, first: p_first, leader: p_leader
  };
  // What a service reads from its first step on: with EventDelay it is read with the pick.
  typedef struct packed {
    pc_t         pc, next_pc;
    logic [15:0] depth;
    split_t      split;
  } loaded_t;
  loaded_t     loaded, load_read;
  warp_t       load_warp;
  pc_t         load_pc;
  logic        load_next;
  logic [9:0]  load_lows;
  assign load_pc = pc_r_w_q[load_warp] ? pc_r_q[load_warp] : pc_i_q[load_warp];
  assign {load_next, load_lows} = lows_r_q[load_warp];
  assign load_read = '{
    pc: load_pc, next_pc: load_pc + 28'd1,
    depth: depth_r_w_q[load_warp] ? depth_r_q[load_warp] : depth_e_q[load_warp],
    split: '{
      mask: e_mask_q[load_warp], value: e_value_q[load_warp], next: load_next,
      by_lane: e_what_q[load_warp][15], depth: depth_e'(e_what_q[load_warp][14:13]),
      op: e_what_q[load_warp][12:3], state: row_state_e'(e_what_q[load_warp][2:0])
    }
  };
  if (EventDelay == 0) begin : gen_at_once
    assign load_warp = ew;
    assign loaded = load_read;
    logic unused_load;
    assign unused_load = e_load;
  end else begin : gen_delay
    loaded_t loaded_q;
    assign load_warp = pw;
    assign loaded = loaded_q;
    always_ff @(posedge clk_i) if (e_load) loaded_q <= load_read;
  end
  serving_t serving;
  assign serving = '{
    pc: loaded.pc, next_pc: loaded.next_pc, depth: loaded.depth, served: served_r_q[ew],
    any_served: served_w_q[ew], released: released_e_q[ew], check: chk_q[ew],
    bar_wake: bar_wake_i[ew], bar_busy: bar_req_busy_i[ew]
  };
  assign e_next_split = (EventDelay == 0) ? req_split_d : req_split_q;
  assign e_next_walk = (EventDelay == 0) ? req_walk_d : req_walk_q;
  path_engine u_engine (
    .clk_i, .rst_ni(rst_n), .sub_i, .stall_i, .now_i, .trap_pending_i,
    .req_i((req_split_q | req_walk_q) != '0), .next_split_i(e_next_split),
    .next_walk_i(e_next_walk), .pick_o(pw), .picked_i(picked), .load_o(e_load),
    .warp_o(ew), .take_o(e_take), .busy_o(e_busy), .state_i(serving), .split_i(loaded.split),
    .target_o(target_ask), .target_i(target_found), .split_done_o(e_split_done),
    .result_o(result), .left_leader_o(e_left_leader), .bar_req_o, .trap_o(trap_engine_o)
  );

  // Wake-ups: a barrier at once, the time of one warp per cycle.
  logic [SubWarps-1:0] waits_q;   // wake_at valid
  logic [SubWarps-1:0] idle, asleep, wake, turn_bit;
  logic [31:0]      wake_at;
  warp_slot_t       turn;
  assign turn = now_i[WarpSlotBits-1:0];
  assign wake_at = wake_at_e_q[warp_of(turn)];
  assign turn_bit = SubWarps'(SubCores == 1 || sub_of(turn) == sub_i) << warp_of(turn);
  assign idle = warp_valid_i & ~run_q & ~ctl_q & ~req_split_q & ~req_walk_q & ~dead_q &
                ~(SubWarps'(e_busy) << ew);
  assign asleep = idle & (bar_wake_i | (turn_bit & waits_q));
  assign sleeping_o = (idle & waits_q) != '0;
  always_comb begin
    wake = '0;
    if (asleep != '0 && !trap_pending_i) begin
      wake = asleep & bar_wake_i;
      if ($signed(now_i - wake_at) >= 0) wake = asleep;
    end
  end

  // One bit per warp. A warp whose last lanes ended leaves nothing running.
  logic [SubWarps-1:0] i_bit, r_bit, e_bit, e_end_bit, e_run_bit, i_walk_bit, r_ask;
  assign i_bit = SubWarps'(1) << iw;
  assign r_bit = SubWarps'(r_act) << rw;
  assign e_bit = SubWarps'(1) << ew;
  assign e_end_bit = e_bit & {SubWarps{result.done}};
  assign e_run_bit = e_bit & {SubWarps{result.run}};
  assign i_walk_bit = i_bit & {SubWarps{i_walk}};
  assign r_ask = r_bit & {SubWarps{r_split || r_walk}};
  assign req_split_d = (req_split_q & ~(e_bit & {SubWarps{e_take}})) |
                       (r_bit & {SubWarps{r_split}});
  assign req_walk_d = (req_walk_q & ~(e_bit & {SubWarps{e_take}})) | (r_bit & {SubWarps{r_walk}}) |
                      i_walk_bit | wake;
  // A register of one bit per warp: next value with some bits cleared, then some set.
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
      run_q <= (run_q & ~i_walk_bit & ~r_ask & ~(r_bit & {SubWarps{r_done}})) | e_run_bit |
               warp_start_i;
      ctl_q <= ((ctl_q & ~r_bit) | (i_bit & {SubWarps{i_ctl}})) & ~warp_start_i;
      chk_q <= ((chk_q & ~(e_bit & {SubWarps{result.check_clr}})) | (r_bit & {SubWarps{r_chk}}) |
                (i_bit & {SubWarps{i_chk}})) & ~warp_start_i;
      polled_q <= ((polled_q & ~(r_bit & {SubWarps{!r_polled}})) |
                   (i_bit & {SubWarps{issue_i.valid && issue_i.poll}})) & ~warp_start_i;
      req_split_q <= req_split_d;
      req_walk_q <= req_walk_d;
      dead_q <= (dead_q | (r_bit & {SubWarps{r_done}})) & ~warp_start_i;
    end
  end
  // These need no reset: a launch sets them before they are used.
  always_ff @(posedge clk_i) begin
    served_w_q <= ((served_w_q | r_bit) & ~(e_bit & {SubWarps{result.served_clr}})) & ~warp_start_i;
    resolved_q <= (resolved_q | r_bit) & ~warp_start_i;
    waits_q <= (waits_q & ~e_end_bit) | (e_end_bit & {SubWarps{result.sleeps}});
    walked_q <= (walked_q | e_end_bit) & ~warp_start_i;
    depth_r_w_q <= (depth_r_w_q | r_bit) & ~e_run_bit & ~warp_start_i;
    pc_r_w_q <= (pc_r_w_q & ~i_walk_bit) | r_bit;
    rel_q <= ((rel_q & ~(i_bit & {SubWarps{i_step}})) |
              (e_run_bit & {SubWarps{result.run_released}})) & ~warp_start_i;
    if (warp_start_i != '0) tail_q <= (tail_q & ~warp_start_i) | (start_tail_i & warp_start_i);
  end

  // Words in distributed memory.
  always_ff @(posedge clk_i) begin
    if (r_act) begin
      live_r_q[rw] <= r_live;
      served_r_q[rw] <= r_served;
      turn_r_q[rw] <= r_turn;
      pc_r_q[rw] <= r_pc;
      depth_r_q[rw] <= r_depth;
      lows_r_q[rw] <= {rs_q.target.next, r_first, r_leader};
    end
    if (r_split) begin
      e_mask_q[rw] <= resolve_i.exec;
      e_value_q[rw] <= r_value;
      e_what_q[rw] <= {r_lanes, r_depth_e, r_op, r_state};
    end
    if (i_walk) pc_i_q[iw] <= i_next;
    if (result.done) begin
      others_e_q[ew] <= result.others;
      wake_at_e_q[ew] <= result.wake_at;
      flags_e_q[ew] <= '{stop: result.stop, below: result.below, several: result.several,
                         cur: result.run, waits: result.waits, rel_any: result.any_released};
    end
    if (result.released_we) released_e_q[ew] <= result.released;
    if (result.xmask_we) xmask_e_q[ew] <= result.xmask;
    if (result.run) begin
      mask_e_q[ew] <= result.run_mask;
      depth_e_q[ew] <= result.run_depth;
      leader_e_q[ew] <= result.run_leader;
      stop_pc_e_q[ew] <= result.stop_pc;
    end
  end

  // Outputs.
  assign run_o = run_q;
  assign ctl_o = ctl_q;
  assign released_o = rel_q;
  assign dead_o = dead_q;
  assign path_idle_o = dead_q & ~req_split_q & ~req_walk_q & ~(SubWarps'(e_busy) << ew);
  assign turn_end_o.valid = r_turn_end;
  assign turn_end_o.warp = rw;
  assign flush_o = i_walk_bit | r_ask | (r_bit & {SubWarps{r_jump}}) | e_run_bit;
  assign setpc_resolve_o.valid = r_jump;
  assign setpc_resolve_o.warp = rw;
  assign setpc_resolve_o.pc = r_pc;
  assign setpc_engine_o.valid = result.run;
  assign setpc_engine_o.warp = ew;
  assign setpc_engine_o.pc = result.run_pc;
  assign bar_pred_o.valid = r_act && r_bar;
  assign bar_pred_o.warp = rw;
  assign bar_pred_o.mask = resolve_i.exec;
  assign bar_pred_o.value = resolve_i.psrc;
  assign bar_exit_o.valid = r_done;
  assign bar_exit_o.warp = rw;
  assign bar_wake_clr_o.valid = result.bar_wake_clr;
  assign bar_wake_clr_o.warp = ew;

  logic unused_issue;
  assign unused_issue = ^{issue_i, entry_pc_i, e_left_leader, r_exit, load_lows};

  assign rest_o = req_split_q == '0 && req_walk_q == '0 && !e_busy;
endmodule
