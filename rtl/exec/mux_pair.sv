// Two words, one of them or zero: one LUT4 per bit. Wide multiplexers in gates are an OR of these;
// a module of its own, so that mapping for least delay does not make them of larger tables.
module mux_pair #(
  parameter int unsigned Width = 32
) (
  input  logic             en_i,
  input  logic             sel_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] y_o
);
  assign y_o = (sel_i ? b_i : a_i) & {Width{en_i}};
endmodule
