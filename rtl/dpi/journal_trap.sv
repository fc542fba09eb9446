// Record TRAP: the trap that becomes pending, in its first cycle.
`ifdef WL_JOURNAL
bind trap journal_trap u_journal (
  .clk_i, .valid_i(rst_ni && fresh), .cause_i(32'(first.cause)), .warp_i(32'(first.warp)),
  .lane_i(32'(first.lane)), .pc_i(32'(first.pc)), .addr_lo_i(first.addr[31:0]),
  .addr_hi_i(first.addr[63:32])
);
`endif
