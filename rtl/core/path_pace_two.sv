// Pace of the path engine with RowCycles = 2 (docs/microarchitecture.md 7.3), for a slow memory: a
// step reads its row in one cycle, into registers, and acts in the next one. The warp that is
// served next is chosen one cycle, its state is read the next, and its request is taken at the end
// of that; a trap rises in the cycle after its step.
`include "cells/assert.svh"
module path_pace_two
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                may_take_i,
  // verilator lint_off UNUSEDSIGNAL // RowCycles = 1 only
  input  logic                asked_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [SubWarps-1:0] asks_i,
  input  logic                hold_i,
  input  logic                finish_i,
  input  logic                waits_i,
  output warp_t               pick_o,
  output warp_t               warp_o,
  output logic                take_o,
  output logic                busy_o,
  output logic                acts_o,
  output logic                reads_o,
  output logic                prepare_o,
  output logic                next_o,
  input  trap_t               trap_i,
  output trap_t               trap_o
);
  if (EventDelay == 0) begin : gen_wrong
    $error("RowCycles: 2 only with EventDelay");
  end
  // Requests of the cycle before. The one that is taken comes last in the circular order, so that
  // the warp that is prepared asks if any does.
  logic [SubWarps-1:0] asked_q;
  logic                busy_q, act_q, asked;
  warp_t               warp_q, last_q;
  assign asked = asked_q != '0;
  assign pick_o = warp_q;
  assign warp_o = warp_q;
  assign busy_o = busy_q;
  assign take_o = !busy_q && asked && may_take_i;
  assign acts_o = busy_q && act_q;
  assign reads_o = busy_q && !act_q;
  assign prepare_o = !busy_q;
  assign next_o = prepare_o ? asked : acts_o && !hold_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asked_q <= '0;
      busy_q <= 1'b0;
      last_q <= warp_t'(SubWarps - 1);
    end else begin
      asked_q <= asks_i & ~(SubWarps'(take_o) << warp_q);
      if (acts_o || take_o) begin
        busy_q <= !finish_i;
        last_q <= warp_q;
      end
    end
    if ((prepare_o && !take_o) || finish_i) warp_q <= next_warp(asks_i, last_q);
    act_q <= busy_q && (act_q ? hold_i : !waits_i);
  end

  logic  late_valid_q;
  trap_t late_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) late_valid_q <= 1'b0;
    else late_valid_q <= trap_i.valid;
    late_q <= trap_i;
  end
  always_comb begin
    trap_o = late_q;
    trap_o.valid = late_valid_q;
  end

  `WL_ASSERT(TakesWhoAsks, !take_o || asked_q[warp_q])
  `WL_ASSERT(FinishesActing, !finish_i || acts_o)
  `WL_ASSERT(OneTrapAtATime, !(trap_i.valid && late_valid_q))
endmodule
