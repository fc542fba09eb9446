// Sum of the aligned operands (docs/microarchitecture.md 6.4, exec/fp32), s3 to s4. If it is
// negative, its inverse is the magnitude less one: that is taken as followed by ones without end,
// and fp_round adds the one.
module fp_add
  import exec_pkg::*;
#(
  parameter int unsigned Exp = 8,
  parameter int unsigned Sig = 24,
  localparam int unsigned Frame = 2 * Sig + 3
) (
  input  logic             clk_i,
  input  logic             en3_i,
  input  logic             int3_i,    // an integer: the sum may be negative
  input  logic [Frame-1:0] big3_i,
  input  logic [Frame-1:0] small3_i,
  input  logic [Frame:0]   int_word3_i,  // in the frame, zero if it is none
  input  logic [Exp:0]     exp3_i,
  input  fp_kind_t         kind3_i,
  output logic [Frame:0]   sum4_o,
  output logic             inv4_o,    // it is negative
  output logic [Exp+1:0]   limit4_o,  // of normalisation: not below exponent 1
  output fp_kind_t         kind4_o
);
  logic [Frame:0] sum4_q;
  logic inv4_q;
  logic [Exp+1:0] limit4_q;
  fp_kind_t kind4_q;
  always_ff @(posedge clk_i) begin
    if (en3_i) begin
      logic [Frame:0] total;
      logic minus;
      total = {1'b0, big3_i} + (({1'b0, small3_i} | int_word3_i) ^ {(Frame+1){kind3_i.sub}}) +
              (Frame+1)'(kind3_i.sub);
      minus = (kind3_i.sub || int3_i) && total[Frame];
      sum4_q <= total;
      inv4_q <= minus;
      limit4_q <= (Exp+2)'(exp3_i) + (Exp+2)'(1);
      kind4_q <= kind3_i;
      kind4_q.neg <= kind3_i.neg ^ minus;
    end
  end
  assign sum4_o = sum4_q;
  assign inv4_o = inv4_q;
  assign limit4_o = limit4_q;
  assign kind4_o = kind4_q;
endmodule
