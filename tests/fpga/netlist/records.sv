// The body of the black box of digest_box.sv: a record of the netlist, to side_gates.cpp.
// verilator lint_off DECLFILENAME // named as the box
module digest_box (
  input logic         clk_i,
  input logic         valid_i,
  input logic [31:0]  kind_i,
  input logic [31:0]  count_i,
  input logic [639:0] words_i
);
  import "DPI-C" function void wl_j_words(input int unsigned kind, input int unsigned count,
                                          input bit [639:0] words);
  always_ff @(posedge clk_i) begin
    if (valid_i) wl_j_words(kind_i, count_i, words_i);
  end
endmodule
