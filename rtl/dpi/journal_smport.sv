// Records PACKET and RESPONSE: what is granted at the SM port, and what it delivers.
`ifdef WL_JOURNAL
bind smport journal_packet u_journal_packet (
  .clk_i, .valid_i(rst_ni && grant), .op_i(32'(op_packet_o.op)), .atom_i(32'(op_packet_o.atom)),
  .atype_i(32'(op_packet_o.atype)), .unit_i(32'(op_packet_o.unit)), .tag_i(32'(op_packet_o.tag)),
  .sector_lo_i(op_packet_o.sector[31:0]), .sector_hi_i(32'(op_packet_o.sector[58:32])),
  .mask_i(op_packet_o.mask), .data_i(op_packet_o.data), .sm_i(32'(op_packet_o.sm))
);
bind smport journal_response u_journal_response (
  .clk_i, .valid_i(rst_ni && rsp_valid_i), .op_i(32'(rsp_i.op)), .unit_i(32'(rsp_i.unit)),
  .tag_i(32'(rsp_i.tag)), .data_i(rsp_i.data), .sm_i(32'(rsp_i.sm))
);
`endif
