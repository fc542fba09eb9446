// Slots and register pages (docs/microarchitecture.md 3): a CTA starts only if it fits as the text
// says, takes the lowest free CTA slot and the lowest free warp slots, and its warps get the entries
// of their page maps in order, each the lowest free page of its sub-core; a watched page belongs to
// one warp at most, is taken only when it is free and comes back exactly when the CTA of its warp is
// freed; the counts are the numbers of free pages; CTAs are freed as the text says; between launches
// every page and slot is free. Bottom: what the unit's registers look like for that.
// The step of the induction (STEP) begins in any state in which all of this holds, with PAGES pages of
// each sub-core in play: the others are taken for good, by a CTA slot that does not exist. The base
// job begins at reset.
// Assumed: launch blocks with 1 to 32 warps of 1 to 32 pages; the port answers each request once.
// Not here: CTA numbers and the launch block's words, which are compared in lockstep.
`ifdef STEP
`define HOLDS(x) begin if (first_q) assume (x); else assert (x); end
`else
`define HOLDS(x) assert (x);
`endif
module dispatcher_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import port_pkg::*;
(
  input logic             clk_i,
  input logic             start_i,
  input logic [63:0]      launch_addr_i,
  input logic [Warps-1:0] warp_idle_i,
  input logic [Warps-1:0] inflight_zero_i,
  input logic             fetch_idle_i,
  input logic             trap_pending_i,
  input logic             unacked_zero_i,
  input logic             req_grant_i,
  input logic             rsp_valid_i,
  input response_t        rsp_i,
  input logic [7:0]       page_i
);
  localparam int unsigned CountBits = $clog2(SubPages + 1);
  localparam logic [1:0] Idle = 2'd0;
  localparam logic [1:0] Load = 2'd1;
  localparam logic [1:0] Run = 2'd2;
  typedef logic [Warps-1:0] slots_t;
  typedef logic [12:0] number_t;

`ifdef STEP
  localparam int unsigned Pages = `PAGES;
  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;
  logic rst_n;
  assign rst_n = 1'b1;
`else
  localparam int unsigned Pages = SubPages;
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
`endif
  logic [7:0] page_q;       // of all sub-cores: sub-core * SubPages + page
  sub_t       sub;
  logic [PageBits-1:0] page;
  always_ff @(posedge clk_i) if (!rst_n) page_q <= page_i;
  assign sub = sub_t'(32'(page_q) / SubPages);
  assign page = PageBits'(32'(page_q) % SubPages);

  logic                done, running, finish, invalidate, clear, page_we, req_valid;
  logic [31:0]         lb [LaunchBlockWords];
  slots_t              warp_valid, warp_start, start_tail;
  logic [31:0]         tail_mask;
  logic [CtaBits-1:0]  warp_cta [Warps];
  logic [4:0]          warp_index [Warps];
  logic [31:0]         cta_x [Ctas], cta_y [Ctas], cta_z [Ctas], cta_seq [Ctas];
  logic [5:0]          cta_nwarps [Ctas];
  slots_t              cta_warps [Ctas];
  warp_slot_t          page_warp;
  logic [4:0]          page_entry;
  logic [PageBits-1:0] page_value;
  packet_t             req;
  logic                offer_valid, offer_taken, empty, stopped;
  logic [31:0]         offer_x;
  logic [15:0]         offer_y, offer_z;
  grid u_grid (
    .clk_i, .rst_ni(rst_n), .start_i, .launch_addr_i, .done_o(done), .running_o(running),
    .finish_o(finish), .lb_o(lb), .invalidate_o(invalidate), .clear_o(clear),
    .offer_valid_o(offer_valid), .offer_x_o(offer_x), .offer_y_o(offer_y), .offer_z_o(offer_z),
    .offer_taken_i(offer_taken), .empty_i(empty), .stopped_i(stopped),
    .answered_i(unacked_zero_i && fetch_idle_i),
    .req_valid_o(req_valid), .req_o(req), .req_grant_i, .rsp_valid_i, .rsp_i
  );
  dispatcher dut (
    .clk_i, .rst_ni(rst_n), .running_i(running), .start_i(invalidate), .clear_i(clear), .lb_i(lb),
    .offer_valid_i(offer_valid), .offer_x_i(offer_x), .offer_y_i(offer_y), .offer_z_i(offer_z),
    .offer_taken_o(offer_taken), .empty_o(empty), .stopped_o(stopped),
    .warp_valid_o(warp_valid), .warp_start_o(warp_start), .tail_mask_o(tail_mask),
    .start_tail_o(start_tail), .warp_cta_o(warp_cta), .warp_index_o(warp_index), .cta_x_o(cta_x),
    .cta_y_o(cta_y), .cta_z_o(cta_z), .cta_seq_o(cta_seq), .cta_nwarps_o(cta_nwarps),
    .cta_warps_o(cta_warps), .cta_free_o(), .cta_free_slot_o(), .page_we_o(page_we), .page_warp_o(page_warp),
    .page_entry_o(page_entry), .page_value_o(page_value), .warp_idle_i, .inflight_zero_i,
    .trap_pending_i, .rest_o()
  );

  // Launch values and the unit's state.
  logic [6:0]  warps;
  logic [5:0]  pages;
  logic [9:0]  units;
  logic [1:0]  state;
  logic        alloc;
  logic [31:0] lb_units;
  assign warps = lb[LaunchWarps][6:0];
  assign pages = lb[LaunchRegPages][5:0];
  assign lb_units = lb[LaunchSmemUnits];
  assign units = lb_units[9:0];
  assign state = 2'(u_grid.state_q);
  assign alloc = dut.alloc_q;
  logic [RegPages-1:0] free_page;
  logic [CtaBits-1:0]  of_page [RegPages];
  always_comb begin
    for (int p = 0; p < RegPages; p++) begin
      free_page[p] = dut.u_pages.page_free_q[p/32][p%32];
      of_page[p] = dut.u_pages.page_cta_q[p];
    end
  end

  function automatic number_t ones(input logic [Pages-1:0] v);
    logic [5:0] n;
    n = '0;
    for (int p = 0; p < Pages; p++) n += 6'(v[p]);
    return number_t'(n);
  endfunction
  // Warps of sub-core k among slots.
  function automatic number_t in_sub(input slots_t v, input int k);
    number_t n;
    n = '0;
    for (int w = 0; w < Warps; w++) if (w % int'(SubCores) == k) n += number_t'(v[w]);
    return n;
  endfunction

  // The fit check of the text.
  logic       idle_check, s_slot, s_fit;
  int         s_at;
  slots_t     s_warps;
  number_t    s_free;
  always_comb begin
    idle_check = state == Run && !alloc && u_grid.remaining_q && !trap_pending_i;
    s_slot = 1'b0;
    s_at = 0;
    for (int s = int'(Ctas) - 1; s >= 0; s--) begin
      if (!dut.cta_valid_q[s]) begin
        s_slot = 1'b1;
        s_at = s;
      end
    end
    s_warps = '0;
    s_free = '0;
    for (int w = 0; w < Warps; w++) begin
      if (!warp_valid[w]) begin
        if (s_free < number_t'(warps)) s_warps[w] = 1'b1;
        s_free += 1'b1;
      end
    end
    s_fit = idle_check && s_slot && s_free >= number_t'(warps);
    for (int s = 0; s < int'(Ctas); s++) begin
      if (s_at == s && 13'(units) * 13'(s + 1) > 13'(SmemBytes / 1024)) s_fit = 1'b0;
    end
    for (int k = 0; k < int'(SubCores); k++) begin
      if (number_t'(dut.u_pages.free_pages_q[k]) < in_sub(s_warps, k) * number_t'(pages)) s_fit = 1'b0;
    end
  end
  // The CTA to be freed.
  logic s_frees;
  int   s_freed;
  always_comb begin
    s_frees = 1'b0;
    s_freed = 0;
    for (int s = int'(Ctas) - 1; s >= 0; s--) begin
      if (state == Run && dut.cta_valid_q[s] && (dut.cta_warps_q[s] & ~warp_idle_i) == '0) begin
        s_frees = 1'b1;
        s_freed = s;
      end
    end
  end
  // The page that is next in the sequence.
  logic [SubPages-1:0] here, lowest;
  always_comb begin
    here = '0;
    for (int k = 0; k < int'(SubCores); k++) begin
      if (32'(sub_of(page_warp)) == 32'(k)) here = free_page[k*SubPages +: SubPages];
    end
    lowest = here & (~here + SubPages'(1));
  end

  // Sequence: where it stands.
  logic [5:0]  entry_q;
  slots_t      left_q;     // warps that lack pages
  warp_slot_t  next_warp_slot;
  always_comb begin
    next_warp_slot = '0;
    for (int w = int'(Warps) - 1; w >= 0; w--) if (left_q[w]) next_warp_slot = warp_slot_t'(w);
  end
  always_ff @(posedge clk_i) begin
    if (dut.fit) begin
      entry_q <= '0;
      left_q <= s_warps;
    end else if (page_we) begin
      entry_q <= (entry_q + 6'd1 == pages) ? '0 : entry_q + 6'd1;
      if (entry_q + 6'd1 == pages) left_q <= left_q & (left_q - slots_t'(1));
    end
  end

  // The watched page: whose it is.
  logic       owned_q, gets, loses;
  warp_slot_t owner_q;
  logic [CtaBits-1:0] owner_cta_q;
  assign gets = page_we && page_value == page && sub_of(page_warp) == sub;
  assign loses = clear || (s_frees && CtaBits'(s_freed) == owner_cta_q);
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      owned_q <= 1'b0;
    end else begin
      if (loses) owned_q <= 1'b0;
      if (gets) owned_q <= 1'b1;
    end
    if (gets) begin
      owner_q <= page_warp;
      owner_cta_q <= dut.slot_q;
    end
  end

  logic lost_q = 1'b0;       // was owned before
  always_ff @(posedge clk_i) if (owned_q && loses) lost_q <= 1'b1;

  // Requests of LOAD under way.
  logic [4:0] sent_q, got_q;
  logic       answers;
  assign answers = rsp_valid_i && rsp_i.unit == FromDisp;
  always_ff @(posedge clk_i) begin
    if (!rst_n || invalidate) begin
      sent_q <= '0;
      got_q <= '0;
    end else begin
      sent_q <= sent_q + 5'(req_valid && req_grant_i);
      got_q <= got_q + 5'(answers);
    end
  end

  // Pages of a CTA slot in sub-core k: of all its warps, or what the sequence has given so far.
  function automatic number_t lacks(input int k);
    return in_sub(left_q, k) * number_t'(pages) -
           ((32'(sub_of(next_warp_slot)) == 32'(k)) ? number_t'(entry_q) : '0);
  endfunction
  number_t used [Ctas][SubCores];
  number_t sum [SubCores];
  slots_t  union_w;
  logic    apart, whole;     // no two CTAs with one warp; each has its number of warps
  always_comb begin
    for (int k = 0; k < int'(SubCores); k++) sum[k] = '0;
    union_w = alloc ? dut.taken_q : '0;
    apart = 1'b1;
    whole = !alloc || 32'($countones(dut.taken_q)) == 32'(warps);
    for (int s = 0; s < int'(Ctas); s++) begin
      for (int k = 0; k < int'(SubCores); k++) begin
        used[s][k] = '0;
        if (dut.cta_valid_q[s]) used[s][k] = in_sub(dut.cta_warps_q[s], k) * number_t'(pages);
        else if (alloc && 32'(dut.slot_q) == 32'(s)) begin
          used[s][k] = in_sub(dut.taken_q, k) * number_t'(pages) - lacks(k);
        end
        sum[k] += used[s][k];
      end
      if (dut.cta_valid_q[s]) begin
        if ((union_w & dut.cta_warps_q[s]) != '0) apart = 1'b0;
        union_w |= dut.cta_warps_q[s];
        if (32'($countones(dut.cta_warps_q[s])) != 32'(warps)) whole = 1'b0;
      end
    end
  end

  logic clear_q = 1'b0, cleared_q = 1'b0;
  always_ff @(posedge clk_i) begin
    clear_q <= rst_n && clear && !cleared_q;
`ifdef STEP
    if (clear) cleared_q <= 1'b1;
