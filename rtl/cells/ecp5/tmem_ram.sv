// Memory of a quarter of tensor memory (docs/microarchitecture.md 24): rows of Lanes words. A row is
// written by mask_i and one is read; the row read comes in the next cycle and stays. Read and written
// at once it is the old one. A lane has a block memory of its own.
module tmem_ram #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned Rows = 256,
  parameter int unsigned Width = 32,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic               clk_i,
  input  logic               write_i,
  input  logic [RowBits-1:0] write_row_i,
  input  logic [Lanes-1:0]   mask_i,
  input  logic [Width-1:0]   data_i [Lanes],
  input  logic               read_i,
  input  logic [RowBits-1:0] read_row_i,
  output logic [Lanes-1:0][Width-1:0] data_o
);
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    (* ram_style = "block" *) logic [Width-1:0] mem_q [Rows];
    logic [Width-1:0] read_q;
    always_ff @(posedge clk_i) begin
      if (read_i) read_q <= mem_q[read_row_i];
      if (write_i && mask_i[l]) mem_q[write_row_i] <= data_i[l];
    end
    assign data_o[l] = read_q;
  end
endmodule
