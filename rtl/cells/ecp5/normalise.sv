// Register of a word, inverted with inv_i, shifted to the left until the highest bit is one, but by
// limit_i at most. The bits that follow the last one are inv_i without end; of zero without ones
// after it 2^Bits - 1 leading zeros count. left_o: what is left of the limit. lost_o: a bit after
// the Out highest of the result is not inv_i.
// Count and shift are one chain of steps. A step is taken if its leading bits are zero and the
// limit allows it; a step refused only for its bits shows that the limit is not reached.
module normalise #(
  parameter int unsigned In = 52,
  parameter int unsigned Out = 26,
  parameter int unsigned Bits = 6,  // of the count: 2^Bits > In
  parameter int unsigned LimitBits = 10
) (
  input  logic                 clk_i,
  input  logic                 en_i,
  input  logic [In-1:0]        x_i,
  input  logic                 inv_i,
  input  logic [LimitBits-1:0] limit_i,
  output logic [Out-1:0]       y_o,
  output logic [LimitBits-1:0] left_o,
  output logic                 lost_o
);
  localparam int unsigned All = Out + (1 << Bits) - 1;
  logic [Out-1:0] y_q;
  logic [LimitBits-1:0] left_q;
  logic lost_q;
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      logic [All-1:0] n, ones;
      logic [Bits-1:0] count;
      logic free, clear, lost;
      n = {x_i, {(All-In){1'b0}}} ^ {All{inv_i}};
      lost = 1'b0;
      free = limit_i[LimitBits-1:Bits] != '0;
      for (int k = int'(Bits) - 1; k >= 0; k--) begin
        ones = {All{1'b1}} << (1 << k);
        clear = n >> (All - (1 << k)) == '0;
        count[k] = clear && (free || limit_i[k]);
        free = free || (limit_i[k] && !clear);
        // Of the bits that are left, Out + 2^(k+1) - 1, the low 2^k are passed over if not taken.
        if (count[k]) n = (n << (1 << k)) | ({All{inv_i}} & ~ones);
        else lost |= (((n ^ {All{inv_i}}) >> (All - Out + 1 - (2 << k))) & ~ones) != '0;
      end
      y_q <= n[All-1-:Out];
      left_q <= limit_i - LimitBits'(count);
      lost_q <= lost;
    end
  end
  assign y_o = y_q;
  assign left_o = left_q;
  assign lost_o = lost_q;
endmodule
