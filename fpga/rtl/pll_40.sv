// 25 MHz to 40 MHz: the ECP5's PLL with its output as feedback. The oscillator inside runs at
// 25 MHz / 5 (reference) * 8 (feedback) * 15 (output) = 600 MHz, within its 400 to 800 MHz.
module pll_40 (
  input  logic clk_25_i,
  output logic clk_40_o,
  output logic locked_o
);
`ifdef SYNTHESIS
  (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "40" *)
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8" *)
  EHXPLLL #(
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"),
    .DPHASE_SOURCE("DISABLED"), .FEEDBK_PATH("CLKOP"),
    .CLKI_DIV(5), .CLKFB_DIV(8),
    .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(15), .CLKOP_CPHASE(7), .CLKOP_FPHASE(0),
    .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"),
    .OUTDIVIDER_MUXD("DIVD")
  ) u_pll (
    .CLKI(clk_25_i), .CLKFB(clk_40_o), .CLKOP(clk_40_o), .LOCK(locked_o),
    .RST(1'b0), .STDBY(1'b0), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1),
    .PHASELOADREG(1'b1)
  );
`else
  // Simulation needs one clock only.
  assign clk_40_o = clk_25_i;
  assign locked_o = 1'b1;
`endif
endmodule

`ifdef SYNTHESIS
// Cell of the ECP5, as far as it is used here.
// verilator lint_off DECLFILENAME // the name is the cell's
// verilator lint_off UNUSEDPARAM // a black box
(* blackbox *)
module EHXPLLL #(
  parameter PLLRST_ENA = "DISABLED",
  parameter INTFB_WAKE = "DISABLED",
  parameter STDBY_ENABLE = "DISABLED",
  parameter DPHASE_SOURCE = "DISABLED",
  parameter FEEDBK_PATH = "CLKOP",
  parameter CLKI_DIV = 1,
  parameter CLKFB_DIV = 1,
  parameter CLKOP_ENABLE = "ENABLED",
  parameter CLKOP_DIV = 8,
  parameter CLKOP_CPHASE = 0,
  parameter CLKOP_FPHASE = 0,
  parameter OUTDIVIDER_MUXA = "DIVA",
  parameter OUTDIVIDER_MUXB = "DIVB",
  parameter OUTDIVIDER_MUXC = "DIVC",
  parameter OUTDIVIDER_MUXD = "DIVD"
) (
  input  logic CLKI,
  input  logic CLKFB,
  output logic CLKOP,
  output logic LOCK,
  input  logic RST,
  input  logic STDBY,
  input  logic PLLWAKESYNC,
  input  logic ENCLKOP,
  input  logic PHASESEL0,
  input  logic PHASESEL1,
  input  logic PHASEDIR,
  input  logic PHASESTEP,
  input  logic PHASELOADREG
);
endmodule
// verilator lint_on UNUSEDPARAM
// verilator lint_on DECLFILENAME
`endif
