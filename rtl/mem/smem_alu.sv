// 32-bit integer atomic operation of one shared-memory bank (docs/microarchitecture.md 11;
// PTX 9.7.13.6). cas, f32 add and 64-bit types go through the serial unit instead.
// Two adders only: every result is the sum or a function of the two operand bits.
module smem_alu (
  input  logic              en_i,
  input  wl_pkg::atom_op_e  op_i,
  input  logic              signed_i,
  input  logic [31:0]       old_i,
  input  logic [31:0]       val_i,
  output logic [31:0]       new_o
);
  import wl_pkg::*;

  // Result bit where {both, only old, only val} is set; all are zero where neither is.
  localparam logic [2:0] TabZero = 3'b000;
  localparam logic [2:0] TabAnd = 3'b100;
  localparam logic [2:0] TabOr = 3'b111;
  localparam logic [2:0] TabXor = 3'b011;
  localparam logic [2:0] TabOld = 3'b110;
  localparam logic [2:0] TabVal = 3'b101;

  logic [32:0] diff;
  logic [31:0] addend;
  logic        less, same, use_sum;
  logic [2:0]  tab;
  always_comb begin
    {diff, less, same, addend, use_sum, tab, new_o} = 'x;
    if (en_i) begin
      use_sum = 1'b0;
      tab = TabVal;
      diff = {1'b0, old_i[31] ^ signed_i, old_i[30:0]} - {1'b0, val_i[31] ^ signed_i, val_i[30:0]};
      less = diff[32];
      same = diff[31:0] == '0;
      addend = val_i;
      unique case (op_i)
        AtomAdd: use_sum = 1'b1;
        AtomMin: tab = less ? TabOld : TabVal;
        AtomMax: tab = less ? TabVal : TabOld;
        AtomInc: begin
          addend = 32'd1;
          use_sum = less;
          tab = TabZero;
        end
        AtomDec: begin
          addend = '1;
          use_sum = old_i != '0 && (less || same);
        end
        AtomAnd: tab = TabAnd;
        AtomOr:  tab = TabOr;
        AtomXor: tab = TabXor;
        default: tab = TabVal;   // exch
      endcase
      new_o = ({32{tab[2]}} & old_i & val_i) | ({32{tab[1]}} & old_i & ~val_i) |
              ({32{tab[0]}} & ~old_i & val_i);
      if (use_sum) new_o = old_i + addend;
    end
  end
endmodule
