// Decode: stages D1 and D2 of fetch (docs/microarchitecture.md 2, 4). D1 reads the row of the form,
// D2 checks the must-be-zero bits, counts the steps and the parts of a beat (6.1) and hands the
// entry to the instruction buffer. A killed token does nothing. Takes no trap: it only attaches it.
`include "cells/assert.svh"
module decode
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // verilator lint_off UNUSEDSIGNAL // for the journal
  input  sub_t                sub_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [SubWarps-1:0] kill_i,  // warps whose tokens die: known late
  // From F2, killed or not; visible in D1 the next cycle, in which the word arrives.
  input  logic                valid_i,
  input  logic [SubWarps-1:0] warp_i,  // one-hot
  input  pc_t                 pc_i,
  input  logic                oob_i,
  input  logic [127:0]        even_i,  // D1: instruction at an even, an odd pc
  input  logic [127:0]        odd_i,
  // Entry pushed in this cycle, unless the warp is killed in it.
  output logic [SubWarps-1:0] put_o,
  output warp_t               push_warp_o,
  output insn_t               insn_o,
  output need_t               need_o
);
  logic d1_valid_q, d2_valid_q, d1_oob_q, d2_oob_q;
  logic [SubWarps-1:0] d1_warp_q, d2_warp_q;
  warp_t d2_number_q;
  pc_t d1_pc_q, d2_pc_q;
  insn_word_t d1_word, d2_word_q;
  form_info_t d2_info_q;
  logic [MbzClasses-1:0] d2_mbz_q, d2_set_q;  // classes of bits: to be zero, with one that is not

  assign d1_word = d1_oob_q ? '0 : d1_pc_q[0] ? odd_i : even_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      d1_valid_q <= 1'b0;
      d2_valid_q <= 1'b0;
    end else begin
      d1_valid_q <= valid_i && (warp_i & kill_i) == '0;
      d2_valid_q <= d1_valid_q && (d1_warp_q & kill_i) == '0;
    end
    if (valid_i) begin
      d1_warp_q <= warp_i;
      d1_pc_q <= pc_i;
      d1_oob_q <= oob_i;
    end
    if (d1_valid_q) begin
      d2_warp_q <= d1_warp_q;
      d2_number_q <= warp_number(d1_warp_q);
      d2_pc_q <= d1_pc_q;
      d2_oob_q <= d1_oob_q;
      d2_word_q <= d1_word;
      d2_info_q <= row_form(d1_word.form);
      d2_mbz_q <= form_mbz(d1_word.form);
      for (int unsigned c = 0; c < MbzClasses; c++) d2_set_q[c] <= (d1_word & MbzClass[c]) != '0;
    end
  end

  assign put_o = d2_valid_q ? d2_warp_q : '0;
  assign push_warp_o = d2_number_q;

  logic illegal_bits;
  logic [5:0] list;    // words that a LIST reads
  operand_step_t last_step;
  lanes_e lanes;
  assign lanes = form_lanes(d2_info_q);
  always_comb begin
    illegal_bits = (d2_set_q & d2_mbz_q) != '0;
    list = 6'(words_of(d2_info_q.a_words)) + 6'(words_of(d2_info_q.b_words)) +
           6'(words_of(d2_info_q.c_words));
    if (HasX != 0) list += 6'(words_of(d2_info_q.x_words));
    last_step = operand_step_t'(d2_info_q.steps == StepsPair);
    for (int unsigned s = 1; s < MostSteps; s++) begin
      if (d2_info_q.steps == StepsList && list > 6'(word_a_step(d2_info_q) ? s : 3 * s)) begin
        last_step = operand_step_t'(s);
      end
    end
    insn_o.trap = 1'b1;
    if (d2_oob_q) insn_o.cause = TrapPcRange;
    else if (!d2_info_q.legal) insn_o.cause = TrapIllegalForm;
    else if (illegal_bits) insn_o.cause = TrapIllegalBits;
    else begin
      insn_o.trap = 1'b0;
      insn_o.cause = TrapNone;
    end
    insn_o.pc = d2_pc_q;
    insn_o.info = d2_info_q;
    insn_o.word = d2_word_q;
    insn_o.last_step = last_step;
    unique case (lanes)
      LanesSlow: insn_o.last_part = PartBits'(SlowParts - 1);
      LanesFp:   insn_o.last_part = PartBits'(FpParts - 1);
      LanesLsu:  insn_o.last_part = PartBits'(LsuParts - 1);
      LanesOne, LanesFirst: insn_o.last_part = (HasLane != 0) ? PartBits'(LaneParts - 1) : '0;
      LanesAll:  insn_o.last_part = '0;
    endcase
  end

  // verilator lint_off UNUSEDSIGNAL // without such units and operands
  need_more_t more;
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin
    need_o.trap = insn_o.trap;
    need_o.rd = d2_word_q.rd;
    need_o.ra = d2_word_q.ra;
    need_o.rb = d2_word_q.rb;
    need_o.rc = d2_word_q.rc;
    need_o.nd = d2_info_q.d_words;
    need_o.na = d2_info_q.a_words;
    need_o.nb = d2_info_q.b_words;
    need_o.nc = d2_info_q.c_words;
    need_o.preds = pred_bit(d2_word_q.guard, 1'b1) |
                   pred_bit(d2_word_q.pd, d2_info_q.preds[PredD]) |
                   pred_bit(d2_word_q.pq, d2_info_q.preds[PredQ]) |
                   pred_bit(d2_word_q.ps, d2_info_q.preds[PredS]) |
                   pred_bit(d2_word_q.pt, d2_info_q.preds[PredT]);
    need_o.guard = d2_word_q.guard;
    need_o.guard_neg = d2_word_q.guard_neg;
    need_o.lsu = d2_info_q.unit == UnitLsu;
    need_o.ldc = d2_info_q.unit == UnitLdc;
    need_o.sync = d2_info_q.unit == UnitSync;
    need_o.copy = Copy != 0 && d2_info_q.unit == UnitCopy;
    need_o.returns = form_returns(d2_info_q);
    need_o.waits = form_waits(d2_info_q);
    need_o.tbuf = form_tbuf(d2_info_q);
    more.probe = d2_info_q.unit == UnitProbe;
    more.tensor = d2_info_q.unit == UnitTensor;
    more.fp64 = Fp64 != 0 && d2_info_q.unit == UnitFp64;
    more.columns = Tmem != 0 && tmem_pkg::is_columns(d2_info_q);
    more.tload = Tmem != 0 && tmem_pkg::is_load(d2_info_q);
    more.umma = Umma != 0 && d2_info_q.unit == UnitUmma;
    more.notes = HasCounted != 0 && form_waits_notes(d2_info_q);
    more.counted = d2_info_q.d_words == WordsCounted && d2_word_q.rd != 8'd255;
    more.x = d2_info_q.x_words != 3'd0;
    more.imm = d2_word_q.imm[7:0];
    need_o.more = (HasMore != 0) ? MoreBits'(more) : '0;
  end
  // A row FPINSN of another format needs its lanes first; conversions have them. (A word that traps may
  // have no form.)
  `WL_ASSERT(OnlyF32, !d2_valid_q || insn_o.trap || d2_info_q.format == FormatNone ||
                      d2_info_q.format == FormatF32 || d2_info_q.op >= 8'(FpuFnarrow))
endmodule
