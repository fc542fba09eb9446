// Register of In bits shifted to the right by less than 2^Bits, of which the low Out bits are
// wanted. It is written with en_i, and cleared with zero_i as well. With Sticky lost_o tells
// whether a one was shifted out.
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
  logic [Out-1:0] y_q;
  logic lost_q;
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      if (zero_i) begin
        y_q <= '0;
        lost_q <= 1'b0;
      end else begin
        logic [In-1:0] x;
        logic [Bits-1:0] amount;
        x = x_i;
        amount = amount_i;
        y_q <= Out'(x >> amount);
        if (Sticky) lost_q <= (x >> amount) << amount != x;
      end
    end
  end
  assign y_o = y_q;
  assign lost_o = Sticky && lost_q;
endmodule
