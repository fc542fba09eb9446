// Beside every mutant in the netlist: tells the first cycle in which the active mutant's bit differs
// from the original's (README.md, distance).
module mutants_active (
  input logic active_i
);
  import "DPI-C" function void wl_mutant_active(input longint unsigned cycle);
  logic seen_q = 1'b0;
  always_ff @(posedge gpu_top.clk_i) begin
    if (active_i && !seen_q && gpu_top.rst_ni) begin
      seen_q <= 1'b1;
      wl_mutant_active(gpu_top.cycle_o);
    end
  end
endmodule
