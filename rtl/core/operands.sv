// Operands: read slots of the issued instruction, X1 delivery, resolve event, side band of the
// fixed pipe up to W (docs/microarchitecture.md 5, 6.1, 6.2). Banks and page maps lie in
// regfile.sv. Slot cycle a, bank output a + 1, X1 a + 2, resolve a + 3, W a + 2 + LatFixed.
module operands
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import operand_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  sub_t                sub_i,
  input  logic                clear_i,
  input  logic [63:0]         cycle_i,
  input  logic [31:0]         lb_i [LaunchBlockWords],
  input  logic [CtaBits-1:0]  warp_cta_i [SubWarps],
  input  logic [4:0]          warp_index_i [SubWarps],
  input  logic [31:0]         cta_x_i [Ctas],
  input  logic [31:0]         cta_y_i [Ctas],
  input  logic [31:0]         cta_z_i [Ctas],
  input  logic                page_we_i,
  input  warp_t               page_warp_i,
  input  logic [4:0]          page_entry_i,
  input  logic [PageBits-1:0] page_value_i,
  input  issue_t              issue_i,
  // verilator lint_off UNUSEDSIGNAL // IssueAhead = 1 only
  input  step_from_t [2:0]    issue_from_i,  // operands of its first step
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]         issue_ps_i,
  input  logic [31:0]         issue_pt_i,
  input  logic [SlotBits-1:0] lsu_slot_i,
  input  bar_result_t         bar_result_i [SubWarps],
  input  logic [63:0]         pm_next_i [8],
  output x1_t                 x1_o,
  output logic [31:0]         x1_a_o [Lanes],
  output logic [31:0]         x1_b_o [Lanes],
  output logic [31:0]         x1_c_o [Lanes],
  output logic [Lanes-1:0]    x1_ps_o,
  output logic [Lanes-1:0]    x1_pt_o,
  output logic [31:0]         x1_sreg_o [SlowLanes],
  output resolve_t            resolve_next_o,  // in the next cycle
  output resolve_t            resolve_o,
  output logic                rest_o,        // is_left is 0 (15)
  output logic                slots_free_o,  // the last read slot, or none: is_left <= 1 (5)
  output fix_t                fix_o,
  output fixp_t               fix_pred_o,
  output regclr_t             fix_clr_o,
  output finish_t             finish_fix_o,
  output inpipe_t             inpipe_o [PipeStages],
  input  logic [31:0]         fix_data_i [Lanes],
  input  poke_t               poke_i,
  input  peek_t               peek_i,
  output logic [31:0]         peek_data_o,
  input  vwb_t                var_wr_i,
  input  logic [31:0]         var_data_i [Lanes]
);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  function automatic logic [Lanes-1:0] beat_lanes(input logic [31:0] v,
                                                  input logic [BeatBits-1:0] b);
    return Lanes'(v >> (5'(b) * 5'(Lanes)));
  endfunction

  // Slot stage: the instruction in its read slots.
  logic s0_valid_q, s0_single_q, s0_both_q, s0_step_q, s0_extra_q;
  issue_t s0_q;
  logic [63:0] s0_issued_q;
  logic [SlotBits-1:0] s0_slot_q;
  logic [Beats-1:0] s0_beats_q;  // beats still to read, the current one included
  logic [PartBits-1:0] s0_part_q;
  logic [1:0] s0_sub_q;

  // A beat is over after the steps of its last part, or after the extra slot of a form with both
  // predicates.
  logic [Beats-1:0] beats_new, beat_hot;
  logic [BeatBits-1:0] s0_beat;
  logic s0_step_end, s0_steps_end, s0_part_end, s0_last_part, s0_beat_end, s0_final, s0_last;
  logic [2:0][7:0] regs;
  logic [2:0][1:0] slots;
  logic [1:0] last_sub;  // of the step
  logic [2:0] take, read;
  always_comb begin
    for (int unsigned b = 0; b < Beats; b++) beats_new[b] = issue_i.exec[b*Lanes+:Lanes] != '0;
  end
  always_comb begin
    beat_hot = s0_beats_q & (~s0_beats_q + Beats'(1));
    s0_beat = '0;
    for (int unsigned b = 0; b < Beats; b++) if (beat_hot[b]) s0_beat |= BeatBits'(b);
    last_sub = (slots[2] > slots[1]) ? slots[2] : slots[1];
    s0_step_end = !s0_extra_q && (s0_single_q || s0_sub_q == last_sub);
    s0_steps_end = s0_step_end && (s0_single_q || s0_step_q || !s0_q.insn.two);
    s0_part_end = s0_both_q ? s0_extra_q : s0_steps_end;
    s0_last_part = MaxParts == 1 || s0_part_q == s0_q.insn.last_part;
    s0_beat_end = s0_part_end && s0_last_part;
    s0_final = s0_last_part && (s0_single_q || s0_beats_q == beat_hot);
    s0_last = s0_part_end && s0_final;
    for (int unsigned p = 0; p < 3; p++) begin
      take[p] = s0_valid_q && !s0_single_q && !s0_extra_q && slots[p] == s0_sub_q;
      read[p] = take[p] && regs[p] != 8'd255;
    end
  end

  // Forms with one slot whatever their beats and operands.
  logic single_new;
  assign single_new = form_one_slot(issue_i.insn.info, issue_i.released);

  // Predicates written by the form (7 is none).
  // verilator lint_off UNUSEDSIGNAL // functions of whole instructions read some fields
  function automatic logic writes_p(input insn_t insn);
    return insn.info.preds[PredD] && insn.word.pd != 3'd7;
  endfunction
  function automatic logic writes_q(input insn_t insn);
    return insn.info.preds[PredQ] && insn.word.pq != 3'd7;
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // Registers of the step and their slots, and whether the next cycle may issue: found in the slot,
  // or with IssueAhead beforehand: of what issues those of step 0, of what is being read those of
  // the step that does not stand in its slots.
  // No instruction issues in the two cycles behind another one's issue: there slots_free_o may be 0.
  logic s0_new;
  assign s0_new = issue_i.valid && !issue_i.empty;
  if (IssueAhead == 0) begin : gen_slots
    assign regs = step_regs(step_from(s0_q.insn.info, s0_step_q), s0_q.insn.word);
    assign slots = step_slots(regs);
    assign slots_free_o = !s0_valid_q || s0_last;
  end else begin : gen_slots_ahead
    logic [2:0][7:0] regs_first, regs_other, regs_q;
    logic [2:0][1:0] slots_other, slots_q;
    logic [2:1][1:0] slots1_q;  // of step 1, from the second slot on
    logic free_q, known_q;      // known_q: it is the second slot or a later one
    logic short_next, in_step, final_next, last_d;
    logic [Beats-1:0] beats_after;
    step_from_t [2:0] from_q, other_q;  // of the step in its slots, of the other one
    assign regs = regs_q;
    assign slots = slots_q;
    assign slots_free_o = free_q;
    always_comb begin
      regs_first = step_regs(issue_from_i, issue_i.insn.word);
      regs_other = step_regs(other_q, s0_q.insn.word);
      slots_other = step_slots(regs_other);
      // The last slot: as s0_last, of the next cycle. Behind the end of a step stands a last step of
      // one slot, or the last slot stands in this step; behind the end of a part the last part.
      short_next = s0_q.insn.two ? !s0_step_q && known_q && slots1_q == '0 :
                                    last_sub == '0;
      in_step = (s0_step_q || !s0_q.insn.two) && s0_sub_q + 2'd1 == last_sub;
      beats_after = s0_beats_q & ~beat_hot;
      final_next = s0_last_part ?
          s0_q.insn.last_part == '0 && (beats_after & (beats_after - Beats'(1))) == '0 :
          s0_part_q + PartBits'(1) == s0_q.insn.last_part && beats_after == '0;
      last_d = (s0_both_q ? s0_steps_end : s0_step_end ? short_next : in_step) &&
               (s0_part_end ? final_next : s0_final);
    end
    always_ff @(posedge clk_i) begin
      if (free_q || (s0_step_end && s0_q.insn.two)) begin
        regs_q <= free_q ? regs_first : regs_other;
        slots_q <= free_q ? step_slots(regs_first) : slots_other;
        from_q <= free_q ? issue_from_i : other_q;
        other_q <= free_q ? step_from(issue_i.insn.info, 1'b1) : from_q;
      end
      if (!s0_step_q) slots1_q <= {slots_other[2], slots_other[1]};
      known_q <= !free_q;
      free_q <= !rst_n || (!s0_new && (!s0_valid_q || s0_last || last_d));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      s0_valid_q <= 1'b0;
    end else if (s0_new) begin
      s0_valid_q <= 1'b1;
    end else if (s0_last) begin
      s0_valid_q <= 1'b0;
    end
    if (s0_new) begin
      s0_q <= issue_i;
      s0_single_q <= single_new;
      s0_both_q <= writes_p(issue_i.insn) && writes_q(issue_i.insn);
      s0_issued_q <= cycle_i;
      s0_slot_q <= lsu_slot_i;
      s0_beats_q <= beats_new;
      s0_step_q <= 1'b0;
      s0_sub_q <= '0;
      s0_extra_q <= 1'b0;
      s0_part_q <= '0;
    end else if (s0_valid_q) begin
      s0_sub_q <= (s0_step_end || s0_extra_q) ? '0 : s0_sub_q + 2'd1;
      if (s0_step_end) s0_step_q <= !s0_steps_end;
      s0_extra_q <= s0_both_q && s0_steps_end;
      if (s0_part_end) s0_part_q <= s0_last_part ? '0 : s0_part_q + PartBits'(1);
      if (s0_beat_end) s0_beats_q <= s0_beats_q & ~beat_hot;
    end
  end

  // a + 1: bank outputs go to the operand registers, constants too.
  logic s1_deliver_q, s1_x1_q, s1_resolve_q, s1_step_q, s1_last_step_q, s1_last_q;
  issue_t s1_q;
  logic [31:0] s1_ps_q, s1_pt_q;
  logic [63:0] s1_issued_q;
  logic [SlotBits-1:0] s1_slot_q;
  logic [BeatBits-1:0] s1_beat_q;
  logic [PartBits-1:0] s1_part_q;
  logic s1_last_beat_q;
  logic [2:0] s1_load_q;
  logic [1:0] s1_bank_q [3];
  logic [31:0] s1_value [3];
  logic [31:0] s1_b_q, s1_c_q;  // constants, zero beside a register
  logic sign_word;              // PAIR: the sign of an immediate b in step 1
  assign sign_word = s0_step_q && s0_q.insn.info.unit == UnitAlu;
  logic zero;  // a constant among what the slot takes, and the bank that stands for it
  logic [1:0] zero_bank;
  assign zero = (take & ~read) != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      s1_deliver_q <= 1'b0;
      s1_x1_q <= 1'b0;
      s1_resolve_q <= 1'b0;
      s1_load_q <= '0;
    end else begin
      s1_deliver_q <= s0_valid_q && s0_step_end;
      // Forms with a single slot deliver nothing, but warpsync, whose exchange counts from X1.
      s1_x1_q <= s0_valid_q && s0_step_end &&
                 (!s0_single_q || s0_q.insn.info.unit == UnitSync);
      s1_resolve_q <= s0_valid_q && s0_last && s0_q.ctl;
      s1_load_q <= take;
    end
    if (s0_valid_q) begin
      s1_q <= s0_q;
      s1_ps_q <= issue_ps_i;
      s1_pt_q <= issue_pt_i;
      s1_issued_q <= s0_issued_q;
      s1_slot_q <= s0_slot_q;
      s1_beat_q <= s0_beat;
      s1_step_q <= s0_step_q;
      s1_part_q <= s0_part_q;
      s1_last_step_q <= s0_steps_end && s0_last_part;
      s1_last_q <= s0_steps_end && s0_final;
      s1_last_beat_q <= s0_final;
      if (regs[1] != 8'd255 || s0_q.insn.info.imm != ImmB) s1_b_q <= '0;
      else s1_b_q <= sign_word ? {32{s0_q.insn.word.imm[31]}} : s0_q.insn.word.imm;
      if (regs[2] != 8'd255 || s0_q.insn.info.imm != ImmC) s1_c_q <= '0;
      else s1_c_q <= s0_q.insn.word.imm;
      for (int unsigned p = 0; p < 3; p++) begin
        s1_bank_q[p] <= (regs[p] == 8'd255) ? zero_bank :
                         regs[p][1:0] + warp_bank(s0_q.warp, sub_i);
      end
    end
  end
  assign s1_value[0] = '0;
  assign s1_value[1] = s1_b_q;
  assign s1_value[2] = s1_c_q;

  regfile u_regfile (
    .poke_i, .peek_i, .peek_data_o,
    .clk_i, .sub_i, .page_we_i, .page_warp_i, .page_entry_i, .page_value_i,
    .read_i(read), .read_warp_i(s0_q.warp), .read_reg_i(regs), .read_beat_i(s0_beat),
    .zero_i(zero), .zero_bank_o(zero_bank),
    .load_i(s1_load_q), .bank_i(s1_bank_q), .value_i(s1_value),
    .a_o(x1_a_o), .b_o(x1_b_o), .c_o(x1_c_o),
    .fix_i(fix_o), .fix_data_i, .var_wr_i, .var_data_i
  );

  // Values that do not come from registers.
  logic s1_sreg;
  logic [CtaBits-1:0] s1_cta;
  assign s1_cta = warp_cta_i[s1_q.warp];
  assign s1_sreg = s1_deliver_q && (s1_q.insn.info.unit == UnitCtl ||
                                    s1_q.insn.info.unit == UnitBar ||
                                    (s1_q.insn.info.unit == UnitAlu &&
                                     (s1_q.insn.info.op == AluS2r ||
                                      s1_q.insn.info.op == AluActmask)));
  sreg u_sreg (
    .clk_i, .sub_i, .en_i(s1_sreg), .insn_i(s1_q), .beat_i(s1_beat_q), .part_i(s1_part_q),
    .issued_i(s1_issued_q), .lb_i,
    .warp_index_i(warp_index_i[s1_q.warp]), .next_i(s0_valid_q),
    .next_index_i(warp_index_i[s0_q.warp]), .next_beat_i(s0_beat), .next_part_i(s0_part_q),
    .cta_i(s1_cta), .cta_x_i, .cta_y_i, .cta_z_i,
    .bar_i(bar_result_i[s1_q.warp]), .pm_i(pm_next_i), .value_o(x1_sreg_o)
  );

  // X1.
  logic [Lanes-1:0] s1_lanes;  // of the part
  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (MaxParts == 1 || s1_q.insn.last_part == '0) begin
        s1_lanes[l] = 1'b1;
      end else if (s1_q.insn.last_part == PartBits'(FpParts - 1)) begin
        s1_lanes[l] = s1_part_q == PartBits'(l / FpLanes);
      end else if (s1_q.insn.last_part == PartBits'(LsuParts - 1)) begin
        s1_lanes[l] = s1_part_q == PartBits'(l / LsuLanes);
      end else begin
        s1_lanes[l] = s1_part_q == PartBits'(l / SlowLanes);
      end
    end
  end
  logic x1_valid_q, x1_resolve_q;
  // verilator lint_off UNDRIVEN // its valid bit is a register of its own
  x1_t x1_q;
  // verilator lint_on UNDRIVEN
  // verilator lint_off UNUSEDSIGNAL // the resolve event takes a part
  issue_t x1_insn_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] x1_psrc_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      x1_valid_q <= 1'b0;
      x1_resolve_q <= 1'b0;
    end else begin
      x1_valid_q <= s1_x1_q;
      x1_resolve_q <= s1_resolve_q;
    end
    if (s1_x1_q) begin
      x1_q.arrival <= s1_q.ctl && s1_q.insn.info.unit == UnitSync;
      x1_q.released <= s1_q.released;
      x1_q.last_step <= s1_last_step_q;
      x1_q.last <= s1_last_q;
      x1_q.step <= 2'(s1_step_q);
      x1_q.beat <= s1_beat_q;
      x1_q.part <= s1_part_q;
      x1_q.mask <= beat_lanes(s1_q.exec, s1_beat_q) & s1_lanes;
      x1_q.slot <= s1_slot_q;
      x1_q.warp <= s1_q.warp;
      x1_q.pc <= s1_q.insn.pc;
      x1_q.info <= s1_q.insn.info;
      x1_q.word <= s1_q.insn.word;
      x1_ps_o <= beat_lanes(s1_ps_q, s1_beat_q);
      x1_pt_o <= beat_lanes(s1_pt_q, s1_beat_q);
    end
    if (s1_resolve_q) begin
      x1_insn_q <= s1_q;
      x1_psrc_q <= s1_ps_q;
    end
  end
  always_comb begin
    x1_o = x1_q;
    x1_o.valid = x1_valid_q;
  end

  // T.
  logic t_valid_q;
  resolve_t t_q;
  always_ff @(posedge clk_i) begin
    t_valid_q <= rst_n && x1_resolve_q;
    if (x1_resolve_q) t_q <= resolve_next_o;
  end
  always_comb begin
    resolve_next_o.valid = x1_resolve_q;
    resolve_next_o.warp = x1_insn_q.warp;
    resolve_next_o.path = x1_insn_q.path;
    resolve_next_o.exec = x1_insn_q.exec;
    resolve_next_o.psrc = x1_psrc_q;
    resolve_next_o.insn = x1_insn_q.insn;
    resolve_o = t_q;
    resolve_o.valid = t_valid_q;
  end

  // Side band of the fixed pipe, from X1 to W.
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
  logic x1_last_beat_q, x1_p_q, x1_q_q, x1_fixed_q, x1_reg_q, s1_fixed_q, s1_reg_q;
  logic [7:0] x1_rd_q, s1_rd_q, s0_rd;
  assign s0_rd = group_reg(s0_q.insn.word.rd, 3'(s0_step_q));
  always_ff @(posedge clk_i) begin
    if (s0_valid_q) begin
      s1_fixed_q <= form_fixed(s0_q.insn.info, s0_q.released);
      s1_rd_q <= s0_rd;
      s1_reg_q <= s0_q.insn.info.d_words > 3'(s0_step_q) && s0_rd != 8'd255;
    end
  end
  band_t band_in;
  band_t band_q [LatFixed];
  always_ff @(posedge clk_i) begin
    if (s1_x1_q) begin
      x1_last_beat_q <= s1_last_beat_q;
      x1_fixed_q <= s1_fixed_q;
      x1_rd_q <= s1_rd_q;
      x1_reg_q <= s1_reg_q;
      x1_p_q <= s1_last_step_q && writes_p(s1_q.insn);
      x1_q_q <= s1_last_step_q && writes_q(s1_q.insn);
    end
  end
  always_comb begin
    band_in.fix.valid = x1_valid_q && x1_fixed_q;
    band_in.fix.rd = x1_rd_q;
    band_in.reg_any = x1_reg_q;
    band_in.fix.has_reg = x1_reg_q && (MaxParts == 1 || x1_q.mask != '0);
    band_in.fix.warp = x1_q.warp;
    band_in.fix.beat = x1_q.beat;
    band_in.fix.mask = x1_q.mask;
    band_in.last_beat = x1_last_beat_q;
    band_in.last = x1_q.last;
    band_in.p = x1_p_q;
    band_in.q = x1_q_q;
    band_in.pd = x1_q.word.pd;
    band_in.pq = x1_q.word.pq;
  end
  always_ff @(posedge clk_i) begin
    band_q[0] <= band_in;
    for (int unsigned i = 1; i < LatFixed; i++) band_q[i] <= band_q[i-1];
    if (!rst_n) for (int unsigned i = 0; i < LatFixed; i++) band_q[i].fix.valid <= 1'b0;
  end
  // verilator lint_off UNUSEDSIGNAL // each place uses some fields
  band_t before_w, in_w;
  // verilator lint_on UNUSEDSIGNAL
  assign before_w = band_q[LatFixed-2];
  assign in_w = band_q[LatFixed-1];
  assign fix_o = in_w.fix;
  assign fix_clr_o.valid = before_w.fix.valid && before_w.reg_any && before_w.last_beat;
  assign fix_clr_o.warp = before_w.fix.warp;
  assign fix_clr_o.rd = before_w.fix.rd;

  // Predicates: pd or a lone pq in W, pq beside a pd in W + 1, where nothing else is in W: the
  // extra slot. The instruction then finishes there too.
  fixp_t pred_q;
  finish_t late_q;
  logic late;
  assign late = in_w.fix.valid && in_w.p && in_w.q;
  always_ff @(posedge clk_i) begin
    pred_q.valid <= rst_n && (late || (before_w.fix.valid && (before_w.p || before_w.q)));
    pred_q.late <= late;
    if (late) begin
      pred_q.q <= 1'b1;
      pred_q.last <= in_w.last;
      pred_q.warp <= in_w.fix.warp;
      pred_q.pd <= in_w.pq;
      pred_q.beat <= in_w.fix.beat;
      pred_q.mask <= in_w.fix.mask;
    end else if (before_w.fix.valid) begin
      pred_q.q <= !before_w.p;
      // Both into one register: pending until the second.
      pred_q.last <= before_w.last && !(before_w.p && before_w.q && before_w.pd == before_w.pq);
      pred_q.warp <= before_w.fix.warp;
      pred_q.pd <= before_w.p ? before_w.pd : before_w.pq;
      pred_q.beat <= before_w.fix.beat;
      pred_q.mask <= before_w.fix.mask;
    end
    late_q.valid <= rst_n && late && in_w.last;
    late_q.warp <= in_w.fix.warp;
  end
  assign fix_pred_o = pred_q;
  assign finish_fix_o.valid = late_q.valid || (in_w.fix.valid && in_w.last && !(in_w.p && in_w.q));
  assign finish_fix_o.warp = late_q.valid ? late_q.warp : in_w.fix.warp;

  // What the stages still have to write, for hazards_scan.sv.
  if (HazardScan != 0) begin : gen_inpipe
    logic s0_fixed_q, s0_reg_q;
    logic [7:0] s0_hi_q;
    logic [6:0] s0_preds_q, s1_preds_q;
    inpipe_t s1;
    inpipe_t pipe_q [LatFixed + 1];  // X1, side band
    always_ff @(posedge clk_i) begin
      if (issue_i.valid && !issue_i.empty) begin
        s0_fixed_q <= form_fixed(issue_i.insn.info, issue_i.released);
        s0_reg_q <= form_fixed(issue_i.insn.info, issue_i.released) &&
                    issue_i.insn.info.d_words != 3'd0 && issue_i.insn.word.rd != 8'd255;
        s0_hi_q <= issue_i.insn.word.rd + 8'(issue_i.insn.info.d_words) - 8'd1;
        s0_preds_q <= pred_bit(issue_i.insn.word.pd, issue_i.insn.info.preds[PredD]) |
                      pred_bit(issue_i.insn.word.pq, issue_i.insn.info.preds[PredQ]);
      end
      if (s0_valid_q) s1_preds_q <= s0_preds_q;
      pipe_q[0] <= s1;
      for (int unsigned i = 1; i <= LatFixed; i++) pipe_q[i] <= pipe_q[i-1];
      if (!rst_n) begin
        for (int unsigned i = 0; i <= LatFixed; i++) begin
          pipe_q[i].has_reg <= 1'b0;
          pipe_q[i].preds <= '0;
        end
      end
    end
    always_comb begin
      s1.has_reg = s1_x1_q && s1_fixed_q && s1_reg_q;
      s1.preds = (s1_x1_q && s1_fixed_q) ? s1_preds_q : '0;
      s1.warp = s1_q.warp;
      s1.lo = s1_rd_q;
      s1.hi = s1_rd_q;
      inpipe_o[0].has_reg = s0_valid_q && s0_reg_q;
      inpipe_o[0].preds = (s0_valid_q && s0_fixed_q) ? s0_preds_q : '0;
      inpipe_o[0].warp = s0_q.warp;
      inpipe_o[0].lo = s0_q.insn.word.rd;
      inpipe_o[0].hi = s0_hi_q;
      inpipe_o[1] = s1;
      for (int unsigned i = 0; i <= LatFixed; i++) inpipe_o[i+2] = pipe_q[i];
      inpipe_o[PipeStages-1] = '0;
      inpipe_o[PipeStages-1].preds = pred_bit(pred_q.pd, pred_q.valid && pred_q.late);
      inpipe_o[PipeStages-1].warp = pred_q.warp;
    end
  end else begin : gen_no_inpipe
    always_comb for (int unsigned i = 0; i < PipeStages; i++) inpipe_o[i] = '0;
  end

  // Nor has one without lanes issued in the cycle before, for which nothing is read.
  logic empty_q;
  always_ff @(posedge clk_i) empty_q <= rst_n && issue_i.valid && issue_i.empty;
  assign rest_o = !s0_valid_q && !empty_q;
endmodule
