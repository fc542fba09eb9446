// Record ISSUE: the instruction that issues, with or without lanes.
`ifdef WL_JOURNAL
bind issue journal_issue u_journal (
  .clk_i, .valid_i(rst_n && issue_o.valid), .warp_i(32'(sm_pkg::slot_of(warp, sub_i))),
  .pc_i(32'(insn.pc)), .path_i(cur_mask_i), .exec_i(now.exec)
);
`endif
