// Issue: at most one warp-instruction per cycle, blocking, in order per warp
// (docs/microarchitecture.md 5). A warp is chosen (issue_choice.sv), its head and guard are read
// and judged (issue_judge.sv), the instruction issues: in one cycle, or with IssueAhead each in its
// own (issue_ahead.sv). Hazards and counts lie in hazards.sv, predicates in predfile.sv. Computes no
// operand and changes no path: paths and the units act on issue_o.
module issue
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import hazard_pkg::*;
  import issue_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  sub_t                sub_i,
  input  logic                stall_i,  // disturbance (17)
  input  logic                clear_i,
  input  logic [5:0]          reg_pages_i,
  input  logic [SubWarps-1:0] warp_valid_i,
  // verilator lint_off UNUSEDSIGNAL // age: greedy only; of wire structs what is needed
  input  logic [CtaBits-1:0]  warp_cta_i [SubWarps],
  input  logic [31:0]         cta_seq_i [Ctas],
  // Instruction buffers.
  input  logic [SubWarps-1:0] head_valid_i,
  input  logic [SubWarps-1:0] head_changed_i,
  input  logic [SubWarps-1:0] flush_i,
  input  logic [SubWarps-1:0] warp_start_i,
  input  need_t               need_i [SubWarps],
  output warp_t               scan_warp_o,   // HazardScan = 1: warp whose needs are read
  input  scan_need_t          need_scan_i,
  input  insn_t               head_i,
  output logic                pop_valid_o,
  output warp_t               head_warp_o,
  // Paths and units.
  input  logic [SubWarps-1:0] run_i,
  input  logic [SubWarps-1:0] ctl_i,
  input  logic [31:0]         cur_mask_i,    // of head_warp_o
  input  logic [31:0]         live_i,
  input  logic [SubWarps-1:0] released_i,    // the running path lies within released
  input  logic                tbuf_free_i,
  input  finish_t             turn_end_i,
  input  logic                lsu_ready_i,
  input  logic                ldc_ready_i,
  input  logic                copy_ready_i,
  input  logic                xch_ready_i,
  input  logic                probe_ready_i,
  input  logic                tensor_ready_i,
  input  logic                fp64_ready_i,
  input  logic                columns_ready_i, // allocator of tensor memory, loads from there
  input  logic                tmem_ready_i,
  input  logic                umma_ready_i,    // products in tensor memory
  input  logic                vwb_stall_i,
  input  logic                trap_pending_i,
  output issue_t              issue_o,
  output step_from_t [2:0]    issue_from_o,  // IssueAhead = 1: operands of its first step
  // Predicates s and t of the instruction issued last, negation applied, from t + 1 on.
  output logic [31:0]         issue_ps_o,
  output logic [31:0]         issue_pt_o,
  input  logic                slots_free_i,  // the last read slot, or none: is_left <= 1
  output logic [SubWarps-1:0] inflight_zero_o,
  // Ends of instructions, predicate writes.
  input  resolve_t            resolve_i,
  input  poke_t               poke_i,
  input  peek_t               peek_i,
  output logic [31:0]         peek_data_o,
  input  fixp_t               fix_pred_i,
  input  logic [Lanes-1:0]    fix_p_i,
  input  logic [Lanes-1:0]    fix_q_i,
  input  regclr_t             fix_clr_i,
  input  finish_t             finish_fix_i,
  input  inpipe_t             inpipe_i [PipeStages],
  input  vwb_t                vwb_i [VwbSources],
  input  logic [VwbSources-1:0] vwb_grant_i,
  input  vwb_t                var_wr_i,
  input  logic [LsuDepth-1:0] lsu_free_i,
  input  warp_t               lsu_free_warp_i [LsuDepth],
  input  logic [SubWarps-1:0] deferred_i,    // deferred forms, bulk copies are in flight (22, 23)
  input  finish_t             finish_xch_i,
  input  finish_t             finish_ldc_i,
  input  finish_t             finish_probe_i,
  output logic                rest_o,        // nothing in flight, pending, unresolved (15)
  output trap_t               trap_o
  // verilator lint_on UNUSEDSIGNAL
);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  // Choice of the warp. allowed: an instruction may issue; choosing: the choice counts.
  logic [SubWarps-1:0] candidate, free, mem_zero, noted;
  logic                allowed, choosing, ready, range_free;
  warp_t               warp;
  assign candidate = warp_valid_i & run_i & ~ctl_i & head_valid_i;
  assign allowed = slots_free_i && !trap_pending_i && !vwb_stall_i && !stall_i;
  issue_choice u_choice (
    .clk_i, .rst_ni(rst_n), .candidate_i(candidate), .free_i(free), .need_i, .warp_cta_i,
    .cta_seq_i, .released_i, .mem_zero_i(mem_zero), .noted_i(noted), .lsu_ready_i, .ldc_ready_i, .copy_ready_i,
    .xch_ready_i, .probe_ready_i, .tensor_ready_i, .fp64_ready_i, .columns_ready_i,
    .tmem_ready_i, .umma_ready_i, .range_free_i(range_free), .tbuf_free_i, .turn_end_i, .choosing_i(choosing),
    .issued_i(issue_o.valid), .ready_o(ready), .warp_o(warp)
  );

  // The instruction of the chosen warp as it is read: with IssueAhead in the cycle after the
  // choice. From then until it issues none of this changes.
  logic [31:0] guard;
  judged_t     judged;
  assign head_warp_o = warp;
  issue_judge u_judge (
    .reg_pages_i, .insn_i(head_i), .tbuf_i(need_i[warp].tbuf), .guard_i(guard),
    .path_i(cur_mask_i), .live_i, .released_i(released_i[warp]), .judged_o(judged)
  );

  // As it issues.
  logic    chosen;  // it issues, or traps
  insn_t   insn;
  judged_t now;
  gather_t gathered;
  assign gathered = (HasGathered != 0) ? now.gather : '0;
  if (IssueAhead == 0) begin : gen_at_once
    assign chosen = allowed && ready;
    assign choosing = issue_o.valid;
    assign insn = head_i;
    assign now = judged;
    assign issue_from_o = '0;
  end else begin : gen_ahead
    issue_ahead u_ahead (
      .clk_i, .rst_ni(rst_n), .ready_i(ready), .allowed_i(allowed), .trap_pending_i,
      .choosing_o(choosing), .chosen_o(chosen), .insn_i(head_i), .judged_i(judged),
      .insn_o(insn), .judged_o(now), .from_o(issue_from_o)
    );
  end

  logic [31:0] pred_s, pred_t;
  logic   has_trap, polls;
  route_e route;
  always_comb begin
    has_trap = insn.trap || now.range_trap || now.mask_trap || gathered.guard_trap ||
               gathered.exit_trap;
    route = gathered.arrives ? RouteControl : form_route(insn.info, now.released || now.fast);
    unique case (form_polls(insn.info))
      PollsNo:     polls = 1'b0;
      PollsYes:    polls = 1'b1;
      PollsStrong: polls = insn.word.mods.memory.strong_f;
      PollsResult: polls = insn.word.rd != 8'd255;
    endcase
  end

  assign pop_valid_o = chosen && !has_trap;
  always_comb begin
    issue_o.valid = chosen && !has_trap;
    issue_o.empty = now.empty;
    issue_o.ctl = !now.empty && route == RouteControl;
    issue_o.arrives = gathered.arrives;
    issue_o.released = now.released;
    issue_o.poll = !now.empty && polls;
    issue_o.tbuf = !now.empty && !now.released && now.tbuf;
    issue_o.warp = warp;
    issue_o.path = cur_mask_i;
    issue_o.exec = now.exec;
    issue_o.insn = insn;
  end

  // The file gives s and t from the next cycle on.
  logic s_true_q, t_true_q, s_neg_q, t_neg_q;
  always_ff @(posedge clk_i) begin
    if (issue_o.valid) begin
      s_true_q <= insn.word.ps == 3'd7;
      t_true_q <= insn.word.pt == 3'd7;
      s_neg_q <= insn.word.ps_neg;
      t_neg_q <= insn.word.pt_neg;
    end
  end
  assign issue_ps_o = (pred_s | {32{s_true_q}}) ^ {32{s_neg_q}};
  assign issue_pt_o = (pred_t | {32{t_true_q}}) ^ {32{t_neg_q}};

  always_comb begin
    trap_o = '0;
    trap_o.valid = chosen && has_trap;
    trap_o.warp = slot_of(warp, sub_i);
    // E lies in M.
    trap_o.lane = low_index((insn.trap || now.range_trap) ? cur_mask_i :
                            gathered.guard_trap ? cur_mask_i & ~now.exec :
                            gathered.exit_trap ? ~live_i : now.exec & ~insn.word.imm);
    trap_o.pc = insn.pc;
    if (insn.trap) trap_o.cause = insn.cause;
    else if (now.range_trap) trap_o.cause = TrapRegisterRange;
    else if (gathered.guard_trap) trap_o.cause = TrapAlignedGuard;
    else if (gathered.exit_trap) trap_o.cause = TrapAlignedExit;
    else trap_o.cause = TrapSyncMask;
  end

  // Those with a link finish with its write, all other control forms in T.
  finish_t finish_resolve;
  assign finish_resolve.valid = resolve_i.valid && !form_link(resolve_i.insn.info);
  assign finish_resolve.warp = resolve_i.warp;

  // One that will return writes nothing yet, nor does one that arrives.
  logic writes, is_fix;
  assign writes = !gathered.arrives && !(form_returns(insn.info) && route == RouteControl);
  assign is_fix = form_fixed(insn.info, now.released || now.fast);
  logic rest_hazards;
  hazards u_hazards (
    .rest_o(rest_hazards),
    .clk_i, .rst_ni(rst_n), .head_changed_i, .need_i, .eligible_i(candidate),
    .kill_i(flush_i | warp_start_i), .scan_warp_o, .need_scan_i, .inpipe_i, .free_o(free),
    .pop_i(issue_o.valid), .issue_i(issue_o.valid && !now.empty), .issue_warp_i(warp),
    .issue_insn_i(insn), .issue_writes_i(writes), .issue_fix_i(is_fix),
    .issue_ctl_i(issue_o.ctl && !form_link(insn.info)),
    .issue_lsu_i(insn.info.unit == UnitLsu && !issue_o.ctl && !is_deferred(insn.info.kind)),
    .issue_ldc_i(insn.info.unit == UnitLdc),
    .issue_xch_i(insn.info.unit == UnitSync && route == RouteVariable),
    .issue_probe_i(HasResult != 0 && form_queue(insn.info) && !gathered.arrives),
    .range_free_o(range_free), .noted_o(noted), .finish_probe_i,
    .fix_pred_i, .fix_clr_i, .finish_fix_i, .vwb_i, .vwb_grant_i, .var_wr_i,
    .finish_resolve_i(finish_resolve), .finish_xch_i, .finish_ldc_i,
    .lsu_free_i, .lsu_free_warp_i, .deferred_i,
    .inflight_zero_o, .mem_zero_o(mem_zero)
  );

  // Only the exchange unit's words have predicates.
  vwb_t xch_wr;
  always_comb begin
    xch_wr = vwb_i[VwbXch];
    xch_wr.valid = vwb_grant_i[VwbXch];
  end
  predfile u_predfile (
    .poke_i, .peek_i, .peek_data_o,
    .clk_i, .sub_i, .warp_i(warp), .guard_i(head_i.word.guard), .guard_o(guard),
    .read_i(issue_o.valid), .s_i(insn.word.ps), .t_i(insn.word.pt),
    .s_o(pred_s), .t_o(pred_t), .fix_pred_i, .fix_p_i, .fix_q_i, .var_wr_i(xch_wr)
  );

  assign rest_o = rest_hazards && ctl_i == '0;
endmodule
