// Record BARRIER: state of a barrier after a contribution or its completion.
`ifdef WL_JOURNAL
bind barrier journal_barrier u_journal (
  .clk_i, .valid_i(rst_n && (accept || complete)), .slot_i(32'(now.cta)), .number_i(32'(now.a)),
  .arrived_lo_i(complete ? 32'd0 : 32'(arrived)),
  .arrived_hi_i(complete ? 32'd0 : 32'(64'(arrived) >> 32)), .b_i(32'(b)),
  .kind_i(32'(now.is_req ? kind : old.kind)), .popc_i(32'(now.is_req ? row.popc : old.popc))
);
`endif
