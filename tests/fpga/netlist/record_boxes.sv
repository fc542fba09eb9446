// The modules of rtl/dpi/journal.sv for the netlist of tests/fpga/netlist: each hands its ports
// on to a black box, record_KIND, which synthesis keeps; tools/fpga/gates.py gives the boxes
// bodies again. No logic is added, so that the records are what the gates of the units make. fold:
// docs/fpga.md 5; signatures are not compared here, the records themselves are.
// verilator lint_off DECLFILENAME // two of a few lines for each record

(* blackbox *)
module record_rf (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] bank_i,
  input logic [31:0] row_i,
  input logic [31:0] mask_i,
  input logic [32*config_pkg::Lanes-1:0] data_i
);
endmodule

module journal_rf (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] bank_i,
  input logic [31:0] row_i,
  input logic [31:0] mask_i,
  input logic [32*config_pkg::Lanes-1:0] data_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_rf u_record (.clk_i, .valid_i, .bank_i, .row_i, .mask_i, .data_i);
endmodule

(* blackbox *)
module record_pred (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pred_i,
  input logic [31:0] mask_i,
  input logic [31:0] value_i
);
endmodule

module journal_pred (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pred_i,
  input logic [31:0] mask_i,
  input logic [31:0] value_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_pred u_record (.clk_i, .valid_i, .warp_i, .pred_i, .mask_i, .value_i);
endmodule

(* blackbox *)
module record_smem (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] bank_i,
  input logic [31:0] row_i,
  input logic [31:0] bytes_i,
  input logic [31:0] data_i
);
endmodule

module journal_smem (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] bank_i,
  input logic [31:0] row_i,
  input logic [31:0] bytes_i,
  input logic [31:0] data_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_smem u_record (.clk_i, .valid_i, .bank_i, .row_i, .bytes_i, .data_i);
endmodule

(* blackbox *)
module record_xbuf (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] beat_i,
  input logic [31:0] mask_i,
  input logic [32*config_pkg::Lanes-1:0] data_i
);
endmodule

module journal_xbuf (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] beat_i,
  input logic [31:0] mask_i,
  input logic [32*config_pkg::Lanes-1:0] data_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_xbuf u_record (.clk_i, .valid_i, .warp_i, .beat_i, .mask_i, .data_i);
endmodule

(* blackbox *)
module record_fetch (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pc_i,
  input logic [127:0] word_i,
  input logic [31:0] trap_i
);
endmodule

module journal_fetch (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pc_i,
  input logic [127:0] word_i,
  input logic [31:0] trap_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_fetch u_record (.clk_i, .valid_i, .warp_i, .pc_i, .word_i, .trap_i);
endmodule

(* blackbox *)
module record_issue (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pc_i,
  input logic [31:0] path_i,
  input logic [31:0] exec_i
);
endmodule

module journal_issue (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] pc_i,
  input logic [31:0] path_i,
  input logic [31:0] exec_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_issue u_record (.clk_i, .valid_i, .warp_i, .pc_i, .path_i, .exec_i);
endmodule

(* blackbox *)
module record_resolve (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] request_i,
  input logic [31:0] pc_i,
  input logic [31:0] mask_i,
  input logic [31:0] depth_i,
  input logic [31:0] served_i,
  input logic [31:0] turn_i,
  input logic [31:0] live_i
);
endmodule

module journal_resolve (
  input logic clk_i,
  input logic valid_i,
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
  assign fold = '0;
  (* keep *) record_resolve u_record (
    .clk_i, .valid_i, .warp_i, .request_i, .pc_i, .mask_i, .depth_i, .served_i, .turn_i, .live_i
  );
endmodule

(* blackbox *)
module record_row (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] leader_i,
  input logic [31:0] mask_i,
  input logic [31:0] pc_i,
  input logic [31:0] depth_i,
  input logic [31:0] state_i,
  input logic [31:0] op_i,
  input logic [31:0] key_i
);
endmodule

