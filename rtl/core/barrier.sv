// CTA barriers (docs/microarchitecture.md 8): contributions of warps, ends of warps, completion.
// One barrier per cycle. Gathers no lanes of a warp: the path engine hands over whole warps (7.3).
// Keeps for each warp what its rows in WAIT wait for (21.3, 21.4, 22.2): wait_wake, cluster_wait.
// barrier_now or barrier_later finds which warp acts in a cycle, and on which barrier.
`include "cells/assert.svh"
module barrier
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import barrier_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               clear_i,
  input  logic               start_i,  // start cycle of a launch
  input  logic [Warps-1:0]   warp_start_i,
  input  logic [Warps-1:0]   warp_valid_i,
  input  logic [CtaBits-1:0] warp_cta_i [Warps],
  input  logic [5:0]         cta_nwarps_i [Ctas],
  input  logic [Warps-1:0]   cta_warps_i [Ctas],
  input  logic [Warps-1:0]   dead_i,  // live = 0
  input  logic               mbar_complete_i,  // a phase of an mbarrier is complete (21.2)
  input  logic [Warps-1:0]   copied_i,         // their copy is over (22.2), columns are free (24.1)
  // Of each sub-core, all in one cycle.
  input  bar_pred_t          bar_pred_i [SubCores],
  input  bar_req_t           bar_req_i [SubCores],
  input  finish_t            bar_exit_i [SubCores],
  input  finish_t            wake_clr_i [SubCores],  // a walk takes bar_wake and wait_wake
  output logic [Warps-1:0]   bar_wake_o,
  output logic [Warps-1:0]   wait_wake_o,
  output logic [Warps-1:0]   cluster_wait_o,
  output logic [Warps-1:0]   bar_req_busy_o,
  output bar_result_t        bar_result_o [Warps],
  output logic [Warps-1:0]   bar_idle_o,
  output logic               rest_o,  // no request, end or wake-up (15)
  output trap_t              trap_o
);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  // Barriers of the CTA slots, in distributed memory: one is read and written per cycle. What lies
  // there means something only where used (arrived is not 0), and that only since the CTA's launch.
  logic [Warps-1:0]    arrived_q [Ctas*Barriers];
  row_t                row_q [Ctas*Barriers];
  logic [Barriers-1:0] used_q [Ctas];
  logic [Ctas-1:0]     used_valid_q;
  // Warps.
  logic [Warps-1:0]   req_q, exit_q, wake_q, wait_q, wait_wake_q, cluster_q;
  what_t              req_what_q [Warps];
  logic [31:0]        req_mask_q [Warps];
  logic [31:0]        pred_q [Warps];
  logic [3:0]         wait_a_q [Warps];
  logic               scan_q;              // an end goes on with the next barrier

  // The event of the cycle.
  event_t             now;
  outcome_t           outcome;
  warps_t             pending;
  warp_slot_t         read_warp;
  cta_t               used_cta;
  barriers_t          used, read_used, rest, a_bit;
  logic               scan_more, accept, complete;
  logic [BarBits-1:0] read_at;
  request_t           request;
  kept_t              kept;
  assign pending = req_q | exit_q;
  assign used = used_q[now.cta] & {Barriers{used_valid_q[now.cta]}};
  assign read_used = used_q[used_cta] & {Barriers{used_valid_q[used_cta]}};
  assign request = '{what: req_what_q[read_warp], mask: req_mask_q[read_warp],
                     pred: pred_q[read_warp]};
  assign kept = '{arrived: arrived_q[read_at], row: row_q[read_at]};
  assign outcome = '{scan_more: scan_more, rest: rest, accept: accept, complete: complete};
  if (EventDelay == 0) begin : gen_event
    barrier_now u_event (
      .clk_i, .rst_ni(rst_n), .pending_i(pending), .req_i(req_q), .warp_cta_i, .cta_warps_i,
      .cta_nwarps_i, .scan_i(scan_q), .outcome_i(outcome), .used_cta_o(used_cta),
      .used_i(read_used), .event_used_i(used), .read_warp_o(read_warp), .request_i(request),
      .read_at_o(read_at), .kept_i(kept), .event_o(now)
    );
  end else begin : gen_event
    barrier_later u_event (
      .clk_i, .rst_ni(rst_n), .pending_i(pending), .req_i(req_q), .warp_cta_i, .cta_warps_i,
      .cta_nwarps_i, .scan_i(scan_q), .outcome_i(outcome), .used_cta_o(used_cta),
      .used_i(read_used), .event_used_i(used), .read_warp_o(read_warp), .request_i(request),
      .read_at_o(read_at), .kept_i(kept), .event_o(now)
    );
  end

  // Barrier a before and after the event.
  logic [BarBits-1:0]  at;
  logic [Barriers-1:0] used_d;
  row_t                old, row;
  logic [5:0]          b;
  logic [2:0]          kind;
  logic [Warps-1:0]    arrived, gone, waits, woken, met;  // met: at the barrier of the cluster
  logic                misuse;
  assign at = {now.cta, now.a};
  assign a_bit = Barriers'(1) << now.a;
  assign rest = now.above & ~a_bit;
  always_comb begin
    old = '0;
    row = '0;
    b = '0;
    kind = '0;
    arrived = '0;
    gone = '0;
    misuse = 1'b0;
    accept = 1'b0;
    complete = 1'b0;
    scan_more = 1'b0;
    if (now.valid) begin
      old = now.row;
      arrived = now.arrived;
      // Warps that a barrier of the whole CTA does not wait for.
      gone = dead_i | now.outside;
      b = old.b;
      if (now.is_req) begin
        kind = now.kind;
        b = now.b;
        misuse = (now.arrived & now.warp_bit) != '0 ||
                 (!now.first && (old.b != b || old.kind != kind));
        accept = !misuse;
        arrived = now.arrived | now.warp_bit;
      end else begin
        scan_more = rest != '0;
      end
      row.b = b;
      row.kind = kind;
      row.popc = (now.first ? '0 : old.popc) + SumBits'(cells_pkg::add_fours(now.true_fours));
      row.all = (now.first || old.all) && now.all_true;
      row.any = (!now.first && old.any) || now.any_true;
      complete = (now.is_req ? accept : now.above != '0 && b == '0) &&
                 ((b == '0) ? (&(arrived | gone)) : count_warps(arrived) == 7'(b));
    end
  end
  assign used_d = (used | (a_bit & {Barriers{accept}})) & ~(a_bit & {Barriers{complete}});

  assign met = arrived & {Warps{complete && (now.is_req ? kind : old.kind) == 3'(BarCluster)}};

  // Warps that arrived and wait for this barrier. A contribution reaches all of them, so that each
  // has the totals when it is woken.
  bar_result_t result;
  bar_result_t result_q [Warps];
  assign result.popc = 11'(row.popc);
  assign result.all = row.all;
  assign result.any = row.any;
  always_comb begin
    waits = '0;
    woken = '0;
    if (accept || complete) begin
      for (int unsigned w = 0; w < Warps; w++) begin
        if (now.is_req && now.warp_bit[w]) waits[w] = now.waits;
        else waits[w] = wait_q[w] && now.arrived[w] && wait_a_q[w] == now.a;
        woken[w] = waits[w] && complete;
      end
    end
  end

  logic [Warps-1:0] req_set, req_clr, exit_set, exit_clr, wake_clr, cluster_set;
  assign req_clr = now.warp_bit & {Warps{now.valid && now.is_req}};
  assign exit_clr = now.warp_bit & {Warps{now.valid && !now.is_req && !scan_more}};
  logic [Ctas-1:0]  placed;  // CTA slots that a CTA gets, found warp by warp
  always_comb begin
    logic [Warps-1:0] here;
    placed = '0;
    here = '0;
    if (warp_start_i != '0) begin
      for (int unsigned c = 0; c < Ctas; c++) begin
        for (int unsigned w = 0; w < Warps; w++) here[w] = warp_cta_i[w] == CtaBits'(c);
        placed[c] = (warp_start_i & here) != '0;
      end
    end
    req_set = '0;
    exit_set = '0;
    wake_clr = '0;
    cluster_set = '0;
    for (int unsigned k = 0; k < SubCores; k++) begin
      req_set |= Warps'(bar_req_i[k].valid) << slot_of(bar_req_i[k].warp, sub_t'(k));
      exit_set |= Warps'(bar_exit_i[k].valid) << slot_of(bar_exit_i[k].warp, sub_t'(k));
      wake_clr |= Warps'(wake_clr_i[k].valid) << slot_of(wake_clr_i[k].warp, sub_t'(k));
      cluster_set |= Warps'(bar_req_i[k].valid && bar_req_i[k].kind == 3'(BarCluster)) <<
                     slot_of(bar_req_i[k].warp, sub_t'(k));
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      req_q <= '0;
      exit_q <= '0;
      wake_q <= '0;
      wait_q <= '0;
      wait_wake_q <= '0;
      cluster_q <= '0;
      scan_q <= 1'b0;
      used_valid_q <= '0;
    end else begin
      req_q <= ((req_q & ~req_clr) | req_set) & ~warp_start_i;
      exit_q <= ((exit_q & ~exit_clr) | exit_set) & ~warp_start_i;
      wake_q <= ((wake_q & ~wake_clr) | woken) & ~warp_start_i;
      wait_q <= ((wait_q & ~(now.warp_bit & {Warps{accept && !now.waits}})) |
                 (now.warp_bit & {Warps{accept && now.waits}})) & ~woken & ~warp_start_i;
      // What completes in this cycle stays: it acts after walks and starts (0.1).
      wait_wake_q <= (wait_wake_q & ~wake_clr & ~warp_start_i & ~{Warps{start_i}}) | met |
                     {Warps{mbar_complete_i}} | copied_i;
      cluster_q <= ((cluster_q & ~warp_start_i & ~{Warps{start_i}}) | cluster_set) & ~met;
      scan_q <= scan_more;
      // A CTA launch forgets arrivals of the slot's former CTA.
      used_valid_q <= (used_valid_q | (Ctas'(accept) << now.cta)) & ~placed;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < SubCores; k++) begin
      if (bar_req_i[k].valid) begin
        req_what_q[slot_of(bar_req_i[k].warp, sub_t'(k))] <=
            {bar_req_i[k].a, bar_req_i[k].b, bar_req_i[k].kind, bar_req_i[k].wait_f};
        req_mask_q[slot_of(bar_req_i[k].warp, sub_t'(k))] <= bar_req_i[k].mask;
      end
      if (bar_pred_i[k].valid) begin
        pred_q[slot_of(bar_pred_i[k].warp, sub_t'(k))] <=
            (pred_q[slot_of(bar_pred_i[k].warp, sub_t'(k))] & ~bar_pred_i[k].mask) |
            (bar_pred_i[k].value & bar_pred_i[k].mask);
      end
    end
    if (accept) begin
      bar_result_t results [Warps];
      logic [3:0]  wait_a [Warps];
      arrived_q[at] <= arrived;
      row_q[at] <= row;
      results = result_q;
      wait_a = wait_a_q;
      for (int unsigned w = 0; w < Warps; w++) begin
        if (waits[w]) results[w] = result;
        if (now.warp_bit[w]) wait_a[w] = now.a;
      end
      result_q <= results;
      wait_a_q <= wait_a;
    end
    if (accept || complete) used_q[now.cta] <= used_d;
  end

  assign bar_wake_o = wake_q;
  assign wait_wake_o = wait_wake_q;
  assign cluster_wait_o = cluster_q;
  assign bar_req_busy_o = req_q;
  assign bar_idle_o = ~pending;
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) bar_result_o[w] = result_q[w];
    trap_o = '0;
    trap_o.valid = misuse;
    trap_o.cause = TrapBarrierMisuse;
    trap_o.warp = now.warp;
    trap_o.lane = now.first_lane;
  end

  logic unused_in;
  assign unused_in = ^warp_valid_i;

  assign rest_o = req_q == '0 && exit_q == '0 && wake_q == '0;

  `WL_ASSERT_ON(RequestOrEnd, rst_n, (req_q & exit_q) == '0)
  `WL_ASSERT_ON(OneRequestAWarp, rst_n, (req_q & req_set) == '0 && (exit_q & exit_set) == '0)
  `WL_ASSERT_ON(ActsOfAPendingWarp, rst_n, !now.valid || (now.warp_bit & pending) != '0)
  `WL_ASSERT_ON(WakesArrived, rst_n, (woken & ~arrived) == '0)
  `WL_ASSERT_ON(CountIsNotPassed, rst_n, !accept || b == '0 || count_warps(arrived) <= 7'(b))
  `WL_ASSERT_ON(EndCompletesUsed, rst_n, !complete || now.is_req || used[now.a])
endmodule
