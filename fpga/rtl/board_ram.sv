// One byte lane of the board's memory: block RAM, one port, no output register here.
module board_ram #(
  parameter int unsigned Rows = 4096
) (
  input  logic                    clk_i,
  input  logic                    valid_i,
  input  logic                    write_i,
  input  logic [$clog2(Rows)-1:0] addr_i,
  input  logic [7:0]              data_i,
  output logic [7:0]              data_o   // of a read one cycle before
);
  (* ram_style = "block" *) logic [7:0] mem_q [Rows];
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      if (write_i) mem_q[addr_i] <= data_i;
      else data_o <= mem_q[addr_i];
    end
  end
endmodule
