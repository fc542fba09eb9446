// Right shift of In bits by less than 2^Bits, of which the low Out bits are wanted. With Sticky
// lost_o tells whether a one was shifted out. Without en_i the result is zero, so that results of
// several units meet in an OR. Steps of 16 and more are multiplexers. The rest, right by n, is a
// product of each 17 bits with 2^(17 - n): its high half, joined with the low half of the next one.
module shift_right #(
  parameter int unsigned In = 63,
  parameter int unsigned Out = 32,
  parameter int unsigned Bits = 5,
  parameter bit Sticky = 1'b0
) (
  input  logic            en_i,
  input  logic [Bits-1:0] amount_i,
  input  logic [In-1:0]   x_i,
  output logic [Out-1:0]  y_o,
  output logic            lost_o
);
  localparam int unsigned Chunk = 17;
  localparam int unsigned Low = (In < Out + 15) ? In : Out + 15;  // bits that the products need
  localparam int unsigned Chunks = (Low + Chunk - 1) / Chunk;
  localparam int unsigned Joined = (Chunk * Chunks > Out) ? Chunk * Chunks : Out;

  // verilator lint_off UNUSEDSIGNAL // nothing precedes the first bits
  logic [2*Chunk-1:0] product [Chunks+1];
  logic [Joined-1:0]  joined;
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin
    logic [In-1:0] coarse;
    logic [Chunk:0] power;
    logic [15:0] tail;
    coarse = x_i;
    lost_o = 1'b0;
    for (int k = int'(Bits) - 1; k >= 4; k--) begin
      if (amount_i[k]) begin
        if (Sticky) lost_o |= (coarse & ~({In{1'b1}} << (1 << k))) != '0;
        coarse = coarse >> (1 << k);
      end
    end
    for (int unsigned k = 0; k <= Chunk; k++) begin
      power[k] = en_i && 5'(amount_i[3:0]) == 5'(Chunk - k);
    end
    for (int unsigned k = 0; k < 16; k++) tail[k] = 4'(k) < amount_i[3:0];
    if (Sticky) lost_o = en_i && (lost_o || (coarse[15:0] & tail) != '0);
    for (int unsigned i = 0; i < Chunks; i++) begin
      product[i] = (2*Chunk)'(Chunk'(Low'(coarse) >> (Chunk * i))) * (2*Chunk)'(power);
    end
    product[Chunks] = '0;
    joined = '0;
    for (int unsigned i = 0; i < Chunks; i++) begin
      joined[Chunk*i+:Chunk] = product[i][2*Chunk-1:Chunk] | product[i+1][Chunk-1:0];
    end
    y_o = joined[Out-1:0];
  end
endmodule
