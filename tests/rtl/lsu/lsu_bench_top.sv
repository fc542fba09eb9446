// Flat ports around rtl/mem/lsu.sv for its bench: the packed structs of sm_pkg are put together here,
// so that the bench needs no bit positions. The form table supplies what the decoder would.
module lsu_bench_top
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] lb_i [LaunchBlockWords],
  input  logic [7:0]  warp_cta_i [Warps],
  // What a form is.
  input  logic [12:0] form_i,
  output logic [7:0]  form_unit_o,
  output logic [7:0]  form_kind_o,
  output logic [7:0]  form_space_o,
  output logic [7:0]  form_type_o,
  output logic [7:0]  form_atom_o,
  output logic [7:0]  form_words_o [4],   // d a b c
  // Issue.
  input  logic        issue_valid_i,
  input  logic [7:0]  issue_warp_i,
  input  logic [7:0]  issue_rd_i,
  input  logic [31:0] issue_pc_i,
  input  logic [31:0] issue_exec_i,
  output logic        ready_o,
  output logic [7:0]  slot_o,
  // X1.
  input  logic        x1_valid_i,
  input  logic [12:0] x1_form_i,
  input  logic [31:0] x1_imm_i,
  input  logic [7:0]  x1_step_i,
  input  logic [7:0]  x1_beat_i,
  input  logic [7:0]  x1_part_i,
  input  logic [31:0] x1_mask_i,
  input  logic [7:0]  x1_slot_i,
  input  logic        x1_last_i,
  input  logic [31:0] x1_a_i [Lanes],
  input  logic [31:0] x1_b_i [Lanes],
  input  logic [31:0] x1_c_i [Lanes],
  // Write-back.
  output logic        vwb_valid_o,
  output logic [7:0]  vwb_warp_o,
  output logic        vwb_has_reg_o,
  output logic [7:0]  vwb_rd_o,
  output logic [7:0]  vwb_beat_o,
  output logic [31:0] vwb_mask_o,
  output logic        vwb_last_beat_o,
  output logic        vwb_last_o,
  output logic [31:0] vwb_data_o [Lanes],
  input  logic        vwb_grant_i,
  output logic [7:0]  free_o,
  output logic        trap_valid_o,
  output logic [7:0]  trap_cause_o,
  output logic [7:0]  trap_warp_o,
  output logic [7:0]  trap_lane_o,
  output logic [31:0] trap_pc_o,
  output logic [63:0] trap_addr_o,
  // Port.
  output logic        req_valid_o,
  output logic [7:0]  req_op_o,
  output logic [7:0]  req_atom_o,
  output logic [7:0]  req_type_o,
  output logic [63:0] req_sector_o,
  output logic [31:0] req_mask_o,
  output logic [7:0]  req_unit_o,
  output logic [15:0] req_tag_o,
  output logic [31:0] req_data_o [8],
  input  logic        req_grant_i,
  input  logic        rsp_valid_i,
  input  logic [7:0]  rsp_op_i,
  input  logic [7:0]  rsp_unit_i,
  input  logic [15:0] rsp_tag_i,
  input  logic [31:0] rsp_data_i [8],
  // Shared memory.
  output logic        sm_valid_o,
  input  logic        sm_ready_i,
  output logic [7:0]  sm_slot_o,
  output logic [7:0]  sm_kind_o,
  output logic [7:0]  sm_type_o,
  output logic [7:0]  sm_atom_o,
  output logic [7:0]  sm_beat_o,
  output logic [31:0] sm_mask_o,
  output logic [31:0] sm_addr_o [LsuLanes],
  output logic [31:0] sm_wdata_o [4][LsuLanes],
  output logic [31:0] sm_more_o [4][LsuLanes],
  input  logic        sm_rsp_valid_i,
  input  logic [7:0]  sm_rsp_slot_i,
  input  logic [7:0]  sm_rsp_beat_i,
  input  logic [31:0] sm_rsp_mask_i,
  input  logic [7:0]  sm_rsp_words_i,
  input  logic        sm_rsp_last_i,
  input  logic [31:0] sm_rdata_i [4][LsuLanes],
  // Misuse of mbarriers, with an answer of shared memory.
  input  logic        misuse_valid_i,
  input  logic [7:0]  misuse_lane_i,   // of the request
  input  logic [31:0] misuse_at_i,     // byte address
  // Groups of copies: bits by warp; a question for one warp, answered in the next cycle.
  input  logic [31:0] commit_i,
  input  logic        ask_valid_i,
  input  logic [7:0]  ask_warp_i,
  input  logic [7:0]  ask_most_i,
  output logic        left_o,
  output logic [31:0] deferred_o,
  output logic [31:0] copied_o,
  output logic [7:0]  counted_o,       // slots freed that mem_inflight counts
  output logic        mtrap_valid_o,
  output logic [7:0]  mtrap_cause_o,
  output logic [7:0]  mtrap_warp_o,
  output logic [7:0]  mtrap_lane_o,
  output logic [31:0] mtrap_pc_o,
  output logic [63:0] mtrap_addr_o
);

  form_info_t info, x1_info;
  assign info = form_info(form_i);
  assign x1_info = form_info(x1_form_i);
  assign form_unit_o = 8'(info.unit);
  assign form_kind_o = 8'(info.kind);
  assign form_space_o = 8'(info.space);
  assign form_type_o = 8'(info.mtype);
  assign form_atom_o = 8'(info.atom);
  assign form_words_o[0] = 8'(info.d_words);
  assign form_words_o[1] = 8'(info.a_words);
  assign form_words_o[2] = 8'(info.b_words);
  assign form_words_o[3] = 8'(info.c_words);

  issue_t issue;
  x1_t    x1;
  always_comb begin
    issue = '0;
    issue.valid = issue_valid_i;
    issue.warp = warp_t'(issue_warp_i);
    issue.exec = issue_exec_i;
    issue.path = issue_exec_i;
    issue.insn.pc = issue_pc_i[27:0];
    issue.insn.info = info;
    issue.insn.word.form = form_i;
    issue.insn.word.rd = issue_rd_i;
    x1 = '0;
    x1.valid = x1_valid_i;
    x1.step = $bits(x1.step)'(x1_step_i);
    x1.beat = BeatBits'(x1_beat_i);
    x1.part = PartBits'(x1_part_i);
    x1.mask = Lanes'(x1_mask_i);
    x1.slot = SlotBits'(x1_slot_i);
    x1.last = x1_last_i;
    x1.info = x1_info;
    x1.word.form = x1_form_i;
    x1.word.imm = x1_imm_i;
  end

  logic [CtaBits-1:0]  cta [Warps];
  logic [SlotBits-1:0] slot;
  vwb_t                vwb;
  logic [LsuDepth-1:0] free;
  warp_slot_t          free_warp [LsuDepth];
  sub_t                vwb_sub;
  trap_t               trap, mtrap;
  copy_ask_t           ask [SubCores];
  logic [SubCores-1:0] copies_left;
  logic [Warps-1:0]    deferred, copied;
  mbar_misuse_t        misuse;
  packet_t             req;
  response_t           rsp;
  smem_req_t           sm_req;
  smem_rsp_t           sm_rsp;
  always_comb begin
    for (int i = 0; i < int'(Warps); i++) cta[i] = CtaBits'(warp_cta_i[i]);
    slot_o = 8'(slot);
    vwb_valid_o = vwb.valid;
    vwb_warp_o = 8'(vwb.warp);
    vwb_has_reg_o = vwb.has_reg;
    vwb_rd_o = vwb.rd;
    vwb_beat_o = 8'(vwb.beat);
    vwb_mask_o = 32'(vwb.mask);
    vwb_last_beat_o = vwb.last_beat;
    vwb_last_o = vwb.last;
    free_o = 8'(u_lsu.freed);
    counted_o = 8'(free);
    left_o = copies_left[0];
    deferred_o = 32'(deferred);
    copied_o = 32'(copied);
    ask = '{default: '0};
    ask[0].valid = ask_valid_i;
    ask[0].warp = warp_t'(ask_warp_i);
    ask[0].most = ask_most_i[5:0];
    trap_valid_o = trap.valid;
    trap_cause_o = 8'(trap.cause);
    trap_warp_o = 8'(trap.warp);
    trap_lane_o = 8'(trap.lane);
    trap_pc_o = 32'(trap.pc);
    trap_addr_o = trap.addr;
    misuse = '{valid: misuse_valid_i, lane: smem_lane_t'(misuse_lane_i),
               at: mbar_at_t'(misuse_at_i / 8)};
    mtrap_valid_o = mtrap.valid;
    mtrap_cause_o = 8'(mtrap.cause);
    mtrap_warp_o = 8'(mtrap.warp);
    mtrap_lane_o = 8'(mtrap.lane);
    mtrap_pc_o = 32'(mtrap.pc);
    mtrap_addr_o = mtrap.addr;
    req_op_o = 8'(req.op);
    req_atom_o = 8'(req.atom);
    req_type_o = 8'(req.atype);
    req_sector_o = 64'(req.sector);
    req_mask_o = req.mask;
    req_unit_o = 8'({req.sm, req.unit});  // of SM 0
    req_tag_o = req.tag;
    rsp.sm = '0;
    rsp.op = rsp_op_i[2:0];
    rsp.unit = rsp_unit_i[2:0];
    rsp.tag = rsp_tag_i;
    for (int i = 0; i < 8; i++) begin
      req_data_o[i] = req.data[32*i +: 32];
      rsp.data[32*i +: 32] = rsp_data_i[i];
    end
    sm_slot_o = 8'(sm_req.slot);
    sm_kind_o = 8'(sm_req.kind);
    sm_type_o = 8'(sm_req.mtype);
    sm_atom_o = 8'(sm_req.atom);
    sm_beat_o = 8'(sm_req.beat);
    sm_mask_o = 32'(sm_req.mask);
    sm_rsp.bulk = 1'b0;
    sm_rsp.slot = SlotBits'(sm_rsp_slot_i);
    sm_rsp.beat = LsuBeatBits'(sm_rsp_beat_i);
    sm_rsp.mask = LsuLanes'(sm_rsp_mask_i);
    sm_rsp.words = sm_rsp_words_i[3:0];
    sm_rsp.last = sm_rsp_last_i;
  end

  logic unused_rest;
  logic [LsuLanes-1:0][31:0] more [4];
  always_comb begin
    for (int k = 0; k < 4; k++) for (int i = 0; i < int'(LsuLanes); i++) sm_more_o[k][i] = more[k][i];
  end
  lsu u_lsu (
    .rest_o(unused_rest), .clk_i, .rst_ni, .clear_i(1'b0), .lb_i, .warp_cta_i(cta),
    .issue_i(issue), .sub_i('0), .x1_i(x1), .x1_a_i, .x1_b_i, .x1_c_i,
    .lsu_ready_o(ready_o), .lsu_slot_o(slot),
    .vwb_o(vwb), .vwb_sub_o(vwb_sub), .vwb_data_o, .vwb_grant_i,
    .lsu_free_o(free), .lsu_free_warp_o(free_warp), .trap_o(trap),
    .req_valid_o, .req_o(req), .req_grant_i,
    .rsp_valid_i, .rsp_i(rsp),
    .smem_req_valid_o(sm_valid_o), .smem_req_ready_i(sm_ready_i), .smem_req_o(sm_req),
    .smem_addr_o(sm_addr_o), .smem_wdata_o(sm_wdata_o),
    .smem_more_o(more),
    .smem_rsp_valid_i(sm_rsp_valid_i), .smem_rsp_i(sm_rsp), .smem_rdata_i(sm_rdata_i),
    .mbar_misuse_i(misuse), .trap_mbarrier_o(mtrap), .commit_i(commit_i[Warps-1:0]), .copy_ask_i(ask),
    .copies_left_o(copies_left), .deferred_o(deferred), .copied_o(copied)
  );

  logic unused;
  always_comb begin
    unused = ^{sm_req.bulk, commit_i, ask_warp_i, ask_most_i, misuse_lane_i, misuse_at_i, vwb, vwb_sub, info, issue_warp_i, issue_pc_i, x1_step_i, x1_beat_i, x1_part_i, x1_mask_i, x1_slot_i,
               rsp_op_i, rsp_unit_i, sm_rsp_slot_i, sm_rsp_beat_i, sm_rsp_mask_i, sm_rsp_words_i};
    for (int i = 0; i < int'(Warps); i++) unused ^= ^warp_cta_i[i];
    for (int i = 0; i < int'(LsuDepth); i++) unused ^= ^free_warp[i];
  end
endmodule
