// CRC-32 of IEEE 802.3 (reflected, polynomial 0xedb88320) over bytes, Bits bits per cycle: a byte
// takes 8 / Bits cycles after the one in which it is taken. crc_o is the register: the CRC is its
// complement, and after a CRC's own bytes it holds Residue.
module crc32 #(
  parameter int unsigned Bits = 1
) (
  input  logic        clk_i,
  input  logic        clear_i,  // start anew
  input  logic        valid_i,  // only when not busy_o
  input  logic [7:0]  byte_i,
  output logic        busy_o,
  output logic [31:0] crc_o
);
  logic [31:0] crc_q, crc_d;
  logic [3:0]  left_q;  // bits

  always_comb begin
    crc_d = crc_q;
    for (int unsigned i = 0; i < Bits; i++) begin
      crc_d = {1'b0, crc_d[31:1]} ^ (crc_d[0] ? 32'hEDB8_8320 : 32'd0);
    end
  end
  assign busy_o = left_q != 4'd0;
  assign crc_o = crc_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      crc_q <= '1;
      left_q <= '0;
    end else if (busy_o) begin
      crc_q <= crc_d;
      left_q <= left_q - 4'(Bits);
    end else if (valid_i) begin
      crc_q[7:0] <= crc_q[7:0] ^ byte_i;
      left_q <= 4'd8;
    end
  end
endmodule
