// Record STATE: the states of a launch.
`ifdef WL_JOURNAL
// Each of the three changes is of another state.
bind grid journal_state u_journal_state (
  .clk_i, .valid_i(rst_ni && (start || load_done || finish)),
  .state_i(start ? 32'(Load) : load_done ? 32'(Run) : 32'(Done))
);
`endif
