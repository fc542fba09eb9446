// Trap register: of the traps that rise in a cycle the lowest {cause, warp, lane} counts if none is
// pending (docs/microarchitecture.md 14). They are compared in the next cycle, as units know of
// theirs late in this one: trap_o comes a cycle behind pending_o, before a launch can end. Stopping
// the machine is the business of the units that see pending_o.
`include "cells/assert.svh"
module trap
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  clear_i,
  input  trap_t trap_i [TrapSources],
  output trap_t trap_o,
  output logic  pending_o
);
  trap_t risen_q [TrapSources];
  trap_t trap_q, first;
  logic pending_q, told_q, fresh;
  assign fresh = pending_q && !told_q;

  // Each is compared with each: the lowest one, of equal ones the first in the list. One that did
  // not rise is above all that did.
  localparam int unsigned CopySource = (Copy != 0) ? TrapSrcCopy : 0;
  localparam int unsigned TmemSource = (Tmem != 0) ? TrapSrcTmem : 0;  // of sub-core 0
  localparam int unsigned ColumnsSource = (Tmem != 0) ? TrapSrcColumns : 0;
  localparam int unsigned UmmaSource = (Umma != 0) ? TrapSrcUmma : 0;
  localparam int unsigned WhatBits = $bits({trap_q.cause, trap_q.warp, trap_q.lane});
  logic [WhatBits:0] what [TrapSources];
  logic [TrapSources-1:0] valid, pick;  // pick: one-hot
  always_comb begin
    for (int unsigned i = 0; i < TrapSources; i++) valid[i] = trap_i[i].valid;
    what = '{default: 'x};
    pick = 'x;
    first = 'x;
    if (fresh) begin
      pick = '1;
      first = '0;
      for (int unsigned i = 0; i < TrapSources; i++) begin
        what[i] = {!risen_q[i].valid, risen_q[i].cause, risen_q[i].warp, risen_q[i].lane};
      end
      for (int unsigned i = 0; i < TrapSources; i++) begin
        for (int unsigned n = i + 1; n < TrapSources; n++) begin
          if (what[n] < what[i]) pick[i] = 1'b0;
          else pick[n] = 1'b0;
        end
      end
      first.valid = 1'b1;
      for (int unsigned i = 0; i < TrapSources; i++) begin
        {first.cause, first.warp, first.lane} |= what[i][WhatBits-1:0] & {WhatBits{pick[i]}};
        first.pc |= risen_q[i].pc & {28{pick[i]}};
      end
      // Only the LSU, constant loads, mbarriers, the probe, bulk copies and tensor memory give an address.
      first.addr = (risen_q[TrapSrcLsu].addr & {64{pick[TrapSrcLsu]}}) |
                   (risen_q[TrapSrcLdc].addr & {64{pick[TrapSrcLdc]}}) |
                   (risen_q[TrapSrcMbarrier].addr & {64{pick[TrapSrcMbarrier]}});
      if (Probe != 0) first.addr |= risen_q[TrapSrcProbe].addr & {64{pick[TrapSrcProbe]}};
      if (Copy != 0) first.addr |= risen_q[CopySource].addr & {64{pick[CopySource]}};
      if (Umma != 0) first.addr |= risen_q[UmmaSource].addr & {64{pick[UmmaSource]}};
      if (Tmem != 0) begin
        first.addr |= risen_q[ColumnsSource].addr & {64{pick[ColumnsSource]}};
        for (int unsigned i = TmemSource; i < SubTrapSources * SubCores; i += SubTrapSources) begin
          first.addr |= risen_q[i].addr & {64{pick[i]}};
        end
      end
    end
  end

  logic unused_addr;
  always_comb begin
    unused_addr = 1'b0;
    for (int unsigned i = 0; i < TrapSources; i++) unused_addr ^= ^risen_q[i].addr;
  end

  always_ff @(posedge clk_i) begin
    risen_q <= trap_i;
    if (!rst_ni || clear_i) begin
      pending_q <= 1'b0;
      told_q <= 1'b0;
      trap_q <= '0;
    end else begin
      if (valid != '0) pending_q <= 1'b1;
      told_q <= pending_q;
      if (fresh) trap_q <= first;
    end
  end
  assign trap_o = trap_q;
  assign pending_o = pending_q;

  `WL_ASSERT(OneCounts, !fresh || $onehot(pick))
  `WL_ASSERT(ToldWasPending, !told_q || pending_q)
  for (genvar i = 0; i < int'(TrapSources); i++) begin : gen_rose
    `WL_ASSERT(TheOneRose, !fresh || !pick[i] || risen_q[i].valid)
  end
endmodule
