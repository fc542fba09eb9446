// Left shift until the highest bit is one, by limit_i at most. The bits that follow the last one
// are fill_i without end; of zero without ones after it 2^Bits - 1 leading zeros count. lost_o: a
// bit after the Out highest of the result is not fill_i. Without en_i the results may be anything.
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
  localparam int unsigned All = 1 << Bits;
  always_comb begin
    logic [All-1:0] x, n;
    y_o = 'x;
    count_o = 'x;
    lost_o = 'x;
    x = 'x;
    n = 'x;
    if (en_i) begin
      x = {x_i, {(All-In){fill_i}}};
      n = x;
      for (int k = int'(Bits) - 1; k >= 0; k--) begin
        count_o[k] = n >> (All - (1 << k)) == '0;
        if (count_o[k]) n <<= 1 << k;
      end
      if (limit_i < LimitBits'(count_o)) count_o = limit_i[Bits-1:0];
      n = ((x ^ {All{fill_i}}) << count_o) ^ {All{fill_i}};
      y_o = n[All-1-:Out];
      lost_o = n[All-Out-1:0] != {(All-Out){fill_i}};
    end
  end
endmodule
