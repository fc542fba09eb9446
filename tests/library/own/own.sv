// A design of its own, made by another Verilator: one step of a 32-bit Galois LFSR per clock.
module own (
  input  logic        clk_i,
  input  logic        load_i,
  input  logic [31:0] seed_i,
  output logic [31:0] state_o
);
  always_ff @(posedge clk_i)
    if (load_i) state_o <= seed_i;
    else state_o <= state_o[0] ? ((state_o >> 1) ^ 32'hA300_0001) : (state_o >> 1);
endmodule
