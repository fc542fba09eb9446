// One of several words. Without en_i the result may be anything: where nobody looks, the choice
// costs nothing. With Zero it is zero, which costs an ECP5 nothing unless there are four words.
module word_mux #(
  parameter int unsigned Words = 8,
  parameter int unsigned Width = 32,
  parameter bit Zero = 1'b0
) (
  input  logic                     en_i,
  input  logic [$clog2(Words)-1:0] at_i,
  input  logic [Width-1:0]         x_i [Words],
  output logic [Width-1:0]         y_o
);
  always_comb begin
    y_o = Zero ? '0 : 'x;
    if (en_i) y_o = x_i[at_i];
  end
endmodule
