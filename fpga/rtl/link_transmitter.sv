// Sends one frame (docs/fpga.md 3): header, payload from the response's buffer, CRC. The buffer, type,
// sequence number and length stand still from send_i to the end, so that a frame can be sent again.
module link_transmitter (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        send_i,   // one cycle, when not busy_o
  input  logic [7:0]  type_i,
  input  logic [7:0]  seq_i,
  input  logic [10:0] len_i,
  output logic        busy_o,   // until the last byte is handed to the line
  output logic [10:0] raddr_o,  // buffer
  input  logic [7:0]  rdata_i,
  output logic        valid_o,  // to the line
  output logic [7:0]  byte_o,
  input  logic        ready_i
);
  typedef enum logic [3:0] {
    StIdle, StSync, StMark, StType, StSeq, StLenLow, StLenHigh, StCheck, StPayload,
    StCrc0, StCrc1, StCrc2, StCrc3
  } state_e;

  state_e      state_q;
  logic [10:0] at_q;
  logic [7:0]  byte_q;
  logic        full_q;  // byte_q is to be sent
  logic [7:0]  byte_d, check;
  logic [31:0] crc;
  logic        take, summed, in_header, unused_busy;

  // A byte is chosen when the line has taken the one before, which lasts longer than a CRC's step
  // and a buffer's read.
  assign take = state_q != StIdle && !full_q;
  assign in_header = state_q inside {StType, StSeq, StLenLow, StLenHigh};
  assign summed = in_header || state_q == StPayload;

  crc8 u_crc8 (
    .clk_i, .clear_i(state_q == StSync), .valid_i(take && in_header), .byte_i(byte_d),
    .crc_o(check)
  );
  crc32 u_crc32 (
    .clk_i, .clear_i(state_q == StSync), .valid_i(take && summed), .byte_i(byte_d),
    .busy_o(unused_busy), .crc_o(crc)
  );

  always_comb begin
    unique case (state_q)
      StSync: byte_d = 8'h57;
      StMark: byte_d = 8'h4C;
      StType: byte_d = type_i;
      StSeq: byte_d = seq_i;
      StLenLow: byte_d = len_i[7:0];
      StLenHigh: byte_d = {5'd0, len_i[10:8]};
      StCheck: byte_d = check;
      StPayload: byte_d = rdata_i;
      StCrc0: byte_d = ~crc[7:0];
      StCrc1: byte_d = ~crc[15:8];
      StCrc2: byte_d = ~crc[23:16];
      default: byte_d = ~crc[31:24];
    endcase
  end

  assign busy_o = state_q != StIdle || full_q;
  assign raddr_o = at_q;
  assign valid_o = full_q;
  assign byte_o = byte_q;

  always_ff @(posedge clk_i) begin
    if (full_q && ready_i) full_q <= 1'b0;
    if (take) begin
      byte_q <= byte_d;
      full_q <= 1'b1;
      unique case (state_q)
        StCheck: state_q <= len_i == '0 ? StCrc0 : StPayload;
        StPayload: begin
          at_q <= at_q + 11'd1;
          if (at_q == len_i - 11'd1) state_q <= StCrc0;
        end
        StCrc3: state_q <= StIdle;
        default: state_q <= state_e'(state_q + 4'd1);
      endcase
    end
    if (send_i) begin
      state_q <= StSync;
      at_q <= '0;
    end
    if (!rst_ni) begin
      state_q <= StIdle;
      full_q <= 1'b0;
    end
  end
endmodule