module journal_row (
  input logic clk_i,
  input logic valid_i,
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
  assign fold = '0;
  (* keep *) record_row u_record (
    .clk_i, .valid_i, .warp_i, .leader_i, .mask_i, .pc_i, .depth_i, .state_i, .op_i, .key_i
  );
endmodule

(* blackbox *)
module record_walked (
  input logic clk_i,
  input logic valid_i,
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
endmodule

module journal_walked (
  input logic clk_i,
  input logic valid_i,
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
  assign fold = '0;
  (* keep *) record_walked u_record (
    .clk_i, .valid_i, .warp_i, .run_i, .mask_i, .pc_i, .depth_i, .leader_i, .exist_i, .served_i,
    .released_i, .stop_i, .below_i
  );
endmodule

(* blackbox *)
module record_barrier (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] slot_i,
  input logic [31:0] number_i,
  input logic [31:0] arrived_lo_i,
  input logic [31:0] arrived_hi_i,
  input logic [31:0] b_i,
  input logic [31:0] kind_i,
  input logic [31:0] popc_i
);
endmodule

module journal_barrier (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] slot_i,
  input logic [31:0] number_i,
  input logic [31:0] arrived_lo_i,
  input logic [31:0] arrived_hi_i,
  input logic [31:0] b_i,
  input logic [31:0] kind_i,
  input logic [31:0] popc_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_barrier u_record (
    .clk_i, .valid_i, .slot_i, .number_i, .arrived_lo_i, .arrived_hi_i, .b_i, .kind_i, .popc_i
  );
endmodule

(* blackbox *)
module record_cta (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] event_i,
  input logic [31:0] slot_i,
  input logic [31:0] x_i,
  input logic [31:0] y_i,
  input logic [31:0] z_i,
  input logic [31:0] warps_lo_i,
  input logic [31:0] warps_hi_i
);
endmodule

module journal_cta (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] event_i,
  input logic [31:0] slot_i,
  input logic [31:0] x_i,
  input logic [31:0] y_i,
  input logic [31:0] z_i,
  input logic [31:0] warps_lo_i,
  input logic [31:0] warps_hi_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_cta u_record (
    .clk_i, .valid_i, .event_i, .slot_i, .x_i, .y_i, .z_i, .warps_lo_i, .warps_hi_i
  );
endmodule

(* blackbox *)
module record_page (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] entry_i,
  input logic [31:0] page_i
);
endmodule

module journal_page (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] warp_i,
  input logic [31:0] entry_i,
  input logic [31:0] page_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_page u_record (.clk_i, .valid_i, .warp_i, .entry_i, .page_i);
endmodule

(* blackbox *)
module record_packet (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] op_i,
  input logic [31:0] atom_i,
  input logic [31:0] atype_i,
  input logic [31:0] unit_i,
  input logic [31:0] tag_i,
  input logic [31:0] sector_lo_i,
  input logic [31:0] sector_hi_i,
  input logic [31:0] mask_i,
  input logic [255:0] data_i
);
endmodule

module journal_packet (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] op_i,
  input logic [31:0] atom_i,
  input logic [31:0] atype_i,
  input logic [31:0] unit_i,
  input logic [31:0] tag_i,
  input logic [31:0] sector_lo_i,
  input logic [31:0] sector_hi_i,
  input logic [31:0] mask_i,
  input logic [255:0] data_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_packet u_record (
    .clk_i, .valid_i, .op_i, .atom_i, .atype_i, .unit_i, .tag_i, .sector_lo_i, .sector_hi_i,
    .mask_i, .data_i
  );
endmodule

(* blackbox *)
module record_response (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] op_i,
  input logic [31:0] unit_i,
  input logic [31:0] tag_i,
  input logic [255:0] data_i
);
endmodule

module journal_response (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] op_i,
  input logic [31:0] unit_i,
  input logic [31:0] tag_i,
  input logic [255:0] data_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_response u_record (.clk_i, .valid_i, .op_i, .unit_i, .tag_i, .data_i);
endmodule

(* blackbox *)
module record_trap (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] cause_i,
  input logic [31:0] warp_i,
  input logic [31:0] lane_i,
  input logic [31:0] pc_i,
  input logic [31:0] addr_lo_i,
  input logic [31:0] addr_hi_i
);
endmodule

module journal_trap (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] cause_i,
  input logic [31:0] warp_i,
  input logic [31:0] lane_i,
  input logic [31:0] pc_i,
  input logic [31:0] addr_lo_i,
  input logic [31:0] addr_hi_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_trap u_record (
    .clk_i, .valid_i, .cause_i, .warp_i, .lane_i, .pc_i, .addr_lo_i, .addr_hi_i
  );
endmodule

(* blackbox *)
module record_state (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] state_i
);
endmodule

module journal_state (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] state_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_state u_record (.clk_i, .valid_i, .state_i);
endmodule

(* blackbox *)
module record_monitor (
  input logic clk_i,
  input logic valid_i,
  input logic [511:0] pm_i
);
endmodule

module journal_monitor (
  input logic clk_i,
  input logic valid_i,
  input logic [511:0] pm_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_monitor u_record (.clk_i, .valid_i, .pm_i);
endmodule

(* blackbox *)
module record_rest (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] cycle_lo_i,
  input logic [31:0] cycle_hi_i,
  input logic [31:0] rest_i
);
endmodule

module journal_rest (
  input logic clk_i,
  input logic valid_i,
  input logic [31:0] cycle_lo_i,
  input logic [31:0] cycle_hi_i,
  input logic [31:0] rest_i
);
  logic [31:0] fold;
  assign fold = '0;
  (* keep *) record_rest u_record (.clk_i, .valid_i, .cycle_lo_i, .cycle_hi_i, .rest_i);
endmodule

// verilator lint_on DECLFILENAME
