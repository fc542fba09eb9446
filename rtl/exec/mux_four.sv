// One word out of four in two LUT4 per bit: the first gives one of two words or, where neither is
// meant, the lower bit of the number, by which the second chooses among the other two. Two modules,
// so that mapping does not join them to a larger table.
module mux_four #(
  parameter int unsigned Width = 32
) (
  input  logic [1:0]       at_i,
  input  logic [Width-1:0] x_i [4],
  output logic [Width-1:0] y_o
);
  logic [Width-1:0] low;
  mux_four_low #(.Width(Width)) u_low (.at_i, .a_i(x_i[0]), .b_i(x_i[1]), .y_o(low));
  always_comb begin
    for (int unsigned i = 0; i < Width; i++) begin
      y_o[i] = at_i[1] ? (low[i] ? x_i[3][i] : x_i[2][i]) : low[i];
    end
  end
endmodule
