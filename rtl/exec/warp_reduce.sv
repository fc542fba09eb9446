// Reduction for redux.sync (docs/microarchitecture.md 9): ReduxLanes lanes per cycle into an
// accumulator. All operations become add, or, xor, unsigned minimum: minimum and maximum of either
// signedness work on transformed words, and is the complement of or. One adder per join: its carry
// tells the order when the left operand is complemented, as it is for minima. With several beats a
// register parts the lanes' joins from the accumulator's: lanes come in the cycle before they
// count.
module warp_reduce
  import wl_pkg::*;
  import config_pkg::Beats;
  import config_pkg::ReduxLanes;
(
  input  logic        clk_i,
  input  logic        en_i,       // lanes present (Beats = 1: and the result wanted, else anything)
  input  logic        clear_i,    // the next cycle's lanes are the first (Beats > 1)
  input  logic [7:0]  op_i,       // sync_op_e, from two cycles before the first lanes on
  input  logic [ReduxLanes-1:0] mask_i,
  input  logic [31:0] x_i [ReduxLanes],
  output logic [31:0] result_o    // Beats > 1: with the lanes of the cycles before
);

  logic flip_sign_q, flip_rest_q, min_q, add_q, xor_q;
  always_ff @(posedge clk_i) begin
    min_q <= op_i == SyncRmins || op_i == SyncRminu || op_i == SyncRmaxs || op_i == SyncRmaxu;
    add_q <= op_i == SyncRadd;
    xor_q <= op_i == SyncRxor;
    flip_rest_q <= op_i == SyncRmaxs || op_i == SyncRmaxu || op_i == SyncRand;
    flip_sign_q <= op_i == SyncRmins || op_i == SyncRmaxu || op_i == SyncRand;
  end

  logic [31:0] flip, left_flip;
  always_comb begin
    flip = {flip_sign_q, {31{flip_rest_q}}};
    left_flip = {32{min_q}};
  end

  if (Beats == 1) begin : gen_one
    logic [31:0] t [ReduxLanes];
    // The left operand is complemented for minima (n is set).
    function automatic logic [31:0] join2(input logic add, input logic exor, input logic n,
                                          input logic [31:0] x, input logic [31:0] y);
      logic [32:0] sum;
      logic left, right;
      logic [31:0] bits;
      sum = {1'b0, x} + {1'b0, y};
      // Carry: y > left operand. Of a minimum one side counts, complemented again on the left.
      left = n && sum[32];
      right = n && !sum[32];
      bits = left ? ~x : right ? y : exor ? x ^ y : x | y;
      return add ? sum[31:0] : bits;
    endfunction

    always_comb begin
      for (int unsigned i = 0; i < ReduxLanes; i++) t[i] = 'x;
      if (en_i) begin
        for (int unsigned i = 0; i < ReduxLanes; i++) begin
          t[i] = mask_i[i] ? x_i[i] ^ flip : {32{min_q}};
        end
        for (int unsigned s = ReduxLanes / 2; s > 0; s = s / 2) begin
          for (int unsigned i = 0; i < s; i++) begin
            t[i] = join2(add_q, xor_q, min_q, t[i] ^ left_flip, t[i+s]);
          end
        end
      end
    end
    assign result_o = t[0] ^ flip;
    logic unused;
    assign unused = &{1'b0, clear_i};
  end else begin : gen_acc
    // Two lanes, complemented on the left for minima; then their join and what came before, kept
    // complemented for minima, so that zero is neutral.
    logic [31:0] left, right, joined, acc_q, t_q, bits, acc_bits, total;
    logic [32:0] sum, acc_sum;
    logic        en_q;
    warp_join u_join (
      .fn_i(min_q ? {1'b1, sum[32]} : {1'b0, xor_q}), .x_i(left), .y_i(right), .bits_o(bits)
    );
    warp_join u_acc (
      .fn_i(min_q ? {1'b1, acc_sum[32]} : {1'b0, xor_q}), .x_i(acc_q), .y_i(t_q),
      .bits_o(acc_bits)
    );
    always_comb begin
      left = 'x;
      right = 'x;
      sum = 'x;
      if (en_i) begin
        left = mask_i[0] ? x_i[0] ^ flip ^ left_flip : '0;
        right = mask_i[1] ? x_i[1] ^ flip : left_flip;
        // Carry: y > left operand.
        sum = {1'b0, left} + {1'b0, right};
      end
      acc_sum = 'x;
      if (en_q) acc_sum = {1'b0, acc_q} + {1'b0, t_q};
    end
    assign joined = add_q ? sum[31:0] : bits;
    assign total = add_q ? acc_sum[31:0] : acc_bits;
    always_ff @(posedge clk_i) begin
      en_q <= en_i;
      if (en_i) t_q <= joined;
      if (clear_i) acc_q <= '0;
      else if (en_q) acc_q <= total ^ left_flip;
    end
    assign result_o = total ^ flip;
    if (ReduxLanes != 2) begin : gen_unknown
      $error("with several beats redux takes two lanes per cycle");
    end
  end
endmodule
