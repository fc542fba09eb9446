// Record ROW: a row that is written into the path table.
`ifdef WL_JOURNAL
bind path_table journal_row u_journal (
  .clk_i, .valid_i(we_i), .warp_i(32'(sm_pkg::slot_of(wwarp_i, sub_i))), .leader_i(32'(wrow_i)),
  .mask_i(wmask_i), .pc_i(32'(wpc_i)), .depth_i(32'(wdepth_i)), .state_i(32'(wstate_i)),
  .op_i(32'(wop_i)), .key_i(wkey_i)
);
`endif
