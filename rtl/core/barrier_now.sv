// Event of a cycle in the barrier unit, EventDelay = 0 (docs/microarchitecture.md 8): the warp is
// chosen, read, and acts in one cycle. barrier_later.sv is the other variant, with the same ports.
module barrier_now
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import barrier_pkg::*;
(
  input  logic               clk_i,
  // verilator lint_off UNUSEDSIGNAL // for the other variant
  input  logic               rst_ni,
  // verilator lint_on UNUSEDSIGNAL
  input  warps_t             pending_i,     // warps with a request or an end
  input  warps_t             req_i,         // with a request
  input  cta_t               warp_cta_i [Warps],
  input  warps_t             cta_warps_i [Ctas],
  input  logic [5:0]         cta_nwarps_i [Ctas],
  input  logic               scan_i,        // an end goes on
  // verilator lint_off UNUSEDSIGNAL // a part for the other variant
  input  outcome_t           outcome_i,
  input  barriers_t          event_used_i,  // of the event's CTA
  // verilator lint_on UNUSEDSIGNAL
  // Reads: barriers used in a CTA, a request, a barrier.
  output cta_t               used_cta_o,
  input  barriers_t          used_i,
  output warp_slot_t         read_warp_o,
  input  request_t           request_i,
  output logic [BarBits-1:0] read_at_o,
  input  kept_t              kept_i,
  output event_t             event_o
);
  warp_slot_t  scan_warp_q, warp;
  barriers_t   scan_rest_q, above;
  logic        is_req, first, waits;
  cta_t        cta;
  logic [3:0]  a, req_a;
  logic [5:0]  what_b;
  logic [2:0]  what_kind, kind;
  warps_t      arrived;
  logic [31:0] lanes, preds;
  assign warp = scan_i ? scan_warp_q : lowest_slot(pending_i);
  assign is_req = !scan_i && req_i[warp];
  assign cta = warp_cta_i[warp];
  assign read_warp_o = warp;
  assign {req_a, what_b, what_kind, waits} = request_i.what;
  assign kind = kind_class(what_kind);
  assign used_cta_o = cta;
  assign above = scan_i ? scan_rest_q : used_i;
  assign a = is_req ? req_a : 4'(low_index(32'(above)));
  assign first = is_req && !used_i[a];
  assign read_at_o = {cta, a};
  always_comb begin
    arrived = '0;
    lanes = '0;
    preds = '0;
    if (pending_i != '0) begin
      arrived = kept_i.arrived & {Warps{!first}};
      if (is_req) begin
        lanes = request_i.mask;
        preds = true_lanes(request_i.pred, lanes, kind);
      end
    end
  end
  assign event_o = '{
    valid: pending_i != '0, warp: warp, warp_bit: Warps'(1) << warp, is_req: is_req, cta: cta,
    outside: ~cta_warps_i[cta], above: above, a: a, first: first,
    b: whole(what_b, cta_nwarps_i[cta]), kind: kind, waits: waits, arrived: arrived,
    row: kept_i.row, true_fours: cells_pkg::count_fours(preds), all_true: preds == lanes,
    any_true: preds != '0, first_lane: low_index(lanes)
  };
  always_ff @(posedge clk_i) begin
    if (outcome_i.scan_more) begin
      scan_warp_q <= warp;
      scan_rest_q <= outcome_i.rest;
    end
  end
endmodule
