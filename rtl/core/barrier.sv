// CTA barriers (docs/microarchitecture.md 8): contributions of warps, ends of warps, completion.
// One event per cycle. Gathers no lanes of a warp: the path engine hands over whole warps (7.3).
module barrier
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               clear_i,
  input  logic [Warps-1:0]   warp_start_i,
  input  logic [Warps-1:0]   warp_valid_i,
  input  logic [CtaBits-1:0] warp_cta_i [Warps],
  input  logic [5:0]         cta_nwarps_i [Ctas],
  input  logic [Warps-1:0]   cta_warps_i [Ctas],
  input  logic [Warps-1:0]   dead_i,  // live = 0
  input  bar_pred_t          bar_pred_i,
  input  bar_req_t           bar_req_i,
  input  finish_t            bar_exit_i,
  input  finish_t            bar_wake_clr_i,
  output logic [Warps-1:0]   bar_wake_o,
  output logic [Warps-1:0]   bar_req_busy_o,
  output bar_result_t        bar_result_o [Warps],
  output logic [Warps-1:0]   bar_idle_o,
  output trap_t              trap_o
);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  // Barriers of the CTA slots. What is beside arrived means something only once a warp arrived; it
  // is read and written at one barrier per cycle, so it lies in distributed memory. whole: b = 0.
  logic [Warps-1:0]    arrived_q [Ctas][Barriers];
  logic [Barriers-1:0] whole_q [Ctas];
  logic [5:0]          b_q [Ctas*Barriers];
  logic [2:0]          kind_q [Ctas*Barriers];
  bar_result_t         total_q [Ctas*Barriers];
  // Warps.
  logic [Warps-1:0] req_q, exit_q, wake_q, wait_q;
  logic [3:0]       req_a_q [Warps];
  logic [5:0]       req_b_q [Warps];
  logic [2:0]       req_kind_q [Warps];
  logic [31:0]      req_mask_q [Warps];
  logic [Warps-1:0] req_wait_q;
  logic [31:0]      pred_q [Warps];
  logic [3:0]       wait_a_q [Warps];
  bar_result_t      result_q [Warps];  // running totals while the warp waits

  // The event of the cycle.
  logic [Warps-1:0]   pending;
  logic               event_v, is_req;
  warp_t              warp;
  logic [CtaBits-1:0] cta;
  assign pending = req_q | exit_q;
  assign event_v = pending != '0;
  assign warp = lowest_warp(pending);
  assign is_req = req_q[warp];
  assign cta = warp_cta_i[warp];

  function automatic logic [6:0] count_warps(input logic [Warps-1:0] v);
    logic [6:0] n;
    n = '0;
    for (int unsigned w = 0; w < Warps; w++) n += 7'(v[w]);
    return n;
  endfunction

  function automatic logic [5:0] count_lanes(input logic [31:0] v);
    logic [5:0] n;
    n = '0;
    for (int unsigned l = 0; l < 32; l++) n += 6'(v[l]);
    return n;
  endfunction

  // Contribution: barrier a after it.
  localparam int unsigned BarBits = CtaBits + 4;
  logic [3:0]         a;
  logic [BarBits-1:0] at;
  logic [5:0]         b, b_old;
  logic [2:0]         kind, kind_old;
  bar_result_t        total_old;
  logic [Warps-1:0] old, arrived, gone;
  logic             first, misuse, accept, complete;
  logic [31:0]      lanes, preds;
  bar_result_t      total;
  // Completed barriers of the CTA in this cycle, by number, and the warps that they wake.
  logic [Barriers-1:0] done;
  logic [Warps-1:0]    woken, waits;
  assign a = req_a_q[warp];
  assign at = {cta, a};
  assign b_old = b_q[at];
  assign kind_old = kind_q[at];
  assign total_old = total_q[at];
  always_comb begin
    logic [Warps-1:0] row [Barriers];
    b = '0;
    kind = '0;
    lanes = '0;
    preds = '0;
    old = '0;
    arrived = '0;
    gone = '0;
    first = 1'b0;
    misuse = 1'b0;
    accept = 1'b0;
    complete = 1'b0;
    total = '0;
    done = '0;
    for (int unsigned i = 0; i < Barriers; i++) row[i] = '0;
    if (event_v) begin
      for (int unsigned i = 0; i < Barriers; i++) row[i] = arrived_q[cta][i];
      // Warps that a barrier of the whole CTA does not wait for.
      gone = dead_i | ~cta_warps_i[cta];
      if (is_req) begin
        b = (req_b_q[warp] == cta_nwarps_i[cta]) ? 6'd0 : req_b_q[warp];
        kind = (req_kind_q[warp] == 3'(BarArrive)) ? 3'(BarSync) : req_kind_q[warp];
        lanes = req_mask_q[warp];
        preds = pred_q[warp];
        old = row[a];
        first = old == '0;
        misuse = old[warp] || (!first && (b_old != b || kind_old != kind));
        accept = !misuse;
        arrived = old | (Warps'(1) << warp);
        total.popc = (first ? 11'd0 : total_old.popc) + 11'(count_lanes(lanes & preds));
        total.all = (first || total_old.all) && (lanes & ~preds) == '0;
        total.any = (!first && total_old.any) || (lanes & preds) != '0;
        complete = accept && ((b == '0) ? (&(arrived | gone)) : count_warps(arrived) == 7'(b));
        done[a] = complete;
      end else begin
        for (int unsigned i = 0; i < Barriers; i++) begin
          done[i] = row[i] != '0 && whole_q[cta][i] && (&(row[i] | gone));
        end
      end
    end
  end

  // Warps that wait for a barrier wait for one of their own CTA. A contribution reaches all warps
  // that wait for the same barrier, so that each has the totals when it is woken.
  always_comb begin
    waits = '0;
    woken = '0;
    if (accept || done != '0) begin
      for (int unsigned w = 0; w < Warps; w++) begin
        if (is_req && warp == warp_t'(w)) waits[w] = req_wait_q[w];
        else waits[w] = wait_q[w] && warp_cta_i[w] == cta && (!is_req || wait_a_q[w] == a);
        woken[w] = waits[w] && (is_req ? complete : done[wait_a_q[w]]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      req_q <= '0;
      exit_q <= '0;
      wake_q <= '0;
      wait_q <= '0;
    end else begin
      req_q <= ((req_q & ~(Warps'(event_v && is_req) << warp)) |
                (Warps'(bar_req_i.valid) << bar_req_i.warp)) & ~warp_start_i;
      exit_q <= ((exit_q & ~(Warps'(event_v && !is_req) << warp)) |
                 (Warps'(bar_exit_i.valid) << bar_exit_i.warp)) & ~warp_start_i;
      wake_q <= ((wake_q & ~(Warps'(bar_wake_clr_i.valid) << bar_wake_clr_i.warp)) | woken) &
                ~warp_start_i;
      wait_q <= ((wait_q & ~(Warps'(accept) << warp)) |
                 (Warps'(accept && req_wait_q[warp]) << warp)) & ~woken & ~warp_start_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (bar_req_i.valid) begin
      req_a_q[bar_req_i.warp] <= bar_req_i.a;
      req_b_q[bar_req_i.warp] <= bar_req_i.b;
      req_kind_q[bar_req_i.warp] <= bar_req_i.kind;
      req_mask_q[bar_req_i.warp] <= bar_req_i.mask;
      req_wait_q[bar_req_i.warp] <= bar_req_i.wait_f;
    end
    if (bar_pred_i.valid) begin
      pred_q[bar_pred_i.warp] <= (pred_q[bar_pred_i.warp] & ~bar_pred_i.mask) |
                                 (bar_pred_i.value & bar_pred_i.mask);
    end
    if (accept) begin
      wait_a_q[warp] <= a;
      b_q[at] <= b;
      kind_q[at] <= kind;
      total_q[at] <= total;
      whole_q[cta][a] <= b == '0;
      for (int unsigned w = 0; w < Warps; w++) if (waits[w]) result_q[w] <= total;
    end
  end

  // A CTA launch forgets arrivals of the slot's former CTA.
  always_ff @(posedge clk_i) begin
    if (accept) arrived_q[cta][a] <= complete ? '0 : arrived;
    else if (done != '0) begin
      for (int unsigned i = 0; i < Barriers; i++) if (done[i]) arrived_q[cta][i] <= '0;
    end
    if (!rst_n || warp_start_i != '0) begin
      for (int unsigned s = 0; s < Ctas; s++) begin
        if (!rst_n || warp_cta_i[lowest_warp(warp_start_i)] == CtaBits'(s)) begin
          for (int unsigned i = 0; i < Barriers; i++) arrived_q[s][i] <= '0;
        end
      end
    end
  end

  assign bar_wake_o = wake_q;
  assign bar_req_busy_o = req_q;
  assign bar_idle_o = ~pending;
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) bar_result_o[w] = result_q[w];
    trap_o = '0;
    trap_o.valid = misuse;
    trap_o.cause = 4'(TrapBarrierMisuse);
    trap_o.warp = warp;
    trap_o.lane = lowest_lane(lanes);
  end

  logic unused_in;
  assign unused_in = ^{warp_valid_i, bar_req_i.pc};

`ifdef WL_JOURNAL
  always_ff @(posedge clk_i) begin
    if (rst_n && accept) begin
      journal_pkg::wl_j_barrier(32'(cta), 32'(a), complete ? 32'd0 : 32'(arrived),
                                complete ? 32'd0 : 32'(64'(arrived) >> 32), 32'(b), 32'(kind),
                                32'(total.popc));
    end
    if (rst_n && !is_req) begin
      for (int unsigned i = 0; i < Barriers; i++) begin
        if (done[i]) begin
          journal_pkg::wl_j_barrier(32'(cta), i, 32'd0, 32'd0, 32'd0,
                                    32'(kind_q[{cta, 4'(i)}]), 32'(total_q[{cta, 4'(i)}].popc));
        end
      end
    end
  end
`endif
endmodule
