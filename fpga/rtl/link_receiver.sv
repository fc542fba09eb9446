// Receives frames (docs/fpga.md 3): hunts for the two start bytes, checks the header, writes the
// payload into the request's buffer and checks the CRC. Anything wrong discards the frame without an
// answer. A frame of which a part arrived while the board was busy with another is followed to its
// end, so that its payload is not taken for frames, and discarded too: the host sends it again.
// Which request is executed is not decided here (command.sv).
module link_receiver
  import link_pkg::*;
#(
  parameter int unsigned ClockKhz = 50000,
  parameter int unsigned Baud = 3000000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,  // a byte from the line
  input  logic [7:0]  byte_i,
  input  logic        busy_i,   // the buffer is in use
  output logic        heard_o,  // a frame arrived in order, used or not (one cycle)
  output logic        frame_o,  // and is to be looked at
  output logic [7:0]  type_o,   // of the frame, stable until its successor's header
  output logic [7:0]  seq_o,
  output logic [10:0] len_o,
  output logic        we_o,     // buffer
  output logic [10:0] waddr_o,
  output logic [7:0]  wdata_o
);
  localparam longint unsigned GapClocks =
      64'(LinkGapBits) * 64'(ClockKhz) * 64'd1000 / 64'(Baud);
  localparam int unsigned GapBits = $clog2(GapClocks + 1);
  localparam logic [31:0] Residue = 32'hDEBB_20E3;  // CRC register after a right CRC

  typedef enum logic [3:0] {
    StSync, StMark, StType, StSeq, StLenLow, StLenHigh, StCheck, StPayload, StCrc, StVerify
  } state_e;

  state_e             state_q;
  logic [7:0]         type_q, seq_q;
  logic [15:0]        len_q;
  logic [10:0]        at_q;     // bytes of payload that came
  logic [1:0]         crc_at_q;
  logic               drop_q;
  logic [GapBits-1:0] gap_q;
  logic               gap_over_q;
  logic [7:0]         check;
  logic [31:0]        crc;
  logic               crc_busy, in_header, summed, last;

  assign in_header = state_q inside {StType, StSeq, StLenLow, StLenHigh};
  assign summed = in_header || state_q inside {StPayload, StCrc};
  assign last = at_q == len_q[10:0] - 11'd1;

  crc8 u_crc8 (
    .clk_i, .clear_i(state_q == StSync || state_q == StMark), .valid_i(valid_i && in_header),
    .byte_i, .crc_o(check)
  );
  crc32 u_crc32 (
    .clk_i, .clear_i(state_q == StSync || state_q == StMark), .valid_i(valid_i && summed),
    .byte_i, .busy_o(crc_busy), .crc_o(crc)
  );

  assign type_o = type_q;
  assign seq_o = seq_q;
  assign len_o = len_q[10:0];
  assign we_o = valid_i && state_q == StPayload && !drop_q && !busy_i;
  assign waddr_o = at_q;
  assign wdata_o = byte_i;

  always_ff @(posedge clk_i) begin
    heard_o <= 1'b0;
    frame_o <= 1'b0;
    drop_q <= state_q != StMark && (drop_q || busy_i);
    // A pause within a frame ends it.
    gap_over_q <= gap_q == GapBits'(GapClocks);
    if (valid_i || state_q == StSync || gap_over_q) gap_q <= '0;
    else gap_q <= gap_q + GapBits'(1);

    if (valid_i) begin
      unique case (state_q)
        StSync: if (byte_i == 8'h57) state_q <= StMark;
        StMark: begin
          if (byte_i == 8'h4C) state_q <= StType;
          else if (byte_i != 8'h57) state_q <= StSync;
        end
        StType: begin
          type_q <= byte_i;
          state_q <= StSeq;
        end
        StSeq: begin
          seq_q <= byte_i;
          state_q <= StLenLow;
        end
        StLenLow: begin
          len_q[7:0] <= byte_i;
          state_q <= StLenHigh;
        end
        StLenHigh: begin
          len_q[15:8] <= byte_i;
          state_q <= StCheck;
        end
        StCheck: begin
          at_q <= '0;
          crc_at_q <= '0;
          if (byte_i != check || len_q > 16'(LinkMaxPayload)) state_q <= StSync;
          else state_q <= len_q == '0 ? StCrc : StPayload;
        end
        StPayload: begin
          at_q <= at_q + 11'd1;
          if (last) state_q <= StCrc;
        end
        StCrc: begin
          crc_at_q <= crc_at_q + 2'd1;
          if (crc_at_q == 2'd3) state_q <= StVerify;
        end
        default: ;  // StVerify is over before the next byte
      endcase
    end
    // The last byte has gone into the CRC when it is not busy in the cycle after it was taken.
    if (state_q == StVerify && !crc_busy) begin
      heard_o <= crc == Residue;
      frame_o <= crc == Residue && !drop_q && !busy_i;
      state_q <= StSync;
    end
    if (gap_over_q && !valid_i) state_q <= StSync;
    if (!rst_ni) state_q <= StSync;
  end
endmodule
