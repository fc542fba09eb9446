// Stands in for rtl/cells/*/word_mux.sv in the proof of the order point: the same choice, without its gates.
module word_mux #(
  parameter int unsigned Words = 8,
  parameter int unsigned Width = 32
) (
  input  logic                     en_i,
  input  logic [$clog2(Words)-1:0] at_i,
  input  logic [Width-1:0]         x_i [Words],
  output logic [Width-1:0]         y_o
);
  assign y_o = x_i[at_i];
endmodule
