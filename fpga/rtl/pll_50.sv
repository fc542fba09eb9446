// 25 MHz to 50 MHz: the ECP5's PLL with its output as feedback. The oscillator inside runs at
// 25 MHz * 2 (feedback) * 12 (output) = 600 MHz, within its 400 to 800 MHz.
module pll_50 (
  input  logic clk_25_i,
  output logic clk_50_o,
  output logic locked_o
);
`ifdef SYNTHESIS
  (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "50" *)
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8" *)
  EHXPLLL #(
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"),
    .DPHASE_SOURCE("DISABLED"), .FEEDBK_PATH("CLKOP"),
    .CLKI_DIV(1), .CLKFB_DIV(2),
    .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(12), .CLKOP_CPHASE(5), .CLKOP_FPHASE(0),
    .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"),
    .OUTDIVIDER_MUXD("DIVD")
  ) u_pll (
    .CLKI(clk_25_i), .CLKFB(clk_50_o), .CLKOP(clk_50_o), .LOCK(locked_o),
    .RST(1'b0), .STDBY(1'b0), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1),
    .PHASELOADREG(1'b1)
  );
`else
  // Simulation needs one clock only.
  assign clk_50_o = clk_25_i;
  assign locked_o = 1'b1;
`endif
endmodule
