// The number of the mutant that is active in the netlist of make_mutants.py, 0: none. Read once, at
// time 0.
module mutants_select (
  output logic [15:0] number_o
);
  import "DPI-C" function int unsigned wl_mutant_number();
  initial number_o = 16'(wl_mutant_number());
endmodule
