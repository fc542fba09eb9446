// Top of the ULX3S-85F: pins, PLL, reset (docs/fpga.md). Pins: fpga/ulx3s.lpf. Button 1 (FIRE1) is a
// reset too. wifi_gpio0 high keeps the board from being restarted by its radio module.
module board_ulx3s #(
  parameter int unsigned CoreDivide = 2,  // 1 to 15: the core's clock is 40 MHz / CoreDivide; set by fpga/ulx3s.txt
  parameter logic [63:0] BitstreamHash = 64'd0
) (
  input  logic       clk_25mhz,
  output logic       ftdi_rxd,   // to the host
  input  logic       ftdi_txd,   // from the host
  output logic [7:0] led,
  input  logic [6:0] btn,
  output logic       wifi_gpio0
);
  if (CoreDivide < 1 || CoreDivide > 15) begin : gen_divide
    $error("CoreDivide is not 1 to 15");
  end
  logic       clk, locked;
  logic [1:0] ready_sync_q;  // asynchronous: PLL and button
  logic [7:0] reset_q;      // cycles in reset after configuration, lock or button
  logic       rst_nq;
  logic       unused_active, unused_buttons;

  pll_40 u_pll (.clk_25_i(clk_25mhz), .clk_40_o(clk), .locked_o(locked));

  // The values that the configuration leaves.
  initial begin
    ready_sync_q = '0;
    reset_q = '0;
    rst_nq = 1'b0;
  end
  always_ff @(posedge clk) begin
    ready_sync_q <= {ready_sync_q[0], locked && !btn[1]};
    if (!ready_sync_q[1]) reset_q <= '0;
    else if (!reset_q[7]) reset_q <= reset_q + 8'd1;
    rst_nq <= reset_q[7];
  end

  board #(
    .ClockKhz(40000), .BitstreamHash(BitstreamHash)
  ) u_board (
    .clk_i(clk), .rst_ni(rst_nq), .core_divide_i(4'(CoreDivide)), .rx_i(ftdi_txd), .tx_o(ftdi_rxd),
    .active_o(unused_active), .led_o(led)
  );
  assign wifi_gpio0 = 1'b1;

  assign unused_buttons = ^{btn[6:2], btn[0]};
endmodule
