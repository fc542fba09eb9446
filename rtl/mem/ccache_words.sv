// Constant loads: result words of a pass (docs/microarchitecture.md 12), taken from the sector that
// the line holds: with one beat all in one cycle, with several one per cycle.
module ccache_words
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
(
  input  logic        clk_i,
  input  mem_type_e   type_i,
  input  logic        store_i,       // the words are kept
  input  logic [4:0]  addr_i,        // of word 0 in the sector
  input  logic [31:0] sector_i [8],
  input  logic [1:0]  word_i,        // stored (several beats), or shown
  input  logic        show_i,
  output logic [31:0] data_o
);
  logic [31:0] res_q [4];
  if (Beats > 1) begin : gen_serial
    // Timing: the sector arrives late from its memories. Its word, and of this the byte and the half,
    // are picked in the slices' multiplexers; what fills a sub-word up is picked in parallel.
    logic [31:0] picked, word;
    logic [7:0]  bytes [4], low_byte, high_byte;
    logic        is_byte, is_half, is_signed, sign;
    mux_tree #(.Width(32), .Bits(3)) u_word (
      .sel_i(addr_i[4:2] | 3'(word_i)), .x_i(sector_i), .y_o(picked)
    );
    mux_tree #(.Width(8), .Bits(2)) u_byte (.sel_i(addr_i[1:0]), .x_i(bytes), .y_o(low_byte));
    for (genvar i = 0; i < 4; i++) begin : gen_byte
      assign bytes[i] = picked[8*i +: 8];
    end
    always_comb begin
      high_byte = addr_i[1] ? bytes[3] : bytes[1];
      is_byte = type_i == MemTypeU8 || type_i == MemTypeS8;
      is_half = type_i == MemTypeU16 || type_i == MemTypeS16;
      is_signed = type_i == MemTypeS8 || type_i == MemTypeS16;
      sign = is_signed && (is_byte ? low_byte[7] : high_byte[7]);
      word = {(is_byte || is_half) ? {16{sign}} : picked[31:16],
              is_byte ? {8{sign}} : high_byte, low_byte};
    end
    always_ff @(posedge clk_i) if (store_i) res_q[word_i] <= word;
  end else begin : gen_once
    always_ff @(posedge clk_i) begin
      if (store_i) begin
        res_q[0] <= extend(type_i, sector_i[addr_i[4:2]], addr_i[1:0]);
        res_q[1] <= sector_i[{addr_i[4:3], 1'b1}];
        res_q[2] <= sector_i[{addr_i[4], 2'd2}];
        res_q[3] <= sector_i[{addr_i[4], 2'd3}];
      end
    end
  end
  always_comb begin
    data_o = 'x;
    if (show_i) data_o = res_q[word_i];
  end
endmodule
