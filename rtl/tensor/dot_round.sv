// The result of a sum of the tensor unit (docs/microarchitecture.md 19.2, 5): one normalisation, cut
// to f32 or rounded to nearest even to f16; integers modulo 2^32 or clamped. Combinational.
module dot_round
  import wl_pkg::*;
  import tensor_pkg::*;
(
  input  logic               en_i,
  // verilator lint_off UNUSEDSIGNAL // of the kind, what the result needs
  input  dot_kind_t          kind_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic signed [35:0] sum_i,       // in units of 2^(largest - kept)
  input  logic signed [9:0]  largest_i,
  input  logic               nan_i,
  input  logic               pos_inf_i,
  input  logic               neg_inf_i,
  output logic [31:0]        d_o
);
  // The magnitude lies at the bottom of Width bits. If its leading one were the top bit, the exponent
  // field of the result would be the largest exponent, less its bias, plus one of these; it is at
  // least 1 in both formats whenever the sum is not zero, so that the magnitude is only shifted left.
  localparam int unsigned Width = 40;
  localparam int unsigned Kept = ProfileF16F32Kept;
  localparam logic signed [11:0] Top32 = 12'(int'(Width) - 1 - int'(Kept) + 127);
  localparam logic signed [11:0] Top16 = 12'(int'(Width) - 1 - int'(Kept) + 15);

  always_comb begin
    logic               neg, inf, guard, sticky;
    logic [Width-1:0]   wide, magnitude, x;
    logic [5:0]         up;
    logic               free, clear;
    logic signed [11:0] field, room;
    logic [30:0]        f32;
    logic [14:0]        f16;
    logic [15:0]        half;
    {neg, inf, guard, sticky, wide, magnitude, x, up, free, clear, field, room, f32, f16, half} = 'x;
    d_o = 'x;
    if (en_i) begin
      if (is_float(kind_i.kind)) begin
        neg = sum_i < 0;
        wide = Width'(sum_i);
        magnitude = neg ? -wide : wide;
        field = 12'(largest_i) + (kind_i.half ? Top16 - 12'(bias_of(KindF16)) :
                                  Top32 - 12'(bias_of(kind_i.kind)));
        room = field - 12'sd1;
        // Up by the leading zeros, but by `room` at most: a subnormal result keeps its place. A step
        // that only its bits refuse shows that the limit is not reached.
        x = magnitude;
        free = room[11:6] != '0;
        for (int k = 5; k >= 0; k--) begin
          clear = x >> (Width - (32'd1 << k)) == '0;
          up[k] = clear && (free || room[k]);
          free = free || (room[k] && !clear);
          if (up[k]) x = x << (32'd1 << k);
        end
        field = x[Width-1] ? field - $signed(12'(up)) : '0;
        inf = pos_inf_i || neg_inf_i;
        if (kind_i.half) begin
          guard = x[Width-12];
          sticky = x[Width-13:0] != '0;
          f16 = {field[4:0], x[Width-2 -: 10]} + 15'(guard && (sticky || x[Width-11]));
          if (field >= 12'sd31 || f16[14:10] == '1 || inf) f16 = 15'h7c00;
          half = {inf ? neg_inf_i : neg, f16};
          if (!inf && magnitude == '0) half = '0;
          if (!inf && f16 == '0) half = '0;
          if (nan_i || (pos_inf_i && neg_inf_i)) half = 16'h7fff;
          d_o = {16'h0, half};
        end else begin
          f32 = {field[7:0], x[Width-2 -: 23]};
          if (field >= 12'sd255 || inf) f32 = 31'h7f80_0000;
          d_o = {inf ? neg_inf_i : neg, f32};
          if (!inf && f32 == '0) d_o = '0;
          if (nan_i || (pos_inf_i && neg_inf_i)) d_o = 32'h7fff_ffff;
        end
      end else begin
        d_o = sum_i[31:0];
        if (kind_i.sat && sum_i[35:31] != {5{sum_i[35]}}) d_o = {sum_i[35], {31{!sum_i[35]}}};
      end
    end
  end
endmodule
