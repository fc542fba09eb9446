// Hazards of one scanned warp per cycle (docs/microarchitecture.md 5, HazardScan = 1): for any warp,
// register and predicate, an instruction that the unit lets issue neither reads nor writes one that
// is still to be written. Also which warp is taken, and that it is judged in the next cycle. The
// LSU, the constant loads and the exchange unit are modelled as they write (6.3); the fixed pipe is
// assumed to tell what its stages hold (6.2). Not here: that each warp is judged in bounded time.
// The step of the induction (STEP) begins in any state in which all of this holds; the base job
// begins at reset.
`ifdef STEP
`define HOLDS(x) begin if (first_q) assume (x); else assert (x); end
`else
`define HOLDS(x) assert (x);
`endif
module hazards_scan_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input logic                clk_i,
  input logic [SubWarps-1:0] kill_i,
  input logic [SubWarps-1:0] eligible_i,
  input need_t               need_i,
  input logic                pop_i,
  input logic                issue_i,
  input warp_t               issue_warp_i,
  input insn_t               issue_insn_i,
  input inpipe_t             inpipe_i [PipeStages],
  input logic                write_i,      // a beat word is granted
  input logic [1:0]          source_i,
  input vwb_t                others_i [VwbSources],
  input logic [SlotBits-1:0] slot_i,       // of the LSU's instructions
  input logic                last_beat_i,
  input logic [LsuDepth-1:0] lsu_free_i,   // entries without a register end
  input logic                fix_end_i,    // the fixed pipe has written the watched register
  input logic                fixp_end_i,
  input warp_t               w_i,
  input logic [7:0]          r_i,
  input logic [2:0]          p_i
);
`ifdef STEP
  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;
  logic rst_n;
  assign rst_n = 1'b1;
