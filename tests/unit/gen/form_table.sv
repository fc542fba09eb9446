// The form table and the must-be-zero masks of wl_pkg, field by field, for test_form_table to
// compare with the C table. docs/microarchitecture.md 2. No state, not synthesized.
module form_table (
  input  logic [127:0] word_i,
  output logic         legal_o,
  output logic [31:0]  unit_op_o,   // {unit, op, kind, space}
  output logic [31:0]  type_o,      // {type, atom, imm, steps}
  output logic [31:0]  words_o,     // {d, a, b, c}; counted: 255
  output logic [7:0]   x_words_o,
  output logic [31:0]  preds_o,     // {queue, list, aligned, format, slow, preds}
  output logic [127:0] mbz_o,
  output logic [31:0]  regs_o,      // {rd, ra, rb, rc}
  output logic [31:0]  imm_o,
  output logic [31:0]  preds_used_o,  // {gap63, pt_neg .. pd, guard_neg, guard}
  output logic [31:0]  mods_o       // bits 127:96
);
  import wl_pkg::*;

  insn_word_t word;
  form_info_t info;
  assign word = word_i;
  assign info = form_info(word.form);

  assign legal_o = info.legal;
  assign unit_op_o = {8'(info.unit), info.op, 8'(info.kind), 8'(info.space)};
  assign type_o = {8'(info.mtype), 8'(info.atom), 8'(info.imm), 8'(info.steps)};
  function automatic logic [7:0] words(input logic [2:0] code);
    return code == WordsCounted ? 8'd255 : 8'(operand_words(code));
  endfunction
  assign words_o = {words(info.d_words), words(info.a_words), words(info.b_words),
                    words(info.c_words)};
  assign x_words_o = words(info.x_words);
  assign preds_o = {6'd0, form_queue(info), form_list(info), 8'(form_aligned(info)), 8'(info.format), 3'd0, info.slow, info.preds};
  always_comb begin
    mbz_o = '0;
    for (int unsigned c = 0; c < MbzClasses; c++) if (form_mbz(word.form)[c]) mbz_o |= MbzClass[c];
  end
  assign regs_o = {word.rd, word.ra, word.rb, word.rc};
  assign imm_o = word.imm;
  assign preds_used_o = {13'd0, word.gap63, word.pt_neg, word.pt, word.ps_neg, word.ps, word.pq,
                         word.pd, word.guard_neg, word.guard};
  assign mods_o = word.mods;
endmodule
