// Atomic unit of the order point (docs/microarchitecture.md 13).
// Takes one table row at a time and works through its elements in ascending order, AtomStep cycles
// each, of which atomic_alu uses the last four. An element of 128 bits (Atom128) takes two rounds of
// AtomStep cycles: its words are compared in the first and written in the second, lowest first. Of the
// row's data the unit holds only the words of the next cycle: the order point gives the row from the
// cycle on in which it is taken, and keeps the new words. Does not touch memory.
`include "cells/assert.svh"

module atomic #(
  parameter int unsigned Rows = 8,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // A row in state ATOM; taken when the unit is idle.
  input  logic                req_valid_i,
  input  logic [RowBits-1:0]  req_row_i,
  input  wl_pkg::atom_op_e    req_op_i,
  input  wl_pkg::mem_type_e   req_type_i,
  input  logic [7:0]          req_first_i,  // word in which the first element starts
  input  logic [7:0]          req_words_i,  // words in which the others start
  input  logic [31:0]         old_i [8],    // of the row that is taken or under way
  input  logic [31:0]         arg_i [8],
  output logic                idle_o,
  output logic                rest_o,       // idle, and so is the sequence (15)
  // A new word of the row. The row becomes WREQ in the cycle with done_o.
  output logic [7:0]          we_o,
  output logic [RowBits-1:0]  row_o,
  output logic [31:0]         word_o,
  output logic                done_o
);
  import wl_pkg::*;
  import config_pkg::Atom128;
  logic                busy_q;
  logic [AtomStep-1:0] step_q;          // one-hot; the row is taken in step 0
  logic [RowBits-1:0]  row_q;
  atom_op_e            op_q;
  mem_type_e           type_q;
  logic [7:0]          left_q;          // words in which the elements after this one start
  logic [7:0]          first_q;         // word in which this one starts
  logic [7:0]          old_sel_q;       // word that the ALU works on
  logic [31:0]         old_q, val_q, cmp_q;

  // The element of the next cycle.
  logic       take, next, wide, is_cas;
  logic [7:0] first, sel;
  logic       high;       // steps 2 and 3 work on the high word of a 64-bit element
  logic       quad;       // an element of 128 bits is under way
  logic       again;      // in its second round
  assign take = !busy_q && req_valid_i;
  assign next = !busy_q || step_q[AtomStep-1];   // (not looked at when idle without a request)
  always_comb begin
    wide = type_q inside {MemTypeB64, MemTypeU64, MemTypeS64};
    high = wide && (step_q[1] || step_q[2]);
    first = !busy_q ? req_first_i :
            (step_q[AtomStep-1] && !(quad && !again)) ? 8'(cells_pkg::lowest(64'(left_q))) : first_q;
    sel = high ? first << 1 : first;
    if (quad) begin
      for (int unsigned k = 1; k < 4; k++) if (step_q[k]) sel = first << k;
    end
    is_cas = (busy_q ? op_q : req_op_i) == AtomCas;
  end

  // Its words. cas: new value at (address mod 16) in the lower half, compare value in the upper half
  logic        some;
  logic [1:0]  arg_at;    // operand: word in the half
  logic [31:0] old, val, cmp, low;
  assign some = busy_q || take;
  assign arg_at = {sel[7] | sel[6] | sel[3] | sel[2], sel[7] | sel[5] | sel[3] | sel[1]};
  always_comb begin
    old = 'x;
    if (some) begin
      old = '0;
      for (int unsigned i = 0; i < 4; i++) begin
        old |= (old_i[i] & {32{sel[i]}}) | (old_i[i+4] & {32{sel[i+4]}});
      end
    end
    val = (sel[7:4] != '0 && !is_cas) ? cmp : low;
  end
  word_mux #(.Words(4)) u_low (.en_i(some), .at_i(arg_at), .x_i(arg_i[0:3]), .y_o(low));
  word_mux #(.Words(4)) u_high (.en_i(some), .at_i(arg_at), .x_i(arg_i[4:7]), .y_o(cmp));

  logic [31:0] alu_word;
  atomic_alu u_alu (
    .clk_i, .step_i(step_q[4:1] & {4{busy_q && !quad}}), .op_i(op_q), .type_i(type_q), .flush_i(1'b1),
    .old_i(old_q), .val_i(val_q), .cmp_i(cmp_q), .new_o(alu_word)
  );

  // exch and cas of 128 bits, a word a cycle.
  if (Atom128 != 0) begin : gen_quad
    logic again_q, same_q;   // no word so far is another than it should be
    assign quad = busy_q && type_q == MemTypeB128;
    assign again = again_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) again_q <= 1'b0;
      else if (quad && step_q[AtomStep-1]) again_q <= !again_q;
      if (quad && !again_q) same_q <= (same_q || step_q[1]) && (old_q == cmp_q || op_q != AtomCas);
    end
    always_comb begin
      word_o = alu_word;
      if (quad) word_o = same_q ? val_q : old_q;
    end
  end else begin : gen_no_quad
    assign {quad, again} = '0;
    assign word_o = alu_word;
  end

  logic we_q;
  assign idle_o = !busy_q;
  assign done_o = busy_q && step_q[AtomStep-1] && left_q == '0 && !(quad && !again);
  assign row_o = row_q;
  assign we_o = we_q ? old_sel_q : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      step_q <= AtomStep'(1);
      we_q <= 1'b0;
    end else if (some) begin
      busy_q <= !done_o;
      step_q <= {step_q[AtomStep-2:0], step_q[AtomStep-1]};
      we_q <= quad ? again && !step_q[AtomStep-1] : (wide && step_q[2]) || step_q[3];
    end
    if (some) begin
      first_q <= first;
      if (next) left_q <= busy_q ? left_q & ~first : req_words_i;
      old_sel_q <= sel;
      old_q <= old;
      val_q <= val;
      cmp_q <= cmp;
    end
    if (take) begin
      row_q <= req_row_i;
      op_q <= req_op_i;
      type_q <= req_type_i;
    end
  end

  assign rest_o = !busy_q && step_q == AtomStep'(1) && !we_q && !again;

  `WL_ASSERT(OneStep, $onehot(step_q))
  `WL_ASSERT(OneElement, !busy_q || ($onehot(first_q) && $onehot(old_sel_q)))
  `WL_ASSERT(WritesBusy, we_o == '0 || busy_q)
endmodule
