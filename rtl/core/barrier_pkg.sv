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
    return pred & lanes & {32{kind != 3'(BarSync)}};
  endfunction

  function automatic logic [6:0] count_warps(input warps_t v);
    logic [63:0] wide;
    wide = 64'(v);
    return 7'(cells_pkg::add_fours(cells_pkg::count_fours(wide[31:0]))) +
           ((Warps > 32) ? 7'(cells_pkg::add_fours(cells_pkg::count_fours(wide[63:32]))) : 7'd0);
  endfunction
endpackage
