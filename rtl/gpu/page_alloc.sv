// Register pages of an SM (docs/microarchitecture.md 3): a bit for each free page and their number by
// sub-core. A CTA that is placed takes one page per cycle; a CTA that ends returns all in one cycle.
`include "cells/assert.svh"
module page_alloc
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,      // trap end: all pages are free
  input  logic                    running_i,    // a launch is in RUN: the next two stand still
  input  logic [6:0]              warps_i,      // of a CTA
  input  logic [5:0]              reg_pages_i,  // of a warp
  // Whether there are pages for a CTA in these warp slots.
  input  logic [Warps-1:0]        want_i,
  output logic                    fits_o,
  // The lowest free page for this warp, taken for this CTA.
  input  logic                    take_i,
  input  warp_slot_t              take_warp_i,
  input  logic [CtaBits-1:0]      take_cta_i,
  output logic [PageBits-1:0]     taken_o,
  // A CTA that ends, one-hot, and its warp slots.
  input  logic                    free_i,
  input  logic [(1<<CtaBits)-1:0] free_hot_i,
  input  logic [Warps-1:0]        free_warps_i,
  output logic                    rest_o        // all pages are free
);
  // The page bitmap in words of 32: those of sub-core 0, then of 1 and so on.
  localparam int unsigned PageWords = RegPages / 32;
  localparam int unsigned SubWords = SubPages / 32;
  localparam int unsigned WordBits = (PageWords > 1) ? $clog2(PageWords) : 1;
  localparam int unsigned CountBits = $clog2(SubPages + 1);

  // What is known of a page's last CTA lets a CTA return all of its pages in one cycle.
  logic [31:0]          page_free_q [PageWords];
  logic [CtaBits-1:0]   page_cta_q [RegPages];
  logic [CountBits-1:0] free_pages_q [SubCores];
  logic [12:0]          cta_pages_q;  // pages of one CTA in all
  always_ff @(posedge clk_i) if (!running_i) cta_pages_q <= 13'(warps_i) * 13'(reg_pages_i);

  // Pages of a CTA in sub-core k, given its warp slots.
  // verilator lint_off UNUSEDSIGNAL // with several sub-cores only
  function automatic logic [12:0] pages_in(input logic [Warps-1:0] slots, input int unsigned k,
                                           input logic [5:0] pages, input logic [12:0] all);
    logic [6:0] n;
    n = '0;
    for (int unsigned w = 0; w < SubWarps; w++) n += 7'(slots[w*SubCores+k]);
    return (SubCores == 1) ? all : 13'(n) * 13'(pages);
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  always_comb begin
    fits_o = 1'b1;
    for (int unsigned k = 0; k < SubCores; k++) begin
      if (13'(free_pages_q[k]) < pages_in(want_i, k, reg_pages_i, cta_pages_q)) fits_o = 1'b0;
    end
  end

  logic [WordBits-1:0] page_word;
  logic [4:0]          page_bit;
  logic [31:0]         page_hot [PageWords];  // one in all
  sub_t                take_sub;
  // The lowest page of each word, beside which word it is.
  always_comb begin
    logic        found;
    logic [32:0] negative;  // [32]: the word has no page
    logic [31:0] lowest;
    {found, negative, lowest, page_word, page_bit, take_sub} = 'x;
    page_hot = '{default: '0};
    if (take_i) begin
      found = 1'b0;
      take_sub = sub_of(take_warp_i);
      for (int unsigned i = 0; i < PageWords; i++) begin
        negative = {1'b0, ~page_free_q[i]} + 33'd1;
        lowest = page_free_q[i] & negative[31:0];
        if (!found && !negative[32] && (SubCores == 1 || take_sub == sub_t'(i / SubWords))) begin
          found = 1'b1;
          page_word = WordBits'(i);
          page_bit = bit_number(lowest);
          page_hot[i] = lowest & {32{take_i}};
        end
      end
    end
  end
  assign taken_o = PageBits'({page_word, page_bit});

  // Pages.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      for (int unsigned i = 0; i < PageWords; i++) page_free_q[i] <= '1;
      for (int unsigned k = 0; k < SubCores; k++) free_pages_q[k] <= CountBits'(SubPages);
    end else if (take_i || free_i) begin
      for (int unsigned i = 0; i < PageWords; i++) begin
        logic [31:0] back;
        back = '0;
        if (free_i) begin
          for (int unsigned p = 0; p < 32; p++) back[p] = free_hot_i[page_cta_q[32*i+p]];
        end
        // A free page may still name the CTA, also the page taken in this cycle.
        page_free_q[i] <= (page_free_q[i] | back) & ~page_hot[i];
      end
      for (int unsigned k = 0; k < SubCores; k++) begin
        // Whether a CTA is freed comes late.
        logic [CountBits-1:0] less;
        less = free_pages_q[k] -
               CountBits'(take_i && (SubCores == 1 || take_sub == sub_t'(k)));
        free_pages_q[k] <= !free_i ? less :
            less + CountBits'(pages_in(free_warps_i, k, reg_pages_i, cta_pages_q));
      end
    end
    if (take_i) begin
      for (int unsigned p = 0; p < RegPages; p++) begin
        if (page_hot[p/32][p%32]) page_cta_q[p] <= take_cta_i;
      end
    end
  end

  always_comb begin
    rest_o = 1'b1;
    for (int unsigned i = 0; i < PageWords; i++) if (page_free_q[i] != '1) rest_o = 1'b0;
    for (int unsigned k = 0; k < SubCores; k++) begin
      if (free_pages_q[k] != CountBits'(SubPages)) rest_o = 1'b0;
    end
  end

  `WL_ASSERT(PageIsFree, !take_i || free_pages_q[take_sub] != '0)
  `WL_ASSERT(FreesOneCta, free_i == (free_hot_i != '0) && $onehot0(free_hot_i))
endmodule
