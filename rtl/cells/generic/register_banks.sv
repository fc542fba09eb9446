// The four banks of a register file with its operand registers (docs/microarchitecture.md 6.1): a
// row addressed in slot a is in the output register of its bank in a + 1 and in the operand register
// in a + 2. One read and one write per bank and cycle; the bank controller in regfile.sv arranges
// that. An element of a bank's memory is a whole row: a simulator copies neighbouring words.
module register_banks #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned Rows = 512,
  parameter int unsigned Width = 32,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic               clk_i,
  input  logic [3:0]         re_i,
  input  logic [RowBits-1:0] rrow_i [4],
  input  logic [3:0]         zero_i,       // output register of a bank: not read, cleared
  // Writes: the fixed pipe's or the variable write-back's words.
  input  logic [3:0]         we_fix_i,
  input  logic [3:0]         we_var_i,     // at most one of the two for a bank
  input  logic [RowBits-1:0] wrow_i [4],
  input  logic [Lanes-1:0]   fix_mask_i,
  input  logic [Lanes-1:0]   var_mask_i,
  input  logic [Width-1:0]   fix_i [Lanes],
  input  logic [Width-1:0]   var_i [Lanes],
  // Operand registers, a cycle after the read: a bank, or a constant with a cleared bank.
  input  logic [2:0]         load_i,
  input  logic [1:0]         bank_i [3],
  input  logic [Width-1:0]   value_i [3],
  output logic [Width-1:0]   a_o [Lanes],
  output logic [Width-1:0]   b_o [Lanes],
  output logic [Width-1:0]   c_o [Lanes]
);
  typedef logic [Lanes-1:0][Width-1:0] row_t;
  typedef logic [Width-1:0] words_t [Lanes];
  for (genvar b = 0; b < 4; b++) begin : gen_bank
    row_t mem_q [Rows] /*verilator public_flat_rd*/;
    row_t read_q;
    always_ff @(posedge clk_i) begin
      row_t row;
      if (zero_i[b]) read_q <= '0;
      else if (re_i[b]) read_q <= mem_q[rrow_i[b]];
      if (we_fix_i[b] || we_var_i[b]) begin
        row = mem_q[wrow_i[b]];
        if (we_var_i[b]) begin
          for (int unsigned l = 0; l < Lanes; l++) if (var_mask_i[l]) row[l] = var_i[l];
        end else begin
          for (int unsigned l = 0; l < Lanes; l++) if (fix_mask_i[l]) row[l] = fix_i[l];
        end
        mem_q[wrow_i[b]] <= row;
      end
    end
  end

  function automatic row_t bank(input logic [1:0] number);
    unique case (number)
      2'd0: return gen_bank[0].read_q;
      2'd1: return gen_bank[1].read_q;
      2'd2: return gen_bank[2].read_q;
      2'd3: return gen_bank[3].read_q;
    endcase
  endfunction
  always_ff @(posedge clk_i) begin
    row_t row;
    words_t words;
    if (load_i[0]) begin
      row = bank(bank_i[0]);
      for (int unsigned l = 0; l < Lanes; l++) words[l] = row[l] | value_i[0];
      a_o <= words;
    end
    if (load_i[1]) begin
      row = bank(bank_i[1]);
      for (int unsigned l = 0; l < Lanes; l++) words[l] = row[l] | value_i[1];
      b_o <= words;
    end
    if (load_i[2]) begin
      row = bank(bank_i[2]);
      for (int unsigned l = 0; l < Lanes; l++) words[l] = row[l] | value_i[2];
      c_o <= words;
    end
  end
endmodule
