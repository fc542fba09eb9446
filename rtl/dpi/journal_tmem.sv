// Record TMEM: a write of tensor memory.
`ifdef WL_JOURNAL
bind tmem journal_tmem u_journal (
  .clk_i, .valid_i(rst_ni && write.valid), .quarter_i(32'(record_quarter)), .row_i(32'(write.row)),
  .mask_i(32'(write.mask)), .data_i(journal_pkg::lane_vector(write_data))
);
`endif
