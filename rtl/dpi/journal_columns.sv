// Record COLUMNS: what the allocator of tensor memory did in T; units of a CTA that ends.
`ifdef WL_JOURNAL
bind columns journal_columns u_journal_done (
  .clk_i, .valid_i(rst_ni && record_done), .op_i(32'(record_op)), .number_i(32'(command.warp)),
  .units_i(32'(record_units))
);
bind columns journal_columns u_journal_left (
  .clk_i, .valid_i(rst_ni && record_left), .op_i(32'd3), .number_i(32'(freed_i.cta)),
  .units_i(32'(left))
);
`endif
