// The result of a sum of the tensor unit (docs/microarchitecture.md 19.2, 5): one normalisation,
// cut to f32 or rounded to nearest even to f16; integers modulo 2^32 or clamped. Combinational.
module dot_round
  import wl_pkg::*;
  import tensor_pkg::*;
(
  input  logic       en_i,
  // verilator lint_off UNUSEDSIGNAL // of the kind, what the result needs
  input  dot_kind_t  kind_i,
  // verilator lint_on UNUSEDSIGNAL
  input  sum_t       sum_i,       // in units of 2^(largest - kept); of integers 2^-IntegerUp
  input  logic       carry_i,     // one unit more (never of integers)
  input  exponent_t  largest_i,
  input  logic       nan_i,
  input  logic       pos_inf_i,
  input  logic       neg_inf_i,
  output logic [31:0] d_o
);
  // The magnitude lies at the bottom of Width bits. If its leading one were the top bit, the
  // exponent field of the result would be the largest exponent, less its bias, plus one of these;
  // it is at least 1 in both formats whenever the sum is not zero, so that the magnitude is only
  // shifted left.
  localparam int unsigned Width = 40;
  localparam int unsigned Magnitude = 32;  // bits: 16 products below 2^(2+Kept), and the addend
  localparam int unsigned Wanted = 24;     // highest bits after the shift
  localparam int unsigned Kept = ProfileF16F32Kept;
  localparam logic signed [9:0] Top32 = 10'(int'(Width) - 1 - int'(Kept) + 127);
  localparam logic signed [9:0] Top16 = 10'(int'(Width) - 1 - int'(Kept) + 15);
  // Bits that a step k of the shift passes over, if it is not taken.
  function automatic logic [Width-1:0] below(input int k);
    int bits;
    bits = int'(Width - Wanted) + 1 - (1 << k);
    return (bits > 0) ? ~({Width{1'b1}} << bits) : '0;
  endfunction

  always_comb begin
    logic                 neg, nan, special, over, guard, lost;
    logic [Magnitude-1:0] magnitude;
    logic [Width-1:0]     x;
    logic [5:0]           up;
    logic                 free, clear;
    logic signed [9:0]    field, room;
    logic [30:0]          f32;
    logic [14:0]          f16;
    sum_t                 whole;
    {neg, nan, special, over, guard, lost, magnitude, x, up, free, clear} = 'x;
    {field, room, f32, f16, whole} = 'x;
    d_o = 'x;
    if (en_i) begin
      if (is_float(kind_i.kind)) begin
        neg = sum_i < 0;
        magnitude = (Magnitude'(sum_i) ^ {Magnitude{neg}}) + Magnitude'(neg ^ carry_i);
        field = $signed(10'(largest_i)) + (kind_i.half ? Top16 - 10'(bias_of(KindF16)) :
                                           Top32 - 10'(bias_of(kind_i.kind)));
        room = field - 10'sd1;
        // Up by the leading zeros, but by `room` at most: a subnormal result keeps its place. A
        // step that only its bits refuse shows that the limit is not reached.
        x = Width'(magnitude);
        free = room[9:6] != '0;
        lost = 1'b0;
        for (int k = 5; k >= 0; k--) begin
          clear = x >> (Width - (32'd1 << k)) == '0;
          up[k] = clear && (free || room[k]);
          free = free || (room[k] && !clear);
          if (up[k]) x = x << (32'd1 << k);
          else lost |= (x & below(k)) != '0;
          x = x & ~below(k);
        end
        field = x[Width-1] ? field - $signed(10'(up)) : '0;
        special = nan_i || pos_inf_i || neg_inf_i;
        nan = nan_i || (pos_inf_i && neg_inf_i);
        neg = nan ? 1'b0 : special ? neg_inf_i : neg;
        guard = x[Width-12];
        lost |= x[Width-13:Width-Wanted] != '0;
        f16 = {field[4:0], x[Width-2 -: 10]} + 15'(guard && (lost || x[Width-11]));
        f32 = {field[7:0], x[Width-2 -: 23]};
        if (kind_i.half) begin
          over = field[9:5] != '0 || field[4:0] == '1 || f16[14:10] == '1;
          d_o = {16'h0, neg && (special || over || f16 != '0), f16};
          if (special || over) d_o[14:0] = {5'h1f, {10{nan}}};
        end else begin
          over = field[9:8] != '0 || field[7:0] == '1;
          d_o = {neg && (special || over || f32 != '0), f32};
          if (special || over) d_o[30:0] = {8'hff, {23{nan}}};
        end
      end else begin
        whole = sum_i >>> IntegerUp;
        d_o = whole[31:0];
        if (kind_i.sat && whole[38:31] != {8{whole[38]}}) d_o = {whole[38], {31{!whole[38]}}};
      end
    end
  end
endmodule
