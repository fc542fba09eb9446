// The core as the board sees it: gpu_top on the gated clock, its poke and peek ports and its
// signatures (docs/fpga.md 5, 6). All outputs stand still between ticks.
module board_core
  import link_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import wl_pkg::NumStalls;
(
  input  logic                           clk_i,      // core_clk
  input  logic                           rst_ni,
  input  logic                           start_i,
  input  logic [63:0]                    launch_addr_i,
  input  logic [4:0]                     poke_i,     // by array
  input  logic                           peek_i,
  input  logic [2:0]                     array_i,
  input  logic [7:0]                     slice_i,
  input  logic [15:0]                    row_i,
  input  logic [31:0]                    data_i,
  output logic [31:0]                    peek_o,
  output logic [NumSignatures-1:0][31:0] digest_o,
  output logic                           done_o,
  output logic                           hang_o,
  output trap_t                          trap_o,
  output logic [63:0]                    cycle_o,
  output logic                           ar_valid_o,
  output logic [$clog2(OpTable)-1:0]     ar_id_o,
  output logic [63:0]                    ar_addr_o,
  input  logic                           r_valid_i,
  input  logic [$clog2(OpTable)-1:0]     r_id_i,
  input  logic [255:0]                   r_data_i,
  output logic                           aw_valid_o,
  output logic [$clog2(OpTable)-1:0]     aw_id_o,
  output logic [63:0]                    aw_addr_o,
  output logic [255:0]                   w_data_o,
  output logic [31:0]                    w_strb_o,
  input  logic                           b_valid_i,
  input  logic [$clog2(OpTable)-1:0]     b_id_i
);
  poke_t poke;
  peek_t peek;
  assign poke = '{valid: poke_i, slice: slice_i, row: row_i, data: data_i};
  assign peek = '{valid: peek_i, array: array_i, slice: slice_i, row: row_i};

  gpu_top #(.BoardAccess(1'b1)) u_gpu (
    .clk_i, .rst_ni, .start_i, .launch_addr_i, .stall_i(NumStalls'(0)),
    .done_o, .hang_o, .trap_o, .cycle_o,
    .ar_valid_o, .ar_ready_i(1'b1), .ar_id_o, .ar_addr_o, .r_valid_i, .r_id_i, .r_data_i,
    .aw_valid_o, .aw_ready_i(1'b1), .aw_id_o, .aw_addr_o, .w_data_o, .w_strb_o,
    .poke_i(poke), .peek_i(peek), .peek_data_o(peek_o), .b_valid_i, .b_id_i
  );

`ifdef WL_BOARD
  record_signatures u_signatures (.clk_i, .digest_o);
`else
  assign digest_o = '0;  // lint of the board alone: there are no folds
`endif
endmodule
