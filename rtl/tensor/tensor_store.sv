// Operands of the tensor unit (docs/microarchitecture.md 19): the words of a, b and c as X1 brings
// them, a row for each set, register and beat; and of a slice, the words that each row of the engine
// works on. A slice's rows are read in its cycle and come out of registers in the next.
module tensor_store
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
(
  input  logic        clk_i,
  // X1.
  input  logic        fill_i,
  input  set_t        fill_set_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  set_info_t   fill_info_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [3:0]  fill_step_i,
  input  logic [BeatBits-1:0] fill_beat_i,
  input  logic [31:0] fill_word_i [TensorWords][Lanes],
  // The slice of this cycle.
  input  logic        read_i,
  input  set_t        set_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  set_info_t   info_i,
  // verilator lint_on UNUSEDSIGNAL
  input  group_t      group_i,
  input  slice_t      slice_i,
  // In the next cycle.
  output logic [31:0] a_o [DotRows][SliceWords],
  output logic [31:0] b_o [DotRows][SliceWords],
  output logic [31:0] c_o [DotRows]
);
  if (DotRows != 1 && Beats != 1) begin : gen_shape
    $error("several rows of the engine need a beat that is the whole warp");
  end
  localparam int unsigned QuadsPerBeat = Lanes / 4;  // rows of A or columns of B in a beat
  typedef logic [Lanes-1:0][31:0] row_t;
  typedef logic [BeatBits-1:0] beat_t;
  // A set is read when it is full: no row is read while it is written.
  (* ram_style = "block", no_rw_check *) row_t a_mem_q [TensorSets*4*Beats];
  (* no_rw_check *) row_t b_mem_q [TensorSets*2*Beats];
  (* ram_style = "block", no_rw_check *) row_t c_mem_q [TensorSets*4*Beats];

  function automatic int unsigned row_of(input int unsigned set, input int unsigned registers,
                                         input int unsigned number, input int unsigned beat);
    return (set * registers + number) * Beats + beat;
  endfunction

  always_ff @(posedge clk_i) begin
    if (fill_i) begin
      for (int unsigned j = 0; j < TensorWords; j++) begin
        logic [4:0] index, after_a, after_b;  // in the step list
        row_t       row;
        index = 5'(32'(fill_step_i) * TensorWords + j);
        after_a = index - 5'(fill_info_i.a_words);
        after_b = after_a - 5'(fill_info_i.b_words);
        for (int unsigned l = 0; l < Lanes; l++) row[l] = fill_word_i[j][l];
        if (index < 5'(fill_info_i.a_words)) begin
          a_mem_q[row_of(32'(fill_set_i), 4, 32'(index[1:0]), 32'(fill_beat_i))] <= row;
        end else if (after_a < 5'(fill_info_i.b_words)) begin
          b_mem_q[row_of(32'(fill_set_i), 2, 32'(after_a[0]), 32'(fill_beat_i))] <= row;
        end else if (after_b < 5'd4) begin
          c_mem_q[row_of(32'(fill_set_i), 4, 32'(after_b[1:0]), 32'(fill_beat_i))] <= row;
        end
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
    first = 7'(32'(group_i) * DotRows);
    word = info_i.kind.half ? {1'b0, first[6]} : first[6:5];
    lane = info_i.kind.half ? first[5:1] : first[4:0];
    column = {lane[1:0], info_i.kind.half ? first[0] : first[5]};
    low_rows = info_i.kind.half ? first[6] : first[6] && info_i.tall;
    quad = is_float(info_i.kind.kind) ? 3'(32'(slice_i) * 2 * DotTerms / 16) :
                                        3'(32'(slice_i) * DotTerms / 16);
  end

  // ---- Stage 1.
  row_t       a_row [Quads], b_row [Quads], c_row_q;
  logic [4:0] lane1_q;
  logic       high1_q;       // the group begins with a high half
  logic       half1_q, odd1_q, narrow1_q, long1_q;
  logic       part1_q;       // narrow elements: second half of the quad
  for (genvar p = 0; p < int'(Quads); p++) begin : gen_quad
    row_t a_row_q, b_row_q;
    always_ff @(posedge clk_i) begin
      if (read_i) begin
        a_row_q <= a_mem_q[row_of(32'(set_i), 4, 32'(low_rows) + 2 * ((32'(quad) + p) % 2),
                                  32'(lane) / 4 / QuadsPerBeat)];
        b_row_q <= b_mem_q[row_of(32'(set_i), 2, (32'(quad) + p) % 2,
                                  32'(column) / QuadsPerBeat)];
      end
    end
    assign {a_row[p], b_row[p]} = {a_row_q, b_row_q};
  end
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      c_row_q <= c_mem_q[row_of(32'(set_i), 4, 32'(word), 32'(lane) / Lanes)];
      lane1_q <= lane;
      high1_q <= first[0];
      odd1_q <= first[5];
      half1_q <= info_i.kind.half;
      narrow1_q <= !is_float(info_i.kind.kind);
      long1_q <= info_i.long_k;
      part1_q <= slice_i[0];
    end
  end

  for (genvar e = 0; e < int'(DotRows); e++) begin : gen_element
    always_comb begin
      logic [4:0] at;        // lane of the element
      logic       half;
      logic [2:0] row, col;  // quads of A's and of B's rows
      int unsigned from;
      half = half1_q && (DotRows == 1 ? high1_q : 1'(e % 2));
      at = lane1_q + 5'(half1_q ? e / 2 : e);
      row = at[4:2];
      col = {at[1:0], half1_q ? half : odd1_q};
      c_o[e] = c_row_q[32'(at) % Lanes];
      if (half) c_o[e] = {16'h0, c_row_q[32'(at) % Lanes][31:16]};
      for (int unsigned w = 0; w < SliceWords; w++) begin
        from = w % 4;
        if (DotTerms == 8 && narrow1_q && part1_q) from = w % 2 + 2;
        a_o[e][w] = a_row[w/4][4 * (32'(row) % QuadsPerBeat) + from];
        b_o[e][w] = b_row[w/4][4 * (32'(col) % QuadsPerBeat) + from];
        // Beyond K.
        if (w >= 4 && !long1_q) begin
          a_o[e][w] = '0;
          b_o[e][w] = '0;
        end
      end
    end
  end
endmodule
