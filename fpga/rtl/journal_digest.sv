// Journal records on the board: the modules of rtl/dpi/journal.sv, with a fold as body
// (docs/fpga.md 5) in place of a call. Words in the order of isa/def/journal.def; those of disabled
// lanes and bytes are cleared here. fold is read from above by name (rtl/gpu/sm_top.sv).
`ifdef WL_JOURNAL
`ifdef WL_BOARD
// verilator lint_off DECLFILENAME // eighteen of a few lines each

module journal_rf
  import config_pkg::Lanes;
(
  input logic                    clk_i,
  input logic                    valid_i,
  input logic [31:0]             bank_i,
  input logic [31:0]             row_i,
  input logic [31:0]             mask_i,
  input logic [32*Lanes-1:0]     data_i
);
  logic [32*Lanes-1:0] data;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign data[32*l+:32] = mask_i[l] ? data_i[32*l+:32] : '0;
  end
  logic [31:0] fold;
  digest #(.Words(3 + Lanes), .Free(1)) u_digest (
    .clk_i, .valid_i, .words_i({data, mask_i, row_i, bank_i}), .fold_o(fold)
  );
endmodule

module journal_pred (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pred_i,
  input logic [31:0] mask_i,
  input logic [31:0] value_i
);
  logic [31:0] fold;
  digest #(.Words(4), .Free(2)) u_digest (
    .clk_i, .valid_i, .words_i({value_i, mask_i, pred_i, warp_i}), .fold_o(fold)
  );
endmodule

module journal_smem (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] bank_i,
  input logic [31:0] row_i,
  input logic [31:0] bytes_i,
  input logic [31:0] data_i
);
  logic [31:0] data;
  for (genvar b = 0; b < 4; b++) begin : gen_byte
    assign data[8*b+:8] = bytes_i[b] ? data_i[8*b+:8] : '0;
  end
  logic [31:0] fold;
  digest #(.Words(4), .Free(1)) u_digest (
    .clk_i, .valid_i, .words_i({data, bytes_i, row_i, bank_i}), .fold_o(fold)
  );
endmodule

module journal_xbuf
  import config_pkg::Lanes;
(
  input logic                    clk_i,
  input logic                    valid_i,
  input logic [31:0]             warp_i,
  input logic [31:0]             beat_i,
  input logic [31:0]             mask_i,
  input logic [32*Lanes-1:0]     data_i
);
  logic [32*Lanes-1:0] data;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign data[32*l+:32] = mask_i[l] ? data_i[32*l+:32] : '0;
  end
  logic [31:0] fold;
  digest #(.Words(3 + Lanes), .Free(2)) u_digest (
    .clk_i, .valid_i, .words_i({data, mask_i, beat_i, warp_i}), .fold_o(fold)
  );
endmodule

module journal_fetch (
  input logic         clk_i,
  input logic         valid_i,
  input logic [31:0]  warp_i,
  input logic [31:0]  pc_i,
  input logic [127:0] word_i,
  input logic [31:0]  trap_i
);
  logic [31:0] fold;
  digest #(.Words(7), .Free(2)) u_digest (
    .clk_i, .valid_i, .words_i({trap_i, word_i, pc_i, warp_i}), .fold_o(fold)
  );
endmodule

module journal_issue (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pc_i,
  input logic [31:0] path_i,
  input logic [31:0] exec_i
);
  logic [31:0] fold;
  digest #(.Words(4), .Free(3)) u_digest (
    .clk_i, .valid_i, .words_i({exec_i, path_i, pc_i, warp_i}), .fold_o(fold)
  );
endmodule

module journal_resolve (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] request_i,
  input logic [31:0] pc_i,
  input logic [31:0] mask_i,
  input logic [31:0] depth_i,
  input logic [31:0] served_i,
  input logic [31:0] turn_i,
  input logic [31:0] live_i
);
  logic [31:0] fold;
  digest #(.Words(8), .Free(3)) u_digest (
    .clk_i, .valid_i, .words_i({live_i, turn_i, served_i, depth_i, mask_i, pc_i, request_i,
                               warp_i}), .fold_o(fold)
  );
endmodule

module journal_row (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] leader_i,
  input logic [31:0] mask_i,
  input logic [31:0] pc_i,
  input logic [31:0] depth_i,
  input logic [31:0] state_i,
  input logic [31:0] op_i,
  input logic [31:0] key_i
);
  logic [31:0] fold;
  digest #(.Words(8), .Free(2)) u_digest (
    .clk_i, .valid_i, .words_i({key_i, op_i, state_i, depth_i, pc_i, mask_i, leader_i, warp_i}),
    .fold_o(fold)
  );
endmodule

module journal_walked (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] run_i,
  input logic [31:0] mask_i,
  input logic [31:0] pc_i,
  input logic [31:0] depth_i,
  input logic [31:0] leader_i,
  input logic [31:0] exist_i,
  input logic [31:0] served_i,
  input logic [31:0] released_i,
  input logic [31:0] stop_i,
  input logic [31:0] below_i
);
  logic [31:0] fold;
  digest #(.Words(11), .Free(2)) u_digest (
    .clk_i, .valid_i, .words_i({below_i, stop_i, released_i, served_i, exist_i, leader_i,
                               depth_i, pc_i, mask_i, run_i, warp_i}), .fold_o(fold)
  );
