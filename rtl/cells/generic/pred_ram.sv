// Memory of the predicate file: rows of 32 bits, written by parts. A row is read at once, another
// one is read at the place of the write, and two more into registers.
module pred_ram #(
  parameter int unsigned Rows = 64,
  parameter int unsigned Parts = 1,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic               clk_i,
  input  logic [Parts-1:0]   we_i,      // parts of row at_i that are written
  input  logic [RowBits-1:0] at_i,
  input  logic [31:0]        data_i,
  output logic [31:0]        old_o,     // row at_i
  input  logic [RowBits-1:0] row_i,
  output logic [31:0]        data_o,    // row row_i
  input  logic               read_i,    // rows s_i and t_i, shown from the next cycle on
  input  logic [RowBits-1:0] s_i,
  input  logic [RowBits-1:0] t_i,
  output logic [31:0]        s_o,
  output logic [31:0]        t_o
);
  localparam int unsigned Width = 32 / Parts;
  logic [31:0] mem_q [Rows] /*verilator public_flat_rd*/;
  assign old_o = mem_q[at_i];
  assign data_o = mem_q[row_i];
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Parts; p++) begin
      if (we_i[p]) mem_q[at_i][p*Width+:Width] <= data_i[p*Width+:Width];
    end
    if (read_i) begin
      s_o <= mem_q[s_i];
      t_o <= mem_q[t_i];
    end
  end
endmodule
