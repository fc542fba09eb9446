// Operands of the tensor unit with several rows of the engine (docs/microarchitecture.md 19): rows
// of all 32 lanes, of which each row of the engine takes its own words. A slice's rows are read in
// its cycle and come out of registers in the next.
module tensor_rows
  import config_pkg::*;
  import tensor_pkg::*;
#(
  localparam int unsigned ARowBits = $clog2(TensorSets * 4 * Beats),
  localparam int unsigned BRowBits = $clog2(TensorSets * BRegs * Beats)
) (
  input  logic        clk_i,
  input  logic [TensorWords-1:0] is_a_i,
  input  logic [TensorWords-1:0] is_b_i,
  input  logic [TensorWords-1:0] is_c_i,
  // verilator lint_off UNUSEDSIGNAL // with TensorSparse
  input  logic [TensorWords-1:0] is_x_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [ARowBits-1:0] to_a_i [TensorWords],
  input  logic [BRowBits-1:0] to_b_i [TensorWords],
  input  logic [ARowBits-1:0] to_c_i [TensorWords],
  // verilator lint_off UNUSEDSIGNAL // with TensorSparse
  input  set_t        fill_set_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] word_a_i [Lanes],     // words of a step
  input  logic [31:0] word_b_i [Lanes],
  input  logic [31:0] word_c_i [Lanes],
  input  logic        read_i,
  // verilator lint_off UNUSEDSIGNAL // with TensorSparse; of a wire struct, a part
  input  set_t        set_i,
  input  set_info_t   info_i,
  input  logic        low_rows_i, // rows 8 to 15 of A
  input  logic        upper_i,    // with two slices an element: the second
  // verilator lint_on UNUSEDSIGNAL
  input  logic [ARowBits-1:0] from_a_i [Quads],
  input  logic [BRowBits-1:0] from_b_i [BQuads],
  input  logic [ARowBits-1:0] from_c_i,
  input  logic [5:0]  first_i,    // of the group, in its word: lane, or lane and half
  // In the next cycle.
  output slice_words_t [DotRows-1:0] a_o,
  output slice_words_t [DotRows-1:0] b_o,
  output logic [DotRows-1:0][31:0]   c_o
);
  typedef logic [Lanes-1:0][31:0] row_t;
  row_t a_mem_q [TensorSets*4*Beats], c_mem_q [TensorSets*4*Beats];
  row_t b_mem_q [TensorSets*BRegs*Beats];
  slice_words_t [DotRows-1:0] a_q, b_q;
  logic [DotRows-1:0][31:0]   c_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < TensorWords; j++) begin
      if (is_a_i[j] || is_b_i[j] || is_c_i[j]) begin
        row_t row;
        for (int unsigned l = 0; l < Lanes; l++) begin
          row[l] = (j == 0) ? word_a_i[l] : (j == 1) ? word_b_i[l] : word_c_i[l];
        end
        if (is_a_i[j]) a_mem_q[to_a_i[j]] <= row;
        if (is_b_i[j]) b_mem_q[to_b_i[j]] <= row;
        if (is_c_i[j]) c_mem_q[to_c_i[j]] <= row;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_i) begin
      row_t                       a_row [Quads], b_row [Quads], c_row;
      slice_words_t [DotRows-1:0] a, b;
      logic [DotRows-1:0][31:0]   c;
      for (int unsigned p = 0; p < Quads; p++) begin
        a_row[p] = a_mem_q[from_a_i[p]];
        b_row[p] = b_mem_q[from_b_i[p]];
      end
      c_row = c_mem_q[from_c_i];
      for (int unsigned e = 0; e < DotRows; e++) begin
        logic [4:0] at;      // lane of the element
        logic       half;
        logic [2:0] col;     // quad of B's rows; of A's at[4:2]
        half = info_i.kind.half && 1'(e % 2);
        at = (info_i.kind.half ? first_i[5:1] : first_i[4:0]) + 5'(info_i.kind.half ? e / 2 : e);
        col = {at[1:0], info_i.kind.half ? half : first_i[5]};
        c[e] = c_row[at];
        if (half) c[e] = {16'h0, c[e][31:16]};
        for (int unsigned w = 0; w < SliceWords; w++) begin
          a[e][w] = a_row[w/4][4 * 32'(at[4:2]) + w % 4];
          b[e][w] = b_row[w/4][4 * 32'(col) + w % 4];
          // Beyond K.
          if (w >= 4 && !info_i.long_k) {a[e][w], b[e][w]} = '0;
        end
      end
      a_q <= a;
      b_q <= b;
      c_q <= c;
    end
  end
  assign a_o = a_q;
  assign c_o = c_q;

  // ---- With a sparse A the products of an element take words of twice as many.
  if (TensorSparse != 0) begin : gen_sparse
    logic       sparse, bytes;
    places_t    places [8];
    tensor_places u_places (
      .clk_i, .is_x_i, .fill_set_i, .word_a_i, .word_b_i, .word_c_i, .read_i, .set_i, .info_i, .low_rows_i, .upper_i,
      .sparse_o(sparse), .bytes_o(bytes), .places_o(places)
    );
    for (genvar e = 0; e < int'(DotRows); e++) begin : gen_partner
      logic [2:0]  quad_q;                     // of A's rows
      logic [31:0] column_q [2*SliceWords];
      always_ff @(posedge clk_i) begin
        if (read_i && info_i.sparse) begin
          logic [4:0]  at;
          logic [2:0]  col;
          logic [31:0] words [2*SliceWords];
          at = (info_i.kind.half ? first_i[5:1] : first_i[4:0]) +
               5'(info_i.kind.half ? e / 2 : e);
          col = {at[1:0], info_i.kind.half ? 1'(e % 2) : first_i[5]};
          for (int unsigned w = 0; w < 2 * SliceWords; w++) begin
            words[w] = b_mem_q[from_b_i[w/4]][4 * 32'(col) + w % 4];
            if (w >= 8 && !info_i.long_k) words[w] = '0;  // beyond K: no NaN from before
          end
          quad_q <= at[4:2];
          column_q <= words;
        end
      end
      dot_partner u_partner (
        .en_i(sparse), .bytes_i(bytes), .places_i(places[quad_q]), .column_i(column_q),
        .plain_i(b_q[e]), .word_o(b_o[e])
      );
    end
  end else begin : gen_dense
    assign b_o = b_q;
  end
endmodule
