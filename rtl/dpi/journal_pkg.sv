// Journal records of the RTL (docs/microarchitecture.md 15): one void DPI import per row of
// isa/def/journal.def, arguments in the order of the row's words. The modules of journal.sv call
// them, in the cycle in which the event acts. No import computes a result;
// wl_j_seed only hands over the run seed with which memories are filled at time 0.
// Arrays of lanes arrive as one vector, lane 0 (word 0) in the lowest bits.
`ifdef WL_JOURNAL
`ifndef WL_BOARD  // nothing to call there
package journal_pkg;
  import config_pkg::Lanes;

  localparam int unsigned LaneDataBits = 32 * Lanes;

  import "DPI-C" function void wl_j_rf(input int unsigned bank, input int unsigned row,
    input int unsigned mask, input bit [LaneDataBits-1:0] data);
  import "DPI-C" function void wl_j_pred(input int unsigned warp, input int unsigned pred,
    input int unsigned mask, input int unsigned value);
  import "DPI-C" function void wl_j_smem(input int unsigned bank, input int unsigned row,
    input int unsigned bytes, input int unsigned data);
  import "DPI-C" function void wl_j_xbuf(input int unsigned warp, input int unsigned beat,
    input int unsigned mask, input bit [LaneDataBits-1:0] data);
  import "DPI-C" function void wl_j_fetch(input int unsigned warp, input int unsigned pc,
    input bit [127:0] word, input int unsigned trap);
  import "DPI-C" function void wl_j_issue(input int unsigned warp, input int unsigned pc,
    input int unsigned path, input int unsigned exec);
  import "DPI-C" function void wl_j_resolve(input int unsigned warp, input int unsigned request,
    input int unsigned pc, input int unsigned mask, input int unsigned depth,
    input int unsigned served, input int unsigned turn, input int unsigned live);
  import "DPI-C" function void wl_j_row(input int unsigned warp, input int unsigned leader,
    input int unsigned mask, input int unsigned pc, input int unsigned depth,
    input int unsigned state, input int unsigned op, input int unsigned key);
  import "DPI-C" function void wl_j_walked(input int unsigned warp, input int unsigned run,
    input int unsigned mask, input int unsigned pc, input int unsigned depth,
    input int unsigned leader, input int unsigned exist, input int unsigned served,
    input int unsigned released, input int unsigned stop, input int unsigned below);
  import "DPI-C" function void wl_j_barrier(input int unsigned slot, input int unsigned number,
    input int unsigned arrived_lo, input int unsigned arrived_hi, input int unsigned b,
    input int unsigned kind, input int unsigned popc);
  import "DPI-C" function void wl_j_cta(input int unsigned ev, input int unsigned slot,
    input int unsigned x, input int unsigned y, input int unsigned z,
    input int unsigned warps_lo, input int unsigned warps_hi);
  import "DPI-C" function void wl_j_page(input int unsigned warp, input int unsigned entry,
    input int unsigned page);
  import "DPI-C" function void wl_j_packet(input int unsigned op, input int unsigned atom,
    input int unsigned atype, input int unsigned unit, input int unsigned tag,
    input int unsigned sector_lo, input int unsigned sector_hi, input int unsigned mask,
    input bit [255:0] data);
  import "DPI-C" function void wl_j_response(input int unsigned op, input int unsigned unit,
    input int unsigned tag, input bit [255:0] data);
  import "DPI-C" function void wl_j_trap(input int unsigned cause, input int unsigned warp,
    input int unsigned lane, input int unsigned pc, input int unsigned addr_lo,
    input int unsigned addr_hi);
  import "DPI-C" function void wl_j_state(input int unsigned state);
  import "DPI-C" function void wl_j_monitor(input bit [511:0] pm);
  import "DPI-C" function void wl_j_rest(input int unsigned cycle_lo, input int unsigned cycle_hi,
    input int unsigned rest);

  import "DPI-C" function longint unsigned wl_j_seed();

  // Words of disabled lanes are 0.
  function automatic bit [LaneDataBits-1:0] masked(input logic [31:0] mask,
                                                   input logic [LaneDataBits-1:0] data);
    bit [LaneDataBits-1:0] v;
    v = '0;
    for (int unsigned l = 0; l < Lanes; l++) if (mask[l]) v[32*l+:32] = data[32*l+:32];
    return v;
  endfunction

  // Contents of a seeded memory at time 0: splitmix64 finaliser of section 15, low 32 bits.
  function automatic logic [31:0] seed_word(input logic [63:0] seed, input int unsigned kind,
                                            input int unsigned index);
    logic [63:0] z;
    z = seed + 64'h9E37_79B9_7F4A_7C15 * ((64'(kind) << 56) + 64'(index) + 64'd1);
    z = (z ^ (z >> 30)) * 64'hBF58_476D_1CE4_E5B9;
    z = (z ^ (z >> 27)) * 64'h94D0_49BB_1331_11EB;
    z = z ^ (z >> 31);
    return z[31:0];
  endfunction
endpackage
`endif
`endif
