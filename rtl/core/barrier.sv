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
  output logic               rest_o,  // no request, end or wake-up (15)
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

  // b and kind as they are kept.
  function automatic logic [5:0] whole(input logic [5:0] b, input logic [5:0] nwarps);
    return (b == nwarps) ? 6'd0 : b;
  endfunction
  function automatic logic [2:0] kind_class(input logic [2:0] kind);
    return (kind == 3'(BarArrive)) ? 3'(BarSync) : kind;
  endfunction

  // Four lanes are counted in three functions of four bits, the counts added in pairs.
  typedef logic [7:0][2:0] fours_t;
  function automatic fours_t count_fours(input logic [31:0] v);
    fours_t n;
    for (int unsigned k = 0; k < 8; k++) begin
      n[k] = 3'(v[4*k]) + 3'(v[4*k+1]) + 3'(v[4*k+2]) + 3'(v[4*k+3]);
    end
    return n;
  endfunction

  function automatic logic [5:0] add_fours(input fours_t n);
    return ((6'(n[0]) + 6'(n[1])) + (6'(n[2]) + 6'(n[3]))) +
           ((6'(n[4]) + 6'(n[5])) + (6'(n[6]) + 6'(n[7])));
  endfunction

  function automatic logic [6:0] count_warps(input logic [Warps-1:0] v);
    logic [63:0] wide;
    wide = 64'(v);
    return 7'(add_fours(count_fours(wide[31:0]))) +
           ((Warps > 32) ? 7'(add_fours(count_fours(wide[63:32]))) : 7'd0);
  endfunction

  // Lanes with a true predicate; forms without one count as false.
  function automatic logic [31:0] true_lanes(input logic [31:0] pred, input logic [31:0] lanes,
                                             input logic [2:0] kind);
    return pred & lanes & {32{kind != 3'(BarSync)}};
  endfunction

  // The event of the cycle. With EventDelay the warp was chosen in the cycle before; what is read
  // of it then, its request, its CTA and the barriers that this uses, stays until the event: none
  // acts in the cycle of the choice. (A warp whose lanes have predicates waits for this event.)
  logic [Warps-1:0]    pending, warp_bit, outside;  // outside: of other CTAs
  logic                event_v, is_req, req_wait, scan_more;
  logic                first;  // request: nobody has arrived yet
  warp_slot_t          warp;
  logic [CtaBits-1:0]  cta;
  logic [Barriers-1:0] used, above, rest;  // above: at which an end has still to look
  logic [Barriers-1:0] a_bit;
  logic                accept, complete;
  logic [3:0]          a;
  logic [5:0]          req_b;
  logic [2:0]          req_kind;
  logic [Warps-1:0]    arrived_old;  // at barrier a
  row_t                row_old;
  fours_t              true_fours;   // lanes with a true predicate
  logic                all_true, any_true;
  logic [4:0]          first_lane;   // lowest lane of the request
  assign pending = req_q | exit_q;
  if (EventDelay == 0) begin : gen_at_once
    warp_slot_t          scan_warp_q;
    logic [Barriers-1:0] scan_rest_q;
    logic [3:0]          req_a;
    logic [5:0]          what_b;
    logic [2:0]          what_kind;
    assign event_v = pending != '0;
    assign warp = scan_q ? scan_warp_q : lowest_slot(pending);
    assign warp_bit = Warps'(1) << warp;
    assign is_req = !scan_q && req_q[warp];
    assign cta = warp_cta_i[warp];
    assign outside = ~cta_warps_i[cta];
    assign {req_a, what_b, what_kind, req_wait} = req_what_q[warp];
    assign req_b = whole(what_b, cta_nwarps_i[cta]);
    assign req_kind = kind_class(what_kind);
    assign used = used_q[cta] & {Barriers{used_valid_q[cta]}};
    assign above = scan_q ? scan_rest_q : used;
    assign a = is_req ? req_a : 4'(low_index(32'(above)));
    assign first = is_req && !used[a];
    logic [31:0] lanes, preds;
    assign row_old = row_q[{cta, a}];
    always_comb begin
      arrived_old = '0;
      lanes = '0;
      preds = '0;
      if (event_v) begin
        arrived_old = arrived_q[{cta, a}] & {Warps{!first}};
        if (is_req) begin
          lanes = req_mask_q[warp];
          preds = true_lanes(pred_q[warp], lanes, req_kind);
        end
      end
    end
    assign true_fours = count_fours(preds);
    assign all_true = preds == lanes;
    assign any_true = preds != '0;
    assign first_lane = low_index(lanes);
    always_ff @(posedge clk_i) begin
      if (scan_more) begin
        scan_warp_q <= warp;
        scan_rest_q <= rest;
      end
    end
  end else begin : gen_delay
    logic                next_valid_q, next_req_q, next_first_q, next_wait_q;
    logic                choose, choice_req, what_wait;
    warp_slot_t          next_warp_q, choice;  // next_warp_q: also while the end goes on
    logic [Warps-1:0]    next_hot_q, next_outside_q;
    logic [CtaBits-1:0]  next_cta_q, choice_cta, read_cta;
    logic [Barriers-1:0] next_above_q, choice_used, left;  // left: without a
    logic [3:0]          next_a_q, next_a, what_a;
    logic                next_first;
    logic [3:0]          low_q [Ctas], low;  // lowest barrier used, if any
    logic [Warps-1:0]    next_arrived_q;
    row_t                next_row_q;
    logic [31:0]         choice_mask, choice_true;
    fours_t              next_fours_q;
    logic                next_all_q, next_any_q;
    logic [4:0]          next_lane_q;
    logic [5:0]          next_b_q, what_b;
    logic [2:0]          next_kind_q, what_kind;
    assign event_v = next_valid_q || scan_q;
    assign warp = next_warp_q;
    assign warp_bit = next_hot_q;
    assign is_req = next_req_q;
    assign cta = next_cta_q;
    assign outside = next_outside_q;
    assign above = next_above_q;
    assign a = next_a_q;
    assign first = next_first_q;
    assign req_b = next_b_q;
    assign req_kind = next_kind_q;
    assign req_wait = next_wait_q;
    assign arrived_old = next_arrived_q & {Warps{!next_first_q}};
    assign row_old = next_row_q;
    assign true_fours = next_fours_q;
    assign all_true = next_all_q;
    assign any_true = next_any_q;
    assign first_lane = next_lane_q;
    assign choose = !event_v;
    // The lowest warp by pairs, its CTA beside its number.
    logic [Warps-1:0]   some;
    warp_slot_t         slot [Warps];
    logic [CtaBits-1:0] slot_cta [Warps];
    always_comb begin
      some = pending;
      for (int unsigned w = 0; w < Warps; w++) begin
        slot[w] = warp_slot_t'(w);
        slot_cta[w] = warp_cta_i[w];
      end
      for (int unsigned n = 1; n < Warps; n *= 2) begin
        for (int unsigned w = 0; w + n < Warps; w += 2 * n) begin
          if (!some[w]) begin
            slot[w] = slot[w+n];
            slot_cta[w] = slot_cta[w+n];
          end
          some[w] |= some[w+n];
        end
      end
    end
    assign choice = slot[0];
    assign choice_req = req_q[choice];
    assign choice_cta = slot_cta[0];
    assign {what_a, what_b, what_kind, what_wait} = req_what_q[choice];
    assign read_cta = choose ? choice_cta : next_cta_q;
    assign choice_used = used_q[choice_cta] & {Barriers{used_valid_q[choice_cta]}};
    assign used = used_q[cta] & {Barriers{used_valid_q[cta]}};
    assign left = used & ~a_bit;
    assign low = low_q[cta];
    assign next_a = !choose ? 4'(low_index(32'(rest))) : choice_req ? what_a : low_q[choice_cta];
    assign next_first = choose && choice_req && !choice_used[what_a];
    assign choice_mask = req_mask_q[choice];
    assign choice_true = true_lanes(pred_q[choice], choice_mask, kind_class(what_kind));
    always_ff @(posedge clk_i) begin
      next_valid_q <= rst_n && choose && pending != '0;
      if (complete) low_q[cta] <= 4'(low_index(32'(left)));
      else if (accept && (used == '0 || a < low)) low_q[cta] <= a;
      next_above_q <= choose ? choice_used : rest;
      next_a_q <= next_a;
      next_arrived_q <= arrived_q[{read_cta, next_a}];
      next_row_q <= row_q[{read_cta, next_a}];
      if (choose) begin
        next_warp_q <= choice;
        next_hot_q <= Warps'(1) << choice;
        next_req_q <= choice_req;
        next_first_q <= next_first;
        next_cta_q <= choice_cta;
        next_outside_q <= ~cta_warps_i[choice_cta];
        next_b_q <= whole(what_b, cta_nwarps_i[choice_cta]);
        next_kind_q <= kind_class(what_kind);
        next_wait_q <= what_wait;
        next_fours_q <= count_fours(choice_true);
        next_all_q <= choice_true == choice_mask;
        next_any_q <= choice_true != '0;
        next_lane_q <= low_index(choice_mask);
      end
    end
  end

  // Barrier a before and after the event.
  logic [BarBits-1:0]  at;
  logic [Barriers-1:0] used_d;
  row_t                old, row;
  logic [5:0]          b;
  logic [2:0]          kind;
  logic [Warps-1:0]    arrived, gone, waits, woken;
  logic                misuse;
  assign at = {cta, a};
  assign a_bit = Barriers'(1) << a;
  assign rest = above & ~a_bit;
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
    if (event_v) begin
      old = row_old;
      arrived = arrived_old;
      // Warps that a barrier of the whole CTA does not wait for.
      gone = dead_i | outside;
      b = old.b;
      if (is_req) begin
        kind = req_kind;
        b = req_b;
        misuse = (arrived_old & warp_bit) != '0 || (!first && (old.b != b || old.kind != kind));
        accept = !misuse;
        arrived = arrived_old | warp_bit;
      end else begin
        scan_more = rest != '0;
      end
      row.b = b;
      row.kind = kind;
      row.popc = (first ? '0 : old.popc) + SumBits'(add_fours(true_fours));
      row.all = (first || old.all) && all_true;
      row.any = (!first && old.any) || any_true;
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
        if (is_req && warp_bit[w]) waits[w] = req_wait;
        else waits[w] = wait_q[w] && arrived_old[w] && wait_a_q[w] == a;
        woken[w] = waits[w] && complete;
      end
    end
  end

  logic [Warps-1:0] req_set, exit_set, wake_clr;
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
      // A CTA launch forgets arrivals of the slot's former CTA.
      used_valid_q <= (used_valid_q | (Ctas'(accept) << cta)) & ~placed;
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
        if (warp_bit[w]) wait_a[w] = a;
      end
      result_q <= results;
      wait_a_q <= wait_a;
    end
    if (accept || complete) used_q[cta] <= used_d;
  end

  assign bar_wake_o = wake_q;
  assign bar_req_busy_o = req_q;
  assign bar_idle_o = ~pending;
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) bar_result_o[w] = result_q[w];
    trap_o = '0;
    trap_o.valid = misuse;
    trap_o.cause = TrapBarrierMisuse;
    trap_o.warp = warp;
    trap_o.lane = first_lane;
  end

  logic unused_in;
  assign unused_in = ^warp_valid_i;

  assign rest_o = req_q == '0 && exit_q == '0 && wake_q == '0;
endmodule
