// Dispatcher (docs/microarchitecture.md 3): reads the launch block, places CTAs, allocates their
// register pages, frees them, reports the end. One launch at a time. Checks no launch parameter:
// the driver gives only legal launch blocks. Shared memory addresses follow from the CTA slot.
module dispatcher
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import port_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                start_i,
  input  logic [63:0]         launch_addr_i,
  output logic                done_o,
  output logic                running_o,     // state RUN
  output logic                finish_o,      // the state becomes DONE
  output logic [31:0]         lb_o [LaunchBlockWords],
  output logic                invalidate_o,  // start cycle
  output logic                clear_o,       // trap end
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
  output logic                page_we_o,
  output warp_slot_t          page_warp_o,
  output logic [4:0]          page_entry_o,
  output logic [PageBits-1:0] page_value_o,
  input  logic [Warps-1:0]    warp_idle_i,
  input  logic [Warps-1:0]    inflight_zero_i,
  input  logic                fetch_idle_i,
  input  logic                trap_pending_i,
  input  logic                unacked_zero_i,
  output logic [RestUnits-1:0] rest_o,       // of record REST (15): 1 where it has no such unit
  // SM port, requester 0.
  output logic                req_valid_o,
  output packet_t             req_o,
  input  logic                req_grant_i,
  input  logic                rsp_valid_i,
  input  response_t           rsp_i
);
  // The page bitmap in words of 32: those of sub-core 0, then of 1 and so on.
  localparam int unsigned PageWords = RegPages / 32;
  localparam int unsigned SubWords = SubPages / 32;
  localparam int unsigned WordBits = (PageWords > 1) ? $clog2(PageWords) : 1;
  localparam int unsigned SmemUnits = SmemBytes / 1024;
  localparam int unsigned CountBits = $clog2(SubPages + 1);
  localparam int unsigned SlotCountBits = $clog2(Warps + 1);
  localparam logic [4:0] Sectors = 5'(LaunchBlockWords / 8);
  localparam int unsigned KeptWords = LaunchEnvreg;  // programs read the rest from bank c0

  typedef enum logic [1:0] {Idle = 2'd0, Load = 2'd1, Run = 2'd2, Done = 2'd3} state_e;

  state_e               state_q;
  logic [58:0]          sector_q;    // of the launch block
  logic [4:0]           sent_q, got_q;
  logic [31:0]          lb_q [KeptWords];
  logic [31:0]          next_x_q;
  logic [15:0]          next_y_q, next_z_q;  // grid extents y and z have 16 bits
  logic                 remaining_q;
  // Page sequence of the CTA being placed.
  logic                 alloc_q;
  logic [CtaBits-1:0]   slot_q;
  logic [Warps-1:0]     taken_q, todo_q;
  logic [4:0]           entry_q;
  // Pages; what is known of a page's last CTA lets a CTA return all of its pages in one cycle.
  logic [31:0]          page_free_q [PageWords];
  logic [CtaBits-1:0]   page_cta_q [RegPages];
  logic [CountBits-1:0] free_pages_q [SubCores];
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
  assign warps = lb_q[LaunchWarps][6:0];
  assign reg_pages = lb_q[LaunchRegPages][5:0];
  // Constants of the launch, in registers of their own before anything can start.
  logic [12:0]          cta_pages_q;  // pages of one CTA in all
  logic [Ctas-1:0]      smem_fits_q;  // shared memory has the part of CTA slot s
  logic [Ctas-1:0]      more_fits_q;  // beside s CTAs there are warp slots for one more
  logic [31:0]          tail_mask_q;
  always_ff @(posedge clk_i) begin
    if (state_q != Run) begin
      cta_pages_q <= 13'(warps) * 13'(reg_pages);
      // (s + 1) * units <= SmemUnits, as a limit of units for each slot
      for (int unsigned s = 0; s < Ctas; s++) begin
        smem_fits_q[s] <= lb_q[LaunchSmemUnits][31:9] == '0 &&
                          lb_q[LaunchSmemUnits][8:0] <= 9'(SmemUnits / (s + 1));
        more_fits_q[s] <= warps <= 7'(Warps / (s + 1));
      end
      tail_mask_q <= ~({32{lb_q[LaunchThreads][4:0] != '0}} << lb_q[LaunchThreads][4:0]);
    end
  end

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

  function automatic logic [2:0] ones_of(input logic [3:0] v);
    return 3'(v[0]) + 3'(v[1]) + 3'(v[2]) + 3'(v[3]);
  endfunction

  logic start;
  assign start = start_i && (state_q == Idle || state_q == Done);
  assign invalidate_o = start;
  assign done_o = state_q == Done;
  assign running_o = state_q == Run;

  // LOAD.
  logic load_rsp, load_done;
  assign req_valid_o = state_q == Load && sent_q != Sectors;
  always_comb begin
    req_o = '0;
    req_o.sector = {sector_q[58:LowBits], sector_q[LowBits-1:0] + LowBits'(sent_q)};
    req_o.mask = '1;
    req_o.unit = FromDisp;
    req_o.tag = disp_tag_t'{zero: '0, sector: 4'(sent_q)};
  end
  disp_tag_t rsp_tag;
  assign rsp_tag = rsp_i.tag;
  assign load_rsp = rsp_valid_i && rsp_i.unit == FromDisp;
  assign load_done = state_q == Load && got_q == Sectors;

  // Fit check: lowest free CTA slot, lowest free warp slots. A warp slot's rank among the free ones
  // is that of its four and the place in it.
  localparam int unsigned Fours = (Warps + 3) / 4;
  logic                 fit_en, fit, slot_free;
  logic [CtaBits-1:0]   fit_slot;
  logic [Warps-1:0]     fit_warps;
  logic [4:0]           fit_index [Warps];
  logic                 smem_fits, warps_fit, pages_fit;
  assign fit_en = state_q == Run && !alloc_q && remaining_q && !trap_pending_i;
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
    end
    pages_fit = 1'b1;
    for (int unsigned k = 0; k < SubCores; k++) begin
      if (13'(free_pages_q[k]) < pages_in(fit_warps, k, reg_pages, cta_pages_q)) pages_fit = 1'b0;
    end
    fit = fit_en && slot_free && smem_fits && warps_fit && pages_fit;
  end

  // Pages: the lowest free page of its sub-core goes to entry entry_q of the lowest warp that still
  // lacks some.
  logic [WordBits-1:0] page_word;
  logic [4:0]          page_bit;
  logic [31:0]         page_hot [PageWords];  // one in all
  logic                entry_last_q, alloc_last;  // entry_q is that of the warp's last page
  warp_slot_t          alloc_warp;
  sub_t                alloc_sub;
  // The lowest page of each word, beside which word it is.
  always_comb begin
    logic        found;
    logic [32:0] negative;  // [32]: the word has no page
    logic [31:0] lowest;
    {found, negative, lowest, page_word, page_bit, alloc_warp, alloc_sub} = 'x;
    page_hot = '{default: '0};
    if (alloc_q) begin
      found = 1'b0;
      alloc_warp = lowest_slot(todo_q);
      alloc_sub = sub_of(alloc_warp);
      for (int unsigned i = 0; i < PageWords; i++) begin
        negative = {1'b0, ~page_free_q[i]} + 33'd1;
        lowest = page_free_q[i] & negative[31:0];
        if (!found && !negative[32] && (SubCores == 1 || alloc_sub == sub_t'(i / SubWords))) begin
          found = 1'b1;
          page_word = WordBits'(i);
          page_bit = bit_number(lowest);
          page_hot[i] = lowest & {32{alloc_q}};
        end
      end
    end
  end
  assign alloc_last = alloc_q && entry_last_q && (todo_q & (todo_q - Warps'(1))) == '0;
  assign page_we_o = alloc_q;
  assign page_warp_o = alloc_warp;
  assign page_entry_o = entry_q;
  assign page_value_o = PageBits'({page_word, page_bit});

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
    if (state_q == Run) begin
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

  // End. No line fill may be under way: it could make a stale line valid in the next launch.
  logic end_trap, end_normal, finish;
  assign end_normal = !remaining_q && !alloc_q && cta_valid_q == '0;
  assign end_trap = trap_pending_i && !alloc_q && (&inflight_zero_i);
  assign finish = state_q == Run && (end_normal || end_trap) && unacked_zero_i && fetch_idle_i;
  assign finish_o = finish;
  assign clear_o = finish && end_trap;

  // Launch control.
  logic [31:0] x_after;
  logic [15:0] y_after, z_after;
  logic        x_last, y_last;
  assign x_after = next_x_q + 32'd1;
  assign y_after = next_y_q + 16'd1;
  assign z_after = next_z_q + 16'd1;
  assign x_last = x_after == lb_q[LaunchNctaidX];
  assign y_last = y_after == lb_q[LaunchNctaidY][15:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      sector_q <= '0;
      sent_q <= '0;
      got_q <= '0;
      next_x_q <= '0;
      next_y_q <= '0;
      next_z_q <= '0;
      remaining_q <= 1'b0;
    end else begin
      // Never in the cycle of start; what is next is known without fit.
      if (fit) begin
        next_x_q <= x_last ? '0 : x_after;
        if (x_last) next_y_q <= y_last ? '0 : y_after;
        if (x_last && y_last) next_z_q <= z_after;
        if (x_last && y_last && z_after == lb_q[LaunchNctaidZ][15:0]) remaining_q <= 1'b0;
      end
      if (start) begin
        state_q <= Load;
        sector_q <= launch_addr_i[63:5];
        sent_q <= '0;
        got_q <= '0;
        next_x_q <= '0;
        next_y_q <= '0;
        next_z_q <= '0;
      end
      if (req_grant_i && req_valid_o) sent_q <= sent_q + 5'd1;
      if (load_rsp) got_q <= got_q + 5'd1;
      if (load_done) begin
        state_q <= Run;
        remaining_q <= 1'b1;
      end
      if (finish) state_q <= Done;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_rsp) begin
      for (int unsigned i = 0; i < KeptWords; i++) begin
        if (rsp_tag.sector == 4'(i / 8)) lb_q[i] <= rsp_i.data[(i % 8)*32+:32];
      end
    end
  end

  // Slots. What a slot holds is written when it is taken; it is looked at only once valid.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cta_valid_q <= '0;
      warp_valid_q <= '0;
      alloc_q <= 1'b0;
    end else if (state_q == Run) begin
      if (fit) alloc_q <= 1'b1;
      else if (alloc_last) alloc_q <= 1'b0;
      if (clear_o) begin
        cta_valid_q <= '0;
        warp_valid_q <= '0;
      end else begin
        cta_valid_q <= (cta_valid_q | (Ctas'(alloc_last) << slot_q)) & ~free_hot[Ctas-1:0];
        warp_valid_q <= (warp_valid_q | warp_start_o) & ~free_warps;
      end
    end
    if (fit) begin
      slot_q <= fit_slot;
      taken_q <= fit_warps;
      todo_q <= fit_warps;
      entry_q <= '0;
      entry_last_q <= reg_pages == 6'd1;
      cta_x_q[fit_slot] <= next_x_q;
      cta_y_q[fit_slot] <= next_y_q;
      cta_z_q[fit_slot] <= next_z_q;
      cta_warps_q[fit_slot] <= fit_warps;
      for (int unsigned w = 0; w < Warps; w++) begin
        if (fit_warps[w]) begin
          warp_cta_q[w] <= fit_slot;
          warp_index_q[w] <= fit_index[w];
        end
      end
    end
    if (alloc_q) begin
      entry_q <= entry_last_q ? 5'd0 : entry_q + 5'd1;
      entry_last_q <= reg_pages == (entry_last_q ? 6'd1 : 6'(entry_q) + 6'd2);
      if (entry_last_q) todo_q <= todo_q & (todo_q - Warps'(1));
    end
  end

  // Pages.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_o) begin
      for (int unsigned i = 0; i < PageWords; i++) page_free_q[i] <= '1;
      for (int unsigned k = 0; k < SubCores; k++) free_pages_q[k] <= CountBits'(SubPages);
    end else if (alloc_q || free) begin
      for (int unsigned i = 0; i < PageWords; i++) begin
        logic [31:0] back;
        back = '0;
        if (free) begin
          for (int unsigned p = 0; p < 32; p++) back[p] = free_hot[page_cta_q[32*i+p]];
        end
        // A free page may still name the CTA, also the page taken in this cycle.
        page_free_q[i] <= (page_free_q[i] | back) & ~page_hot[i];
      end
      for (int unsigned k = 0; k < SubCores; k++) begin
        // Whether a CTA is freed comes late.
        logic [CountBits-1:0] less;
        less = free_pages_q[k] -
               CountBits'(alloc_q && (SubCores == 1 || alloc_sub == sub_t'(k)));
        free_pages_q[k] <= !free ? less :
            less + CountBits'(pages_in(free_warps, k, reg_pages, cta_pages_q));
      end
    end
    if (alloc_q) begin
      for (int unsigned p = 0; p < RegPages; p++) begin
        if (page_hot[p/32][p%32]) page_cta_q[p] <= slot_q;
      end
    end
  end

  // Launch numbers of CTAs, by which a greedy scheduler tells their age.
  if (SchedGreedy != 0) begin : gen_seq
    logic [31:0] seq_q;
    logic [31:0] cta_seq_q [Ctas];
    always_ff @(posedge clk_i) begin
      if (!rst_ni || start) seq_q <= '0;
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
  always_comb begin
    for (int unsigned i = 0; i < LaunchBlockWords; i++) lb_o[i] = '0;
    for (int unsigned i = 0; i < KeptWords; i++) lb_o[i] = lb_q[i];
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

  logic unused_bits;
  assign unused_bits = ^{free_slot, rsp_i.op, rsp_i.sm, rsp_tag.zero, launch_addr_i[4:0]};

  always_comb begin
    rest_o = '1;
    rest_o[RestSlots] = cta_valid_q == '0 && warp_valid_q == '0 && !alloc_q;
    for (int unsigned i = 0; i < PageWords; i++) if (page_free_q[i] != '1) rest_o[RestPages] = 1'b0;
    for (int unsigned k = 0; k < SubCores; k++) begin
      if (free_pages_q[k] != CountBits'(SubPages)) rest_o[RestPages] = 1'b0;
    end
  end
endmodule
