// Exchange buffer (docs/microarchitecture.md 9): a word per lane of each warp. A beat's lanes are
// written at once, of the warp served one row (beat) is read. A poke writes one lane's word.
module xbuf
  import config_pkg::*;
  import sm_pkg::*;
  import warp_pkg::*;
(
  input  logic        clk_i,
  input  logic        write_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  x1_t         x1_i,            // warp, beat and lanes of a write
  input  poke_t       poke_i,
  input  peek_t       peek_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] data_i [Lanes],
  input  warp_t       warp_i,          // of the row that is read
  input  beat_t       row_at_i,
  output logic [31:0] row_o [Lanes]
);
  logic poke;
  logic [4:0] poke_lane;
  logic [31:0] data [Lanes];
  warp_t warp;
  beat_t beat;
  row_mask_t mask;
  assign poke = poke_i.valid[3'(wl_pkg::ArrayXbuf)];
  assign poke_lane = poke_i.slice[4:0];
  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) data[p] = poke ? poke_i.data : data_i[p];
    warp = poke ? poke_i.row[WarpBits-1:0] : x1_i.warp;
    beat = (poke && Beats > 1) ? beat_t'(poke_lane >> LaneBits) : x1_i.beat;
    mask = poke ? row_mask_t'(1) << place_t'(poke_lane) : x1_i.mask;
    if (!(poke || (write_i && !peek_i.valid))) mask = '0;
  end
  lane_ram #(.Lanes(Lanes), .Warps(SubWarps), .Beats(Beats), .Width(32)) u_ram (
    .clk_i, .write_i(mask), .wwarp_i(warp), .wbeat_i(beat), .data_i(data), .rwarp_i(warp_i),
    .rbeat_i(row_at_i), .row_o
  );
endmodule
