// Types inside the exchange unit (docs/microarchitecture.md 9).
package warp_pkg;
  import config_pkg::*;
  localparam int unsigned LaneBits = $clog2(Lanes);
  typedef logic [sm_pkg::BeatBits-1:0] beat_t;
  typedef logic [LaneBits-1:0] place_t;     // physical lane
  typedef logic [Lanes-1:0]    row_mask_t;

  // What the operation is.
  typedef struct packed {
    logic shfl, many, mall, elect, redux, warpsync, movm;
    logic vote;            // result is all lanes or none
    logic ballot;          // result is a set of lanes (match.any too)
    logic all, any, uni;   // what is true: all lanes, some, all or none
  } xch_kind_t;

  // Operand b of shfl: lane operand, clamp, segment mask.
  typedef struct packed {
    logic [4:0] seg;
    logic [4:0] clamp;
    logic [4:0] val;
  } shfl_operand_t;

  // The lane that it names for a lane.
  typedef struct packed {
    logic       ok;        // in range
    logic [4:0] lane;
  } shfl_source_t;
endpackage
