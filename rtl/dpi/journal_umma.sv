// Record UMMA: first step of a product in tensor memory; end of a product or of a commit.
`ifdef WL_JOURNAL
bind umma journal_umma u_journal_begin (
  .clk_i, .valid_i(rst_ni && begins), .event_i(32'd0), .warp_i(32'(fin.warp)),
  .lane_i(32'(fin.lane)), .pc_i(32'(fin.pc))
);
bind umma journal_umma u_journal_end (
  .clk_i, .valid_i(rst_ni && record_end), .event_i(32'(record_event)), .warp_i(32'(fin.warp)),
  .lane_i(32'(fin.lane)), .pc_i(32'(fin.pc))
);
`endif
