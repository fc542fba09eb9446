// One operand of a conversion from f32 to f16 or bf16 (docs/microarchitecture.md 6.4, FNARROW): the
// operand in s1, its result in s4. An operand below the smallest normal number of the result is
// shifted right first, so that rounding is the same for all: one bit, and whether bits after it are
// not zero.
module format_narrow
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        en1_i,     // s1 to s3 hold such a conversion
  input  logic        en2_i,
  input  logic        en3_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] x1_i,
  output logic [15:0] r4_o
);
  // Exponent fields of f32: of the smallest normal number of f16, of 2^16.
  localparam logic [7:0] SmallestNormal = 8'd113;
  localparam logic [7:0] TooLarge = 8'd143;
  // A shift by this amount leaves no bit but the sticky one.
  localparam logic [3:0] AllOut = 4'd12;

  typedef struct packed {
    logic neg;
    logic nan;
    logic inf;   // an infinity
    logic over;  // finite, 2^16 or above
  } kind_t;
  kind_t       k2_q, k3_q;
  logic [4:0]  exponent2_q;               // field of the result
  logic [23:0] value2_q;                  // significand
  logic [3:0]  shift2_q;
  logic [14:0] upper2_q;                  // bf16: without rounding
  logic [14:0] kept3_q;                   // exponent and fraction without rounding
  logic        guard3_q, sticky3_q;
  logic [15:0] r4_q;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      logic [7:0] e, below;
      logic       tiny;
      e = x1_i[30:23];
      below = SmallestNormal - e;
      tiny = e < SmallestNormal;
      k2_q.neg <= x1_i[31];
      k2_q.nan <= e == '1 && x1_i[22:0] != '0;
      k2_q.inf <= e == '1 && x1_i[22:0] == '0;
      k2_q.over <= e != '1 && e >= TooLarge && !(c1_i.fmt == wl_pkg::FormatBf16);
      value2_q <= {e != '0, x1_i[22:0]};
      upper2_q <= x1_i[30:16];
      // The leading one adds one to the exponent field.
      exponent2_q <= tiny ? 5'd0 : 5'(e - SmallestNormal);
      shift2_q <= !tiny ? 4'd0 : (below > 8'(AllOut)) ? AllOut : below[3:0];
    end
    if (en2_i) begin
      logic [35:0] shifted;
      shifted = {value2_q, 12'h0} >> shift2_q;
      k3_q <= k2_q;
      if ((c2_i.fmt == wl_pkg::FormatBf16)) begin
        kept3_q <= upper2_q;
        guard3_q <= value2_q[15];
        sticky3_q <= value2_q[14:0] != '0;
      end else begin
        kept3_q <= {exponent2_q, 10'h0} + 15'(shifted[35:25]);
        guard3_q <= shifted[24];
        sticky3_q <= shifted[23:0] != '0;
      end
    end
    if (en3_i) begin
      logic        away, inc;
      logic [14:0] largest, infinity, magnitude;
      infinity = (c3_i.fmt == wl_pkg::FormatBf16) ? 15'h7f80 : 15'h7c00;
      largest = infinity - 15'd1;
      away = (c3_i.rnd == RndDown) ? k3_q.neg : c3_i.rnd != RndZero && !k3_q.neg;
      if (c3_i.rnd == RndNearest) inc = guard3_q && (sticky3_q || kept3_q[0]);
      else inc = away && (guard3_q || sticky3_q);
      magnitude = kept3_q + 15'(inc);
      if (k3_q.over) magnitude = (away || c3_i.rnd == RndNearest) ? infinity : largest;
      if (k3_q.inf) magnitude = infinity;
      r4_q <= k3_q.nan ? 16'h7fff : {k3_q.neg, magnitude};
    end
  end
  assign r4_o = r4_q;
endmodule
