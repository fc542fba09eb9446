// Declarations of the ECP5 cells that the board instantiates, for Yosys' SystemVerilog frontend; the
// cells themselves are Yosys' (synth_ecp5). Only the ports and parameters that are used. Not for
// simulation: the models of these cells are in fpga/sim.
// One file for both: declarations without content.
(* blackbox *)
module DCCA (
  input  logic CLKI,
  input  logic CE,
  output logic CLKO
);
endmodule

(* blackbox *)
module EHXPLLL #(
  parameter int    CLKI_DIV = 1,
  parameter int    CLKFB_DIV = 1,
  parameter int    CLKOP_DIV = 8,
  parameter int    CLKOP_CPHASE = 0,
  parameter int    CLKOP_FPHASE = 0,
  parameter string FEEDBK_PATH = "CLKOP",
  parameter string CLKOP_ENABLE = "ENABLED",
  parameter string PLLRST_ENA = "DISABLED",
  parameter string INTFB_WAKE = "DISABLED",
  parameter string STDBY_ENABLE = "DISABLED",
  parameter string DPHASE_SOURCE = "DISABLED",
  parameter string OUTDIVIDER_MUXA = "DIVA",
  parameter string OUTDIVIDER_MUXB = "DIVB",
  parameter string OUTDIVIDER_MUXC = "DIVC",
  parameter string OUTDIVIDER_MUXD = "DIVD"
) (
  input  logic CLKI,
  input  logic CLKFB,
  input  logic RST,
  input  logic STDBY,
  input  logic PLLWAKESYNC,
  input  logic ENCLKOP,
  input  logic PHASESEL0,
  input  logic PHASESEL1,
  input  logic PHASEDIR,
  input  logic PHASESTEP,
  input  logic PHASELOADREG,
  output logic CLKOP,
  output logic LOCK
);
endmodule
