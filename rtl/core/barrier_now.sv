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
  input  warps_t             pending_i,       // warps with a request or an end
  input  warps_t             req_i,           // with a request
  input  cta_t               warp_cta_i [Warps],
  input  warps_t             cta_warps_i [Ctas],
  input  logic [5:0]         cta_nwarps_i [Ctas],
  // An end goes on with the next barrier.
  input  logic               scan_i,
  input  logic               scan_more_i,
  input  barriers_t          rest_i,
  // verilator lint_off UNUSEDSIGNAL // for the other variant
  input  logic               accept_i,
  input  logic               complete_i,
  // verilator lint_on UNUSEDSIGNAL
  // What is read: barriers used in a CTA, a request, a barrier.
  output cta_t               used_cta_o,
  input  barriers_t          used_i,
  // verilator lint_off UNUSEDSIGNAL // for the other variant
  input  barriers_t          event_used_i,    // of the event's CTA
  // verilator lint_on UNUSEDSIGNAL
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
  warp_slot_t  scan_warp_q;
  barriers_t   scan_rest_q;
  logic [3:0]  req_a;
  logic [5:0]  what_b;
  logic [2:0]  what_kind;
  logic [31:0] lanes, preds;
  assign event_o = pending_i != '0;
  assign warp_o = scan_i ? scan_warp_q : lowest_slot(pending_i);
  assign warp_bit_o = Warps'(1) << warp_o;
  assign is_req_o = !scan_i && req_i[warp_o];
  assign cta_o = warp_cta_i[warp_o];
  assign outside_o = ~cta_warps_i[cta_o];
  assign read_warp_o = warp_o;
  assign {req_a, what_b, what_kind, wait_o} = what_i;
  assign b_o = whole(what_b, cta_nwarps_i[cta_o]);
  assign kind_o = kind_class(what_kind);
  assign used_cta_o = cta_o;
  assign above_o = scan_i ? scan_rest_q : used_i;
  assign a_o = is_req_o ? req_a : 4'(low_index(32'(above_o)));
  assign first_o = is_req_o && !used_i[a_o];
  assign read_at_o = {cta_o, a_o};
  assign row_o = read_row_i;
  always_comb begin
    arrived_o = '0;
    lanes = '0;
    preds = '0;
    if (event_o) begin
      arrived_o = read_arrived_i & {Warps{!first_o}};
      if (is_req_o) begin
        lanes = mask_i;
        preds = true_lanes(pred_i, lanes, kind_o);
      end
    end
  end
  assign true_fours_o = cells_pkg::count_fours(preds);
  assign all_true_o = preds == lanes;
  assign any_true_o = preds != '0;
  assign first_lane_o = low_index(lanes);
  always_ff @(posedge clk_i) begin
    if (scan_more_i) begin
      scan_warp_q <= warp_o;
      scan_rest_q <= rest_i;
    end
  end
endmodule
