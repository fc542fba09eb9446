// Bits of a join of redux (docs/microarchitecture.md 9): one of four functions of two words, one
// LUT4 per bit; a module of its own, so that mapping does not take it apart.
module warp_join (
  input  logic [1:0]  fn_i,   // 0 or, 1 xor, 2 y, 3 complement of x
  input  logic [31:0] x_i,
  input  logic [31:0] y_i,
  output logic [31:0] bits_o
);
  always_comb begin
    unique case (fn_i)
      2'd0:    bits_o = x_i | y_i;
      2'd1:    bits_o = x_i ^ y_i;
      2'd2:    bits_o = y_i;
      default: bits_o = ~x_i;
    endcase
  end
endmodule
