// One of 2^Bits words.
module mux_tree #(
  parameter int unsigned Width = 32,
  parameter int unsigned Bits = 3  // 2 to 4
) (
  input  logic [Bits-1:0]  sel_i,
  input  logic [Width-1:0] x_i [1 << Bits],
  output logic [Width-1:0] y_o
);
  assign y_o = x_i[sel_i];
endmodule
