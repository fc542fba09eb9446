// Multiply and accumulate, one step a clock: while valid_i is 1, sum_o + a_i * b_i, modulo 2^32.
module mac (
    input logic clk_i,
    input logic rst_i,    // synchronous: the sum becomes 0
    input logic valid_i,
    input logic [31:0] a_i,
    input logic [31:0] b_i,
    output logic [31:0] sum_o
);
  always_ff @(posedge clk_i)
    if (rst_i) sum_o <= 32'd0;
    else if (valid_i) sum_o <= sum_o + a_i * b_i;
endmodule
