// Hazards and counts of warps (docs/microarchitecture.md 5, 6.2, 6.3): which oldest instructions
// are hazard-free (of all warps in every cycle, or of one scanned warp: hazards_all.sv,
// hazards_scan.sv), and how many instructions are in flight.
`include "cells/assert.svh"
module hazards
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs; by HazardScan
  // HazardScan = 0: needs of all warps, and whose may be other ones than in the cycle before.
  input  logic [SubWarps-1:0] head_changed_i,
  input  need_t               need_i [SubWarps],
  // HazardScan = 1: warps that may be judged, flushes, needs of the warp that is.
  input  logic [SubWarps-1:0] eligible_i,
  input  logic [SubWarps-1:0] kill_i,
  output warp_t               scan_warp_o,
  input  scan_need_t          need_scan_i,
  input  inpipe_t             inpipe_i [PipeStages],
  output logic [SubWarps-1:0] free_o,
  // Issue; issue_i: of an instruction with lanes.
  input  logic                pop_i,
  input  logic                issue_i,
  input  warp_t               issue_warp_i,
  input  insn_t               issue_insn_i,
  input  logic                issue_writes_i,   // has destinations
  // How it finishes: in the fixed pipe, in T, in the LSU (not deferred), LDC or exchange unit, in the probe or with
  // its last word in the result queue; or 0 (at once).
  input  logic                issue_fix_i,
  input  logic                issue_ctl_i,
  input  logic                issue_lsu_i,
  input  logic                issue_ldc_i,
  input  logic                issue_xch_i,
  input  logic                issue_probe_i,
  output logic                range_free_o,     // a range note is free
  output logic [SubWarps-1:0] noted_o,          // range notes of the warp are valid
  // Ends.
  input  fixp_t               fix_pred_i,
  input  regclr_t             fix_clr_i,
  input  finish_t             finish_fix_i,
  input  vwb_t                vwb_i [VwbSources],
  input  logic [VwbSources-1:0] vwb_grant_i,    // whose is written
  input  vwb_t                var_wr_i,         // that one
  input  finish_t             finish_resolve_i,
  input  finish_t             finish_xch_i,
  input  finish_t             finish_ldc_i,
  input  finish_t             finish_probe_i,
  input  logic [LsuDepth-1:0] lsu_free_i,
  input  warp_t               lsu_free_warp_i [LsuDepth],
  input  logic [SubWarps-1:0] deferred_i,       // deferred forms, bulk copies are in flight: counted there
  output logic [SubWarps-1:0] inflight_zero_o,
  output logic                rest_o,           // nothing is pending or in flight (15)
  output logic [SubWarps-1:0] mem_zero_o
  // verilator lint_on UNUSEDSIGNAL
);
  // Counted destinations: range notes.
  logic [RangeNotes-1:0] range_valid;
  warp_t range_warp [RangeNotes];
  reg_t range_lo [RangeNotes];
  reg_t range_hi [RangeNotes];
  if (HasCounted != 0) begin : gen_ranges
    range_notes #(.Notes(RangeNotes)) u_ranges (
      .clk_i, .rst_ni,
      .set_i(issue_i && issue_writes_i && issue_insn_i.info.d_words == WordsCounted &&
             issue_insn_i.word.rd != 8'd255),
      .set_warp_i(issue_warp_i), .set_lo_i(reg_t'(issue_insn_i.word.rd)),
      .set_hi_i(last_reg(issue_insn_i.word.rd, issue_insn_i.info.d_words,
                         issue_insn_i.word.imm[6:0])),
      .wrote_i(vwb_grant_i[VwbResult] && vwb_i[VwbResult].has_reg && vwb_i[VwbResult].last_beat),
      .wrote_warp_i(vwb_i[VwbResult].warp), .wrote_reg_i(reg_t'(vwb_i[VwbResult].rd)),
      .free_o(range_free_o), .valid_o(range_valid), .warp_o(range_warp), .lo_o(range_lo),
      .hi_o(range_hi)
    );
  end else begin : gen_no_ranges
    assign range_free_o = 1'b1;
    assign range_valid = '0;
    assign range_warp = '{default: '0};
    assign range_lo = '{default: '0};
    assign range_hi = '{default: '0};
  end

  always_comb begin
    noted_o = '0;
    for (int unsigned i = 0; i < RangeNotes; i++) begin
      noted_o |= SubWarps'(range_valid[i]) << range_warp[i];
    end
  end

  logic rest_pending;
  if (HazardScan == 0) begin : gen_all
    hazards_all u_all (
      .rest_o(rest_pending),
      .clk_i, .rst_ni, .head_changed_i, .need_i, .free_o, .issue_i(issue_i && issue_writes_i),
      .issue_warp_i, .issue_insn_i, .fix_pred_i, .fix_clr_i, .var_wr_i,
      .range_valid_i(range_valid), .range_warp_i(range_warp), .range_lo_i(range_lo),
      .range_hi_i(range_hi)
    );
    assign scan_warp_o = '0;
  end else begin : gen_scan
    hazards_scan u_scan (
      .rest_o(rest_pending),
      .clk_i, .rst_ni, .kill_i, .eligible_i, .scan_warp_o, .need_i(need_scan_i), .free_o,
      .pop_i, .issue_i(issue_i && issue_writes_i), .issue_warp_i, .issue_insn_i,
      .inpipe_i, .vwb_i, .vwb_grant_i, .range_valid_i(range_valid), .range_warp_i(range_warp),
      .range_lo_i(range_lo), .range_hi_i(range_hi)
    );
  end

  // Instructions past issue and not finished, by where they finish: several in the fixed pipe and
  // in the LSU, at most one of a warp that ends in T, one of all in the other two units.
  localparam int unsigned MemBits = $clog2(LsuDepth + 1);
  logic [3:0] fix_q [SubWarps];
  logic [MemBits-1:0] mem_q [SubWarps];
  logic [SubWarps-1:0] fix_zero_q, mem_zero_q, ctl_q, ldc_q, xch_q;
  logic [SubWarps-1:0] issued, up_fix, up_mem, by_fix, by_mem, touched_mem;
  logic [SubWarps-1:0] by_lsu [LsuDepth];
  always_comb begin
    issued = SubWarps'(issue_i) << issue_warp_i;
    up_fix = issue_fix_i ? issued : '0;
    up_mem = issue_lsu_i ? issued : '0;
    by_fix = SubWarps'(finish_fix_i.valid) << finish_fix_i.warp;
    by_mem = SubWarps'(vwb_grant_i[VwbLsu] && vwb_i[VwbLsu].last) << vwb_i[VwbLsu].warp;
    touched_mem = up_mem | by_mem;
    for (int unsigned i = 0; i < LsuDepth; i++) begin
      by_lsu[i] = SubWarps'(lsu_free_i[i]) << lsu_free_warp_i[i];
      touched_mem |= by_lsu[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fix_zero_q <= '1;
      mem_zero_q <= '1;
      ctl_q <= '0;
      ldc_q <= '0;
      xch_q <= '0;
      fix_q <= '{default: '0};
      mem_q <= '{default: '0};
    end else begin
      logic [3:0] fix [SubWarps];
      logic [MemBits-1:0] mem_left [SubWarps];
      fix = fix_q;
      mem_left = mem_q;
      for (int unsigned w = 0; w < SubWarps; w++) begin
        if (up_fix[w] != by_fix[w]) begin
          fix[w] = by_fix[w] ? fix_q[w] - 4'd1 : fix_q[w] + 4'd1;
          fix_zero_q[w] <= by_fix[w] && fix_q[w] == 4'd1;
        end
        if (touched_mem[w]) begin
          logic [MemBits-1:0] mem;
          mem = mem_q[w] + MemBits'(up_mem[w]);
          for (int unsigned i = 0; i < LsuDepth; i++) mem -= MemBits'(by_lsu[i][w]);
          // The granted word comes last.
          mem_left[w] = by_mem[w] ? mem - MemBits'(1) : mem;
          mem_zero_q[w] <= by_mem[w] ? mem == MemBits'(1) : mem == '0;
        end
      end
      fix_q <= fix;
      mem_q <= mem_left;
      ctl_q <= (ctl_q | (issue_ctl_i ? issued : '0)) &
               ~(SubWarps'(finish_resolve_i.valid) << finish_resolve_i.warp);
      if (issue_i && issue_ldc_i) ldc_q <= issued;
      else if (finish_ldc_i.valid || (vwb_grant_i[VwbLdc] && vwb_i[VwbLdc].last)) ldc_q <= '0;
      if (issue_i && issue_xch_i) xch_q <= issued;
      else if (finish_xch_i.valid || (vwb_grant_i[VwbXch] && vwb_i[VwbXch].last)) xch_q <= '0;
    end
  end

  // Those whose words go through the result queue. The probe holds one, the unit FP64 Fp64Held, the
  // tensor unit its sets and, of instructions that have left these, words in its pipe, tensor memory
  // its entries and three words of others; the queue holds the rest.
  logic [SubWarps-1:0] result_some;
  if (HasResult != 0) begin : gen_results
    localparam int unsigned Most = ResultDepth + 2 + (Tensor != 0 ? TensorSets + 8 : 0) +
                                    (Fp64 != 0 ? Fp64Held : 0) +
                                    (Tmem != 0 ? TmemLoads + 3 : 0);
    localparam int unsigned CountBits = $clog2(Most + 1);
    typedef logic [CountBits-1:0] count_t;
    count_t result_q [SubWarps];
    logic [SubWarps-1:0] up, by_word, by_unit;
    always_comb begin
      up = issue_probe_i ? issued : '0;
      by_word = SubWarps'(vwb_grant_i[VwbResult] && vwb_i[VwbResult].last) <<
                vwb_i[VwbResult].warp;
      by_unit = SubWarps'(finish_probe_i.valid) << finish_probe_i.warp;
      for (int unsigned w = 0; w < SubWarps; w++) result_some[w] = result_q[w] != '0;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        result_q <= '{default: '0};
      end else if ((up | by_word | by_unit) != '0) begin
        count_t left [SubWarps];
        left = result_q;
        for (int unsigned w = 0; w < SubWarps; w++) begin
          left[w] = left[w] + count_t'(up[w]) - count_t'(by_word[w]) - count_t'(by_unit[w]);
        end
        result_q <= left;
      end
    end
    `WL_ASSERT(CountHasRoom, !issue_probe_i || result_q[issue_warp_i] < count_t'(Most))
    `WL_ASSERT(EndsWhatIssued, (by_word & ~result_some) == '0 && (by_unit & ~result_some) == '0)
  end else begin : gen_no_results
    assign result_some = '0;
  end
  assign inflight_zero_o = fix_zero_q & mem_zero_q & ~ctl_q & ~ldc_q & ~xch_q & ~result_some &
                           ~deferred_i;
  assign mem_zero_o = mem_zero_q;

  always_comb begin
    rest_o = rest_pending && &fix_zero_q && &mem_zero_q &&
             (ctl_q | ldc_q | xch_q | result_some | deferred_i) == '0;
    for (int unsigned w = 0; w < SubWarps; w++) begin
      if (fix_q[w] != '0 || mem_q[w] != '0) rest_o = 1'b0;
    end
  end
endmodule
