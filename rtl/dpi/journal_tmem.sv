// Record TMEM: a write of tensor memory, by a store or of a product.
`ifdef WL_JOURNAL
bind tmem journal_tmem u_journal (
  .clk_i, .valid_i(rst_ni && write.valid), .quarter_i(32'(record_quarter)), .row_i(32'(write.row)),
  .mask_i(32'(write.mask)), .data_i(journal_pkg::lane_vector(write_data))
);
bind tmem journal_tmem u_journal_umma (
  .clk_i, .valid_i(rst_ni && umma_write_i.valid), .quarter_i(32'(umma_quarter)),
  .row_i(32'(umma_write_i.row)), .mask_i(32'(umma_write_i.mask)),
  .data_i(journal_pkg::lane_vector(umma_write_data_i))
);
`endif
