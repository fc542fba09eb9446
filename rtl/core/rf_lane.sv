// One lane's slices of the four register banks and its operand registers
// (docs/microarchitecture.md 6.1): a row addressed in slot a is in the output register of its bank
// in a + 1 and in the operand register in a + 2. One read and one write per bank and cycle; the
// bank controller in regfile.sv arranges that.
module rf_lane
  import sm_pkg::*;
(
  input  logic                 clk_i,
  input  logic [3:0]           re_i,
  input  logic [RfRowBits-1:0] rrow_i [4],
  input  logic [3:0]           we_i,        // of this lane
  input  logic [3:0]           wvar_i,      // write the variable write-back's word
  input  logic [RfRowBits-1:0] wrow_i [4],
  input  logic [31:0]          fix_i,
  input  logic [31:0]          var_i,
  input  logic [3:0]           zero_i,      // output register of a bank: not read, cleared
  // Operand registers, a cycle after the read: a bank, or a constant with a cleared bank.
  input  logic [2:0]           load_i,
  input  logic [1:0]           bank_i [3],
  input  logic [31:0]          value_i [3],
  output logic [31:0]          a_o,
  output logic [31:0]          b_o,
  output logic [31:0]          c_o
);
  /*verilator no_inline_module*/
  logic [31:0] q [4];
  for (genvar b = 0; b < 4; b++) begin : gen_bank
    (* no_rw_check *) logic [31:0] mem_q [RfRows] /*verilator public_flat_rd*/;
    logic [31:0] read_q;
    always_ff @(posedge clk_i) begin
      if (zero_i[b]) read_q <= '0;
      else if (re_i[b]) read_q <= mem_q[rrow_i[b]];
      if (we_i[b]) mem_q[wrow_i[b]] <= wvar_i[b] ? var_i : fix_i;
    end
    assign q[b] = read_q;
  end

  logic [31:0] operand [3];
  for (genvar p = 0; p < 3; p++) begin : gen_operand
    mux4 u_mux (.sel_i(bank_i[p]), .x_i(q), .or_i(value_i[p]), .y_o(operand[p]));
  end
  always_ff @(posedge clk_i) begin
    if (load_i[0]) a_o <= operand[0];
    if (load_i[1]) b_o <= operand[1];
    if (load_i[2]) c_o <= operand[2];
  end
endmodule
