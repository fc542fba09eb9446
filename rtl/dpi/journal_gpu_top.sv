// Record REST: units at rest at the start of a launch (docs/microarchitecture.md 15).
`ifdef WL_JOURNAL
bind gpu_top journal_rest u_journal_rest (
  .clk_i, .valid_i(rst_ni && invalidate), .cycle_lo_i(cycle_q[31:0]),
  .cycle_hi_i(cycle_q[63:32]), .rest_i(32'(rest)), .places_i(places)
);
`endif
