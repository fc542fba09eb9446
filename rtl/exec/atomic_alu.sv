// One atomic operation on one element (docs/microarchitecture.md 11 and 13; PTX 9.7.13.6).
// 32-bit types use the low words. Used by the order point's atomic unit and by the serial unit of
// shared memory; the 32-bit integer operations of the shared banks are in mem/smem_alu.
module atomic_alu (
  input  wl_pkg::atom_op_e  op_i,
  input  wl_pkg::mem_type_e type_i,
  input  logic              flush_i,  // f32: subnormal inputs and results to zero (global memory)
  input  logic [63:0]       old_i,
  input  logic [63:0]       val_i,    // operand; cas: the new value
  input  logic [63:0]       cmp_i,    // cas only
  output logic [63:0]       new_o
);
  import wl_pkg::*;

  logic        wide;
  logic        is_signed;
  logic        less;   // old < val in the type's order
  logic        equal;
  logic [63:0] old_x, val_x;
  logic [31:0] fsum;

  f32_add_rne u_fadd (.a_i(old_i[31:0]), .b_i(val_i[31:0]), .flush_i(flush_i), .sum_o(fsum));

  always_comb begin
    wide = type_i == MemTypeB64 || type_i == MemTypeU64 || type_i == MemTypeS64;
    is_signed = type_i == MemTypeS32 || type_i == MemTypeS64;
    // One 64-bit comparator: 32-bit values are extended by their type, the sign bit is turned.
    old_x = wide ? old_i : {{32{is_signed & old_i[31]}}, old_i[31:0]};
    val_x = wide ? val_i : {{32{is_signed & val_i[31]}}, val_i[31:0]};
    less = {old_x[63] ^ is_signed, old_x[62:0]} < {val_x[63] ^ is_signed, val_x[62:0]};
    equal = old_i[31:0] == cmp_i[31:0] && (!wide || old_i[63:32] == cmp_i[63:32]);
    unique case (op_i)
      AtomAdd:  new_o = (type_i == MemTypeF32) ? {32'h0, fsum} : old_i + val_i;
      AtomMin:  new_o = less ? old_i : val_i;
      AtomMax:  new_o = less ? val_i : old_i;
      // inc and dec exist as u32 only.
      AtomInc:  new_o = less ? {32'h0, old_i[31:0] + 32'd1} : '0;
      AtomDec:  new_o = (old_i[31:0] == '0 || old_i[31:0] > val_i[31:0])
                        ? val_i : {32'h0, old_i[31:0] - 32'd1};
      AtomAnd:  new_o = old_i & val_i;
      AtomOr:   new_o = old_i | val_i;
      AtomXor:  new_o = old_i ^ val_i;
      AtomExch: new_o = val_i;
      AtomCas:  new_o = equal ? val_i : old_i;
      default:  new_o = old_i;
    endcase
  end
endmodule
