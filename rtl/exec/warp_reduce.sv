// Reduction of one beat's lanes into an accumulator, for redux.sync (docs/microarchitecture.md 9).
// All operations become add, or, xor, unsigned minimum: minimum and maximum of either signedness
// work on transformed words, and is the complement of or. acc_i is a transformed word.
module warp_reduce
  import wl_pkg::*;
  import config_pkg::Lanes;
(
  input  logic        en_i,
  input  logic [7:0]  op_i,       // sync_op_e
  input  logic        first_i,    // no accumulator yet
  input  logic [31:0] acc_i,
  input  logic [Lanes-1:0] mask_i,
  input  logic [31:0] x_i [Lanes],
  output logic [31:0] acc_o,
  output logic [31:0] result_o    // acc_o in its own representation
);
  logic [31:0] flip, none;
  logic [31:0] t [Lanes];

  function automatic logic [31:0] join2(input logic [7:0] op, input logic [31:0] x,
                                        input logic [31:0] y);
    unique case (op)
      SyncRadd:        return x + y;
      SyncRxor:        return x ^ y;
      SyncRand, SyncRor: return x | y;
      default:         return (x < y) ? x : y;
    endcase
  endfunction

  always_comb begin
    unique case (op_i)
      SyncRmins: flip = 32'h8000_0000;
      SyncRmaxs: flip = 32'h7fff_ffff;
      SyncRmaxu: flip = 32'hffff_ffff;
      SyncRand:  flip = 32'hffff_ffff;
      default:   flip = 32'd0;
    endcase
    none = (op_i == SyncRmins || op_i == SyncRminu || op_i == SyncRmaxs || op_i == SyncRmaxu) ?
           32'hffff_ffff : 32'd0;
    acc_o = none;
    for (int unsigned i = 0; i < Lanes; i++) t[i] = none;
    if (en_i) begin
      for (int unsigned i = 0; i < Lanes; i++) if (mask_i[i]) t[i] = x_i[i] ^ flip;
      for (int unsigned s = Lanes / 2; s > 0; s = s / 2) begin
        for (int unsigned i = 0; i < s; i++) t[i] = join2(op_i, t[i], t[i+s]);
      end
      acc_o = first_i ? t[0] : join2(op_i, acc_i, t[0]);
    end
    result_o = acc_o ^ flip;
  end
endmodule
