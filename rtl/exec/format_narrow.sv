// One operand of a conversion from f32 to a narrower format (docs/microarchitecture.md 6.4, FNARROW,
// FNARROW8, FSTOCH): the operand in s1, its result in s4. The significand is shifted right so that the
// last place of the result, at its smallest normal number and below that of its smallest subnormal
// number, is one place for all formats. Rounding is one sum: below the last place come 16 bits, to
// which a number is added, by the direction or by random bits.
module format_narrow
  import wl_pkg::*;
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
  input  logic [15:0] random2_i, // s2: random bits, at the top
  output logic [15:0] r4_o       // of a format of fewer bits the low ones
);
  // Below the last place 13 bits are shifted out, f16; of others more. A shift by 31 more
  // leaves nothing of 24 bits.
  localparam logic [4:0] AllOut = 5'd31;

  typedef struct packed {
    logic neg;
    logic nan;
    logic inf;   // an infinity
    logic over;  // finite, above all exponents of the format
  } kind_t;
  kind_t       k2_q, k3_q;
  logic [7:0]  exponent2_q;  // field of the result
  logic [23:0] value2_q;     // significand, without the one that the field stands for
  logic [4:0]  shift2_q;
  logic [14:0] kept3_q;      // exponent and fraction without rounding
  logic [15:0] rest3_q;      // the bits after them
  logic [15:0] add3_q;       // what rounds them up
  logic        more3_q;      // and one more
  logic [15:0] r4_q;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      logic [7:0] e, first;  // first: field of f32 of the smallest normal number
      logic [3:0] least;     // shift of normal numbers
      logic [8:0] shift, field;
      logic       tiny, over;
      unique case (c1_i.fmt)
        FormatBf16: {first, least} = {8'd1, 4'd3};
        FormatE4m3: {first, least} = {8'd121, 4'd7};
        FormatE5m2: {first, least} = {8'd113, 4'd8};
        FormatE2m3: {first, least} = {8'd127, 4'd7};
        FormatE3m2: {first, least} = {8'd125, 4'd8};
        FormatE2m1: {first, least} = {8'd127, 4'd9};
        default:    {first, least} = {8'd113, 4'd0};
      endcase
      e = x1_i[30:23];
      field = {1'b0, e} - {1'b0, first} + 9'd1;
      tiny = field[8] || field[7:0] == '0;
      // A subnormal f32 counts as of exponent 1: that matters for bf16 alone.
      shift = {1'b0, first} - {1'b0, e[7:1], e[0] || e == '0} + 9'(least);
      unique case (c1_i.fmt)
        FormatBf16: over = 1'b0;
        FormatE4m3: over = field[7:4] != '0;
        FormatE2m3, FormatE2m1: over = field[7:2] != '0;
        FormatE3m2: over = field[7:3] != '0;
        default:    over = field[7:5] != '0 || field[4:0] == '1;  // f16, e5m2
      endcase
      k2_q.neg <= x1_i[31];
      k2_q.nan <= e == '1 && x1_i[22:0] != '0;
      k2_q.inf <= e == '1 && x1_i[22:0] == '0;
      k2_q.over <= !tiny && over && e != '1;
      value2_q <= {tiny && e != '0, x1_i[22:0]};
      exponent2_q <= tiny ? 8'd0 : field[7:0];
      shift2_q <= !tiny ? 5'(least) : (shift > 9'(AllOut)) ? AllOut : shift[4:0];
    end
    if (en2_i) begin
      logic [26:0] shifted;
      logic        lost, away;
      logic [9:0]  q;
      shifted = {value2_q, 3'd0};
      lost = 1'b0;
      for (int k = 4; k >= 0; k--) begin
        if (shift2_q[k]) begin
          lost |= (shifted & ~(27'h7ff_ffff << (1 << k))) != '0;
          shifted >>= 1 << k;
        end
      end
      k3_q <= k2_q;
      q = shifted[25:16];
      unique case (c2_i.fmt)
        FormatBf16:             kept3_q <= {exponent2_q, q[6:0]};
        FormatE4m3, FormatE2m3: kept3_q <= {7'd0, exponent2_q[4:0], q[2:0]};
        FormatE5m2, FormatE3m2: kept3_q <= {8'd0, exponent2_q[4:0], q[1:0]};
        FormatE2m1:             kept3_q <= {11'd0, exponent2_q[2:0], q[0]};
        default:                kept3_q <= {exponent2_q[4:0], q};
      endcase
      rest3_q <= shifted[15:0];
      // To nearest even: more than half, or half of an odd number, rounds up. Away from zero: what
      // is above nothing.
      away = (c2_i.rnd == RndDown) ? k2_q.neg : c2_i.rnd != RndZero;
      away &= !(c2_i.rnd != RndDown && k2_q.neg);
      if (c2_i.random) begin
        add3_q <= random2_i;
        more3_q <= 1'b0;
      end else if (c2_i.rnd == RndNearest) begin
        add3_q <= 16'h7fff;
        more3_q <= lost || shifted[16];
      end else begin
        add3_q <= {16{away}};
        more3_q <= lost && away;
      end
    end
    if (en3_i) begin
      logic        up;
      logic [14:0] magnitude, infinity;
      logic [15:0] unused;
      up = c3_i.random || c3_i.rnd == RndNearest || ((c3_i.rnd == RndDown) ? k3_q.neg :
                                                     c3_i.rnd != RndZero && !k3_q.neg);
      {magnitude, unused} = {kept3_q, rest3_q} + {15'd0, add3_q} + 31'(more3_q);
      infinity = (c3_i.fmt == FormatBf16) ? 15'h7f80 : 15'h7c00;
      if (c3_i.bytes) begin
        logic [6:0] largest;
        logic       above;
        unique case (c3_i.fmt)
          FormatE4m3: {largest, above} = {7'h7e, magnitude[7] || magnitude[6:0] == '1};
          FormatE5m2: {largest, above} = {7'h7b, magnitude[7] || magnitude[6:2] == '1};
          FormatE2m1: {largest, above} = {7'h07, magnitude[3]};
          default:    {largest, above} = {7'h1f, magnitude[5]};  // e2m3, e3m2
        endcase
        if (k3_q.over || k3_q.inf || above) magnitude = {8'd0, largest};
        if (k3_q.nan) begin
          magnitude = {8'd0, largest};
          if (c3_i.fmt == FormatE4m3 || c3_i.fmt == FormatE5m2) magnitude = 15'h7f;
        end
        r4_q <= '0;
        r4_q[6:0] <= magnitude[6:0];
        unique case (c3_i.fmt)
          FormatE4m3, FormatE5m2: r4_q[7] <= k3_q.neg && !k3_q.nan;
          FormatE2m1:             r4_q[3] <= k3_q.neg && !k3_q.nan;
          default:                r4_q[5] <= k3_q.neg && !k3_q.nan;
        endcase
      end else begin
        if (k3_q.over) magnitude = up ? infinity : infinity - 15'd1;
        if (k3_q.inf) magnitude = infinity;
        r4_q <= k3_q.nan ? 16'h7fff : {k3_q.neg, magnitude};
      end
    end
  end
  assign r4_o = r4_q;
endmodule
