// Record XBUF: a write of the exchange buffer.
`ifdef WL_JOURNAL
bind warp journal_xbuf u_journal (
  .clk_i, .valid_i(rst_ni && write), .warp_i(32'(sm_pkg::slot_of(x1_i.warp, sub_i))),
  .beat_i(32'(x1_i.beat)), .mask_i(32'(x1_i.mask)), .data_i(journal_pkg::lane_vector(xdata))
);
`endif
