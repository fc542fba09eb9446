// Side band of the fixed pipe (docs/microarchitecture.md 6.2): what an instruction writes, carried
// from X1 to W in parallel with the lanes. Writes of registers and predicates, the end of the
// instruction.
`include "cells/assert.svh"
module fixed_band
  import wl_pkg::*;
  import sm_pkg::*;
  import operand_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  band_t   band_i,        // of the step in X1
  output fix_t    fix_o,         // in W
  output fixp_t   fix_pred_o,
  output regclr_t fix_clr_o,
  output finish_t finish_fix_o
);
  band_t band_q [LatFixed];
  always_ff @(posedge clk_i) begin
    band_q[0] <= band_i;
    for (int unsigned i = 1; i < LatFixed; i++) band_q[i] <= band_q[i-1];
    if (!rst_ni) for (int unsigned i = 0; i < LatFixed; i++) band_q[i].fix.valid <= 1'b0;
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

  // Predicates: pd or a lone pq in W, pq after a pd in W + 1, where nothing else is in W: the extra
  // slot. The instruction then finishes there too.
  fixp_t pred_q;
  finish_t late_q;
  logic late;
  assign late = in_w.fix.valid && in_w.p && in_w.q;
  always_ff @(posedge clk_i) begin
    pred_q.valid <= rst_ni && (late || (before_w.fix.valid && (before_w.p || before_w.q)));
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
    late_q.valid <= rst_ni && late && in_w.last;
    late_q.warp <= in_w.fix.warp;
  end
  assign fix_pred_o = pred_q;
  assign finish_fix_o.valid = late_q.valid || (in_w.fix.valid && in_w.last && !(in_w.p && in_w.q));
  assign finish_fix_o.warp = late_q.valid ? late_q.warp : in_w.fix.warp;

  `WL_ASSERT(OneFinish, !(late_q.valid && in_w.fix.valid && in_w.last && !(in_w.p && in_w.q)))
  `WL_ASSERT(NoStepAfterTwoPredicates, !(late && before_w.fix.valid))
endmodule
