// Records RF: register writes of the fixed pipe and of the variable write-back.
`ifdef WL_JOURNAL
bind regfile journal_rf u_journal_fix (
  .clk_i, .valid_i(fix_we), .bank_i(32'({sub_i, fix_bank})), .row_i(32'(fix_row)),
  .mask_i(32'(fix_i.mask)), .data_i(journal_pkg::lane_vector(fix_data_i))
);
bind regfile journal_rf u_journal_var (
  .clk_i, .valid_i(var_we), .bank_i(32'({sub_i, var_bank})), .row_i(32'(var_row)),
  .mask_i(32'(var_wr_i.mask)), .data_i(journal_pkg::lane_vector(var_data_i))
);
`endif
