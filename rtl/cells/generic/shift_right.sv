// Right shift of In bits by less than 2^Bits, of which the low Out bits are wanted. With Sticky
// lost_o tells whether a one was shifted out. Without en_i the result is zero, so that results of
// several units meet in an OR.
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
  always_comb begin
    y_o = '0;
    lost_o = 1'b0;
    if (en_i) begin
      y_o = Out'(x_i >> amount_i);
      if (Sticky) lost_o = (x_i >> amount_i) << amount_i != x_i;
    end
  end
endmodule
