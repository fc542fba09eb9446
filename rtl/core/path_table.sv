// Path table (docs/microarchitecture.md 7.1): one row per warp and leader lane. One write port, one
// read port for the scans, one for what row j of a check is compared with. Reads are asynchronous
// (distributed memory). Not reset: exist tells which rows hold a path.
module path_table
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic        clk_i,
  input  warp_t       warp_i,      // of all three ports
  input  logic        we_i,
  input  logic [4:0]  wrow_i,
  input  logic [31:0] wmask_i,
  input  pc_t         wpc_i,
  input  logic [15:0] wdepth_i,
  input  row_state_e  wstate_i,
  input  logic [9:0]  wop_i,
  input  logic [31:0] wkey_i,
  input  logic [4:0]  row_i,
  output logic [31:0] mask_o,
  output pc_t         pc_o,
  output logic [15:0] depth_o,
  output row_state_e  state_o,
  output logic [9:0]  op_o,
  output logic [31:0] key_o,
  input  logic [4:0]  jrow_i,
  output pc_t         jpc_o,
  output row_state_e  jstate_o,
  output logic [9:0]  jop_o,
  output logic [31:0] jkey_o
);
  localparam int unsigned Rows = Warps * 32;
  logic [31:0] mask_q [Rows];
  pc_t         pc_q [Rows];
  logic [15:0] depth_q [Rows];
  row_state_e  state_q [Rows];
  logic [9:0]  op_q [Rows];
  logic [31:0] key_q [Rows];

  always_ff @(posedge clk_i) begin
    if (we_i) begin
      mask_q[{warp_i, wrow_i}] <= wmask_i;
      pc_q[{warp_i, wrow_i}] <= wpc_i;
      depth_q[{warp_i, wrow_i}] <= wdepth_i;
      state_q[{warp_i, wrow_i}] <= wstate_i;
      op_q[{warp_i, wrow_i}] <= wop_i;
      key_q[{warp_i, wrow_i}] <= wkey_i;
    end
  end

  assign mask_o = mask_q[{warp_i, row_i}];
  assign pc_o = pc_q[{warp_i, row_i}];
  assign depth_o = depth_q[{warp_i, row_i}];
  assign state_o = state_q[{warp_i, row_i}];
  assign op_o = op_q[{warp_i, row_i}];
  assign key_o = key_q[{warp_i, row_i}];
  assign jpc_o = pc_q[{warp_i, jrow_i}];
  assign jstate_o = state_q[{warp_i, jrow_i}];
  assign jop_o = op_q[{warp_i, jrow_i}];
  assign jkey_o = key_q[{warp_i, jrow_i}];

`ifdef WL_JOURNAL
  always_ff @(posedge clk_i) begin
    if (we_i) begin
      journal_pkg::wl_j_row(32'(warp_i), 32'(wrow_i), wmask_i, 32'(wpc_i), 32'(wdepth_i),
                            32'(wstate_i), 32'(wop_i), wkey_i);
    end
  end
`endif
endmodule
