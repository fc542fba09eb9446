// Record MMA: an instruction of the tensor unit whose first slice enters the pipe.
`ifdef WL_JOURNAL
bind tensor journal_mma u_journal (
  .clk_i, .valid_i(rst_ni && begins), .sub_i(32'(sub_i)),
  .warp_i(32'(sm_pkg::slot_of(info.warp, sub_i))), .pc_i(32'(info.pc))
);
`endif
