// The buffers of umma_operands.sv where a group is one row of A and a chunk comes in a cycle (ByChunk):
// each chunk is written for itself. A buffer has eight banks of words. Word w of row r of a half lies in
// bank r ^ w, at w: so the four words of a row are in four banks, and a word of eight rows is in eight.
// The words that go in and come out are turned by an exclusive or of two bits of their places.
module umma_operands_one
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
  import umma_pkg::*;
(
  input  logic         clk_i,
  input  umma_fill_t   fill_i,
  input  logic [127:0] data_i,
  input  umma_piece_t  piece_i,
  input  umma_take_t   take_i,
  input  logic [Lanes-1:0][31:0] rows_i,
  // The slice of this cycle.
  input  logic         read_i,
  input  logic         a_buffer_i,
  input  logic         b_buffer_i,
  input  logic [4:0]   row_i,           // of A in the pass
  input  logic [2:0]   column_i,        // of the block
  input  logic         small_i,         // a slice has bytes
  // verilator lint_off UNUSEDSIGNAL // of them, what tells the half
  input  umma_slice_t  slice_i,
  // verilator lint_on UNUSEDSIGNAL
  // In the next cycle.
  output slice_words_t a_o,
  output slice_words_t b_o,
  // A row that is placed in this cycle.
  input  logic         put_i,
  input  logic         shift_i,         // each lane takes the next one's word
  input  logic [2:0]   word_i,
  input  logic [BeatBits-1:0] beat_i,
  output logic [Lanes-1:0][31:0] put_o
);
  typedef logic [3:0][31:0] four_t;     // of four rows, or of a row
  function automatic four_t turned(input four_t v, input logic [1:0] key);
    four_t one, two;
    one = key[0] ? {v[2], v[3], v[0], v[1]} : v;
    two = key[1] ? {one[1], one[0], one[3], one[2]} : one;
    return two;
  endfunction

  // ---- What comes, by banks: of a chunk, and of tensor memory.
  four_t [1:0] came, filled, taken;     // rows 0 to 3 and 4 to 7
  logic [1:0]  groups, key;
  logic [3:0]  bytes;
  always_comb begin
    logic [63:0] rows;                  // a byte of each
    {came, filled, groups, key, bytes, rows} = 'x;
    if (fill_i.valid) begin
      groups = 2'd1 << piece_i.number[2];
      key = piece_i.number[1:0];
      bytes = '1;
      came = {data_i, data_i};
      rows = piece_i.upper ? data_i[127:64] : data_i[63:0];
      if (piece_i.across && piece_i.size != SizeWord) begin
        groups = '1;
        key = (piece_i.size == SizeHalf) ? piece_i.number[2:1] : {piece_i.second, piece_i.number[2]};
        bytes = (piece_i.size == SizeHalf) ? {{2{piece_i.number[0]}}, {2{!piece_i.number[0]}}} :
                                             4'd1 << piece_i.number[1:0];
        for (int unsigned r = 0; r < 8; r++) begin
          came[r/4][r%4] = (piece_i.size == SizeHalf) ? {2{data_i[16*r +: 16]}} : {4{rows[8*r +: 8]}};
        end
      end
      for (int unsigned g = 0; g < 2; g++) filled[g] = turned(came[g], key);
    end
  end
  always_comb begin
    taken = 'x;
    if (take_i.valid != '0) begin
      for (int unsigned r = 0; r < 8; r++) taken[r/4][r%4] = rows_i[r] ^ take_i.signs;
      for (int unsigned g = 0; g < 2; g++) taken[g] = turned(taken[g], take_i.word[1:0]);
    end
  end
  logic fills_a, fills_b;
  assign fills_a = fill_i.valid && !fill_i.b;
  assign fills_b = fill_i.valid && fill_i.b;

  // ---- The banks.
  logic        half;                    // of the slice
  four_t [1:0] a_read, b_read;
  assign half = small_i ? 1'(slice_i >> 1) : slice_i[0];
  for (genvar g = 0; g < 2; g++) begin : gen_group
    for (genvar x = 0; x < 4; x++) begin : gen_bank
      logic [1:0] fill_at;
      logic [5:0] a_at, a_read_at;
      logic [3:0] b_at, b_read_at, fill;
      logic [31:0] a_word;
      assign fill_at = piece_i.across ? key : 2'(x) ^ key;
      assign fill = groups[g] ? bytes : '0;
      assign a_at = fills_a ? {fill_i.buffer, fill_i.unit, fill_i.half, fill_at} :
                              {take_i.buffer, row_unit_t'(take_i.beat), take_i.word};
      assign a_word = fills_a ? filled[g][x] : taken[g][x];
      assign a_read_at = read_i ? {a_buffer_i, row_unit_t'(row_i[4:3]), half, 2'(x) ^ row_i[1:0]} :
                                  {a_buffer_i, row_unit_t'(beat_i), word_i};
      assign b_at = {fill_i.buffer, fill_i.half, fill_at};
      assign b_read_at = {b_buffer_i, half, 2'(x) ^ column_i[1:0]};
      for (genvar y = 0; y < 4; y++) begin : gen_byte
        logic [7:0] a_q [64];
        logic [7:0] b_q [16];
        always_ff @(posedge clk_i) begin
          if (fills_a ? fill[y] : take_i.valid != '0) a_q[a_at] <= a_word[8*y +: 8];
          if (fills_b && fill[y]) b_q[b_at] <= filled[g][x][8*y +: 8];
        end
        assign a_read[g][x][8*y +: 8] = a_q[a_read_at];
        assign b_read[g][x][8*y +: 8] = b_q[b_read_at];
      end
    end
  end

  // ---- Slices; rows that are placed. The last lane's successor is in the next beat.
  slice_words_t a_q, b_q;
  four_t [1:0]  words;
  logic [31:0]  next_q [8*Beats], next;
  assign next = next_q[{word_i, BeatBits'(beat_i + BeatBits'(1))}];
  always_comb begin
    for (int unsigned g = 0; g < 2; g++) begin
      words[g] = turned(a_read[g], read_i ? row_i[1:0] : word_i[1:0]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      a_q <= words[row_i[2]];
      b_q <= turned(b_read[column_i[2]], column_i[1:0]);
    end
    if (take_i.valid != '0) next_q[{take_i.word, take_i.beat}] <= rows_i[0];
  end
  assign {a_o, b_o} = {a_q, b_q};
  always_comb begin
    put_o = 'x;
    if (put_i) begin
      put_o = words;
      if (shift_i) put_o = {next, put_o[Lanes-1:1]};
    end
  end

  if (Umma != 0 && ByChunk && (Lanes != 8 || Beats != 4 || SubCores != 1 || DotTerms != 8)) begin : gen_beats
    $error("with one row of the engine a beat is eight lanes, a slice eight products");
  end
endmodule
