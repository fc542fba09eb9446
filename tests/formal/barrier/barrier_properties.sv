// Proof bench of the CTA barriers (docs/microarchitecture.md 8, 16): free contributions, ends and
// walks of warps under the assumptions below, a reference of section 8 beside the unit, and
// properties of one watched barrier {WatchCta, WatchA} that stands for any. Deliberately not here:
// how a warp comes to contribute (7.3: tests/formal/paths) and several sub-cores.
// The step of the induction (STEP) begins in any state in which all of this holds; the base job
// begins at reset.
`ifdef STEP
`define HOLDS(x) begin if (first_q) assume (x); else assert (x); end
`else
`define HOLDS(x) assert (x);
`endif
module barrier_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
(
  input logic               clk_i,
  input logic               clear_i,
  input logic [Warps-1:0]   start_i,      // warps of a CTA that start
  input logic [CtaBits-1:0] start_cta_i,
  input logic               free_i,       // a CTA ends
  input logic [CtaBits-1:0] free_cta_i,
  input bar_req_t           req_i,
  input bar_pred_t          pred_i,
  input finish_t            exit_i,
  input finish_t            clr_i,
  input logic               launch_i,     // start cycle of a launch
  input logic               phase_i,      // a phase of an mbarrier is complete
  input logic [Warps-1:0]   copied_i      // copies of a warp ended (22.2)
);
`ifdef STEP
  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;
  logic started_q;
  assign started_q = 1'b1;
