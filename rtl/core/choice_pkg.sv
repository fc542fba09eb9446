// Choices among warps and slots: the lowest one, the first one after the last choice. Numbers of
// bits that are set.
// Timing: without carry chains where few bits allow it.
package choice_pkg;
  import config_pkg::*;
  import sm_pkg::*;

  // Bit k of the number of a one-hot bit is the OR over these bits.
  localparam logic [63:0] IndexMask[6] = '{
    64'hAAAA_AAAA_AAAA_AAAA, 64'hCCCC_CCCC_CCCC_CCCC, 64'hF0F0_F0F0_F0F0_F0F0,
    64'hFF00_FF00_FF00_FF00, 64'hFFFF_0000_FFFF_0000, 64'hFFFF_FFFF_0000_0000};

  // Number of the only bit.
  function automatic logic [4:0] bit_number(input logic [31:0] one_hot);
    logic [4:0] i;
    for (int unsigned k = 0; k < 5; k++) i[k] = |(one_hot & IndexMask[k][31:0]);
    return i;
  endfunction

  // Number of the lowest bit: groups of four, then pairs of groups, without a carry chain. 0 for 0.
  function automatic logic [4:0] low_index(input logic [31:0] v);
    logic [7:0] g;
    logic [4:0] i [8];
    for (int unsigned k = 0; k < 8; k++) begin
      g[k] = v[4*k+:4] != '0;
      i[k] = '0;
      i[k][1] = !v[4*k] && !v[4*k+1] && (v[4*k+2] || v[4*k+3]);
      i[k][0] = !v[4*k] && (v[4*k+1] || (!v[4*k+2] && v[4*k+3]));
    end
    for (int unsigned l = 0; l < 3; l++) begin
      for (int unsigned k = 0; k < (32'd4 >> l); k++) begin
        i[k] = g[2*k] ? i[2*k] : i[2*k+1];
        i[k][l+2] = !g[2*k] && g[2*k+1];
        g[k] = g[2*k] || g[2*k+1];
      end
    end
    return i[0];
  endfunction

  function automatic warp_t warp_number(input logic [SubWarps-1:0] one_hot);
    warp_t i;
    for (int unsigned k = 0; k < WarpBits; k++) i[k] = |(one_hot & IndexMask[k][SubWarps-1:0]);
    return i;
  endfunction

  // Of few warps without a carry chain.
  function automatic warp_t lowest_warp(input logic [SubWarps-1:0] v);
    if (SubWarps <= 8) return warp_t'(low_index(32'(v)));
    return warp_number(v & (~v + SubWarps'(1)));
  endfunction

  // First of v after warp last, circular ascending.
  function automatic warp_t next_warp(input logic [SubWarps-1:0] v, input warp_t last);
    logic [SubWarps-1:0] above;
    above = v & ({SubWarps{1'b1}} << last) & ~(SubWarps'(1) << last);
    if (SubWarps <= 8) return (above != '0) ? lowest_warp(above) : lowest_warp(v);  // fewer levels
    return lowest_warp((above != '0) ? above : v);
  endfunction

  // The same for the slots of the SM.
  function automatic warp_slot_t lowest_slot(input logic [Warps-1:0] v);
    logic [Warps-1:0] one_hot;
    warp_slot_t i;
    one_hot = v & (~v + Warps'(1));
    for (int unsigned k = 0; k < WarpSlotBits; k++) i[k] = |(one_hot & IndexMask[k][Warps-1:0]);
    return i;
  endfunction
endpackage
