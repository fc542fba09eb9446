// Records PAGE and CTA: page map writes, CTAs placed and freed.
`ifdef WL_JOURNAL
bind dispatcher journal_page u_journal_page (
  .clk_i, .valid_i(rst_ni && alloc_q), .warp_i(32'(page_warp_o)), .entry_i(32'(page_entry_o)),
  .page_i(32'(page_value_o))
);
bind dispatcher journal_cta u_journal_place (
  .clk_i, .valid_i(rst_ni && alloc_last), .event_i(32'd0), .slot_i(32'(slot_q)),
  .x_i(cta_x_q[slot_q]), .y_i(32'(cta_y_q[slot_q])), .z_i(32'(cta_z_q[slot_q])),
  .warps_lo_i(32'(taken_q)), .warps_hi_i(32'(64'(taken_q) >> 32))
);
bind dispatcher journal_cta u_journal_free (
  .clk_i, .valid_i(rst_ni && free), .event_i(32'd1), .slot_i(32'(free_slot)),
  .x_i('0), .y_i('0), .z_i('0), .warps_lo_i(32'(free_warps)), .warps_hi_i(32'(64'(free_warps) >> 32))
);
`endif
