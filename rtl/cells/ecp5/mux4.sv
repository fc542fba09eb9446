// One of four words with another word: y = x[sel] | or. Two LUT4 and a PFUMX per bit; a mapping by
// itself takes three LUT4.
module mux4 #(
  parameter int unsigned Width = 32
) (
  input  logic [1:0]       sel_i,
  input  logic [Width-1:0] x_i [4],
  input  logic [Width-1:0] or_i,
  output logic [Width-1:0] y_o
);
  logic [Width-1:0] low, high;
  assign low = (sel_i[0] ? x_i[1] : x_i[0]) | or_i;
  assign high = (sel_i[0] ? x_i[3] : x_i[2]) | or_i;
  for (genvar i = 0; i < Width; i++) begin : gen_bit
    PFUMX u_mux (.ALUT(high[i]), .BLUT(low[i]), .C0(sel_i[1]), .Z(y_o[i]));
  end
endmodule

// Cell of the ECP5: Z = C0 ? ALUT : BLUT, its inputs are LUT4 of the same slice.
// verilator lint_off DECLFILENAME // the name is the cell's
(* blackbox *)
module PFUMX (
  input  logic ALUT,
  input  logic BLUT,
  input  logic C0,
  output logic Z
);
`ifdef VERILATOR
  assign Z = C0 ? ALUT : BLUT;
`endif
endmodule
// verilator lint_on DECLFILENAME
