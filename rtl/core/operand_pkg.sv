// Registers and predicates of an instruction's operands (docs/microarchitecture.md 0, 6.1): which
// of them a step reads, and when; what hazards are judged by.
package operand_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;

  // A read slot (6.1): where the instruction stands.
  typedef struct packed {
    logic                valid;
    logic                single;      // one slot whatever its beats and operands
    logic                both;        // writes two predicates: an extra slot for each part
    logic [BeatBits-1:0] beat;
    logic [PartBits-1:0] part;        // of the beat
    operand_step_t               step;
    logic [1:0]          sub;         // slot of the step
    logic                step_end;    // the last slot of its step
    logic                steps_end;   // of all steps of the part
    logic                part_end;    // of the part
    logic                last_part;   // the last part of the beat
    logic                final_part;  // of the last active beat
    logic                last;        // the last slot of the instruction
    logic [SlotBits-1:0] lsu_slot;
  } slot_t;

  // A step of the fixed pipe on its way from X1 to W (6.2).
  typedef struct packed {
    fix_t       fix;
    logic       reg_any;    // register to write, lanes or not
    logic       last_beat;  // last part of the last active beat: busy clears
    logic       last;       // and the last step: finishes
    logic       p;          // writes pd (7: does not)
    logic       q;
    logic [2:0] pd;
    logic [2:0] pq;
  } band_t;

  // Bit of P0..P6 if used; PT (7) is no hazard.
  function automatic logic [6:0] pred_bit(input logic [2:0] p, input logic used);
    return 7'(8'(used) << p);
  endfunction

  // Words of an operand by the code of form_info_t; 0 for a counted one.
  function automatic words_t words_of(input logic [2:0] code);
    return (MostOperandWords <= 4) ? words_t'(code) : words_t'(operand_words(code));
  endfunction

  // Register of word k of a group (section 0): 255 where nothing is read or written.
  function automatic logic [7:0] group_reg(input logic [7:0] base, input offset_t k);
    logic [8:0] r;
    r = 9'(base) + 9'(k);
    return (base == 8'd255 || r >= 9'd255) ? 8'd255 : r[7:0];
  endfunction

  // Last register of a group that is used, cut at the last one that exists. Of a counted group the
  // count, less one, is `more`.
  function automatic reg_t last_reg(input logic [7:0] base, input logic [2:0] code,
                                    input logic [6:0] more);
    logic [8:0] last, most;
    most = (Regs == 256) ? 9'd254 : 9'(Regs - 1);
    last = 9'(base) + ((HasCounted != 0 && code == WordsCounted) ? 9'(more) :
                       9'(words_of(code)) - 9'd1);
    return reg_t'((last > most) ? most : last);
  endfunction

  // verilator lint_off UNUSEDSIGNAL // the flags
  function automatic scan_need_t scan_of(input need_t need);
    // verilator lint_on UNUSEDSIGNAL
    scan_need_t s;
    // verilator lint_off UNUSEDSIGNAL // without the flags
    need_more_t m;
    // verilator lint_on UNUSEDSIGNAL
    logic [7:0] base [5];
    logic [2:0] words [5];
    m = more_of(need);
    base = '{need.rd, need.ra, need.rb, need.rc, m.imm};
    words = '{need.nd, need.na, need.nb, need.nc, {m.x, 2'b00}};
    s.preds = need.preds;
    for (int unsigned o = 0; o < OperandGroups; o++) begin
      // One to four words; below, more.
      logic [1:0] more;
      logic [2:0] low;
      logic       carry;
      more = words[o][1:0] - 2'd1;
      low = 3'(base[o][1:0]) + 3'(more);
      carry = low[2];
      s.last[o][1:0] = low[1:0];
      for (int unsigned i = 2; i < RegBits; i++) begin
        s.last[o][i] = base[o][i] ^ carry;
        carry = base[o][i] && carry;
      end
      if (carry) s.last[o] = '1;
      if (HasLong != 0) s.last[o] = last_reg(base[o], words[o], m.imm[6:0]);
      s.used[o] = words[o] != 3'd0 && 9'(base[o]) < 9'(Regs) && base[o] != 8'd255;
      s.first[o] = base[o][RegBits-1:0];
    end
    return s;
  endfunction

  // verilator lint_off UNUSEDSIGNAL // functions of whole words and rows read some fields

  // Predicates written by the form (7 is none).
  function automatic logic writes_p(input insn_t insn);
    return insn.info.preds[PredD] && insn.word.pd != 3'd7;
  endfunction
  function automatic logic writes_q(input insn_t insn);
    return insn.info.preds[PredQ] && insn.word.pq != 3'd7;
  endfunction

  // The up to three registers that a step reads (6.1): [0] to operand a, [1] to b, [2] to c. ONE
  // and PAIR: word s of operands with two words, else word 0. LIST: words 3 s, + 1, + 2 of the list
  // a, b, c, x, or word s alone to operand a (word_a_step). Of none for an operand that is not used and
  // beyond the list.
  localparam int unsigned ListBits = (MostSteps > 2) ? 5 : 3;  // place in the list
  function automatic logic word_a_step(input form_info_t info);    // one word of a LIST per step
    return (Tensor != 0 && TensorWords == 1 && info.unit == UnitTensor) ||
           (Tmem != 0 && info.unit == UnitTmem);
  endfunction
  function automatic step_from_t [2:0] step_from(input form_info_t info, input operand_step_t step);
    step_from_t [2:0] f;
    logic [ListBits:0] ab, abc, abcx;  // where operand b, c, x ends
    words_t wa;
    wa = words_of(info.a_words);
    ab = (ListBits+1)'(wa) + (ListBits+1)'(words_of(info.b_words));
    abc = ab + (ListBits+1)'(words_of(info.c_words));
    abcx = abc + (ListBits+1)'(words_of(info.x_words));
    for (int unsigned p = 0; p < 3; p++) begin
      logic [ListBits-1:0] i;
      if (MostSteps <= 2) i = (step != '0) ? ListBits'(p + 3) : ListBits'(p);
      else i = word_a_step(info) ? ListBits'(step) : ListBits'(32'(step) * 3 + p);
      f[p].x = 1'b0;
      if (info.steps == StepsList) begin
        f[p].a = i < ListBits'(wa);
        f[p].b = !f[p].a && (ListBits+1)'(i) < ab;
        f[p].c = (ListBits+1)'(i) >= ab && (ListBits+1)'(i) < abc;
        f[p].offset = offset_t'(f[p].a ? i : f[p].b ? i - ListBits'(wa) : i - ab[ListBits-1:0]);
        if (HasX != 0 && (ListBits+1)'(i) >= abc && (ListBits+1)'(i) < abcx) begin
          f[p].x = 1'b1;
          f[p].offset = offset_t'(i - abc[ListBits-1:0]);
        end
      end else begin
        f[p].a = p == 0 && info.a_words != 3'd0;
        f[p].b = p == 1 && info.b_words != 3'd0;
        f[p].c = p == 2 && info.c_words != 3'd0;
        f[p].offset = offset_t'(step != '0 && ((p == 0) ? info.a_words == 3'd2 :
                                  (p == 1) ? info.b_words == 3'd2 : info.c_words == 3'd2));
      end
    end
    if (word_a_step(info)) begin
      f[1] = '0;
      f[2] = '0;
    end
    return f;
  endfunction

  // These registers, 255 for none. One adder per operand.
  function automatic logic [2:0][7:0] step_regs(input step_from_t [2:0] from,
                                                input insn_word_t word);
    logic [2:0][7:0] r;
    for (int unsigned p = 0; p < 3; p++) begin
      r[p] = group_reg(from[p].a ? word.ra : from[p].b ? word.rb : from[p].c ? word.rc :
                       (HasX != 0 && from[p].x) ? word.imm[7:0] : 8'd255, from[p].offset);
    end
    return r;
  endfunction

  // Slot of the step in which each of its registers is read: distinct registers of one bank take
  // one slot each, in operand order.
  function automatic logic [2:0][1:0] step_slots(input logic [2:0][7:0] r);
    logic [2:0][1:0] s;
    logic hit01, hit02, hit12;
    hit01 = r[0] != 8'd255 && r[1] != 8'd255 && r[0][1:0] == r[1][1:0];
    hit02 = r[0] != 8'd255 && r[2] != 8'd255 && r[0][1:0] == r[2][1:0];
    hit12 = r[1] != 8'd255 && r[2] != 8'd255 && r[1][1:0] == r[2][1:0];
    s[0] = 2'd0;
    s[1] = 2'(hit01 && r[1] != r[0]);
    if (hit02 && r[2] == r[0]) s[2] = s[0];
    else if (hit12 && r[2] == r[1]) s[2] = s[1];
    else s[2] = 2'(hit02) + 2'(hit12 && !(hit02 && r[1] == r[0]));
    return s;
  endfunction
  // verilator lint_on UNUSEDSIGNAL
endpackage
