// Bench top of the exchange unit: makes issue events and X1 tokens from an instruction word, so that
// the bench (warp_test.cpp) needs no knowledge of the structs.
module tb_warp
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [127:0]     word_i,
  // verilator lint_off UNUSEDSIGNAL // wide enough for every configuration
  input  logic [7:0]       warp_i,
  input  logic [31:0]      exec_i,
  input  logic             issue_i,
  input  logic             ctl_i,
  input  logic             released_i,
  input  logic             x1_i,
  input  logic             last_i,
  input  logic [7:0]       beat_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]      live_i [Warps],
  input  logic [31:0]      xmask_i [Warps],
  input  logic [31:0]      a_i [Lanes],
  input  logic [31:0]      b_i [Lanes],
  input  logic [Lanes-1:0] ps_i,
  input  logic             grant_i,
  output logic             ready_o,
  output logic             valid_o,
  output logic             has_reg_o,
  output logic [7:0]       rd_o,
  output logic [7:0]       beat_o,
  output logic [Lanes-1:0] mask_o,
  output logic             last_o,
  output logic             last_beat_o,
  output logic             has_pred_o,
  output logic [2:0]       pd_o,
  output logic [Lanes-1:0] pval_o,
  output logic [7:0]       warp_o,
  output logic [31:0]      data_o [Lanes],
  output logic             finish_o
);
  issue_t issue;
  x1_t x1;
  vwb_t vwb;
  // verilator lint_off UNUSEDSIGNAL // its warp is vwb's
  finish_t finish;
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin
    issue = '0;
    issue.valid = issue_i;
    issue.ctl = ctl_i;
    issue.released = released_i;
    issue.warp = warp_t'(warp_i);
    issue.path = exec_i;
    issue.exec = exec_i;
    issue.insn.word = word_i;
    issue.insn.info = form_info(word_i[12:0]);
    x1 = '0;
    x1.valid = x1_i;
    x1.arrival = ctl_i;
    x1.released = released_i;
    x1.last_step = 1'b1;
    x1.last = last_i;
    x1.beat = BeatBits'(beat_i);
    x1.mask = exec_i[32'(x1.beat)*Lanes+:Lanes];
    x1.warp = warp_t'(warp_i);
    x1.info = issue.insn.info;
    x1.word = word_i;
    valid_o = vwb.valid;
    has_reg_o = vwb.has_reg;
    rd_o = vwb.rd;
    beat_o = 8'(vwb.beat);
    mask_o = vwb.mask;
    last_o = vwb.last;
    last_beat_o = vwb.last_beat;
    has_pred_o = vwb.has_pred;
    pd_o = vwb.pd;
    pval_o = vwb.pval;
    warp_o = 8'(vwb.warp);
    finish_o = finish.valid;
  end
  logic unused_rest;
  logic [31:0] unused_peek;
  warp dut (
    .poke_i('0), .peek_i('0), .peek_data_o(unused_peek), .rest_o(unused_rest),
    .clk_i, .rst_ni, .sub_i('0), .clear_i(1'b0), .issue_i(issue),
    .live_i(live_i[issue.warp]), .xmask_i(xmask_i[issue.warp]), .x1_i(x1),
    .x1_a_i(a_i), .x1_b_i(b_i), .x1_ps_i(ps_i), .xch_ready_o(ready_o), .vwb_o(vwb),
    .vwb_data_o(data_o), .vwb_grant_i(grant_i), .finish_o(finish)
  );
endmodule
