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
  input  logic [31:0] word_i [TensorWords][Lanes],
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
  output logic [31:0] a_o [DotRows][SliceWords],
  output logic [31:0] b_o [DotRows][SliceWords],
  output logic [31:0] c_o [DotRows]
);
  typedef logic [Lanes-1:0][31:0] row_t;
  row_t a_mem_q [TensorSets*4*Beats], c_mem_q [TensorSets*4*Beats];
  row_t b_mem_q [TensorSets*BRegs*Beats];
  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < TensorWords; j++) begin
      if (is_a_i[j] || is_b_i[j] || is_c_i[j]) begin
        row_t row;
        for (int unsigned l = 0; l < Lanes; l++) row[l] = word_i[j][l];
        if (is_a_i[j]) a_mem_q[to_a_i[j]] <= row;
        if (is_b_i[j]) b_mem_q[to_b_i[j]] <= row;
        if (is_c_i[j]) c_mem_q[to_c_i[j]] <= row;
      end
    end
  end

  row_t       a_row [Quads], b_row [BQuads], c_row_q;
  logic [4:0] lane1_q;       // of the first element
  logic       half1_q, odd1_q, long1_q;
  for (genvar p = 0; p < int'(Quads); p++) begin : gen_quad
    row_t a_row_q;
    always_ff @(posedge clk_i) if (read_i) a_row_q <= a_mem_q[from_a_i[p]];
    assign a_row[p] = a_row_q;
  end
  for (genvar p = 0; p < int'(BQuads); p++) begin : gen_column
    row_t b_row_q;
    always_ff @(posedge clk_i) begin
      if (read_i && (p < int'(Quads) || info_i.sparse)) b_row_q <= b_mem_q[from_b_i[p]];
    end
    assign b_row[p] = b_row_q;
  end
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      c_row_q <= c_mem_q[from_c_i];
      lane1_q <= info_i.kind.half ? first_i[5:1] : first_i[4:0];
      odd1_q <= first_i[5];
      half1_q <= info_i.kind.half;
      long1_q <= info_i.long_k;
    end
  end

  // ---- Of each element.
  logic [2:0] row [DotRows], col [DotRows];  // quads of A's and of B's rows

  // ---- With a sparse A the products of an element take words of twice as many.
  logic sparse;
  logic [31:0] partner [DotRows][SliceWords];
  if (TensorSparse != 0) begin : gen_sparse
    logic    bytes;
    places_t places [8];
    tensor_places u_places (
      .clk_i, .is_x_i, .fill_set_i, .word_i, .read_i, .set_i, .info_i, .low_rows_i, .upper_i,
      .sparse_o(sparse), .bytes_o(bytes), .places_o(places)
    );
    for (genvar e = 0; e < int'(DotRows); e++) begin : gen_partner
      logic [31:0] column [2*SliceWords];
      always_comb begin
        column = '{default: 'x};
        if (sparse) begin
          for (int unsigned w = 0; w < 2 * SliceWords; w++) begin
            column[w] = b_row[w/4][4 * 32'(col[e]) + w % 4];
          end
        end
      end
      dot_partner u_partner (
        .en_i(sparse), .bytes_i(bytes), .places_i(places[row[e]]), .column_i(column),
        .word_o(partner[e])
      );
    end
  end else begin : gen_dense
    assign sparse = 1'b0;
    assign partner = '{default: '0};
  end

  for (genvar e = 0; e < int'(DotRows); e++) begin : gen_element
    always_comb begin
      logic [4:0] at;        // lane of the element
      logic       half;
      half = half1_q && 1'(e % 2);
      at = lane1_q + 5'(half1_q ? e / 2 : e);
      row[e] = at[4:2];
      col[e] = {at[1:0], half1_q ? half : odd1_q};
      c_o[e] = c_row_q[at];
      if (half) c_o[e] = {16'h0, c_row_q[at][31:16]};
    end
    always_comb begin
      for (int unsigned w = 0; w < SliceWords; w++) begin
        a_o[e][w] = a_row[w/4][4 * 32'(row[e]) + w % 4];
        b_o[e][w] = sparse ? partner[e][w] : b_row[w/4][4 * 32'(col[e]) + w % 4];
        // Beyond K.
        if (w >= 4 && !long1_q) begin
          a_o[e][w] = '0;
          b_o[e][w] = '0;
        end
      end
    end
  end
endmodule
