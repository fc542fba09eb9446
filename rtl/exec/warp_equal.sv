// Values that equal those of each lane of a row (docs/microarchitecture.md 9, match).
module warp_equal
  import config_pkg::Lanes;
#(
  parameter int unsigned Values = 2
) (
  input  logic              en_i,  // without it the result may be anything
  input  logic [31:0]       value_i [Values],
  input  logic [31:0]       row_i [Lanes],
  output logic [Values-1:0] equal_o [Lanes]
);
  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) begin
      equal_o[p] = 'x;
      if (en_i) begin
        for (int unsigned k = 0; k < Values; k++) equal_o[p][k] = value_i[k] == row_i[p];
      end
    end
  end
endmodule
