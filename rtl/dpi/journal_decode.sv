// Record FETCH: an instruction that enters an instruction buffer.
`ifdef WL_JOURNAL
bind decode journal_fetch u_journal (
  .clk_i, .valid_i(rst_ni && (put_o & ~kill_i) != '0), .warp_i(32'(sm_pkg::slot_of(push_warp_o, sub_i))),
  .pc_i(32'(insn_o.pc)), .word_i(insn_o.word), .trap_i(32'(insn_o.cause))
);
`endif
