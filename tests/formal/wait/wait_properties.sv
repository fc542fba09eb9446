// No wake-up is lost (docs/microarchitecture.md 21.3). One lane of a warp tests an mbarrier, executes
// WAIT and parks; phases of its object and of others are complete in any cycles. The units that a
// wake-up passes are real: target buffer and resolve (which lanes park, in T), barrier unit (wait_wake),
// wake-ups (request of a walk). The path engine is a model: it takes a request after a while, samples
// and clears wait_wake with that, and is busy for a while; a row in WAIT is READY exactly if the
// sample says so (tests/formal/paths_engine). Other paths of the warp run, and the other warp walks, as
// they like. If the phase is over, the lane's row is READY after 3 * Slow cycles at the latest,
// where no stage of the model lasts longer than Slow cycles.
// Not here: the time limit of a wait, the test itself (21.2), a gen that comes back to the same number
// between a test and its WAIT (2^31 phases).
module wait_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input logic        clk_i,
  input logic        phase_i,        // a phase of an mbarrier is complete
  input logic        mine_i,         // of the lane's object
  input logic        ask_new_i,      // the lane asks for a later phase
  input logic        test_i,         // MBTEST of the lane
  input logic        wait_i,         // WAIT of its path issues
  input logic [31:0] exec_i,
  input logic        beat_i,         // operands of a beat are in X1
  input logic [31:0] a_i [Lanes],    // of other lanes
  input logic [31:0] b_i [Lanes],
  input resolve_t    resolve_i,
  input path_view_t  view_i,
  input logic        polled_i,
  input logic [31:0] now_i,
  input logic        ask_i,          // the running path asks for a walk
  input logic        sample_i,       // first step of WALK1 of the warp
  input logic        end_i,          // the service ends
  input logic        goes_i,         // with a path that runs
  input logic        parks_i,        // other rows are in WAIT
  input logic        sleeps_i,
  input logic [31:0] wake_at_i,
  input logic        other_idle_i,   // of the other warp: whether it is idle, starts, walks
  input logic        other_start_i,
  input logic        other_sample_i,
  input logic        trap_i
);
  localparam int unsigned Slow = 3;
  typedef enum logic [1:0] {LaneFree, LaneTested, LaneWaits, LaneParked} lane_e;
  typedef enum logic [1:0] {Run, Asks, Served, Idle} warp_e;
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [4:0]  lane_q;               // the lane, a free constant
  lane_e       state_q;
  warp_e       warp_q;
  logic [2:0]  stage_q;              // cycles in this state of the warp
  logic [30:0] gen_q, since_q;       // since: phases completed since the test
  logic        over_q;               // the phase that the lane asks for is over
  logic [31:0] a_q;                  // result of its test
  logic [31:0] exec_q;               // E of the WAIT
  logic [BeatBits:0] beat_q;         // beats that were in X1
  logic        resolves, trap_q, gone_q;
  logic [4:0]  age_q;                // cycles in which the lane is parked and its phase over
  assign resolves = state_q == LaneWaits && beat_q == (BeatBits+1)'(Beats);

  // Target buffer: operands beat by beat, T in the cycle after the last.
  logic         takes, presents, free;
  warp_t        owner;
  x1_t          x1;
  logic [31:0]  x1_a [Lanes];
  logic [31:0]  zero [Lanes];
  logic [31:0]  value, undone;
  logic [27:0]  target;
  logic         same, some_undone, stale, bad, split;
  logic [4:0]   bad_lane;
  target_ask_t  ask;
  target_found_t found;
  assign takes = state_q == LaneTested && warp_q == Run && wait_i && !ask_i;
  assign presents = state_q == LaneWaits && !resolves && beat_i;
  assign ask = '0;
  always_comb begin
    x1 = '0;
    x1.valid = presents;
    x1.beat = BeatBits'(beat_q);
    x1.info = form_info(13'(FormWait));
    x1.mask = exec_q[32'(BeatBits'(beat_q))*Lanes+:Lanes];
    for (int unsigned p = 0; p < Lanes; p++) begin
      x1_a[p] = (32'(x1.beat) * Lanes + p == 32'(lane_q)) ? a_q : a_i[p];
      zero[p] = '0;
    end
  end
  path_targets u_targets (
    .clk_i, .rst_ni(started_q), .take_i(takes), .take_warp_i('0), .take_exec_i(exec_i),
    .take_bar_i(1'b0), .take_wait_i(1'b1), .drop_i(resolves), .free_o(free), .owner_o(owner),
    .x1_i(x1), .x1_a_i(x1_a), .x1_b_i(b_i), .x1_c_i(zero), .gen_i(gen_q), .value_o(value),
    .target_o(target), .same_o(same), .undone_o(undone), .some_undone_o(some_undone),
    .stale_o(stale), .bad_o(bad), .bad_lane_o(bad_lane), .ask_i(ask), .found_o(found)
  );

  // T.
  resolve_t    resolve;
  foreseen_t   foreseen;
  logic        act, is_exit, walk, chk, done, turn_end, jump, polled, is_bar, next, lanes, paced;
  logic        parks_here;
  pc_t         pc;
  logic [15:0] depth;
  logic [31:0] live, served, split_mask, split_value;
  logic [4:0]  first, leader;
  logic [9:0]  turn, split_op;
  row_state_e  split_state;
  depth_e      split_depth;
  trap_t       trap;
  always_comb begin
    resolve = resolve_i;
    resolve.valid = resolves;
    resolve.arrives = 1'b0;
    resolve.warp = '0;
    resolve.path = resolve_i.path | exec_q;
    resolve.exec = exec_q;
    resolve.insn.info = form_info(13'(FormWait));
  end
  assign foreseen = foresee(resolve, view_i.depth, view_i.live, view_i.turn, polled_i);
  path_resolve u_resolve (
    .sub_i('0), .resolve_i(resolve), .foreseen_i(foreseen), .now_i, .depth_i(view_i.depth),
    .live_i(view_i.live), .alone_i(!view_i.flags.several), .served_i(view_i.served),
    .served_v_i(view_i.any_served), .turn_i(view_i.turn), .polled_i,
    .target_i(branch_to(foreseen, target, '0, view_i.flags.stop, view_i.stop_pc)),
    .below_i(view_i.flags.below), .value_i(value), .same_i(same), .undone_i(undone),
    .some_undone_i(some_undone), .stale_i(stale), .bad_i(bad), .bad_lane_i(bad_lane),
    .cluster_wait_i(1'b0), .copies_left_i(1'b0), .columns_wait_i(1'b0), .act_o(act), .exit_o(is_exit), .pc_o(pc), .depth_o(depth),
    .live_o(live), .first_o(first), .leader_o(leader), .served_o(served), .turn_o(turn),
    .polled_o(polled), .split_o(split), .walk_o(walk), .chk_o(chk), .done_o(done),
    .turn_end_o(turn_end), .jump_o(jump), .split_mask_o(split_mask), .split_value_o(split_value),
    .split_next_o(next), .split_state_o(split_state), .split_op_o(split_op),
    .split_depth_o(split_depth), .split_lanes_o(lanes), .split_paced_o(paced), .is_bar_o(is_bar),
    .trap_o(trap)
  );
  assign parks_here = act && split && split_state == RowWait && split_mask[lane_q];

  // Barrier unit: wait_wake of warp 0, which is watched, and of warp 1.
  logic [Warps-1:0]   wake, wait_wake, cluster, busy, bar_idle, start;
  logic [CtaBits-1:0] warp_cta [Warps];
  logic [5:0]         nwarps [Ctas];
  logic [Warps-1:0]   cta_warps [Ctas];
  bar_pred_t          pred [SubCores];
  bar_req_t           req [SubCores];
  finish_t            ends [SubCores];
  finish_t            clr [SubCores];
  bar_result_t        result [Warps];
  trap_t              bar_trap;
  logic               rest, samples;
  assign samples = warp_q == Asks && sample_i;
  assign start = {other_start_i, 1'b0};
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) warp_cta[w] = CtaBits'(w);
    for (int unsigned c = 0; c < Ctas; c++) begin
      nwarps[c] = 6'd1;
      cta_warps[c] = Warps'(1) << c;
    end
    pred[0] = '0;
    req[0] = '0;
    ends[0] = '0;
    clr[0] = samples ? '{valid: 1'b1, warp: '0} :
                       '{valid: other_sample_i && warp_q != Served, warp: warp_t'(1)};
  end
  barrier u_barrier (
    .clk_i, .rst_ni(started_q), .clear_i(1'b0), .start_i(1'b0), .warp_start_i(start),
    .warp_valid_i('1), .warp_cta_i(warp_cta), .cta_nwarps_i(nwarps), .cta_warps_i(cta_warps),
    .dead_i('0), .mbar_complete_i(phase_i), .bar_pred_i(pred), .bar_req_i(req),
    .bar_exit_i(ends), .wake_clr_i(clr), .bar_wake_o(wake), .wait_wake_o(wait_wake),
    .cluster_wait_o(cluster), .bar_req_busy_o(busy), .bar_result_o(result),
    .bar_idle_o(bar_idle), .rest_o(rest), .trap_o(bar_trap)
  );

  // Requests by wake-up.
  logic [SubWarps-1:0] wakes;
  logic                ended, sleeping;
  warp_t               wake_warp;
  assign ended = warp_q == Served && end_i;
  path_wakeup u_wakeup (
    .clk_i, .sub_i('0), .now_i, .trap_pending_i(trap_q),
    .idle_i({other_idle_i, warp_q == Idle}), .bar_wake_i(wake), .wait_wake_i(wait_wake),
    .done_i(ended), .done_warp_i('0), .sleeps_i, .parks_i(parks_i || state_q == LaneParked),
    .warp_o(wake_warp), .wake_at_i, .wake_o(wakes), .sleeping_o(sleeping)
  );

  // The lane, its object, its warp.
  logic roused;
  assign roused = samples && state_q == LaneParked && wait_wake[0];
  always_ff @(posedge clk_i) begin
    lane_q <= lane_q;
    if (!started_q) begin
      state_q <= LaneFree;
      warp_q <= Run;
      stage_q <= '0;
      gen_q <= '0;
      since_q <= '0;
      over_q <= 1'b0;
      trap_q <= 1'b0;
      age_q <= '0;
      beat_q <= '0;
      gone_q <= 1'b0;
    end else begin
      trap_q <= trap_q || trap_i;
      gen_q <= gen_q + 31'(phase_i);
      since_q <= since_q + 31'(phase_i);
      if (phase_i && mine_i) over_q <= 1'b1;
      else if (state_q == LaneFree && ask_new_i) over_q <= 1'b0;
      // MBTEST sees object and gen of one cycle.
      if (state_q inside {LaneFree, LaneTested} && warp_q == Run && test_i && !takes &&
          !(state_q == LaneFree && ask_new_i)) begin
        state_q <= LaneTested;
        a_q <= {over_q, gen_q};
        since_q <= 31'(phase_i);
      end
      if (takes) begin
        state_q <= LaneWaits;
        exec_q <= exec_i;
        beat_q <= '0;
        gone_q <= 1'b0;
      end
      if (presents) begin
        beat_q <= beat_q + (BeatBits+1)'(1);
        gone_q <= gone_q || 32'(beat_q) == 32'(lane_q) / Lanes;
      end
      if (resolves) state_q <= parks_here ? LaneParked : LaneFree;
      if (roused) state_q <= LaneFree;
      unique case (warp_q)
        Run:    if (resolves ? split || walk : ask_i && state_q != LaneWaits) warp_q <= Asks;
        Asks:   if (samples) warp_q <= Served;
        Served: if (ended) warp_q <= goes_i ? Run : Idle;
        Idle:   if (wakes[0]) warp_q <= Asks;
      endcase
      stage_q <= (stage_q == '1) ? stage_q : stage_q + 3'd1;
      if ((warp_q == Run && ((resolves && (split || walk)) || (ask_i && state_q != LaneWaits))) ||
          samples || ended || (warp_q == Idle && wakes[0])) stage_q <= '0;
      age_q <= (state_q == LaneParked && over_q && !roused && !trap_q) ? age_q + 5'd1 : '0;
    end
  end

  always @(posedge clk_i) begin
    // Lanes of E hold the lane; a view as 7.1 has it.
    assume (!takes || exec_i[lane_q]);
    // No stage is slow: a path that runs beside a parked one asks for a walk, the engine serves.
    if (state_q == LaneParked) begin
      assume (stage_q < 3'(Slow - 1) || warp_q == Idle || (warp_q == Run && ask_i) || samples || ended);
    end
    assume (!phase_i || since_q < 31'h7ffffffe);

    if (started_q) begin
      // No wake-up is lost.
      a_woken: assert (age_q < 5'(3 * Slow));
      // A warp without a running path asks for the walk in the cycle after the completion.
      a_at_once: assert (!(state_q == LaneParked && over_q && warp_q == Idle && !trap_q) || wakes[0]);

      // Why, for the induction. The test, gen and the object.
      if (state_q inside {LaneTested, LaneWaits}) begin
        i_gen: assert (gen_q == a_q[30:0] + since_q && since_q != '1);
        i_over: assert (a_q[31] ? over_q : !over_q || since_q != '0);
      end
      // The target buffer holds the lane's operand from its beat on.
      if (state_q == LaneWaits) begin
        i_taken: assert (exec_q[lane_q] && u_targets.wait_q && warp_q == Run && !free &&
                         beat_q <= (BeatBits+1)'(Beats) &&
                         gone_q == (32'(beat_q) > 32'(lane_q) / Lanes));
        if (gone_q) begin
          i_undone: assert (undone[lane_q] == !a_q[31] && (a_q[31] || some_undone));
          i_seen: assert (a_q[31] || ((a_q[30:0] & ~u_targets.ones_q) == '0 &&
                                      (~a_q[30:0] & ~u_targets.zeros_q) == '0));
        end
      end
      // A lane parks only if its phase is not over; from then on a completion is kept for it.
      i_parks: assert (!(resolves && parks_here && over_q));
      i_kept: assert (!(state_q == LaneParked && over_q) || wait_wake[0]);
      i_noted: assert (!(state_q == LaneParked && warp_q inside {Run, Idle}) || u_wakeup.parked_q[0]);
      if (age_q != '0) begin
        i_age: assert (age_q <= ((warp_q == Idle) ? 5'(Slow) :
                                 5'(stage_q) + ((warp_q == Served) ? 5'd0 :
                                                (warp_q == Run) ? 5'(Slow) : 5'(2 * Slow))));
      end
      i_stage: assert (state_q != LaneParked || warp_q == Idle || stage_q < 3'(Slow));
    end

    c_woken: cover (roused && age_q == 5'd2);
    c_last: cover (roused && age_q == 5'(3 * Slow - 1));
    c_stale: cover (resolves && over_q && !a_q[31] && since_q == 31'd1 && wait_wake == '0);
    c_in_t: cover (resolves && parks_here && phase_i && mine_i);
    c_others: cover (state_q == LaneParked && over_q && warp_q == Run && clr[0].valid && age_q != '0);
    c_late: cover (resolves && !a_q[31] && gone_q && stale && since_q == 31'd1 &&
                   (Beats == 1 || $past(phase_i, 2)));
  end
  logic unused;
  assign unused = ^{owner, found, is_exit, pc, depth, live, first, leader, served, turn, polled,
                    chk, done, turn_end, jump, split_value, next, split_op, split_depth, lanes,
                    paced, is_bar, trap, cluster, busy, bar_idle, result[0], rest, bar_trap,
                    sleeping, wake_warp, same};
endmodule
