// One service of the path engine (docs/microarchitecture.md 7.3) from any state of the path table
// that 7.1 allows, for a warp of four live lanes. Cycle 0 is the idle engine before the pick, with a
// free table, free path state and a free request; what the text says of the service is computed lane
// by lane from that state and compared with the state at its end. With RowCycles = 2
// (and EventDelay = 1) cycle 0 is the first in which the request is visible, and traps are judged in
// the cycle after (t_*); the request is taken in cycle 1, and the steps end in cycles 3, 5 and so on: a service
// is compared in these cycles, and nothing may change in the others. As the state at the end is allowed
// again, and resolve (tests/formal/paths_resolve) keeps it so, this is the step of an induction over
// services. Program counters, depths and keys are small numbers.
// A service is cut where one phase follows the other: SPLIT alone up to the first cycle of CHECK or
// WALK1, CHECK alone up to that of WALK1 (`cut`), where the table, the released lanes and the
// registers that the next phase reads (`begins`) are as if the service had begun there. WALK and
// CHECK begin with `begins` themselves, from any allowed table.
// Not here: two warps that ask at once, targets by lane over several beats, how long WAIT then takes.
module paths_engine_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import path_pkg::*;
(
  input logic clk_i
);
  localparam int unsigned L = 4;
  // Cycle in which the first step acts; cycles of a service as multiples of those with one a step.
  localparam logic [5:0] First = (RowCycles == 1) ? 6'd1 : 6'd3;
  function automatic logic [5:0] cycle_of(input int unsigned c);
    return 6'(First + 6'((c - 1) * RowCycles));
  endfunction
  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;

  // Free state: constants of the service, and what the engine changes.
  logic [31:0] live_q, mask_q, served_q, now_q, e_mask_q, e_value_q;
  logic [31:0] tb_q [L];            // target buffer
  logic        split_q, e_lanes_q, e_paced_q, served_v_q, wake_q, wait_wake_q, chk0_q;
  pc_t         pc_q;
  logic [15:0] depth_q;
  logic [2:0]  e_state_q;
  logic [9:0]  e_op_q;
  logic [1:0]  e_depth_q;
  logic [31:0] others_q, released_q;
  logic        rel_any_q, waits_q, chk_q, asked_q;

  // The engine.
  warp_t       pick, warp;
  logic        take, busy, look, lane_ref, split_done, rel_we, xmask_we, chk_clr, waits, rel_any;
  logic        served_clr, end_s, several, wake_valid, run_we, load, run_rel, run_stop, run_below;
  logic        wake_clr, parks;
  logic [BeatBits-1:0] beat;
  logic [4:0]  lane, run_leader, left_leader;
  logic [27:0] ref_pc;
  logic        tb_is_ref;
  logic [31:0] tb_ref, tb_equal, released, xmask, others, wake_at, run_mask;
  pc_t         run_pc, stop_pc;
  logic [15:0] run_depth;
  bar_req_t    bar_req;
  trap_t       trap;
  logic [SubWarps-1:0] next_split, next_walk;
  // HELD: an earlier contribution of the warp waits at the barrier unit.
  logic [5:0]  age_q = '0;
  logic        bar_busy;
  always_ff @(posedge clk_i) age_q <= (age_q == '1) ? age_q : age_q + 6'd1;
`ifdef HELD
  assign bar_busy = age_q < cycle_of(8);
`else
  assign bar_busy = 1'b0;
`endif
  // Visible until it is taken.
  logic asks;
  assign asks = first_q || (RowCycles != 1 && age_q == 6'd1);
  assign next_split = SubWarps'(asks && split_q);
  assign next_walk = SubWarps'(asks && !split_q);
  picked_t       picked;
  serving_t      serving;
  split_t        split;
  target_ask_t   ask;
  target_found_t found;
  service_t      result;
  assign picked = '{mask: mask_q, live: live_q, others: others_q, check: chk_q, waits: waits_q,
                    any_released: rel_any_q, first: low_index(live_q), leader: low_index(mask_q)};
  assign serving = '{pc: pc_q, next_pc: pc_q + 28'd1, depth: depth_q, served: served_q,
                     any_served: served_v_q, released: released_q, check: chk_q,
                     bar_wake: wake_q, wait_wake: wait_wake_q, bar_busy: bar_busy};
  assign split = '{mask: e_mask_q, value: e_value_q, next: e_value_q[27:0] == pc_q + 28'd1,
                   by_lane: e_lanes_q, paced: e_paced_q, depth: depth_e'(e_depth_q), op: e_op_q,
                   state: row_state_e'(e_state_q)};
  path_engine dut (
    .clk_i, .rst_ni(1'b1), .sub_i('0), .stall_i(1'b0), .now_i(now_q), .trap_pending_i(1'b0),
    .req_i(asked_q), .next_split_i(next_split), .next_walk_i(next_walk), .pick_o(pick),
    .picked_i(picked), .load_o(load), .warp_o(warp), .take_o(take), .busy_o(busy),
    .state_i(serving), .split_i(split), .target_o(ask), .target_i(found),
    .split_done_o(split_done), .result_o(result), .left_leader_o(left_leader),
    .bar_req_o(bar_req), .trap_o(trap)
  );
  assign {look, beat, lane, lane_ref, ref_pc} = ask;
  assign found = '{value: tb_ref, is_ref: tb_is_ref, equal: tb_equal};
  assign rel_we = result.released_we;
  assign released = result.released;
  assign xmask_we = result.xmask_we;
  assign xmask = result.xmask;
  assign chk_clr = result.check_clr;
  assign served_clr = result.served_clr;
  assign wake_clr = result.wake_clr;
  assign parks = result.parks;
  assign end_s = result.done;
  assign others = result.others;
  assign several = result.several;
  assign waits = result.waits;
  assign rel_any = result.any_released;
  assign wake_valid = result.sleeps;
  assign wake_at = result.wake_at;
  assign run_we = result.run;
  assign run_mask = result.run_mask;
  assign run_pc = result.run_pc;
  assign run_depth = result.run_depth;
  assign run_rel = result.run_released;
  assign run_leader = result.run_leader;
  assign run_stop = result.stop;
  assign stop_pc = result.stop_pc;
  assign run_below = result.below;
  // Target buffer, all beats at once; what it says is kept where a step takes two cycles.
  logic [31:0] look_ref, look_equal;
  always_comb begin
    look_ref = lane_ref ? tb_q[lane[1:0]] : {4'd0, ref_pc};
    look_equal = '1;
    for (int l = 0; l < L; l++) look_equal[l] = !look || tb_q[l] == look_ref;
  end
  if (RowCycles == 1) begin : gen_look
    assign {tb_ref, tb_equal} = {look_ref, look_equal};
    assign tb_is_ref = look_ref[27:0] == ref_pc;
  end else begin : gen_look
    always_ff @(posedge clk_i) begin
      tb_equal <= look_equal;
      if (look) {tb_ref, tb_is_ref} <= {look_ref, look_ref[27:0] == ref_pc};
    end
  end

  // Rows of the table in cycle 0 (constants afterwards).
  typedef struct packed {
    logic [3:0]  mask;
    pc_t         pc;
    logic [15:0] depth;
    logic [2:0]  state;
    logic [9:0]  op;
    logic [31:0] key;
  } row_t;
  row_t t0_q [L];
  always_ff @(posedge clk_i) begin
    live_q <= live_q;
    mask_q <= mask_q;
    served_q <= served_q;
    now_q <= now_q;
    e_mask_q <= e_mask_q;
    e_value_q <= e_value_q;
    tb_q <= tb_q;
    split_q <= split_q;
    e_lanes_q <= e_lanes_q;
    e_paced_q <= e_paced_q;
    wait_wake_q <= wait_wake_q;
    served_v_q <= served_v_q;
    wake_q <= wake_q;
    chk0_q <= chk0_q;
    pc_q <= pc_q;
    depth_q <= depth_q;
    e_state_q <= e_state_q;
    e_op_q <= e_op_q;
    e_depth_q <= e_depth_q;
    others_q <= others_q;
    rel_any_q <= rel_any_q;
    waits_q <= waits_q;
    t0_q <= t0_q;
    if (rel_we) released_q <= released;
    if (chk_clr) chk_q <= 1'b0;
    asked_q <= first_q || (asked_q && !take);
  end

  // First cycle of a phase: what it reads is what the path state and the table say.
  localparam logic [2:0] SplitPhase = 3'd0, CheckPhase = 3'd1, WalkPhase = 3'd3;
  logic active, begins, cut, past_q = 1'b0;
  assign active = !first_q && dut.acts;
  assign begins = active && dut.fresh && dut.todo == dut.exist_q && dut.exist_q != '0 &&
                  dut.row == low_index(dut.exist_q) && dut.u_table.row_q == dut.row &&
                  dut.live_q == live_q && warp == '0 &&
                  (dut.phase != CheckPhase || dut.first_scan_q);
`ifdef SPLIT
  assign cut = active && dut.phase != SplitPhase && !past_q;
`else
  assign cut = active && dut.phase == WalkPhase && !past_q;
`endif
  always_ff @(posedge clk_i) if (cut) past_q <= 1'b1;

  // Before cycle 0 nothing was asked, and no trap is due.
  logic quiet;
  if (EventDelay == 0) begin : gen_at_once
    assign quiet = 1'b1;
  end else begin : gen_delay
    assign quiet = dut.gen_pace.u_pace.asked_q == '0 && !dut.gen_pace.u_pace.late_valid_q;
  end

  // Allowed states (7.1) and requests (7.2).
  function automatic logic is_small(input row_t r);
`ifdef CHECKS
    // A key holds a member mask, or two numbers of a barrier.
    if (r.key[31:5] != '0) return 1'b0;
`else
    if (r.key[31:2] != '0) return 1'b0;
`endif
    return r.pc[27:2] == '0 && r.depth[15:1] == '0 &&
           (r.op[9:4] == '0 || (HasGathered != 0 && r.op == OpAligned));
  endfunction
  logic [3:0]  holds;                // lanes of rows and of the running path
  logic        apart, waits0, rel_ok;
  logic [3:0]  rel0;                 // released lanes
  logic [3:0]  rel0_q;
  assign rel0 = rel_any_q ? rel0_q : 4'd0;
  always_ff @(posedge clk_i) rel0_q <= rel0_q;
  always_comb begin
    holds = mask_q[3:0];
    apart = 1'b1;
    waits0 = 1'b0;
    rel_ok = (rel0 & (mask_q[3:0] | ~live_q[3:0])) == '0;
    for (int i = 0; i < L; i++) begin
      if (others_q[i]) begin
        if ((holds & t0_q[i].mask) != '0) apart = 1'b0;
        holds |= t0_q[i].mask;
        if (t0_q[i].state == RowBar) waits0 = 1'b1;
        if (t0_q[i].state == RowSync && (t0_q[i].mask & rel0) == '0) waits0 = 1'b1;
        // Lanes are released by rows: of a rendezvous, or of a barrier of the CTA that is over.
        if (t0_q[i].state == RowSync && t0_q[i].op == OpAligned && (t0_q[i].mask & rel0) != '0) begin
          rel_ok = 1'b0;
        end
        if ((t0_q[i].mask & rel0) != '0 && ((t0_q[i].mask & ~rel0) != '0 ||
            (t0_q[i].state != RowSync && t0_q[i].state != RowReady))) rel_ok = 1'b0;
      end
    end
  end
  always @(posedge clk_i) begin
    if (first_q) begin
      assume (!dut.gen_pace.u_pace.busy_q && !asked_q && quiet);
      assume (live_q[31:L] == '0 && live_q != '0 && mask_q[31:L] == '0 && others_q[31:L] == '0);
      assume (served_q[31:L] == '0 && e_mask_q[31:L] == '0 && released_q[31:L] == '0);
      for (int i = 0; i < L; i++) begin
        assume (t0_q[i] == {dut.u_table.mask_q[i][3:0], dut.u_table.pc_q[i],
                            dut.u_table.depth_q[i], dut.u_table.state_q[i], dut.u_table.op_q[i],
                            dut.u_table.key_q[i]});
        assume (dut.u_table.mask_q[i][31:L] == '0 && is_small(t0_q[i]));
        if (others_q[i]) begin
          assume (t0_q[i].state <= RowWait);
          if (t0_q[i].state == RowWait) assume (t0_q[i].op <= 10'd1);
          assume (t0_q[i].mask[i] && (t0_q[i].mask & 4'((1 << i) - 1)) == '0);
        end
        assume (tb_q[i][31:2] == '0);
      end
      assume (apart && holds == live_q[3:0]);
      assume (released_q[3:0] == rel0_q && rel_ok && (!rel_any_q || rel0_q != '0));
      assume (waits_q == waits0 && chk_q == chk0_q);
      assume (pc_q[27:2] == '0 && depth_q[15:1] == '0 && e_value_q[31:2] == '0 &&
              now_q[31:2] == '0 && e_op_q[9:4] == '0);
      if (!served_v_q) assume (served_q == '0);
      // A split: lanes of E of the running path; a branch, a sleep, a barrier, a rendezvous.
      if (split_q) begin
        assume (e_mask_q != '0 && (e_mask_q & ~mask_q) == '0);
        assume (e_state_q == RowReady || e_state_q == RowSync || e_state_q == RowBar ||
                e_state_q == RowSleep || e_state_q == RowWait);
        if (e_state_q == RowWait) assume (!e_lanes_q && e_op_q <= 10'd1);
        if (e_paced_q) assume (!e_lanes_q);
        assume (e_depth_q <= 2'd2 && (e_depth_q == '0 || e_state_q == RowReady));
        assume (e_depth_q != DepthDown || depth_q != '0);
        assume (!(e_lanes_q && e_state_q == RowSleep));
        assume (e_state_q == RowSync || e_state_q == RowBar ? chk0_q : 1'b1);
      end
      // A walk needs a path.
      assume (split_q || mask_q != '0 || others_q != '0);
`ifdef WALK
      assume (!split_q && !(chk0_q && waits_q));
`endif
`ifdef SPLIT
      assume (split_q);
`endif
`ifdef CHECKS
      assume (!split_q && chk0_q && waits_q);
      for (int i = 0; i < L; i++) begin
        if (others_q[i] && t0_q[i].state == RowBar) assume (t0_q[i].op[2:0] <= 3'(BarCluster));
      end
`endif
    end
  end

  // The text, lane by lane: where a lane is after SPLIT, and when WALK begins.
  row_t       place [L], at [L];    // mask: the lanes of its row
  logic [3:0] roused, over;         // rows in WAIT
  logic [3:0] ready, woken, freed, unserved, clear_to;
  logic       any, all_served;
  logic [3:0] s_rel, bars;          // CHECK: lanes released, lanes at barriers
  logic [31:0] s_key;
  logic [7:0] kinds;
  logic       s_bar, s_misuse, bar_keys, bar_pcs, bar_mixed;
  logic       s_join;               // CHECK: all live lanes are at one gathered form
  always_comb begin
    for (int l = 0; l < L; l++) begin
      at[l] = '{mask: '0, pc: pc_q, depth: depth_q, state: RowReady, op: '0, key: '0};
      for (int i = 0; i < L; i++) if (others_q[i] && t0_q[i].mask[l]) at[l] = t0_q[i];
      if (mask_q[l] && split_q) begin
        if (!e_mask_q[l]) begin
          at[l].pc = pc_q + 28'd1;
        end else begin
          at[l].state = e_state_q;
          if (e_state_q == RowSleep) at[l].pc = pc_q + 28'd1;
          if (e_state_q == RowWait && e_op_q == '0) at[l].pc = pc_q - 28'd1;
          if (e_state_q == RowReady) at[l].pc = e_lanes_q ? tb_q[l][27:0] : e_value_q[27:0];
          if (e_depth_q == DepthUp) at[l].depth = depth_q + 16'd1;
          if (e_depth_q == DepthDown) at[l].depth = depth_q - 16'd1;
          if (e_state_q != RowReady) begin
            at[l].op = e_op_q;
            at[l].key = e_lanes_q ? tb_q[l] : e_value_q;
          end
        end
      end
    end
    // Targets: lanes of the split path with equal places are one row.
    for (int l = 0; l < L; l++) begin
      if (mask_q[l]) begin
        at[l].mask = '0;
        for (int j = 0; j < L; j++) begin
          if (mask_q[j] && {at[j].pc, at[j].depth, at[j].state, at[j].op, at[j].key} ==
                           {at[l].pc, at[l].depth, at[l].state, at[l].op, at[l].key}) begin
            at[l].mask[j] = 1'b1;
          end
        end
      end
    end
    place = at;
    // CHECK: a rendezvous is complete, the first of them if there are several; or all live lanes
    // gather at one barrier, and one of its rows may speak for them.
    s_rel = '0;
    s_key = '0;
    s_bar = 1'b0;
    s_misuse = 1'b0;
    bars = '0;
    kinds = '0;
    bar_keys = 1'b1;
    bar_pcs = 1'b1;
    for (int l = L - 1; l >= 0; l--) begin
      logic [3:0] u;
      u = '0;
      for (int j = 0; j < L; j++) begin
        if (live_q[j] && at[j].state == RowSync && at[j].op == at[l].op && at[j].key == at[l].key) begin
          u[j] = 1'b1;
        end
      end
      if (live_q[l] && at[l].state == RowSync && at[l].op != OpAligned && rel0 == '0 && chk0_q &&
          (at[l].key[3:0] & live_q[3:0] & ~u) == '0) begin
        s_rel = u;
        s_key = at[l].key;
      end
      if (live_q[l] && at[l].state == RowBar) begin
        bars[l] = 1'b1;
        kinds[at[l].op[2:0]] = 1'b1;
        for (int j = 0; j < L; j++) begin
          if (live_q[j] && at[j].state == RowBar) begin
            if (at[j].key[9:0] != at[l].key[9:0]) bar_keys = 1'b0;
            if (at[j].pc != at[l].pc) bar_pcs = 1'b0;
          end
        end
      end
    end
    bar_mixed = (kinds & 8'h3c) != '0 && (kinds & (kinds - 8'd1)) != '0;
    for (int l = 0; l < L; l++) begin
      if (bars[l] && chk0_q) begin
        if (!bar_keys) s_misuse = 1'b1;
        else if ((!at[l].op[3] || bar_pcs) && bars == live_q[3:0]) begin
          if (bar_mixed) s_misuse = 1'b1;
          else s_bar = 1'b1;
        end
      end
    end
    // All live lanes wait at one gathered form, at one depth: they are ready, at their places.
    s_join = HasGathered != 0 && chk0_q;
    for (int l = 0; l < L; l++) begin
      if (live_q[l]) begin
        if (at[l].state != RowSync || at[l].op != OpAligned) s_join = 1'b0;
        for (int j = 0; j < L; j++) begin
          if (live_q[j] && {at[j].key, at[j].depth} != {at[l].key, at[l].depth}) s_join = 1'b0;
        end
      end
    end
    if (s_join) begin
      for (int l = 0; l < L; l++) begin
        at[l].state = RowReady;
        at[l].op = '0;
        at[l].key = '0;
      end
    end
    if (s_bar) begin
      for (int l = 0; l < L; l++) begin
        at[l].state = RowBarc;
        if (at[l].op[2:0] == 3'(BarArrive) || at[l].op[2:0] == 3'(BarCluster)) begin
          at[l].state = RowReady;
          at[l].pc = at[l].pc + 28'd1;
          at[l].op = '0;
          at[l].key = '0;
        end
      end
    end
    // WALK1: effective states.
    any = 1'b0;
    all_served = served_v_q;
    for (int l = 0; l < L; l++) begin
      woken[l] = live_q[l] && at[l].state == RowBarc && wake_q;
      roused[l] = live_q[l] && at[l].state == RowWait && wait_wake_q;
      over[l] = live_q[l] && at[l].state == RowWait && at[l].op == '0 && !wait_wake_q &&
                $signed(now_q - at[l].key) >= 0;
`ifdef WALK
      if (over[l]) at[l].pc = at[l].pc + 28'd2;
`endif
      freed[l] = rel0[l] || s_rel[l] || woken[l];
      ready[l] = live_q[l] && (at[l].state == RowReady || woken[l] || roused[l] || over[l] ||
                               (at[l].state == RowSync && (rel0[l] || s_rel[l])) ||
                               (at[l].state == RowSleep && $signed(now_q - at[l].key) >= 0));
      unserved[l] = !served_v_q || (at[l].mask & ~served_q[3:0]) != '0;
      if (ready[l] && !(served_v_q && served_q[l])) all_served = 1'b0;
      any |= ready[l];
    end
    all_served = all_served && any;
    clear_to = all_served ? 4'd0 : served_q[3:0];
  end
  // The least key {no released lane, no unserved lane, MaxDepth - depth, pc} of the READY rows.
  typedef logic [45:0] rank_t;
  rank_t      least;
  logic [3:0] chosen;
  logic       s_stop, s_below;
  pc_t        s_stop_pc;
  logic       c_rel;
  assign c_rel = !least[45];
  always_comb begin
    least = '1;
    for (int l = 0; l < L; l++) begin
      rank_t r;
      r = {!freed[l], all_served ? 1'b0 : !unserved[l], 16'(MaxDepth) - at[l].depth, at[l].pc};
      if (ready[l] && r < least) least = r;
    end
    s_stop = 1'b0;
    s_below = 1'b0;
    s_stop_pc = '1;
    for (int l = 0; l < L; l++) begin
      logic level;
      level = ready[l] && 16'(MaxDepth) - at[l].depth == least[43:28];
      chosen[l] = level && at[l].pc == least[27:0] && freed[l] == c_rel;
      if (level && at[l].pc < least[27:0]) s_below = 1'b1;
      if (level && at[l].pc > least[27:0]) begin
        s_stop = 1'b1;
        if (at[l].pc < s_stop_pc) s_stop_pc = at[l].pc;
      end
    end
  end

  // The table at the end: with the write of the last cycle.
  row_t       fin [L];
  logic [3:0] f_holds;
  logic       f_apart, f_own, f_places, f_waits;
  always_comb begin
    for (int i = 0; i < L; i++) begin
      fin[i] = {dut.u_table.mask_q[i][3:0], dut.u_table.pc_q[i], dut.u_table.depth_q[i],
                dut.u_table.state_q[i], dut.u_table.op_q[i], dut.u_table.key_q[i]};
      if (dut.u_table.we_i && dut.u_table.wrow_i == 5'(i)) begin
        fin[i] = {dut.u_table.wmask_i[3:0], dut.u_table.wpc_i, dut.u_table.wdepth_i,
                  dut.u_table.wstate_i, dut.u_table.wop_i, dut.u_table.wkey_i};
      end
    end
    f_holds = run_we ? run_mask[3:0] : 4'd0;
    f_apart = 1'b1;
    f_own = 1'b1;
    f_places = 1'b1;
    f_waits = 1'b0;
    for (int i = 0; i < L; i++) begin
      if (others[i]) begin
        if ((f_holds & fin[i].mask) != '0) f_apart = 1'b0;
        f_holds |= fin[i].mask;
        if (!fin[i].mask[i] || (fin[i].mask & 4'((1 << i) - 1)) != '0) f_own = 1'b0;
        if (fin[i].state == RowBar || (fin[i].state == RowSync && !freed[i])) f_waits = 1'b1;
        for (int l = 0; l < L; l++) begin
          if (fin[i].mask[l] && (fin[i].pc != at[l].pc || fin[i].depth != at[l].depth ||
              fin[i].state != (ready[l] ? 3'(RowReady) : at[l].state) ||
              (!ready[l] && (fin[i].op != at[l].op || fin[i].key != at[l].key)))) begin
            f_places = 1'b0;
          end
        end
      end
    end
  end

  // The table at the cut: each lane in the row of its place, rows of other lanes as they were.
  logic        c_rows, c_table, new_waits;
  logic [31:0] c_exist;
  always_comb begin
    c_rows = 1'b1;
    c_exist = '0;
    new_waits = 1'b0;
    for (int i = 0; i < L; i++) begin
      row_t now_at;
      now_at = {dut.u_table.mask_q[i][3:0], dut.u_table.pc_q[i], dut.u_table.depth_q[i],
                dut.u_table.state_q[i], dut.u_table.op_q[i], dut.u_table.key_q[i]};
`ifdef SPLIT
      if (mask_q[i]) begin
        if ((place[i].mask & 4'((1 << i) - 1)) == '0) begin
          c_exist[i] = 1'b1;
          if (now_at != place[i]) c_rows = 1'b0;
        end
        if (place[i].state == RowSync || place[i].state == RowBar) new_waits = 1'b1;
      end
      if (others_q[i]) begin
        c_exist[i] = 1'b1;
        if (now_at != t0_q[i]) c_rows = 1'b0;
      end
`else
      if (others_q[i]) begin
        c_exist[i] = 1'b1;
        if (now_at != at[i]) c_rows = 1'b0;
      end
      if (mask_q[i] && (mask_q[3:0] & 4'((1 << i) - 1)) == '0) c_exist[i] = 1'b1;
`endif
      if (dut.u_table.mask_q[i][31:4] != '0 && (others_q[i] || mask_q[i])) c_rows = 1'b0;
    end
`ifdef SPLIT
    c_table = c_rows && !dut.runs_q;
`else
    c_table = c_rows && dut.mask_q == mask_q && dut.runs_q == (mask_q != '0);
`endif
  end

  // Traps rise in the cycle of their cause, or in the next one: end, cut and what lies behind as of
  // the cycle of the cause.
  logic done_q = 1'b0;
  always_ff @(posedge clk_i) if (end_s) done_q <= 1'b1;
  logic t_end, t_cut, t_past, t_done, end_q, cut_q, past_late_q, done_late_q;
  always_ff @(posedge clk_i) begin
    end_q <= end_s && !first_q;
    cut_q <= cut;
    past_late_q <= past_q;
    done_late_q <= done_q;
  end
  assign t_end = (EventDelay == 0) ? end_s : end_q && age_q > 6'd1;
  assign t_cut = (EventDelay == 0) ? cut : cut_q && age_q > 6'd1;
  assign t_past = (EventDelay == 0) ? past_q : past_late_q && age_q > 6'd1;
  assign t_done = (EventDelay == 0) ? done_q : done_late_q && age_q > 6'd1;

  // Nothing can run, and neither the time nor a barrier will change that.
  logic        s_dead, s_sleeps, s_parks;
  logic [31:0] s_wake_at;
  logic [4:0] s_lowest;
  always_comb begin
    s_lowest = low_index(live_q);
    s_dead = !any;
    for (int l = 0; l < L; l++) begin
      if (live_q[l] && (at[l].state == RowSleep || at[l].state == RowBarc ||
                        at[l].state == RowWait)) s_dead = 1'b0;
    end
    // Rows left in WAIT, and the first time at which a row goes on.
    s_parks = 1'b0;
    s_sleeps = 1'b0;
    s_wake_at = '1;
    for (int l = 0; l < L; l++) begin
      if (live_q[l] && !ready[l]) begin
        if (at[l].state == RowWait) s_parks = 1'b1;
        if (at[l].state == RowSleep || (at[l].state == RowWait && at[l].op == '0)) begin
          s_sleeps = 1'b1;
          if (at[l].key < s_wake_at) s_wake_at = at[l].key;
        end
      end
    end
  end

  logic [9:0] bar_key;
  logic [2:0] bar_kind;
  logic freed_q;                    // split_done was there in the last step
  logic [RowCycles-1:0] done_split_q = '0;
  logic synced_q = 1'b0, barred_q = 1'b0, misused_q = 1'b0, cleared_q = 1'b0;
  always_comb begin
    bar_key = '0;
    bar_kind = 3'(BarSync);
    for (int l = 0; l < L; l++) if (bars[l]) bar_key = place[l].key[9:0];
    for (int k = 0; k < 6; k++) if (kinds == 8'(1 << k)) bar_kind = 3'(k);
  end
  assign freed_q = done_split_q[RowCycles-1];
  always_ff @(posedge clk_i) begin
    done_split_q <= RowCycles'({done_split_q, !first_q && split_done});
    if (xmask_we) synced_q <= 1'b1;
    if (served_clr) cleared_q <= 1'b1;
    if (bar_req.valid) barred_q <= 1'b1;
    if (trap.valid && !t_end && !t_past && !t_done) misused_q <= 1'b1;
  end
  always @(posedge clk_i) begin
    if (!t_done) begin
`ifdef WALK
      a_no_trap: assert (!trap.valid || (!any && t_end));
      if (t_end) begin
        a_dead: assert (trap.valid == s_dead);
        a_dead_row: assert (!s_dead || (trap.cause == TrapSyncDeadlock && trap.lane == s_lowest &&
                                        trap.pc == at[s_lowest[1:0]].pc && trap.warp == '0));
      end
      c_idle: cover (t_end && !any && !trap.valid);
      c_dead: cover (t_end && trap.valid);
`endif
`ifdef SPLIT
      if (!t_past) a_no_trap: assert (!trap.valid || t_cut);
`endif
`ifdef CHECKS
      if (!t_past) begin
        a_trap: assert (!trap.valid || s_misuse || t_cut);
        for (int i = 0; i < L; i++) begin
          if (trap.valid && !t_cut && trap.lane == 5'(i)) begin
            assert (others_q[i] && t0_q[i].state == RowBar && trap.pc == t0_q[i].pc &&
                    trap.cause == TrapBarrierMisuse && trap.warp == '0);
          end
        end
        a_misused: assert (!t_cut || misused_q == s_misuse);
      end
      c_misuse: cover (t_cut && misused_q && others_q == 32'h7);
`endif
    end
    if (!done_q) begin
      // Rows of other lanes or warps are not touched.
      a_rows: assert (!dut.u_table.we_i || (dut.u_table.wrow_i < 5'd4 && warp == '0));
      a_lanes: assert (!dut.u_table.we_i || dut.u_table.wmask_i[31:4] == '0);
      // Between the cycles in which steps act only a walk's sample clears the wake-up.
      a_between: assert (active || first_q || !(dut.u_table.we_i || rel_we || xmask_we || chk_clr ||
                         served_clr || end_s || split_done || bar_req.valid));
      if (age_q == First) a_begins: assert (begins || (active && split_q));
`ifdef WALK
      a_bound: assert (age_q < cycle_of(14));
      a_no_bar: assert (!bar_req.valid && !xmask_we);
      if (end_s) begin
        // Each live lane lies in exactly one path; rows stand under their lowest lane.
        a_apart: assert (f_apart);
        a_union: assert (f_holds == live_q[3:0] && (!run_we || run_mask[31:4] == '0));
        a_leader: assert (f_own);
        // Lanes are where they were: merged only at equal places.
        a_places: assert (f_places);
        a_run: assert (run_we == any);
        a_parks: assert (parks == s_parks);
        if (!any) a_wake_at: assert (wake_valid == s_sleeps && (!s_sleeps || wake_at == s_wake_at));
        a_waits: assert (waits == f_waits);
        a_several: assert (several == (others != '0));
        if (run_we) begin
          a_choice: assert (run_mask[3:0] == chosen && run_pc == least[27:0] &&
                            run_depth == 16'(MaxDepth) - least[43:28] && run_rel == c_rel);
          a_run_leader: assert (run_mask[run_leader] &&
                                (run_mask & ((32'd1 << run_leader) - 32'd1)) == '0);
          // A lane that has not had its turn is not passed, but by released lanes.
          a_epoch: assert (run_rel || (run_mask[3:0] & ~clear_to) != '0);
          a_stop: assert (run_stop == s_stop && (!s_stop || stop_pc == s_stop_pc));
          a_below: assert (run_below == s_below);
          a_released: assert (released[3:0] == (freed & ~chosen));
          a_rel_any: assert (rel_any == ((freed & ~chosen) != '0));
        end
        a_cleared: assert ((cleared_q || served_clr) == all_served);
      end
      a_clear: assert (!served_clr || all_served);
      c_released: cover (end_s && run_we && run_rel && woken == 4'h2 && others != '0);
      c_clear: cover (served_clr && others_q == 32'hc);
      c_roused: cover (end_s && run_we && roused == 4'h9 && mask_q == '0 && others_q == 32'hf);
      c_over: cover (end_s && run_we && over == 4'h6 && run_mask[3:0] == 4'hb && others_q == 32'h7);
      c_parked: cover (end_s && !run_we && others_q == 32'h3 && s_sleeps && wake_at == 32'd2 &&
                       t0_q[0].state == RowSleep && t0_q[1].state == RowWait && t0_q[1].op == '0);
      c_meets: cover (end_s && !run_we && parks && !wake_valid);
`endif
`ifdef SPLIT
      // Until the cut nothing but the rows of the lanes split changes, and the target buffer is
      // freed in the last cycle.
      if (!past_q) begin
        a_bound: assert (age_q < cycle_of(6));
        a_quiet: assert (!end_s && !rel_we && !xmask_we && !chk_clr || cut);
        a_no_req: assert (!bar_req.valid && !served_clr || cut);
        a_freed: assert (!cut || freed_q);
        a_freed_once: assert (!freed_q || cut);
        if (cut) begin
          a_cut: assert (begins && dut.exist_q == c_exist && dut.any_released_q == rel_any_q);
          a_table: assert (c_table);
          a_phase: assert (dut.phase ==
                           ((chk0_q && (waits_q || new_waits)) ? CheckPhase : WalkPhase));
        end
      end
      c_four: cover (cut && dut.exist_q == 32'hf && others_q == '0 && e_lanes_q);
      c_joined: cover (cut && dut.exist_q == 32'hb && mask_q == 32'hf && e_lanes_q &&
                       e_mask_q == 32'hb && e_state_q == RowReady);
      c_three: cover (cut && others_q == 32'h2 && dut.exist_q == 32'h7 && mask_q == 32'hd &&
                      e_mask_q == 32'hc && e_depth_q == DepthDown);
      c_check: cover (cut && dut.phase == CheckPhase && e_state_q == RowBar && e_lanes_q);
      c_walk: cover (cut && dut.phase == WalkPhase && waits_q && e_depth_q == DepthUp);
      c_parks: cover (cut && e_state_q == RowWait && e_op_q == '0 && dut.exist_q == 32'h7 && others_q == 32'h2);
      c_asleep: cover (cut && e_state_q == RowSleep && dut.exist_q == 32'h5);
`endif
`ifdef CHECKS
      if (!past_q) begin
        // 7.3: what is released and contributed, once, and traps.
        a_bound: assert (age_q < cycle_of(26));
        a_sync: assert (!xmask_we || (s_rel != '0 && xmask == s_key &&
                                      released == 32'(s_rel) && !synced_q));
        a_bar: assert (!bar_req.valid || (s_bar && !bar_busy && bar_req.mask == live_q && !barred_q &&
                       {bar_req.b, bar_req.a} == bar_key && bar_req.wait_f == ((kinds & ~8'h22) != '0) &&
                       bar_req.kind == bar_kind));
        a_quiet: assert (!end_s && !split_done && !(served_clr || chk_clr) || cut);
        if (cut) begin
          a_checked: assert (synced_q == (s_rel != '0) && barred_q == s_bar);
          a_cut: assert (begins && dut.exist_q == c_exist &&
                         dut.any_released_q == ((rel0 | s_rel) != '0));
          a_table: assert (c_table);
          a_released: assert (!dut.any_released_q || released_q == 32'(rel0 | s_rel));
        end
      end
      c_sync: cover (cut && synced_q && others_q == 32'h6 && mask_q != '0 && s_rel == 4'h2);
      c_other: cover (cut && synced_q && others_q == 32'h3 && waits0 && s_rel == 4'h5 &&
                      t0_q[1].state == RowSync && (t0_q[1].key[3:0] & live_q[3:0]) == 4'ha);
      c_cluster: cover (cut && barred_q && others_q == 32'h3 && kinds == 8'h20);
      c_bar: cover (cut && barred_q && others_q == 32'h3 && at[0].state != at[1].state);
`ifdef ALIGNED
      c_join: cover (cut && s_join && others_q == 32'h7 && rel0 == '0);
      c_apart: cover (cut && !s_join && others_q == 32'h3 && mask_q == '0 &&
                      t0_q[0].op == OpAligned && t0_q[1].op == OpAligned &&
                      t0_q[0].key == t0_q[1].key && t0_q[0].state == RowSync &&
                      t0_q[1].state == RowSync);
`endif
`ifdef HELD
      c_held: cover (cut && barred_q && others_q == 32'h1);
`endif
      c_long: cover (cut && age_q == cycle_of(17) && others_q == 32'hf);
`endif
    end
  end
  logic unused;
  assign unused = ^{wake_clr, split_done, busy, beat, pick, xmask, load,
                    left_leader};
endmodule
