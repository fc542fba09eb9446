// One of several words. Without en_i the result may be anything: where nobody looks, the choice
// costs nothing.
module word_mux #(
  parameter int unsigned Words = 8,
  parameter int unsigned Width = 32
) (
  input  logic                     en_i,
  input  logic [$clog2(Words)-1:0] at_i,
  input  logic [Width-1:0]         x_i [Words],
  output logic [Width-1:0]         y_o
);
  always_comb begin
    y_o = 'x;
    if (en_i) y_o = x_i[at_i];
  end
endmodule
