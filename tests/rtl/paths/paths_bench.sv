// Bench top: path unit and CTA barriers with flat ports (docs/microarchitecture.md 7, 8). Issue,
// operand arrival and resolve events come from the program that drives it.
module paths_bench
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               stall_i,
  input  logic               clear_i,
  input  logic [31:0]        now_i,
  input  logic [31:0]        entry_pc_i,
  input  logic [63:0]        warp_valid_i,
  input  logic [63:0]        warp_start_i,
  input  logic [31:0]        tail_mask_i,
  input  logic [63:0]        start_tail_i,
  input  logic [7:0]         warp_cta_i [Warps],
  input  logic [5:0]         cta_nwarps_i [Ctas],
  input  logic [63:0]        cta_warps_i [Ctas],
  input  logic               trap_pending_i,
  input  logic               mbar_complete_i,
  input  logic [30:0]        mbar_gen_i,
  input  logic               i_valid_i,
  input  logic               i_empty_i,
  input  logic               i_ctl_i,
  input  logic               i_released_i,
  input  logic               i_poll_i,
  input  logic               i_tbuf_i,
  input  logic [7:0]         i_warp_i,
  input  logic [31:0]        i_path_i,
  input  logic [31:0]        i_exec_i,
  input  logic [127:0]       i_word_i,
  input  logic [31:0]        i_pc_i,
  input  logic               n_valid_i,       // r_* of the next cycle
  input  logic [7:0]         n_warp_i,
  input  logic [31:0]        n_path_i,
  input  logic [31:0]        n_exec_i,
  input  logic [127:0]       n_word_i,
  input  logic [31:0]        n_pc_i,
  input  logic               r_valid_i,
  input  logic [7:0]         r_warp_i,
  input  logic [31:0]        r_path_i,
  input  logic [31:0]        r_exec_i,
  input  logic [31:0]        r_psrc_i,
  input  logic [127:0]       r_word_i,
  input  logic [31:0]        r_pc_i,
  input  logic               x_valid_i,
  input  logic               x_arrival_i,
  input  logic [7:0]         x_beat_i,
  input  logic [31:0]        x_mask_i,
  input  logic [127:0]       x_word_i,
  input  logic [31:0]        x_a_i [Lanes],
  input  logic [31:0]        x_b_i [Lanes],
  input  logic [31:0]        x_c_i [Lanes],
  output logic [63:0]        run_o,
  output logic [63:0]        ctl_o,
  input  logic [7:0]         sel_warp_i,      // whose words are shown
  input  logic [31:0]        head_pc_i,       // of its instruction
  output logic [31:0]        cur_mask_o,
  output logic [31:0]        live_o,
  output logic [31:0]        xmask_o,
  output logic [63:0]        released_o,
  output logic [63:0]        dead_o,
  output logic               tbuf_free_o,
  output logic [63:0]        path_idle_o,
  output logic [63:0]        flush_o,
  output logic [31:0]        turn_end_o,      // warp + 1, 0 none
  output logic [63:0]        setpc_resolve_o, // {warp + 1, pc}, 0 none
  output logic [63:0]        setpc_engine_o,
  output logic [63:0]        bar_wake_o,
  output logic [63:0]        wait_wake_o,
  output logic [63:0]        cluster_wait_o,
  output logic [63:0]        bar_idle_o,
  output logic [31:0]        result_o [Warps],  // {and, or, popc}
  output logic [63:0]        trap_o [3]         // {cause, warp, lane, pc}, 0 none: resolve, engine,
);                                              // barrier
  issue_t issue;
  resolve_t resolve, resolve_next;
  x1_t x1;
  always_comb begin
    issue = '0;
    issue.valid = i_valid_i;
    issue.empty = i_empty_i;
    issue.ctl = i_ctl_i;
    issue.released = i_released_i;
    issue.poll = i_poll_i;
    issue.tbuf = i_tbuf_i;
    issue.warp = warp_t'(i_warp_i);
    issue.path = i_path_i;
    issue.exec = i_exec_i;
    issue.insn.pc = pc_t'(i_pc_i);
    issue.insn.word = i_word_i;
    issue.insn.info = form_info(i_word_i[12:0]);
    resolve_next = '0;
    resolve_next.valid = n_valid_i;
    resolve_next.warp = warp_t'(n_warp_i);
    resolve_next.path = n_path_i;
    resolve_next.exec = n_exec_i;
    resolve_next.insn.pc = pc_t'(n_pc_i);
    resolve_next.insn.word = n_word_i;
    resolve_next.insn.info = form_info(n_word_i[12:0]);
    resolve = '0;
    resolve.valid = r_valid_i;
    resolve.warp = warp_t'(r_warp_i);
    resolve.path = r_path_i;
    resolve.exec = r_exec_i;
    resolve.psrc = r_psrc_i;
    resolve.insn.pc = pc_t'(r_pc_i);
    resolve.insn.word = r_word_i;
    resolve.insn.info = form_info(r_word_i[12:0]);
    x1 = '0;
    x1.valid = x_valid_i;
    x1.arrival = x_arrival_i;
    x1.beat = BeatBits'(x_beat_i);
    x1.mask = x_mask_i[Lanes-1:0];
    x1.word = x_word_i;
    x1.info = form_info(x_word_i[12:0]);
  end

  logic [Warps-1:0] wait_wake, cluster_wait, released, dead, run, ctl, path_idle, flush, bar_wake, bar_busy, bar_idle;
  finish_t turn_end;
  // verilator lint_off UNUSEDSIGNAL // no copies here
  copy_ask_t copy_ask;
  // verilator lint_on UNUSEDSIGNAL  // there is no LSU
  finish_t bar_exit [SubCores];
  finish_t wake_clr [SubCores];
  setpc_t setpc_resolve, setpc_engine;
  bar_pred_t bar_pred [SubCores];
  bar_req_t bar_req [SubCores];
  bar_result_t result [Warps];
  trap_t trap [3];
  logic sleeping, unused_sleeping;  // for the watchdog, which is not here
  assign unused_sleeping = sleeping;
  logic [1:0] rest, unused_rest;
  assign unused_rest = rest;
  paths u_paths (
    .rest_o(rest[0]),
    .clk_i, .rst_ni, .sub_i('0), .stall_i, .clear_i, .now_i, .entry_pc_i(pc_t'(entry_pc_i)),
    .warp_valid_i(warp_valid_i[Warps-1:0]), .warp_start_i(warp_start_i[Warps-1:0]), .tail_mask_i,
    .start_tail_i(start_tail_i[Warps-1:0]),
    .trap_pending_i, .issue_i(issue), .resolve_next_i(resolve_next), .resolve_i(resolve),
    .x1_i(x1), .x1_a_i(x_a_i), .x1_b_i(x_b_i), .x1_c_i(x_c_i),
    .sel_warp_i(warp_t'(sel_warp_i)), .head_pc_i(pc_t'(head_pc_i)), .cur_mask_o, .live_o, .xmask_o,
    .run_o(run), .ctl_o(ctl), .released_o(released), .dead_o(dead), .tbuf_free_o,
    .turn_end_o(turn_end), .path_idle_o(path_idle), .flush_o(flush),
    .setpc_resolve_o(setpc_resolve), .setpc_engine_o(setpc_engine),
    .bar_pred_o(bar_pred[0]), .bar_req_o(bar_req[0]), .bar_exit_o(bar_exit[0]),
    .wake_clr_o(wake_clr[0]),
    .bar_wake_i(bar_wake), .wait_wake_i(wait_wake), .cluster_wait_i(cluster_wait), .mbar_gen_i,
    .copy_ask_o(copy_ask), .copies_left_i(1'b0), .columns_wait_i(1'b0),
    .bar_req_busy_i(bar_busy), .sleeping_o(sleeping),
    .trap_resolve_o(trap[0]), .trap_engine_o(trap[1])
  );

  logic [CtaBits-1:0] warp_cta [Warps];
  logic [Warps-1:0] cta_warps [Ctas];
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) warp_cta[w] = CtaBits'(warp_cta_i[w]);
    for (int unsigned s = 0; s < Ctas; s++) cta_warps[s] = cta_warps_i[s][Warps-1:0];
  end
  barrier u_barrier (
    .rest_o(rest[1]),
    .clk_i, .rst_ni, .clear_i, .start_i(1'b0), .warp_start_i(warp_start_i[Warps-1:0]),
    .warp_valid_i(warp_valid_i[Warps-1:0]), .warp_cta_i(warp_cta), .cta_nwarps_i,
    .cta_warps_i(cta_warps), .dead_i(dead), .mbar_complete_i, .copied_i('0),
    .bar_pred_i(bar_pred), .bar_req_i(bar_req), .bar_exit_i(bar_exit),
    .wake_clr_i(wake_clr), .bar_wake_o(bar_wake), .wait_wake_o(wait_wake),
    .cluster_wait_o(cluster_wait), .bar_req_busy_o(bar_busy),
    .bar_result_o(result), .bar_idle_o(bar_idle), .trap_o(trap[2])
  );

  assign released_o = 64'(released);
  assign dead_o = 64'(dead);
  assign run_o = 64'(run);
  assign ctl_o = 64'(ctl);
  assign path_idle_o = 64'(path_idle);
  assign flush_o = 64'(flush);
  assign bar_wake_o = 64'(bar_wake);
  assign wait_wake_o = 64'(wait_wake);
  assign cluster_wait_o = 64'(cluster_wait);
  assign bar_idle_o = 64'(bar_idle);
  assign turn_end_o = turn_end.valid ? 32'(turn_end.warp) + 32'd1 : 32'd0;
  assign setpc_resolve_o = setpc_resolve.valid ?
      {32'(setpc_resolve.warp) + 32'd1, 32'(setpc_resolve.pc)} : 64'd0;
  assign setpc_engine_o = setpc_engine.valid ?
      {32'(setpc_engine.warp) + 32'd1, 32'(setpc_engine.pc)} : 64'd0;
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) begin
      result_o[w] = 32'({result[w].all, result[w].any, result[w].popc});
    end
    for (int unsigned i = 0; i < 3; i++) begin
      trap_o[i] = {8'(trap[i].cause), 8'(trap[i].warp), 8'(trap[i].lane), 40'(trap[i].pc)} &
                  {64{trap[i].valid}};
    end
  end

  logic unused_in;
  assign unused_in = ^{entry_pc_i, warp_valid_i, warp_start_i, start_tail_i, i_warp_i, i_pc_i,
                       n_warp_i, n_pc_i, r_warp_i, r_pc_i, sel_warp_i, head_pc_i,
                       x_beat_i, x_mask_i, trap[0].addr, trap[1].addr, trap[2].addr};
endmodule
