// Register of a word, inverted with inv_i, shifted to the left until the highest bit is one, but by
// limit_i at most. The bits that follow the last one are inv_i without end; of zero without ones
// after it 2^Bits - 1 leading zeros count. left_o: what is left of the limit. lost_o: a bit after
// the Out highest of the result is not inv_i.
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
  localparam int unsigned All = 1 << Bits;
  logic [Out-1:0] y_q;
  logic [LimitBits-1:0] left_q;
  logic lost_q;
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      logic [All-1:0] x, n;
      logic [Bits-1:0] count;
      x = {x_i, {(All-In){1'b0}}};
      n = x ^ {All{inv_i}};
      for (int k = int'(Bits) - 1; k >= 0; k--) begin
        count[k] = n >> (All - (1 << k)) == '0;
        if (count[k]) n <<= 1 << k;
      end
      if (limit_i < LimitBits'(count)) count = limit_i[Bits-1:0];
      n = (x << count) ^ {All{inv_i}};
      y_q <= n[All-1-:Out];
      left_q <= limit_i - LimitBits'(count);
      lost_q <= n[All-Out-1:0] != {(All-Out){inv_i}};
    end
  end
  assign y_o = y_q;
  assign left_o = left_q;
  assign lost_o = lost_q;
endmodule
