// The device: the grid of the launch and the order point around one SM (docs/interfaces.md). The order
// point's memory channels and the launch port are its whole outside. Holds the cycle counter (section
// 0). Clusters and AXI4 burst signals are not its business.
module gpu_top
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
#(
  parameter bit BoardAccess = 1'b0   // poke and peek reach the arrays (docs/fpga.md 6)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       start_i,
  input  logic [63:0]                launch_addr_i,
  // Disturbance: one bit per point of stall.def, of this cycle; 0 on a board (section 17).
  // AR and AW act in the memory outside.
  input  logic [NumStalls-1:0]       stall_i,
  output logic                       done_o,
  output logic                       hang_o,     // watchdog (section 14)
  output trap_t                      trap_o,
  output logic [63:0]                cycle_o,
  // Read channel, answered by r (always accepted).
  output logic                       ar_valid_o,
  input  logic                       ar_ready_i,
  output logic [$clog2(OpTable)-1:0] ar_id_o,
  output logic [63:0]                ar_addr_o,  // byte address of the sector
  input  logic                       r_valid_i,
  input  logic [$clog2(OpTable)-1:0] r_id_i,
  input  logic [255:0]               r_data_i,
  // Write channel (address and data together), answered by b (always accepted).
  output logic                       aw_valid_o,
  input  logic                       aw_ready_i,
  output logic [$clog2(OpTable)-1:0] aw_id_o,
  output logic [63:0]                aw_addr_o,
  output logic [255:0]               w_data_o,
  output logic [31:0]                w_strb_o,
  input  logic                       b_valid_i,
  input  logic [$clog2(OpTable)-1:0] b_id_i,
  // Words of arrays, for a board (docs/fpga.md 6). Nothing without BoardAccess.
  input  poke_t                      poke_i,
  input  peek_t                      peek_i,
  output logic [31:0]                peek_data_o
);
  logic [63:0] cycle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cycle_q <= '0;
    else cycle_q <= cycle_q + 64'd1;
  end
  assign cycle_o = cycle_q;

  // Grid and SM.
  logic [31:0] lb [LaunchBlockWords];
  logic        running, invalidate, clear, finish;
  logic        offer_valid, offer_taken;
  logic [31:0] offer_x;
  logic [15:0] offer_y, offer_z;
  logic        empty, stopped, answered;
  logic        grid_valid, grid_grant;
  packet_t     grid_req;

  // SM and order point.
  logic        op_valid, op_ready, rsp_valid, smem_rsp;
  packet_t     op_packet;
  response_t   rsp;
  logic        issued, sleeping, block_end;

  // Units at rest, for the record REST (section 15; rtl/dpi/journal_gpu_top.sv).
  logic [RestUnits-1:0] rest_sm;
  logic                 rest_order;
  // verilator lint_off UNUSEDSIGNAL // for the journal
  logic [RestUnits-1:0] rest;
  logic [31:0]          places;
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin
    rest = rest_sm;
    rest[RestPort] = rest_sm[RestPort] && rest_order;
  end

  grid u_grid (
    .clk_i, .rst_ni, .start_i, .launch_addr_i, .done_o, .running_o(running), .finish_o(finish),
    .lb_o(lb), .invalidate_o(invalidate), .clear_o(clear),
    .offer_valid_o(offer_valid), .offer_x_o(offer_x), .offer_y_o(offer_y), .offer_z_o(offer_z),
    .offer_taken_i(offer_taken), .empty_i(empty), .stopped_i(stopped), .answered_i(answered),
    .req_valid_o(grid_valid), .req_o(grid_req), .req_grant_i(grid_grant),
    .rsp_valid_i(rsp_valid), .rsp_i(rsp)
  );

  sm #(.BoardAccess(BoardAccess)) u_sm (
    .clk_i, .rst_ni, .sm_i('0), .stall_i, .cycle_i(cycle_q), .trap_o,
    .running_i(running), .invalidate_i(invalidate), .clear_i(clear), .finish_i(finish), .lb_i(lb),
    .offer_valid_i(offer_valid), .offer_x_i(offer_x), .offer_y_i(offer_y), .offer_z_i(offer_z),
    .offer_taken_o(offer_taken), .empty_o(empty), .stopped_o(stopped), .answered_o(answered),
    .grid_valid_i(grid_valid), .grid_req_i(grid_req), .grid_grant_o(grid_grant),
    .op_valid_o(op_valid), .op_packet_o(op_packet), .op_ready_i(op_ready),
    .rsp_valid_i(rsp_valid), .rsp_i(rsp), .smem_rsp_o(smem_rsp),
    .issued_o(issued), .sleeping_o(sleeping), .block_end_o(block_end), .rest_o(rest_sm),
    .poke_i, .peek_i, .peek_data_o
  );

  orderpoint u_orderpoint (
    .rest_o(rest_order),
    .places_o(places),
    .clk_i, .rst_ni,
    .stall_admit_i(stall_i[StallAtAdmit]),
    // The LSU takes one delivery per cycle (13).
    .stall_response_i(stall_i[StallAtResponse] || smem_rsp),
    .op_valid_i(op_valid), .op_packet_i(op_packet), .op_ready_o(op_ready),
    .rsp_valid_o(rsp_valid), .rsp_o(rsp),
    .ar_valid_o, .ar_ready_i, .ar_id_o, .ar_addr_o, .r_valid_i, .r_id_i, .r_data_i,
    .aw_valid_o, .aw_ready_i, .aw_id_o, .aw_addr_o, .w_data_o, .w_strb_o, .b_valid_i, .b_id_i
  );

  watchdog u_watchdog (
    .clk_i, .rst_ni, .issue_i(issued), .grant_i(op_valid), .block_i(block_end), .running_i(running),
    .sleeping_i(sleeping), .hang_o
  );
endmodule
