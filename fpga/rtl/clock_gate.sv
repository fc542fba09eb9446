// A clock with an enable (docs/fpga.md 1). ECP5: the cell DCCA in the clock's path, which takes CE
// while its clock is low; in simulation a latch and a gate that do the same.
// The enable has to come from a register of the same clock.
module clock_gate (
  input  logic clk_i,
  input  logic en_i,
  output logic clk_o
);
`ifdef SYNTHESIS
  DCCA u_dcca (.CLKI(clk_i), .CE(en_i), .CLKO(clk_o));
`else
  logic en;
  always_latch if (!clk_i) en = en_i;
  assign clk_o = clk_i & en;
`endif
endmodule

`ifdef SYNTHESIS
// Cell of the ECP5: CE is taken while CLKI is low.
// verilator lint_off DECLFILENAME // the name is the cell's
(* blackbox *)
module DCCA (
  input  logic CLKI,
  input  logic CE,
  output logic CLKO
);
endmodule
// verilator lint_on DECLFILENAME
`endif
