// Range notes (docs/microarchitecture.md 5): registers lo .. hi of a warp that an instruction has
// still to write, in ascending order. Issue takes the lowest free note; the last beat word of
// register lo makes the note begin after it, and of register hi frees it. Judges no instruction:
// the units that do compare the notes themselves.
`include "cells/assert.svh"
module range_notes
  import sm_pkg::*;
  import hazard_pkg::*;
#(
  parameter int unsigned Notes = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             set_i,          // a note is taken: registers lo .. hi, cut at the last
  input  warp_t            set_warp_i,
  input  reg_t             set_lo_i,
  input  reg_t             set_hi_i,
  input  logic             wrote_i,        // the last beat word of a register is written
  input  warp_t            wrote_warp_i,
  input  reg_t             wrote_reg_i,
  output logic             free_o,         // there is a free note
  output logic [Notes-1:0] valid_o,
  output warp_t            warp_o [Notes],
  output reg_t             lo_o [Notes],
  output reg_t             hi_o [Notes]
);
  logic [Notes-1:0] valid_q, set, hit, ends;
  warp_t warp_q [Notes];
  reg_t lo_q [Notes];
  reg_t hi_q [Notes];
  assign free_o = valid_q != '1;
  assign valid_o = valid_q;
  assign warp_o = warp_q;
  assign lo_o = lo_q;
  assign hi_o = hi_q;
  always_comb begin
    set = set_i ? ~valid_q & (valid_q + Notes'(1)) : '0;
    {hit, ends} = '0;
    if (wrote_i && valid_q != '0) begin
      for (int unsigned i = 0; i < Notes; i++) begin
        hit[i] = valid_q[i] && warp_q[i] == wrote_warp_i && lo_q[i] == wrote_reg_i;
        ends[i] = hit[i] && lo_q[i] == hi_q[i];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= (valid_q & ~ends) | set;
    for (int unsigned i = 0; i < Notes; i++) begin
      if (set[i]) begin
        warp_q[i] <= set_warp_i;
        lo_q[i] <= set_lo_i;
        hi_q[i] <= set_hi_i;
      end else if (hit[i]) begin
        lo_q[i] <= lo_q[i] + reg_t'(1);
      end
    end
  end

  `WL_ASSERT(NoteIsFree, !set_i || free_o)
  `WL_ASSERT(RangeAscends, !set_i || set_lo_i <= set_hi_i)
  `WL_ASSERT(WordOfOneNote, $onehot0(hit))
endmodule
