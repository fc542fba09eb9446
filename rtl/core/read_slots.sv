// Read slots of the issued instruction (docs/microarchitecture.md 5, 6.1): beats, parts of a beat,
// steps of a part, and the slots in which the registers of a step are read. One instruction at a
// time. A LANE form has one part for each lane of E and no others, one of lanes `first` one part for
// the lowest of these. With IssueAhead slots_ahead finds beforehand which registers those are and
// whether the next cycle may issue.
`include "cells/assert.svh"
module read_slots
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import operand_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [63:0]         cycle_i,
  input  issue_t              issue_i,
  // verilator lint_off UNUSEDSIGNAL // IssueAhead = 1 only
  input  step_from_t [2:0]    issue_from_i,  // operands of its first step
  // verilator lint_on UNUSEDSIGNAL
  input  logic [SlotBits-1:0] lsu_slot_i,
  output slot_t               slot_o,        // the slot of the cycle
  output issue_t              issue_o,       // its instruction, and when that issued
  output logic [63:0]         issued_at_o,
  output logic [2:0][7:0]     regs_o,        // registers of its step, 255 for none
  output logic [2:0]          take_o,        // operands that come in the slot
  output logic                slots_free_o   // the last slot, or none: is_left <= 1 (5)
);
  // The instruction and where it stands. A beat is over after the steps of its last part, or after
  // the extra slot of a form with both predicates.
  logic s0_valid_q, s0_single_q, s0_both_q, s0_extra_q;
  operand_step_t s0_step_q;
  issue_t s0_q;
  logic [63:0] s0_issued_q;
  logic [SlotBits-1:0] s0_slot_q;
  logic [Beats-1:0] s0_beats_q;  // beats still to read, the current one included
  logic [PartBits-1:0] s0_part_q;
  logic [1:0] s0_sub_q;          // slot of the step
  logic [Beats-1:0] beats_new, beat_hot;
  logic only_first;              // the form is done for the lowest lane only
  logic [BeatBits-1:0] beat;
  logic [PartBits-1:0] part;
  logic step_end, steps_end, part_end, last_part, beat_end, final_part, last, start;
  // LANE form (also of one lane): its current lane, whether other ones of the beat follow, whether the
  // next is the last.
  logic is_lane, lane_in_beat;
  logic [PartBits-1:0] lane_part;
  // verilator lint_off UNUSEDSIGNAL // IssueAhead = 1 only
  logic lane_next_final;
  // verilator lint_on UNUSEDSIGNAL
  logic arrives;                 // a gathered form whose path arrives: one slot, no operand
  logic [2:0][1:0] slots;
  logic [1:0] last_sub;          // of the step
  assign start = issue_i.valid && !issue_i.empty;
  assign only_first = (Copy != 0 || Tmem != 0) && form_lanes(issue_i.insn.info) == LanesFirst;
  assign arrives = HasGathered != 0 && issue_i.arrives;
  always_comb begin
    for (int unsigned b = 0; b < Beats; b++) beats_new[b] = issue_i.exec[b*Lanes+:Lanes] != '0;
    if (only_first) beats_new &= ~beats_new + Beats'(1);
  end
  always_comb begin
    beat_hot = s0_beats_q & (~s0_beats_q + Beats'(1));
    beat = '0;
    for (int unsigned b = 0; b < Beats; b++) if (beat_hot[b]) beat |= BeatBits'(b);
    part = is_lane ? lane_part : s0_part_q;
    last_sub = (slots[2] > slots[1]) ? slots[2] : slots[1];
    step_end = !s0_extra_q && (s0_single_q || s0_sub_q == last_sub);
    steps_end = step_end && (s0_single_q || s0_step_q == s0_q.insn.last_step);
    part_end = s0_both_q ? s0_extra_q : steps_end;
    last_part = MaxParts == 1 || s0_single_q ||
                (is_lane ? !lane_in_beat : s0_part_q == s0_q.insn.last_part);
    beat_end = part_end && last_part;
    final_part = last_part && (s0_single_q || s0_beats_q == beat_hot);
    last = part_end && final_part;
    for (int unsigned p = 0; p < 3; p++) begin
      take_o[p] = s0_valid_q && !s0_single_q && !s0_extra_q && slots[p] == s0_sub_q;
    end
  end
  assign slot_o = '{
    valid: s0_valid_q, single: s0_single_q, both: s0_both_q, beat: beat, part: part,
    step: s0_step_q, sub: s0_sub_q, step_end: step_end, steps_end: steps_end,
    part_end: part_end, last_part: last_part, final_part: final_part, last: last,
    lsu_slot: s0_slot_q
  };
  assign issue_o = s0_q;
  assign issued_at_o = s0_issued_q;

  if (IssueAhead == 0) begin : gen_slots
    assign regs_o = step_regs(step_from(s0_q.insn.info, s0_step_q), s0_q.insn.word);
    assign slots = step_slots(regs_o);
    assign slots_free_o = !s0_valid_q || last;
    logic unused;
    assign unused = ^issue_from_i;
  end else begin : gen_slots
    slots_ahead u_slots (
      .clk_i, .rst_ni, .start_i(start), .issue_i, .issue_from_i, .slot_i(slot_o),
      .insn_i(s0_q.insn), .last_sub_i(last_sub), .beats_left_i(s0_beats_q & ~beat_hot),
      .lane_i(is_lane), .lane_final_next_i(lane_next_final), .regs_o,
      .slots_o(slots), .slots_free_o
    );
  end

  // LANE forms: the lanes that are left, the current one included. With lanes `first` one.
  if (HasLane != 0) begin : gen_lane
    localparam logic [31:0] FirstBeat = 32'hffff_ffff >> (32 - Lanes);
    logic s0_lane_q;
    logic [31:0] lanes_q, lanes_after, of_beat;
    assign is_lane = s0_lane_q;
    assign lanes_after = lanes_q & (lanes_q - 32'd1);
    assign of_beat = FirstBeat << (32'(beat) * Lanes);
    assign lane_part = PartBits'(32'(low_index(lanes_q)) % Lanes);
    assign lane_in_beat = (lanes_after & of_beat) != '0;
    assign lane_next_final = lanes_after != '0 && (lanes_after & (lanes_after - 32'd1)) == '0;
    always_ff @(posedge clk_i) begin
      if (start) begin
        s0_lane_q <= only_first || form_lanes(issue_i.insn.info) == LanesOne;
        lanes_q <= issue_i.exec & (~issue_i.exec + 32'd1 | {32{!only_first}});
      end else if (s0_valid_q && part_end) begin
        lanes_q <= lanes_after;
      end
    end
    `WL_ASSERT(LaneIsLeft, !s0_valid_q || !s0_lane_q || (lanes_q & of_beat) != '0)
    `WL_ASSERT(LastBeatLastLane, !s0_valid_q || !s0_lane_q || final_part == (lanes_after == '0))
  end else begin : gen_no_lane
    assign {is_lane, lane_in_beat, lane_next_final} = '0;
    assign lane_part = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s0_valid_q <= 1'b0;
    end else if (start) begin
      s0_valid_q <= 1'b1;
    end else if (last) begin
      s0_valid_q <= 1'b0;
    end
    if (start) begin
      s0_q <= issue_i;
      s0_single_q <= arrives || form_one_slot(issue_i.insn.info, issue_i.released);
      s0_both_q <= writes_p(issue_i.insn) && writes_q(issue_i.insn);
      s0_issued_q <= cycle_i;
      s0_slot_q <= lsu_slot_i;
      s0_beats_q <= beats_new;
      s0_step_q <= '0;
      s0_sub_q <= '0;
      s0_extra_q <= 1'b0;
      s0_part_q <= '0;
    end else if (s0_valid_q) begin
      s0_sub_q <= (step_end || s0_extra_q) ? '0 : s0_sub_q + 2'd1;
      if (step_end) s0_step_q <= steps_end ? '0 : s0_step_q + operand_step_t'(1);
      s0_extra_q <= s0_both_q && steps_end;
      if (part_end) s0_part_q <= last_part ? '0 : s0_part_q + PartBits'(1);
      if (beat_end) s0_beats_q <= s0_beats_q & ~beat_hot;
    end
  end

  `WL_ASSERT(StartsWhenFree, !start || !s0_valid_q || last)
  `WL_ASSERT(StepOfTheForm, !s0_valid_q || s0_single_q || s0_step_q <= s0_q.insn.last_step)
  `WL_ASSERT(PartOfTheBeat, !s0_valid_q || part <= s0_q.insn.last_part)
  `WL_ASSERT(ReadsABeat, !s0_valid_q || s0_single_q || s0_beats_q != '0)
endmodule