endmodule

module journal_barrier (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] slot_i,
  input logic [31:0] number_i,
  input logic [31:0] arrived_lo_i,
  input logic [31:0] arrived_hi_i,
  input logic [31:0] b_i,
  input logic [31:0] kind_i,
  input logic [31:0] popc_i
);
  logic [31:0] fold;
  digest #(.Words(7), .Free(4)) u_digest (
    .clk_i, .valid_i, .words_i({popc_i, kind_i, b_i, arrived_hi_i, arrived_lo_i, number_i,
                               slot_i}), .fold_o(fold)
  );
endmodule

module journal_cta (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] event_i,
  input logic [31:0] slot_i,
  input logic [31:0] x_i,
  input logic [31:0] y_i,
  input logic [31:0] z_i,
  input logic [31:0] warps_lo_i,
  input logic [31:0] warps_hi_i
);
  logic [31:0] fold;
  digest #(.Words(7), .Free(2)) u_digest (
    .clk_i, .valid_i, .words_i({warps_hi_i, warps_lo_i, z_i, y_i, x_i, slot_i, event_i}),
    .fold_o(fold)
  );
endmodule

module journal_page (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] entry_i,
  input logic [31:0] page_i
);
  logic [31:0] fold;
  digest #(.Words(3), .Free(2)) u_digest (
    .clk_i, .valid_i, .words_i({page_i, entry_i, warp_i}), .fold_o(fold)
  );
endmodule

// In gates a unit may put anything where nobody looks: data of a load, bytes outside the mask (cas:
// outside the element in both halves, rtl/mem/coalescer.sv), data of an answer without data
// (rtl/gpu/orderpoint.sv). In a record they are 0.
module journal_packet
  import wl_pkg::AtomCas;
  import port_pkg::OpLd;
(
  input logic         clk_i,
  input logic         valid_i,
  input logic [31:0]  op_i,
  input logic [31:0]  atom_i,
  input logic [31:0]  atype_i,
  input logic [31:0]  unit_i,
  input logic [31:0]  tag_i,
  input logic [31:0]  sector_lo_i,
  input logic [31:0]  sector_hi_i,
  input logic [31:0]  mask_i,
  input logic [255:0] data_i
);
  logic [31:0] bytes;
  logic [255:0] data;
  always_comb begin
    bytes = mask_i;
    if (atom_i[3:0] == 4'(AtomCas)) bytes |= {mask_i[15:0], mask_i[31:16]};
    if (op_i[2:0] == 3'(OpLd)) bytes = '0;
    for (int unsigned i = 0; i < 32; i++) data[8*i+:8] = bytes[i] ? data_i[8*i+:8] : '0;
  end
  logic [31:0] fold;
  digest #(.Words(16), .Free(7)) u_digest (
    .clk_i, .valid_i, .words_i({data, mask_i, sector_hi_i, sector_lo_i, tag_i, unit_i, atype_i,
                               atom_i, op_i}), .fold_o(fold)
  );
endmodule

module journal_response
  import port_pkg::OpLd, port_pkg::OpAtom;
(
  input logic         clk_i,
  input logic         valid_i,
  input logic [31:0]  op_i,
  input logic [31:0]  unit_i,
  input logic [31:0]  tag_i,
  input logic [255:0] data_i
);
  logic has_data;
  assign has_data = op_i[2:0] == 3'(OpLd) || op_i[2:0] == 3'(OpAtom);
  logic [31:0] fold;
  digest #(.Words(11), .Free(2)) u_digest (
    .clk_i, .valid_i, .words_i({has_data ? data_i : 256'd0, tag_i, unit_i, op_i}), .fold_o(fold)
  );
endmodule

module journal_trap (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] cause_i,
  input logic [31:0] warp_i,
  input logic [31:0] lane_i,
  input logic [31:0] pc_i,
  input logic [31:0] addr_lo_i,
  input logic [31:0] addr_hi_i
);
  logic [31:0] fold;
  digest #(.Words(6), .Free(4)) u_digest (
    .clk_i, .valid_i, .words_i({addr_hi_i, addr_lo_i, pc_i, lane_i, warp_i, cause_i}), .fold_o(fold)
  );
endmodule

module journal_state (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] state_i
);
  logic [31:0] fold;
  digest #(.Words(1)) u_digest (
    .clk_i, .valid_i, .words_i({state_i}), .fold_o(fold)
  );
endmodule

module journal_monitor (
  input logic         clk_i,
  input logic         valid_i,
  input logic [511:0] pm_i
);
  logic [31:0] fold;
  digest #(.Words(16)) u_digest (
    .clk_i, .valid_i, .words_i({pm_i}), .fold_o(fold)
  );
endmodule

module journal_rest (
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] cycle_lo_i,
  input logic [31:0] cycle_hi_i,
  input logic [31:0] rest_i
);
  logic [31:0] fold;
  digest #(.Words(3)) u_digest (
    .clk_i, .valid_i, .words_i({rest_i, cycle_hi_i, cycle_lo_i}), .fold_o(fold)
  );
endmodule
// verilator lint_on DECLFILENAME
`endif
`endif
