// Bench of the journal with signatures (fpga/rtl/digest.sv): two instances of every kind of record,
// as several units make one kind, with words as they come; the signatures as gpu_top gives them out.
module digest_bench
  import wl_pkg::*;
  import config_pkg::Lanes;
  import link_pkg::NumSignatures;
(
  input  logic                                      clk_i,
  input  logic [1:0][NumSignatures-1:0]             valid_i,
  input  logic [1:0][NumSignatures-1:0][16:0][31:0] word_i,  // words in order; unused ones any
  output logic [NumSignatures-1:0][31:0]            digest_o
);
  logic [NumSignatures-1:0][31:0] fold [2];
  for (genvar k = 0; k < 2; k++) begin : gen_writer
    logic [NumSignatures-1:0]             v;
    logic [NumSignatures-1:0][16:0][31:0] w;
    assign v = valid_i[k];
    assign w = word_i[k];
    journal_rf u_rf (
      .clk_i, .valid_i(v[RecordRf]), .bank_i(w[RecordRf][0]), .row_i(w[RecordRf][1]),
      .mask_i(w[RecordRf][2]), .data_i(w[RecordRf][3+:Lanes])
    );
    journal_pred u_pred (
      .clk_i, .valid_i(v[RecordPred]), .warp_i(w[RecordPred][0]), .pred_i(w[RecordPred][1]),
      .mask_i(w[RecordPred][2]), .value_i(w[RecordPred][3])
    );
    journal_smem u_smem (
      .clk_i, .valid_i(v[RecordSmem]), .bank_i(w[RecordSmem][0]), .row_i(w[RecordSmem][1]),
      .bytes_i(w[RecordSmem][2]), .data_i(w[RecordSmem][3])
    );
    journal_xbuf u_xbuf (
      .clk_i, .valid_i(v[RecordXbuf]), .warp_i(w[RecordXbuf][0]), .beat_i(w[RecordXbuf][1]),
      .mask_i(w[RecordXbuf][2]), .data_i(w[RecordXbuf][3+:Lanes])
    );
    journal_fetch u_fetch (
      .clk_i, .valid_i(v[RecordFetch]), .warp_i(w[RecordFetch][0]), .pc_i(w[RecordFetch][1]),
      .word_i(w[RecordFetch][5:2]), .trap_i(w[RecordFetch][6])
    );
    journal_issue u_issue (
      .clk_i, .valid_i(v[RecordIssue]), .warp_i(w[RecordIssue][0]), .pc_i(w[RecordIssue][1]),
      .path_i(w[RecordIssue][2]), .exec_i(w[RecordIssue][3])
    );
    journal_resolve u_resolve (
      .clk_i, .valid_i(v[RecordResolve]), .warp_i(w[RecordResolve][0]),
      .request_i(w[RecordResolve][1]), .pc_i(w[RecordResolve][2]), .mask_i(w[RecordResolve][3]),
      .depth_i(w[RecordResolve][4]), .served_i(w[RecordResolve][5]), .turn_i(w[RecordResolve][6]),
      .live_i(w[RecordResolve][7])
    );
    journal_row u_row (
      .clk_i, .valid_i(v[RecordRow]), .warp_i(w[RecordRow][0]), .leader_i(w[RecordRow][1]),
      .mask_i(w[RecordRow][2]), .pc_i(w[RecordRow][3]), .depth_i(w[RecordRow][4]),
      .state_i(w[RecordRow][5]), .op_i(w[RecordRow][6]), .key_i(w[RecordRow][7])
    );
    journal_walked u_walked (
      .clk_i, .valid_i(v[RecordWalked]), .warp_i(w[RecordWalked][0]), .run_i(w[RecordWalked][1]),
      .mask_i(w[RecordWalked][2]), .pc_i(w[RecordWalked][3]), .depth_i(w[RecordWalked][4]),
      .leader_i(w[RecordWalked][5]), .exist_i(w[RecordWalked][6]), .served_i(w[RecordWalked][7]),
      .released_i(w[RecordWalked][8]), .stop_i(w[RecordWalked][9]), .below_i(w[RecordWalked][10])
    );
    journal_barrier u_barrier (
      .clk_i, .valid_i(v[RecordBarrier]), .slot_i(w[RecordBarrier][0]),
      .number_i(w[RecordBarrier][1]), .arrived_lo_i(w[RecordBarrier][2]),
      .arrived_hi_i(w[RecordBarrier][3]), .b_i(w[RecordBarrier][4]), .kind_i(w[RecordBarrier][5]),
      .popc_i(w[RecordBarrier][6])
    );
    journal_cta u_cta (
      .clk_i, .valid_i(v[RecordCta]), .event_i(w[RecordCta][0]), .slot_i(w[RecordCta][1]),
      .x_i(w[RecordCta][2]), .y_i(w[RecordCta][3]), .z_i(w[RecordCta][4]),
      .warps_lo_i(w[RecordCta][5]), .warps_hi_i(w[RecordCta][6])
    );
    journal_page u_page (
      .clk_i, .valid_i(v[RecordPage]), .warp_i(w[RecordPage][0]), .entry_i(w[RecordPage][1]),
      .page_i(w[RecordPage][2])
    );
    journal_packet u_packet (
      .clk_i, .valid_i(v[RecordPacket]), .op_i(w[RecordPacket][0]), .atom_i(w[RecordPacket][1]),
      .atype_i(w[RecordPacket][2]), .unit_i(w[RecordPacket][3]), .tag_i(w[RecordPacket][4]),
      .sector_lo_i(w[RecordPacket][5]), .sector_hi_i(w[RecordPacket][6]),
      .mask_i(w[RecordPacket][7]), .data_i(w[RecordPacket][15:8]), .sm_i(w[RecordPacket][16])
    );
    journal_response u_response (
      .clk_i, .valid_i(v[RecordResponse]), .op_i(w[RecordResponse][0]),
      .unit_i(w[RecordResponse][1]), .tag_i(w[RecordResponse][2]), .data_i(w[RecordResponse][10:3]),
      .sm_i(w[RecordResponse][11])
    );
    journal_trap u_trap (
      .clk_i, .valid_i(v[RecordTrap]), .cause_i(w[RecordTrap][0]), .warp_i(w[RecordTrap][1]),
      .lane_i(w[RecordTrap][2]), .pc_i(w[RecordTrap][3]), .addr_lo_i(w[RecordTrap][4]),
      .addr_hi_i(w[RecordTrap][5])
    );
    journal_state u_state (
      .clk_i, .valid_i(v[RecordState]), .state_i(w[RecordState][0])
    );
    journal_monitor u_monitor (.clk_i, .valid_i(v[RecordMonitor]), .pm_i(w[RecordMonitor][15:0]));
    journal_rest u_rest (
      .clk_i, .valid_i(v[RecordRest]), .cycle_lo_i(w[RecordRest][0]),
      .cycle_hi_i(w[RecordRest][1]), .rest_i(w[RecordRest][2]),
      .places_i(w[RecordRest][3])
    );
    journal_mma u_mma (
      .clk_i, .valid_i(v[RecordMma]), .sub_i(w[RecordMma][0]), .warp_i(w[RecordMma][1]),
      .pc_i(w[RecordMma][2])
    );
    journal_wake u_wake (
      .clk_i, .valid_i(v[RecordWake]), .address_i(w[RecordWake][0]), .gen_i(w[RecordWake][1])
    );
    journal_columns u_columns (
      .clk_i, .valid_i(v[RecordColumns]), .op_i(w[RecordColumns][0]), .number_i(w[RecordColumns][1]),
      .units_i(w[RecordColumns][2])
    );
    journal_tmem u_tmem (
      .clk_i, .valid_i(v[RecordTmem]), .quarter_i(w[RecordTmem][0]), .row_i(w[RecordTmem][1]),
      .mask_i(w[RecordTmem][2]), .data_i(w[RecordTmem][3+:Lanes])
    );
    journal_umma u_umma (
      .clk_i, .valid_i(v[RecordUmma]), .event_i(w[RecordUmma][0]), .warp_i(w[RecordUmma][1]),
      .lane_i(w[RecordUmma][2]), .pc_i(w[RecordUmma][3])
    );
    // verilator lint_off UNUSEDSIGNAL // words beyond a record's
    logic unused;
    assign unused = ^w;
    // verilator lint_on UNUSEDSIGNAL
    assign fold[k][RecordRf] = u_rf.fold;
    assign fold[k][RecordPred] = u_pred.fold;
    assign fold[k][RecordSmem] = u_smem.fold;
    assign fold[k][RecordXbuf] = u_xbuf.fold;
    assign fold[k][RecordFetch] = u_fetch.fold;
    assign fold[k][RecordIssue] = u_issue.fold;
    assign fold[k][RecordResolve] = u_resolve.fold;
    assign fold[k][RecordRow] = u_row.fold;
    assign fold[k][RecordWalked] = u_walked.fold;
    assign fold[k][RecordBarrier] = u_barrier.fold;
    assign fold[k][RecordCta] = u_cta.fold;
    assign fold[k][RecordPage] = u_page.fold;
    assign fold[k][RecordPacket] = u_packet.fold;
    assign fold[k][RecordResponse] = u_response.fold;
    assign fold[k][RecordTrap] = u_trap.fold;
    assign fold[k][RecordState] = u_state.fold;
    assign fold[k][RecordMonitor] = u_monitor.fold;
    assign fold[k][RecordRest] = u_rest.fold;
    assign fold[k][RecordMma] = u_mma.fold;
    assign fold[k][RecordWake] = u_wake.fold;
    assign fold[k][RecordColumns] = u_columns.fold;
    assign fold[k][RecordTmem] = u_tmem.fold;
    assign fold[k][RecordUmma] = u_umma.fold;
  end
  for (genvar i = 0; i < NumSignatures; i++) begin : gen_signature
    signature u_signature (.clk_i, .fold_i(fold[0][i] ^ fold[1][i]), .sig_o(digest_o[i]));
  end
endmodule
