// A transmitter and a receiver of their own, at the board's real clock: for uart_tb.cpp.
module uart_top (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  input  logic [7:0] byte_i,
  output logic       ready_o,
  output logic       tx_o,
  input  logic       rx_i,
  output logic       valid_o,
  output logic [7:0] byte_o
);
  uart_tx #(.ClockKhz(50000), .Baud(3000000)) u_tx (
    .clk_i, .rst_ni, .valid_i, .byte_i, .ready_o, .tx_o
  );
  uart_rx #(.ClockKhz(50000), .Baud(3000000)) u_rx (
    .clk_i, .rst_ni, .rx_i, .valid_o, .byte_o
  );
endmodule