`endif
  end
  always @(posedge clk_i) begin
    assume (32'(page_i) < RegPages && 32'(page_i) % SubPages < Pages);
    if (rst_n && !cleared_q) begin
      assume (!answers || got_q < sent_q);
      if (state == Run) assume (warps >= 7'd1 && warps <= 7'd32 && pages >= 6'd1 && pages <= 6'd32);
`ifdef STEP
      // A CTA with more would not fit: the rest of the fit check is in the base job.
      if (state == Run) assume (32'(pages) <= Pages && 32'(warps) <= Warps);
`endif
      assume (!rsp_valid_i || rsp_i.tag[15:4] == '0);
      if (state == Run) assume (lb_units[31:10] == '0);

      // Start and end of CTAs.
      a_fit: assert (dut.fit == s_fit);
      if (dut.fit) begin
        a_slot: assert (32'(dut.fit_slot) == 32'(s_at) && dut.fit_warps == s_warps &&
                        (s_warps & warp_valid) == '0);
      end
      a_free: assert (dut.free == s_frees && (!s_frees || 32'(dut.free_slot) == 32'(s_freed)));
      a_started: assert ((warp_start & warp_valid) == '0 &&
                         (warp_start == '0 || warp_start == dut.taken_q));
      // Pages in order, of free ones the lowest.
      if (page_we) begin
        a_entry: assert (page_warp == next_warp_slot && 6'(page_entry) == entry_q && left_q != '0 &&
                         !warp_valid[page_warp]);
        a_lowest: assert (here != '0 && lowest[page_value]);
      end
      a_once: assert (!gets || (!owned_q && free_page[page_q]));
      `HOLDS(free_page[page_q] == !owned_q)
      `HOLDS(!owned_q || warp_valid[owner_q] ||
                      (alloc && dut.slot_q == owner_cta_q && dut.taken_q[owner_q]))
      // Counts.
      for (int k = 0; k < int'(SubCores); k++) begin
        `HOLDS(number_t'(dut.u_pages.free_pages_q[k]) == ones(free_page[k*SubPages +: Pages]))
      end
      `HOLDS(state == Run || (!owned_q && warp_valid == '0 && dut.cta_valid_q == '0 &&
                                       !alloc))
      for (int k = 0; k < int'(SubCores); k++) begin
        if (state != Run) `HOLDS(32'(dut.u_pages.free_pages_q[k]) == Pages)
      end

      // ---- Registers.
      if (state == Run) begin
        `HOLDS(dut.u_pages.cta_pages_q == 13'(warps) * 13'(pages))
        for (int s = 0; s < int'(Ctas); s++) begin
          `HOLDS(dut.smem_fits_q[s] == ((s + 1) * 64'(lb[LaunchSmemUnits]) <= SmemBytes / 1024))
          `HOLDS(dut.more_fits_q[s] == ((s + 1) * 32'(warps) <= int'(Warps)))
        end
      end
      `HOLDS(apart && whole && union_w == (warp_valid | (alloc ? dut.taken_q : '0)) &&
                       !(alloc && (dut.taken_q & warp_valid) != '0))
      for (int k = 0; k < int'(SubCores); k++) begin
        `HOLDS(number_t'(dut.u_pages.free_pages_q[k]) + sum[k] == number_t'(Pages))
        if (alloc) `HOLDS(lacks(k) <= number_t'(dut.u_pages.free_pages_q[k]))
      end
      for (int s = 0; s < int'(Ctas); s++) begin
        for (int k = 0; k < int'(SubCores); k++) begin
          logic [Pages-1:0] own;
          for (int p = 0; p < Pages; p++) begin
            own[p] = !free_page[k*SubPages+p] && 32'(of_page[k*SubPages+p]) == 32'(s);
          end
          `HOLDS(ones(own) == used[s][k])
        end
      end
      if (alloc) begin
        `HOLDS(32'(dut.slot_q) < Ctas && !dut.cta_valid_q[dut.slot_q] && dut.taken_q == dut.cta_warps_q[dut.slot_q] &&
                         left_q == dut.todo_q && left_q != '0 && (left_q & ~dut.taken_q) == '0 &&
                         entry_q == 6'(dut.entry_q) && entry_q < pages &&
                         dut.entry_last_q == (entry_q + 6'd1 == pages))
      end
      if (owned_q) begin
        `HOLDS(32'(owner_cta_q) < Ctas && of_page[page_q] == owner_cta_q && sub_of(owner_q) == sub &&
                         dut.cta_warps_q[owner_cta_q][owner_q] &&
                         (dut.cta_valid_q[owner_cta_q] || (alloc && dut.slot_q == owner_cta_q)))
      end
      `HOLDS(sent_q <= 5'd16 && got_q <= sent_q && (state == Idle || (
                      u_grid.sent_q == sent_q && u_grid.got_q == got_q)) && (state == Load ||
                      (sent_q == got_q && u_grid.sent_q == sent_q)) && 32'(page_q) < RegPages &&
                      32'(page_q) % SubPages < Pages)

`ifdef STEP
      for (int p = 0; p < RegPages; p++) begin
        if (p % int'(SubPages) >= int'(Pages)) `HOLDS(!free_page[p] && 32'(of_page[p]) >= Ctas)
      end

      c_two: cover (&dut.cta_valid_q && owned_q);
      c_back: cover (loses && owned_q && !clear && alloc && gets == 1'b0);
      c_again: cover (gets && lost_q);
      c_clear: cover (clear && owned_q);
`else
      c_load: cover (req_valid && req_grant_i && sent_q == 5'd1);
`endif
    end
    // A trap end: as after reset.
    if (clear_q) begin
      a_cleared: assert (&free_page && warp_valid == '0 && dut.cta_valid_q == '0 && !alloc &&
                         state == 2'd3);
      for (int k = 0; k < int'(SubCores); k++) assert (32'(dut.u_pages.free_pages_q[k]) == SubPages);
    end
  end
  logic unused;
  assign unused = ^{done, running, finish, start_tail, tail_mask, req, cta_nwarps[0]};
endmodule
