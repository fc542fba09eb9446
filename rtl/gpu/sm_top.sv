// One streaming multiprocessor: instances and wires only (docs/interfaces.md). The order point's
// memory channels and the launch port are its whole outside. Holds the cycle counter (section 0).
// Several SMs, clusters and AXI4 burst signals are not its business.
module sm_top
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       start_i,
  input  logic [63:0]                launch_addr_i,
  // Disturbance: one bit per point of stall.def, of this cycle; 0 on a board (section 17).
  // AR and AW act in the memory outside.
  input  logic [NumStalls-1:0]       stall_i,
  output logic                       done_o,
  output logic                       hang_o,     // watchdog (section 14)
  output trap_t                      trap_o,
  output logic [63:0]                cycle_o,
  // Read channel, answered by r (always accepted).
  output logic                       ar_valid_o,
  input  logic                       ar_ready_i,
  output logic [$clog2(OpTable)-1:0] ar_id_o,
  output logic [63:0]                ar_addr_o,  // byte address of the sector
  input  logic                       r_valid_i,
  input  logic [$clog2(OpTable)-1:0] r_id_i,
  input  logic [255:0]               r_data_i,
  // Write channel (address and data together), answered by b (always accepted).
  output logic                       aw_valid_o,
  input  logic                       aw_ready_i,
  output logic [$clog2(OpTable)-1:0] aw_id_o,
  output logic [63:0]                aw_addr_o,
  output logic [255:0]               w_data_o,
  output logic [31:0]                w_strb_o,
  input  logic                       b_valid_i,
  input  logic [$clog2(OpTable)-1:0] b_id_i
);
  logic [63:0] cycle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cycle_q <= '0;
    else cycle_q <= cycle_q + 64'd1;
  end
  assign cycle_o = cycle_q;

  // Dispatcher.
  logic [31:0]         lb [LaunchBlockWords];
  logic                invalidate, clear;
  logic [Warps-1:0]    warp_valid, warp_start;
  logic [CtaBits-1:0]  warp_cta [Warps];
  logic [4:0]          warp_index [Warps];
  logic                sleeping;  // some warp waits for a sleeper
  logic [31:0]         tail_mask;
  logic [Warps-1:0]    start_tail;
  logic [31:0]         cta_x [Ctas];
  logic [31:0]         cta_y [Ctas];
  logic [31:0]         cta_z [Ctas];
  logic [31:0]         cta_seq [Ctas];
  logic [5:0]          cta_nwarps [Ctas];
  logic [Warps-1:0]    cta_warps [Ctas];
  logic                page_we;
  warp_t               page_warp;
  logic [4:0]          page_entry;
  logic [PageBits-1:0] page_value;
  logic [Warps-1:0]    inflight_zero, path_idle, bar_idle;
  logic                running;     // a launch is in RUN
  logic                fetch_idle;  // no instruction-cache miss outstanding

  // Fetch and issue.
  logic [Warps-1:0] head_valid, head_changed;
  need_t            need [Warps];
  warp_t            scan_warp;  // HazardScan = 1: warp whose needs issue judges
  need_t            need_scan;
  insn_t            head;
  logic             pop_valid;
  warp_t            head_warp;
  issue_t           issue;
  logic [31:0]      issue_ps, issue_pt;

  // Paths and barrier.
  logic [Warps-1:0] run, ctl, flush, released, dead;
  logic [31:0]      cur_mask, live, xmask;  // of head_warp
  logic             tbuf_free;
  setpc_t           setpc_resolve, setpc_engine;
  finish_t          turn_end;
  resolve_t         resolve;
  bar_pred_t        bar_pred;
  bar_req_t         bar_req;
  finish_t          bar_exit, bar_wake_clr;
  logic [Warps-1:0] bar_wake, bar_req_busy;
  bar_result_t      bar_result [Warps];

  // Operands, lanes, write-back.
  x1_t              x1;
  logic [31:0]      x1_a [Lanes];
  logic [31:0]      x1_b [Lanes];
  logic [31:0]      x1_c [Lanes];
  logic [31:0]      x1_sreg [SlowLanes];
  logic [Lanes-1:0] x1_ps, x1_pt;
  logic [31:0]      fix_data [Lanes];
  logic [Lanes-1:0] fix_p, fix_q;
  fix_t             fix;
  fixp_t            fix_pred;
  regclr_t          fix_clr;
  finish_t          finish_fix;
  inpipe_t          inpipe [PipeStages];
  logic             slots_free;
  vwb_t             vwb [3];
  logic [31:0]      vwb_data_lsu [Lanes];
  logic [31:0]      vwb_data_ldc [Lanes];
  logic [31:0]      vwb_data_xch [Lanes];
  logic [2:0]       vwb_grant;
  logic             vwb_stall;
  vwb_t             var_wr;
  logic [31:0]      var_data [Lanes];

  // Memory units.
  logic                lsu_ready, ldc_ready, xch_ready;
  logic [SlotBits-1:0] lsu_slot;
  logic [LsuDepth-1:0] lsu_free;
  warp_t               lsu_free_warp [LsuDepth];
  finish_t             finish_xch, finish_ldc;
  logic                smem_req_valid, smem_req_ready, smem_rsp_valid;
  smem_req_t           smem_req;
  smem_rsp_t           smem_rsp;
  logic [31:0]         smem_addr [Lanes];
  logic [31:0]         smem_wdata [4][Lanes];
  logic [31:0]         smem_rdata [4][Lanes];

  // SM port and traps.
  logic [3:0] req_valid, req_grant;
  packet_t    req [4];
  logic       op_valid, op_ready, rsp_valid, unacked_zero;
  packet_t    op_packet;
  response_t  rsp;
  trap_t      traps [6];  // 0 issue, 1 resolve, 2 engine, 3 barrier, 4 LSU, 5 LDC
  trap_t      trap;
  logic       trap_pending;
  assign trap_o = trap;

  dispatcher u_dispatcher (
    .clk_i, .rst_ni, .start_i, .launch_addr_i, .done_o, .running_o(running),
    .lb_o(lb), .invalidate_o(invalidate), .clear_o(clear),
    .warp_valid_o(warp_valid), .warp_start_o(warp_start),
    .tail_mask_o(tail_mask), .start_tail_o(start_tail),
    .warp_cta_o(warp_cta), .warp_index_o(warp_index),
    .cta_x_o(cta_x), .cta_y_o(cta_y), .cta_z_o(cta_z), .cta_seq_o(cta_seq),
    .cta_nwarps_o(cta_nwarps), .cta_warps_o(cta_warps),
    .page_we_o(page_we), .page_warp_o(page_warp), .page_entry_o(page_entry),
    .page_value_o(page_value),
    .warp_idle_i(inflight_zero & path_idle & bar_idle), .inflight_zero_i(inflight_zero),
    .fetch_idle_i(fetch_idle), .trap_pending_i(trap_pending), .unacked_zero_i(unacked_zero),
    .req_valid_o(req_valid[0]), .req_o(req[0]), .req_grant_i(req_grant[0]),
    .rsp_valid_i(rsp_valid), .rsp_i(rsp)
  );

  fetch u_fetch (
    .clk_i, .rst_ni, .stall_i(stall_i[StallAtFetch]), .clear_i(clear), .invalidate_i(invalidate),
    .entry_pc_i(lb[LaunchEntryPc][27:0]), .code_words_i(lb[LaunchCodeWords]),
    .code_sector_i({lb[LaunchCodeBase+1], lb[LaunchCodeBase][31:5]}),
    .warp_valid_i(warp_valid), .warp_start_i(warp_start), .run_i(run),
    .trap_pending_i(trap_pending),
    .flush_i(flush), .setpc_resolve_i(setpc_resolve), .setpc_engine_i(setpc_engine),
    .pop_valid_i(pop_valid), .head_warp_i(head_warp), .scan_warp_i(scan_warp),
    .head_valid_o(head_valid), .head_changed_o(head_changed), .need_o(need),
    .need_scan_o(need_scan), .head_o(head), .idle_o(fetch_idle),
    .req_valid_o(req_valid[1]), .req_o(req[1]), .req_grant_i(req_grant[1]),
    .rsp_valid_i(rsp_valid), .rsp_i(rsp)
  );

  // issue_o is the issue event of the cycle; the pop of a trapped entry does not happen (5 rule 1).
  // issue_ps_o, issue_pt_o: predicates s and t at issue, negation applied, 32 lanes; a cycle later.
  issue u_issue (
    .clk_i, .rst_ni, .stall_i(stall_i[StallAtIssue]), .clear_i(clear),
    .reg_pages_i(lb[LaunchRegPages][5:0]), .warp_valid_i(warp_valid),
    .warp_cta_i(warp_cta), .cta_seq_i(cta_seq),
    .head_valid_i(head_valid), .head_changed_i(head_changed), .flush_i(flush),
    .warp_start_i(warp_start),
    .need_i(need), .scan_warp_o(scan_warp), .need_scan_i(need_scan), .head_i(head),
    .pop_valid_o(pop_valid),
    .head_warp_o(head_warp),
    .run_i(run), .ctl_i(ctl), .cur_mask_i(cur_mask), .live_i(live), .released_i(released),
    .tbuf_free_i(tbuf_free), .turn_end_i(turn_end),
    .lsu_ready_i(lsu_ready), .ldc_ready_i(ldc_ready), .xch_ready_i(xch_ready),
    .vwb_stall_i(vwb_stall), .trap_pending_i(trap_pending),
    .issue_o(issue), .issue_ps_o(issue_ps), .issue_pt_o(issue_pt), .slots_free_i(slots_free),
    .inflight_zero_o(inflight_zero),
    .resolve_i(resolve), .fix_pred_i(fix_pred), .fix_p_i(fix_p), .fix_q_i(fix_q),
    .fix_clr_i(fix_clr), .finish_fix_i(finish_fix), .inpipe_i(inpipe),
    .vwb_grant_i(vwb_grant), .var_wr_i(var_wr),
    .lsu_free_i(lsu_free), .lsu_free_warp_i(lsu_free_warp),
    .finish_xch_i(finish_xch), .finish_ldc_i(finish_ldc),
    .trap_o(traps[0])
  );

  // x1 operands: ONE, PAIR: a, b, c of the step. LIST: words 3 * step, + 1, + 2 of the operand
  // list  a, b, c (so a 64-bit address comes in x1_a, x1_b of step 0). Immediates: kind B in b, C
  // in c, in every step (step 1 of a two-step ALU form with immediate B: its sign word); other
  // kinds are read from x1.word. RZ and absent operands are 0. x1_ps, x1_pt have their negation
  // applied. x1_sreg: value of S2R, ACTMASK, the link of CALL and CALLX, the count of a released
  // BAR POPC; the truth of a released BAR AND, OR is bit 0 of x1_sreg.
  operands u_operands (
    .clk_i, .rst_ni, .clear_i(clear), .cycle_i(cycle_q), .lb_i(lb),
    .warp_cta_i(warp_cta), .warp_index_i(warp_index),
    .cta_x_i(cta_x), .cta_y_i(cta_y), .cta_z_i(cta_z),
    .page_we_i(page_we), .page_warp_i(page_warp), .page_entry_i(page_entry),
    .page_value_i(page_value),
    .issue_i(issue), .issue_ps_i(issue_ps), .issue_pt_i(issue_pt), .lsu_slot_i(lsu_slot),
    .bar_result_i(bar_result),
    .x1_o(x1), .x1_a_o(x1_a), .x1_b_o(x1_b), .x1_c_o(x1_c), .x1_ps_o(x1_ps), .x1_pt_o(x1_pt),
    .x1_sreg_o(x1_sreg), .resolve_o(resolve), .slots_free_o(slots_free),
    .fix_o(fix), .fix_pred_o(fix_pred), .fix_clr_o(fix_clr), .finish_fix_o(finish_fix),
    .inpipe_o(inpipe), .fix_data_i(fix_data),
    .var_wr_i(var_wr), .var_data_i(var_data)
  );

  // w_*_o are registered: the results of x1_i LatFixed cycles later, in W.
  exec_pipe u_exec_pipe (
    .clk_i, .rst_ni,
    .x1_i(x1), .x1_a_i(x1_a), .x1_b_i(x1_b), .x1_c_i(x1_c), .x1_ps_i(x1_ps), .x1_pt_i(x1_pt),
    .x1_sreg_i(x1_sreg),
    .w_data_o(fix_data), .w_p_o(fix_p), .w_q_o(fix_q)
  );

  // var_wr_o: the granted word of the cycle (valid = granted), var_data_o its data.
  writeback u_writeback (
    .clk_i, .rst_ni, .stall_i(stall_i[StallAtVwb]), .clear_i(clear), .fix_i(fix),
    .fix_pred_i(fix_pred),
    .vwb_i(vwb), .vwb_data_lsu_i(vwb_data_lsu), .vwb_data_ldc_i(vwb_data_ldc),
    .vwb_data_xch_i(vwb_data_xch),
    .vwb_grant_o(vwb_grant), .vwb_stall_o(vwb_stall), .var_wr_o(var_wr), .var_data_o(var_data)
  );

  // cur_mask_o, live_o, xmask_o: of sel_warp_i. released_o[w]: the running path is released (7.4).
  // path_idle_o[w]: live = 0 and no engine request pending or served. bar_exit_o: live became 0.
  // turn_end_o: the warp's turn ends in this cycle. issue_i.tbuf: takes the target buffer.
  paths u_paths (
    .clk_i, .rst_ni, .stall_i(stall_i[StallAtEngine]), .clear_i(clear), .now_i(cycle_q[31:0]),
    .entry_pc_i(lb[LaunchEntryPc][27:0]),
    .warp_valid_i(warp_valid), .warp_start_i(warp_start),
    .tail_mask_i(tail_mask), .start_tail_i(start_tail),
    .trap_pending_i(trap_pending),
    .issue_i(issue), .resolve_i(resolve), .x1_i(x1), .x1_a_i(x1_a), .x1_b_i(x1_b), .x1_c_i(x1_c),
    .sel_warp_i(head_warp), .cur_mask_o(cur_mask), .live_o(live), .xmask_o(xmask),
    .run_o(run), .ctl_o(ctl), .released_o(released), .dead_o(dead),
    .tbuf_free_o(tbuf_free), .turn_end_o(turn_end), .path_idle_o(path_idle),
    .flush_o(flush), .setpc_resolve_o(setpc_resolve), .setpc_engine_o(setpc_engine),
    .bar_pred_o(bar_pred), .bar_req_o(bar_req), .bar_exit_o(bar_exit),
    .bar_wake_clr_o(bar_wake_clr), .bar_wake_i(bar_wake), .bar_req_busy_i(bar_req_busy),
    .sleeping_o(sleeping), .trap_resolve_o(traps[1]), .trap_engine_o(traps[2])
  );

  // bar_idle_o[w]: neither bar_req nor bar_exit is set.
  barrier u_barrier (
    .clk_i, .rst_ni, .clear_i(clear), .warp_start_i(warp_start),
    .warp_valid_i(warp_valid), .warp_cta_i(warp_cta), .cta_nwarps_i(cta_nwarps),
    .cta_warps_i(cta_warps), .dead_i(dead),
    .bar_pred_i(bar_pred), .bar_req_i(bar_req), .bar_exit_i(bar_exit),
    .bar_wake_clr_i(bar_wake_clr), .bar_wake_o(bar_wake), .bar_req_busy_o(bar_req_busy),
    .bar_result_o(bar_result), .bar_idle_o(bar_idle), .trap_o(traps[3])
  );

  warp u_warp (
    .clk_i, .rst_ni, .clear_i(clear),
    .issue_i(issue), .live_i(live), .xmask_i(xmask),
    .x1_i(x1), .x1_a_i(x1_a), .x1_b_i(x1_b), .x1_ps_i(x1_ps),
    .xch_ready_o(xch_ready), .vwb_o(vwb[2]), .vwb_data_o(vwb_data_xch),
    .vwb_grant_i(vwb_grant[2]), .finish_o(finish_xch)
  );

  // lsu_free_o: slots freed in this cycle without a last grant (stores, RED, faults); a slot whose
  // last word is granted finishes by vwb.last.
  // smem_addr: byte address of each lane in shared memory, the CTA's base included.
  // smem_wdata[k]: operand word k after the address (CAS: compare words, then new words).
  lsu u_lsu (
    .clk_i, .rst_ni, .clear_i(clear), .lb_i(lb), .warp_cta_i(warp_cta),
    .issue_i(issue), .x1_i(x1), .x1_a_i(x1_a), .x1_b_i(x1_b), .x1_c_i(x1_c),
    .lsu_ready_o(lsu_ready), .lsu_slot_o(lsu_slot),
    .vwb_o(vwb[0]), .vwb_data_o(vwb_data_lsu), .vwb_grant_i(vwb_grant[0]),
    .lsu_free_o(lsu_free), .lsu_free_warp_o(lsu_free_warp), .trap_o(traps[4]),
    .req_valid_o(req_valid[3]), .req_o(req[3]), .req_grant_i(req_grant[3]),
    .rsp_valid_i(rsp_valid), .rsp_i(rsp),
    .smem_req_valid_o(smem_req_valid), .smem_req_ready_i(smem_req_ready), .smem_req_o(smem_req),
    .smem_addr_o(smem_addr), .smem_wdata_o(smem_wdata),
    .smem_rsp_valid_i(smem_rsp_valid), .smem_rsp_i(smem_rsp), .smem_rdata_i(smem_rdata)
  );

  smem u_smem (
    .clk_i, .rst_ni, .stall_i(stall_i[StallAtSmem]),
    .req_valid_i(smem_req_valid), .req_ready_o(smem_req_ready), .req_i(smem_req),
    .addr_i(smem_addr), .wdata_i(smem_wdata),
    .rsp_valid_o(smem_rsp_valid), .rsp_o(smem_rsp), .rdata_o(smem_rdata)
  );

  ccache u_ccache (
    .clk_i, .rst_ni, .clear_i(clear), .invalidate_i(invalidate), .lb_i(lb),
    .issue_i(issue), .x1_i(x1), .x1_a_i(x1_a), .ldc_ready_o(ldc_ready),
    .vwb_o(vwb[1]), .vwb_data_o(vwb_data_ldc), .vwb_grant_i(vwb_grant[1]),
    .finish_o(finish_ldc), .trap_o(traps[5]),
    .req_valid_o(req_valid[2]), .req_o(req[2]), .req_grant_i(req_grant[2]),
    .rsp_valid_i(rsp_valid), .rsp_i(rsp)
  );

  smport u_smport (
    .clk_i, .rst_ni, .stall_i(stall_i[StallAtSmport]),
    .req_valid_i(req_valid), .req_i(req), .req_grant_o(req_grant),
    .op_valid_o(op_valid), .op_packet_o(op_packet), .op_ready_i(op_ready),
    .rsp_valid_i(rsp_valid), .rsp_i(rsp), .unacked_zero_o(unacked_zero)
  );

  orderpoint u_orderpoint (
    .clk_i, .rst_ni,
    .stall_admit_i(stall_i[StallAtAdmit]),
    // The LSU takes one delivery per cycle (13).
    .stall_response_i(stall_i[StallAtResponse] || smem_rsp_valid),
    .op_valid_i(op_valid), .op_packet_i(op_packet), .op_ready_o(op_ready),
    .rsp_valid_o(rsp_valid), .rsp_o(rsp),
    .ar_valid_o, .ar_ready_i, .ar_id_o, .ar_addr_o, .r_valid_i, .r_id_i, .r_data_i,
    .aw_valid_o, .aw_ready_i, .aw_id_o, .aw_addr_o, .w_data_o, .w_strb_o, .b_valid_i, .b_id_i
  );

  // Cleared by the start of a launch.
  trap u_trap (
    .clk_i, .rst_ni, .clear_i(invalidate), .trap_i(traps), .trap_o(trap),
    .pending_o(trap_pending)
  );

  watchdog u_watchdog (
    .clk_i, .rst_ni, .issue_i(issue.valid), .grant_i(op_valid), .running_i(running),
    .sleeping_i(sleeping), .hang_o
  );

  logic unused_stall;
  assign unused_stall = ^{stall_i[StallAtAr], stall_i[StallAtAw]};
endmodule
