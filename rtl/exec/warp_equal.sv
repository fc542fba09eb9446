// Lanes of a row that hold a value (docs/microarchitecture.md 9, match). A module of its own so that
// the choice of the value is not made again in every comparator.
module warp_equal
  import config_pkg::Lanes;
(
  input  logic             en_i,      // result is zero without (simulation only)
  input  logic [31:0]      value_i,
  input  logic [31:0]      row_i [Lanes],
  output logic [Lanes-1:0] equal_o
);
`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif
  always_comb begin
    equal_o = '0;
    if (en_i || Always) begin
      for (int unsigned k = 0; k < Lanes; k++) equal_o[k] = value_i == row_i[k];
    end
  end
endmodule
