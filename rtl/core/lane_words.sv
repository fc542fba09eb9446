// Words of a form of the lowest lane only, for a unit of the SM (docs/microarchitecture.md 6.1): those
// of the step in X1, and whose they are. One sub-core at a time has such an X1, and of its lanes one.
`include "cells/assert.svh"

module lane_words
  import config_pkg::*;
  import sm_pkg::*;
#(
  parameter int unsigned Groups = 3                // of words in a step: a, or a, b and c
) (
  // verilator lint_off UNUSEDSIGNAL // for assertions; of X1 what the forms have
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [CtaBits-1:0]  warp_cta_i [Warps],
  input  logic [SubCores-1:0] mine_i,              // X1 is a form's of the unit
  input  x1_t                 x1_i [SubCores],
  input  logic [31:0]         x1_a_i [SubCores][Lanes],
  input  logic [31:0]         x1_b_i [SubCores][Lanes],
  input  logic [31:0]         x1_c_i [SubCores][Lanes],
  // verilator lint_on UNUSEDSIGNAL
  output logic                any_o,               // the rest is defined
  output x1_t                 x1_o,
  output logic [31:0]         words_o [3],
  output logic [4:0]          lane_o,
  output warp_slot_t          warp_o,
  output logic [CtaBits-1:0]  cta_o
);
  sub_t sub;
  assign any_o = mine_i != '0;
  always_comb begin
    sub = '0;
    for (int unsigned k = 0; k < SubCores; k++) if (mine_i[k]) sub = sub_t'(k);
  end
  always_comb begin
    x1_o = 'x;
    words_o = '{default: 'x};
    lane_o = 'x;
    warp_o = 'x;
    cta_o = 'x;
    if (any_o) begin
      x1_o = x1_i[sub];
      words_o = '{default: '0};
      lane_o = '0;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (x1_o.mask[l]) begin
          words_o[0] |= x1_a_i[sub][l];
          if (Groups == 3) begin
            words_o[1] |= x1_b_i[sub][l];
            words_o[2] |= x1_c_i[sub][l];
          end
          lane_o |= 5'(32'(x1_o.beat) * Lanes + l);
        end
      end
      warp_o = slot_of(x1_o.warp, sub);
      cta_o = warp_cta_i[warp_o];
    end
  end

  `WL_ASSERT(OneSubcore, $onehot0(mine_i))
  `WL_ASSERT(OneLane, !any_o || $onehot(x1_o.mask))
endmodule
