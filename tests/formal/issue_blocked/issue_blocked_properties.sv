// A case in which the obligation of docs/microarchitecture.md 7 on turn ends does not hold with
// SchedGreedy: warp 0 is issuable and not served, and the LSU stays taken, so that section 5 never
// clears wserved; warps 1 to 3 have been served, their units are free, each takes branches that end
// its turn. Warps 2 and 3, of the younger CTA, then issue in turn, and warp 1 never does. The
// assertion is the obligation: it has a counterexample. Inputs are constants: this is one run.
module issue_blocked_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input logic clk_i
);
  logic [CtaBits-1:0] warp_cta [SubWarps];
  logic [31:0]        cta_seq [Ctas];
  need_t              need [SubWarps];
  insn_t              branch;
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
  end
  issue_properties u_issue (
    .clk_i, .clear_i(1'b0), .stall_i(1'b0), .reg_pages_i(6'd32), .warp_valid_i('1),
    .warp_cta_i(warp_cta), .cta_seq_i(cta_seq), .head_valid_i('1), .head_changed_i('0),
    .flush_i('0), .warp_start_i('0), .need_i(need), .head_i(branch), .run_i('1),
    .cur_mask_i(32'd1), .live_i(32'd1), .released_i('0), .tbuf_free_i(1'b1), .lsu_ready_i(1'b0),
    .ldc_ready_i(1'b1), .xch_ready_i(1'b1), .vwb_stall_i(1'b0), .slots_i(3'd4), .ends_i(1'b1),
    .watched_i(warp_t'(1))
  );
  always @(posedge clk_i) begin
    if (u_issue.rst_n) a_turns: assert (u_issue.ends_q <= 4'(2 * SubWarps + 3));
  end
endmodule
