// Register range of an instruction (docs/microarchitecture.md 5 rule 1): some register of an operand
// that is used lies beyond the register pages of the launch.
module reg_range
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input  logic [5:0] reg_pages_i,
  // verilator lint_off UNUSEDSIGNAL // registers and words
  input  form_info_t info_i,
  input  insn_word_t word_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic       trap_o
);
  // By pages of eight: the first register lies beyond the last page, or in it while the last one
  // does not.
  logic ends;               // behind the last page there are registers below 255
  logic [4:0] page;         // the last one
  assign page = 5'(reg_pages_i - 6'd1);
  assign ends = !reg_pages_i[5];
  // One to four words. Below register 255 no such group leaves page 31.
  function automatic logic beyond(input logic [7:0] base, input logic [2:0] words,
                                  input logic [4:0] last_page, input logic bounded);
    logic crosses;
    crosses = (base[2:0] == 3'd7 && words > 3'd1) || (base[2:0] == 3'd6 && words > 3'd2) ||
              (base[2:0] == 3'd5 && words > 3'd3);
    return words != 3'd0 && base != 8'd255 && bounded &&
           (base[7:3] > last_page || (base[7:3] == last_page && crosses));
  endfunction
  // Any number of words: of those below register 255 the last one counts.
  function automatic logic beyond_any(input logic [7:0] base, input logic [2:0] code,
                                      input logic [6:0] more, input logic [4:0] last_page,
                                      input logic bounded);
    logic [8:0] last;
    last = 9'(base) + ((HasCounted != 0 && code == WordsCounted) ? 9'(more) :
                       9'(words_of(code)) - 9'd1);
    if (last > 9'd254) last = 9'd254;
    return code != 3'd0 && base != 8'd255 && bounded && last[7:3] > last_page;
  endfunction

  if (MostOperandWords <= 4 && HasLong == 0) begin : gen_short
    assign trap_o = beyond(word_i.rd, info_i.d_words, page, ends) ||
                    beyond(word_i.ra, info_i.a_words, page, ends) ||
                    beyond(word_i.rb, info_i.b_words, page, ends) ||
                    beyond(word_i.rc, info_i.c_words, page, ends);
  end else begin : gen_long
    logic [7:0] imm;
    assign imm = word_i.imm[7:0];
    assign trap_o = beyond_any(word_i.rd, info_i.d_words, imm[6:0], page, ends) ||
                    beyond_any(word_i.ra, info_i.a_words, imm[6:0], page, ends) ||
                    beyond_any(word_i.rb, info_i.b_words, imm[6:0], page, ends) ||
                    beyond_any(word_i.rc, info_i.c_words, imm[6:0], page, ends) ||
                    beyond_any(imm, info_i.x_words, imm[6:0], page, ends);
  end
endmodule
