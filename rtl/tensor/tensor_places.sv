// Metadata of a sparse A (docs/microarchitecture.md 19.3): word 0 of operand x of all lanes as X1
// brings it, for each set; and of a slice, the places of the eight rows of A that it works on.
// A slice's words are read in its cycle and come out of registers in the next.
module tensor_places
  import config_pkg::*;
  import tensor_pkg::*;
(
  input  logic        clk_i,
  // X1.
  input  logic [TensorWords-1:0] is_x_i,
  input  set_t        fill_set_i,
  input  logic [31:0] word_a_i [Lanes],     // words of a step
  input  logic [31:0] word_b_i [Lanes],
  input  logic [31:0] word_c_i [Lanes],
  // The slice of this cycle.
  input  logic        read_i,
  input  set_t        set_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  set_info_t   info_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic        low_rows_i,      // rows 8 to 15 of A
  input  logic        upper_i,         // with two slices an element: the second
  // In the next cycle.
  output logic        sparse_o,        // the slice is of a sparse A
  output logic        bytes_o,         // of elements of 8 or 4 bits
  output places_t     places_o [8]     // of rows 0 to 7, or 8 to 15
);
  typedef logic [Lanes-1:0][31:0] row_t;
  row_t       x_mem_q [TensorSets];
  row_t       x_row_q;
  logic       sparse1_q, bytes1_q, low1_q;
  logic [1:0] lane1_q;                 // of a quad: lane of the slice's first bits
  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < TensorWords; j++) begin
      if (is_x_i[j]) begin
        row_t row;
        for (int unsigned l = 0; l < Lanes; l++) begin
          row[l] = (j == 0) ? word_a_i[l] : (j == 1) ? word_b_i[l] : word_c_i[l];
        end
        x_mem_q[fill_set_i] <= row;
      end
    end
    if (read_i) sparse1_q <= info_i.sparse;
    if (read_i && info_i.sparse) begin
      x_row_q <= x_mem_q[set_i];
      bytes1_q <= !is_float(info_i.kind.kind);
      low1_q <= low_rows_i;
      if (!is_float(info_i.kind.kind)) begin
        lane1_q <= {info_i.long_k ? upper_i : info_i.sel[0], low_rows_i};
      end else begin
        lane1_q <= info_i.long_k ? {info_i.sel[0], 1'b0} : info_i.sel;
      end
    end
  end
  assign {sparse_o, bytes_o} = {sparse1_q, bytes1_q};
  always_comb begin
    logic [31:0] first, second;
    places_o = '{default: 'x};
    {first, second} = 'x;
    if (sparse1_q) begin
      for (int unsigned g = 0; g < 8; g++) begin
        first = x_row_q[5'(4*g) + 5'(lane1_q)];
        second = x_row_q[5'(4*g) + 5'({lane1_q[1], 1'b1})];  // with 16 bits of string: not used
        if (bytes1_q) places_o[g] = first;
        else if (low1_q) places_o[g] = {second[31:16], first[31:16]};
        else places_o[g] = {second[15:0], first[15:0]};
      end
    end
  end
endmodule
