// One of four words with another word: y = x[sel] | or.
module mux4 #(
  parameter int unsigned Width = 32
) (
  input  logic [1:0]       sel_i,
  input  logic [Width-1:0] x_i [4],
  input  logic [Width-1:0] or_i,
  output logic [Width-1:0] y_o
);
  assign y_o = x_i[sel_i] | or_i;
endmodule
