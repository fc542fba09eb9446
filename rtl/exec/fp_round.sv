// Rounding and packing (docs/microarchitecture.md 6.4, exec/fp32), in s5.
module fp_round
  import exec_pkg::*;
#(
  parameter int unsigned Exp = 8,
  parameter int unsigned Sig = 24,
  localparam int unsigned Bits = Exp + Sig
) (
  input  logic            en5_i,  // else the result is zero
  input  logic [1:0]      rnd_i,
  input  logic            ftz_i,
  input  logic            sat_i,
  input  logic [Sig+1:0]  norm5_i,
  input  logic            sticky5_i,
  input  logic            inv5_i,
  input  logic [Exp+1:0]  exp5_i,
  input  fp_kind_t        kind5_i,
  output logic [Bits-1:0] r5_o
);
  localparam logic [Exp+1:0] Top = (Exp+2)'((1 << Exp) - 1);         // infinity and NaN
  localparam logic [Exp+1:0] Bias = (Exp+2)'((1 << (Exp - 1)) - 1);  // 1.0
  always_comb begin
    r5_o = '0;
    if (en5_i) begin
      automatic logic zero, nearest, away, guard, next, rest, inc, neg, tiny, up, over, keep;
      automatic logic nan, inf, most, unit;
      automatic logic ends;       // as NaN, as infinity, or as the largest number
      automatic logic [2:0] one;  // the one that is missing, on its way up
      automatic logic [Bits:0] v;
      // Rounding does not count for a NaN, nor flushing for an infinity.
      zero = norm5_i == '0 && !sticky5_i && !inv5_i;
      neg = (kind5_i.sub && zero) ? rnd_i == RndDown : kind5_i.neg;
      nearest = rnd_i == RndNearest && !kind5_i.nan;
      away = rnd_i != RndZero && ((rnd_i == RndDown) ? neg : !neg);
      one[0] = inv5_i && !sticky5_i;
      one[1] = one[0] && norm5_i[0];
      one[2] = one[1] && norm5_i[1];
      next = norm5_i[0] ^ one[0];
      guard = norm5_i[1] ^ one[1];
      rest = next || sticky5_i;
      if (nearest) inc = guard && (rest || norm5_i[2]);
      else inc = away && (guard || rest);
      inc |= one[2];
      v = {exp5_i, norm5_i[Sig:2]} + {(Exp+1)'(0), norm5_i[Sig+1], (Sig-1)'(0)} + (Bits+1)'(inc);
      // The sum is kept, or replaced by zeros and ones: NaN, infinity, the largest number, 1.0.
      if (kind5_i.inf) neg = kind5_i.inf_neg;
      over = v[Bits:Sig-1] >= Top && !zero;
      // ftz: kept only if Sig bits with unbounded exponent round up to the least normal.
      tiny = ftz_i && !kind5_i.inf && !norm5_i[Sig+1];
      up = tiny && norm5_i[Sig:2] == '1 && !zero && !kind5_i.inf && !kind5_i.nan &&
           !(sat_i && neg) &&
           (one[2] || (guard && (nearest ? next : away && rest)));
      nan = kind5_i.nan && !sat_i;
      inf = !kind5_i.nan && !sat_i &&
            (kind5_i.inf || (over && (nearest || away)));
      most = !kind5_i.nan && !sat_i && !kind5_i.inf && over &&
             !(nearest || away);
      unit = !kind5_i.nan && sat_i && !neg &&
             (kind5_i.inf || (v[Bits:Sig-1] >= Bias && !zero && !tiny));
      keep = !(over || tiny || zero || kind5_i.inf || kind5_i.nan || unit ||
               (sat_i && neg));
      ends = nan || inf || most;
      r5_o = {1'b0, v[Bits-2:0] & {(Bits-1){keep}}};
      r5_o[Bits-1] = neg && !kind5_i.nan && !sat_i;
      r5_o[Bits-2] = r5_o[Bits-2] || ends;
      r5_o[Bits-3:Sig] = r5_o[Bits-3:Sig] | {(Exp-2){ends || unit}};
      r5_o[Sig-1] = r5_o[Sig-1] || nan || inf || unit || up;
      r5_o[Sig-2:0] = r5_o[Sig-2:0] | {(Sig-1){nan || most}};
    end
  end
endmodule
