// The board's end of the host link (docs/fpga.md 3): UART, frames, buffers of request and response.
module link #(
  parameter int unsigned ClockKhz = 50000,
  parameter int unsigned Baud = 3000000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        rx_i,
  output logic        tx_o,
  // Request.
  output logic        heard_o,
  output logic        frame_o,
  output logic [7:0]  type_o,
  output logic [7:0]  seq_o,
  output logic [10:0] len_o,
  input  logic        busy_i,
  input  logic [10:0] rx_addr_i,
  output logic [7:0]  rx_data_o,
  // Response.
  input  logic        tx_we_i,
  input  logic [10:0] tx_addr_i,
  input  logic [7:0]  tx_data_i,
  input  logic        send_i,
  input  logic [7:0]  type_i,
  input  logic [7:0]  seq_i,
  output logic        sending_o
);
  logic        rx_valid, rx_we, tx_valid, tx_ready;
  logic [7:0]  rx_byte, rx_wdata, tx_byte, tx_rdata;
  logic [10:0] rx_waddr, tx_raddr;

  uart_rx #(.ClockKhz(ClockKhz), .Baud(Baud)) u_uart_rx (
    .clk_i, .rst_ni, .rx_i, .valid_o(rx_valid), .byte_o(rx_byte)
  );
  link_receiver #(.ClockKhz(ClockKhz), .Baud(Baud)) u_receiver (
    .clk_i, .rst_ni, .valid_i(rx_valid), .byte_i(rx_byte), .busy_i,
    .heard_o, .frame_o, .type_o, .seq_o, .len_o,
    .we_o(rx_we), .waddr_o(rx_waddr), .wdata_o(rx_wdata)
  );
  link_buffer u_request (
    .clk_i, .we_i(rx_we), .waddr_i(rx_waddr), .wdata_i(rx_wdata), .raddr_i(rx_addr_i),
    .rdata_o(rx_data_o)
  );
  link_buffer u_response (
    .clk_i, .we_i(tx_we_i), .waddr_i(tx_addr_i), .wdata_i(tx_data_i), .raddr_i(tx_raddr),
    .rdata_o(tx_rdata)
  );
  link_transmitter u_transmitter (
    .clk_i, .rst_ni, .send_i, .type_i, .seq_i, .len_i(tx_addr_i), .busy_o(sending_o),
    .raddr_o(tx_raddr), .rdata_i(tx_rdata), .valid_o(tx_valid), .byte_o(tx_byte),
    .ready_i(tx_ready)
  );
  uart_tx #(.ClockKhz(ClockKhz), .Baud(Baud)) u_uart_tx (
    .clk_i, .rst_ni, .valid_i(tx_valid), .byte_i(tx_byte), .ready_o(tx_ready), .tx_o
  );
endmodule
