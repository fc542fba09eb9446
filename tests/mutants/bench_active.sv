// mutants_active.sv for the bench of a unit, WL_BENCH: the first cycle of the bench.
module mutants_active (
  input logic active_i
);
  import "DPI-C" function void wl_mutant_active(input longint unsigned cycle);
  logic   seen_q = 1'b0;
  longint cycle_q = 0;
  always_ff @(posedge `WL_BENCH.clk_i) begin
    cycle_q <= cycle_q + 1;
    if (active_i && !seen_q && `WL_BENCH.rst_ni) begin
      seen_q <= 1'b1;
      wl_mutant_active(cycle_q);
    end
  end
endmodule
