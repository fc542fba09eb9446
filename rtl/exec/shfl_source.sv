// Source lane of shfl for one lane (docs/microarchitecture.md 9). Without en_i it may be anything.
module shfl_source
  import warp_pkg::*;
(
  input  logic          en_i,
  input  logic [4:0]    lane_i,
  input  shfl_operand_t b_i,
  input  logic [1:0]    mode_i,  // up, down, bfly, idx
  output shfl_source_t  source_o
);
  // One adder for up and down, one for the comparison: of up and of the others its carry is that
  // the limit is reached, that it is passed. The lowest bit of an adder brings the carry in.
  always_comb begin
    logic up;
    logic [4:0] limit;
    // verilator lint_off UNUSEDSIGNAL // bits that only carry
    logic [6:0] sum, past;
    // verilator lint_on UNUSEDSIGNAL
    logic [5:0] j;
    source_o = 'x;
    {up, limit, sum, past, j} = 'x;
    if (en_i) begin
      up = mode_i == 2'd0;
      limit = (lane_i & b_i.seg) | (b_i.clamp & ~b_i.seg);
      sum = {1'b0, lane_i, 1'b1} + {{1'b0, b_i.val} ^ {6{up}}, up};  // negative has bit 5 set
      unique case (mode_i)
        2'd0, 2'd1: j = sum[6:1];
        2'd2:       j = {1'b0, lane_i ^ b_i.val};
        default:    j = {1'b0, (lane_i & b_i.seg) | (b_i.val & ~b_i.seg)};
      endcase
      past = {1'b0, j[4:0], 1'b1} + {1'b0, ~limit, up};
      // At least the limit (up), at most the limit (the others).
      source_o.ok = !j[5] && past[6] == up;
      source_o.lane = j[4:0];
    end
  end
endmodule
