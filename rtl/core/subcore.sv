// One sub-core (docs/microarchitecture.md 0): instances and wires of fetch (4), issue (5),
// operands, fixed pipe and write-back (6), paths (7), exchange unit (9) and the units that only
// some configurations have (optional_units.sv). Everything here is by the sub-core's own warps
// (warp_t); sub_i tells the units which slots of the SM these are, for records, traps, special
// registers and register banks. Units that sub-cores share are in sm.sv.
`include "cells/assert.svh"
module subcore
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import smem_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  sub_t                 sub_i,        // number of the sub-core
  // verilator lint_off UNUSEDSIGNAL // the points of these units
  input  logic [NumStalls-1:0] stall_i,      // disturbance (17)
  // verilator lint_on UNUSEDSIGNAL
  input  logic [30:0]          mbar_gen_i,   // phases of mbarriers completed (21.2)
  input  logic [63:0]          cycle_i,
  // Dispatcher.
  input  logic [31:0]          lb_i [LaunchBlockWords],
  input  logic                 clear_i,
  input  logic                 invalidate_i,
  input  logic [SubWarps-1:0]  warp_valid_i,
  input  logic [SubWarps-1:0]  warp_start_i,
  input  logic [31:0]          tail_mask_i,
  input  logic [SubWarps-1:0]  start_tail_i,
  input  logic [CtaBits-1:0]   warp_cta_i [SubWarps],
  input  logic [4:0]           warp_index_i [SubWarps],
  input  logic [31:0]          cta_x_i [Ctas],
  input  logic [31:0]          cta_y_i [Ctas],
  input  logic [31:0]          cta_z_i [Ctas],
  input  logic [31:0]          cta_seq_i [Ctas],
  input  logic                 page_we_i,
  input  warp_t                page_warp_i,
  input  logic [4:0]           page_entry_i,
  input  logic [PageBits-1:0]  page_value_i,
  output logic [SubWarps-1:0]  inflight_zero_o,
  output logic [SubWarps-1:0]  path_idle_o,  // live = 0, no engine request pending or served
  output logic                 fetch_idle_o, // no instruction-cache miss outstanding
  // Issue and X1, for the shared units too.
  output issue_t               issue_o,
  output logic                 slots_free_o, // is_left <= 1
  output logic                 vwb_stall_o,  // vwb.lost >= AgeLimit
  output x1_t                  x1_o,
  output logic [31:0]          x1_a_o [Lanes],
  output logic [31:0]          x1_b_o [Lanes],
  output logic [31:0]          x1_c_o [Lanes],
  output logic [Lanes-1:0]     x1_ps_o,      // predicate s of the lanes
  // LSU, constant loads, copy engine, allocator of tensor memory, products there: open to this sub-core, words for its warps, ends.
  input  logic                 lsu_ready_i,
  input  logic                 ldc_ready_i,
  input  logic                 copy_ready_i,
  input  logic                 columns_ready_i,
  input  logic                 umma_ready_i,
  input  logic [SlotBits-1:0]  lsu_slot_i,
  input  vwb_t                 vwb_lsu_i,
  input  logic [31:0]          vwb_data_lsu_i [Lanes],
  input  vwb_t                 vwb_ldc_i,
  input  logic [31:0]          vwb_data_ldc_i,
  output logic                 grant_lsu_o,  // the word of vwb_lsu_i is written
  output logic                 grant_ldc_o,
  input  logic [LsuDepth-1:0]  lsu_free_i,
  input  warp_t                lsu_free_warp_i [LsuDepth],
  input  finish_t              finish_ldc_i,
  // Deferred forms of the LSU (22), bulk copies (23).
  input  logic [SubWarps-1:0]  deferred_i,    // in flight
  output copy_ask_t            copy_ask_o,
  input  logic                 copies_left_i, // the answer, in the next cycle
  // Allocator of tensor memory (24.1): an ALLOC that resolves has to wait; columns of the CTAs; first
  // unit of each warp's last allocation.
  input  logic                 columns_wait_i,
  input  columns_t             columns_i,
  input  unit_t                columns_base_i [SubWarps],
  // Products in tensor memory (25).
  input  umma_lanes_t          umma_i,
  input  umma_step_t           umma_step_i,
  input  tensor_pkg::slice_words_t [DotRows-1:0] umma_a_i,
  input  logic [Lanes-1:0][31:0] umma_put_i,
  output logic [Lanes-1:0][31:0] umma_rows_o,
  output umma_state_t          umma_o,
  output logic                 umma_could_o,
  output logic                 umma_takes_o,
  // Chunk port of shared memory.
  output chunk_req_t           chunk_o [ChunkPorts],
  input  logic [ChunkPorts-1:0] chunk_grant_i,
  input  chunk_rsp_t           chunk_rsp_i,
  // SM port.
  output logic                 req_valid_o,
  output packet_t              req_o,
  input  logic                 req_grant_i,
  input  logic                 rsp_valid_i,
  input  response_t            rsp_i,
  // Barriers.
  output logic [SubWarps-1:0]  dead_o,       // live = 0
  output bar_pred_t            bar_pred_o,
  output bar_req_t             bar_req_o,
  output finish_t              bar_exit_o,   // live became 0
  output finish_t              wake_clr_o,
  input  logic [SubWarps-1:0]  bar_wake_i,
  input  logic [SubWarps-1:0]  wait_wake_i,
  input  logic [SubWarps-1:0]  cluster_wait_i,
  input  logic [SubWarps-1:0]  bar_req_busy_i,
  input  bar_result_t          bar_result_i [SubWarps],
  // Monitors: their values in the next cycle; the miss unit of fetch is set.
  input  logic [63:0]          pm_next_i [8],
  output logic                 fetch_miss_o,
  output logic [RestUnits-1:0] rest_o,       // of record REST (15): 1 where it has no such unit
  // Board: arrays of this sub-core; words read, by array.
  input  poke_t                poke_i,
  input  peek_t                peek_i,
  output logic [31:0]          peek_rf_o,
  output logic [31:0]          peek_pred_o,
  output logic [31:0]          peek_xbuf_o,
  output logic [31:0]          peek_tmem_o,
  // Traps and watchdog.
  input  logic                 trap_pending_i,
  output trap_t                trap_o [SubTrapSources],
  output logic                 sleeping_o    // some warp waits for a sleeper
);
  // Fetch and issue.
  logic [SubWarps-1:0] head_valid, head_changed;
  need_t               need [SubWarps];
  warp_t               scan_warp;  // HazardScan = 1: warp whose needs issue reads
  scan_need_t          need_scan;
  insn_t               head;
  logic                pop_valid;
  warp_t               head_warp;
  issue_t              issue;
  step_from_t [2:0]    issue_from;
  logic [31:0]         issue_ps, issue_pt;
  assign issue_o = issue;

  // Paths.
  logic [SubWarps-1:0] run, ctl, flush, head_released;
  logic [31:0]         cur_mask, head_live, xmask;  // of head_warp
  logic                tbuf_free;
  setpc_t              setpc_resolve, setpc_engine;
  finish_t             turn_end;
  resolve_t            resolve, resolve_next;

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
  finish_t          finish_fix, finish_xch;
  inpipe_t          inpipe [PipeStages];
  logic             slots_free, xch_ready;
  vwb_t             vwb [VwbSources];
  logic [31:0]      vwb_data_xch [Lanes];
  logic [31:0]      vwb_data_result [Lanes];
  logic [VwbSources-1:0] vwb_grant;
  logic             vwb_stall;
  vwb_t             var_wr;
  logic [31:0]      var_data [Lanes];
  // Optional units.
  // verilator lint_off UNUSEDSIGNAL // without them
  vwb_t             vwb_result;
  trap_t            trap_probe, trap_tmem;
  // verilator lint_on UNUSEDSIGNAL
  logic             probe_ready, tensor_ready, fp64_ready, tmem_ready, grant_result;
  finish_t          finish_probe;
  assign x1_o = x1;
  assign x1_a_o = x1_a;
  assign x1_b_o = x1_b;
  assign x1_c_o = x1_c;
  assign x1_ps_o = x1_ps;
  assign slots_free_o = slots_free;
  assign vwb_stall_o = vwb_stall;
  assign vwb[VwbLsu] = vwb_lsu_i;
  assign vwb[VwbLdc] = vwb_ldc_i;
  assign grant_lsu_o = vwb_grant[VwbLsu];
  assign grant_ldc_o = vwb_grant[VwbLdc];

  fetch u_fetch (
    .clk_i, .rst_ni, .sub_i, .stall_i(stall_i[StallAtFetch]), .clear_i, .invalidate_i,
    .entry_pc_i(lb_i[LaunchEntryPc][27:0]), .code_words_i(lb_i[LaunchCodeWords]),
    .code_sector_i({lb_i[LaunchCodeBase+1], lb_i[LaunchCodeBase][31:5]}),
    .warp_valid_i, .warp_start_i, .run_i(run), .trap_pending_i,
    .flush_i(flush), .setpc_resolve_i(setpc_resolve), .setpc_engine_i(setpc_engine),
    .pop_valid_i(pop_valid), .head_warp_i(head_warp), .scan_warp_i(scan_warp),
    .head_valid_o(head_valid), .head_changed_o(head_changed), .need_o(need),
    .need_scan_o(need_scan), .head_o(head), .idle_o(fetch_idle_o), .miss_o(fetch_miss_o),
    .req_valid_o, .req_o, .req_grant_i, .rsp_valid_i, .rsp_i
  );

  // issue_o is the issue event of the cycle; the pop of a trapped entry does not happen (5 rule 1).
  // issue_ps_o, issue_pt_o: predicates s and t at issue, negation applied, 32 lanes; a cycle later.
  logic rest_issue, rest_slots, rest_paths, rest_exchange;
  logic [RestUnits-1:0] rest_optional;
  always_comb begin
    rest_o = rest_optional;
    rest_o[RestIssue] = rest_issue && rest_slots;
    rest_o[RestPaths] = rest_paths;
    rest_o[RestExchange] = rest_exchange;
  end
  issue u_issue (
    .poke_i, .peek_i, .peek_data_o(peek_pred_o),
    .rest_o(rest_issue),
    .clk_i, .rst_ni, .sub_i, .stall_i(stall_i[StallAtIssue]), .clear_i,
    .reg_pages_i(lb_i[LaunchRegPages][5:0]), .warp_valid_i, .warp_cta_i, .cta_seq_i,
    .head_valid_i(head_valid), .head_changed_i(head_changed), .flush_i(flush), .warp_start_i,
    .need_i(need), .scan_warp_o(scan_warp), .need_scan_i(need_scan), .head_i(head),
    .pop_valid_o(pop_valid),
    .head_warp_o(head_warp),
    .run_i(run), .ctl_i(ctl), .cur_mask_i(cur_mask), .live_i(head_live), .released_i(head_released),
    .tbuf_free_i(tbuf_free), .turn_end_i(turn_end),
    .lsu_ready_i, .ldc_ready_i, .copy_ready_i, .xch_ready_i(xch_ready),
    .probe_ready_i(probe_ready), .tensor_ready_i(tensor_ready), .fp64_ready_i(fp64_ready),
    .columns_ready_i, .tmem_ready_i(tmem_ready), .umma_ready_i,
    .finish_probe_i(finish_probe),
    .vwb_stall_i(vwb_stall), .trap_pending_i,
    .issue_o(issue), .issue_from_o(issue_from), .issue_ps_o(issue_ps), .issue_pt_o(issue_pt),
    .slots_free_i(slots_free), .inflight_zero_o,
    .resolve_i(resolve), .fix_pred_i(fix_pred), .fix_p_i(fix_p), .fix_q_i(fix_q),
    .fix_clr_i(fix_clr), .finish_fix_i(finish_fix), .inpipe_i(inpipe),
    .vwb_i(vwb), .vwb_grant_i(vwb_grant), .var_wr_i(var_wr),
    .lsu_free_i, .lsu_free_warp_i, .deferred_i, .finish_xch_i(finish_xch), .finish_ldc_i,
    .trap_o(trap_o[TrapSrcIssue])
  );

  // x1 operands: ONE, PAIR: a, b, c of the step. LIST: words 3 * step, + 1, + 2 of the operand
  // list  a, b, c (so a 64-bit address comes in x1_a, x1_b of step 0). Immediates: kind B in b, C
  // in c, in every step (step 1 of a two-step ALU form with immediate B: its sign word); other
  // kinds are read from x1.word. RZ and absent operands are 0. x1_ps, x1_pt have their negation
  // applied. x1_sreg: value of S2R, ACTMASK, the link of CALL and CALLX, the count of a released
  // BAR POPC; the truth of a released BAR AND, OR is bit 0 of x1_sreg.
  operands u_operands (
    .poke_i, .peek_i, .peek_data_o(peek_rf_o),
    .rest_o(rest_slots),
    .clk_i, .rst_ni, .sub_i, .clear_i, .cycle_i, .lb_i,
    .warp_cta_i, .warp_index_i, .cta_x_i, .cta_y_i, .cta_z_i,
    .page_we_i, .page_warp_i, .page_entry_i, .page_value_i,
    .issue_i(issue), .issue_from_i(issue_from), .issue_ps_i(issue_ps), .issue_pt_i(issue_pt),
    .lsu_slot_i, .bar_result_i, .pm_next_i, .columns_i(columns_base_i),
    .x1_o(x1), .x1_a_o(x1_a), .x1_b_o(x1_b), .x1_c_o(x1_c), .x1_ps_o(x1_ps), .x1_pt_o(x1_pt),
    .x1_sreg_o(x1_sreg), .resolve_next_o(resolve_next), .resolve_o(resolve),
    .slots_free_o(slots_free),
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
    .poke_i,
    .clk_i, .rst_ni, .stall_i(stall_i[StallAtVwb]), .clear_i, .fix_i(fix),
    .fix_pred_i(fix_pred),
    .vwb_i(vwb), .vwb_data_lsu_i, .vwb_data_ldc_i, .vwb_data_xch_i(vwb_data_xch),
    .vwb_data_result_i(vwb_data_result), .vwb_grant_o(vwb_grant), .vwb_stall_o(vwb_stall),
    .var_wr_o(var_wr), .var_data_o(var_data)
  );

  // cur_mask_o, live_o, xmask_o: of sel_warp_i. released_o[w]: the running path is released (7.4).
  // turn_end_o: the warp's turn ends in this cycle. issue_i.tbuf: takes the target buffer.
  paths u_paths (
    .rest_o(rest_paths),
    .clk_i, .rst_ni, .sub_i, .stall_i(stall_i[StallAtEngine]), .clear_i, .now_i(cycle_i[31:0]),
    .entry_pc_i(lb_i[LaunchEntryPc][27:0]),
    .warp_valid_i, .warp_start_i, .tail_mask_i, .start_tail_i, .trap_pending_i,
    .issue_i(issue), .resolve_next_i(resolve_next), .resolve_i(resolve), .x1_i(x1),
    .x1_a_i(x1_a), .x1_b_i(x1_b), .x1_c_i(x1_c),
    .sel_warp_i(head_warp), .head_pc_i(head.pc), .cur_mask_o(cur_mask), .live_o(head_live),
    .xmask_o(xmask),
    .run_o(run), .ctl_o(ctl), .released_o(head_released), .dead_o,
    .tbuf_free_o(tbuf_free), .turn_end_o(turn_end), .path_idle_o,
    .flush_o(flush), .setpc_resolve_o(setpc_resolve), .setpc_engine_o(setpc_engine),
    .bar_pred_o, .bar_req_o, .bar_exit_o, .wake_clr_o, .bar_wake_i, .wait_wake_i,
    .cluster_wait_i, .copy_ask_o, .copies_left_i, .columns_wait_i, .mbar_gen_i, .bar_req_busy_i,
    .sleeping_o, .trap_resolve_o(trap_o[TrapSrcResolve]),
    .trap_engine_o(trap_o[TrapSrcEngine])
  );

  warp u_warp (
    .poke_i, .peek_i, .peek_data_o(peek_xbuf_o),
    .rest_o(rest_exchange),
    .clk_i, .rst_ni, .sub_i, .clear_i,
    .issue_i(issue), .live_i(head_live), .xmask_i(xmask),
    .x1_i(x1), .x1_a_i(x1_a), .x1_b_i(x1_b), .x1_ps_i(x1_ps),
    .xch_ready_o(xch_ready), .vwb_o(vwb[VwbXch]), .vwb_data_o(vwb_data_xch),
    .vwb_grant_i(vwb_grant[VwbXch]), .finish_o(finish_xch)
  );

  optional_units u_optional (
    .clk_i, .rst_ni, .sub_i, .stall_i, .clear_i, .lb_i, .warp_cta_i, .warp_index_i, .columns_i,
    .poke_i, .peek_i, .peek_tmem_o, .issue_i(issue),
    .x1_i(x1), .x1_a_i(x1_a), .x1_b_i(x1_b), .x1_c_i(x1_c),
    .chunk_o, .chunk_grant_i, .chunk_rsp_i,
    .probe_ready_o(probe_ready), .probe_finish_o(finish_probe), .probe_trap_o(trap_probe),
    .tensor_ready_o(tensor_ready), .fp64_ready_o(fp64_ready),
    .tmem_ready_o(tmem_ready), .tmem_trap_o(trap_tmem),
    .umma_i, .umma_step_i, .umma_a_i, .umma_put_i, .umma_rows_o, .umma_o, .umma_could_o, .umma_takes_o,
    .result_o(vwb_result), .result_data_o(vwb_data_result), .result_grant_i(grant_result),
    .rest_o(rest_optional)
  );
  if (Probe != 0) begin : gen_probe
    assign trap_o[TrapSrcProbe] = trap_probe;
  end else if (TrapSrcProbe < SubTrapSources) begin : gen_no_probe  // its number is one of others' numbers
    assign trap_o[TrapSrcProbe] = '0;
  end
  if (Tmem != 0) begin : gen_tmem
    assign trap_o[TrapSrcTmem] = trap_tmem;
  end
  if (HasResult != 0) begin : gen_result
    assign vwb[VwbResult] = vwb_result;
    assign grant_result = vwb_grant[VwbResult];
  end else begin : gen_no_result
    assign grant_result = 1'b0;
  end

  `WL_ASSERT(IssuesOfValid, !issue_o.valid || warp_valid_i[issue_o.warp])
  `WL_ASSERT(LoadsOfValid, (!vwb_lsu_i.valid || warp_valid_i[vwb_lsu_i.warp]) &&
                           (!vwb_ldc_i.valid || warp_valid_i[vwb_ldc_i.warp]))
  `WL_ASSERT(StartsFree, (warp_start_i & warp_valid_i) == '0)
endmodule
