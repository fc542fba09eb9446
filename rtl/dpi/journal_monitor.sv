// Record MONITOR: the performance monitors at the end of a launch.
`ifdef WL_JOURNAL
bind monitor journal_monitor u_journal (
  .clk_i, .valid_i(rst_ni && finish_i),
  .pm_i({pm_q[7], pm_q[6], pm_q[5], pm_q[4], pm_q[3], pm_q[2], pm_q[1], pm_q[0]})
);
`endif
