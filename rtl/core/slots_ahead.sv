// Registers of the step in its read slots and the slot of each (docs/microarchitecture.md 6.1),
// found beforehand (IssueAhead = 1). Of the instruction that issues it finds the registers of step
// 0. Of the one that is read it finds those of the step after the one that stands in its slots (the
// steps go round with the parts). In the two cycles after an issue no other instruction issues:
// slots_free_o may be 0 there.
// Timing: with at most two steps the operands of a step come from a register. With more (MostSteps
// above 2) gates find them from the instruction and its step, one step ahead, and find whether the
// next step is the last one. This path is longer. It may be, because no row of a board has more
// than two steps: a register must take both before one has.
module slots_ahead
  import config_pkg::*;
  import sm_pkg::*;
  import operand_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,       // issue_i is read from the next cycle on
  // verilator lint_off UNUSEDSIGNAL // parts of the slot and of the instructions
  input  issue_t           issue_i,
  input  step_from_t [2:0] issue_from_i,  // operands of its first step
  input  slot_t            slot_i,
  input  insn_t            insn_i,        // that is read
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]       last_sub_i,    // last slot of the step
  input  logic [Beats-1:0] beats_left_i,  // beats after this one
  input  logic             lane_i,        // a LANE form; the part after this one is its last
  input  logic             lane_final_next_i,
  output logic [2:0][7:0]  regs_o,
  output logic [2:0][1:0]  slots_o,
  output logic             slots_free_o
);
  logic [2:0][7:0] regs_first, regs_other, regs_q;
  logic [2:0][1:0] slots_other, slots_q;
  logic free_q;
  logic short_next, in_step, final_next, last_d;
  logic final_step;           // the next step is the last one, of one slot
  step_from_t [2:0] other_q, after;   // of the step after this one, of the one after that
  assign regs_o = regs_q;
  assign slots_o = slots_q;
  assign slots_free_o = free_q;
  always_comb begin
    regs_first = step_regs(issue_from_i, issue_i.insn.word);
    regs_other = step_regs(other_q, insn_i.word);
    slots_other = step_slots(regs_other);
    // Whether the next slot is the last one of the instruction. After the end of a step a last step
    // of one slot follows (short_next). Within a step its last slot follows (in_step). After the
    // end of a part the last part follows (final_next).
    short_next = (insn_i.last_step != '0) ? final_step : last_sub_i == '0;
    in_step = slot_i.step == insn_i.last_step && slot_i.sub + 2'd1 == last_sub_i;
    final_next = lane_i ? lane_final_next_i : slot_i.last_part ?
        insn_i.last_part == '0 && (beats_left_i & (beats_left_i - Beats'(1))) == '0 :
        slot_i.part + PartBits'(1) == insn_i.last_part && beats_left_i == '0;
    last_d = (slot_i.both ? slot_i.steps_end : slot_i.step_end ? short_next : in_step) &&
             (slot_i.part_end ? final_next : slot_i.final_part);
  end
  if (MostSteps <= 2) begin : gen_two
    // Of two steps the one after the next is this one: a register has it.
    step_from_t [2:0] from_q;
    logic [2:1][1:0] slots1_q;  // of step 1, from the second slot on
    logic known_q;              // it is the second slot or a later one
    assign after = from_q;
    assign final_step = slot_i.step == '0 && known_q && slots1_q == '0;
    always_ff @(posedge clk_i) begin
      if (free_q || (slot_i.step_end && insn_i.last_step != '0)) begin
        from_q <= free_q ? issue_from_i : other_q;
      end
      known_q <= !free_q;
      if (slot_i.step == '0) slots1_q <= {slots_other[2], slots_other[1]};
    end
  end else begin : gen_more
    // By gates, in each cycle.
    operand_step_t next, second;        // the step after this one, and after that
    always_comb begin
      next = (slot_i.step == insn_i.last_step) ? '0 : slot_i.step + operand_step_t'(1);
      second = (next == insn_i.last_step) ? '0 : next + operand_step_t'(1);
      after = step_from(insn_i.info, second);
      final_step = next == insn_i.last_step && slots_other[2] == '0 && slots_other[1] == '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (free_q || (slot_i.step_end && insn_i.last_step != '0)) begin
      regs_q <= free_q ? regs_first : regs_other;
      slots_q <= free_q ? step_slots(regs_first) : slots_other;
      other_q <= free_q ? step_from(issue_i.insn.info, operand_step_t'(1)) : after;
    end
    free_q <= !rst_ni || (!start_i && (!slot_i.valid || slot_i.last || last_d));
  end
endmodule
