// CRC-8 (polynomial 0x07, start 0) over bytes, one bit per cycle: the check of a frame's header
// (docs/fpga.md 3).
module crc8 (
  input  logic       clk_i,
  input  logic       clear_i,
  input  logic       valid_i,  // 8 cycles after the last one at the earliest
  input  logic [7:0] byte_i,
  output logic [7:0] crc_o
);
  logic [7:0] crc_q;
  logic [3:0] left_q;
  assign crc_o = crc_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      crc_q <= '0;
      left_q <= '0;
    end else if (left_q != 4'd0) begin
      crc_q <= {crc_q[6:0], 1'b0} ^ (crc_q[7] ? 8'h07 : 8'h00);
      left_q <= left_q - 4'd1;
    end else if (valid_i) begin
      crc_q <= crc_q ^ byte_i;
      left_q <= 4'd8;
    end
  end
endmodule
