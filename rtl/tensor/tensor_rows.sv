// Operands of the tensor unit with several rows of the engine (docs/microarchitecture.md 19): rows
// of all 32 lanes, of which each row of the engine takes its own words. A slice's rows are read in
// its cycle and come out of registers in the next.
module tensor_rows
  import config_pkg::*;
  import tensor_pkg::*;
#(
  localparam int unsigned ARowBits = $clog2(TensorSets * 4 * Beats),
  localparam int unsigned BRowBits = $clog2(TensorSets * 2 * Beats)
) (
  input  logic        clk_i,
  input  logic [TensorWords-1:0] is_a_i,
  input  logic [TensorWords-1:0] is_b_i,
  input  logic [TensorWords-1:0] is_c_i,
  input  logic [ARowBits-1:0] to_a_i [TensorWords],
  input  logic [BRowBits-1:0] to_b_i [TensorWords],
  input  logic [ARowBits-1:0] to_c_i [TensorWords],
  input  logic [31:0] word_i [TensorWords][Lanes],
  input  logic        read_i,
  input  logic [ARowBits-1:0] from_a_i [Quads],
  input  logic [BRowBits-1:0] from_b_i [Quads],
  input  logic [ARowBits-1:0] from_c_i,
  input  logic        half_i,     // C is f16
  input  logic        long_k_i,
  input  logic [5:0]  first_i,    // of the group, in its word: lane, or lane and half
  // In the next cycle.
  output logic [31:0] a_o [DotRows][SliceWords],
  output logic [31:0] b_o [DotRows][SliceWords],
  output logic [31:0] c_o [DotRows]
);
  typedef logic [Lanes-1:0][31:0] row_t;
  row_t a_mem_q [TensorSets*4*Beats], b_mem_q [TensorSets*2*Beats], c_mem_q [TensorSets*4*Beats];
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

  row_t       a_row [Quads], b_row [Quads], c_row_q;
  logic [4:0] lane1_q;       // of the first element
  logic       half1_q, odd1_q, long1_q;
  for (genvar p = 0; p < int'(Quads); p++) begin : gen_quad
    row_t a_row_q, b_row_q;
    always_ff @(posedge clk_i) begin
      if (read_i) begin
        a_row_q <= a_mem_q[from_a_i[p]];
        b_row_q <= b_mem_q[from_b_i[p]];
      end
    end
    assign {a_row[p], b_row[p]} = {a_row_q, b_row_q};
  end
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      c_row_q <= c_mem_q[from_c_i];
      lane1_q <= half_i ? first_i[5:1] : first_i[4:0];
      odd1_q <= first_i[5];
      half1_q <= half_i;
      long1_q <= long_k_i;
    end
  end

  for (genvar e = 0; e < int'(DotRows); e++) begin : gen_element
    always_comb begin
      logic [4:0] at;        // lane of the element
      logic       half;
      logic [2:0] row, col;  // quads of A's and of B's rows
      half = half1_q && 1'(e % 2);
      at = lane1_q + 5'(half1_q ? e / 2 : e);
      row = at[4:2];
      col = {at[1:0], half1_q ? half : odd1_q};
      c_o[e] = c_row_q[at];
      if (half) c_o[e] = {16'h0, c_row_q[at][31:16]};
      for (int unsigned w = 0; w < SliceWords; w++) begin
        a_o[e][w] = a_row[w/4][4 * 32'(row) + w % 4];
        b_o[e][w] = b_row[w/4][4 * 32'(col) + w % 4];
        // Beyond K.
        if (w >= 4 && !long1_q) begin
          a_o[e][w] = '0;
          b_o[e][w] = '0;
        end
      end
    end
  end
endmodule
