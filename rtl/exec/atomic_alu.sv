// One atomic operation on one element (docs/microarchitecture.md 11 and 13; PTX 9.7.13.6), word by
// word in four successive cycles: step 0 compares the low words, step 1 the high words, step 2 gives
// the high word of the result (64-bit types), step 3 the low word. Used by the order point's atomic
// unit and by the serial unit of shared memory; the 32-bit integer operations of the shared banks are
// in mem/smem_alu. One comparator and one adder: a result is the sum of two bitwise functions of the
// words, or the value. Sums of floats take the four steps of f32_add_rne.
module atomic_alu (
  input  logic              clk_i,
  input  logic [3:0]        step_i,   // one-hot; zero: nothing is done, the result is anything
  input  wl_pkg::atom_op_e  op_i,     // operation and type: stable in the four steps
  input  wl_pkg::mem_type_e type_i,
  input  logic              flush_i,  // f32: subnormal inputs and results to zero (global memory)
  input  logic [31:0]       old_i,    // low word in steps 0 and 3, high word in steps 1 and 2
  input  logic [31:0]       val_i,    // operand; cas: the new value
  input  logic [31:0]       cmp_i,    // cas only
  output logic [31:0]       new_o     // high word in step 2, low word in step 3
);
  import wl_pkg::*;

  // The two summands, each a function of both words in four kinds (one LUT per bit).
  typedef enum logic [1:0] {OldNone, OldAll, OldAnd, OldAndNot} old_e;
  typedef enum logic [1:0] {ValNone, ValAll, ValAndNot, ValOnes} val_e;

  logic        wide, is_signed, is_f32, is_cas;
  logic        less_q, equal_q, carry_q;
  logic        less, equal;
  logic        top;       // the words hold the sign
  logic [32:0] sum;
  logic        carry_in;
  old_e        old_kind;
  val_e        val_kind;
  logic [31:0] old_part, val_part, fsum;

  assign wide = type_i == MemTypeB64 || type_i == MemTypeU64 || type_i == MemTypeS64;
  assign is_signed = type_i == MemTypeS32 || type_i == MemTypeS64;
  assign is_f32 = type_i == MemTypeF32;
  assign is_cas = op_i == AtomCas;
  assign top = wide == step_i[1];

  f32_add_rne u_fadd (
    .clk_i, .step_i(step_i & {4{is_f32}}), .less_i(less), .a_i(old_i), .b_i(val_i), .flush_i,
    .sum_o(fsum)
  );

  // Comparison: old against val in the type's order (dec: less or equal, f32: magnitudes), old
  // against cmp or (dec) zero.
  always_comb begin
    logic [31:0] x, y;
    logic        borrow_free, above;
    logic [31:0] unused_diff;
    x = 'x;
    y = 'x;
    borrow_free = 'x;
    above = 'x;
    unused_diff = 'x;
    less = 'x;
    equal = 'x;
    if (step_i[0] || step_i[1]) begin
      x = {(old_i[31] ^ (is_signed & top)) & ~is_f32, old_i[30:0]};
      y = {(val_i[31] ^ (is_signed & top)) & ~is_f32, val_i[30:0]};
      borrow_free = step_i[1] ? !less_q : op_i != AtomDec;
      {above, unused_diff} = {1'b0, x} + {1'b0, ~y} + 33'(borrow_free);
      less = !above;
      equal = (old_i ^ (cmp_i & {32{is_cas}})) == '0 && !(step_i[1] && !equal_q);
    end
  end

  // min, max, inc, dec, cas: the old word is the base of the result. The result is the sum, the value,
  // or (inc) zero.
  logic keep, use_sum, use_val;
  always_comb begin
    unique case (op_i)
      AtomMin, AtomInc: keep = less_q;
      AtomMax:          keep = !less_q;
      AtomDec:          keep = less_q && !equal_q;
      default:          keep = !equal_q;
    endcase
    // inc and dec exist as u32 only.
    carry_in = (step_i[2] && carry_q) || op_i == AtomInc;
    old_kind = OldAll;
    val_kind = ValNone;
    use_sum = keep;
    use_val = !keep;
    unique case (op_i)
      AtomAdd: begin
        old_kind = is_f32 ? OldNone : OldAll;
        val_kind = is_f32 ? ValNone : ValAll;
        use_sum = 1'b1;
        use_val = 1'b0;
      end
      AtomInc: use_val = 1'b0;
      AtomDec: val_kind = ValOnes;
      AtomAnd: begin
        old_kind = OldAnd;
        use_sum = 1'b1;
        use_val = 1'b0;
      end
      AtomOr: begin
        val_kind = ValAndNot;
        use_sum = 1'b1;
        use_val = 1'b0;
      end
      AtomXor: begin
        old_kind = OldAndNot;
        val_kind = ValAndNot;
        use_sum = 1'b1;
        use_val = 1'b0;
      end
      AtomExch: begin
        use_sum = 1'b0;
        use_val = 1'b1;
      end
      default: ;  // min, max, cas
    endcase
  end

  always_comb begin
    old_part = 'x;
    val_part = 'x;
    sum = 'x;
    new_o = 'x;
    if (step_i != '0) begin
      unique case (old_kind)
        OldNone: old_part = '0;
        OldAll:  old_part = old_i;
        OldAnd:  old_part = old_i & val_i;
        default: old_part = old_i & ~val_i;
      endcase
      unique case (val_kind)
        ValNone:   val_part = '0;
        ValAll:    val_part = val_i;
        ValAndNot: val_part = val_i & ~old_i;
        default:   val_part = '1;
      endcase
      sum = {1'b0, old_part} + {1'b0, val_part} + 33'(carry_in);
      new_o = (sum[31:0] & {32{use_sum}}) | (val_i & {32{use_val}}) | fsum;
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_i[0] || (step_i[1] && wide)) begin
      less_q <= less;
      equal_q <= equal;
    end
    if (step_i[0]) carry_q <= sum[32];
  end
endmodule
