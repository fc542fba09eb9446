// 32-bit integer atomic operation of one shared-memory bank (docs/microarchitecture.md 11;
// PTX 9.7.13.6). cas, f32 add and 64-bit types go through the serial unit instead.
module smem_alu (
  input  logic              en_i,
  input  wl_pkg::atom_op_e  op_i,
  input  logic              signed_i,
  input  logic [31:0]       old_i,
  input  logic [31:0]       val_i,
  output logic [31:0]       new_o
);
  import wl_pkg::*;

  logic less;
  always_comb begin
    less = 1'b0;
    new_o = '0;
    if (en_i) begin
      less = {old_i[31] ^ signed_i, old_i[30:0]} < {val_i[31] ^ signed_i, val_i[30:0]};
      unique case (op_i)
        AtomAdd: new_o = old_i + val_i;
        AtomMin: new_o = less ? old_i : val_i;
        AtomMax: new_o = less ? val_i : old_i;
        AtomInc: new_o = less ? old_i + 32'd1 : '0;
        AtomDec: new_o = (old_i == '0 || old_i > val_i) ? val_i : old_i - 32'd1;
        AtomAnd: new_o = old_i & val_i;
        AtomOr:  new_o = old_i | val_i;
        AtomXor: new_o = old_i ^ val_i;
        default: new_o = val_i;   // exch
      endcase
    end
  end
endmodule
