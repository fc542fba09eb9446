// Operands of the tensor unit (docs/microarchitecture.md 19): their words as X1 brings them, a row
// for each set, register and beat; and of a slice, the words that each row of the engine works on.
// A slice's rows are read in its cycle and come out of registers in the next.
`include "cells/assert.svh"

module tensor_store
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // X1.
  input  logic        fill_i,
  input  set_t        fill_set_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  set_info_t   fill_info_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [3:0]  fill_step_i,
  input  logic        fill_last_i,
  input  logic [BeatBits-1:0] fill_beat_i,
  input  logic [31:0] fill_a_i [Lanes],
  // verilator lint_off UNUSEDSIGNAL // with one word a step
  input  logic [31:0] fill_b_i [Lanes],
  input  logic [31:0] fill_c_i [Lanes],
  // verilator lint_on UNUSEDSIGNAL
  // The slice of this cycle.
  input  logic        read_i,
  input  set_t        set_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  set_info_t   info_i,
  // verilator lint_on UNUSEDSIGNAL
  input  group_t      group_i,
  input  slice_t      slice_i,
  // In the next cycle.
  output slice_words_t [DotRows-1:0] a_o,
  output slice_words_t [DotRows-1:0] b_o,
  output logic [DotRows-1:0][31:0]   c_o
);
  if (DotRows != 1 && Beats != 1) begin : gen_shape
    $error("several rows of the engine need a beat that is the whole warp");
  end
  if (DotRows == 1 && (TensorWords != 1 || Quads != 1)) begin : gen_one
    $error("one row of the engine takes a word a step and a quad a slice");
  end
  if (TensorSparse != 0 && DotTerms != 16) begin : gen_sparse
    $error("a sparse product needs slices of 32 bytes of A");
  end
  localparam int unsigned QuadsPerBeat = Lanes / 4;  // rows of A or columns of B in a beat
  localparam bit Narrow = DotRows == 1;              // a slice reads a quad and a word of a row

  // ---- The row that X1 brings, with several words a step those of the step.
  localparam int unsigned ARows = TensorSets * 4 * Beats, BRows = TensorSets * BRegs * Beats;
  localparam int unsigned ARowBits = $clog2(ARows), BRowBits = $clog2(BRows);
  typedef logic [ARowBits-1:0] a_row_t;  // of c too
  typedef logic [BRowBits-1:0] b_row_t;
  function automatic int unsigned row_of(input int unsigned set, input int unsigned registers,
                                         input int unsigned number, input int unsigned beat);
    return (set * registers + number) * Beats + beat;
  endfunction
  logic [TensorWords-1:0] is_a, is_b, is_c;
  // verilator lint_off UNUSEDSIGNAL // with TensorSparse
  logic [TensorWords-1:0] is_x;
  // verilator lint_on UNUSEDSIGNAL
  a_row_t                 to_a [TensorWords], to_c [TensorWords];
  b_row_t                 to_b [TensorWords];
  always_comb begin
    {is_a, is_b, is_c, is_x} = '0;
    for (int unsigned j = 0; j < TensorWords; j++) begin
      logic [4:0] index, after_a, after_b;  // in the step list
      {index, after_a, after_b} = 'x;
      to_a[j] = 'x;
      to_b[j] = 'x;
      to_c[j] = 'x;
      if (fill_i) begin
        index = 5'(32'(fill_step_i) * TensorWords + j);
        after_a = index - 5'(fill_info_i.a_words);
        after_b = after_a - 5'(fill_info_i.b_words);
        is_a[j] = index < 5'(fill_info_i.a_words);
        is_b[j] = !is_a[j] && after_a < 5'(fill_info_i.b_words);
        is_c[j] = !is_a[j] && !is_b[j] && after_b < 5'd4;
        if (TensorSparse != 0 && fill_info_i.sparse) begin
          is_x[j] = after_b == (fill_info_i.kind.half ? 5'd2 : 5'd4);  // word 0 of x
        end
        to_a[j] = a_row_t'(row_of(32'(fill_set_i), 4, 32'(index[1:0]), 32'(fill_beat_i)));
        to_b[j] = b_row_t'(row_of(32'(fill_set_i), BRegs, 32'(after_a) % BRegs, 32'(fill_beat_i)));
        to_c[j] = a_row_t'(row_of(32'(fill_set_i), 4, 32'(after_b[1:0]), 32'(fill_beat_i)));
      end
    end
  end

  // ---- Elements: their number in the order of results gives word, lane and half.
  logic [6:0] first;         // of the group
  logic [1:0] word;          // of d; the same for all
  logic [4:0] lane;
  logic [2:0] column;
  logic       low_rows;      // rows 8 to 15 of A
  logic [2:0] quad;          // 16 bytes of K in which the slice begins
  always_comb begin
    {first, word, lane, column, low_rows, quad} = 'x;
    if (read_i) begin
      first = 7'(32'(group_i) * DotRows);
      word = info_i.kind.half ? {1'b0, first[6]} : first[6:5];
      lane = info_i.kind.half ? first[5:1] : first[4:0];
      column = {lane[1:0], info_i.kind.half ? first[0] : first[5]};
      low_rows = info_i.kind.half ? first[6] : first[6] && info_i.tall;
      quad = is_float(info_i.kind.kind) ? 3'(32'(slice_i) * 2 * DotTerms / 16) :
                                          3'(32'(slice_i) * DotTerms / 16);
    end
  end

  // ---- The rows that the slice reads.
  a_row_t from_a [Quads], from_c;
  b_row_t from_b [BQuads];
  always_comb begin
    from_a = '{default: 'x};
    from_b = '{default: 'x};
    from_c = 'x;
    if (read_i) begin
      for (int unsigned p = 0; p < Quads; p++) begin
        from_a[p] = a_row_t'(row_of(32'(set_i), 4, 32'(low_rows) + 2 * ((32'(quad) + p) % 2),
                                    32'(lane) / 4 / QuadsPerBeat));
      end
      for (int unsigned p = 0; p < BQuads; p++) begin
        from_b[p] = b_row_t'(row_of(32'(set_i), BRegs, (TensorSparse != 0 && info_i.sparse) ?
                                    (2 * 32'(quad) + p) % 4 : (32'(quad) + p) % 2,
                                    32'(column) / QuadsPerBeat));
      end
      from_c = a_row_t'(row_of(32'(set_i), 4, 32'(word), 32'(lane) / Lanes));
    end
  end

  if (Narrow) begin : gen_narrow
    localparam int unsigned QuadBits = (QuadsPerBeat > 1) ? $clog2(QuadsPerBeat) : 1;
    logic [31:0] c_word;
    logic        half1_q;      // the high half
    tensor_ram #(.Rows(ARows), .Lanes(Lanes), .Read(4)) u_a (
      .clk_i, .write_i(is_a[0]), .write_row_i(to_a[0]), .write_data_i(fill_a_i),
      .read_i, .read_row_i(from_a[0]), .read_way_i(QuadBits'(lane[4:2])), .data_o(a_o[0])
    );
    tensor_ram #(.Rows(BRows), .Lanes(Lanes), .Read(4)) u_b (
      .clk_i, .write_i(is_b[0]), .write_row_i(to_b[0]), .write_data_i(fill_a_i),
      .read_i, .read_row_i(from_b[0]), .read_way_i(QuadBits'(column)), .data_o(b_o[0])
    );
    tensor_ram #(.Rows(ARows), .Lanes(Lanes), .Read(1)) u_c (
      .clk_i, .write_i(is_c[0]), .write_row_i(to_c[0]), .write_data_i(fill_a_i),
      .read_i, .read_row_i(from_c), .read_way_i($clog2(Lanes)'(lane)), .data_o(c_word)
    );
    always_ff @(posedge clk_i) if (read_i) half1_q <= info_i.kind.half && first[0];
    always_comb begin
      c_o[0] = c_word;
      if (half1_q) c_o[0] = {16'h0, c_word[31:16]};
    end
  end else begin : gen_wide
    tensor_rows u_rows (
      .clk_i, .is_a_i(is_a), .is_b_i(is_b), .is_c_i(is_c), .is_x_i(is_x), .to_a_i(to_a),
      .to_b_i(to_b), .to_c_i(to_c), .fill_set_i, .word_a_i(fill_a_i), .word_b_i(fill_b_i), .word_c_i(fill_c_i), .read_i, .set_i, .info_i,
      .from_a_i(from_a), .from_b_i(from_b), .from_c_i(from_c), .first_i(first[5:0]),
      .low_rows_i(low_rows), .upper_i(slice_i[0]),
      .a_o, .b_o, .c_o
    );
  end

  // The step list has word 0 of x. A column has twice the bytes of a row of a sparse A.
  `WL_ASSERT(MetadataComes, !(fill_i && fill_last_i && fill_info_i.sparse) ||
                            (32'(fill_step_i) + 1) * TensorWords > 32'(fill_info_i.a_words) +
                            32'(fill_info_i.b_words) + (fill_info_i.kind.half ? 2 : 4))
  `WL_ASSERT(PartnersInColumn, !read_i || !info_i.sparse ||
                               (info_i.tall && info_i.b_words == (info_i.long_k ? 3'd4 : 3'd2)))
endmodule