`else
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
`endif
  warp_t      w_q;
  logic [7:0] r_q;
  logic [2:0] p_q;

  function automatic logic in_group(input logic [7:0] r, input logic [7:0] base,
                                    input logic [2:0] n);
    return base != 8'd255 && r >= base && 9'(r) < 9'(base) + 9'(n);
  endfunction

  // Instructions of the three units: a ring of the LSU, one each of the others.
  typedef struct packed {
    logic       valid;
    logic       has;       // registers lo .. hi are to be written, in ascending order
    warp_t      warp;
    logic [7:0] lo, hi;
    logic       pred;      // exchange: predicate pd
    logic [2:0] pd;
  } entry_t;
  localparam int unsigned N = LsuDepth + 2;
  entry_t              e_q [N];
  logic [SlotBits-1:0] alloc_q;
  logic                is_lsu, is_ldc, is_xch, has_dest;
  logic [31:0]         at;
  entry_t              from, made;
  assign is_lsu = issue_insn_i.info.unit == UnitLsu;
  assign is_ldc = issue_insn_i.info.unit == UnitLdc;
  assign is_xch = issue_insn_i.info.unit == UnitSync;
  assign has_dest = issue_insn_i.info.d_words != '0 && issue_insn_i.word.rd != 8'd255;
  assign at = (source_i == 2'd0) ? 32'(slot_i) : 32'(LsuDepth) - 32'd1 + 32'(source_i);
  assign from = e_q[at];
  always_comb begin
    made = '0;
    made.valid = 1'b1;
    made.has = has_dest;
    made.warp = issue_warp_i;
    made.lo = issue_insn_i.word.rd;
    made.hi = issue_insn_i.word.rd + 8'(issue_insn_i.info.d_words) - 8'd1;
    made.pred = is_xch && issue_insn_i.info.preds[PredD] && issue_insn_i.word.pd != 3'd7;
    made.pd = issue_insn_i.word.pd;
  end

  // The granted word: the next register of its instruction, in its last beat the last of it. An
  // instruction of the exchange unit writes register and predicate together.
  vwb_t       wr;
  vwb_t       vwb [VwbSources];  // the others are not granted
  logic [2:0] grant;
  always_comb begin
    wr = '0;
    wr.valid = write_i;
    wr.warp = from.warp;
    wr.has_reg = from.has;
    wr.rd = from.has ? from.lo : 8'd255;
    wr.last_beat = last_beat_i;
    wr.last = last_beat_i && (!from.has || from.lo == from.hi);
    wr.has_pred = from.pred;
    wr.pd = from.pd;
    grant = write_i ? 3'd1 << source_i : '0;
    for (int i = 0; i < 3; i++) vwb[i] = (32'(source_i) == i) ? wr : others_i[i];
  end

  warp_t               scan_warp;
  logic [SubWarps-1:0] free;
  hazards_scan dut (
    .clk_i, .rst_ni(rst_n), .kill_i, .eligible_i, .scan_warp_o(scan_warp), .need_i(scan_of(need_i)),
    .free_o(free), .pop_i, .issue_i, .issue_warp_i, .issue_insn_i, .inpipe_i, .vwb_i(vwb),
    .vwb_grant_i(grant),
    // Counted destinations and groups of eight words and more: hazards_ranges.
    .range_valid_i('0), .range_warp_i('{default: '0}), .range_lo_i('{default: '0}),
    .range_hi_i('{default: '0})
  );

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      w_q <= w_i;
      r_q <= r_i;
      p_q <= p_i;
      alloc_q <= '0;
      for (int i = 0; i < N; i++) e_q[i] <= '0;
    end else begin
      if (write_i && last_beat_i) begin
        if (wr.last) e_q[at].valid <= 1'b0;
        else e_q[at].lo <= from.lo + 8'd1;
      end
      for (int i = 0; i < LsuDepth; i++) begin
        if (lsu_free_i[i] && !e_q[i].has) e_q[i].valid <= 1'b0;
      end
      if (issue_i) begin
        if (is_lsu) begin
          e_q[alloc_q] <= made;
          alloc_q <= (alloc_q == SlotBits'(LsuDepth - 1)) ? '0 : alloc_q + SlotBits'(1);
        end
        if (is_ldc) e_q[LsuDepth] <= made;
        if (is_xch) e_q[LsuDepth+1] <= made;
      end
    end
  end

  // What is pending: in the units by their instructions, in the fixed pipe by the watched word.
  logic [N-1:0] hits;
  logic fix_q, fixp_q, mine, to_fix, shown, shownp;
  logic pend_reg, pend_pred, sets_reg, sets_pred;
  assign mine = issue_i && issue_warp_i == w_q;
  assign to_fix = !is_lsu && !is_ldc && !is_xch;
  assign sets_reg = in_group(r_q, issue_insn_i.word.rd, issue_insn_i.info.d_words);
  assign sets_pred = (issue_insn_i.info.preds[PredD] && issue_insn_i.word.pd == p_q) ||
                     (issue_insn_i.info.preds[PredQ] && issue_insn_i.word.pq == p_q);
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      fix_q <= 1'b0;
      fixp_q <= 1'b0;
    end else begin
      fix_q <= (fix_q && !fix_end_i) || (mine && to_fix && sets_reg);
      fixp_q <= (fixp_q && !fixp_end_i) || (mine && to_fix && sets_pred);
    end
  end
  always_comb begin
    pend_reg = fix_q;
    pend_pred = fixp_q;
    for (int i = 0; i < N; i++) begin
      if (e_q[i].valid && e_q[i].warp == w_q) begin
        if (e_q[i].has && r_q >= e_q[i].lo && r_q <= e_q[i].hi) pend_reg = 1'b1;
        if (e_q[i].pred && e_q[i].pd == p_q) pend_pred = 1'b1;
      end
    end
    shown = 1'b0;
    shownp = 1'b0;
    for (int i = 0; i < PipeStages; i++) begin
      if (inpipe_i[i].warp == w_q) begin
        if (i < PipeStages - 2 && inpipe_i[i].has_reg && r_q >= inpipe_i[i].lo &&
            r_q <= inpipe_i[i].hi && inpipe_i[i].hi < 8'd64) shown = 1'b1;
        if (inpipe_i[i].preds[p_q]) shownp = 1'b1;
      end
    end
  end

  // Which warp is taken: the first after the last one that may be judged and is not just judged.
  logic                scan_q;
  warp_t               scan_warp_q, taken_q, taken;
  logic [SubWarps-1:0] open;
  always_comb begin
    open = eligible_i & ~free;
    if (scan_q) open[scan_warp_q] = 1'b0;
    taken = taken_q;
    for (int unsigned k = SubWarps; k >= 1; k--) begin
      if (open[(32'(taken_q) + k) % SubWarps]) taken = warp_t'((32'(taken_q) + k) % SubWarps);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      scan_q <= 1'b0;
      taken_q <= warp_t'(SubWarps - 1);
    end else begin
      scan_q <= open != '0;
      taken_q <= taken;
    end
    scan_warp_q <= taken;
  end

  // The watched warp's oldest instruction: the same until it is popped or flushed. What the judged
  // one needs was told as it was taken.
  need_t head_q, need_q;
  logic  known_q, judged, needs_reg, needs_pred;
  assign judged = scan_q && scan_warp_q == w_q;
  always_ff @(posedge clk_i) begin
    need_q <= need_i;
    if (judged) head_q <= need_q;
    known_q <= rst_n && (known_q || judged) && !kill_i[w_q] && !(pop_i && issue_warp_i == w_q);
  end
  assign needs_reg = in_group(r_q, head_q.rd, head_q.nd) || in_group(r_q, head_q.ra, head_q.na) ||
                     in_group(r_q, head_q.rb, head_q.nb) || in_group(r_q, head_q.rc, head_q.nc);
  assign needs_pred = head_q.preds[p_q];

  logic [7:0] base [4];
  logic [2:0] words [4];
  always_comb begin
    base = '{need_q.rd, need_q.ra, need_q.rb, need_q.rc};
    words = '{need_q.nd, need_q.na, need_q.nb, need_q.nc};
  end

  function automatic logic fits(input logic [7:0] base, input logic [2:0] n);
    return n <= 3'd4 && n != Words8 && (n == '0 || base == 8'd255 || 9'(base) + 9'(n) <= 9'd64);
  endfunction

  always @(posedge clk_i) begin
    assume (32'(w_i) < SubWarps && r_i < 8'd64 && p_i < 3'd7);
    // 5: registers beyond those of the warp trap at issue.
    assume (fits(need_i.rd, need_i.nd) && fits(need_i.ra, need_i.na) && fits(need_i.rb, need_i.nb) &&
            fits(need_i.rc, need_i.nc) && fits(issue_insn_i.word.rd, issue_insn_i.info.d_words));
    if (rst_n) begin
      `HOLDS(dut.need_q.preds == need_q.preds)
      for (int o = 0; o < 4; o++) begin
        `HOLDS(dut.need_q.used[o] == (words[o] != '0 && base[o] != 8'd255))
        if (words[o] != '0 && base[o] != 8'd255) begin
          `HOLDS(8'(dut.need_q.first[o]) == base[o] &&
                 8'(dut.need_q.last[o]) == base[o] + 8'(words[o]) - 8'd1)
        end
      end
      assume (source_i <= 2'd2);
      assume (!(judged && known_q) || need_q == head_q);
      // 5: what issues is the head of a warp that is hazard-free and was judged.
      assume (!issue_i || pop_i);
      if (pop_i) assume (free[issue_warp_i] && eligible_i[issue_warp_i]);
      if (mine) begin
        assume (issue_insn_i.word.rd == head_q.rd && issue_insn_i.info.d_words == head_q.nd);
        assume (!sets_pred || needs_pred);
      end
      // 5, 9, 10, 12: the unit has room; no form but the exchange unit's has one of these predicates.
      if (issue_i && is_lsu) assume (!e_q[alloc_q].valid);
      if (issue_i && is_ldc) assume (!e_q[LsuDepth].valid);
      if (issue_i && is_xch) assume (!e_q[LsuDepth+1].valid && issue_insn_i.info.d_words <= 3'd1);
      if (issue_i && (is_lsu || is_ldc)) assume (issue_insn_i.info.preds[PredD] == 1'b0);
      if (issue_i && !to_fix) assume (issue_insn_i.info.preds[PredQ] == 1'b0);
      // What issues writes no word of an instruction under way: `free` of its warp says so for the
      // watched register below, and that one stands for any.
      for (int i = 0; i < N; i++) begin
        if (issue_i && has_dest && e_q[i].valid && e_q[i].has && e_q[i].warp == issue_warp_i) begin
          assume (made.hi < e_q[i].lo || made.lo > e_q[i].hi);
        end
      end
      // 6.3: a word of an instruction under way.
      if (write_i) assume (from.valid);
      // 6.2: the stages hold what the fixed pipe has still to write.
      assume (!fix_q || shown);
      assume (!fixp_q || shownp);

      `HOLDS(!free[w_q] || !(pend_reg && needs_reg))
      `HOLDS(!free[w_q] || !(pend_pred && needs_pred))
      `HOLDS(!mine || !(sets_reg && pend_reg))
      `HOLDS(!free[w_q] || known_q)
      `HOLDS(dut.nohaz_q == free)
      `HOLDS(dut.scan_valid_q == scan_q && dut.last_q == taken_q && 32'(taken_q) < SubWarps)
      `HOLDS(!scan_q || (scan_warp_q == taken_q && !free[scan_warp_q]))
      a_taken: assert (open == '0 || scan_warp == taken);
      `HOLDS(dut.lsu_next_q == LsuDepth'(1) << alloc_q && 32'(alloc_q) < LsuDepth)
      `HOLDS(32'(w_q) < SubWarps && r_q < 8'd64 && p_q < 3'd7)
      for (int i = 0; i < N; i++) begin
        `HOLDS(dut.note_valid_q[i] == (e_q[i].valid && e_q[i].has))
        for (int j = 0; j < i; j++) begin
          if (e_q[i].valid && e_q[i].has && e_q[j].valid && e_q[j].has &&
              e_q[i].warp == e_q[j].warp) begin
            `HOLDS(e_q[i].hi < e_q[j].lo || e_q[i].lo > e_q[j].hi)
          end
        end
        if (e_q[i].valid && i < N - 1) `HOLDS(!e_q[i].pred)
        if (e_q[i].valid && e_q[i].has && i == N - 1) `HOLDS(e_q[i].lo == e_q[i].hi)
        if (e_q[i].valid && e_q[i].has) begin
          `HOLDS(8'(dut.note_lo_q[i]) == e_q[i].lo && 8'(dut.note_hi_q[i]) == e_q[i].hi &&
                  dut.note_warp_q[i] == e_q[i].warp && e_q[i].lo <= e_q[i].hi &&
                  e_q[i].hi < 8'd64)
        end
      end
      `HOLDS(dut.xch_preds_q == ((e_q[N-1].valid && e_q[N-1].pred) ?
                                         7'd1 << e_q[N-1].pd : 7'd0))
      if (e_q[N-1].valid) `HOLDS(dut.note_warp_q[N-1] == e_q[N-1].warp &&
                                              !(e_q[N-1].pred && e_q[N-1].pd == 3'd7))
      // No register is to be written twice: so a word belongs to one note.
      if (pend_reg) begin
        `HOLDS(4'(fix_q) + 4'(hits[0]) + 4'(hits[1]) + 4'(hits[2]) + 4'(hits[3]) == 4'd1)
      end
      c_lsu: cover (mine && is_lsu && e_q[0].valid && e_q[0].has && e_q[0].warp == w_q &&
                    e_q[0].lo == 8'd5 && e_q[0].hi == 8'd6);
      c_held: cover (judged && pend_reg && !fix_q && in_group(r_q, need_q.rb, need_q.nb));
      c_pred: cover (judged && pend_pred && !fixp_q && need_q.preds[p_q]);
    end
  end

  always_comb begin
    for (int i = 0; i < N; i++) begin
      hits[i] = e_q[i].valid && e_q[i].has && e_q[i].warp == w_q && r_q >= e_q[i].lo &&
                r_q <= e_q[i].hi;
    end
  end
endmodule
