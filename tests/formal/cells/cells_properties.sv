// The choices of rtl/cells/cells_pkg.sv against a search that goes one by one.
module cells_properties #(
  localparam int unsigned Width = `WIDTH
) (
  input logic             clk_i,
  input logic [Width-1:0] v_i,
  input logic [Width-1:0] from_i
);
  localparam int unsigned Bits = $clog2(Width);
  typedef cells_pkg::bits #(Width) bits_t;
  logic [Width-1:0] lowest, first, above, others;
  logic [Bits-1:0]  lowest_at, first_at;
  int unsigned      ones;
  always_comb begin
    {lowest, first, above, lowest_at, first_at} = '0;
    ones = 0;
    for (int i = int'(Width) - 1; i >= 0; i--) begin
      if (v_i[i]) begin
        lowest = Width'(1) << i;
        lowest_at = Bits'(i);
        first = lowest;
        first_at = lowest_at;
        ones++;
      end
    end
    for (int i = int'(Width) - 1; i >= 0; i--) begin
      if (v_i[i] && from_i[i]) begin
        first = Width'(1) << i;
        first_at = Bits'(i);
      end
    end
    for (int i = 0; i < int'(Width); i++) above[i] = first != '0 && i > int'(first_at);
    others = v_i & ~lowest;
  end
  always @(posedge clk_i) begin
    a_lowest: assert (bits_t::lowest(v_i) == lowest && bits_t::others(v_i) == others);
    a_many: assert (bits_t::many(v_i) == (ones > 1));
    a_number: assert (bits_t::number(lowest) == lowest_at);
    a_lowest_number: assert (bits_t::lowest_number(v_i) == lowest_at);
    a_number_after: assert (bits_t::number_after(v_i, from_i) == first_at);
    a_first: assert (bits_t::first_after(v_i, from_i).first == first);
    a_above: assert (v_i == '0 || bits_t::first_after(v_i, from_i).above == above);
    c_around: cover (first != '0 && (v_i & from_i) == '0 && from_i[0]);
  end
endmodule
