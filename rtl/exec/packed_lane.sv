// Packed integers of a slow lane (docs/microarchitecture.md 6.4, Packed integers): two parts of 16 bits
// or four of 8. Operands in s1; the result is made from s1 to s2 and waits until s4. One adder of four
// bytes adds, subtracts and compares; of a part of 16 bits the carry passes from byte to byte, and the
// upper one decides for both.
module packed_lane
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        busy_i,    // a stage holds a form of the slow lane
  input  logic        en1_i,     // s1 to s3 hold a form of GrpPacked
  input  logic        en2_i,
  input  logic        en3_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  ctl_t        c1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] a1_i,
  input  logic [31:0] b1_i,
  output logic [31:0] r4_o       // zero if s4 holds none
);
  logic [31:0] r2_q, r3_q, r4_q;
  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      logic        add, minus;
      logic [31:0] y, sum, other, ones, top, keep_sum, keep_other;
      logic [3:0]  carry, over, less;
      add = c1_i.op == PackAdd;
      minus = !add || c1_i.neg_b;
      y = b1_i ^ {32{minus}};
      for (int unsigned i = 0; i < 4; i++) begin
        {carry[i], sum[8*i+:8]} = {1'b0, a1_i[8*i+:8]} + {1'b0, y[8*i+:8]} +
                                  9'((i % 2 == 0 || c1_i.bytes) ? minus : carry[(i+3)%4]);
        over[i] = c1_i.sgn ? a1_i[8*i+7] == y[8*i+7] && sum[8*i+7] != a1_i[8*i+7] :
                  carry[i] == !minus;
        // y is inverted: no carry, a is less. Of two signs the negative one is.
        less[i] = (c1_i.sgn && a1_i[8*i+7] == y[8*i+7]) ? a1_i[8*i+7] : !carry[i];
      end
      if (!c1_i.bytes) begin
        over[0] = over[1];
        over[2] = over[3];
        less[0] = less[1];
        less[2] = less[3];
      end
      for (int unsigned i = 0; i < 4; i++) begin
        logic take_a, neg, clamp, limit;
        int unsigned high;  // byte with the sign, for the limits of a sum and relu
        high = c1_i.bytes ? i : i | 1;
        take_a = less[i] == (c1_i.op == PackMin);
        other[8*i+:8] = take_a ? a1_i[8*i+:8] : b1_i[8*i+:8];
        neg = c1_i.sgn && (take_a ? a1_i[8*high+7] : b1_i[8*high+7]);
        clamp = c1_i.sat && over[i];
        // The limit: all ones but for a sign, or zeros but for a sign.
        limit = c1_i.sgn ? !a1_i[8*high+7] : !minus;
        ones[8*i+:8] = {8{add && clamp && limit}};
        top[8*i+:8] = (c1_i.sgn && add && clamp && i == high) ? 8'h80 : 8'h00;
        keep_sum[8*i+:8] = {8{add && !clamp}};
        keep_other[8*i+:8] = {8{!add && !(c1_i.relu && neg)}};
      end
      r2_q <= ((sum & keep_sum) | (other & keep_other) | ones) ^ top;
    end
    if (en2_i) r3_q <= r2_q;
    if (busy_i) r4_q <= '0;
    if (en3_i) r4_q <= r3_q;
  end
  assign r4_o = r4_q;
endmodule
