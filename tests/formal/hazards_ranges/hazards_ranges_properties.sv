// Hazards with range notes (docs/microarchitecture.md 5): instructions with a counted destination note
// the registers that they have still to write. For any warp, register and oldest instruction: it is not
// free while the register is one of those and it reads or writes it; and it does not wait for ever:
// without such a register it is free at once (HazardScan = 0), or within 2 Warps + 1 cycles in which it
// may be judged (HazardScan = 1). The instructions under way are modelled in places of their own, which
// write their registers in ascending order (6.5). Nothing else is under way here: other writers are
// proved in hazards_all and hazards_scan. Assumed: what issues is free and finds a free note (5).
// The step of the induction (STEP) begins in any state in which all of this holds: it holds in the
// second cycle again, and so in the later ones, in which the wait goes on. The base job begins at reset.
`ifdef STEP
`define HOLDS(x) begin if (second_q) assert (x); else assume (x); end
`else
`define HOLDS(x) assert (x);
`endif
module hazards_ranges_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input logic                clk_i,
  input logic [SubWarps-1:0] head_changed_i,
  input logic [SubWarps-1:0] eligible_i,
  input logic [SubWarps-1:0] kill_i,
  input need_t               other_i [SubWarps],  // heads of the warps that are not watched
  input need_t               next_i,              // the watched warp's next head
  input logic                pop_i,
  input logic                issue_i,             // with lanes
  input logic                counted_i,           // a counted destination, else none
  input warp_t               issue_warp_i,
  input insn_t               issue_insn_i,
  input logic                write_i,             // a beat word is granted
  input logic                last_beat_i,
  input logic [1:0]          place_i,             // whose
  input warp_t               w_i
);
  localparam int unsigned N = RangeNotes;
  localparam logic [8:0] Last = 9'(Regs) - 9'd1;  // the highest register of a warp
  localparam int unsigned Bound = 2 * SubWarps + 1;
`ifdef STEP
  logic first_q = 1'b1;
  logic second_q = 1'b0;
  always_ff @(posedge clk_i) begin
    first_q <= 1'b0;
    second_q <= first_q;
  end
  logic rst_n;
  assign rst_n = 1'b1;
