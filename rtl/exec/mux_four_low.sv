// First half of mux_four: a or b where at is 0 or 1, else the lower bit of at in every place.
module mux_four_low #(
  parameter int unsigned Width = 32
) (
  input  logic [1:0]       at_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] y_o
);
  assign y_o = at_i[1] ? {Width{at_i[0]}} : at_i[0] ? b_i : a_i;
endmodule
