// Flat ports around rtl/mem/ccache.sv for its bench.
module ccache_bench_top
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        invalidate_i,
  input  logic [31:0] lb_i [LaunchBlockWords],
  input  logic [12:0] form_i,
  output logic [7:0]  form_unit_o,
  output logic [7:0]  form_type_o,
  input  logic [31:0] imm_i,
  input  logic        issue_valid_i,
  input  logic [7:0]  issue_warp_i,
  input  logic [7:0]  issue_rd_i,
  input  logic [31:0] issue_pc_i,
  input  logic [31:0] issue_exec_i,
  output logic        ready_o,
  input  logic        x1_valid_i,
  input  logic [7:0]  x1_beat_i,
  input  logic [31:0] x1_mask_i,
  input  logic        x1_last_i,
  input  logic [31:0] x1_a_i [Lanes],
  output logic        vwb_valid_o,
  output logic [7:0]  vwb_warp_o,
  output logic        vwb_has_reg_o,
  output logic [7:0]  vwb_rd_o,
  output logic [7:0]  vwb_beat_o,
  output logic [31:0] vwb_mask_o,
  output logic        vwb_last_beat_o,
  output logic        vwb_last_o,
  output logic [31:0] vwb_data_o,
  input  logic        vwb_grant_i,
  output logic        finish_o,
  output logic        trap_valid_o,
  output logic [7:0]  trap_cause_o,
  output logic [7:0]  trap_warp_o,
  output logic [7:0]  trap_lane_o,
  output logic [31:0] trap_pc_o,
  output logic [63:0] trap_addr_o,
  output logic        req_valid_o,
  output logic [7:0]  req_op_o,
  output logic [63:0] req_sector_o,
  output logic [31:0] req_mask_o,
  output logic [7:0]  req_unit_o,
  output logic [15:0] req_tag_o,
  input  logic        req_grant_i,
  input  logic        rsp_valid_i,
  input  logic [7:0]  rsp_unit_i,
  input  logic [15:0] rsp_tag_i,
  input  logic [31:0] rsp_data_i [8]
);

  form_info_t info;
  assign info = form_info(form_i);
  assign form_unit_o = 8'(info.unit);
  assign form_type_o = 8'(info.mtype);

  issue_t    issue;
  x1_t       x1;
  vwb_t      vwb;
  sub_t      sub;
  logic      miss;
  finish_t   fin;
  trap_t     trap;
  packet_t   req;
  response_t rsp;
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
    issue.insn.word.imm = imm_i;
    x1 = '0;
    x1.valid = x1_valid_i;
    x1.beat = BeatBits'(x1_beat_i);
    x1.mask = Lanes'(x1_mask_i);
    x1.last_step = 1'b1;
    x1.last = x1_last_i;
    x1.info = info;
    x1.word.imm = imm_i;
    vwb_valid_o = vwb.valid;
    vwb_warp_o = 8'(vwb.warp);
    vwb_has_reg_o = vwb.has_reg;
    vwb_rd_o = vwb.rd;
    vwb_beat_o = 8'(vwb.beat);
    vwb_mask_o = 32'(vwb.mask);
    vwb_last_beat_o = vwb.last_beat;
    vwb_last_o = vwb.last;
    finish_o = fin.valid;
    trap_valid_o = trap.valid;
    trap_cause_o = 8'(trap.cause);
    trap_warp_o = 8'(trap.warp);
    trap_lane_o = 8'(trap.lane);
    trap_pc_o = 32'(trap.pc);
    trap_addr_o = trap.addr;
    req_op_o = 8'(req.op);
    req_sector_o = 64'(req.sector);
    req_mask_o = req.mask;
    req_unit_o = 8'(req.unit);
    req_tag_o = req.tag;
    rsp = '0;
    rsp.unit = rsp_unit_i[2:0];
    rsp.tag = rsp_tag_i;
    for (int i = 0; i < 8; i++) rsp.data[32*i +: 32] = rsp_data_i[i];
  end

  logic unused_rest;
  ccache u_ccache (
    .rest_o(unused_rest), .clk_i, .rst_ni, .clear_i(1'b0), .invalidate_i, .lb_i,
    .issue_i(issue), .sub_i('0), .x1_i(x1), .x1_a_i, .ldc_ready_o(ready_o),
    .vwb_o(vwb), .sub_o(sub), .vwb_data_o, .vwb_grant_i, .finish_o(fin), .trap_o(trap),
    .miss_o(miss),
    .req_valid_o, .req_o(req), .req_grant_i, .rsp_valid_i, .rsp_i(rsp)
  );

  logic unused;
  assign unused = ^{vwb, sub, fin, miss, req, issue_warp_i, issue_pc_i, x1_beat_i, x1_mask_i, rsp_unit_i};
endmodule
