// Register of In bits shifted to the right by less than 2^Bits, of which the low Out bits are
// wanted. It is written with en_i, and cleared with zero_i as well. With Sticky lost_o tells
// whether a one was shifted out. Steps of 16 and more are multiplexers. The rest, right by n, is a product
// of each 17 bits with 2^(17 - n): its high half, joined with the low half of the next product. The
// halves are registers of their own, which meet in the logic that follows.
module shift_right #(
  parameter int unsigned In = 63,
  parameter int unsigned Out = 32,
  parameter int unsigned Bits = 5,
  parameter bit Sticky = 1'b0
) (
  input  logic            clk_i,
  input  logic            en_i,
  input  logic            zero_i,
  input  logic [Bits-1:0] amount_i,
  input  logic [In-1:0]   x_i,
  output logic [Out-1:0]  y_o,
  output logic            lost_o
);
  localparam int unsigned Chunk = 17;
  localparam int unsigned Low = (In < Out + 15) ? In : Out + 15;  // bits that the products need
  localparam int unsigned Chunks = (Low + Chunk - 1) / Chunk;
  localparam int unsigned Joined = (Chunk * Chunks > Out) ? Chunk * Chunks : Out;

  // verilator lint_off UNUSEDSIGNAL // bits above the result
  logic [Joined-1:0] high_q, next_q;
  // verilator lint_on UNUSEDSIGNAL
  logic lost_q;
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      logic [In-1:0] coarse;
      logic [Chunk:0] power;
      logic [15:0] tail;
      logic [2*Chunk-1:0] product;
      logic lost;
      coarse = x_i;
      lost = 1'b0;
      for (int k = int'(Bits) - 1; k >= 4; k--) begin
        if (amount_i[k]) begin
          lost |= (coarse & ~({In{1'b1}} << (1 << k))) != '0;
          coarse = coarse >> (1 << k);
        end
      end
      for (int unsigned k = 0; k <= Chunk; k++) power[k] = 5'(amount_i[3:0]) == 5'(Chunk - k);
      for (int unsigned k = 0; k < 16; k++) tail[k] = 4'(k) < amount_i[3:0];
      lost_q <= lost || (coarse[15:0] & tail) != '0;
      high_q <= '0;
      next_q <= '0;
      for (int unsigned i = 0; i < Chunks; i++) begin
        product = (2*Chunk)'(Chunk'(Low'(coarse) >> (Chunk * i))) * (2*Chunk)'(power);
        high_q[Chunk*i+:Chunk] <= product[2*Chunk-1:Chunk];
        if (i > 0) next_q[Chunk*(i-1)+:Chunk] <= product[Chunk-1:0];
      end
      if (zero_i) begin
        high_q <= '0;
        next_q <= '0;
        lost_q <= 1'b0;
      end
    end
  end
  assign y_o = high_q[Out-1:0] | next_q[Out-1:0];
  assign lost_o = Sticky && lost_q;
endmodule
