// Result queue (docs/microarchitecture.md 6.5): words of units whose results come after a time of
// their own and that keep none themselves. One word a cycle enters, from one of the producers
// (index.def: RESULT); the oldest one is presented to the variable write-back. Writes no register
// itself.
`include "cells/assert.svh"
module result
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,
  input  logic                   stall_i,        // disturbance (17)
  input  vwb_t                   in_i [ResultPorts],
  input  logic [Lanes-1:0][31:0] in_data_i [ResultPorts],
  output logic [ResultPorts-1:0] taken_o,
  output vwb_t                   vwb_o,          // the oldest word
  output logic [31:0]            vwb_data_o [Lanes],
  input  logic                   vwb_grant_i,
  output logic                   rest_o          // empty, no producer has lost (15); read is write
);
  localparam int unsigned PlaceBits = (ResultDepth > 1) ? $clog2(ResultDepth) : 1;
  localparam int unsigned CountBits = $clog2(ResultDepth + 1);
  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [CountBits-1:0] count_t;
  vwb_t word_q [ResultDepth];
  logic [Lanes-1:0][31:0] data_q [ResultDepth];
  place_t read_q, write_q;
  count_t count_q;

  function automatic place_t next_place(input place_t p);
    return (p == place_t'(ResultDepth - 1)) ? '0 : p + place_t'(1);
  endfunction

  // A word that leaves makes no room in the same cycle.
  logic rst_n, open, take;
  logic [ResultPorts-1:0] valid, pick, lost_q;
  vwb_t word;
  logic [Lanes-1:0][31:0] data;
  assign rst_n = rst_ni && !clear_i;
  assign open = count_q < count_t'(ResultDepth) && !stall_i;
  assign take = open && valid != '0;
  assign taken_o = take ? pick : '0;
  if (ResultPorts == 1) begin : gen_one
    assign pick = valid;
  end else begin : gen_several
    age_arbiter #(.Sources(ResultPorts), .Limit(AgeLimit)) u_arbiter (
      .clk_i, .rst_ni(rst_n), .valid_i(valid), .pick_o(pick), .taken_i(take)
    );
  end
  always_comb begin
    for (int unsigned i = 0; i < ResultPorts; i++) valid[i] = in_i[i].valid;
  end
  always_comb begin
    word = 'x;
    data = 'x;
    if (take) begin
      word = in_i[0];
      data = in_data_i[0];
      for (int unsigned i = 1; i < ResultPorts; i++) begin
        if (pick[i]) begin
          word = in_i[i];
          data = in_data_i[i];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      read_q <= '0;
      write_q <= '0;
      count_q <= '0;
      lost_q <= '0;
    end else begin
      if (take) write_q <= next_place(write_q);
      if (vwb_grant_i) read_q <= next_place(read_q);
      count_q <= count_q + count_t'(take) - count_t'(vwb_grant_i);
      // Whose loss count is above 0.
      lost_q <= valid & ~taken_o & (lost_q | {ResultPorts{take}});
    end
    if (take) begin
      word_q[write_q] <= word;
      data_q[write_q] <= data;
    end
  end

  always_comb begin
    vwb_o = word_q[read_q];
    vwb_o.valid = count_q != '0;
    vwb_o.has_pred = 1'b0;
  end
  always_comb begin
    vwb_data_o = '{default: 'x};
    if (count_q != '0) begin
      for (int unsigned l = 0; l < Lanes; l++) vwb_data_o[l] = data_q[read_q][l];
    end
  end
  assign rest_o = count_q == '0 && lost_q == '0 && read_q == write_q;

  `WL_ASSERT(LeavesAWord, !vwb_grant_i || count_q != '0)
  `WL_ASSERT(TakesOne, $onehot0(taken_o) && (taken_o & ~valid) == '0)
  `WL_ASSERT(CountFits, count_q <= count_t'(ResultDepth))
  `WL_ASSERT(WordHasLanes, !take || word.mask != '0)
endmodule
