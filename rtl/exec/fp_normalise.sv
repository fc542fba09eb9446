// Normalisation (docs/microarchitecture.md 6.4, exec/fp32), s4 to s5, not below exponent 1: results
// that are subnormal need no second shift.
module fp_normalise
  import exec_pkg::*;
#(
  parameter int unsigned Exp = 8,
  parameter int unsigned Sig = 24,
  localparam int unsigned Frame = 2 * Sig + 3
) (
  input  logic           clk_i,
  input  logic           en4_i,
  input  logic [Frame:0] sum4_i,
  input  logic           inv4_i,
  input  logic [Exp+1:0] limit4_i,
  input  fp_kind_t       kind4_i,
  output logic [Sig+1:0] norm5_o,    // significand, guard, next
  output logic           sticky5_o,  // a bit after them is not as inv5_o
  output logic           inv5_o,
  output logic [Exp+1:0] exp5_o,     // exponent field that goes with a significand below 1.0
  output fp_kind_t       kind5_o
);
  normalise #(
    .In(Frame + 1), .Out(Sig + 2), .Bits($clog2(Frame + 1)), .LimitBits(Exp + 2)
  ) u_normalise (
    .clk_i, .en_i(en4_i), .x_i(sum4_i), .inv_i(inv4_i),
    .limit_i(limit4_i), .y_o(norm5_o), .left_o(exp5_o), .lost_o(sticky5_o)
  );

  logic inv5_q;
  fp_kind_t kind5_q;
  always_ff @(posedge clk_i) begin
    if (en4_i) begin
      inv5_q <= inv4_i;
      kind5_q <= kind4_i;
    end
  end
  assign inv5_o = inv5_q;
  assign kind5_o = kind5_q;
endmodule
