// Allocator of tensor memory (docs/microarchitecture.md 24.1; option Tmem): which units of columns
// belong to which CTA, and the queue of warps that wait for units. Does not park a warp: the resolve
// stage does, from waits_o. Does not decide who may issue: memissue.sv does, and it holds column_way.
`include "cells/assert.svh"

module columns
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  logic [CtaBits-1:0]  warp_cta_i [Warps],
  // X1 of the sub-cores: at most one has an ALLOC's, DEALLOC's or RELINQUISH's.
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  x1_t                 x1_i [SubCores],
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]         x1_a_i [SubCores][Lanes],
  input  cta_freed_t          freed_i,       // a CTA slot is freed in this cycle
  // T of the instruction: column_way := 0; the ALLOC does not go on, it parks.
  output logic                resolve_o,
  output logic                waits_o,
  output logic [Warps-1:0]    wake_o,        // wait_wake of these := 1
  output unit_t               base_o [Warps],  // first unit of the warp's last allocation
  output columns_t            columns_o,
  output trap_t               trap_o,
  output logic                rest_o         // (15)
);
  localparam most_t Most = most_t'(Units);
  function automatic warp_slot_t next_place(input warp_slot_t p);
    return (32'(p) == Warps - 1) ? '0 : p + warp_slot_t'(1);
  endfunction

  units_t                        used_q, first_q;
  logic [Units-1:0][CtaBits-1:0] cta_q;
  logic [Ctas-1:0]               may_q;
  most_t                         most_q [Ctas];
  logic [Warps-1:0]              queued_q;
  warp_slot_t                    queue_q [Warps];
  warp_slot_t                    head_q, tail_q;
  logic                          look_q;
  unit_t                         base_q [Warps];

  columns_command_t command;
  columns_words u_words (
    .clk_i, .rst_ni, .clear_i, .warp_cta_i, .x1_i, .x1_a_i, .command_o(command)
  );

  // ---- T.
  logic   fits;
  unit_t  at;
  units_t units, owned, left;
  most_t  number;
  logic   alloc, dealloc, relinquish, waiting, in_queue, got, enter, leave;
  warp_slot_t oldest;
  always_comb begin
    for (int unsigned u = 0; u < Units; u++) begin
      owned[u] = used_q[u] && cta_q[u] == command.cta;
      left[u] = freed_i.valid && used_q[u] && cta_q[u] == freed_i.cta;
    end
  end
  columns_judge u_judge (
    .command_i(command), .used_i(used_q), .first_i(first_q), .owned_i(owned),
    .may_i(may_q[command.cta]), .most_i(most_q[command.cta]),
    .fits_o(fits), .at_o(at), .units_o(units), .number_o(number), .trap_o
  );
  assign alloc = command.valid && !trap_o.valid && command.op == TmemAlloc;
  assign dealloc = command.valid && !trap_o.valid && command.op == TmemDealloc;
  assign relinquish = command.valid && !trap_o.valid && command.op == TmemRelinquish;
  assign waiting = queued_q != '0;
  assign oldest = queue_q[head_q];
  assign in_queue = queued_q[command.warp];
  assign got = alloc && fits && (!waiting || oldest == command.warp);
  assign enter = alloc && !got && !in_queue;
  assign leave = got && in_queue;
  assign resolve_o = command.valid;
  assign waits_o = alloc && !got;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      used_q <= '0;
      first_q <= '0;
      may_q <= '1;
      for (int unsigned s = 0; s < Ctas; s++) most_q[s] <= Most;
      queued_q <= '0;
      head_q <= '0;
      tail_q <= '0;
      look_q <= 1'b0;
    end else begin
      look_q <= leave || dealloc || freed_i.valid;
      if (got || dealloc || freed_i.valid) begin
        used_q <= (used_q | ({Units{got}} & units)) & ~({Units{dealloc}} & units) & ~left;
        first_q <= (first_q | (units_t'(got) << at)) & ~({Units{dealloc}} & units) & ~left;
      end
      if (got) most_q[command.cta] <= number;
      if (relinquish) may_q[command.cta] <= 1'b0;
      if (freed_i.valid) begin
        may_q[freed_i.cta] <= 1'b1;
        most_q[freed_i.cta] <= Most;
      end
      if (enter) begin
        queued_q[command.warp] <= 1'b1;
        tail_q <= next_place(tail_q);
      end
      if (leave) begin
        queued_q[command.warp] <= 1'b0;
        head_q <= next_place(head_q);
      end
    end
    if (enter) queue_q[tail_q] <= command.warp;
    if (got) begin
      base_q[command.warp] <= at;
      for (int unsigned u = 0; u < Units; u++) if (units[u]) cta_q[u] <= command.cta;
    end
  end

  always_comb begin
    wake_o = '0;
    if (look_q && waiting) wake_o[oldest] = 1'b1;
  end
  assign base_o = base_q;
  assign columns_o = '{used: used_q, cta: cta_q};
  // The ring is empty, so its pointers are equal: REST tells one that is not.
  always_comb begin
    rest_o = used_q == '0 && first_q == '0 && !waiting && head_q == tail_q && may_q == '1;
    for (int unsigned s = 0; s < Ctas; s++) if (most_q[s] != Most) rest_o = 1'b0;
  end

  // Record COLUMNS: what an instruction did in T; units that a CTA leaves behind (may be both).
  // verilator lint_off UNUSEDSIGNAL // for the journal
  logic        record_done, record_left;
  logic [1:0]  record_op;
  units_t      record_units;
  // verilator lint_on UNUSEDSIGNAL
  assign record_done = got || dealloc || relinquish;
  assign record_op = relinquish ? 2'd2 : {1'b0, dealloc};
  assign record_units = relinquish ? '0 : units;
  assign record_left = left != '0;

  `WL_ASSERT(NoOverlap, !got || (units != '0 && (units & used_q) == '0))
  `WL_ASSERT(GivesBackOwn, !dealloc || (units != '0 && (units & ~owned) == '0))
  `WL_ASSERT(FirstIsUsed, (first_q & ~used_q) == '0)
  `WL_ASSERT(QueueOnce, 32'($countones(queued_q)) % Warps ==
             (32'(tail_q) + Warps - 32'(head_q)) % Warps)
  `WL_ASSERT(QueueHasRoom, !enter || !waiting || head_q != tail_q)
  `WL_ASSERT(OldestIsQueued, !waiting || queued_q[oldest])
  `WL_ASSERT(LeavesAsOldest, !leave || oldest == command.warp)
  `WL_ASSERT(FreedIsOver, !freed_i.valid || !command.valid || command.cta != freed_i.cta)
endmodule
