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
  input  logic        en1_i,     // s1 to s4 hold a form of GrpSpecial
  input  logic        en2_i,
  input  logic        en3_i,
  input  logic        en4_i,
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
  logic        known2_q, known3_q, known4_q;
  logic [31:0] word2_q, word3_q, word4_q;
  // The others.
  // verilator lint_off UNUSEDSIGNAL // c0 and c1 are never negative
  wl_pkg::segment_t segment2_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [17:0] d2_q, d3_q;
  logic [8:0]  whole2_q;            // FEX2: n; FLG2: E - 127
  logic [7:0]  whole3_q;
  logic        ex2_q, lg2_q, ex3_q, lg3_q;
  logic        neg2_q, neg3_q, neg4_q;  // FTANH
  logic [21:0] p3_q;
  logic [26:0] c0_3_q;
  logic [33:0] v4_q;
  logic [7:0]  scale4_q;            // FEX2: n

  // Stage s1 to s2.
  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      logic        neg, nan;
      logic [7:0]  e, row;
      logic [22:0] frac;
      logic [4:0]  amount;
      logic [31:0] t;
      logic [32:0] turned;
      {neg, e, frac} = a1_i;
      nan = e == '1 && frac != '0;
      // t: 8 bits before the point and 24 after it, of an operand below 2^8.
      amount = 5'd6 - e[4:0];
      t = {1'b1, frac, 8'd0} >> amount;
      if (e < ExpEnd - 8'd32) t = '0;
      turned = ({1'b0, t} ^ {33{neg}}) + 33'(neg);
      unique case (c1_i.op)
        SpecEx2: begin
          known2_q <= nan || e >= ExpEnd;
          word2_q <= neg ? '0 : Infinity;
          row = wl_pkg::SpecialEx2 | {2'd0, turned[23:18]};
          d2_q <= turned[17:0];
          whole2_q <= turned[32:24];
        end
        SpecLg2: begin
          known2_q <= neg || e == '0 || e == '1;
          word2_q <= e == '0 ? {1'b1, Infinity[30:0]} : neg ? Nan : Infinity;
          row = wl_pkg::SpecialLg2 | {2'd0, frac[22:17]};
          d2_q <= {frac[16:0], 1'b0};
          whole2_q <= {1'b0, e} - 9'd127;
        end
        default: begin
          known2_q <= e < ExpSmall || e >= ExpUnit;
          word2_q <= e[7] ? {neg, One[30:0]} : a1_i;
          row = wl_pkg::SpecialTanh | {1'b0, e[3:0] - ExpSmall[3:0], frac[22:20]};
          d2_q <= frac[19:2];
          whole2_q <= '0;
        end
      endcase
      if (nan) word2_q <= Nan;
      segment2_q <= wl_pkg::special_segment(row);
      ex2_q <= c1_i.op == SpecEx2;
      lg2_q <= c1_i.op == SpecLg2;
      neg2_q <= neg && c1_i.op == SpecTanh;
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
      over = ex2_q && !whole2_q[8] && whole2_q[7];
      under = ex2_q && whole2_q[8] && (!whole2_q[7] || whole2_q[6:1] == '0);
      known3_q <= known2_q || over || under;
      word3_q <= word2_q;
      c0_3_q <= segment2_q.c0[26:0];
      d3_q <= d2_q;
      whole3_q <= whole2_q[7:0];
      ex3_q <= ex2_q;
      lg3_q <= lg2_q;
      neg3_q <= neg2_q;
    end
  end

  // Stage s3 to s4: y, of FLG2 v.
  always_ff @(posedge clk_i) begin
    if (en3_i) begin
      logic [17:0] product;  // above the point
      logic [21:0] upper;
      logic [26:0] y;
      product = 18'((36'(p3_q[17:0]) * 36'(d3_q)) >> 18);
      upper = 22'(p3_q[21:18]) * 22'(d3_q);
      y = c0_3_q + 27'(product) + 27'(upper);
      v4_q <= {7'd0, y};
      if (lg3_q) v4_q[33:26] <= whole3_q;
      scale4_q <= whole3_q & {8{ex3_q}};
      known4_q <= known3_q;
      word4_q <= word3_q;
      neg4_q <= neg3_q;
    end
  end

  // s4: the first 24 bits of the magnitude.
  always_comb begin
    r4_o = '0;
    if (en4_i) begin
      automatic logic        minus;
      automatic logic [32:0] n;
      automatic logic [5:0]  count;
      automatic logic [7:0]  e;
      minus = v4_q[33];
      n = (v4_q[32:0] ^ {33{minus}}) + 33'(minus);
      for (int k = 5; k >= 0; k--) begin
        count[k] = n >> (33 - (1 << k)) == '0;
        if (count[k]) n <<= 1 << k;
      end
      e = ExpTop - 8'(count) + scale4_q;
      if (known4_q) r4_o = word4_q;
      else if (n[32]) r4_o = {minus || neg4_q, e, n[31:9]};
    end
  end
endmodule
