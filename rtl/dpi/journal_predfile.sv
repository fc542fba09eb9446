// Record PRED: a predicate write. It has the lanes of one beat, in their place among 32.
`ifdef WL_JOURNAL
bind predfile journal_pred u_journal (
  .clk_i, .valid_i(write), .warp_i(32'(sm_pkg::slot_of(warp, sub_i))), .pred_i(32'(pd)),
  .mask_i(32'(mask) << (5'(beat) * 5'(Lanes))),
  .value_i(32'(value & mask) << (5'(beat) * 5'(Lanes)))
);
`endif
