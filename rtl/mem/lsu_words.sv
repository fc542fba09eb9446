// Operand words of the lanes where the processor reads them at once (docs/microarchitecture.md 10; not
// LateWords): the words of b, then those of c, 4 to 7 of cas of 128 bits only (option Atom128). A row of
// a memory is one word of all lanes: a simulator copies it at once and has one pending write for it.
module lsu_words
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic               clk_i,
  // X1: the list, from the address on, three words a step.
  input  logic               fill_i,
  input  logic [1:0]         fill_step_i,
  input  logic               fill_wide_i,       // 64-bit address: two words
  input  logic [RowBits-1:0] fill_row_i,
  input  logic [31:0]        fill_a_i [Cols],
  input  logic [31:0]        fill_b_i [Cols],
  input  logic [31:0]        fill_c_i [Cols],
  // Processor: the words of a row.
  input  logic               proc_i,            // 0 to 3
  // verilator lint_off UNUSEDSIGNAL // with Atom128
  input  logic               more_i,            // 4 to 7
  // verilator lint_on UNUSEDSIGNAL
  input  logic [RowBits-1:0] proc_row_i,
  output logic [Cols-1:0][31:0] proc_o [4],
  output logic [Cols-1:0][31:0] more_o [4]
);
  localparam int unsigned Rows = 1 << RowBits;
  localparam int unsigned Words = (Atom128 != 0) ? 8 : 4;

  for (genvar k = 0; k < int'(Words); k++) begin : gen_word
    // Step and port in which it comes, behind an address of one word or of two.
    localparam int Narrow = k + 1, Wide = k + 2;
    typedef logic [Cols-1:0][31:0] row_t;
    row_t mem_q [Rows];
    always_ff @(posedge clk_i) begin
      // (of lanes outside E anything is written)
      if (fill_i && 32'(fill_step_i) == (fill_wide_i ? Wide / 3 : Narrow / 3)) begin
        row_t row;
        for (int i = 0; i < int'(Cols); i++) begin
          unique case (fill_wide_i ? Wide % 3 : Narrow % 3)
            0:       row[i] = fill_a_i[i];
            1:       row[i] = fill_b_i[i];
            default: row[i] = fill_c_i[i];
          endcase
        end
        mem_q[fill_row_i] <= row;
      end
    end
    if (k < 4) begin : gen_proc
      always_comb begin
        proc_o[k] = 'x;
        if (proc_i) proc_o[k] = mem_q[proc_row_i];
      end
    end else begin : gen_more
      always_comb begin
        more_o[k-4] = 'x;
        if (more_i) more_o[k-4] = mem_q[proc_row_i];
      end
    end
  end
  if (Atom128 == 0) begin : gen_no_more
    assign more_o = '{default: '0};
  end
endmodule
