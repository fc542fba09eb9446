// What an operation on an mbarrier does beside its object (docs/microarchitecture.md 21.2): the count
// of completed phases, the pulse of a completion, and the first misuse of a request until its results
// are delivered.
`include "cells/assert.svh"
module mbar_events
  import smem_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         start_i,      // of a launch
  input  mbar_act_t    act_i,
  input  logic         deliver_i,    // results of a request
  output logic         complete_o,   // a phase is complete
  output mbar_gen_t    gen_o,        // phases completed
  output mbar_misuse_t misuse_o      // of the request that is delivered
);
  mbar_gen_t   gen_q;
  logic        bad_q;
  smem_lane_t  lane_q;
  mbar_at_t    at_q;
  assign complete_o = act_i.complete;
  assign gen_o = gen_q;
  assign misuse_o = '{valid: deliver_i && bad_q, lane: lane_q, at: at_q};

  // A request's last lane acts two cycles before its delivery, lanes of the next one later.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bad_q <= 1'b0;
    else if (act_i.misuse) bad_q <= 1'b1;
    else if (deliver_i) bad_q <= 1'b0;
    if (act_i.misuse && !bad_q) begin
      lane_q <= act_i.lane;
      at_q <= act_i.at;
    end
    if (!rst_ni || start_i) gen_q <= '0;
    else if (act_i.complete) gen_q <= gen_q + mbar_gen_t'(1);
  end

  `WL_ASSERT(EitherOne, !(act_i.complete && act_i.misuse))
  `WL_ASSERT(DeliversAfter, !(deliver_i && (act_i.complete || act_i.misuse)))
  `WL_ASSERT(StartsIdle, !(start_i && (act_i.complete || bad_q)))
endmodule
