// The words that responses are made of (docs/fpga.md 4), by number: 0 to 9 HELLO, 16 to 23 STATUS
// (20, 21 the cycle: STOP), 24 a word of memory, 25 the CRC of a block, 26 a word of an array, 30 to
// 54 DIGEST: the cycle and the signatures.
module response_words
  import wl_pkg::*;
  import link_pkg::*;
  import config_pkg::*;
#(
  parameter int unsigned ClockKhz = 50000,  // of the board
  parameter logic [63:0] BitstreamHash = 64'd0
) (
  input  logic [3:0]                     core_divide_i,
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
  // Numbers 16 to 31 and 48 to 52 are one tree of multiplexers, the first 16 signatures another. Numbers
  // 53 and 54 stand alone.
  logic [31:0] fixed, word_a, word_b;
  logic [31:0] in_a [16];
  logic [31:0] in_b [16];
  logic [3:0]  sel_a;
  // Of the core, for HELLO: a table, so that no divider is made.
  logic [31:0] core_khz;
  always_comb begin
    core_khz = ClockKhz;
    for (int unsigned d = 2; d < 16; d++) if (core_divide_i == 4'(d)) core_khz = ClockKhz / d;
  end
  // Not as a case: synthesis would make a ROM of it with the number's register at its output, behind
  // everything that decides on the next number.
  logic [9:0][31:0] constants;
  assign constants = {
    BitstreamHash[63:32], BitstreamHash[31:0], LayoutHash[63:32], LayoutHash[31:0],
    IsaHash[63:32], IsaHash[31:0], core_khz, BoardMemBytes,
    8'd0, 8'(ConfigId), 16'(LinkProtocol),
    32'h3142_4C57  // "WLB1"
  };
  always_comb begin
    fixed = '0;
    for (int unsigned i = 0; i < 10; i++) if (index_i[3:0] == 4'(i)) fixed |= constants[i];
  end
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) in_a[i] = '0;
    in_a[0] = {lane_i, warp_i, cause_i, flags_i};
    in_a[1] = pc_i;
    in_a[2] = addr_i[31:0];
    in_a[3] = addr_i[63:32];
    in_a[4] = cycle_i[31:0];
    in_a[5] = cycle_i[63:32];
    in_a[6] = run_left_i;
    in_a[7] = freezes_i;
    in_a[8] = memory_i;
    in_a[9] = crc_i;
    in_a[10] = peek_i;
    in_a[11] = digest_i[18];
    in_a[12] = digest_i[16];
    in_a[13] = digest_i[17];
    in_a[14] = digest_i[19];
    in_a[15] = digest_i[20];
    for (int unsigned i = 0; i < 16; i++) in_b[i] = digest_i[i];
    // The cycle stands in two places of the words.
    sel_a = (index_i[3:1] == 3'b111) ? {3'b010, index_i[0]} : index_i[3:0];
    if (index_i[5]) sel_a = index_i[1] ? {1'b1, index_i[0], 1'b1, ~index_i[0]} : {3'b110, index_i[0]};
    if (index_i[5] && index_i[2]) sel_a = 4'd15;
  end
  if (NumSignatures != 23) begin : gen_signatures
    $error("the words of DIGEST are laid out for 23 signatures");
  end
  mux_tree #(.Width(32), .Bits(4)) u_a (.sel_i(sel_a), .x_i(in_a), .y_o(word_a));
  mux_tree #(.Width(32), .Bits(4)) u_b (.sel_i(index_i[3:0]), .x_i(in_b), .y_o(word_b));
  always_comb begin
    if (index_i[5:4] == 2'd0) word_o = fixed;
    else if (index_i == 6'd53) word_o = digest_i[21];
    else if (index_i == 6'd54) word_o = digest_i[22];
    else word_o = index_i[5:4] == 2'd2 ? word_b : word_a;
  end
endmodule
