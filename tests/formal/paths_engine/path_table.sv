// Stands for rtl/core/path_table.sv in the proofs of the path engine: the same ports and timing, but
// only the rows of one warp and four lanes, as registers that a bench can look at. The bench proves
// that no other row is touched.
module path_table
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic        clk_i,
  input  sub_t        sub_i,
  input  logic        we_i,
  input  warp_t       wwarp_i,
  input  logic [4:0]  wrow_i,
  input  logic [31:0] wmask_i,
  input  pc_t         wpc_i,
  input  logic [15:0] wdepth_i,
  input  row_state_e  wstate_i,
  input  logic [9:0]  wop_i,
  input  logic [31:0] wkey_i,
  input  warp_t       rwarp_i,
  input  logic        re_i,
  input  logic [4:0]  row_i,
  input  logic        cur_i,
  input  logic [31:0] cur_mask_i,
  input  pc_t         cur_pc_i,
  input  logic [15:0] cur_depth_i,
  output logic [31:0] mask_o,
  output pc_t         pc_o,
  output logic [15:0] depth_o,
  output row_state_e  state_o,
  output logic [9:0]  op_o,
  output logic [31:0] key_o
);
  logic [31:0] mask_q [4];
  pc_t         pc_q [4];
  logic [15:0] depth_q [4];
  logic [2:0]  state_q [4];
  logic [9:0]  op_q [4];
  logic [31:0] key_q [4];
  logic [4:0]  row_q;
  always_ff @(posedge clk_i) begin
    if (we_i) begin
      mask_q[wrow_i[1:0]] <= wmask_i;
      pc_q[wrow_i[1:0]] <= wpc_i;
      depth_q[wrow_i[1:0]] <= wdepth_i;
      state_q[wrow_i[1:0]] <= wstate_i;
      op_q[wrow_i[1:0]] <= wop_i;
      key_q[wrow_i[1:0]] <= wkey_i;
    end
    if (re_i) row_q <= row_i;
  end
  assign mask_o = cur_i ? cur_mask_i : mask_q[row_q[1:0]];
  assign pc_o = cur_i ? cur_pc_i : pc_q[row_q[1:0]];
  assign depth_o = cur_i ? cur_depth_i : depth_q[row_q[1:0]];
  assign state_o = cur_i ? RowReady : row_state_e'(state_q[row_q[1:0]]);
  assign op_o = op_q[row_q[1:0]];
  assign key_o = key_q[row_q[1:0]];
endmodule
