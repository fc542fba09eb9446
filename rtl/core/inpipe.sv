// What the instructions in the stages from the read slots to W + 1 still have to write, for
// hazards_scan (docs/microarchitecture.md 5), which compares the stages in place of busy bits.
module inpipe
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  issue_t     issue_i,
  input  slot_t      slot_i,
  input  issue_t     slot_issue_i,
  input  fixp_t      fix_pred_i,
  // verilator lint_on UNUSEDSIGNAL
  // The stage after the slot: an instruction of the fixed pipe with the register of its step.
  input  logic       s1_valid_i,
  input  logic       s1_reg_i,
  input  warp_t      s1_warp_i,
  input  logic [7:0] s1_rd_i,
  output inpipe_t    inpipe_o [PipeStages]
);
  logic s0_fixed_q, s0_reg_q;
  logic [7:0] s0_hi_q;
  logic [6:0] s0_preds_q, s1_preds_q;
  inpipe_t s1;
  inpipe_t pipe_q [LatFixed + 1];  // X1, side band
  always_ff @(posedge clk_i) begin
    if (issue_i.valid && !issue_i.empty) begin
      s0_fixed_q <= form_fixed(issue_i.insn.info, issue_i.released);
      s0_reg_q <= form_fixed(issue_i.insn.info, issue_i.released) &&
                  issue_i.insn.info.d_words != 3'd0 && issue_i.insn.word.rd != 8'd255;
      s0_hi_q <= issue_i.insn.word.rd + 8'(issue_i.insn.info.d_words) - 8'd1;
      s0_preds_q <= pred_bit(issue_i.insn.word.pd, issue_i.insn.info.preds[PredD]) |
                    pred_bit(issue_i.insn.word.pq, issue_i.insn.info.preds[PredQ]);
    end
    if (slot_i.valid) s1_preds_q <= s0_preds_q;
    pipe_q[0] <= s1;
    for (int unsigned i = 1; i <= LatFixed; i++) pipe_q[i] <= pipe_q[i-1];
    if (!rst_ni) begin
      for (int unsigned i = 0; i <= LatFixed; i++) begin
        pipe_q[i].has_reg <= 1'b0;
        pipe_q[i].preds <= '0;
      end
    end
  end
  always_comb begin
    s1.has_reg = s1_valid_i && s1_reg_i;
    s1.preds = s1_valid_i ? s1_preds_q : '0;
    s1.warp = s1_warp_i;
    s1.lo = s1_rd_i;
    s1.hi = s1_rd_i;
    inpipe_o[0].has_reg = slot_i.valid && s0_reg_q;
    inpipe_o[0].preds = (slot_i.valid && s0_fixed_q) ? s0_preds_q : '0;
    inpipe_o[0].warp = slot_issue_i.warp;
    inpipe_o[0].lo = slot_issue_i.insn.word.rd;
    inpipe_o[0].hi = s0_hi_q;
    inpipe_o[1] = s1;
    for (int unsigned i = 0; i <= LatFixed; i++) inpipe_o[i+2] = pipe_q[i];
    inpipe_o[PipeStages-1] = '0;
    inpipe_o[PipeStages-1].preds = pred_bit(fix_pred_i.pd, fix_pred_i.valid && fix_pred_i.late);
    inpipe_o[PipeStages-1].warp = fix_pred_i.warp;
  end
endmodule
