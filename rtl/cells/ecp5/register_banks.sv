// The four banks of a register file with its operand registers (docs/microarchitecture.md 6.1): a
// row addressed in slot a is in the output register of its bank in a + 1 and in the operand register
// in a + 2. One read and one write per bank and cycle; the bank controller in regfile.sv arranges
// that. A lane has a block memory of its own in each bank, and a PFUMX per bit and operand.
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
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    logic [3:0] we;
    assign we = (fix_mask_i[l] ? we_fix_i : 4'b0) | (var_mask_i[l] ? we_var_i : 4'b0);
    logic [Width-1:0] q [4];
    for (genvar b = 0; b < 4; b++) begin : gen_bank
      (* no_rw_check *) logic [Width-1:0] mem_q [Rows];
      logic [Width-1:0] read_q;
      always_ff @(posedge clk_i) begin
        if (zero_i[b]) read_q <= '0;
        else if (re_i[b]) read_q <= mem_q[rrow_i[b]];
        if (we[b]) mem_q[wrow_i[b]] <= we_var_i[b] ? var_i[l] : fix_i[l];
      end
      assign q[b] = read_q;
    end

    logic [Width-1:0] operand [3];
    for (genvar p = 0; p < 3; p++) begin : gen_operand
      mux4 #(.Width(Width)) u_mux (
        .sel_i(bank_i[p]), .x_i(q), .or_i(value_i[p]), .y_o(operand[p])
      );
    end
    always_ff @(posedge clk_i) begin
      if (load_i[0]) a_o[l] <= operand[0];
      if (load_i[1]) b_o[l] <= operand[1];
      if (load_i[2]) c_o[l] <= operand[2];
    end
  end
endmodule
