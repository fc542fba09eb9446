// LSU: what is known of the slots of deferred forms (docs/microarchitecture.md 22): arrivals that are
// held until the older copies of their warp are over, the ages of copies and the questions for them,
// and what the end of a copy wakes.
`include "cells/assert.svh"
module lsu_deferred
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import lsu_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // An instruction takes a slot.
  input  logic                take_i,
  input  slot_t               alloc_i,
  // verilator lint_off UNUSEDSIGNAL // warp and kind
  input  slot_info_t          info_i,
  // verilator lint_on UNUSEDSIGNAL
  // Slots.
  input  logic [LsuDepth-1:0] busy_i,           // in use
  input  warp_slot_t          warp_i [LsuDepth],
  input  logic [LsuDepth-1:0] free_i,           // freed in this cycle
  input  logic [LsuDepth-1:0] end_i,            // of these the ones without a fault
  output logic [LsuDepth-1:0] deferred_o,       // is of a deferred form; if in use
  output logic [LsuDepth-1:0] held_o,           // an arrival that is held in the next cycle
  // Warps.
  input  logic [Warps-1:0]    commit_i,         // closes a group of copies
  input  copy_ask_t           ask_i [SubCores], // a cycle before the answer
  output logic [SubCores-1:0] left_o,           // so many groups are pending
  output logic [Warps-1:0]    busy_warps_o,     // with a deferred form in flight
  output logic [Warps-1:0]    freed_warps_o     // a copy of theirs is over
);
  localparam logic [5:0] OldAge = '1;

  logic [LsuDepth-1:0] copy_q, arrive_q;
  logic [LsuDepth-1:0] older_q [LsuDepth];  // copies in use that an arrival waits for
  logic [5:0]          age_q [LsuDepth];    // groups closed since a copy was issued

  logic [LsuDepth-1:0] copies;
  assign copies = busy_i & copy_q;
  assign deferred_o = copy_q | arrive_q;

  // Arrivals.
  logic [LsuDepth-1:0] older;
  logic                takes_arrive;
  assign takes_arrive = take_i && info_i.kind == MemKindCparrive;
  always_comb begin
    older = '0;
    if (takes_arrive) begin
      for (int i = 0; i < int'(LsuDepth); i++) older[i] = copies[i] && warp_i[i] == info_i.warp;
    end
    held_o = '0;
    for (int i = 0; i < int'(LsuDepth); i++) held_o[i] = (older_q[i] & ~end_i) != '0;
  end
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < int'(LsuDepth); i++) begin
      if (!rst_ni || free_i[i]) older_q[i] <= '0;
      else if (takes_arrive && alloc_i == slot_t'(i)) older_q[i] <= older & ~free_i;
      else if ((older_q[i] & free_i) != '0) older_q[i] <= older_q[i] & ~free_i;
    end
    if (take_i) begin
      copy_q[alloc_i] <= info_i.kind == MemKindCpasync;
      arrive_q[alloc_i] <= info_i.kind == MemKindCparrive;
    end
  end

  // Groups.
  always_ff @(posedge clk_i) begin
    if (take_i && info_i.kind == MemKindCpasync) age_q[alloc_i] <= '0;
    if (commit_i != '0) begin
      for (int i = 0; i < int'(LsuDepth); i++) begin
        if (copies[i] && commit_i[warp_i[i]] && age_q[i] != OldAge) age_q[i] <= age_q[i] + 6'd1;
      end
    end
  end

  // A warp that asks issues nothing until it has the answer: its copies can only end meanwhile.
  for (genvar k = 0; k < SubCores; k++) begin : gen_ask
    logic [LsuDepth-1:0] old_q;
    always_ff @(posedge clk_i) begin
      if (ask_i[k].valid) begin
        for (int i = 0; i < int'(LsuDepth); i++) begin
          old_q[i] <= copies[i] && warp_i[i] == slot_of(ask_i[k].warp, sub_t'(k)) &&
                      age_q[i] > ask_i[k].most && !ask_i[k].bulk;
        end
      end
    end
    assign left_o[k] = (old_q & busy_i) != '0;
  end

  always_comb begin
    busy_warps_o = '0;
    freed_warps_o = '0;
    for (int i = 0; i < int'(LsuDepth); i++) begin
      if (busy_i[i] && (copy_q[i] || arrive_q[i])) busy_warps_o[warp_i[i]] = 1'b1;
      if (copy_q[i] && free_i[i]) freed_warps_o[warp_i[i]] = 1'b1;
    end
  end

  for (genvar i = 0; i < LsuDepth; i++) begin : gen_checks
    `WL_ASSERT(WaitsForCopies, (older_q[i] & ~copies) == '0)
    `WL_ASSERT(ArrivalsWait, older_q[i] == '0 || (busy_i[i] && arrive_q[i]))
    `WL_ASSERT(ArrivesAfterCopies, !(free_i[i] && end_i[i]) || older_q[i] == '0)
  end
endmodule
