// One of four words with another word: y = x[sel] | or.
module mux4 #(
  parameter int unsigned Width = 32
) (
  input  logic [1:0]       sel_i,
  input  logic [Width-1:0] x_i [4],
  input  logic [Width-1:0] or_i,
  output logic [Width-1:0] y_o
);
  assign y_o = (sel_i[1] ? (sel_i[0] ? x_i[3] : x_i[2]) : (sel_i[0] ? x_i[1] : x_i[0])) | or_i;
endmodule
