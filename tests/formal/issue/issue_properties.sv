// Choice of the warp that issues (docs/microarchitecture.md 5, obligation of 7): both policies, and
// the choice made ahead. All inputs are free but for the assumptions below; the hazards and
// predicates are the real units in free states. Proved: at most one warp, never one that is not
// ready, none kept back while issue is allowed, the order of the text, bounds on waiting; with
// IssueAhead also when a warp is chosen and issues, and that in the cycle of the issue it is ready
// and its head, path and lanes are those that issue. Not here: what an instruction does at issue;
// which instruction is hazard-free (tests/formal/hazards).
module issue_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input logic                clk_i,
  input logic                clear_i,
  input logic                stall_i,
  input logic [5:0]          reg_pages_i,
  input logic [SubWarps-1:0] warp_valid_i,
  input logic [CtaBits-1:0]  warp_cta_i [SubWarps],
  input logic [31:0]         cta_seq_i [Ctas],
  input logic [SubWarps-1:0] head_valid_i,
  input logic [SubWarps-1:0] head_changed_i,
  input logic [SubWarps-1:0] flush_i,
  input logic [SubWarps-1:0] warp_start_i,
  input need_t               need_i [SubWarps],
  input insn_t               head_i,
  input logic [SubWarps-1:0] run_i,
  input logic [31:0]         cur_mask_i,
  input logic [31:0]         live_i,
  input logic [SubWarps-1:0] released_i,
  input logic                tbuf_free_i,
  input logic                lsu_ready_i,
  input logic                ldc_ready_i,
  input logic                copy_ready_i,
  input logic                xch_ready_i,
  input logic                tensor_ready_i,
  input logic                fp64_ready_i,
  input logic                columns_ready_i,
  input logic                tmem_ready_i,
  input logic                umma_ready_i,
  input logic                vwb_stall_i,
  input logic                trap_i,        // another unit raises a trap
  input logic [2:0]          slots_i,       // read slots of what issues (6.1)
  input logic                ends_i,        // what resolves ends its turn
  input warp_t               watched_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
  logic run;
  assign run = rst_n && !clear_i;

  issue_t issue;
  trap_t  trap;
  warp_t  head_warp, scan_warp;
  logic   pop;

  // Read slots, and control instructions on their way to T = t + n + 3 (7.2). A trap is pending
  // from the next cycle on (14).
  logic [2:0]          left_q;
  logic                trap_q, ctl_q;          // the instruction in its read slots is of control
  warp_t               ctl_warp_q;
  logic [2:0]          past_q;                 // stages behind the read slots
  warp_t               past_warp_q [3];
  logic [SubWarps-1:0] ctl, ctl_mask_q;        // ctl of 7.1
  finish_t             turn_end;
  assign turn_end.valid = past_q[2] && ends_i;
  assign turn_end.warp = past_warp_q[2];
  assign ctl = ctl_mask_q;
  always_ff @(posedge clk_i) begin
    if (!run) begin
      left_q <= '0;
      trap_q <= 1'b0;
      ctl_q <= 1'b0;
      past_q <= '0;
      ctl_mask_q <= '0;
    end else begin
      if (issue.valid) left_q <= issue.empty ? 3'd1 : slots_i;
      else if (left_q != '0) left_q <= left_q - 3'd1;
      trap_q <= trap_q || trap.valid || trap_i;
      if (issue.valid) ctl_q <= issue.ctl;
      else if (left_q <= 3'd1) ctl_q <= 1'b0;
      if (issue.valid) ctl_warp_q <= issue.warp;
      past_q <= {past_q[1:0], ctl_q && left_q == 3'd1};
      ctl_mask_q <= (ctl_mask_q | (SubWarps'(issue.valid && issue.ctl) << issue.warp)) &
                    ~(SubWarps'(past_q[2]) << past_warp_q[2]);
    end
    past_warp_q <= '{ctl_warp_q, past_warp_q[0], past_warp_q[1]};
  end

  resolve_t no_resolve;
  fixp_t    no_fixp;
  regclr_t  no_clr;
  finish_t  none;
  vwb_t     no_vwb;
  inpipe_t  no_pipe [PipeStages];
  warp_t    no_warp [LsuDepth];
  assign no_resolve = '0;
  assign no_fixp = '0;
  assign no_clr = '0;
  assign none = '0;
  assign no_vwb = '0;
  vwb_t     no_vwbs [VwbSources];
  assign no_vwbs = '{default: no_vwb};
  for (genvar i = 0; i < PipeStages; i++) begin : gen_pipe
    assign no_pipe[i] = '0;
  end
  for (genvar i = 0; i < LsuDepth; i++) begin : gen_lsu
    assign no_warp[i] = '0;
  end
  issue dut (
    .poke_i('0), .peek_i('0), .peek_data_o(), .rest_o(),
    .clk_i, .rst_ni(rst_n), .sub_i('0), .stall_i, .clear_i, .reg_pages_i, .warp_valid_i,
    .warp_cta_i, .cta_seq_i, .head_valid_i, .head_changed_i, .flush_i, .warp_start_i, .need_i,
    .scan_warp_o(scan_warp), .need_scan_i(scan_of(need_i[scan_warp])), .head_i,
    .pop_valid_o(pop), .head_warp_o(head_warp), .run_i, .ctl_i(ctl), .cur_mask_i, .live_i,
    .released_i, .tbuf_free_i, .turn_end_i(turn_end),
    .lsu_ready_i, .ldc_ready_i, .copy_ready_i, .xch_ready_i, .probe_ready_i(1'b1),
    .tensor_ready_i, .fp64_ready_i, .columns_ready_i, .tmem_ready_i, .umma_ready_i, .vwb_stall_i, .trap_pending_i(trap_q),
    .issue_o(issue), .issue_from_o(), .issue_ps_o(), .issue_pt_o(), .slots_free_i(left_q <= 3'd1),
    .inflight_zero_o(), .resolve_i(no_resolve), .fix_pred_i(no_fixp), .fix_p_i('0), .fix_q_i('0),
    .fix_clr_i(no_clr), .finish_fix_i(none), .inpipe_i(no_pipe), .vwb_i(no_vwbs),
    .vwb_grant_i('0), .var_wr_i(no_vwb), .lsu_free_i('0), .lsu_free_warp_i(no_warp),
    .deferred_i('0),
    .finish_xch_i(none), .finish_ldc_i(none), .finish_probe_i(none), .trap_o(trap)
  );

  // Section 5: issuable, ready, allowed. Of the hazards the unit's own answer; of fences and
  // barriers the unit's own count of memory instructions.
  logic [SubWarps-1:0] issuable, ready, mem_none;
  need_more_t          more [SubWarps];
  logic                allowed, some;
  assign mem_none = dut.mem_zero;
  assign allowed = left_q <= 3'd1 && !trap_q && !vwb_stall_i && !stall_i;
  always_comb begin
    for (int unsigned w = 0; w < SubWarps; w++) begin
      logic quiet, unit_free;
      more[w] = more_of(need_i[w]);
      quiet = need_i[w].returns && released_i[w];
      issuable[w] = warp_valid_i[w] && run_i[w] && !ctl[w] && head_valid_i[w] && dut.free[w];
      unit_free = 1'b1;
      if (need_i[w].lsu && !lsu_ready_i) unit_free = 1'b0;
      if (need_i[w].ldc && !ldc_ready_i) unit_free = 1'b0;
      if (need_i[w].copy && !copy_ready_i) unit_free = 1'b0;
      if (need_i[w].sync && !xch_ready_i) unit_free = 1'b0;
      if (more[w].tensor && !tensor_ready_i) unit_free = 1'b0;
      if (more[w].fp64 && !fp64_ready_i) unit_free = 1'b0;
      if (more[w].columns && !columns_ready_i) unit_free = 1'b0;
      if (more[w].tload && !tmem_ready_i) unit_free = 1'b0;
      if (more[w].umma && !umma_ready_i) unit_free = 1'b0;
      if (more[w].counted && !dut.range_free) unit_free = 1'b0;
      if (more[w].notes && dut.noted[w]) unit_free = 1'b0;
      if (need_i[w].tbuf && !quiet && !tbuf_free_i) unit_free = 1'b0;
      if (need_i[w].waits && !quiet && !mem_none[w]) unit_free = 1'b0;
      ready[w] = issuable[w] && (need_i[w].trap || unit_free);
    end
  end
  assign some = issue.valid || trap.valid;

  // Order of the text.
  warp_t               last_q, served_last_q, from, choice;
  logic [SubWarps-1:0] served_q, among;  // among: ready and not served
  assign from = (SchedGreedy == 0) ? last_q : served_last_q;  // where the circular order begins
  always_comb begin
    choice = last_q;
    among = ready & ~served_q;
    if (SchedGreedy == 0 || among == '0) begin
      for (int unsigned k = SubWarps; k >= 1; k--) begin
        if (ready[(32'(from) + k) % SubWarps]) choice = warp_t'((32'(from) + k) % SubWarps);
      end
    end else begin
      logic found;
      found = among[last_q];
      for (int unsigned w = 0; w < SubWarps; w++) begin
        if (!among[last_q] && among[w] &&
            (!found || cta_seq_i[warp_cta_i[w]] > cta_seq_i[warp_cta_i[choice]])) begin
          choice = warp_t'(w);
          found = 1'b1;
        end
      end
    end
  end
  // Choices and what they name; with IssueAhead the warp that is picked, and read.
  logic  chooses, picks, pick_q, held_q;
  warp_t chosen_warp, pick_warp_q;
  assign picks = !pick_q && !trap_q && ready != '0;
  assign chooses = (IssueAhead != 0) ? picks : issue.valid;
  assign chosen_warp = (IssueAhead != 0) ? choice : issue.warp;
  always_ff @(posedge clk_i) begin
    pick_q <= run && (picks || (pick_q && !trap_q && !some));
    held_q <= run && pick_q && !trap_q && !some;
    if (picks) pick_warp_q <= choice;
  end
  always_ff @(posedge clk_i) begin
    if (!run) begin
      last_q <= warp_t'(SubWarps - 1);
      served_last_q <= warp_t'(SubWarps - 1);
      served_q <= '0;
    end else begin
      if (chooses) last_q <= chosen_warp;
      if (issue.valid && among == '0) served_last_q <= issue.warp;
      served_q <= ((issuable & ~served_q) == '0) ? '0 : served_q;
      if (turn_end.valid) served_q[turn_end.warp] <= 1'b1;
    end
  end

  // The unit has a pointer of its own for the circular choice only where it is greedy.
  warp_t dut_served_last;
  if (SchedGreedy != 0) begin : gen_pointer
    assign dut_served_last = dut.u_choice.gen_greedy.served_last_q;
  end else begin : gen_no_pointer
    assign dut_served_last = served_last_q;
  end

  // The unit's own state of the choice made ahead; what it assumes (5, "Ahead").
  logic unit_pick, unit_held;
  if (IssueAhead != 0) begin : gen_ahead
    assign unit_pick = dut.gen_ahead.u_ahead.pick_valid_q;
    assign unit_held = dut.gen_ahead.u_ahead.pick_held_q;
    // Of the cycle before.
    logic [SubWarps-1:0] bits_q [4];
    need_t               need_q [SubWarps];
    insn_t               head_q;
    logic [31:0]         mask_q, exec_q;
    logic [6:0]          units, units_q;
    assign units = {tbuf_free_i, lsu_ready_i, ldc_ready_i, copy_ready_i, xch_ready_i,
                    tensor_ready_i, fp64_ready_i};
    always_ff @(posedge clk_i) begin
      bits_q <= '{warp_valid_i, run_i, head_valid_i, released_i};
      need_q <= need_i;
      head_q <= head_i;
      mask_q <= cur_mask_i;
      exec_q <= dut.judged.exec;
      units_q <= units;
    end
    always @(posedge clk_i) begin
      // 4, 7.2, 7.3: the warp is neither flushed nor started and keeps its head: control
      // instructions of it are resolved, the engine does not serve it.
      if (picks) assume (!flush_i[choice] && !warp_start_i[choice]);
      if (pick_q) begin
        assume (!flush_i[pick_warp_q] && !warp_start_i[pick_warp_q]);
        assume (warp_valid_i[pick_warp_q] == bits_q[0][pick_warp_q] &&
                run_i[pick_warp_q] == bits_q[1][pick_warp_q] &&
                head_valid_i[pick_warp_q] == bits_q[2][pick_warp_q] &&
                released_i[pick_warp_q] == bits_q[3][pick_warp_q] &&
                need_i[pick_warp_q] == need_q[pick_warp_q]);
        // 7.2, 9, 10, 12, 19.1: only an issue makes a unit busy.
        assume ((units_q & ~units) == '0);
        // The head that is read; its guard has no writer left (the lanes stay, 6.2).
        if (held_q) assume (head_i == head_q && cur_mask_i == mask_q && dut.judged.exec == exec_q);
      end
      if (run) begin
        i_read: assert (!held_q || (dut.gen_ahead.u_ahead.insn_o == head_q &&
                                    dut.gen_ahead.u_ahead.judged_o.exec == exec_q &&
                                    dut.gen_ahead.u_ahead.judged_o.empty == (exec_q == '0)));
      end
    end
  end else begin : gen_at_once
    assign unit_pick = pick_q;
    assign unit_held = held_q;
  end

  // Cycles since the last issue, up to four.
  logic [2:0] since_q;
  always_ff @(posedge clk_i) begin
    if (!run) since_q <= 3'd4;
    else if (issue.valid) since_q <= 3'd1;
    else if (since_q < 3'd4) since_q <= since_q + 3'd1;
  end

  // How long the watched warp waits: issues of others by the circular choice while it is ready in
  // every cycle of an issue (IssueAhead: choices of others, cycles of a choice; greedy: those
  // of warps that are not served lie between and do not count); turn ends in cycles in which it is
  // ready, while it stays issuable.
  warp_t      watched_q;
  logic [3:0] passed_q, ends_q, due;
  logic       mine, issuable_q;
  warp_t      ahead;      // warps between the last one of the circle and the watched one
  assign ahead = watched_q - from - warp_t'(1);
  assign mine = chooses && chosen_warp == watched_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watched_i;
    issuable_q <= run && issuable[watched_q] && !mine;
    if (!run || mine || (((IssueAhead != 0) ? picks : some) && !ready[watched_q])) passed_q <= '0;
    else if (chooses && (SchedGreedy == 0 || among == '0)) passed_q <= passed_q + 4'd1;
    if (!run || mine || !issuable[watched_q]) ends_q <= '0;
    else if (turn_end.valid && ready[watched_q]) ends_q <= ends_q + 4'd1;
  end

  // Turn ends that may still come before its turn or the next epoch: of each other warp one, if it
  // is not served, or served with a control instruction on its way.
  logic [SubWarps-1:0] on_way;
  always_comb begin
    on_way = SubWarps'(ctl_q) << ctl_warp_q;
    for (int unsigned i = 0; i < 3; i++) on_way |= SubWarps'(past_q[i]) << past_warp_q[i];
    due = '0;
    for (int unsigned w = 0; w < SubWarps; w++) begin
      if (warp_t'(w) != watched_q && (!served_q[w] || on_way[w])) due += 4'd1;
    end
  end

  always @(posedge clk_i) begin
    assume (slots_i != '0);
    // 3: a launch number belongs to one CTA; warps keep theirs. (Only the order of two matters.)
    assume (32'(watched_i) < SubWarps);
`ifdef UNITS_FREE
    // No unit keeps an issuable warp back.
    assume (ready == issuable);
`endif
    if (run) begin
      a_ready: assert (!some || (allowed && ready[some ? head_warp : '0]));
      a_one: assert (!(issue.valid && trap.valid) && pop == issue.valid);
      a_same: assert (!issue.valid || issue.warp == head_warp);
      a_conserves: assert (some == (allowed && ((IssueAhead != 0) ? held_q : ready != '0)));
      a_order: assert (!some || head_warp == ((IssueAhead != 0) ? pick_warp_q : choice));
      a_read: assert (!some || (issue.insn == head_i && issue.path == cur_mask_i &&
                                issue.exec == dut.judged.exec && issue.empty == (dut.judged.exec == '0)));
      a_pick: assert (unit_pick == pick_q && unit_held == held_q);
      i_pick: assert (!held_q || pick_q);
      i_picked: assert (IssueAhead == 0 || !pick_q ||
                        (pick_warp_q == last_q && ready[pick_warp_q]));
      a_last: assert (dut.u_choice.last_q == last_q);
      a_served_last: assert (dut_served_last == served_last_q);
      a_served: assert (dut.u_choice.wserved_q == served_q);
      a_bound: assert (passed_q <= 4'(SubWarps - 1));
      i_bound: assert (passed_q == '0 || passed_q + 4'(ahead) <= 4'(SubWarps - 1));
`ifdef ROUND_ROBIN
      c_bound: cover (passed_q == 4'(SubWarps - 1) && mine);
`endif
`ifdef GREEDY
      i_on_way: assert (on_way == ctl_mask_q);
      i_one_each: assert (4'(ctl_q) + 4'(past_q[0]) + 4'(past_q[1]) + 4'(past_q[2]) ==
                          4'(ctl_mask_q[0]) + 4'(ctl_mask_q[1]) + 4'(ctl_mask_q[2]) +
                          4'(ctl_mask_q[3]));
      i_left: assert (!ctl_q || left_q != '0);
`ifdef UNITS_FREE
      // Within the 2 * Warps - 1 of section 7: an epoch that it has had its turn in, and its own.
      a_turns: assert (ends_q <= 4'(2 * SubWarps - 2));
      i_zero: assert (ends_q == '0 || issuable_q);
      i_turns: assert (ends_q == '0 || ends_q + due <=
                       4'(served_q[watched_q] ? SubWarps - 1 : 2 * SubWarps - 2));
      c_turns: cover (ends_q == 4'd2 && mine);
`endif
`endif
`ifndef ONE_RUN
      c_trap: cover (trap.valid && head_warp == warp_t'(SubWarps - 1));
`ifdef AHEAD
      a_since: assert (!issue.valid || since_q >= 3'd3);
      c_since: cover (issue.valid && since_q == 3'd3);
      c_ended: cover (held_q && trap_q);
      c_held: cover (held_q && since_q == 3'd4 && !allowed && !trap_q);
`endif
`ifndef UNITS_FREE
`ifdef GREEDY
      // Passed, the last issue before its own one of an unserved warp.
      c_between: cover (passed_q != '0 && mine && served_q[watched_q] && last_q != from);
`endif
      c_waits: cover (issuable[1] && !ready[1] && issue.valid && need_i[1].lsu);
      c_tensor: cover (issuable[1] && !ready[1] && issue.valid && more[1].tensor &&
                       !tensor_ready_i && !need_i[1].lsu);
`ifndef AHEAD  // without the unit
      c_fp64: cover (issuable[1] && !ready[1] && issue.valid && more[1].fp64 && !fp64_ready_i &&
                     !need_i[1].lsu);
`endif
      c_fence: cover (issuable[1] && !ready[1] && issue.valid && need_i[1].waits &&
                      !need_i[1].returns);
`endif
      // Control instructions behind each other: as close as they may issue.
      c_flight: cover (past_q == ((IssueAhead != 0) ? 3'b100 : 3'b111) && ctl_q);
`endif
    end
  end
endmodule
