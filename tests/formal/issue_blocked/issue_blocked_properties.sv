// A warp that is not served and whose unit is taken, so that section 5 of docs/microarchitecture.md
// does not clear wserved: warp 0. Warps 1 to 3 take branches that end their turns. The assertion is
// the obligation of section 7 on turn ends for one of them. Inputs are constants: this is one run.
// - The LSU stays taken: warps 1 to 3 are served, then issue in circular order.
// - BETWEEN: the LSU is free once another warp has issued, warp 0 then issues a load at once. A
//   circular order that begins behind the last issue would always begin behind warp 0: warp 1 would
//   issue, warps 2 and 3 would not.
module issue_blocked_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
(
  input logic clk_i
);
  logic [CtaBits-1:0] warp_cta [SubWarps];
  logic [31:0]        cta_seq [Ctas];
  need_t              need [SubWarps];
  insn_t              branch, load;
  logic               lsu_ready;
  always_comb begin
    for (int unsigned w = 0; w < SubWarps; w++) begin
      warp_cta[w] = CtaBits'(w > 1);
      need[w] = '0;
      need[w].guard = 3'd7;
      need[w].lsu = w == 0;
    end
    cta_seq = '{default: '0};
    cta_seq[1] = 32'd1;
    branch = '0;
    branch.info.legal = 1'b1;
    branch.info.unit = UnitCtl;
    branch.info.op = CtlBra;
    branch.word.guard = 3'd7;
    load = branch;
    load.info.unit = UnitLsu;
`ifdef BETWEEN
    lsu_ready = u_issue.last_q != '0;
`else
    lsu_ready = 1'b0;
`endif
  end
  issue_properties u_issue (
    .clk_i, .clear_i(1'b0), .stall_i(1'b0), .reg_pages_i(6'd32), .warp_valid_i('1),
    .warp_cta_i(warp_cta), .cta_seq_i(cta_seq), .head_valid_i('1), .head_changed_i('0),
    .flush_i('0), .warp_start_i('0), .need_i(need), .head_i(u_issue.head_warp == '0 ? load : branch), .run_i('1),
    .cur_mask_i(32'd1), .live_i(32'd1), .released_i('0), .tbuf_free_i(1'b1), .lsu_ready_i(lsu_ready),
    .ldc_ready_i(1'b1), .copy_ready_i(1'b1), .xch_ready_i(1'b1), .tensor_ready_i(1'b1),
    .fp64_ready_i(1'b1), .vwb_stall_i(1'b0),
    .trap_i(1'b0), .slots_i(3'd4), .ends_i(1'b1),
`ifdef BETWEEN
    .watched_i(warp_t'(2))
`else
    .watched_i(warp_t'(1))
`endif
  );
  always @(posedge clk_i) begin
    if (u_issue.rst_n) begin
      a_turns: assert (u_issue.ends_q <= 4'(2 * SubWarps + 3));
`ifdef BETWEEN
      // The load lies between the choice of another served warp and its own.
      c_between: cover (u_issue.served_q[3:1] == '1 && u_issue.passed_q != '0 && u_issue.mine &&
                        u_issue.last_q == '0);
`else
      // The first of the two others issues before the branch of the watched warp has resolved.
      c_circular: cover (u_issue.served_q[3:1] == '1 && u_issue.passed_q == 4'd1 && u_issue.mine);
`endif
    end
  end
endmodule
