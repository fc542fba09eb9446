// Decode (docs/microarchitecture.md 2, stages D1 and D2 of section 4) against a table made from
// isa/def by decode_table_pkg.sh: a word carries a trap exactly if its form is not assigned or a bit
// is set that no field of the form uses; its entry is pushed two cycles after the token, with the
// word and pc unchanged, unless the warp is flushed; the registers and predicates that the hazard
// rule asks for are those of the form. Everything is free: words, pcs, flushes. Operations, immediate
// kinds and the steps' count are compared by simulation only.
module decode_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
(
  input logic                clk_i,
  input logic [SubWarps-1:0] kill_i,
  input logic                valid_i,
  input warp_t               warp_i,
  input pc_t                 pc_i,
  input logic                oob_i,
  input logic [127:0]        even_i,
  input logic [127:0]        odd_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [SubWarps-1:0] put;
  warp_t push_warp;
  insn_t insn;
  need_t need;
  decode dut (
    .clk_i, .rst_ni(rst_n), .sub_i('0), .kill_i, .valid_i, .warp_i(SubWarps'(1) << warp_i),
    .pc_i, .oob_i, .even_i, .odd_i, .put_o(put), .push_warp_o(push_warp), .insn_o(insn),
    .need_o(need)
  );

  // Two stages of the token, and the word that arrives with the first.
  logic  v1_q, v2_q, oob1_q, oob2_q;
  warp_t w1_q, w2_q;
  pc_t   pc1_q, pc2_q;
  logic [127:0] word_q;
  always_ff @(posedge clk_i) begin
    v1_q <= rst_n && valid_i && !kill_i[warp_i];
    v2_q <= rst_n && v1_q && !kill_i[w1_q];
    w1_q <= warp_i;
    w2_q <= w1_q;
    pc1_q <= pc_i;
    pc2_q <= pc1_q;
    oob1_q <= oob_i;
    oob2_q <= oob1_q;
    word_q <= oob1_q ? '0 : pc1_q[0] ? odd_i : even_i;
  end

  decode_table_pkg::row_t row;
  insn_word_t word;
  logic       known, in_table;
  assign word = word_q;
  assign row = decode_table_pkg::row(word.form);
  assign known = row.known;
  assign in_table = known && (word_q & row.mbz) == '0;

  logic [6:0] preds;
  always_comb begin
    preds = '0;
    for (int unsigned p = 0; p < 7; p++) begin
      preds[p] = word.guard == 3'(p) || (row.preds[0] && word.pd == 3'(p)) ||
                 (row.preds[1] && word.pq == 3'(p)) || (row.preds[2] && word.ps == 3'(p)) ||
                 (row.preds[3] && word.pt == 3'(p));
    end
  end

  // The pipeline's registers have no reset: compared from the third cycle on.
  logic [1:0] age_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) age_q <= '0;
    else if (age_q != 2'd3) age_q <= age_q + 2'd1;
  end

  always @(posedge clk_i) begin
    if (rst_n && age_q == 2'd3) begin
      a_put: assert (put == (v2_q ? SubWarps'(1) << w2_q : '0));
      if (v2_q) begin
        a_warp: assert (push_warp == w2_q);
        a_entry: assert (insn.pc == pc2_q && insn.word == word_q);
        a_legal: assert (oob2_q || insn.trap == !in_table);
        a_oob: assert (!oob2_q || (insn.trap && insn.cause == TrapPcRange));
        a_form: assert (oob2_q || known || insn.cause == TrapIllegalForm);
        a_bits: assert (oob2_q || !known || in_table || insn.cause == TrapIllegalBits);
        a_none: assert (insn.trap || insn.cause == TrapNone);
        a_need_trap: assert (need.trap == insn.trap);
        if (known) begin
          a_words: assert (need.nd == row.words[0] && need.na == row.words[1] &&
                           need.nb == row.words[2] && need.nc == row.words[3]);
          a_regs: assert (need.rd == word.rd && need.ra == word.ra && need.rb == word.rb &&
                          need.rc == word.rc);
          a_preds: assert (need.preds == preds && need.guard == word.guard &&
                           need.guard_neg == word.guard_neg);
        end
      end
      c_last: cover (put != '0 && 32'(word.form) == decode_table_pkg::Last && in_table);
      c_beyond: cover (put != '0 && 32'(word.form) == decode_table_pkg::Forms);
      c_one_bit: cover (v2_q && known && !in_table && $countones(word_q & row.mbz) == 1 &&
                        word_q[127]);
      c_killed: cover (v2_q && kill_i[w2_q] && v1_q && w1_q != w2_q);
      c_oob: cover (put != '0 && oob2_q);
      c_preds: cover (put != '0 && row.preds == 4'b0111 && preds == 7'b1010101);
    end
  end
endmodule
