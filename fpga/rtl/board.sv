// The board without its pins (docs/fpga.md 1): the bridge on a clock that never stops and the core on
// the gated one. Both clocks pass a gate, so that they have the same delay.
module board
  import link_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
#(
  parameter int unsigned ClockKhz = 50000,
  parameter int unsigned Baud = LinkBaud,
  parameter logic [63:0] BitstreamHash = 64'd0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] core_divide_i,  // constant (docs/fpga.md 1): CoreDivide
  input  logic       rx_i,
  output logic       tx_o,
  output logic       active_o,  // something is under way: lets a simulation rest otherwise
  output logic [7:0] led_o
);
  localparam int unsigned IdBits = $clog2(OpTable);
  logic clk, core_clk, tick;
  clock_gate u_clk (.clk_i, .en_i(1'b1), .clk_o(clk));
  clock_gate u_core_clk (.clk_i, .en_i(tick), .clk_o(core_clk));

  logic                           core_rst_n, start, peek;
  logic [63:0]                    launch_addr, cycle, ar_addr, aw_addr;
  logic [2:0]                     array;
  logic [4:0]                     poke;
  logic [7:0]                     slice;
  logic [15:0]                    row;
  logic [31:0]                    data, peek_data;
  logic [NumSignatures-1:0][31:0] digest;
  logic                           done, hang, ar_valid, aw_valid, r_valid, b_valid;
  trap_t                          trap;
  logic [IdBits-1:0]              ar_id, aw_id, r_id, b_id;
  logic [255:0]                   r_data, w_data;
  logic [31:0]                    w_strb;

  bridge #(
    .ClockKhz(ClockKhz), .Baud(Baud), .BitstreamHash(BitstreamHash)
  ) u_bridge (
    .clk_i(clk), .rst_ni, .core_divide_i, .rx_i, .tx_o, .active_o, .led_o,
    .tick_o(tick), .core_rst_no(core_rst_n), .start_o(start), .launch_addr_o(launch_addr),
    .poke_o(poke), .peek_o(peek), .array_o(array), .slice_o(slice), .row_o(row), .data_o(data),
    .peek_i(peek_data), .digest_i(digest),
    .done_i(done), .hang_i(hang), .trap_i(trap), .cycle_i(cycle),
    .ar_valid_i(ar_valid), .ar_id_i(ar_id), .ar_addr_i(ar_addr),
    .r_valid_o(r_valid), .r_id_o(r_id), .r_data_o(r_data),
    .aw_valid_i(aw_valid), .aw_id_i(aw_id), .aw_addr_i(aw_addr), .w_data_i(w_data),
    .w_strb_i(w_strb), .b_valid_o(b_valid), .b_id_o(b_id)
  );

  board_core u_core (
    .clk_i(core_clk), .rst_ni(core_rst_n), .start_i(start), .launch_addr_i(launch_addr),
    .poke_i(poke), .peek_i(peek), .array_i(array), .slice_i(slice), .row_i(row), .data_i(data),
    .peek_o(peek_data), .digest_o(digest),
    .done_o(done), .hang_o(hang), .trap_o(trap), .cycle_o(cycle),
    .ar_valid_o(ar_valid), .ar_id_o(ar_id), .ar_addr_o(ar_addr),
    .r_valid_i(r_valid), .r_id_i(r_id), .r_data_i(r_data),
    .aw_valid_o(aw_valid), .aw_id_o(aw_id), .aw_addr_o(aw_addr), .w_data_o(w_data),
    .w_strb_o(w_strb), .b_valid_i(b_valid), .b_id_i(b_id)
  );
endmodule
