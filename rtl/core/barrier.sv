// CTA barriers (docs/microarchitecture.md 8): contributions of warps, ends of warps, completion.
// One barrier per cycle. Gathers no lanes of a warp: the path engine hands over whole warps (7.3).
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
  // Of each sub-core, all in one cycle.
  input  bar_pred_t          bar_pred_i [SubCores],
  input  bar_req_t           bar_req_i [SubCores],
  input  finish_t            bar_exit_i [SubCores],
  input  finish_t            bar_wake_clr_i [SubCores],
  output logic [Warps-1:0]   bar_wake_o,
  output logic [Warps-1:0]   bar_req_busy_o,
  output bar_result_t        bar_result_o [Warps],
  output logic [Warps-1:0]   bar_idle_o,
`ifdef WL_JOURNAL
  output logic               rest_o,  // no request, end or wake-up (15)
`endif
  output trap_t              trap_o
);
  localparam int unsigned BarBits = CtaBits + 4;
  localparam int unsigned SumBits = $clog2(Warps * 32 + 1);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  // Barriers of the CTA slots, in distributed memory: one is read and written per cycle. What lies
  // there means something only where used (arrived is not 0), and that only since the CTA's launch.
  typedef struct packed {
    logic [5:0]         b;
    logic [2:0]         kind;
    logic               all, any;
    logic [SumBits-1:0] popc;
  } row_t;
  logic [Warps-1:0]    arrived_q [Ctas*Barriers];
  row_t                row_q [Ctas*Barriers];
  logic [Barriers-1:0] used_q [Ctas];
  logic [Ctas-1:0]     used_valid_q;
  // Warps.
  logic [Warps-1:0]   req_q, exit_q, wake_q, wait_q;
  logic [13:0]        req_what_q [Warps];  // a, b, kind, wait
  logic [31:0]        req_mask_q [Warps];
  logic [31:0]        pred_q [Warps];
  logic [3:0]         wait_a_q [Warps];
  logic               scan_q;              // an end goes on with the next barrier
  logic [3:0]         scan_from_q;

  // The event of the cycle. With EventDelay the warp was chosen in the cycle before; what is read of
  // it then, its request and its CTA, stays until the event.
  logic [Warps-1:0]    pending;
  logic                event_v, is_req, req_wait, scan_more;
  warp_slot_t          warp;
  logic [CtaBits-1:0]  cta;
  logic [Barriers-1:0] used, above;
  logic [3:0]          req_a, scan_a, a;
  logic [5:0]          req_b;
  logic [2:0]          req_kind;
  assign pending = req_q | exit_q;
  if (EventDelay == 0) begin : gen_at_once
    warp_slot_t scan_warp_q;
    assign event_v = pending != '0;
    assign warp = scan_q ? scan_warp_q : lowest_slot(pending);
    assign is_req = !scan_q && req_q[warp];
    assign cta = warp_cta_i[warp];
    assign {req_a, req_b, req_kind, req_wait} = req_what_q[warp];
    always_ff @(posedge clk_i) if (scan_more) scan_warp_q <= warp;
  end else begin : gen_delay
    logic               next_valid_q, next_req_q, choose;
    warp_slot_t         next_warp_q, choice;  // next_warp_q: also while the end goes on
    logic [CtaBits-1:0] next_cta_q;
    logic [13:0]        next_what_q;
    assign choose = !next_valid_q && !scan_q;
    assign choice = lowest_slot(pending);
    assign event_v = next_valid_q || scan_q;
    assign warp = next_warp_q;
    assign is_req = next_req_q;
    assign cta = next_cta_q;
    assign {req_a, req_b, req_kind, req_wait} = next_what_q;
    always_ff @(posedge clk_i) begin
      next_valid_q <= rst_n && choose && pending != '0;
      if (choose) begin
        next_warp_q <= choice;
        next_req_q <= req_q[choice];
        next_cta_q <= warp_cta_i[choice];
        next_what_q <= req_what_q[choice];
      end
    end
  end
  assign used = used_q[cta] & {Barriers{used_valid_q[cta]}};
  assign above = used & ({Barriers{1'b1}} << (scan_q ? scan_from_q : 4'd0));
  assign scan_a = 4'(low_index(32'(above)));
  assign a = is_req ? req_a : scan_a;

  // Four lanes are counted in three functions of four bits, the counts added in pairs.
  function automatic logic [5:0] count_lanes(input logic [31:0] v);
    logic [2:0] n [8];
    for (int unsigned k = 0; k < 8; k++) begin
      n[k] = 3'(v[4*k]) + 3'(v[4*k+1]) + 3'(v[4*k+2]) + 3'(v[4*k+3]);
    end
    return ((6'(n[0]) + 6'(n[1])) + (6'(n[2]) + 6'(n[3]))) +
           ((6'(n[4]) + 6'(n[5])) + (6'(n[6]) + 6'(n[7])));
  endfunction

  function automatic logic [6:0] count_warps(input logic [Warps-1:0] v);
    logic [63:0] wide;
    wide = 64'(v);
    return 7'(count_lanes(wide[31:0])) + ((Warps > 32) ? 7'(count_lanes(wide[63:32])) : 7'd0);
  endfunction

  // Barrier a before and after the event.
  logic [BarBits-1:0]  at;
  logic [Barriers-1:0] a_bit, used_d;
  row_t                old, row;
  logic [5:0]          b;
  logic [2:0]          kind;
  logic [Warps-1:0]    arrived_old, arrived, gone, waits, woken;
  logic                first, misuse, accept, complete;
  logic [31:0]         lanes, preds;
  logic [5:0]          ones;
  assign at = {cta, a};
  assign a_bit = Barriers'(1) << a;
  always_comb begin
    old = '0;
    row = '0;
    b = '0;
    kind = '0;
    first = 1'b0;
    arrived_old = '0;
    arrived = '0;
    gone = '0;
    lanes = '0;
    preds = '0;
    ones = '0;
    misuse = 1'b0;
    accept = 1'b0;
    complete = 1'b0;
    scan_more = 1'b0;
    if (event_v) begin
      old = row_q[at];
      first = (used & a_bit) == '0;
      arrived_old = arrived_q[at] & {Warps{!first}};
      arrived = arrived_old;
      // Warps that a barrier of the whole CTA does not wait for.
      gone = dead_i | ~cta_warps_i[cta];
      b = old.b;
      if (is_req) begin
        kind = (req_kind == 3'(BarArrive)) ? 3'(BarSync) : req_kind;
        lanes = req_mask_q[warp];
        // Forms without a predicate count as false.
        preds = pred_q[warp] & lanes & {32{kind != 3'(BarSync)}};
        b = (req_b == cta_nwarps_i[cta]) ? 6'd0 : req_b;
        misuse = arrived_old[warp] || (!first && (old.b != b || old.kind != kind));
        accept = !misuse;
        arrived = arrived_old | (Warps'(1) << warp);
        ones = count_lanes(preds);
      end else begin
        scan_more = (above & ~a_bit) != '0;
      end
      row.b = b;
      row.kind = kind;
      row.popc = (first ? '0 : old.popc) + SumBits'(ones);
      row.all = (first || old.all) && preds == lanes;
      row.any = (!first && old.any) || ones != '0;
      complete = (is_req ? accept : above != '0 && b == '0) &&
                 ((b == '0) ? (&(arrived | gone)) : count_warps(arrived) == 7'(b));
    end
  end
  assign used_d = (used | (a_bit & {Barriers{accept}})) & ~(a_bit & {Barriers{complete}});

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
        if (is_req && warp == warp_slot_t'(w)) waits[w] = req_wait;
        else waits[w] = wait_q[w] && arrived_old[w] && wait_a_q[w] == a;
        woken[w] = waits[w] && complete;
      end
    end
  end

  logic [Warps-1:0] warp_bit, req_set, exit_set, wake_clr;
  assign warp_bit = Warps'(1) << warp;
  always_comb begin
    req_set = '0;
    exit_set = '0;
    wake_clr = '0;
    for (int unsigned k = 0; k < SubCores; k++) begin
      req_set |= Warps'(bar_req_i[k].valid) << slot_of(bar_req_i[k].warp, sub_t'(k));
      exit_set |= Warps'(bar_exit_i[k].valid) << slot_of(bar_exit_i[k].warp, sub_t'(k));
      wake_clr |= Warps'(bar_wake_clr_i[k].valid) << slot_of(bar_wake_clr_i[k].warp, sub_t'(k));
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      req_q <= '0;
      exit_q <= '0;
      wake_q <= '0;
      wait_q <= '0;
      scan_q <= 1'b0;
      used_valid_q <= '0;
    end else begin
      req_q <= ((req_q & ~(warp_bit & {Warps{event_v && is_req}})) | req_set) & ~warp_start_i;
      exit_q <= ((exit_q & ~(warp_bit & {Warps{event_v && !is_req && !scan_more}})) | exit_set) &
                ~warp_start_i;
      wake_q <= ((wake_q & ~wake_clr) | woken) & ~warp_start_i;
      wait_q <= ((wait_q & ~(warp_bit & {Warps{accept && !req_wait}})) |
                 (warp_bit & {Warps{accept && req_wait}})) & ~woken & ~warp_start_i;
      scan_q <= scan_more;
      if (accept || complete) used_valid_q[cta] <= 1'b1;
      // A CTA launch forgets arrivals of the slot's former CTA.
      if (warp_start_i != '0) used_valid_q[warp_cta_i[lowest_slot(warp_start_i)]] <= 1'b0;
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
      arrived_q[at] <= arrived;
      row_q[at] <= row;
      for (int unsigned w = 0; w < Warps; w++) begin
        if (waits[w]) result_q[w] <= result;
        if (warp_bit[w]) wait_a_q[w] <= a;
      end
    end
    if (accept || complete) used_q[cta] <= used_d;
    if (scan_more) scan_from_q <= scan_a + 4'd1;
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
    trap_o.lane = low_index(lanes);
  end

  logic unused_in;
  assign unused_in = ^warp_valid_i;

`ifdef WL_JOURNAL
  assign rest_o = req_q == '0 && exit_q == '0 && wake_q == '0;
  journal_barrier u_journal (
    .clk_i, .valid_i(rst_n && (accept || complete)), .slot_i(32'(cta)), .number_i(32'(a)),
    .arrived_lo_i(complete ? 32'd0 : 32'(arrived)),
    .arrived_hi_i(complete ? 32'd0 : 32'(64'(arrived) >> 32)), .b_i(32'(b)),
    .kind_i(32'(is_req ? kind : old.kind)), .popc_i(32'(is_req ? row.popc : old.popc))
  );
`endif
endmodule
