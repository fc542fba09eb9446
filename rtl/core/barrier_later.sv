// Event of a cycle in the barrier unit, EventDelay = 1 (docs/microarchitecture.md 8). The warp is
// chosen in the cycle before. What is read of it then, its request, its CTA and the barriers that this
// uses, stays until the event: none acts in the cycle of the choice. (A warp whose lanes have
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
  input  warps_t             pending_i,       // warps with a request or an end
  input  warps_t             req_i,           // with a request
  input  cta_t               warp_cta_i [Warps],
  input  warps_t             cta_warps_i [Ctas],
  input  logic [5:0]         cta_nwarps_i [Ctas],
  // An end goes on with the next barrier.
  input  logic               scan_i,
  // verilator lint_off UNUSEDSIGNAL // for the other variant
  input  logic               scan_more_i,
  // verilator lint_on UNUSEDSIGNAL
  input  barriers_t          rest_i,
  input  logic               accept_i,
  input  logic               complete_i,
  // What is read: barriers used in a CTA, a request, a barrier.
  output cta_t               used_cta_o,
  input  barriers_t          used_i,
  input  barriers_t          event_used_i,    // of the event's CTA
  output warp_slot_t         read_warp_o,
  input  what_t              what_i,
  input  logic [31:0]        mask_i,
  input  logic [31:0]        pred_i,
  output logic [BarBits-1:0] read_at_o,
  input  warps_t             read_arrived_i,
  input  row_t               read_row_i,
  // The event.
  output logic               event_o,
  output warp_slot_t         warp_o,
  output warps_t             warp_bit_o,
  output logic               is_req_o,
  output cta_t               cta_o,
  output warps_t             outside_o,       // warps of other CTAs
  output barriers_t          above_o,         // at which an end has still to look
  output logic [3:0]         a_o,
  output logic               first_o,         // request: nobody has arrived yet
  output logic [5:0]         b_o,             // of the request
  output logic [2:0]         kind_o,
  output logic               wait_o,
  output warps_t             arrived_o,       // at barrier a
  output row_t               row_o,
  output cells_pkg::fours_t  true_fours_o,    // lanes with a true predicate, in fours
  output logic               all_true_o,
  output logic               any_true_o,
  output logic [4:0]         first_lane_o     // lowest lane of the request
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
  assign event_o = next_valid_q || scan_i;
  assign warp_o = next_warp_q;
  assign warp_bit_o = next_hot_q;
  assign is_req_o = next_req_q;
  assign cta_o = next_cta_q;
  assign outside_o = next_outside_q;
  assign above_o = next_above_q;
  assign a_o = next_a_q;
  assign first_o = next_first_q;
  assign b_o = next_b_q;
  assign kind_o = next_kind_q;
  assign wait_o = next_wait_q;
  assign arrived_o = next_arrived_q & {Warps{!next_first_q}};
  assign row_o = next_row_q;
  assign true_fours_o = next_fours_q;
  assign all_true_o = next_all_q;
  assign any_true_o = next_any_q;
  assign first_lane_o = next_lane_q;

  // The choice: the lowest warp, by pairs, with its CTA.
  warps_t     some;
  warp_slot_t slot [Warps];
  cta_t       slot_cta [Warps];
  assign choose = !event_o;
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
  assign {what_a, what_b, what_kind, what_wait} = what_i;
  assign used_cta_o = choice_cta;
  assign left = event_used_i & ~(Barriers'(1) << a_o);
  assign low = low_q[cta_o];
  assign next_a = !choose ? 4'(low_index(32'(rest_i))) : choice_req ? what_a : low_q[choice_cta];
  assign next_first = choose && choice_req && !used_i[what_a];
  assign read_at_o = {choose ? choice_cta : next_cta_q, next_a};
  assign choice_true = true_lanes(pred_i, mask_i, kind_class(what_kind));
  always_ff @(posedge clk_i) begin
    next_valid_q <= rst_ni && choose && pending_i != '0;
    if (complete_i) low_q[cta_o] <= 4'(low_index(32'(left)));
    else if (accept_i && (event_used_i == '0 || a_o < low)) low_q[cta_o] <= a_o;
    next_above_q <= choose ? used_i : rest_i;
    next_a_q <= next_a;
    next_arrived_q <= read_arrived_i;
    next_row_q <= read_row_i;
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
      next_all_q <= choice_true == mask_i;
      next_any_q <= choice_true != '0;
      next_lane_q <= low_index(mask_i);
    end
  end
endmodule
