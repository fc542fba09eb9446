// Record SMEM: a write of a bank of shared memory.
`ifdef WL_JOURNAL
bind smem_bank journal_smem u_journal (
  .clk_i, .valid_i(we_i), .bank_i(Bank), .row_i(32'(row_i)), .bytes_i(32'(be_i)), .data_i(wdata_i)
);
`endif