`else
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
`endif
  logic rst_ni, rst_n;
  assign rst_ni = started_q;
  assign rst_n = rst_ni && !clear_i;

  // Free constants: warps of a CTA in this launch (3), the watched barrier.
  logic [5:0]         nwarps_q;
  logic [CtaBits-1:0] wcta_q;
  logic [3:0]         wa_q;
  always_ff @(posedge clk_i) begin
    nwarps_q <= nwarps_q;
    wcta_q <= wcta_q;
    wa_q <= wa_q;
  end

  function automatic logic [5:0] count(input logic [Warps-1:0] v);
    logic [5:0] n;
    n = '0;
    for (int unsigned w = 0; w < Warps; w++) n += 6'(v[w]);
    return n;
  endfunction

  // Kinds of which nobody waits in BARC; kinds whose predicates count.
  function automatic logic goes_on(input logic [2:0] kind);
    return kind == 3'(BarArrive) || kind == 3'(BarCluster);
  endfunction
  function automatic logic reduces(input logic [2:0] kind);
    return kind > 3'(BarArrive) && kind != 3'(BarCluster);
  endfunction

  // Warps as the dispatcher (3) and the path unit (7) have them.
  logic [Warps-1:0]   valid_q, dead_q;
  logic [Warps-1:0]   held_q;     // lanes wait for a barrier they were contributed to
  logic [Warps-1:0]   red_q;      // these have a predicate that counts
  logic [31:0]        latched_q [Warps];  // lanes whose predicate a BAR form has latched
  logic [CtaBits-1:0] cta_q [Warps];
  logic [CtaBits-1:0] warp_cta [Warps];
  logic [Warps-1:0]   cta_warps [Ctas];
  logic [Warps-1:0]   present, ended;
  logic [5:0]         cta_nwarps [Ctas];
  logic [Warps-1:0]   wake, req_busy, idle, wait_wake, cluster;
  bar_result_t        result [Warps];
  trap_t              trap;
  always_comb begin
    present = valid_q | start_i;
    for (int unsigned w = 0; w < Warps; w++) begin
      warp_cta[w] = start_i[w] ? start_cta_i : cta_q[w];
      ended[w] = free_i && valid_q[w] && cta_q[w] == free_cta_i;
    end
    for (int unsigned c = 0; c < Ctas; c++) begin
      cta_nwarps[c] = nwarps_q;
      for (int unsigned w = 0; w < Warps; w++) begin
        cta_warps[c][w] = present[w] && warp_cta[w] == CtaBits'(c);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < Warps; w++) begin
      cta_q[w] <= warp_cta[w];
      if (!rst_n || start_i[w]) latched_q[w] <= '0;
      else if (pred_i.valid && pred_i.warp == warp_t'(w)) latched_q[w] <= latched_q[w] | pred_i.mask;
    end
    if (!rst_n) begin
      valid_q <= '0;
      dead_q <= '1;
      held_q <= '0;
      red_q <= '0;
    end else begin
      valid_q <= (valid_q | start_i) & ~ended;
      for (int unsigned w = 0; w < Warps; w++) begin
        if (start_i[w]) dead_q[w] <= 1'b0;
        else if (exit_i.valid && exit_i.warp == warp_t'(w)) dead_q[w] <= 1'b1;
        if (start_i[w]) held_q[w] <= 1'b0;
        else if (req_i.valid && req_i.warp == warp_t'(w)) held_q[w] <= req_i.wait_f;
        else if (clr_i.valid && clr_i.warp == warp_t'(w) && wake[w]) held_q[w] <= 1'b0;
        if (req_i.valid && req_i.warp == warp_t'(w)) red_q[w] <= reduces(req_i.kind);
      end
    end
  end

  bar_pred_t pred_a [SubCores];
  bar_req_t  req_a [SubCores];
  finish_t   exit_a [SubCores];
  finish_t   clr_a [SubCores];
  assign pred_a[0] = pred_i;
  assign req_a[0] = req_i;
  assign exit_a[0] = exit_i;
  assign clr_a[0] = clr_i;
  barrier dut (
    .clk_i, .rst_ni, .clear_i, .start_i(launch_i), .mbar_complete_i(phase_i), .copied_i, .warp_start_i(start_i), .warp_valid_i(valid_q),
    .warp_cta_i(warp_cta), .cta_nwarps_i(cta_nwarps), .cta_warps_i(cta_warps), .dead_i(dead_q),
    .bar_pred_i(pred_a), .bar_req_i(req_a), .bar_exit_i(exit_a), .wake_clr_i(clr_a),
    .wait_wake_o(wait_wake), .cluster_wait_o(cluster),
    .bar_wake_o(wake), .bar_req_busy_o(req_busy), .bar_result_o(result), .bar_idle_o(idle),
    .trap_o(trap)
  );

  logic [Warps-1:0] m_cluster_q;  // of the reference below
  // Assumptions.
  logic [Warps-1:0] alive;
  assign alive = valid_q & ~dead_q;
  always_ff @(posedge clk_i) begin
    assume (wa_q == 4'd0 || wa_q == 4'd15);
    assume (nwarps_q != '0 && nwarps_q <= 6'(Warps));
    if (rst_n) begin
      // 3: a CTA of that many warps takes a free CTA slot and free warp slots.
      if (start_i != '0) begin
        assume (count(start_i) == nwarps_q && (start_i & valid_q) == '0);
        assume ((cta_warps[start_cta_i] & valid_q) == '0);
      end
      // 3: it is freed when its warps are idle: no live lane, no request pending.
      if (free_i) begin
        assume ((ended & ~(dead_q & idle)) == '0 && start_i == '0);
      end
      // 7.3: a contribution holds all live lanes, none of which waits for an older one; it waits
      // until bar_req is free. All ARRIVE: nobody waits.
      if (req_i.valid) begin
        assume (alive[req_i.warp] && !held_q[req_i.warp] && !req_busy[req_i.warp]);
        assume (req_i.mask != '0 && req_i.kind <= 3'(BarCluster));
        // 21.4: a warp arrives at the barrier of the cluster after it waited for the one before.
        assume (req_i.kind != 3'(BarCluster) || !m_cluster_q[req_i.warp]);
        // Reduced: four lanes, barriers 0 and 15.
        assume (req_i.mask[31:4] == '0 && (req_i.a == 4'd0 || req_i.a == 4'd15));
        assume ((req_i.mask & ~latched_q[req_i.warp]) == '0);
        assume (req_i.wait_f == !goes_on(req_i.kind));
        assume (!(exit_i.valid && exit_i.warp == req_i.warp));
      end
      // 7.2: the last live lanes exit once; lanes that wait do not.
      if (exit_i.valid) assume (alive[exit_i.warp] && !held_q[exit_i.warp]);
      // 7.2, 7.3: lanes that wait with a predicate are all live lanes: none of them issues.
      if (pred_i.valid) begin
        assume (pred_i.mask[31:4] == '0);
        assume (alive[pred_i.warp] && !(held_q[pred_i.warp] && red_q[pred_i.warp]));
        assume (!(req_i.valid && req_i.warp == pred_i.warp));
      end
      // 7.3: warps without a live lane are not walked.
      if (clr_i.valid) assume (alive[clr_i.warp]);
      // 3: a launch starts when no CTA is there.
      if (launch_i) assume (valid_q == '0 && start_i == '0);
    end else begin
      assume (start_i == '0 && !free_i && !req_i.valid && !exit_i.valid && !pred_i.valid &&
              !clr_i.valid);
    end
  end

  // Reference, from section 8: everything that a warp's events see.
  logic [Warps-1:0] m_arr_q [Ctas][Barriers];
  logic [5:0]       m_b_q [Ctas][Barriers];
  logic [2:0]       m_kind_q [Ctas][Barriers];
  logic [7:0]       m_popc_q [Ctas][Barriers];
  logic             m_and_q [Ctas][Barriers];
  logic             m_or_q [Ctas][Barriers];
  logic [Warps-1:0] m_req_q, m_exit_q, m_wake_q, m_wait_q, m_ww_q;
  bar_req_t         m_what_q [Warps];
  logic [31:0]      m_pred_q [Warps];
  logic [3:0]       m_wait_a_q [Warps];
  logic             m_scan_q;
  warp_t            m_scan_warp_q;
  logic [4:0]       m_next_q;

  function automatic logic [5:0] ones(input logic [31:0] v);
    logic [5:0] n;
    n = '0;
    for (int unsigned i = 0; i < 4; i++) n += 6'(v[i]);
    return n;
  endfunction

  // EventDelay = 1: the event that was chosen in the cycle before.
  logic               n_valid_q, n_exit_q;
  warp_t              n_warp_q, n_warp;
  logic [Warps-1:0]   m_pending;
  assign m_pending = m_req_q | m_exit_q;
  always_comb begin
    n_warp = '0;
    for (int w = Warps - 1; w >= 0; w--) if (m_pending[w]) n_warp = warp_t'(w);
  end
  always_ff @(posedge clk_i) begin
    n_valid_q <= EventDelay != 0 && rst_n && !n_valid_q && !m_scan_q && m_pending != '0;
    n_warp_q <= n_warp;
    n_exit_q <= !m_req_q[n_warp];
  end

  logic               e_v, e_req, e_exit_done, e_misuse, e_complete, e_touch;
  warp_t              e_w;
  logic [CtaBits-1:0] e_c;
  logic [3:0]         e_a;
  logic [5:0]         e_b;
  logic [2:0]         e_kind;
  logic [Warps-1:0]   e_arr, e_before, e_gone;
  bar_req_t           e_what;
  logic [7:0]         e_popc;
  logic               e_and, e_or, e_found, e_later;
  logic [31:0]        e_lanes;
  always_comb begin
    e_v = m_scan_q || ((EventDelay == 0) ? m_pending != '0 : n_valid_q);
    e_w = m_scan_q ? m_scan_warp_q : (EventDelay == 0) ? n_warp : n_warp_q;
    e_req = !m_scan_q && ((EventDelay == 0) ? m_req_q[e_w] : !n_exit_q);
    e_c = cta_q[e_w];
    e_what = m_what_q[e_w];
    e_found = 1'b0;
    e_later = 1'b0;
    e_a = e_what.a;
    if (!e_req) begin
      e_a = '0;
      for (int i = 0; i < Barriers; i++) begin
        if (m_arr_q[e_c][i] != '0 && (!m_scan_q || 5'(i) >= m_next_q)) begin
          if (e_found) e_later = 1'b1;
          else e_a = 4'(i);
          e_found = 1'b1;
        end
      end
    end
    e_exit_done = e_v && !e_req && !e_later;
    e_before = m_arr_q[e_c][e_a];
    e_gone = dead_q | ~cta_warps[e_c];
    e_b = (e_what.b == nwarps_q) ? 6'd0 : e_what.b;
    e_kind = (e_what.kind == 3'(BarArrive)) ? 3'(BarSync) : e_what.kind;
    e_misuse = e_v && e_req && (e_before[e_w] || (e_before != '0 &&
               (m_b_q[e_c][e_a] != e_b || m_kind_q[e_c][e_a] != e_kind)));
    e_touch = e_v && (e_req ? !e_misuse : e_found);
    e_arr = e_before;
    if (e_req) e_arr[e_w] = 1'b1;
    else e_b = m_b_q[e_c][e_a];
    e_lanes = m_pred_q[e_w] & e_what.mask;
    if (e_kind == 3'(BarSync) || e_kind == 3'(BarCluster)) e_lanes = '0;
    e_popc = ((e_before == '0) ? 8'd0 : m_popc_q[e_c][e_a]) + 8'(ones(e_lanes));
    e_and = (e_before == '0 || m_and_q[e_c][e_a]) && e_lanes == e_what.mask;
    e_or = (e_before != '0 && m_or_q[e_c][e_a]) || e_lanes != '0;
    e_complete = e_touch && ((e_b == '0) ? (e_arr | e_gone) == '1 :
                             e_req && count(e_arr) == e_b);
  end

  // 8: a complete barrier of kind CLUSTER, for each arrived warp.
  logic [Warps-1:0] e_met;
  assign e_met = (e_complete && (e_req ? e_kind : m_kind_q[e_c][e_a]) == 3'(BarCluster)) ? e_arr : '0;
  logic [Warps-1:0] e_waits;
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) begin
      e_waits[w] = e_arr[w] && ((e_req && e_w == warp_t'(w)) ? e_what.wait_f :
                                m_wait_q[w] && m_wait_a_q[w] == e_a);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      m_req_q <= '0;
      m_exit_q <= '0;
      m_wake_q <= '0;
      m_wait_q <= '0;
      m_ww_q <= '0;
      m_cluster_q <= '0;
      m_scan_q <= 1'b0;
      for (int c = 0; c < Ctas; c++) for (int i = 0; i < Barriers; i++) m_arr_q[c][i] <= '0;
    end else begin
      for (int unsigned w = 0; w < Warps; w++) begin
        if (clr_i.valid && clr_i.warp == warp_t'(w)) m_wake_q[w] <= 1'b0;
        if (e_v && e_w == warp_t'(w)) begin
          if (e_req) m_req_q[w] <= 1'b0;
          else if (e_exit_done) m_exit_q[w] <= 1'b0;
          if (e_req && !e_misuse) begin
            m_wait_q[w] <= e_what.wait_f && !e_complete;
            m_wait_a_q[w] <= e_a;
          end
        end
        if (e_complete && e_waits[w]) begin
          m_wake_q[w] <= 1'b1;
          m_wait_q[w] <= 1'b0;
        end
        if (req_i.valid && req_i.warp == warp_t'(w)) m_req_q[w] <= 1'b1;
        if (exit_i.valid && exit_i.warp == warp_t'(w)) m_exit_q[w] <= 1'b1;
        if (clr_i.valid && clr_i.warp == warp_t'(w)) m_ww_q[w] <= 1'b0;
        if (req_i.valid && req_i.warp == warp_t'(w) && req_i.kind == 3'(BarCluster)) begin
          m_cluster_q[w] <= 1'b1;
        end
        if (start_i[w] || launch_i) begin
          m_ww_q[w] <= 1'b0;
          m_cluster_q[w] <= 1'b0;
        end
        if (e_met[w]) begin
          m_ww_q[w] <= 1'b1;
          m_cluster_q[w] <= 1'b0;
        end
        if (phase_i || copied_i[w]) m_ww_q[w] <= 1'b1;
        if (start_i[w]) begin  // 16: launch
          m_req_q[w] <= 1'b0;
          m_exit_q[w] <= 1'b0;
          m_wake_q[w] <= 1'b0;
          m_wait_q[w] <= 1'b0;
        end
      end
      m_scan_q <= e_v && !e_req && e_later;
      m_scan_warp_q <= e_w;
      m_next_q <= 5'(e_a) + 5'd1;
      if (e_touch) m_arr_q[e_c][e_a] <= e_complete ? '0 : e_arr;
      if (start_i != '0) begin
        for (int i = 0; i < Barriers; i++) m_arr_q[start_cta_i][i] <= '0;
      end
    end
    if (req_i.valid) m_what_q[req_i.warp] <= req_i;
    if (pred_i.valid) begin
      m_pred_q[pred_i.warp] <= (m_pred_q[pred_i.warp] & ~pred_i.mask) | (pred_i.value & pred_i.mask);
    end
    if (e_touch && e_req) begin
      m_b_q[e_c][e_a] <= e_b;
      m_kind_q[e_c][e_a] <= e_kind;
      m_popc_q[e_c][e_a] <= e_popc;
      m_and_q[e_c][e_a] <= e_and;
      m_or_q[e_c][e_a] <= e_or;
    end
  end

  // Contributions of kind CLUSTER of a warp that are not complete.
  logic [1:0] places [Warps];
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) begin
      places[w] = 2'(m_req_q[w] && m_what_q[w].kind == 3'(BarCluster));
      for (int i = 0; i < Barriers; i += 15) begin
        if (m_arr_q[cta_q[w]][i][w] && m_kind_q[cta_q[w]][i] == 3'(BarCluster)) places[w] += 2'd1;
      end
    end
  end

  // The watched barrier.
  logic [Warps-1:0] w_arr, w_woken_q, w_awake_q, w_all;
  logic             w_end_q;    // it completed in the last cycle
  logic             phase_last_q;  // and a phase of an mbarrier
  logic [Warps-1:0] copied_last_q; // and copies of these warps
  logic [Warps-1:0] w_met_q;    // warps at a barrier of the cluster that did
  bar_result_t      w_result_q;
  logic [5:0]       w_b;
  logic             w_ends;     // an end of a warp of the CTA has still to look at it
  assign w_arr = m_arr_q[wcta_q][wa_q];
  assign w_b = m_b_q[wcta_q][wa_q];
  assign w_all = cta_warps[wcta_q];
  assign w_ends = (m_exit_q & w_all & ~(Warps'(m_scan_q) << m_scan_warp_q)) != '0 ||
                  (m_scan_q && w_all[m_scan_warp_q] && m_next_q <= 5'(wa_q));
  always_ff @(posedge clk_i) begin
    w_end_q <= rst_n && e_complete && e_c == wcta_q && e_a == wa_q && start_i == '0;
    w_woken_q <= e_waits;
    w_met_q <= rst_n ? e_met & ~start_i : '0;
    phase_last_q <= rst_n && phase_i;
    copied_last_q <= rst_n ? copied_i : '0;
    w_awake_q <= m_wake_q & ~(SubWarps'(clr_i.valid) << clr_i.warp);
    w_result_q <= '{popc: 11'(e_req ? e_popc : m_popc_q[e_c][e_a]),
                    all: e_req ? e_and : m_and_q[e_c][e_a], any: e_req ? e_or : m_or_q[e_c][e_a]};
  end
  always_ff @(posedge clk_i) begin
    if (rst_n) begin
      // The unit does what section 8 says.
      `HOLDS(wake == m_wake_q)
      `HOLDS(req_busy == m_req_q)
      `HOLDS(idle == ~(m_req_q | m_exit_q))
      `HOLDS(trap.valid == e_misuse)
      `HOLDS(wait_wake == m_ww_q && cluster == m_cluster_q)
      // A phase of an mbarrier, the end of copies, and a barrier of the cluster reach all whom they
      // concern at once.
      `HOLDS(!phase_last_q || wait_wake == '1)
      `HOLDS((copied_last_q & ~wait_wake) == '0)
      `HOLDS((w_met_q & (cluster | ~wait_wake)) == '0)
      // A warp that has arrived at the barrier of the cluster waits until it is complete.
      for (int unsigned w = 0; w < Warps; w++) begin
        `HOLDS(!valid_q[w] || places[w] == 2'd0 || (places[w] == 2'd1 && cluster[w]))
      end
      if (trap.valid) begin
        `HOLDS(trap.cause == TrapBarrierMisuse && trap.warp == warp_slot_t'(e_w))
        `HOLDS(e_what.mask[trap.lane] &&
                             (e_what.mask & ((32'd1 << trap.lane) - 32'd1)) == '0)
      end
      // A barrier that completes releases all and only the arrived warps that wait, each with the
      // totals of the phase, and in one cycle; in other cycles it releases nobody.
      if (w_end_q) begin
        `HOLDS((w_woken_q & ~wake) == '0)
        `HOLDS((wake & ~w_woken_q & ~w_awake_q) == '0)
        for (int unsigned w = 0; w < Warps; w++) begin
          if (w_woken_q[w]) `HOLDS(result[w] == w_result_q)
        end
        `HOLDS(w_arr == '0)
      end
      // It completes when its count is met, and at once: none stands complete.
      if (w_arr != '0) begin
        `HOLDS(w_b == '0 || count(w_arr) < w_b || count(w_arr) > 6'(Warps))
        `HOLDS(w_b != '0 || (w_all & ~w_arr & ~dead_q) != '0 || w_ends)
      end
      // Warps of the barrier are those of its CTA (an ended one leaves arrivals, 16).
      `HOLDS((w_all & valid_q) == '0 || (w_arr & ~w_all) == '0)
    end
  end
  // The same state in the unit (for induction).
  always_ff @(posedge clk_i) begin
    if (rst_n) begin
      for (int c = 0; c < Ctas; c++) begin
        for (int i = 0; i < Barriers; i++) begin
          logic used;
          used = dut.used_q[c][i] && dut.used_valid_q[c];
          `HOLDS(used == (m_arr_q[c][i] != '0))
          if (i > 0 && i < 15) `HOLDS(!used && m_arr_q[c][i] == '0)
          if (used) begin
            `HOLDS(dut.arrived_q[c*Barriers+i] == m_arr_q[c][i])
            `HOLDS(dut.row_q[c*Barriers+i].b == m_b_q[c][i] &&
                           dut.row_q[c*Barriers+i].kind == m_kind_q[c][i])
          end
        end
      end
      if (w_arr != '0) begin
        `HOLDS(11'(dut.row_q[{wcta_q, wa_q}].popc) == 11'(m_popc_q[wcta_q][wa_q]) &&
                       dut.row_q[{wcta_q, wa_q}].all == m_and_q[wcta_q][wa_q] &&
                       dut.row_q[{wcta_q, wa_q}].any == m_or_q[wcta_q][wa_q])
      end
      // Each that waits has the totals so far.
      for (int unsigned w = 0; w < Warps; w++) begin
        if (m_wait_q[w] && cta_q[w] == wcta_q && m_wait_a_q[w] == wa_q) begin
          `HOLDS(result[w] == {11'(m_popc_q[wcta_q][wa_q]), m_and_q[wcta_q][wa_q],
                                m_or_q[wcta_q][wa_q]})
        end
      end
      for (int unsigned w = 0; w < Warps; w++) begin
        if (m_req_q[w]) begin
          `HOLDS(dut.req_what_q[w] == {m_what_q[w].a, m_what_q[w].b, m_what_q[w].kind,
                                               m_what_q[w].wait_f} &&
                         dut.req_mask_q[w] == m_what_q[w].mask)
        end
        `HOLDS(((dut.pred_q[w] ^ m_pred_q[w]) & latched_q[w]) == '0)
        `HOLDS(latched_q[w][31:4] == '0)
        if (m_req_q[w]) begin
          `HOLDS((m_what_q[w].mask & ~latched_q[w]) == '0 &&
                  (m_what_q[w].a == 4'd0 || m_what_q[w].a == 4'd15))
        end
        `HOLDS(dut.wait_q[w] == m_wait_q[w])
        if (m_wait_q[w]) begin
          `HOLDS(dut.wait_a_q[w] == m_wait_a_q[w])
          `HOLDS(held_q[w] && m_arr_q[cta_q[w]][m_wait_a_q[w]][w])
        end
      end
      `HOLDS(((m_req_q | m_exit_q | held_q | m_wake_q | ~dead_q) & ~valid_q) == '0 &&
                       ((m_exit_q & ~dead_q) | (held_q & dead_q)) == '0)
      `HOLDS(((m_wait_q | m_wake_q) & ~held_q) == '0 &&
                       (m_wait_q & (m_wake_q | m_req_q)) == '0 && (m_wake_q & m_req_q) == '0)
      for (int unsigned w = 0; w < Warps; w++) begin
        if (m_req_q[w]) begin
          `HOLDS(m_what_q[w].mask != '0 && held_q[w] == m_what_q[w].wait_f &&
                  m_what_q[w].kind <= 3'(BarCluster) &&
                  m_what_q[w].wait_f == !goes_on(m_what_q[w].kind) &&
                  red_q[w] == reduces(m_what_q[w].kind))
        end
      end
      for (int c = 0; c < Ctas; c++) begin
        for (int i = 0; i < Barriers; i++) begin
          `HOLDS((cta_warps[c] & valid_q) == '0 || (m_arr_q[c][i] & ~cta_warps[c]) == '0)
        end
        `HOLDS((cta_warps[c] & valid_q) == '0 || count(cta_warps[c] & valid_q) == nwarps_q)
      end
      `HOLDS(dut.scan_q == m_scan_q && dut.exit_q == m_exit_q)
      if (m_scan_q) begin
        `HOLDS(m_next_q < 5'd16 && m_exit_q[m_scan_warp_q] && !m_req_q[m_scan_warp_q])
      end
    end
  end

  // Barriers of the event's CTA at which it has still to look, and the lowest of them.
  logic [Barriers-1:0] m_above;
  logic [3:0]          m_lowest;
  always_comb begin
    m_lowest = '0;
    for (int i = Barriers - 1; i >= 0; i--) begin
      m_above[i] = m_arr_q[e_c][i] != '0 && (!m_scan_q || 5'(i) >= m_next_q);
      if (m_above[i]) m_lowest = 4'(i);
    end
  end
  if (EventDelay == 0) begin : gen_at_once
    always_ff @(posedge clk_i) begin
      if (rst_n && m_scan_q) begin
        `HOLDS(dut.gen_event.u_event.scan_warp_q == warp_slot_t'(m_scan_warp_q) &&
               dut.gen_event.u_event.scan_rest_q == m_above)
      end
    end
  end else begin : gen_delay
    always_ff @(posedge clk_i) begin
      if (rst_n) begin
        `HOLDS(dut.gen_event.u_event.next_valid_q == n_valid_q && !(n_valid_q && m_scan_q))
        for (int c = 0; c < Ctas; c++) begin
          if (m_arr_q[c][0] != '0) `HOLDS(dut.gen_event.u_event.low_q[c] == 4'd0)
          else if (m_arr_q[c][15] != '0) `HOLDS(dut.gen_event.u_event.low_q[c] == 4'd15)
        end
        if (n_valid_q || m_scan_q) begin
          if (e_before != '0) begin
            `HOLDS(dut.gen_event.u_event.next_arrived_q == e_before &&
                   dut.gen_event.u_event.next_row_q == dut.row_q[{e_c, e_a}])
          end
          `HOLDS(dut.gen_event.u_event.next_warp_q == warp_slot_t'(e_w) &&
                 dut.gen_event.u_event.next_hot_q == Warps'(1) << e_w &&
                 dut.gen_event.u_event.next_req_q == e_req && dut.gen_event.u_event.next_cta_q == e_c &&
                 dut.gen_event.u_event.next_outside_q == ~cta_warps[e_c] &&
                 dut.gen_event.u_event.next_above_q == m_above)
          if (e_req) begin
            `HOLDS(m_req_q[e_w] && dut.gen_event.u_event.next_a_q == e_what.a &&
                   dut.gen_event.u_event.next_b_q == e_b && dut.gen_event.u_event.next_kind_q == e_kind &&
                   dut.gen_event.u_event.next_wait_q == e_what.wait_f &&
                   dut.gen_event.u_event.next_first_q == (e_before == '0))
            `HOLDS(dut.gen_event.u_event.next_fours_q == 24'(ones(e_lanes)) &&
                   dut.gen_event.u_event.next_all_q == (e_lanes == e_what.mask) &&
                   dut.gen_event.u_event.next_any_q == (e_lanes != '0) &&
                   dut.gen_event.u_event.next_lane_q == low_index(e_what.mask))
          end else begin
            `HOLDS(m_exit_q[e_w] && !m_req_q[e_w] &&
                   (m_above == '0 || dut.gen_event.u_event.next_a_q == m_lowest) &&
                   !dut.gen_event.u_event.next_first_q)
          end
        end
`ifdef STEP
        c_behind: cover (n_valid_q && !n_exit_q && n_warp < n_warp_q && e_complete);
`endif
      end
    end
  end

  // States that the assumptions let happen.
  always_ff @(posedge clk_i) begin
    if (rst_n) begin
`ifdef STEP
      c_three: cover (w_end_q && w_woken_q == 4'b0111 && w_result_q.popc == 11'd9);
      c_part: cover (w_end_q && w_woken_q == 4'b0010 && nwarps_q == 6'd3);  // beside an arrive
      c_exit: cover (w_end_q && (w_woken_q & dead_q) == '0 && (dead_q & valid_q) != '0);
      c_scan: cover (m_scan_q && e_complete);
      c_trap: cover (trap.valid);
      c_again: cover (w_end_q && w_awake_q != '0);
      c_cluster: cover (w_end_q && w_met_q == 4'b0111 && (dead_q & valid_q) == 4'b1000 && !phase_last_q);
      c_taken: cover (clr_i.valid && phase_i && wait_wake[clr_i.warp]);
`else
      c_first: cover (req_busy == 4'b0010 && valid_q == 4'b0110);
`endif
    end
  end
endmodule
