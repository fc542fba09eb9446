// Conversions between floating-point formats of one slow lane (docs/microarchitecture.md 6.4): f32 to
// narrower formats, by random bits as well, f16 to f32, two numbers of 8, 6 or 4 bits to f16. Operands
// in s1, the result in s4. All of them but those of format_narrow are exact, or an addition: they are
// made in s1 to s3 and wait.
module format_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        busy_i,    // a stage holds a form of the slow lane
  input  logic        en1_i,     // s1 to s3 hold a form of GrpFormat
  input  logic        en2_i,
  input  logic        en3_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  ctl_t        c1_i,
  input  ctl_t        c2_i,
  input  ctl_t        c3_i,
  input  ctl_t        c4_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] a1_i,
  input  logic [31:0] b1_i,
  input  logic [31:0] random1_i, // random bits: of a in the upper half, of b in the lower
  output logic [31:0] r4_o       // zero if s4 holds none
);
  // ---- f32 to narrower formats. Of the random bits those that count, the low ones, go to the top.
  logic [31:0] random2_q;
  logic [15:0] a_narrow, b_narrow;
  always_ff @(posedge clk_i) begin
    if (en1_i && c1_i.random) begin
      for (int unsigned i = 0; i < 2; i++) begin
        unique case (c1_i.fmt)
          wl_pkg::FormatF16:  random2_q[16*i+:16] <= {random1_i[16*i+:13], 3'd0};
          wl_pkg::FormatE2m1: random2_q[16*i+:16] <= {random1_i[16*i+:8], 8'd0};
          default:            random2_q[16*i+:16] <= random1_i[16*i+:16];
        endcase
      end
    end
  end
  format_narrow u_a (
    .clk_i, .en1_i, .en2_i, .en3_i, .c1_i, .c2_i, .c3_i, .x1_i(a1_i),
    .random2_i(random2_q[31:16]), .r4_o(a_narrow)
  );
  format_narrow u_b (
    .clk_i, .en1_i, .en2_i, .en3_i, .c1_i, .c2_i, .c3_i, .x1_i(b1_i),
    .random2_i(random2_q[15:0]), .r4_o(b_narrow)
  );

  // ---- f16 to f32: a subnormal number is shifted up to its leading one. Two numbers of 8, 6 or 4
  // bits to f16.
  logic [31:0] exact2_q, exact3_q, exact4_q;
  logic        narrow4_q;         // the result is that of format_narrow
  logic [9:0]  fraction2_q;
  logic [3:0]  up2_q;             // places to the leading one's
  logic        tiny2_q, neg2_q;
  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      logic [3:0] up;
      logic       top;
      neg2_q <= a1_i[15];
      fraction2_q <= a1_i[9:0];
      tiny2_q <= c1_i.op == FmtWiden && a1_i[14:10] == '0;
      up = '0;
      for (int unsigned i = 0; i < 10; i++) if (a1_i[i]) up = 4'd10 - 4'(i);
      up2_q <= up;
      unique case (c1_i.op)
        FmtTf32: begin
          top = a1_i[30:23] == '1;
          exact2_q <= (a1_i + (top ? 32'h0 : 32'h1000)) & 32'hffff_e000;
        end
        // Except of e5m2, a subnormal one is a normal f16: for all formats the number is an exponent, a
        // fraction of three bits, and what the exponent lacks.
        FmtWiden8: begin
          for (int unsigned i = 0; i < 2; i++) begin
            logic        sign;
            logic [3:0]  e, lacks;
            logic [2:0]  f;
            logic [7:0]  x;
            logic [14:0] half;
            x = a1_i[8*i+:8];
            unique case (c1_i.fmt)
              wl_pkg::FormatE2m3: {sign, e, f, lacks} = {x[5], 2'd0, x[4:0], 4'd14};
              wl_pkg::FormatE3m2: {sign, e, f, lacks} = {x[5], 1'd0, x[4:0], 1'd0, 4'd12};
              wl_pkg::FormatE2m1: {sign, e, f, lacks} = {a1_i[4*i+3], 2'd0, a1_i[4*i+:3], 2'd0, 4'd14};
              default:            {sign, e, f, lacks} = {x, 4'd8};
            endcase
            half = {5'(e) + 5'(lacks), f, 7'h0};
            if (e == '0) begin
              unique case (f)
                3'd0: half = '0;
                3'd1: half = {5'(lacks) - 5'd2, 10'h0};
                3'd2, 3'd3: half = {5'(lacks) - 5'd1, f[0], 9'h0};
                default: half = {5'(lacks), f[1:0], 8'h0};
              endcase
            end
            if (c1_i.fmt == wl_pkg::FormatE4m3 && x[6:0] == '1) half = 15'h7fff;
            if (c1_i.fmt == wl_pkg::FormatE5m2) begin
              half = {x[6:0], 8'h0};
              if (x[6:2] == '1 && x[1:0] != '0) half = 15'h7fff;
            end
            exact2_q[16*i+:16] <= {sign && half != '1, half};
          end
        end
        FmtWiden: begin
          exact2_q <= {a1_i[15], 8'(a1_i[14:10]) + 8'd112, a1_i[9:0], 13'h0};
          if (a1_i[14:10] == '1) begin
            exact2_q <= (a1_i[9:0] == '0) ? {a1_i[15], 31'h7f80_0000} : 32'h7fff_ffff;
          end
        end
        FmtNarrow: exact2_q <= '0;
      endcase
    end
    if (en2_i) begin
      logic [9:0] shifted;
      shifted = fraction2_q << up2_q;  // its leading one is shifted out
      exact3_q <= exact2_q;
      if (tiny2_q) begin
        exact3_q <= {neg2_q, (fraction2_q == '0) ? 8'd0 : 8'd113 - 8'(up2_q), shifted, 13'h0};
      end
    end
    if (busy_i) begin
      exact4_q <= '0;
      narrow4_q <= en3_i && c3_i.op == FmtNarrow;
    end
    if (en3_i) exact4_q <= exact3_q;
  end

  // Two results: a in the upper part. One: a in the lower half. A number of e2m1 has four bits.
  assign r4_o = exact4_q | ({32{narrow4_q}} &
                (c4_i.fmt == wl_pkg::FormatE2m1 ? {24'h0, a_narrow[3:0], b_narrow[3:0]} :
                 c4_i.bytes ? {16'h0, a_narrow[7:0], b_narrow[7:0]} :
                 c4_i.wide ? {a_narrow, b_narrow} : {16'h0, a_narrow}));
endmodule
