// Types and functions of the barrier unit (docs/microarchitecture.md 8).
package barrier_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;

  localparam int unsigned BarBits = CtaBits + 4;
  localparam int unsigned SumBits = $clog2(Warps * 32 + 1);
  typedef logic [Barriers-1:0] barriers_t;   // of a CTA
  typedef logic [Warps-1:0]    warps_t;
  typedef logic [CtaBits-1:0]  cta_t;
  typedef logic [13:0]         what_t;       // a, b, kind, wait of a request

  // A barrier, besides the warps that arrived.
  typedef struct packed {
    logic [5:0]         b;
    logic [2:0]         kind;
    logic               all, any;
    logic [SumBits-1:0] popc;
  } row_t;

  // Request of a warp: where and how it arrives, its lanes, their predicates.
  typedef struct packed {
    what_t       what;
    logic [31:0] mask;
    logic [31:0] pred;
  } request_t;

  // A barrier as it is kept.
  typedef struct packed {
    warps_t arrived;
    row_t   row;
  } kept_t;

  // The event of a cycle, found in barrier_now or barrier_later: a request, or the end of a warp.
  typedef struct packed {
    logic              valid;
    warp_slot_t        warp;
    warps_t            warp_bit;
    logic              is_req;
    cta_t              cta;
    warps_t            outside;     // warps of other CTAs
    barriers_t         above;       // at which an end has still to look
    logic [3:0]        a;
    logic              first;       // request: nobody has arrived yet
    logic [5:0]        b;           // of the request
    logic [2:0]        kind;
    logic              waits;
    warps_t            arrived;     // at barrier a
    row_t              row;
    cells_pkg::fours_t true_fours;  // lanes with a true predicate, in fours
    logic              all_true;
    logic              any_true;
    logic [4:0]        first_lane;  // lowest lane of the request
  } event_t;

  // Consequences of the event.
  typedef struct packed {
    logic      scan_more;           // an end goes on with the next barrier
    barriers_t rest;                // at which it has still to look then
    logic      accept;
    logic      complete;
  } outcome_t;

  // b and kind as they are kept.
  function automatic logic [5:0] whole(input logic [5:0] b, input logic [5:0] nwarps);
    return (b == nwarps) ? 6'd0 : b;
  endfunction
  function automatic logic [2:0] kind_class(input logic [2:0] kind);
    return (kind == 3'(BarArrive)) ? 3'(BarSync) : kind;
  endfunction

  // Lanes with a true predicate; forms without one count as false.
  function automatic logic [31:0] true_lanes(input logic [31:0] pred, input logic [31:0] lanes,
                                             input logic [2:0] kind);
    return pred & lanes & {32{kind != 3'(BarSync) && kind != 3'(BarCluster)}};
  endfunction

  function automatic logic [6:0] count_warps(input warps_t v);
    logic [63:0] wide;
    wide = 64'(v);
    return 7'(cells_pkg::add_fours(cells_pkg::count_fours(wide[31:0]))) +
           ((Warps > 32) ? 7'(cells_pkg::add_fours(cells_pkg::count_fours(wide[63:32]))) : 7'd0);
  endfunction
endpackage
