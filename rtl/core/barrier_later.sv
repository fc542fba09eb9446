// Event of a cycle in the barrier unit, EventDelay = 1 (docs/microarchitecture.md 8). The warp is
// chosen in the cycle before. Its request, its CTA and the barriers that the CTA uses are read then
// and stay until the event: none acts in the cycle of the choice. (A warp whose lanes have
// predicates waits for this event.) barrier_now.sv is the other variant, with the same ports.
module barrier_later
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import barrier_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  warps_t             pending_i,     // warps with a request or an end
  input  warps_t             req_i,         // with a request
  input  cta_t               warp_cta_i [Warps],
  input  warps_t             cta_warps_i [Ctas],
  input  logic [5:0]         cta_nwarps_i [Ctas],
  input  logic               scan_i,        // an end goes on
  // verilator lint_off UNUSEDSIGNAL // a part for the other variant
  input  outcome_t           outcome_i,
  // verilator lint_on UNUSEDSIGNAL
  input  barriers_t          event_used_i,  // of the event's CTA
  // Reads: barriers used in a CTA, a request, a barrier.
  output cta_t               used_cta_o,
  input  barriers_t          used_i,
  output warp_slot_t         read_warp_o,
  input  request_t           request_i,
  output logic [BarBits-1:0] read_at_o,
  input  kept_t              kept_i,
  output event_t             event_o
);
  logic              next_valid_q, next_req_q, next_first_q, next_wait_q;
  logic              choose, choice_req, what_wait;
  warp_slot_t        next_warp_q, choice;  // next_warp_q: also while the end goes on
  warps_t            next_hot_q, next_outside_q;
  cta_t              next_cta_q, choice_cta;
  barriers_t         next_above_q, left;   // left: without a
  logic [3:0]        next_a_q, next_a, what_a;
  logic              next_first;
  logic [3:0]        low_q [Ctas], low;    // lowest barrier used, if any
  warps_t            next_arrived_q;
  row_t              next_row_q;
  logic [31:0]       choice_true;
  cells_pkg::fours_t next_fours_q;
  logic              next_all_q, next_any_q;
  logic [4:0]        next_lane_q;
  logic [5:0]        next_b_q, what_b;
  logic [2:0]        next_kind_q, what_kind;
  assign event_o = '{
    valid: next_valid_q || scan_i, warp: next_warp_q, warp_bit: next_hot_q, is_req: next_req_q,
    cta: next_cta_q, outside: next_outside_q, above: next_above_q, a: next_a_q,
    first: next_first_q, b: next_b_q, kind: next_kind_q, waits: next_wait_q,
    arrived: next_arrived_q & {Warps{!next_first_q}}, row: next_row_q, true_fours: next_fours_q,
    all_true: next_all_q, any_true: next_any_q, first_lane: next_lane_q
  };

  // The choice: the lowest warp, by pairs, with its CTA.
  warps_t     some;
  warp_slot_t slot [Warps];
  cta_t       slot_cta [Warps];
  assign choose = !(next_valid_q || scan_i);
  always_comb begin
    some = pending_i;
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
  assign choice_req = req_i[choice];
  assign choice_cta = slot_cta[0];
  assign read_warp_o = choice;
  assign {what_a, what_b, what_kind, what_wait} = request_i.what;
  assign used_cta_o = choice_cta;
  assign left = event_used_i & ~(Barriers'(1) << next_a_q);
  assign low = low_q[next_cta_q];
  assign next_a = !choose ? 4'(low_index(32'(outcome_i.rest))) :
                  choice_req ? what_a : low_q[choice_cta];
  assign next_first = choose && choice_req && !used_i[what_a];
  assign read_at_o = {choose ? choice_cta : next_cta_q, next_a};
  assign choice_true = true_lanes(request_i.pred, request_i.mask, kind_class(what_kind));
  always_ff @(posedge clk_i) begin
    next_valid_q <= rst_ni && choose && pending_i != '0;
    if (outcome_i.complete) low_q[next_cta_q] <= 4'(low_index(32'(left)));
    else if (outcome_i.accept && (event_used_i == '0 || next_a_q < low)) low_q[next_cta_q] <= next_a_q;
    next_above_q <= choose ? used_i : outcome_i.rest;
    next_a_q <= next_a;
    next_arrived_q <= kept_i.arrived;
    next_row_q <= kept_i.row;
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
      next_fours_q <= cells_pkg::count_fours(choice_true);
      next_all_q <= choice_true == request_i.mask;
      next_any_q <= choice_true != '0;
      next_lane_q <= low_index(request_i.mask);
    end
  end
endmodule
