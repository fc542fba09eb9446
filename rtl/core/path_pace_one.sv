// Pace of the path engine with RowCycles = 1 (docs/microarchitecture.md 7.3): which warp it serves,
// and when its steps act. An idle engine, or one in the last step of a service, reads the first row
// of the warp that it may take next; a step acts in the cycle after its row is read.
`include "cells/assert.svh"
module path_pace_one
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                may_take_i,  // no disturbance, no trap
  input  logic                asked_i,     // a request is visible
  input  logic [SubWarps-1:0] asks_i,      // requests that may be taken in the next cycle
  input  logic                hold_i,      // the step acts again in the next cycle
  input  logic                finish_i,    // the step is the last one of the service
  // verilator lint_off UNUSEDSIGNAL // RowCycles = 2 only
  input  logic                waits_i,     // the row of the step is not read yet
  // verilator lint_on UNUSEDSIGNAL
  output warp_t               pick_o,      // the warp that may be taken next
  output warp_t               warp_o,      // served, or about to be
  output logic                take_o,      // a service begins
  output logic                busy_o,      // serves warp_o since an earlier cycle
  output logic                acts_o,      // a step acts
  output logic                reads_o,     // RowCycles = 2: a step reads its row
  output logic                prepare_o,   // the next step is the first one of pick_o
  output logic                next_o,      // the next cycle is that of another step
  input  trap_t               trap_i,
  output trap_t               trap_o
);
  if (EventDelay != 0) begin : gen_wrong
    $error("EventDelay: 1 only with RowCycles = 2");
  end
  logic  busy_q;
  warp_t warp_q, last_q;  // last_q: served last
  assign warp_o = warp_q;
  assign busy_o = busy_q;
  assign take_o = !busy_q && asked_i && may_take_i;
  assign acts_o = busy_q || take_o;
  assign reads_o = 1'b0;
  assign prepare_o = !acts_o || finish_i;
  assign next_o = prepare_o ? asks_i != '0 : !hold_i;
  always_comb begin
    pick_o = 'x;
    if (asks_i != '0) pick_o = next_warp(asks_i, take_o ? warp_q : last_q);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      last_q <= warp_t'(SubWarps - 1);
    end else if (acts_o) begin
      busy_q <= !finish_i;
      last_q <= warp_q;
    end
    if (prepare_o && next_o) warp_q <= pick_o;
  end
  assign trap_o = trap_i;

  `WL_ASSERT(PickAsks, !(prepare_o && next_o) || asks_i[pick_o])
  `WL_ASSERT(FinishesActing, !finish_i || acts_o)
endmodule
