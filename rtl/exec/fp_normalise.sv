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
  input  logic [1:0]     rnd_i,
  input  logic           ftz_i,
  input  logic [Frame:0] sum4_i,
  input  logic           inv4_i,
  input  logic [Exp+1:0] limit4_i,
  input  fp_kind_t       kind4_i,
  output logic [Sig+1:0] norm5_o,    // significand, guard, next
  output logic           sticky5_o,  // a bit after them is not as inv5_o
  output logic           inv5_o,
  output logic [Exp+1:0] exp5_o,     // exponent field that goes with a significand below 1.0
  output fp_kind_t       kind5_o,
  output fp_round_t      round5_o
);
  localparam int unsigned Steps = $clog2(Frame + 1);
  logic [Sig+1:0] norm4;
  logic [Steps-1:0] count4;
  logic lost4;
  normalise #(.In(Frame + 1), .Out(Sig + 2), .Bits(Steps), .LimitBits(Exp + 2)) u_normalise (
    .en_i(en4_i), .x_i(sum4_i ^ {(Frame+1){inv4_i}}), .fill_i(inv4_i), .limit_i(limit4_i),
    .y_o(norm4), .count_o(count4), .lost_o(lost4)
  );

  logic [Sig+1:0] norm5_q;
  logic sticky5_q, inv5_q;
  logic [Exp+1:0] exp5_q;
  fp_kind_t kind5_q;
  fp_round_t round5_q;
  always_ff @(posedge clk_i) begin
    if (en4_i) begin
      logic zero, neg;
      norm5_q <= norm4;
      sticky5_q <= lost4;
      inv5_q <= inv4_i;
      exp5_q <= limit4_i - (Exp+2)'(count4);
      zero = norm4 == '0 && !lost4 && !inv4_i;
      neg = (kind4_i.sub && zero) ? rnd_i == RndDown : kind4_i.neg;
      kind5_q <= kind4_i;
      kind5_q.neg <= neg;
      // Rounding does not count for a NaN, nor flushing for an infinity.
      round5_q.zero <= zero;
      round5_q.nearest <= rnd_i == RndNearest && !kind4_i.nan;
      round5_q.away <= rnd_i != RndZero && ((rnd_i == RndDown) ? neg : !neg);
      round5_q.ftz <= ftz_i && !kind4_i.inf;
    end
  end
  assign norm5_o = norm5_q;
  assign sticky5_o = sticky5_q;
  assign inv5_o = inv5_q;
  assign exp5_o = exp5_q;
  assign kind5_o = kind5_q;
  assign round5_o = round5_q;
endmodule
