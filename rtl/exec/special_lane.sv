// Special functions of a slow lane (docs/microarchitecture.md 6.4): FEX2, FLG2, FTANH. The operand in s1;
// the result leaves as logic of s4. Place and row of the table in s1, p in s2, y in s3; s4 cuts. The table
// is a memory whose output is the register of s2. A result that the operand alone decides is a word that
// waits.
//
// Of every row p lies from 0 to below 2^22 and y from 0 to below 2^27, y of FLG2 below 2^26 (the bench
// drives both ends of each): no products of signed numbers. A factor is its low 18 bits as they are,
// and a few bits above them.
module special_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        busy_i,    // a stage holds a form of the slow lane
  input  logic        en1_i,     // s1 to s3 hold a form of GrpSpecial
  input  logic        en2_i,
  input  logic        en3_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  ctl_t        c1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] a1_i,
  output logic [31:0] r4_o       // zero if s4 holds none
);
  localparam logic [7:0] ExpEnd = 8'd135;     // FEX2: 2^8
  localparam logic [7:0] ExpSmall = 8'd121;   // FTANH: 2^-6
  localparam logic [7:0] ExpUnit = 8'd130;    // FTANH: 8, from where on it is 1
  localparam logic [7:0] ExpTop = 8'd133;     // of the highest bit of v
  localparam logic [31:0] Nan = 32'h7fffffff;
  localparam logic [31:0] Infinity = 32'h7f800000;
  localparam logic [31:0] One = 32'h3f800000;

  // Result that is known in s1.
  logic        known2_q, known3_q;
  logic [31:0] word2_q, word3_q, word4_q;
  // The others.
  // verilator lint_off UNUSEDSIGNAL // c1 is never negative
  wl_pkg::segment_t segment2_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [17:0] d2_q, d3_q;
  logic [8:0]  whole2_q;            // FLG2: E - 128, low bits; else n of FEX2 or 0, + ExpTop
  logic [7:0]  whole3_q;
  logic        ex2_q, lg2_q, lg3_q;
  logic        neg2_q, neg3_q, neg4_q;  // of the result
  logic [21:0] p3_q;
  logic [27:0] base3_q;
  logic [32:0] v4_q;                // -v if the result is negative, else -v - 1
  logic        inv4_q;
  logic [7:0]  scale4_q;            // n + ExpTop

  // Stage s1 to s2.
  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      logic        neg, nan, ex2, lg2, tanh;
      logic [7:0]  e, row;
      logic [3:0]  octave;
      logic [22:0] frac;
      logic [4:0]  amount;
      logic [31:0] t;
      logic [32:0] turned;
      {neg, e, frac} = a1_i;
      nan = e == '1 && frac != '0;
      ex2 = c1_i.op == SpecEx2;
      lg2 = c1_i.op == SpecLg2;
      tanh = c1_i.op == SpecTanh;
      // t: 8 bits before the point and 24 after it, of an operand below 2^8. The fraction of FLG2 and
      // FTANH is shifted to where it has its segment and place, too.
      amount = ex2 ? 5'd6 - e[4:0] : lg2 ? 5'd7 : 5'd10;
      t = {1'b1, frac, 8'd0} >> amount;
      if (ex2 && e < ExpEnd - 8'd32) t = '0;
      turned = {1'b0, ExpTop, 24'd0} + ({1'b0, t} ^ {33{neg && ex2}}) + 33'(neg && ex2);
      d2_q <= turned[17:0];
      octave = e[3:0] - ExpSmall[3:0];
      row = tanh ? wl_pkg::SpecialTanh | {1'b0, octave, turned[20:18]} :
            {1'b0, lg2, turned[23:18]};
      segment2_q <= wl_pkg::special_segment(row);
      whole2_q <= lg2 ? {2'd0, e[6:0]} : turned[32:24];
      unique case (c1_i.op)
        SpecEx2: begin
          known2_q <= nan || e >= ExpEnd;
          word2_q <= neg ? '0 : Infinity;
        end
        SpecLg2: begin
          known2_q <= neg || e == '0 || e == '1;
          word2_q <= e == '0 ? {1'b1, Infinity[30:0]} : neg ? Nan : Infinity;
        end
        default: begin
          known2_q <= e < ExpSmall || e >= ExpUnit;
          word2_q <= e[7] ? {neg, One[30:0]} : a1_i;
        end
      endcase
      if (nan) word2_q <= Nan;
      ex2_q <= ex2;
      lg2_q <= lg2;
      neg2_q <= tanh ? neg : lg2 && e < 8'd127;
    end
  end

  // Stage s2 to s3: p. c2 is its low 18 bits, less 2^18 or 2^19 if negative.
  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      logic [17:0] product;  // above the point
      logic [18:0] less;
      logic        over, under;
      product = 18'((36'(segment2_q.c2[17:0]) * 36'(d2_q)) >> 18);
      less = (segment2_q.c2[18] ? {1'b0, d2_q} : {d2_q, 1'b0}) & {19{segment2_q.c2[19]}};
      p3_q <= segment2_q.c1[21:0] + 22'(product) - 22'(less);
      // 2^n out of the range of normal numbers: n above 127 or below -126.
      over = whole2_q[8] && (whole2_q[7:3] != '0 || whole2_q[2:0] > 3'd4);
      under = !whole2_q[8] && whole2_q[7:3] == '0 && whole2_q[2:0] != '1;
      known3_q <= known2_q || (ex2_q && (over || under));
      word3_q <= word2_q;
      base3_q <= segment2_q.base;
      d3_q <= d2_q;
      whole3_q <= whole2_q[7:0];
      lg3_q <= lg2_q;
      neg3_q <= neg2_q;
    end
  end

  // Stage s3 to s4: y, of FLG2 v. Zero if s4 holds none, or one whose result is known.
  always_ff @(posedge clk_i) begin
    if (busy_i) begin
      word4_q <= '0;
      v4_q <= '0;
      inv4_q <= 1'b0;
    end
    if (en3_i && known3_q) word4_q <= word3_q;
    if (en3_i && !known3_q) begin
      logic [17:0] product;  // above the point
      logic [21:0] upper;
      logic [22:0] rest;
      logic [6:0]  whole;
      logic        minus;    // v is negative
      product = 18'((36'(p3_q[17:0]) * 36'(d3_q)) >> 18);
      upper = 22'(p3_q[21:18]) * 22'(d3_q);
      rest = 23'(product) + 23'(upper);
      whole = whole3_q[6:0] & {7{lg3_q}};
      minus = lg3_q && neg3_q;
      v4_q <= 33'(signed'(base3_q)) + ~{whole, 3'd0, rest} + 33'(minus);
      inv4_q <= !minus;
    end
    if (en3_i) begin
      scale4_q <= lg3_q ? ExpTop : whole3_q;
      neg4_q <= neg3_q;
    end
  end

  // s4: the first 24 bits of the magnitude, which is never 1: five steps bring its first one to the top.
  always_comb begin
    automatic logic [32:0] n;
    automatic logic [4:0]  count;
    automatic logic [7:0]  e;
    n = v4_q ^ {33{inv4_q}};
    for (int k = 4; k >= 0; k--) begin
      count[k] = n >> (33 - (1 << k)) == '0;
      if (count[k]) n <<= 1 << k;
    end
    e = scale4_q - 8'(count);
    r4_o = word4_q;
    if (n[32]) r4_o = word4_q | {neg4_q, e, n[31:9]};
  end
endmodule
