// Copy engine: the walk of a command through its sectors (docs/microarchitecture.md 23.2). Asks for the
// sectors of the oldest command that is not walked to its end: of a load at the SM port, of a store or
// a reduction at the chunk port. Each takes a row.
`include "cells/assert.svh"

module copy_walk
  import wl_pkg::*;
  import config_pkg::*;
  import smem_pkg::*;
  import copy_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  input  logic [CopyQueue-1:0] walks_i,      // entries that have still to walk
  // verilator lint_off UNUSEDSIGNAL // where they walk
  input  info_t                info_i [CopyQueue],
  // verilator lint_on UNUSEDSIGNAL
  input  logic                 head_free_i,  // row[head] is FREE
  // Port of the requests: the sector, or halves of it in shared memory.
  output logic                 load_o,       // asks at the SM port
  input  logic                 load_grant_i,
  output logic                 read_o,       // asks at the chunk port
  output logic [1:0]           halves_o,     // those that it asks for there
  output logic                 final_o,      // only or last request of the sector
  input  logic                 read_grant_i,
  output row_t                 row_o,        // the sector's row
  output logic                 take_o,       // row[head] := ASKED
  output event_t               walked_o,     // with the last sector
  output entry_t               walk_o,       // the entry that walks, or the next one that will
  output logic                 rest_o        // it is at no sector
);
  entry_t       walk_q;
  logic         first_q;    // `at` is 0: the command begins
  logic         second_q;
  global_at_t   g_q;        // of the sector's first chunk
  chunk_count_t left_q;     // chunks from there on
  chunk_at_t    s_q;

  logic asks, load, both;
  global_at_t   g;
  chunk_count_t left;
  chunk_at_t    s;
  assign asks = walks_i[walk_q] && head_free_i;
  assign load = is_load(info_i[walk_q].kind);
  always_comb begin
    {g, left, s} = 'x;
    both = 'x;
    row_o = 'x;
    halves_o = 'x;
    final_o = 'x;
    if (asks) begin
      g = first_q ? info_i[walk_q].g : g_q;
      left = first_q ? info_i[walk_q].chunks : left_q;
      s = first_q ? info_i[walk_q].s : s_q;
      both = !g[0] && left != chunk_count_t'(1);
      row_o.entry = walk_q;
      row_o.last = left == (both ? chunk_count_t'(2) : chunk_count_t'(1));
      row_o.halves = {both || g[0], !g[0]};
      row_o.at = s - chunk_at_t'(g[0]);
      row_o.sector = g[27:1];
      halves_o = row_o.halves;
      final_o = 1'b1;
      if (!Pair && both && !load) begin
        halves_o = second_q ? 2'b10 : 2'b01;
        final_o = second_q;
      end
    end
  end
  assign walk_o = walk_q;
  assign rest_o = first_q && !second_q;
  assign load_o = asks && load;
  assign read_o = asks && !load;
  assign take_o = load_grant_i || (read_grant_i && final_o);
  assign walked_o = '{valid: take_o && row_o.last, entry: walk_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      walk_q <= '0;
      first_q <= 1'b1;
      second_q <= 1'b0;
    end else if (asks) begin
      if (read_grant_i) second_q <= !final_o;
      if (take_o) begin
        first_q <= row_o.last;
        if (row_o.last) walk_q <= next_entry(walk_q);
        g_q <= g + (both ? global_at_t'(2) : global_at_t'(1));
        left_q <= left - (both ? chunk_count_t'(2) : chunk_count_t'(1));
        s_q <= s + (both ? chunk_at_t'(2) : chunk_at_t'(1));
      end
    end
  end

  `WL_ASSERT(GrantsAsked, (!load_grant_i || load_o) && (!read_grant_i || read_o))
  `WL_ASSERT(HasChunks, !asks || left != '0)
  `WL_ASSERT(LaterSectorsWhole, !asks || first_q || !g[0])
endmodule
