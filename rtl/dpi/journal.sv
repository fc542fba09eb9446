// Journal records of the RTL (docs/microarchitecture.md 15): one module per row of
// isa/def/journal.def, ports in the order of the row's words. A unit instances them under
// WL_JOURNAL; valid_i stands in the cycle in which the event acts. Here, in simulation, a record is
// a call of journal_pkg. Modules and not calls in the units, so that other tools can keep an
// instance that they do not look into: a netlist of the units still makes records
// (tests/mutants), and a board has another body. Lanes come as one vector, lane 0 (word 0) in
// the lowest bits; words of disabled lanes are cleared here. No output: nothing returns to the core.
`ifdef WL_JOURNAL
`ifndef WL_BOARD  // fpga/rtl/journal_digest.sv
// verilator lint_off DECLFILENAME // eighteen of a few lines each

module journal_rf
  import journal_pkg::*;
(
  input logic                    clk_i,
  input logic                    valid_i,
  input logic [31:0]             bank_i,
  input logic [31:0]             row_i,
  input logic [31:0]             mask_i,
  input logic [LaneDataBits-1:0] data_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_rf(bank_i, row_i, mask_i, masked(mask_i, data_i));
  end
endmodule

module journal_pred
  import journal_pkg::*;
(
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pred_i,
  input logic [31:0] mask_i,
  input logic [31:0] value_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_pred(warp_i, pred_i, mask_i, value_i);
  end
endmodule

module journal_smem
  import journal_pkg::*;
(
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] bank_i,
  input logic [31:0] row_i,
  input logic [31:0] bytes_i,
  input logic [31:0] data_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      wl_j_smem(bank_i, row_i, bytes_i, data_i & {{8{bytes_i[3]}}, {8{bytes_i[2]}},
                                                  {8{bytes_i[1]}}, {8{bytes_i[0]}}});
    end
  end
endmodule

module journal_xbuf
  import journal_pkg::*;
(
  input logic                    clk_i,
  input logic                    valid_i,
  input logic [31:0]             warp_i,
  input logic [31:0]             beat_i,
  input logic [31:0]             mask_i,
  input logic [LaneDataBits-1:0] data_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_xbuf(warp_i, beat_i, mask_i, masked(mask_i, data_i));
  end
endmodule

module journal_fetch
  import journal_pkg::*;
(
  input logic         clk_i,
  input logic         valid_i,
  input logic [31:0]  warp_i,
  input logic [31:0]  pc_i,
  input logic [127:0] word_i,
  input logic [31:0]  trap_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_fetch(warp_i, pc_i, word_i, trap_i);
  end
endmodule

module journal_issue
  import journal_pkg::*;
(
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pc_i,
  input logic [31:0] path_i,
  input logic [31:0] exec_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_issue(warp_i, pc_i, path_i, exec_i);
  end
endmodule

module journal_resolve
  import journal_pkg::*;
(
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
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      wl_j_resolve(warp_i, request_i, pc_i, mask_i, depth_i, served_i, turn_i, live_i);
    end
  end
endmodule

module journal_row
  import journal_pkg::*;
(
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
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_row(warp_i, leader_i, mask_i, pc_i, depth_i, state_i, op_i, key_i);
  end
endmodule

module journal_walked
  import journal_pkg::*;
(
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
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      wl_j_walked(warp_i, run_i, mask_i, pc_i, depth_i, leader_i, exist_i, served_i, released_i,
                  stop_i, below_i);
    end
  end
endmodule

module journal_barrier
  import journal_pkg::*;
(
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
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      wl_j_barrier(slot_i, number_i, arrived_lo_i, arrived_hi_i, b_i, kind_i, popc_i);
    end
  end
endmodule

module journal_cta
  import journal_pkg::*;
(
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
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_cta(event_i, slot_i, x_i, y_i, z_i, warps_lo_i, warps_hi_i);
  end
endmodule

module journal_page
  import journal_pkg::*;
(
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] entry_i,
  input logic [31:0] page_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_page(warp_i, entry_i, page_i);
  end
endmodule

module journal_packet
  import journal_pkg::*;
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
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      wl_j_packet(op_i, atom_i, atype_i, unit_i, tag_i, sector_lo_i, sector_hi_i, mask_i, data_i);
    end
  end
endmodule

module journal_response
  import journal_pkg::*;
(
  input logic         clk_i,
  input logic         valid_i,
  input logic [31:0]  op_i,
  input logic [31:0]  unit_i,
  input logic [31:0]  tag_i,
  input logic [255:0] data_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_response(op_i, unit_i, tag_i, data_i);
  end
endmodule

module journal_trap
  import journal_pkg::*;
(
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] cause_i,
  input logic [31:0] warp_i,
  input logic [31:0] lane_i,
  input logic [31:0] pc_i,
  input logic [31:0] addr_lo_i,
  input logic [31:0] addr_hi_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_trap(cause_i, warp_i, lane_i, pc_i, addr_lo_i, addr_hi_i);
  end
endmodule

module journal_state
  import journal_pkg::*;
(
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] state_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_state(state_i);
  end
endmodule

module journal_monitor
  import journal_pkg::*;
(
  input logic         clk_i,
  input logic         valid_i,
  input logic [511:0] pm_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_monitor(pm_i);
  end
endmodule

module journal_rest
  import journal_pkg::*;
(
  input logic        clk_i,
  input logic        valid_i,
  input logic [31:0] cycle_lo_i,
  input logic [31:0] cycle_hi_i,
  input logic [31:0] rest_i
);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_rest(cycle_lo_i, cycle_hi_i, rest_i);
  end
endmodule
// verilator lint_on DECLFILENAME
`endif
`endif
