// What a step of the path engine knows of its row (docs/microarchitecture.md 7.3): with RowCycles =
// 1 in the cycle in which the row is read, with RowCycles = 2 in a register, a cycle later.
module path_step
  import config_pkg::*;
#(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic             reads_i,  // RowCycles = 2: a row is read in this cycle
  input  logic [Width-1:0] read_i,
  output logic [Width-1:0] step_o
);
  if (RowCycles == 1) begin : gen_wire
    assign step_o = read_i;
    logic unused;
    assign unused = clk_i ^ reads_i;
  end else begin : gen_register
    logic [Width-1:0] step_q;
    always_ff @(posedge clk_i) if (reads_i) step_q <= read_i;
    assign step_o = step_q;
  end
endmodule
