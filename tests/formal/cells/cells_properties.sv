// The choices of rtl/cells/cells_pkg.sv against a search that goes one by one.
module cells_properties
  import cells_pkg::*;
(
  input logic        clk_i,
  input logic [63:0] v_i,
  input logic [63:0] from_i
);
  logic [63:0] first_one, first, above;
  logic [5:0]  first_one_at, first_at;
  choice_t     choice;
  logic [63:0] lowest_one, other_ones;
  logic [5:0]  at, after_at;
  always_comb begin
    {first_one, first, above, first_one_at, first_at} = '0;
    for (int i = 63; i >= 0; i--) begin
      if (v_i[i]) begin
        first_one = 64'd1 << i;
        first_one_at = 6'(i);
      end
    end
    first = first_one;
    first_at = first_one_at;
    for (int i = 63; i >= 0; i--) begin
      if (v_i[i] && from_i[i]) begin
        first = 64'd1 << i;
        first_at = 6'(i);
      end
    end
    for (int i = 0; i < 64; i++) above[i] = i > int'(first_at);
    choice = first_after(v_i, from_i);
    lowest_one = lowest(v_i);
    other_ones = others(v_i);
    at = number(first_one);
    after_at = number(first);
  end
  always @(posedge clk_i) begin
    a_lowest: assert (lowest_one == first_one);
    a_others: assert (other_ones == (v_i & ~first_one));
    a_number: assert (at == first_one_at && after_at == first_at);
    a_first: assert (choice.first == first && (v_i == '0 || choice.above == above));
    c_around: cover (first != '0 && (v_i & from_i) == '0 && from_i[0]);
  end
endmodule
