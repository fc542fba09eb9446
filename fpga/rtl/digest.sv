// Signature of one source of journal records (docs/fpga.md 5): the fold of the record of the cycle
// before, then the MISR. Two registers without reset that begin as 0; nothing returns to the core.
module digest #(
  // verilator lint_off UNUSEDPARAM // tells whose words these are, for another body
  parameter int unsigned Kind = 0,  // row of isa/def/journal.def
  // verilator lint_on UNUSEDPARAM
  parameter int unsigned Words = 1
) (
  input  logic                clk_i,
  input  logic                valid_i,
  input  logic [32*Words-1:0] words_i,  // word 0 lowest
  output logic [31:0]         sig_o
);
  logic [31:0] fold, fold_q, sig_q;
  initial begin
    fold_q = '0;
    sig_q = '0;
  end

  always_comb begin
    fold = 32'h9e37_79b9;
    for (int unsigned i = 0; i < Words; i++) begin
      // Rotated left by 5 i + 3.
      for (int unsigned b = 0; b < 32; b++) fold[(b+5*i+3)%32] ^= words_i[32*i+b];
    end
  end

  always_ff @(posedge clk_i) begin
    fold_q <= valid_i ? fold : '0;
    sig_q <= {sig_q[30:0], 1'b0} ^ (sig_q[31] ? 32'h04c1_1db7 : '0) ^ fold_q;
  end
  assign sig_o = sig_q;
endmodule
