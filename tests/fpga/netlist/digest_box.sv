// In the place of fpga/rtl/digest.sv: synthesis keeps a box without a body, so that the netlist gives
// out the words that would go into a signature. records.sv is the box's body in simulation.
// The box has no parameters: Yosys does not give any to a black box that comes from read_slang.
// verilator lint_off DECLFILENAME // two that are one thing
(* blackbox *)
module digest_box (
  input  logic         clk_i,
  input  logic         valid_i,
  input  logic [31:0]  kind_i,
  input  logic [31:0]  count_i,
  input  logic [639:0] words_i
);
endmodule

module digest #(
  parameter int unsigned Kind = 0,
  parameter int unsigned Words = 1,
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned Free = 0
  // verilator lint_on UNUSEDPARAM
) (
  input  logic                clk_i,
  input  logic                valid_i,
  input  logic [32*Words-1:0] words_i,
  output logic [31:0]         fold_o
);
  if (Words > 20) begin : gen_too_many
    $error("a record of more than 20 words: widen digest_box here and in records.sv");
  end
  (* keep *) digest_box u_box (
    .clk_i, .valid_i, .kind_i(Kind), .count_i(Words), .words_i(640'(words_i))
  );
  assign fold_o = '0;
endmodule
