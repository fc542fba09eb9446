// Cells of ECP5 logic as a netlist of synth_ecp5 has them: look-up table, its wide multiplexers,
// two bits of carry chain, flip-flop, distributed RAM. Written from Lattice FPGA-TN-02200 and
// FPGA-TN-02204 and the cells' parameters; zero delay. A value of a parameter that is not modelled
// ends the simulation.
// verilator lint_off DECLFILENAME // small cells in one file

module LUT4 #(
  parameter logic [15:0] INIT = 16'h0
) (
  input  A, B, C, D,
  output Z
);
  assign Z = INIT[{D, C, B, A}];
endmodule

module PFUMX (
  input  ALUT, BLUT, C0,
  output Z
);
  assign Z = (ALUT & C0) | (BLUT & ~C0);
endmodule

module L6MUX21 (
  input  D0, D1, SD,
  output Z
);
  assign Z = (D1 & SD) | (D0 & ~SD);
endmodule

// Two bits of a carry chain. Each: the sum is the table's value exclusive-or the carry; the carry
// goes on where the table gives 1 (propagate), else it is what the table's low quarter gives for
// A, B. INJECT1 (a carry that is cut off) is not modelled.
module CCU2C #(
  parameter logic [15:0] INIT0 = 16'h0,
  parameter logic [15:0] INIT1 = 16'h0,
  parameter INJECT1_0 = "YES",
  parameter INJECT1_1 = "YES"
) (
  input  CIN,
  input  A0, B0, C0, D0, A1, B1, C1, D1,
  output S0, S1, COUT
);
  wire p0 = INIT0[{D0, C0, B0, A0}];
  wire p1 = INIT1[{D1, C1, B1, A1}];
  wire g0 = INIT0[{2'b00, B0, A0}];
  wire g1 = INIT1[{2'b00, B1, A1}];
  wire carry = (p0 & CIN) | (~p0 & g0);
  assign S0 = p0 ^ CIN;
  assign S1 = p1 ^ carry;
  assign COUT = (p1 & carry) | (~p1 & g1);
  initial begin
    if (INJECT1_0 != "NO" || INJECT1_1 != "NO") begin
      $fatal(1, "CCU2C: INJECT1_0 %s, INJECT1_1 %s is not modelled", INJECT1_0, INJECT1_1);
    end
  end
endmodule

// A register. It starts at any value, so that a missing reset shows (GATES_POWER_UP: with the value
// that the bitstream gives).
module TRELLIS_FF #(
  parameter GSR = "ENABLED",
  parameter CEMUX = "1",
  parameter CLKMUX = "CLK",
  parameter LSRMUX = "LSR",
  parameter SRMODE = "LSR_OVER_CE",
  parameter REGSET = "RESET"
) (
  input      CLK, CE, LSR, DI,
  output reg Q
);
  wire en = (CEMUX == "CE") ? CE : (CEMUX == "INV") ? ~CE : 1'b1;
  localparam logic Set = REGSET == "SET";
  if (CLKMUX == "INV") begin : gen_falling
    always @(negedge CLK) if (LSR | en) Q <= LSR ? Set : DI;
  end else begin : gen_rising
    always @(posedge CLK) if (LSR | en) Q <= LSR ? Set : DI;
  end
`ifdef GATES_POWER_UP
  initial Q = Set;
`endif
  initial begin
    if (GSR != "DISABLED" || LSRMUX != "LSR" || SRMODE != "LSR_OVER_CE" ||
        (CEMUX != "CE" && CEMUX != "INV" && CEMUX != "1") ||
        (CLKMUX != "CLK" && CLKMUX != "INV") || (REGSET != "SET" && REGSET != "RESET")) begin
      $fatal(1, "TRELLIS_FF: GSR %s, CE, CLK, LSRMUX %s %s %s, SRMODE %s, REGSET %s is not modelled",
             GSR, CEMUX, CLKMUX, LSRMUX, SRMODE, REGSET);
    end
  end
endmodule

// 16 rows of 4 bits: written with the clock, read without.
module TRELLIS_DPR16X4 #(
  parameter WCKMUX = "WCK",
  parameter WREMUX = "WRE",
  parameter logic [63:0] INITVAL = 64'h0
) (
  input  [3:0] DI, WAD, RAD,
  input        WRE, WCK,
  output [3:0] DO
);
  reg [3:0] mem [16];
  always @(posedge WCK) if (WRE) mem[WAD] <= DI;
  assign DO = mem[RAD];
  initial begin
    for (int i = 0; i < 16; i++) mem[i] = INITVAL[4*i+:4];
    if (WCKMUX != "WCK" || WREMUX != "WRE") begin
      $fatal(1, "TRELLIS_DPR16X4: WCKMUX %s, WREMUX %s is not modelled", WCKMUX, WREMUX);
    end
  end
endmodule
// verilator lint_on DECLFILENAME
