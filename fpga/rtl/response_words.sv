// The words that responses are made of (docs/fpga.md 4), by number: 0 to 9 HELLO, 16 to 23 STATUS
// (20, 21 the cycle: STOP), 24 a word of memory, 25 the CRC of a block, 26 a word of an array, from
// 30 on DIGEST: the cycle and the signatures.
module response_words
  import wl_pkg::*;
  import link_pkg::*;
  import config_pkg::*;
#(
  parameter int unsigned ClockKhz = 50000,
  parameter logic [63:0] BitstreamHash = 64'd0
) (
  input  logic [5:0]                     index_i,
  input  logic [7:0]                     flags_i,
  input  logic [7:0]                     cause_i,
  input  logic [7:0]                     warp_i,
  input  logic [7:0]                     lane_i,
  input  logic [31:0]                    pc_i,
  input  logic [63:0]                    addr_i,
  input  logic [63:0]                    cycle_i,
  input  logic [31:0]                    run_left_i,
  input  logic [31:0]                    freezes_i,
  input  logic [31:0]                    memory_i,
  input  logic [31:0]                    crc_i,
  input  logic [31:0]                    peek_i,
  input  logic [NumSignatures-1:0][31:0] digest_i,
  output logic [31:0]                    word_o
);
  logic [31:0][31:0] word;  // 30 and 31 are the cycle too
  logic [31:0]       signature;
  always_comb begin
    word = '0;
    word[0] = 32'h3142_4C57;  // "WLB1"
    word[1] = {8'd0, 8'(ConfigId), 16'(LinkProtocol)};
    word[2] = BoardMemBytes;
    word[3] = ClockKhz;
    word[5:4] = IsaHash;
    word[7:6] = LayoutHash;
    word[9:8] = BitstreamHash;
    word[16] = {lane_i, warp_i, cause_i, flags_i};
    word[17] = pc_i;
    word[19:18] = addr_i;
    word[21:20] = cycle_i;
    word[22] = run_left_i;
    word[23] = freezes_i;
    word[24] = memory_i;
    word[25] = crc_i;
    word[26] = peek_i;
    word[31:30] = cycle_i;
    signature = '0;
    for (int unsigned i = 0; i < NumSignatures; i++) begin
      if (index_i[4:0] == 5'(i)) signature = digest_i[i];
    end
    word_o = index_i[5] ? signature : word[index_i[4:0]];
  end
endmodule
