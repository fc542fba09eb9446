// Dispatcher of an SM (docs/microarchitecture.md 3): places the CTAs that the grid offers, allocates
// their register pages and frees them. Shared memory addresses follow from the CTA slot.
`include "cells/assert.svh"
module dispatcher
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                running_i,     // a launch is in RUN
  input  logic                clear_i,       // trap end
  // verilator lint_off UNUSEDSIGNAL // only greedy rows number the CTAs; parts of the launch block
  input  logic                start_i,       // start cycle of a launch
  input  logic [31:0]         lb_i [LaunchBlockWords],
  // verilator lint_on UNUSEDSIGNAL
  // The next CTA of the grid, and whether it is placed in this cycle.
  input  logic                offer_valid_i,
  input  logic [31:0]         offer_x_i,
  input  logic [15:0]         offer_y_i,
  input  logic [15:0]         offer_z_i,
  output logic                offer_taken_o,
  output logic                empty_o,       // no CTA is there or being placed
  output logic                stopped_o,     // a trap is pending, and no instruction is in flight
  output logic [Warps-1:0]    warp_valid_o,
  output logic [Warps-1:0]    warp_start_o,
  output logic [31:0]         tail_mask_o,   // lanes of the last warp of a CTA
  output logic [Warps-1:0]    start_tail_o,  // the last warp of its CTA
  output logic [CtaBits-1:0]  warp_cta_o [Warps],
  output logic [4:0]          warp_index_o [Warps],
  output logic [31:0]         cta_x_o [Ctas],
  output logic [31:0]         cta_y_o [Ctas],
  output logic [31:0]         cta_z_o [Ctas],
  output logic [31:0]         cta_seq_o [Ctas],
  output logic [5:0]          cta_nwarps_o [Ctas],
  output logic [Warps-1:0]    cta_warps_o [Ctas],
  output logic                cta_free_o,    // a CTA slot is freed
  output logic [CtaBits-1:0]  cta_free_slot_o,
  output logic                page_we_o,
  output warp_slot_t          page_warp_o,
  output logic [4:0]          page_entry_o,
  output logic [PageBits-1:0] page_value_o,
  input  logic [Warps-1:0]    warp_idle_i,
  input  logic [Warps-1:0]    inflight_zero_i,
  input  logic                trap_pending_i,
  output logic [RestUnits-1:0] rest_o        // of record REST (15): 1 where it has no such unit
);
  localparam int unsigned SmemUnits = SmemBytes / 1024;
  localparam int unsigned SlotCountBits = $clog2(Warps + 1);

  // Page sequence of the CTA being placed.
  logic                 alloc_q;
  logic [CtaBits-1:0]   slot_q;
  logic [Warps-1:0]     taken_q, todo_q;
  logic [4:0]           entry_q;
  // Slots.
  logic [Ctas-1:0]      cta_valid_q;
  logic [31:0]          cta_x_q [Ctas];
  logic [15:0]          cta_y_q [Ctas];
  logic [15:0]          cta_z_q [Ctas];
  logic [Warps-1:0]     cta_warps_q [Ctas];
  logic [Warps-1:0]     warp_valid_q;
  logic [CtaBits-1:0]   warp_cta_q [Warps];
  logic [4:0]           warp_index_q [Warps];

  // Launch block values. Their ranges (warps <= 32, reg_pages <= 32) hold by the launch contract.
  logic [6:0]           warps;
  logic [5:0]           reg_pages;
  assign warps = lb_i[LaunchWarps][6:0];
  assign reg_pages = lb_i[LaunchRegPages][5:0];
  // Constants of the launch, in registers of their own before anything can start.
  logic [Ctas-1:0]      smem_fits_q;  // shared memory has the part of CTA slot s
  logic [Ctas-1:0]      more_fits_q;  // beside s CTAs there are warp slots for one more
  logic [31:0]          tail_mask_q;
  always_ff @(posedge clk_i) begin
    if (!running_i) begin
      // (s + 1) * units <= SmemUnits, as a limit of units for each slot
      for (int unsigned s = 0; s < Ctas; s++) begin
        smem_fits_q[s] <= lb_i[LaunchSmemUnits][31:9] == '0 &&
                          lb_i[LaunchSmemUnits][8:0] <= 9'(SmemUnits / (s + 1));
        more_fits_q[s] <= warps <= 7'(Warps / (s + 1));
      end
      tail_mask_q <= ~({32{lb_i[LaunchThreads][4:0] != '0}} << lb_i[LaunchThreads][4:0]);
    end
  end

  function automatic logic [2:0] ones_of(input logic [3:0] v);
    return 3'(v[0]) + 3'(v[1]) + 3'(v[2]) + 3'(v[3]);
  endfunction

  // Fit check: lowest free CTA slot, lowest free warp slots. A warp slot's rank among the free ones
  // is that of its four and the place in it.
  localparam int unsigned Fours = (Warps + 3) / 4;
  logic                 fit_en, fit, slot_free;
  logic [CtaBits-1:0]   fit_slot;
  logic [Warps-1:0]     fit_warps;
  logic [4:0]           fit_index [Warps];
  logic                 smem_fits, warps_fit, pages_fit;
  assign fit_en = running_i && !alloc_q && offer_valid_i && !trap_pending_i;

  // The same where the warp's index names its sub-core (24): with four sub-cores only.
  logic             named, named_fit;
  logic [Warps-1:0] named_warps;
  logic [4:0]       named_index [Warps];
  slots_by_index u_named (
    .clk_i, .running_i, .by_index_i(lb_i[LaunchByIndex][0]), .free_i(~warp_valid_q & {Warps{fit_en}}),
    .warps_i(warps), .on_o(named), .fits_o(named_fit), .slots_o(named_warps), .index_o(named_index)
  );

  always_comb begin
    logic [SlotCountBits-1:0] free_count, rank;
    logic [4*Fours-1:0]       is_free;
    logic [3:0]               four;
    logic [5:0]               ctas;  // that are there
    {slot_free, smem_fits, warps_fit, ctas, fit_slot, fit_warps} = 'x;
    {free_count, rank, is_free, four} = 'x;
    fit_index = '{default: 'x};
    if (fit_en) begin
      {slot_free, warps_fit, ctas, free_count} = '0;
      for (int unsigned s = 0; s < Ctas; s++) begin
        if (!slot_free && !cta_valid_q[s]) begin
          slot_free = 1'b1;
          smem_fits = smem_fits_q[s];
          fit_slot = CtaBits'(s);
        end
      end
      for (int unsigned s = 0; s < Ctas; s += 4) ctas += 6'(ones_of(4'(cta_valid_q >> s)));
      for (int unsigned s = 0; s < Ctas; s++) if (ctas == 6'(s)) warps_fit = more_fits_q[s];
      is_free = (4*Fours)'(~warp_valid_q);
      for (int unsigned f = 0; f < Fours; f++) begin
        four = is_free[4*f +: 4];
        for (int unsigned i = 0; i < 4 && 4 * f + i < Warps; i++) begin
          rank = free_count + SlotCountBits'(ones_of(four & 4'((1 << i) - 1)));
          fit_index[4*f+i] = 5'(rank);
          // (without effect when the CTA has more warps than there are)
          fit_warps[4*f+i] = four[i] && rank < SlotCountBits'(warps);
        end
        free_count += SlotCountBits'(ones_of(four));
      end
      if (named) begin
        fit_warps = named_warps;
        fit_index = named_index;
        warps_fit = warps_fit && named_fit;
      end
    end
    fit = fit_en && slot_free && smem_fits && warps_fit && pages_fit;
  end

  // Pages: one per cycle for entry entry_q of the lowest warp that still lacks some.
  logic       entry_last_q, alloc_last;  // entry_q is that of the warp's last page
  warp_slot_t alloc_warp;
  always_comb begin
    alloc_warp = 'x;
    if (alloc_q) alloc_warp = lowest_slot(todo_q);
  end
  assign alloc_last = alloc_q && entry_last_q && (todo_q & (todo_q - Warps'(1))) == '0;
  assign page_we_o = alloc_q;
  assign page_warp_o = alloc_warp;
  assign page_entry_o = entry_q;

  // Free: the lowest valid CTA whose warps are all idle, which comes late.
  logic                    free;
  logic [CtaBits-1:0]      free_slot;
  logic [(1<<CtaBits)-1:0] free_hot;
  logic [Warps-1:0]        free_warps;
  always_comb begin
    free = 1'b0;
    free_slot = '0;
    free_hot = '0;
    free_warps = '0;
    if (running_i) begin
      for (int unsigned s = 0; s < Ctas; s++) begin
        free_hot[s] = !free && cta_valid_q[s] && (cta_warps_q[s] & ~warp_idle_i) == '0;
        if (free_hot[s]) begin
          free = 1'b1;
          free_slot = CtaBits'(s);
          free_warps = free_warps | cta_warps_q[s];
        end
      end
    end
  end

  logic pages_rest;
  page_alloc u_pages (
    .clk_i, .rst_ni, .clear_i, .running_i, .warps_i(warps), .reg_pages_i(reg_pages),
    .want_i(fit_warps), .fits_o(pages_fit),
    .take_i(alloc_q), .take_warp_i(alloc_warp), .take_cta_i(slot_q), .taken_o(page_value_o),
    .free_i(free), .free_hot_i(free_hot), .free_warps_i(free_warps), .rest_o(pages_rest)
  );

  // For the end of the launch.
  assign offer_taken_o = fit;
  assign empty_o = !alloc_q && cta_valid_q == '0;
  assign stopped_o = trap_pending_i && !alloc_q && (&inflight_zero_i);

  // Slots. What a slot holds is written when it is taken; it is looked at only once valid.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cta_valid_q <= '0;
      warp_valid_q <= '0;
      alloc_q <= 1'b0;
    end else if (running_i) begin
      if (fit) alloc_q <= 1'b1;
      else if (alloc_last) alloc_q <= 1'b0;
      if (clear_i) begin
        cta_valid_q <= '0;
        warp_valid_q <= '0;
      end else begin
        cta_valid_q <= (cta_valid_q | (Ctas'(alloc_last) << slot_q)) & ~free_hot[Ctas-1:0];
        warp_valid_q <= (warp_valid_q | warp_start_o) & ~free_warps;
      end
    end
    if (fit) begin
      logic [CtaBits-1:0] cta_of [Warps];
      logic [4:0]         index [Warps];
      slot_q <= fit_slot;
      taken_q <= fit_warps;
      todo_q <= fit_warps;
      entry_q <= '0;
      entry_last_q <= reg_pages == 6'd1;
      cta_x_q[fit_slot] <= offer_x_i;
      cta_y_q[fit_slot] <= offer_y_i;
      cta_z_q[fit_slot] <= offer_z_i;
      cta_warps_q[fit_slot] <= fit_warps;
      cta_of = warp_cta_q;
      index = warp_index_q;
      for (int unsigned w = 0; w < Warps; w++) begin
        if (fit_warps[w]) begin
          cta_of[w] = fit_slot;
          index[w] = fit_index[w];
        end
      end
      warp_cta_q <= cta_of;
      warp_index_q <= index;
    end
    if (alloc_q) begin
      entry_q <= entry_last_q ? 5'd0 : entry_q + 5'd1;
      entry_last_q <= reg_pages == (entry_last_q ? 6'd1 : 6'(entry_q) + 6'd2);
      if (entry_last_q) todo_q <= todo_q & (todo_q - Warps'(1));
    end
  end

  // Launch numbers of CTAs, by which a greedy scheduler tells their age.
  if (SchedGreedy != 0) begin : gen_seq
    logic [31:0] seq_q;
    logic [31:0] cta_seq_q [Ctas];
    always_ff @(posedge clk_i) begin
      if (!rst_ni || start_i) seq_q <= '0;
      else if (alloc_last) seq_q <= seq_q + 32'd1;
      if (fit) cta_seq_q[fit_slot] <= seq_q;
    end
    always_comb begin
      for (int unsigned s = 0; s < Ctas; s++) cta_seq_o[s] = cta_seq_q[s];
    end
  end else begin : gen_no_seq
    always_comb begin
      for (int unsigned s = 0; s < Ctas; s++) cta_seq_o[s] = '0;
    end
  end

  // Outputs. Every CTA of a launch has the same number of warps; the last one may be partial.
  logic [4:0] last_index;
  assign tail_mask_o = tail_mask_q;
  assign last_index = warps[4:0] - 5'd1;
  assign warp_start_o = alloc_last ? taken_q : '0;
  assign warp_valid_o = warp_valid_q;
  assign {cta_free_o, cta_free_slot_o} = {free, free_slot};
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) begin
      warp_cta_o[w] = warp_cta_q[w];
      warp_index_o[w] = warp_index_q[w];
      start_tail_o[w] = warp_index_q[w] == last_index;
    end
    for (int unsigned s = 0; s < Ctas; s++) begin
      cta_x_o[s] = cta_x_q[s];
      cta_y_o[s] = 32'(cta_y_q[s]);
      cta_z_o[s] = 32'(cta_z_q[s]);
      cta_nwarps_o[s] = warps[5:0];
      cta_warps_o[s] = cta_warps_q[s];
    end
  end

  always_comb begin
    rest_o = '1;
    rest_o[RestSlots] = cta_valid_q == '0 && warp_valid_q == '0 && !alloc_q;
    rest_o[RestPages] = pages_rest;
  end

  `WL_ASSERT(TakesFreeSlots, !fit || (!cta_valid_q[fit_slot] && (fit_warps & warp_valid_q) == '0))
  `WL_ASSERT(TakesItsWarps, !fit || $countones(fit_warps) == 32'(warps))
  `WL_ASSERT(PlacesWhatIsTaken, !alloc_q || (todo_q != '0 && (todo_q & ~taken_q) == '0))
  `WL_ASSERT(FreesOneCta, $onehot0(free_hot) && (free_warps & ~warp_valid_q) == '0)
  for (genvar s = 0; s < int'(Ctas); s++) begin : gen_slot
    `WL_ASSERT(WarpsOfCtaAreValid, !cta_valid_q[s] || (cta_warps_q[s] & ~warp_valid_q) == '0)
  end
endmodule
