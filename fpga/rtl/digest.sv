// Fold of one source of journal records (docs/fpga.md 5): of the record of the cycle before, 0 without
// one. The words are taken into registers as they come, and a mask or a missing record is these
// registers' synchronous reset: no look-up table stands before them, and the exclusive or after them
// goes on into that of the signature (signature.sv). The constant costs nothing either: without a
// record, the bits of word Free that meet a 1 of it are 1. Nothing returns to the core.
module digest #(
  parameter int unsigned Kind = 0,  // row of isa/def/journal.def
  parameter int unsigned Words = 1,
  parameter int unsigned Free = 0  // a word of which many bits vary and no mask clears any
) (
  input  logic                clk_i,
  input  logic                valid_i,
  input  logic [32*Words-1:0] words_i,  // word 0 lowest
  output logic [31:0]         fold_o
);
  localparam logic [31:0] Constant = 32'h9e37_79b9;
  // Timing: whether an instruction is fetched arrives late. A register of its own takes the fold
  // away there.
  localparam bit Late = Kind == 32'(wl_pkg::RecordFetch);

  // Word i is rotated left by 5 i + 3: back again.
  function automatic logic [31:0] met(input logic [31:0] value, input int unsigned i);
    for (int unsigned b = 0; b < 32; b++) met[b] = value[(b+5*i+3)%32];
  endfunction
  localparam logic [32*Words-1:0] None = (32*Words)'(met(Constant, Free)) << (32 * Free);

  logic [32*Words-1:0] words_q;
  initial words_q = None;
  always_ff @(posedge clk_i) words_q <= (valid_i || Late) ? words_i : None;
  logic valid_q;
  initial valid_q = 1'b0;
  always_ff @(posedge clk_i) valid_q <= valid_i;

  always_comb begin
    fold_o = Constant;
    for (int unsigned i = 0; i < Words; i++) begin
      for (int unsigned b = 0; b < 32; b++) fold_o[(b+5*i+3)%32] ^= words_q[32*i+b];
    end
    if (Late && !valid_q) fold_o = '0;
  end
endmodule
