// Path table (docs/microarchitecture.md 7.1): one row per warp and leader lane, in block memory.
// One write port, one read port for the scans: an address given in a cycle shows its row in the
// next one, with a write of the same cycle. Not reset: exist tells which rows hold a path. In place
// of the row it shows the running path, which is not in the table.
module path_table
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic        clk_i,
  // verilator lint_off UNUSEDSIGNAL // for the journal
  input  sub_t        sub_i,
  // verilator lint_on UNUSEDSIGNAL
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
  input  logic        re_i,       // 0: the row shown stays; nothing is written, or nobody looks
  input  logic [4:0]  row_i,
  input  logic        cur_i,      // show the running path; op and key do not matter
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
  localparam int unsigned Rows = SubWarps * 32;
  localparam int unsigned LoBits = 32 + 28 + 3;   // mask, pc, state
  localparam int unsigned HiBits = 32 + 10 + 16;  // key, op, depth
  (* no_rw_check *) logic [LoBits-1:0] lo_q [Rows];
  (* no_rw_check *) logic [HiBits-1:0] hi_q [Rows];
  logic [LoBits-1:0] rlo;
  logic [HiBits-1:0] rhi;
  warp_t             rwarp_q;
  logic [4:0]        row_q;
  logic [LoBits-1:0] wlo;
  logic [HiBits-1:0] whi;
  assign wlo = {wmask_i, wpc_i, wstate_i};
  assign whi = {wkey_i, wop_i, wdepth_i};
  always_ff @(posedge clk_i) begin
    if (we_i) begin
      lo_q[{wwarp_i, wrow_i}] <= wlo;
      hi_q[{wwarp_i, wrow_i}] <= whi;
    end
    if (re_i) begin
      rwarp_q <= rwarp_i;
      row_q <= row_i;
    end
  end
  logic [LoBits-1:0] cur_lo;
  assign cur_lo = {cur_mask_i, cur_pc_i, RowReady};
  // A read does not see the write of its cycle: that is kept, with its address.
  // Timing: addresses are compared after the edge, in parallel with the access, as that of the read
  // arrives late. What is shown in place of what was read is chosen in parallel with the access,
  // too.
  logic              we_q, other;
  warp_t             wwarp_q;
  logic [4:0]        wrow_q;
  logic [LoBits-1:0] wlo_q, read_lo_q, other_lo;
  logic [HiBits-1:0] whi_q, read_hi_q, other_hi;
  always_ff @(posedge clk_i) begin
    if (re_i) begin
      read_lo_q <= lo_q[{rwarp_i, row_i}];
      read_hi_q <= hi_q[{rwarp_i, row_i}];
      we_q <= we_i;
      wwarp_q <= wwarp_i;
      wrow_q <= wrow_i;
      wlo_q <= wlo;
      whi_q <= whi;
    end
  end
  assign other = cur_i || (we_q && {wwarp_q, wrow_q} == {rwarp_q, row_q});
  assign other_lo = cur_i ? cur_lo : wlo_q;
  assign other_hi = {whi_q[HiBits-1:16], cur_i ? cur_depth_i : whi_q[15:0]};
  assign rlo = other ? other_lo : read_lo_q;
  assign rhi = other ? other_hi : read_hi_q;
  assign {mask_o, pc_o} = rlo[LoBits-1:3];
  assign state_o = row_state_e'(rlo[2:0]);
  assign {key_o, op_o, depth_o} = rhi;
endmodule
