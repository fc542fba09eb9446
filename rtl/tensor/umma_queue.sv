// Products in tensor memory: the ring of commands (docs/microarchitecture.md 25.1, 25.8): entries from T
// to their end, in the order of acceptance, and what a COMMIT offers to shared memory.
`include "cells/assert.svh"

module umma_queue
  import config_pkg::*;
  import sm_pkg::*;
  import umma_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,         // without clear
  // A command is accepted.
  input  logic             take_i,
  input  umma_info_t       info_i,
  // verilator lint_off UNUSEDSIGNAL // without TensorScaled
  input  umma_scaling_t    scaling_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic             put_free_o,
  // The entry that is fetched.
  output logic             walks_o,        // used and not fetched
  output umma_info_t       walk_o,
  output logic             oldest_o,       // it is the oldest one
  input  logic             fetched_i,      // its last request is granted
  // The oldest one.
  output logic             works_o,        // used, and no COMMIT
  output umma_info_t       fin_o,
  output umma_scaling_t    fin_scaling_o,
  input  logic             over_i,         // all is written (25.8)
  output umma_signal_t     signal_o,
  input  logic             signal_taken_i,
  input  logic             delivered_i,
  output logic             free_o,         // it ends in this cycle
  output logic [Warps-1:0] busy_o,         // warps with an entry in use
  output logic             rest_o
);
  logic [UmmaQueue-1:0] used_q, fetched_q, signalled_q;
  umma_info_t           info_q [UmmaQueue];
  umma_entry_t          put_q, walk_q, fin_q;
  logic                 skip, step;        // a COMMIT has nothing to fetch; walk + 1
  logic                 commits;           // the oldest one is a COMMIT

  assign put_free_o = !used_q[put_q];
  assign walk_o = info_q[walk_q];
  assign fin_o = info_q[fin_q];
  assign oldest_o = walk_q == fin_q;
  assign skip = used_q[walk_q] && !fetched_q[walk_q] && walk_o.code == CodeCommit;
  assign walks_o = used_q[walk_q] && !fetched_q[walk_q] && walk_o.code != CodeCommit;
  assign step = skip || fetched_i;
  assign commits = fin_o.code == CodeCommit;
  assign works_o = used_q[fin_q] && !commits;
  assign free_o = over_i || delivered_i;
  always_comb begin
    signal_o = 'x;
    signal_o.valid = used_q[fin_q] && commits && !signalled_q[fin_q];
    if (signal_o.valid) signal_o.at = 32'(fin_o.mbar);
  end
  always_comb begin
    busy_o = '0;
    if (used_q != '0) begin
      for (int unsigned i = 0; i < UmmaQueue; i++) if (used_q[i]) busy_o[info_q[i].warp] = 1'b1;
    end
  end
  // The ring is empty, so all pointers are equal: REST tells one that is not.
  assign rest_o = used_q == '0 && put_q == fin_q && walk_q == fin_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= '0;
      put_q <= '0;
      walk_q <= '0;
      fin_q <= '0;
    end else if (take_i || used_q != '0) begin
      if (take_i) begin
        used_q[put_q] <= 1'b1;
        put_q <= next_command(put_q);
      end
      if (step) walk_q <= next_command(walk_q);
      if (free_o) begin
        used_q[fin_q] <= 1'b0;
        fin_q <= next_command(fin_q);
      end
    end
    if (take_i) begin
      info_q[put_q] <= info_i;
      fetched_q[put_q] <= 1'b0;
      signalled_q[put_q] <= 1'b0;
    end
    if (step) fetched_q[walk_q] <= 1'b1;
    if (signal_taken_i) signalled_q[fin_q] <= 1'b1;
  end

  if (TensorScaled != 0) begin : gen_scaling
    umma_scaling_t scaling_q [UmmaQueue];
    always_ff @(posedge clk_i) if (take_i && info_i.scaled) scaling_q[put_q] <= scaling_i;
    assign fin_scaling_o = scaling_q[fin_q];
  end else begin : gen_no_scaling
    assign fin_scaling_o = '0;
  end

  `WL_ASSERT(TakesFree, !take_i || put_free_o)
  `WL_ASSERT(FetchesWalking, !fetched_i || walks_o)
  `WL_ASSERT(TakenIsOffered, !signal_taken_i || signal_o.valid)
  `WL_ASSERT(EndsFetched, !over_i || (works_o && fetched_q[fin_q]))
  `WL_ASSERT(DeliveryIsAwaited, !delivered_i || (used_q[fin_q] && commits && signalled_q[fin_q]))
endmodule
