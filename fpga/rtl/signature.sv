// Signature of one kind of journal records (docs/fpga.md 5), a MISR: what the folds of all its sources
// make together goes in. Begins as 0, without a reset.
module signature (
  input  logic        clk_i,
  input  logic [31:0] fold_i,
  output logic [31:0] sig_o
);
  initial sig_o = '0;
  always_ff @(posedge clk_i) begin
    sig_o <= {sig_o[30:0], 1'b0} ^ (sig_o[31] ? 32'h04c1_1db7 : '0) ^ fold_i;
  end
endmodule
