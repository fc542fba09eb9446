// MULT18X18D: 18 x 18 multiplier, each operand signed or not, without registers
// (all REG_*_CLK "NONE"), without operands from a neighbour. Lattice FPGA-TN-02205. Any other
// setting ends the simulation. Outputs to neighbours are not there.

module MULT18X18D #(
  parameter REG_INPUTA_CLK = "NONE",
  parameter REG_INPUTB_CLK = "NONE",
  parameter REG_INPUTC_CLK = "NONE",
  parameter REG_PIPELINE_CLK = "NONE",
  parameter REG_OUTPUT_CLK = "NONE",
  parameter MULT_BYPASS = "DISABLED"
) (
  input
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
  input
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
  // verilator lint_off UNUSEDSIGNAL // C goes to a neighbour only
  input
    C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
  // verilator lint_on UNUSEDSIGNAL
  input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
    P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);
  wire [17:0] a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  // As signed numbers of 19 bits; 36 bits of their product are the product in each case.
  wire signed [35:0] wide_a = {{18{SIGNEDA & a[17]}}, a};
  wire signed [35:0] wide_b = {{18{SIGNEDB & b[17]}}, b};
  wire [35:0] p = wide_a * wide_b;
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
    P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = p;

  initial begin
    if (REG_INPUTA_CLK != "NONE" || REG_INPUTB_CLK != "NONE" || REG_INPUTC_CLK != "NONE" ||
        REG_PIPELINE_CLK != "NONE" || REG_OUTPUT_CLK != "NONE" || MULT_BYPASS != "DISABLED") begin
      $fatal(1, "MULT18X18D: REG_x_CLK of A %s B %s C %s PIPELINE %s OUTPUT %s, bypass %s is not modelled",
             REG_INPUTA_CLK, REG_INPUTB_CLK, REG_INPUTC_CLK, REG_PIPELINE_CLK, REG_OUTPUT_CLK,
             MULT_BYPASS);
    end
    if (SOURCEA || SOURCEB) $fatal(1, "MULT18X18D: an operand from a neighbour is not modelled");
  end
endmodule
