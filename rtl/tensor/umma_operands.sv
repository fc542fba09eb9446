// Products in tensor memory: two buffers of A, the rows of a pass, and two of B, a block of eight rows
// (docs/microarchitecture.md 25.4, 25.5). A half of a unit is written at once. The words of a slice are
// read in its cycle and come out of registers in the next.
module umma_operands
  import config_pkg::*;
  import tensor_pkg::*;
  import umma_pkg::*;
(
  input  logic       clk_i,
  input  umma_fill_t fill_i,
  input  half_t      data_i,
  // The slice of this cycle.
  input  logic       read_i,
  input  logic       a_buffer_i,
  input  logic       b_buffer_i,
  input  logic [4:0] row_i,           // of A in the pass, in each sub-core: the group's first
  input  logic [2:0] column_i,        // of the block
  // verilator lint_off UNUSEDSIGNAL // with one slice
  input  slice_t     slice_i,
  // verilator lint_on UNUSEDSIGNAL
  // In the next cycle.
  output slice_words_t [DotRows-1:0] a_o [SubCores],
  output slice_words_t               b_o
);
  localparam int unsigned Halves = DotTerms / 8;   // that a slice needs
  half_t a_mem_q [2*RowUnits*2];
  half_t b_mem_q [4];
  always_ff @(posedge clk_i) begin
    if (fill_i.valid) begin
      if (fill_i.b) b_mem_q[{fill_i.buffer, fill_i.half}] <= data_i;
      else a_mem_q[{fill_i.buffer, fill_i.unit, fill_i.half}] <= data_i;
    end
  end

  slice_words_t [DotRows-1:0] a_q [SubCores];
  slice_words_t               b_q;
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      for (int unsigned h = 0; h < Halves; h++) begin
        logic half;
        half = (Halves == 2) ? 1'(h) : slice_i[0];
        b_q[4*h +: 4] <= b_mem_q[{b_buffer_i, half}][column_i];
        for (int unsigned k = 0; k < SubCores; k++) begin
          for (int unsigned u = 0; u < (DotRows + 7) / 8; u++) begin
            half_t rows;
            rows = a_mem_q[{a_buffer_i, row_unit_t'(4 * k + 32'(row_i[4:3]) + u), half}];
            for (int unsigned r = 0; r < 8 && 8 * u + r < DotRows; r++) begin
              a_q[k][8*u+r][4*h +: 4] <= rows[(DotRows == 1) ? row_i[2:0] : 3'(r)];
            end
          end
        end
      end
    end
  end
  assign a_o = a_q;
  assign b_o = b_q;

  if (DotRows != 1 && DotRows != 8 && DotRows != 16) begin : gen_rows
    $error("a group is a row of A, or whole units of eight");
  end
endmodule
