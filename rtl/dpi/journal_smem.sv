// Record WAKE: a phase of an mbarrier that is complete.
`ifdef WL_JOURNAL
bind smem journal_wake u_journal (
  .clk_i, .valid_i(rst_ni && mbar_complete_o), .address_i(32'({mbar_act.at, 3'b000})),
  .gen_i(32'(mbar_gen_o + smem_pkg::mbar_gen_t'(1)))
);
`endif
