// Left shift until the highest bit is one, by limit_i at most. The bits that follow the last one
// are fill_i without end; of zero without ones after it 2^Bits - 1 leading zeros count. lost_o: a
// bit after the Out highest of the result is not fill_i. Without en_i the results may be anything.
// Count and shift are one chain of steps. A step is taken if its leading bits are zero and the limit
// allows it; a step refused only for its bits shows that the limit is not reached.
module normalise #(
  parameter int unsigned In = 52,
  parameter int unsigned Out = 26,
  parameter int unsigned Bits = 6,  // of the count: 2^Bits > In
  parameter int unsigned LimitBits = 10
) (
  input  logic                 en_i,
  input  logic [In-1:0]        x_i,
  input  logic                 fill_i,
  input  logic [LimitBits-1:0] limit_i,
  output logic [Out-1:0]       y_o,
  output logic [Bits-1:0]      count_o,
  output logic                 lost_o
);
  localparam int unsigned All = Out + (1 << Bits) - 1;
  always_comb begin
    logic [All-1:0] n, ones;
    logic free, clear;
    n = {x_i, {(All-In){fill_i}}};
    lost_o = 1'b0;
    free = limit_i[LimitBits-1:Bits] != '0;
    for (int k = int'(Bits) - 1; k >= 0; k--) begin
      ones = {All{1'b1}} << (1 << k);
      clear = n >> (All - (1 << k)) == '0;
      count_o[k] = clear && (free || limit_i[k]);
      free = free || (limit_i[k] && !clear);
      // Of the bits that are left, Out + 2^(k+1) - 1, the low 2^k are passed over if not taken.
      if (count_o[k]) n = (n << (1 << k)) | ({All{fill_i}} & ~ones);
      else lost_o |= (((n ^ {All{fill_i}}) >> (All - Out + 1 - (2 << k))) & ~ones) != '0;
    end
    y_o = n[All-1-:Out];
  end
  logic unused;
  assign unused = en_i;
endmodule
