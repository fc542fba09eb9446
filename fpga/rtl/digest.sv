// Fold of one source of journal records (docs/fpga.md 5): of the record of the cycle before, 0 without
// one. The words are taken into registers as they come, and a mask or a missing record is these
// registers' synchronous reset: no look-up table stands before them, and the exclusive or behind them
// goes on into that of the signature (signature.sv). They begin as 0; nothing returns to the core.
module digest #(
  parameter int unsigned Words = 1
) (
  input  logic                clk_i,
  input  logic                valid_i,
  input  logic [32*Words-1:0] words_i,  // word 0 lowest
  output logic [31:0]         fold_o
);
  logic                valid_q;
  logic [32*Words-1:0] words_q;
  initial begin
    valid_q = 1'b0;
    words_q = '0;
  end

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    words_q <= valid_i ? words_i : '0;
  end

  always_comb begin
    fold_o = valid_q ? 32'h9e37_79b9 : '0;
    for (int unsigned i = 0; i < Words; i++) begin
      // Rotated left by 5 i + 3.
      for (int unsigned b = 0; b < 32; b++) fold_o[(b+5*i+3)%32] ^= words_q[32*i+b];
    end
  end
endmodule
