// Products in tensor memory: two buffers of A, the rows of a pass, and two of B, a block of eight rows
// (docs/microarchitecture.md 25.4, 25.5). Half a unit is written at once, or of rows from tensor memory
// a word of each of a beat's lanes (26.6). The words of a slice are read in its cycle and come out of
// registers in the next; those that a copy or a shift writes (26.7, 26.8) come at once.
// With one row of the engine umma_operands_one.sv has them.
module umma_operands
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
  import umma_pkg::*;
(
  input  logic       clk_i,
  input  umma_fill_t fill_i,
  input  half_t      data_i,
  input  umma_take_t take_i,
  input  logic [Lanes-1:0][31:0] rows_i [SubCores],
  // The slice of this cycle.
  input  logic       read_i,
  input  logic       a_buffer_i,
  input  logic       b_buffer_i,
  // verilator lint_off UNUSEDSIGNAL // a group of several rows is whole units
  input  logic [4:0] row_i,           // of A in the pass, in each sub-core: the group's first
  // verilator lint_on UNUSEDSIGNAL
  input  logic [2:0] column_i,        // of the block
  input  logic       small_i,         // a slice has bytes, DotTerms of them
  // verilator lint_off UNUSEDSIGNAL // of them, what tells the half
  input  umma_slice_t slice_i,
  // verilator lint_on UNUSEDSIGNAL
  // In the next cycle.
  output slice_words_t [DotRows-1:0] a_o [SubCores],
  output slice_words_t               b_o,
  // A row that is placed in this cycle, in the sub-cores.
  input  logic [SubCores-1:0] put_i,
  input  logic       shift_i,         // each lane takes the next one's word
  input  logic [2:0] word_i,
  input  logic [BeatBits-1:0] beat_i,
  output logic [Lanes-1:0][31:0] put_o [SubCores]
);
  localparam int unsigned Halves = DotTerms / 8;   // that a slice needs
  localparam int unsigned BeatUnits = Lanes / 8;   // units of a beat
  localparam int unsigned SliceUnits = (DotRows + 7) / 8;
  typedef logic [RowUnitBits+1:0] at_t;            // buffer, unit, half
  typedef logic [7:0][31:0]       words_t;         // of eight rows

  // ---- B.
  half_t        b_mem_q [4];
  slice_words_t b_q;
  function automatic logic half_of(input logic second);
    if (Halves == 2) return small_i ? slice_i[0] : second;
    return small_i ? 1'(slice_i >> 1) : slice_i[0];
  endfunction
  always_ff @(posedge clk_i) begin
    if (fill_i.valid && fill_i.b) b_mem_q[{fill_i.buffer, fill_i.half}] <= data_i;
    if (read_i) begin
      for (int unsigned h = 0; h < Halves; h++) begin
        b_q[4*h +: 4] <= b_mem_q[{b_buffer_i, half_of(1'(h))}][column_i];
      end
    end
  end
  assign b_o = b_q;

  // ---- A: four memories, each a word of the halves.
  typedef logic [DotRows-1:0][Halves-1:0][31:0] part_t;    // of a slice
  slice_words_t [DotRows-1:0] a_q [SubCores];
  words_t [BeatUnits-1:0]     put [4][SubCores];              // of the row that is placed
  // verilator lint_off UNUSEDSIGNAL // with several rows of the engine
  part_t                      part [4][SubCores];
  // verilator lint_on UNUSEDSIGNAL
  logic                       fills, writes;
  assign fills = fill_i.valid && !fill_i.b;
  assign writes = fills || take_i.valid != '0;
  function automatic at_t beat_at(input logic buffer, input int unsigned k,
                                  input logic [BeatBits-1:0] beat, input int unsigned u,
                                  input logic half);
    return {buffer, row_unit_t'(4 * k + 32'(beat) * BeatUnits + u), half};
  endfunction
  for (genvar w = 0; w < 4; w++) begin : gen_word
    words_t mem_q [4*RowUnits];
    words_t fill;
    always_comb begin
      fill = 'x;
      if (fills) for (int unsigned r = 0; r < 8; r++) fill[r] = data_i[r][32*w +: 32];
    end
    // The first unit of a beat goes the way of a half.
    always_ff @(posedge clk_i) if (writes) begin
      for (int unsigned k = 0; k < SubCores; k++) begin
        for (int unsigned u = 0; u < BeatUnits; u++) begin
          logic   write;
          at_t    at;
          words_t words;
          write = take_i.valid[k] && take_i.word[1:0] == 2'(w);
          at = beat_at(take_i.buffer, k, take_i.beat, u, take_i.word[2]);
          for (int unsigned r = 0; r < 8; r++) words[r] = rows_i[k][8*u+r] ^ take_i.signs;
          if (k == 0 && u == 0 && fills) begin
            write = 1'b1;
            at = {fill_i.buffer, fill_i.unit, fill_i.half};
            words = fill;
          end
          if (write) mem_q[at] <= words;
        end
      end
    end
    always_comb begin
      words_t words;
      words = 'x;
      part[w] = '{default: 'x};
      if (read_i) begin
        for (int unsigned h = 0; h < Halves; h++) begin
          for (int unsigned k = 0; k < SubCores; k++) begin
            for (int unsigned u = 0; u < SliceUnits; u++) begin
              words = mem_q[{a_buffer_i, row_unit_t'(4 * k + 32'(row_i[4:3]) + u), half_of(1'(h))}];
              for (int unsigned r = 0; r < 8; r++) part[w][k][8*u+r][h] = words[r];
            end
          end
        end
      end
    end
    // What comes in this cycle may be placed in it.
    always_comb begin
      at_t at;
      at = 'x;
      put[w] = '{default: 'x};
      if (put_i != '0 && word_i[1:0] == 2'(w)) begin
        for (int unsigned k = 0; k < SubCores; k++) begin
          for (int unsigned u = 0; u < BeatUnits; u++) begin
            at = beat_at(a_buffer_i, k, beat_i, u, word_i[2]);
            put[w][k][u] = (fills && at == {fill_i.buffer, fill_i.unit, fill_i.half}) ? fill :
                                                                                       mem_q[at];
          end
        end
      end
    end
  end
  // Written as a whole: a simulator has one pending write.
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      slice_words_t [DotRows-1:0] a [SubCores];
      for (int unsigned k = 0; k < SubCores; k++) begin
        for (int unsigned e = 0; e < DotRows; e++) begin
          for (int unsigned w = 0; w < 4 * Halves; w++) a[k][e][w] = part[w%4][k][e][w/4];
        end
      end
      a_q <= a;
    end
  end
  assign a_o = a_q;

  // ---- Rows that are placed. With several beats the last lane's successor is in the next beat.
  logic [31:0] next;
  if (Beats > 1) begin : gen_next
    logic [31:0] mem_q [8*Beats];
    always_ff @(posedge clk_i) begin
      if (take_i.valid != '0) mem_q[{take_i.word, take_i.beat}] <= rows_i[0][0];
    end
    assign next = mem_q[{word_i, BeatBits'(beat_i + BeatBits'(1))}];
  end else begin : gen_last
    assign next = '0;
  end
  always_comb begin
    put_o = '{default: 'x};
    if (put_i != '0) begin
      for (int unsigned k = 0; k < SubCores; k++) begin
        for (int unsigned l = 0; l < Lanes; l++) begin
          put_o[k][l] = put[word_i[1:0]][k][l/8][l%8];
          if (shift_i && l == Lanes - 1) put_o[k][l] = next;
          else if (shift_i) put_o[k][l] = put[word_i[1:0]][k][(l+1)%Lanes/8][(l+1)%8];
        end
      end
    end
  end

  if (DotRows != 8 && DotRows != 16) begin : gen_rows
    $error("a group is a row of A, or whole units of eight");
  end
  if (Umma != 0 && Lanes % 8 != 0) begin : gen_beats
    $error("a beat is whole units of eight");
  end
endmodule
