// One atomic operation on one element (docs/microarchitecture.md 11 and 13; PTX 9.7.13.6).
// 32-bit types use the low words; the upper word of their result has no meaning. Used by the order
// point's atomic unit and by the serial unit of shared memory; the 32-bit integer operations of the
// shared banks are in mem/smem_alu. Two adders only: every integer result is the sum or a function
// of the two operand bits.
module atomic_alu (
  input  logic              en_i,     // result is zero without
  input  wl_pkg::atom_op_e  op_i,
  input  wl_pkg::mem_type_e type_i,
  input  logic              flush_i,  // f32: subnormal inputs and results to zero (global memory)
  input  logic [63:0]       old_i,
  input  logic [63:0]       val_i,    // operand; cas: the new value
  input  logic [63:0]       cmp_i,    // cas only
  output logic [63:0]       new_o
);
  import wl_pkg::*;

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  // Result bit where {both, only old, only val} is set; all are zero where neither is.
  localparam logic [2:0] TabZero = 3'b000;
  localparam logic [2:0] TabAnd = 3'b100;
  localparam logic [2:0] TabOr = 3'b111;
  localparam logic [2:0] TabXor = 3'b011;
  localparam logic [2:0] TabOld = 3'b110;
  localparam logic [2:0] TabVal = 3'b101;

  logic        wide;
  logic        is_signed;
  logic        less, same;     // old against val in the type's order
  logic        equal;          // old against cmp
  logic        use_sum;
  logic [2:0]  tab;
  logic [63:0] old_x, val_x, addend;
  logic [64:0] diff;
  logic [31:0] fsum;

  f32_add_rne u_fadd (
    .en_i(en_i && type_i == MemTypeF32), .a_i(old_i[31:0]), .b_i(val_i[31:0]),
    .flush_i(flush_i), .sum_o(fsum)
  );

  always_comb begin
    wide = 1'b0;
    is_signed = 1'b0;
    old_x = '0;
    val_x = '0;
    diff = '0;
    less = 1'b0;
    same = 1'b0;
    equal = 1'b0;
    addend = '0;
    use_sum = 1'b0;
    tab = TabOld;
    new_o = '0;
    if (en_i || Always) begin
      wide = type_i == MemTypeB64 || type_i == MemTypeU64 || type_i == MemTypeS64;
      is_signed = type_i == MemTypeS32 || type_i == MemTypeS64;
      // One 64-bit comparator: 32-bit values are extended by their type, the sign bit is turned.
      old_x = wide ? old_i : {{32{is_signed & old_i[31]}}, old_i[31:0]};
      val_x = wide ? val_i : {{32{is_signed & val_i[31]}}, val_i[31:0]};
      diff = {1'b0, old_x[63] ^ is_signed, old_x[62:0]}
             - {1'b0, val_x[63] ^ is_signed, val_x[62:0]};
      less = diff[64];
      same = diff[63:0] == '0;
      equal = old_i[31:0] == cmp_i[31:0] && (!wide || old_i[63:32] == cmp_i[63:32]);
      addend = val_i;
      use_sum = 1'b0;
      tab = TabOld;
      unique case (op_i)
        AtomAdd:  use_sum = 1'b1;
        AtomMin:  tab = less ? TabOld : TabVal;
        AtomMax:  tab = less ? TabVal : TabOld;
        // inc and dec exist as u32 only.
        AtomInc: begin
          addend = 64'd1;
          use_sum = less;
          tab = TabZero;
        end
        AtomDec: begin
          addend = '1;
          use_sum = old_i[31:0] != '0 && (less || same);
          tab = TabVal;
        end
        AtomAnd:  tab = TabAnd;
        AtomOr:   tab = TabOr;
        AtomXor:  tab = TabXor;
        AtomExch: tab = TabVal;
        AtomCas:  tab = equal ? TabVal : TabOld;
        default:  tab = TabOld;
      endcase
      new_o = ({64{tab[2]}} & old_i & val_i) | ({64{tab[1]}} & old_i & ~val_i) |
              ({64{tab[0]}} & ~old_i & val_i);
      if (use_sum) new_o = old_i + addend;
      if (op_i == AtomAdd && type_i == MemTypeF32) new_o[31:0] = fsum;
    end
  end
endmodule
