// UART transmitter, 8N1 (docs/fpga.md 3), with a phase accumulator for the bit time.
module uart_tx #(
  parameter int unsigned ClockKhz = 50000,
  parameter int unsigned Baud = 3000000
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,  // taken when ready_o
  input  logic [7:0] byte_i,
  output logic       ready_o,
  output logic       tx_o      // pin
);
  localparam longint unsigned Hz = 64'(ClockKhz) * 64'd1000;
  localparam logic [16:0] Step = 17'((64'(Baud) * 64'd65536 + Hz / 64'd2) / Hz);

  logic [9:0]  shift_q;  // bit on the line lowest; 1 after the last
  logic [3:0]  left_q;   // bits not yet over
  logic [15:0] phase_q;
  logic [16:0] phase_d;

  assign phase_d = {1'b0, phase_q} + Step;
  assign ready_o = left_q == 4'd0;
  assign tx_o = shift_q[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      shift_q <= '1;
      left_q <= '0;
      phase_q <= '0;
    end else if (ready_o) begin
      phase_q <= '0;
      if (valid_i) begin
        shift_q <= {1'b1, byte_i, 1'b0};
        left_q <= 4'd10;
      end
    end else begin
      phase_q <= phase_d[15:0];
      if (phase_d[16]) begin
        shift_q <= {1'b1, shift_q[9:1]};
        left_q <= left_q - 4'd1;
      end
    end
  end
endmodule
