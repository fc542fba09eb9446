// Choice of the warp that issues (docs/microarchitecture.md 5): of the warps whose instruction
// could issue, the next one in turn (SchedGreedy = 0), or the one that issued last, then the
// youngest one whose turn has not ended (SchedGreedy = 1). It looks at needs, units and hazards
// only; issue_judge judges the instruction that is chosen.
`include "cells/assert.svh"
module issue_choice
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import hazard_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [SubWarps-1:0] candidate_i,   // warps that run and have an instruction
  input  logic [SubWarps-1:0] free_i,        // of hazards
  // verilator lint_off UNUSEDSIGNAL // a part of the needs; age: greedy only
  input  need_t               need_i [SubWarps],
  input  logic [CtaBits-1:0]  warp_cta_i [SubWarps],
  input  logic [31:0]         cta_seq_i [Ctas],
  // verilator lint_on UNUSEDSIGNAL
  input  logic [SubWarps-1:0] released_i,    // the running path lies within released
  input  logic [SubWarps-1:0] mem_zero_i,    // no memory operation in flight
  input  logic [SubWarps-1:0] noted_i,       // range notes of the warp are left
  // Units that take an instruction.
  input  logic                lsu_ready_i,
  input  logic                ldc_ready_i,
  input  logic                copy_ready_i,
  input  logic                xch_ready_i,
  input  logic                probe_ready_i,
  input  logic                tensor_ready_i,
  input  logic                fp64_ready_i,
  input  logic                columns_ready_i,
  input  logic                tmem_ready_i,
  input  logic                umma_ready_i,
  input  logic                range_free_i,  // a range note is free
  input  logic                tbuf_free_i,
  input  finish_t             turn_end_i,
  input  logic                choosing_i,    // the choice of the cycle counts
  // verilator lint_off UNUSEDSIGNAL // greedy only
  input  logic                issued_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic                ready_o,       // there is a choice
  output warp_t               warp_o         // chosen; with IssueAhead chosen last
);
  warp_t choice, last_q;
  logic [SubWarps-1:0] wserved_q;            // warps whose turn ended
  assign warp_o = (IssueAhead == 0) ? choice : last_q;

  // Issuable and ready warps.
  logic [SubWarps-1:0] issuable, ready, head_rel;
  assign issuable = candidate_i & free_i;
  assign ready_o = ready != '0;

  // Optional units, counted destinations, range notes.
  // The same for all warps, so a simulator evaluates it once.
  need_more_t closed;                        // what an instruction cannot have in this cycle
  always_comb begin
    closed = '0;
    closed.probe = !probe_ready_i;
    closed.tensor = !tensor_ready_i;
    closed.fp64 = !fp64_ready_i;
    closed.counted = !range_free_i;
    closed.columns = !columns_ready_i;
    closed.tload = !tmem_ready_i;
    closed.umma = !umma_ready_i;
  end
  // verilator lint_off UNUSEDSIGNAL // a part
  function automatic logic more_waits(input need_t of, input logic noted);
    need_more_t m;
    m = more_of(of);
    return (m & closed) != '0 || (m.notes && noted);
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  always_comb begin
    for (int unsigned w = 0; w < SubWarps; w++) begin
      head_rel[w] = need_i[w].returns && released_i[w];
      ready[w] = issuable[w] &&
                 (need_i[w].trap ||
                  !((need_i[w].lsu && !lsu_ready_i) || (need_i[w].ldc && !ldc_ready_i) ||
                    (need_i[w].sync && !xch_ready_i) || (need_i[w].copy && !copy_ready_i) ||
                    more_waits(need_i[w], noted_i[w]) ||
                    (need_i[w].tbuf && !head_rel[w] && !tbuf_free_i) ||
                    (need_i[w].waits && !head_rel[w] && !mem_zero_i[w])));
    end
  end

  if (SchedGreedy == 0) begin : gen_round_robin
    assign choice = next_warp(ready, last_q);
  end else begin : gen_greedy
    logic [SubWarps-1:0] fresh;
    logic [31:0] best;
    warp_t served_last_q;  // chosen last among served warps; issues of unserved ones leave it
    always_ff @(posedge clk_i) begin
      if (!rst_ni) served_last_q <= warp_t'(SubWarps - 1);
      else if (issued_i && fresh == '0) served_last_q <= choice;
    end
    always_comb begin
      fresh = ready & ~wserved_q;
      best = '0;
      if (fresh == '0) begin
        choice = next_warp(ready, served_last_q);
      end else if (fresh[last_q]) begin
        choice = last_q;
      end else begin
        choice = lowest_warp(fresh);
        for (int unsigned w = 0; w < SubWarps; w++) begin
          if (fresh[w] && cta_seq_i[warp_cta_i[w]] > best) begin
            best = cta_seq_i[warp_cta_i[w]];
            choice = warp_t'(w);
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q <= warp_t'(SubWarps - 1);
      wserved_q <= '0;
    end else begin
      if (choosing_i) last_q <= choice;
      wserved_q <= (((issuable & ~wserved_q) == '0) ? '0 : wserved_q) |
                   (SubWarps'(turn_end_i.valid) << turn_end_i.warp);
    end
  end

  `WL_ASSERT(ChoiceIsReady, !ready_o || ready[choice])
  `WL_ASSERT(ChoosesReady, !choosing_i || ready_o)
endmodule
