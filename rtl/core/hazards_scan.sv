// Hazards of one warp per cycle, for HazardScan = 1 (docs/microarchitecture.md 5): the oldest
// instruction of the warp that was taken in the cycle before is compared with what still has to be
// written: by the stages of the fixed pipe (they tell themselves) and by the LSU's, the constant
// cache's and the exchange unit's instructions and those of the result queue, noted here. These are
// the busy bits and the range notes of the document in another shape.
module hazards_scan
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [SubWarps-1:0] kill_i,         // flush or start
  input  logic [SubWarps-1:0] eligible_i,     // warps with an instruction that may be judged
  output warp_t               scan_warp_o,    // that is taken in this cycle, if any
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  scan_need_t          need_i,         // its
  output logic [SubWarps-1:0] free_o,         // nohaz
  output logic                rest_o,         // nothing is pending (15)
  input  logic                pop_i,          // an instruction issues, with lanes or without
  input  logic                issue_i,        // with lanes and destinations
  input  warp_t               issue_warp_i,
  input  insn_t               issue_insn_i,
  input  inpipe_t             inpipe_i [PipeStages],
  input  vwb_t                vwb_i [VwbSources],
  input  logic [VwbSources-1:0] vwb_grant_i,  // whose is written
  input  logic [RangeNotes-1:0] range_valid_i, // range notes
  input  warp_t               range_warp_i [RangeNotes],
  input  reg_t                range_lo_i [RangeNotes],
  input  reg_t                range_hi_i [RangeNotes]
  // verilator lint_on UNUSEDSIGNAL
);

  // A warp is taken, and judged in the next cycle: the one taken last. It comes last in the
  // circular order, so that it is first in it again only if it is alone; then none is taken. Its
  // oldest instruction is the same in both cycles: what it needs is read as it is taken.
  logic [SubWarps-1:0] nohaz_q, open;
  logic scan_valid_q, again;
  warp_t last_q, first_open;
  assign open = eligible_i & ~nohaz_q;
  assign first_open = next_warp(open, last_q);
  assign again = scan_valid_q && first_open == last_q;
  assign scan_warp_o = first_open;
  assign free_o = nohaz_q;

  // Instructions of the units with variable latency: registers lo .. hi are still to be written.
  // They are written in ascending order in the last beat, so lo counts up.
  localparam int unsigned Notes = LsuDepth + 2;
  localparam int unsigned LdcNote = LsuDepth;
  localparam int unsigned XchNote = LsuDepth + 1;
  logic [Notes-1:0] note_valid_q, note_set, note_hit, note_end;
  warp_t note_warp_q [Notes];
  reg_t note_lo_q [Notes];
  reg_t note_hi_q [Notes];
  logic [6:0] xch_preds_q;
  logic [LsuDepth-1:0] lsu_next_q;  // note of the next LSU instruction: a ring like the LSU's
  logic set, has_reg;
  reg_t set_hi;
  logic [VwbSources-1:0] wrote;  // by source: the last beat of a register
  always_comb begin
    has_reg = issue_insn_i.info.d_words != 3'd0 && 9'(issue_insn_i.word.rd) < 9'(Regs) &&
              issue_insn_i.word.rd != 8'd255;
    set = issue_i && has_reg;
    note_set = '0;
    note_set[LsuDepth-1:0] = lsu_next_q & {LsuDepth{set && issue_insn_i.info.unit == UnitLsu}};
    note_set[LdcNote] = set && issue_insn_i.info.unit == UnitLdc;
    note_set[XchNote] = set && issue_insn_i.info.unit == UnitSync;
    set_hi = reg_t'(issue_insn_i.word.rd) + reg_t'(issue_insn_i.info.d_words) - reg_t'(1);
    // Each source's word beside the grant, which is known late.
    for (int unsigned i = 0; i < VwbSources; i++) begin
      wrote[i] = vwb_grant_i[i] && vwb_i[i].has_reg && vwb_i[i].last_beat;
    end
    for (int unsigned i = 0; i < Notes; i++) begin
      note_hit[i] = wrote[(i == LdcNote) ? VwbLdc : (i == XchNote) ? VwbXch : VwbLsu];
      if (i < LsuDepth) begin
        note_hit[i] = note_hit[i] && note_warp_q[i] == vwb_i[VwbLsu].warp &&
                      note_lo_q[i] == reg_t'(vwb_i[VwbLsu].rd);
      end
      note_end[i] = note_hit[i] && note_hi_q[i] == note_lo_q[i];
    end
  end

  // a <= b, by pairs of bits.
  // Timing: without a carry chain, as these comparators are short and many.
  function automatic logic at_most(input reg_t a, input reg_t b);
    localparam int unsigned Pairs = (RegBits + 1) / 2;
    logic [2*Pairs-1:0] x, y;
    logic [1:0]         u, v;
    logic               r;
    x = (2*Pairs)'(a);
    y = (2*Pairs)'(b);
    r = 1'b1;
    for (int unsigned i = 0; i < Pairs; i++) begin
      u = x[2*i +: 2];
      v = y[2*i +: 2];
      r = (!u[1] && v[1]) || (u[1] == v[1] && !u[0] && v[0]) || (u == v && r);
    end
    return r;
  endfunction

  // What the judged instruction needs, read as its warp is taken.
  scan_need_t need_q;
  always_ff @(posedge clk_i) need_q <= need_i;

  function automatic logic overlap(input reg_t lo, input reg_t hi,
                                   input logic [OperandGroups-1:0] used,
                                   input reg_t [OperandGroups-1:0] first,
                                   input reg_t [OperandGroups-1:0] last);
    logic [OperandGroups-1:0] r;
    for (int unsigned o = 0; o < OperandGroups; o++) begin
      r[o] = used[o] && at_most(lo, last[o]) && at_most(first[o], hi);
    end
    return r != '0;
  endfunction

  // Results of other units, by instruction: as many as the queue and the units can hold. At most one
  // instruction of the tensor unit whose set is free has words left: the queue and the unit hold fewer
  // words than one instruction has.
  // An instruction of the unit FP64 may have one word left: each entry of the queue is one.
  localparam int unsigned ResultNotes = (Probe != 0 ? ResultDepth + 1 : 0) +
                                        (Tensor != 0 ? TensorSets + 1 : 0) +
                                        (Fp64 != 0 ? Fp64Held + ResultDepth : 0);
  logic result_hit, result_some;
  if (HasResult != 0) begin : gen_results
    logic [ResultNotes-1:0] valid;
    warp_t owner [ResultNotes];
    reg_t lo [ResultNotes];
    reg_t hi [ResultNotes];
    logic unused_free;
    range_notes #(.Notes(ResultNotes)) u_results (
      .clk_i, .rst_ni,
      .set_i(set && form_queue(issue_insn_i.info) &&
             issue_insn_i.info.d_words != WordsCounted),
      .set_warp_i(issue_warp_i), .set_lo_i(reg_t'(issue_insn_i.word.rd)),
      .set_hi_i(last_reg(issue_insn_i.word.rd, issue_insn_i.info.d_words, '0)),
      .wrote_i(wrote[VwbResult]), .wrote_warp_i(vwb_i[VwbResult].warp),
      .wrote_reg_i(reg_t'(vwb_i[VwbResult].rd)), .free_o(unused_free), .valid_o(valid),
      .warp_o(owner), .lo_o(lo), .hi_o(hi)
    );
    assign result_some = valid != '0;
    always_comb begin
      result_hit = 1'b0;
      for (int unsigned i = 0; i < ResultNotes; i++) begin
        if (valid[i] && owner[i] == last_q &&
            overlap(lo[i], hi[i], need_q.used, need_q.first, need_q.last)) result_hit = 1'b1;
      end
    end
  end else begin : gen_no_results
    assign {result_hit, result_some} = '0;
  end

  // Counted destinations.
  logic range_hit;
  always_comb begin
    range_hit = 1'b0;
    for (int unsigned i = 0; i < RangeNotes; i++) begin
      if (HasCounted != 0 && range_valid_i[i] && range_warp_i[i] == last_q &&
          overlap(range_lo_i[i], range_hi_i[i], need_q.used, need_q.first, need_q.last)) begin
        range_hit = 1'b1;
      end
    end
  end

  // Each writer is compared by itself. The stages W and W + 1 hold predicates only.
  logic hazard;
  always_comb begin
    logic [PipeStages-1:0] stage_hit, stage_pred;
    logic [Notes-1:0] unit_hit;
    logic xch_pred;
    for (int unsigned i = 0; i < PipeStages; i++) begin
      logic mine;
      mine = inpipe_i[i].warp == last_q;
      stage_pred[i] = mine && (inpipe_i[i].preds & need_q.preds) != '0;
      stage_hit[i] = i < PipeStages - 2 && mine && inpipe_i[i].has_reg &&
                     overlap(reg_t'(inpipe_i[i].lo), reg_t'(inpipe_i[i].hi), need_q.used,
                             need_q.first, need_q.last);
    end
    for (int unsigned i = 0; i < Notes; i++) begin
      unit_hit[i] = note_valid_q[i] && note_warp_q[i] == last_q &&
                    overlap(note_lo_q[i], note_hi_q[i], need_q.used, need_q.first, need_q.last);
    end
    xch_pred = note_warp_q[XchNote] == last_q && (xch_preds_q & need_q.preds) != '0;
    hazard = {stage_hit, stage_pred, unit_hit, xch_pred, result_hit, range_hit} != '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      nohaz_q <= '0;
      scan_valid_q <= 1'b0;
      last_q <= warp_t'(SubWarps - 1);
      note_valid_q <= '0;
      xch_preds_q <= '0;
      lsu_next_q <= LsuDepth'(1);
    end else begin
      scan_valid_q <= open != '0 && !again;
      if (open != '0) last_q <= first_open;
      nohaz_q <= (nohaz_q | (SubWarps'(scan_valid_q && !hazard) << last_q)) & ~kill_i &
                 ~(SubWarps'(pop_i) << issue_warp_i);
      note_valid_q <= (note_valid_q & ~note_end) | note_set;
      if (issue_i && issue_insn_i.info.unit == UnitLsu) begin
        lsu_next_q <= {lsu_next_q[LsuDepth-2:0], lsu_next_q[LsuDepth-1]};
      end
      if (issue_i && issue_insn_i.info.unit == UnitSync) begin
        xch_preds_q <= pred_bit(issue_insn_i.word.pd, issue_insn_i.info.preds[PredD]);
      end else if (vwb_grant_i[VwbXch] && vwb_i[VwbXch].last) begin
        xch_preds_q <= '0;
      end
    end
    for (int unsigned i = 0; i < Notes; i++) begin
      if (note_set[i]) begin
        note_lo_q[i] <= reg_t'(issue_insn_i.word.rd);
        note_hi_q[i] <= set_hi;
      end else if (note_hit[i]) begin
        note_lo_q[i] <= note_lo_q[i] + reg_t'(1);
      end
      if (note_set[i] || (i == XchNote && issue_i && issue_insn_i.info.unit == UnitSync)) begin
        note_warp_q[i] <= issue_warp_i;
      end
    end
  end

  always_comb begin
    rest_o = note_valid_q == '0 && xch_preds_q == '0 && !result_some && range_valid_i == '0;
    for (int unsigned i = 0; i < PipeStages; i++) begin
      if (inpipe_i[i].has_reg || inpipe_i[i].preds != '0) rest_o = 1'b0;
    end
  end
endmodule
