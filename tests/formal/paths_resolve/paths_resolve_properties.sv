// Resolve and turn rule (docs/microarchitecture.md 7.2), for warps of four live lanes: the unit is
// combinational, so that one free state is all states. The text's targets are made lane by lane and
// counted; what the text says follows from them is compared with the unit's outputs. Not here: the
// target buffer itself (7.2), which is assumed to answer for the lanes of E. (tests/formal/wait has it
// for WAIT.)
module paths_resolve_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input logic        clk_i,
  input resolve_t    resolve_i,
  input logic [31:0] now_i,
  input logic [15:0] depth_i,
  input logic [31:0] live_i,
  input logic        alone_i,
  input logic [31:0] served_i,
  input logic        served_v_i,
  input logic [9:0]  turn_i,
  input logic        polled_i,
  input logic        stop_valid_i,
  input pc_t         stop_pc_i,
  input logic        below_i,
  input logic [31:0] a_i [4],       // operands of the lanes
  input logic [31:0] b_i [4],
  input logic [30:0] gen_i,         // 21.2, as visible in T
  input logic        cluster_wait_i,
  input logic        bad_i,
  input logic [4:0]  bad_lane_i
);
  localparam int unsigned L = 4;
  // Forms (table of 7.2).
  logic [7:0]  op;
  logic [31:0] imm;
  pc_t         here;
  logic f_bra, f_brx, f_call, f_callx, f_ret, f_exit, f_trap, f_sleep, f_bar, f_sync, f_ctl, f_reg;
  logic f_wait, f_cwait, f_stays, f_gather, f_arrives;
  assign op = resolve_i.insn.info.op;
  assign imm = resolve_i.insn.word.imm;
  assign here = resolve_i.insn.pc;
  assign f_ctl = resolve_i.insn.info.unit == UnitCtl;
  assign f_bra = f_ctl && op == CtlBra;
  assign f_brx = f_ctl && op == CtlBrx;
  assign f_call = f_ctl && op == CtlCall;
  assign f_callx = f_ctl && op == CtlCallx;
  assign f_ret = f_ctl && op == CtlRet;
  assign f_exit = f_ctl && op == CtlExit;
  assign f_trap = f_ctl && op == CtlTrap;
  assign f_sleep = f_ctl && op == CtlSleep;
  assign f_wait = f_ctl && op == CtlWait;
  assign f_cwait = f_ctl && op == CtlCwait;
  assign f_bar = resolve_i.insn.info.unit == UnitBar;
  assign f_gather = HasGathered != 0 && resolve_i.arrives;
  assign f_sync = resolve_i.insn.info.unit == UnitSync && !f_gather;
  assign f_arrives = f_bar || f_sync || f_gather;  // lanes that CHECK may release
  assign f_reg = f_gather ? 1'b0 : f_sync ? resolve_i.insn.info.c_words != '0 : resolve_i.insn.info.a_words != '0;

  logic [31:0] m, e, value, undone;  // undone: S of 21.3
  logic        same, stale;
  assign m = resolve_i.path;
  assign e = resolve_i.exec;
  always_comb begin
    value = '0;
    for (int l = L - 1; l >= 0; l--) if (e[l]) value = a_i[l];
    same = 1'b1;
    for (int l = 0; l < L; l++) if (e[l] && a_i[l][27:0] != value[27:0]) same = 1'b0;
    undone = '0;
    stale = 1'b0;
    for (int l = L - 1; l >= 0; l--) begin
      if (e[l] && !a_i[l][31]) begin
        undone[l] = 1'b1;
        if (a_i[l][30:0] != gen_i) stale = 1'b1;
        if (f_wait) value = b_i[l];
      end
    end
  end

  assign f_stays = (f_wait && undone != '0) || (f_cwait && cluster_wait_i);

  logic        act, is_exit, split, walk, chk, done, turn_end, jump, polled, lanes, is_bar;
  logic        split_next, paced;
  logic [31:0] split_mask;
  logic [31:0] live, served, split_value, left;  // left: lanes of the path, also of one that ends
  logic [4:0]  first, leader;
  pc_t         pc;
  logic [15:0] depth;
  logic [9:0]  turn, split_op;
  row_state_e  split_state;
  depth_e      split_depth;
  trap_t       trap;
  foreseen_t   foreseen;
  assign foreseen = foresee(resolve_i, depth_i, live_i, turn_i, polled_i);
  path_resolve dut (
    .sub_i('0), .resolve_i, .foreseen_i(foreseen), .now_i, .depth_i, .live_i, .alone_i, .served_i,
    .served_v_i, .turn_i, .polled_i,
    .target_i(branch_to(foreseen, value[27:0], resolve_i.insn.word.imm[27:0], stop_valid_i,
                        stop_pc_i)),
    .below_i, .value_i(value), .same_i(same), .undone_i(undone),
    .some_undone_i(undone != '0), .stale_i(stale), .cluster_wait_i, .copies_left_i(1'b0),
    .columns_wait_i(1'b0), .bad_i,
    .bad_lane_i, .act_o(act), .exit_o(is_exit), .pc_o(pc), .depth_o(depth), .live_o(live),
    .first_o(first), .leader_o(leader), .served_o(served), .turn_o(turn),
    .polled_o(polled), .split_o(split), .walk_o(walk),
    .chk_o(chk), .done_o(done), .turn_end_o(turn_end), .jump_o(jump),
    .split_mask_o(split_mask), .split_next_o(split_next), .split_paced_o(paced),
    .split_value_o(split_value), .split_state_o(split_state), .split_op_o(split_op),
    .split_depth_o(split_depth), .split_lanes_o(lanes), .is_bar_o(is_bar), .trap_o(trap)
  );

  // The text, lane by lane.
  typedef struct packed {
    pc_t         pc;
    logic [15:0] depth;
    logic [2:0]  state;
    logic [9:0]  op;
    logic [31:0] key;
  } target_t;
  target_t     tgt [L];
  logic [31:0] sleep;
  logic        counted, ends, t_ready, others;
  logic [2:0]  k;
  always_comb begin
    sleep = (value > 32'd1_000_000) ? 32'd1_000_000 : value;
    if (f_wait && value == '0) sleep = WaitLimit;
    if (f_wait && value > WaitLimit) sleep = WaitLimit;
    if (sleep == '0) sleep = 32'd1;
    k = '0;
    t_ready = 1'b1;
    for (int l = 0; l < L; l++) begin
      logic old;
      tgt[l] = '{pc: here + 28'd1, depth: depth_i, state: RowReady, op: '0, key: '0};
      if (e[l]) begin
        if (f_bra) tgt[l].pc = imm[27:0];
        if (f_brx || f_ret) tgt[l].pc = a_i[l][27:0];
        if (f_call || f_callx) begin
          tgt[l].pc = f_call ? imm[27:0] : a_i[l][27:0];
          tgt[l].depth = depth_i + 16'd1;
        end
        if (f_ret) tgt[l].depth = depth_i - 16'd1;
        if (f_sleep) begin
          tgt[l].state = RowSleep;
          tgt[l].key = now_i + sleep;
        end
        if (f_wait && undone[l]) begin
          tgt[l].pc = here - 28'd1;
          if (!stale) begin
            tgt[l].state = RowWait;
            tgt[l].key = now_i + sleep;
          end
        end
        if (f_cwait && cluster_wait_i) begin
          tgt[l].pc = here;
          tgt[l].state = RowWait;
          tgt[l].op = 10'd1;
        end
        if (f_gather) begin
          tgt[l].pc = here;
          tgt[l].state = RowSync;
          tgt[l].op = 10'd1023;
          tgt[l].key = 32'(here);
        end
        if (f_bar || f_sync) begin
          tgt[l].pc = here;
          tgt[l].state = f_bar ? RowBar : RowSync;
          tgt[l].op = f_bar ? {6'd0, resolve_i.insn.word.mods.control.aligned, op[2:0]} :
                              {resolve_i.insn.word.mods.control.xmode, op};
          // .r: the key of the lane is in the target buffer.
          tgt[l].key = f_reg ? a_i[l] : f_sync ? imm : {22'd0, imm[13:8], imm[3:0]};
        end
      end
      old = !m[l] || (f_exit && e[l]);
      for (int j = 0; j < l; j++) if (m[j] && !(f_exit && e[j]) && tgt[j] == tgt[l]) old = 1'b1;
      if (!old) k += 3'd1;
      if (m[l] && !(f_exit && e[l]) && tgt[l].state != RowReady) t_ready = 1'b0;
    end
    counted = (f_bra && imm[27:0] <= here) || f_brx || f_call || f_callx || f_ret;
    ends = f_exit || f_sleep || f_arrives || f_stays ||
           (counted && (11'(turn_i) + 11'd1 == 11'(TurnBranches) || polled_i));
    others = !alone_i;
  end

  assign left = (f_exit && e != m) ? m & ~e : m;

  // What follows (rules 1 to 4), and the state of the turn.
  logic        s_trap, s_walk, s_split, s_chk, s_done, s_on, s_one, s_turn0;
  logic [31:0] s_live, s_served;
  pc_t         s_pc;
  logic [15:0] s_depth;
  always_comb begin
    s_trap = f_trap || ((f_call || f_callx) && depth_i == 16'(MaxDepth)) ||
             (f_ret && depth_i == '0) || ((f_bar || f_sync) && f_reg && bad_i);
    s_live = f_exit ? live_i & ~e : live_i;
    s_served = served_v_i ? served_i : '0;
    if (ends) s_served |= m;
    s_pc = here;
    s_depth = depth_i;
    s_walk = 1'b0;
    s_split = 1'b0;
    s_chk = 1'b0;
    s_done = 1'b0;
    s_on = 1'b0;
    s_one = !f_exit && k == 3'd1 && t_ready;
    s_turn0 = k > 3'd1 && t_ready && !f_exit && alone_i;
    if (f_exit && e == m) begin
      s_done = s_live == '0;
      s_walk = !s_done;
      s_chk = s_walk;
    end else if (f_exit) begin
      s_pc = here + 28'd1;
      s_walk = others;
      s_chk = others;
      s_on = !others;
      if (!others) s_served = '0;
    end else if (s_one) begin
      for (int l = 0; l < L; l++) begin
        if (m[l]) begin
          s_pc = tgt[l].pc;
          s_depth = tgt[l].depth;
        end
      end
      if (!others && ends) s_served = '0;
      s_walk = others && (ends || (stop_valid_i && s_pc >= stop_pc_i) || s_depth != depth_i ||
                          (f_bra && imm[27:0] <= here && below_i));
      s_on = !s_walk;
    end else begin
      s_split = 1'b1;
      s_chk = f_arrives;
    end
  end

  always @(posedge clk_i) begin
    // Issue (5, 6.1) and the unit's neighbours: lanes of E in M, M live, a form that resolves.
    assume (resolve_i.valid && live_i[31:L] == '0 && (m & ~live_i) == '0);
    assume (e != '0 && (e & ~m) == '0);
    assume (f_bra || f_brx || f_call || f_callx || f_ret || f_exit || f_trap || f_sleep || f_bar ||
            f_sync || f_wait || f_cwait || f_gather);
    if (f_gather) assume (!f_ctl && !f_bar && e == m);  // 5, UNIT
    if (f_ctl) assume (f_reg == (f_brx || f_callx || f_ret || f_sleep || f_wait));
    // 7.1: without other paths the running one has all live lanes, and there is no stop.
    if (alone_i) assume (m == live_i && !stop_valid_i && !below_i);
    // 7.1: an other path has a live lane.
    else assume (m != live_i);

    a_trap: assert (trap.valid == s_trap && act == !s_trap);
    if (s_trap) begin
      a_cause: assert (trap.cause == (f_trap ? TrapUser :
                       (f_call || f_callx || f_ret) ? TrapCallDepth :
                       f_bar ? TrapBarrierMisuse : TrapSyncMask));
      a_lane: assert ((f_bar || f_sync) ? trap.lane == bad_lane_i :
                      e[trap.lane] && (e & ((32'd1 << trap.lane) - 32'd1)) == '0);
      a_quiet: assert (!split && !walk && !done && !jump && !turn_end && !is_exit);
    end else begin
      a_turn_end: assert (turn_end == ends);
      a_turn: assert (turn == ((ends || s_turn0) ? 10'd0 : counted ? turn_i + 10'd1 : turn_i));
      a_polled: assert (polled == (polled_i && !ends));
      a_served: assert (served == s_served);
      a_live: assert (live == s_live && is_exit == f_exit);
      if (!s_done) a_first: assert (live[first] && (live & ((32'd1 << first) - 32'd1)) == '0);
      a_leader: assert (left[leader] && (left & ((32'd1 << leader) - 32'd1)) == '0);
      a_follows: assert (split == s_split && walk == s_walk && done == s_done && chk == s_chk);
      a_jump: assert (jump == (s_on && s_pc != here + 28'd1));
      if (!s_done) a_pc: assert (pc == s_pc && depth == s_depth);
      // 1: a path that goes on or walks keeps its lanes, in no case more of them.
      a_kept: assert ((live & ~live_i) == '0 && (live_i & ~live) == (f_exit ? e : '0));
      if (s_split) begin
        a_split: assert (split_state == (f_sleep ? RowSleep : f_bar ? RowBar :
                                         (f_sync || f_gather) ? RowSync :
                                         (f_cwait || (f_wait && !stale)) ? RowWait : RowReady));
        // The lanes that do not go to pc + 1, or that take their time there.
        a_mask: assert (split_mask == (f_wait ? undone : e));
        // A target in a table of 7.3 that all lanes of E have and that is pc + 1 as well.
        if (!lanes && split_state == RowReady && split_depth == DepthSame) begin
          a_next: assert (split_next == (split_value[27:0] == here + 28'd1));
        end
        a_paced: assert (paced == f_wait);
        a_depth: assert (split_depth == ((f_call || f_callx) ? DepthUp :
                                         f_ret ? DepthDown : DepthSame));
        a_lanes: assert (lanes == (f_reg && !f_sleep && !f_wait) && is_bar == f_bar);
        if (f_bar || f_sync) a_op: assert (split_op == (f_bar ?
            {6'd0, resolve_i.insn.word.mods.control.aligned, op[2:0]} : {resolve_i.insn.word.mods.control.xmode, op}));
        if (f_gather) a_gather: assert (split_op == 10'd1023 && split_value == 32'(here));
        if (f_sleep) a_key: assert (split_value == now_i + sleep);
        if (f_wait) begin
          a_again: assert (!stale || split_value[27:0] == here - 28'd1);
          a_wait: assert (stale || (split_value == now_i + sleep && split_op == 10'd0));
        end
        if (f_cwait) a_cwait: assert (split_value == '0 && split_op == 10'd1);
        if (!f_reg && f_bar) a_bar: assert (split_value == {22'd0, imm[13:8], imm[3:0]});
        if (!f_reg && !f_bar && !f_sleep && !f_cwait && !f_gather) a_imm: assert (split_value == imm);
      end
    end
    c_two: cover (split && f_brx && k == 3'd4 && turn == '0);
    c_last: cover (turn_end && f_bra && turn_i == 10'd1023 && !polled_i && !alone_i);
    c_polled: cover (turn_end && f_brx && polled_i && turn_i == '0);
    c_below: cover (walk && f_bra && below_i && !turn_end && !stop_valid_i);
    c_stop: cover (walk && f_bra && !counted);
    c_epoch: cover (turn_end && served == '0 && served_v_i);
    c_done: cover (done);
    c_gather: cover (f_gather && split && chk);
    c_go: cover (f_wait && !split && !walk && !jump && e != m);
    c_again: cover (f_wait && jump && !walk && served == '0 && served_v_i);
    c_some: cover (f_wait && split && stale && undone != e && a_i[0][30:0] == gen_i && undone[1:0] == 2'b11);
    c_park: cover (f_wait && split && !stale && k == 3'd2 && undone == 32'h5 && e == 32'hf);
    c_whole: cover (f_wait && split && k == 3'd1 && b_i[0] == '0);
    c_cwait: cover (f_cwait && split && k == 3'd2);
    c_met: cover (f_cwait && !split && !walk);
    c_depth: cover (trap.valid && f_ret);
    c_part: cover (is_exit && !walk && !done);
  end
endmodule
