// UART receiver, 8N1 (docs/fpga.md 3): a phase accumulator counts bit times from the edge of the start
// bit, each bit is sampled once in its middle. A byte whose stop bit is low is dropped.
module uart_rx #(
  parameter int unsigned ClockKhz = 50000,
  parameter int unsigned Baud = 3000000
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,     // pin
  output logic       valid_o,  // one cycle
  output logic [7:0] byte_o
);
  // Bit times per clock in 1 / 65,536.
  localparam longint unsigned Hz = 64'(ClockKhz) * 64'd1000;
  localparam logic [16:0] Step = 17'((64'(Baud) * 64'd65536 + Hz / 64'd2) / Hz);

  logic [1:0]  sync_q;
  logic        busy_q;
  logic [3:0]  bit_q;     // 0 start, 1 to 8 data, 9 stop, 10 no stop
  logic [7:0]  shift_q;
  logic [15:0] phase_q;
  logic [16:0] phase_d;
  logic        rx, sample;

  assign rx = sync_q[1];
  assign phase_d = {1'b0, phase_q} + Step;
  assign sample = busy_q && phase_d[16];
  assign byte_o = shift_q;

  always_ff @(posedge clk_i) begin
    sync_q <= {sync_q[0], rx_i};
    valid_o <= 1'b0;
    phase_q <= phase_d[15:0];
    if (!busy_q) begin
      phase_q <= 16'h8000;  // half a bit time to the middle of the start bit
      bit_q <= '0;
      busy_q <= !rx;
    end else if (sample) begin
      if (bit_q != 4'd10) bit_q <= bit_q + 4'd1;
      if (bit_q == 4'd0) begin
        busy_q <= !rx;  // a glitch is no start bit
      end else if (bit_q < 4'd9) begin
        shift_q <= {rx, shift_q[7:1]};
      end else begin
        // With a low stop bit the byte is lost: wait (10) for the line to rise.
        valid_o <= rx && bit_q == 4'd9;
        busy_q <= !rx;
      end
    end
    if (!rst_ni) begin
      sync_q <= 2'b11;
      busy_q <= 1'b0;
      valid_o <= 1'b0;
    end
  end
endmodule