`else
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
`endif

  // The watched warp and its oldest instruction: the same until it issues or is flushed.
  warp_t w_q;
  need_t head_q, need [SubWarps];
  logic  leaves, changed_q;
  assign leaves = kill_i[w_q] || (pop_i && issue_warp_i == w_q);
  always_ff @(posedge clk_i) begin
    if (!rst_n) w_q <= w_i;
    if (!rst_n || leaves) head_q <= next_i;
    changed_q <= !rst_n || leaves;
  end
  always_comb begin
    need = other_i;
    need[w_q] = head_q;
  end

  // Instructions under way: registers next to last are still to be written.
  logic [N-1:0] under_q, free_place;
  warp_t        of_q [N];
  logic [7:0]   next_q [N];
  logic [7:0]   last_q [N];
  logic         noted;
  logic [8:0]   end_of;
  assign free_place = ~under_q & (under_q + N'(1));
  assign noted = issue_i && counted_i && issue_insn_i.word.rd != 8'd255;
  assign end_of = 9'(issue_insn_i.word.rd) + 9'(issue_insn_i.word.imm[6:0]);
  always_ff @(posedge clk_i) begin
    if (!rst_n) under_q <= '0;
    else begin
      for (int i = 0; i < N; i++) begin
        if (noted && free_place[i]) begin
          under_q[i] <= 1'b1;
          of_q[i] <= issue_warp_i;
          next_q[i] <= issue_insn_i.word.rd;
          last_q[i] <= (end_of > Last) ? 8'(Last) : end_of[7:0];
        end else if (write_i && last_beat_i && 32'(place_i) == i) begin
          next_q[i] <= next_q[i] + 8'd1;
          if (next_q[i] == last_q[i]) under_q[i] <= 1'b0;
        end
      end
    end
  end

  // The granted word.
  vwb_t                  vwb [VwbSources];
  logic [VwbSources-1:0] grant;
  always_comb begin
    vwb = '{default: '0};
    vwb[VwbResult].valid = write_i;
    vwb[VwbResult].warp = of_q[place_i];
    vwb[VwbResult].has_reg = 1'b1;
    vwb[VwbResult].rd = next_q[place_i];
    vwb[VwbResult].last_beat = last_beat_i;
    vwb[VwbResult].last = last_beat_i && next_q[place_i] == last_q[place_i];
    grant = '0;
    grant[VwbResult] = write_i;
  end

  warp_t               scan_warp;
  logic [SubWarps-1:0] free;
  logic                range_free;
  logic [SubWarps-1:0] noted;
  logic [SubWarps-1:0] unused_inflight, unused_mem;
  logic                unused_rest;
  hazards dut (
    .clk_i, .rst_ni(rst_n), .head_changed_i, .need_i(need), .eligible_i, .kill_i,
    .scan_warp_o(scan_warp), .need_scan_i(scan_of(need[scan_warp])), .inpipe_i('{default: '0}),
    .free_o(free), .pop_i, .issue_i, .issue_warp_i, .issue_insn_i, .issue_writes_i(1'b1),
    .issue_fix_i(1'b0), .issue_ctl_i(1'b0), .issue_lsu_i(1'b0), .issue_ldc_i(1'b0),
    .issue_xch_i(1'b0), .issue_probe_i(counted_i), .range_free_o(range_free), .noted_o(noted), .fix_pred_i('0),
    .fix_clr_i('0), .finish_fix_i('0), .vwb_i(vwb), .vwb_grant_i(grant),
    .var_wr_i(vwb[VwbResult]), .finish_resolve_i('0), .finish_xch_i('0), .finish_ldc_i('0),
    .finish_probe_i('0), .lsu_free_i('0), .lsu_free_warp_i('{default: '0}), .deferred_i('0),
    .inflight_zero_o(unused_inflight), .rest_o(unused_rest), .mem_zero_o(unused_mem)
  );

  // What an operand takes: registers base .. end_of_group.
  function automatic logic [7:0] end_of_group(input logic [7:0] base, input logic [2:0] code,
                                              input logic [6:0] more);
    logic [8:0] last;
    last = 9'(base) + ((code == WordsCounted) ? 9'(more) : 9'(operand_words(code)) - 9'd1);
    return (last > Last) ? 8'(Last) : last[7:0];
  endfunction

  need_more_t           more;
  logic [7:0]           base [5];
  logic [2:0]           code [5];
  logic                 hit;
  assign more = more_of(head_q);
  assign base = '{head_q.rd, head_q.ra, head_q.rb, head_q.rc, more.imm};
  assign code = '{head_q.nd, head_q.na, head_q.nb, head_q.nc, {more.x, 2'b00}};
  always_comb begin
    hit = 1'b0;
    for (int i = 0; i < N; i++) begin
      for (int o = 0; o < 5; o++) begin
        if (under_q[i] && of_q[i] == w_q && code[o] != '0 && base[o] != 8'd255 &&
            next_q[i] <= end_of_group(base[o], code[o], more.imm[6:0]) &&
            base[o] <= last_q[i]) hit = 1'b1;
      end
    end
  end

  // Cycles in which the watched warp's instruction may be judged, reads nothing pending, and waits.
  logic [3:0] wait_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || leaves || !eligible_i[w_q] || free[w_q] || hit) wait_q <= '0;
    else wait_q <= wait_q + 4'd1;
  end

  logic past_hit_q;
  always_ff @(posedge clk_i) past_hit_q <= rst_n && (hit || (past_hit_q && !leaves));

  // 2: groups lie within the registers of the machine; only d is counted, and then x is not used.
  function automatic logic fits(input logic [7:0] r, input logic [2:0] n);
    return n == '0 || r == 8'd255 || 9'(r) + 9'(operand_words(n)) <= Last + 9'd1;
  endfunction
  function automatic logic is_form(input need_t of);
    need_more_t m;
    m = more_of(of);
    return fits(of.rd, of.nd) && fits(of.ra, of.na) && fits(of.rb, of.nb) && fits(of.rc, of.nc) &&
           fits(m.imm, {m.x, 2'b00}) && of.na != WordsCounted && of.nb != WordsCounted &&
           of.nc != WordsCounted && !(of.nd == WordsCounted && (m.x || (of.rd != 8'd255 && 9'(of.rd) > Last)));
  endfunction

  always @(posedge clk_i) begin
    assume (32'(w_i) < SubWarps && is_form(next_i) && next_i.preds == '0);
    if (rst_n) begin
      assume (!changed_q || head_changed_i[w_q]);
      // 5: what issues is the free head of a warp; a flush is of a warp that is not judged.
      assume (32'(issue_warp_i) < SubWarps);
      assume (!issue_i || pop_i);
      if (pop_i && issue_warp_i == w_q) assume (free[w_q] && eligible_i[w_q]);
      assume (!kill_i[w_q] || !eligible_i[w_q] || free[w_q]);
      assume (issue_insn_i.info.d_words == (counted_i ? WordsCounted : 3'd0));
      assume (issue_insn_i.info.preds == '0 && issue_insn_i.info.unit == UnitProbe);
      if (issue_i && issue_warp_i == w_q) begin
        assume (issue_insn_i.info.d_words == head_q.nd && issue_insn_i.word.rd == head_q.rd &&
                (!counted_i || issue_insn_i.word.imm[6:0] == more.imm[6:0]));
      end
      if (noted) assume (range_free && 9'(issue_insn_i.word.rd) <= Last);
      // What issues writes no register of a range of its warp: the watched warp stands for any.
      for (int i = 0; i < N; i++) begin
        if (noted && under_q[i] && of_q[i] == issue_warp_i) begin
          assume (9'(issue_insn_i.word.rd) > 9'(last_q[i]) || end_of < 9'(next_q[i]));
        end
      end
      if (write_i) assume (32'(place_i) < N && under_q[place_i]);

      // 5: no instruction is free that reads or writes a register of a range.
      `HOLDS(!(free[w_q] && hit))
      // None waits without a reason.
      if (HazardScan == 0) `HOLDS(free[w_q] || hit)
`ifdef STEP
      if (first_q) assume (wait_q == '0);  // where a wait begins
`endif
      a_wait: assert (32'(wait_q) <= Bound);
      // An instruction that issues writes none: why the assumption above is one.
      if (noted && issue_warp_i == w_q) `HOLDS(!hit)

      // Why: the notes are the instructions under way.
      `HOLDS(dut.range_valid == under_q && range_free == (under_q != '1))
      for (int i = 0; i < N; i++) begin
        if (under_q[i]) begin
          `HOLDS(dut.range_warp[i] == of_q[i] && 8'(dut.range_lo[i]) == next_q[i] &&
                  8'(dut.range_hi[i]) == last_q[i] && next_q[i] <= last_q[i] &&
                  9'(last_q[i]) <= Last)
          for (int j = 0; j < i; j++) begin
            if (under_q[j] && of_q[i] == of_q[j]) begin
              `HOLDS(last_q[i] < next_q[j] || next_q[i] > last_q[j])
            end
          end
        end
      end
      `HOLDS(32'(w_q) < SubWarps && is_form(head_q) && head_q.preds == '0)

      c_two: cover (under_q == '1 && of_q[0] == w_q && of_q[1] == w_q && hit);
      c_then: cover (past_hit_q && !hit && free[w_q] && eligible_i[w_q]);
      c_counted: cover (noted && issue_warp_i == w_q && under_q != '0);
    end
  end

  // Why: no other writer is under way, and what is judged is the head.
  if (HazardScan == 0) begin : gen_all
    always @(posedge clk_i) begin
      if (rst_n) begin
        for (int w = 0; w < SubWarps; w++) begin
          for (int i = 0; i < Regs / 32; i++) `HOLDS(dut.gen_all.u_all.busy_q[w][i] == '0)
          `HOLDS(dut.gen_all.u_all.pbusy_q[w] == '0)
        end
      end
    end
  end else begin : gen_scan
    always @(posedge clk_i) begin
      if (rst_n) begin
        `HOLDS(dut.gen_scan.u_scan.note_valid_q == '0 && dut.gen_scan.u_scan.xch_preds_q == '0 &&
                !dut.gen_scan.u_scan.result_some)
        `HOLDS(32'(dut.gen_scan.u_scan.last_q) < SubWarps)
        if (dut.gen_scan.u_scan.scan_valid_q && dut.gen_scan.u_scan.last_q == w_q) begin
          `HOLDS(!changed_q && !free[w_q] && dut.gen_scan.u_scan.need_q == scan_of(head_q))
        end
      end
    end
  end
endmodule
