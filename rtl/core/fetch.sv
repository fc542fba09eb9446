// Fetch: F1, F2, instruction cache, miss unit and instruction buffers (docs/microarchitecture.md 4;
// D1 and D2 in decode.sv). Keeps whole instructions in a memory read for one warp, and per warp the
// part that issue compares (with HazardScan in a memory read for the scanned warp). No prefetch of
// lines, no branch prediction.
module fetch
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import port_pkg::*;
  import gates_pkg::Always;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // verilator lint_off UNUSEDSIGNAL // with several sub-cores only
  input  sub_t                sub_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic                stall_i,  // disturbance (17)
  input  logic                clear_i,
  input  logic                invalidate_i,
  input  pc_t                 entry_pc_i,
  input  logic [31:0]         code_words_i,
  input  logic [58:0]         code_sector_i,  // of instruction 0
  input  logic [SubWarps-1:0] warp_valid_i,
  input  logic [SubWarps-1:0] warp_start_i,
  input  logic [SubWarps-1:0] run_i,
  input  logic                trap_pending_i,
  input  logic [SubWarps-1:0] flush_i,
  input  setpc_t              setpc_resolve_i,
  input  setpc_t              setpc_engine_i,
  input  logic                pop_valid_i,
  input  warp_t               head_warp_i,  // warp whose oldest instruction is read, and popped
  output logic [SubWarps-1:0] head_valid_o,
  output logic [SubWarps-1:0] head_changed_o,  // pushed, popped or flushed in the cycle before
  output need_t               need_o [SubWarps],  // HazardScan = 1: trap, unit and tbuf flags only
  // verilator lint_off UNUSEDSIGNAL // HazardScan = 1 only
  input  warp_t               scan_warp_i,     // warp whose needs are read
  // verilator lint_on UNUSEDSIGNAL
  output scan_need_t          need_scan_o,
  output insn_t               head_o,
  output logic                idle_o,
  output logic                miss_o,       // the miss unit is set
  output logic                req_valid_o,
  output packet_t             req_o,
  input  logic                req_grant_i,
  input  logic                rsp_valid_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  response_t           rsp_i
  // verilator lint_on UNUSEDSIGNAL
);
  localparam int unsigned Lines = IcacheBytes / 64;
  localparam int unsigned LineBits = $clog2(Lines);
  localparam int unsigned TagBits = 26 - LineBits;
  localparam int unsigned PtrBits = $clog2(IbDepth);
  localparam int unsigned CountBits = $clog2(IbDepth + 1);
  typedef logic [PtrBits-1:0] ptr_t;
  typedef logic [CountBits-1:0] count_t;

  localparam int unsigned ColBits = LineBits - 4;  // valid bits: 16 rows

  logic rst_n;
  assign rst_n = rst_ni && !clear_i;
  // Known late in a cycle: what is written of a killed warp (PC, token, entry) nobody reads, so that
  // only valid bits and counts wait for it.
  logic [SubWarps-1:0] kill;
  assign kill = flush_i | warp_start_i;

  logic [SubWarps-1:0] miss_wait_q, room_q;
  count_t occupied_q [SubWarps];  // entries and tokens

  // F1: choose a warp, the first eligible one after the last.
  logic [SubWarps-1:0] eligible, after_last, f1_hot, after_q, miss_bit;  // killed or not
  logic f1_valid, f1_again;
  logic f2_valid_q, f2_oob, f2_hit, f2_miss, f2_go, miss_start;  // killed or not
  logic f2_inside, f2_present;  // in the code; its line is valid
  logic [SubWarps-1:0] f2_hot_q;
  warp_t f1_warp, f2_warp_q;
  pc_t f1_pc, f2_pc_q, f2_next;
  assign eligible = (trap_pending_i || stall_i) ? '0 : warp_valid_i & run_i & ~miss_wait_q & room_q;
  assign f1_valid = eligible != '0;
  assign after_last = eligible & after_q;
  // Of few warps both choices beside the question which of them counts.
  if (SubWarps <= 8) begin : gen_few
    assign f1_warp = (after_last != '0) ? lowest_warp(after_last) : lowest_warp(eligible);
    assign f1_hot = (after_last != '0) ? after_last & (~after_last + SubWarps'(1)) :
                                         eligible & (~eligible + SubWarps'(1));
  end else begin : gen_many
    logic [SubWarps-1:0] from;
    assign from = (after_last != '0) ? after_last : eligible;
    assign f1_hot = from & (~from + SubWarps'(1));
    assign f1_warp = warp_number(f1_hot);
  end
  // One warp at most is chosen, and one misses.
  assign f1_again = (f1_hot & f2_hot_q) != '0;

  // The fetch PC of a warp is kept where it came from: that of its last token (again if it missed, or
  // the next one), of resolve, of the path engine, of the launch. A token's PC and the next one are
  // written from F2; that of the warp in F2 is taken from there.
  typedef enum logic [1:0] {FromToken, FromResolve, FromEngine, FromEntry} origin_e;
  pc_t token_pc_q [SubWarps];
  pc_t next_pc_q [SubWarps];
  pc_t resolve_pc_q [SubWarps];
  pc_t engine_pc_q [SubWarps];
  origin_e origin_q [SubWarps];
  logic [SubWarps-1:0] after_token_q, resolve_bit, engine_bit;
  assign resolve_bit = setpc_resolve_i.valid ? SubWarps'(1) << setpc_resolve_i.warp : '0;
  assign engine_bit = setpc_engine_i.valid ? SubWarps'(1) << setpc_engine_i.warp : '0;
  // By which of them a warp goes on, judged beside the choice of the warp: of tokens 0 the last, 4 the
  // next, 5 the next of that in F2; else 1 to 3, the origin.
  logic [2:0] source [SubWarps];
  always_comb begin
    for (int unsigned w = 0; w < SubWarps; w++) begin
      source[w] = {1'b0, origin_q[w]};
      if (origin_q[w] == FromToken && after_token_q[w]) source[w] = {2'b10, f2_hot_q[w]};
    end
  end
  pc_t pc_x [8];
  assign f2_next = f2_pc_q + 28'd1;
  assign pc_x = '{token_pc_q[f1_warp], resolve_pc_q[f1_warp], engine_pc_q[f1_warp], entry_pc_i,
                  next_pc_q[f1_warp], f2_next, 28'd0, 28'd0};
  mux_tree #(.Width(28), .Bits(3)) u_pc (
    .sel_i(source[f1_warp]), .x_i(pc_x), .y_o(f1_pc)
  );
  always_ff @(posedge clk_i) begin
    if (f2_valid_q) begin
      token_pc_q[f2_warp_q] <= f2_pc_q;
      next_pc_q[f2_warp_q] <= f2_next;
    end
    if (setpc_resolve_i.valid) resolve_pc_q[setpc_resolve_i.warp] <= setpc_resolve_i.pc;
    if (setpc_engine_i.valid) engine_pc_q[setpc_engine_i.warp] <= setpc_engine_i.pc;
    if ((f1_hot | resolve_bit | engine_bit | warp_start_i) != '0 || Always) begin
      for (int unsigned w = 0; w < SubWarps; w++) begin
        if (warp_start_i[w]) origin_q[w] <= FromEntry;
        else if (engine_bit[w]) origin_q[w] <= FromEngine;
        else if (resolve_bit[w]) origin_q[w] <= FromResolve;
        // (A warp that misses has been here in the cycle before.)
        else if (f1_hot[w]) origin_q[w] <= FromToken;
      end
    end
    after_token_q <= (after_token_q | f1_hot) &
                     ~(miss_bit | resolve_bit | engine_bit | warp_start_i);
  end

  // F2: look up. Tags are few bits: a block memory would answer late and lie far from the warps.
  (* ram_style = "distributed" *) logic [TagBits-1:0] line_tag_q [Lines];
  logic [(1<<ColBits)-1:0] line_valid_q [16];
  logic [LineBits-1:0] f2_line;
  logic mu_valid_q, mu_done, f2_at_mu;
  logic [25:0] mu_line_q;
  logic [LineBits-1:0] mu_index;
  assign f2_line = f2_pc_q[2+:LineBits];
  assign f2_oob = {4'b0, f2_pc_q} >= code_words_i;
  assign f2_at_mu = mu_index == f2_line;
  // A line that is being filled is not valid.
  assign f2_present = line_valid_q[f2_line[3:0]][f2_line[LineBits-1:4]] && !(mu_valid_q && f2_at_mu);
  assign f2_inside = f2_valid_q && !f2_oob;
  assign f2_hit = f2_present && line_tag_q[f2_line] == f2_pc_q[27-:TagBits];
  assign f2_go = f2_valid_q && (f2_oob || f2_hit);
  assign f2_miss = f2_inside && !f2_hit;
  assign miss_bit = f2_miss ? f2_hot_q : '0;

  // Miss unit and pin.
  logic pin_valid_q, pin_stays;
  logic [SubWarps-1:0] mu_hot_q, pin_hot_q, pin_hot;
  logic [1:0] mu_sent_q;
  logic mu_got_q;
  logic rsp_mine, f2_killed;
  assign mu_index = mu_line_q[LineBits-1:0];
  assign rsp_mine = rsp_valid_i && rsp_i.unit == FromIcache &&
                    (SubCores == 1 || sub_t'(rsp_i.tag >> 1) == sub_i);
  assign mu_done = rsp_mine && mu_got_q;
  assign miss_start = f2_miss && !mu_valid_q && !pin_valid_q;
  assign f2_killed = (f2_hot_q & kill) != '0;
  assign pin_hot = mu_done ? mu_hot_q : pin_hot_q;
  // Whether F2 goes on is known late.
  assign pin_stays = mu_done ? (mu_hot_q & miss_wait_q) != '0 :
                     pin_valid_q && (pin_hot_q & (~warp_valid_i | ~run_i)) == '0 &&
                     !(f2_go && (pin_hot_q & f2_hot_q) != '0);
  assign idle_o = !mu_valid_q;
  assign miss_o = rst_n && miss_start && !f2_killed;

  assign req_valid_o = mu_valid_q && !mu_sent_q[1];
  always_comb begin
    req_o = '0;
    req_o.sector = {code_sector_i[58:LowBits],
                    code_sector_i[LowBits-1:0] + {mu_line_q, mu_sent_q[0]}};
    req_o.mask = '1;
    req_o.unit = FromIcache;
    req_o.tag = (SubCores == 1) ? 16'(mu_sent_q) : 16'({sub_i, mu_sent_q[0]});
  end

  // Data rows of 32 bytes, two instructions each; read in F2, delivered in D1.
  (* ram_style = "block", no_rw_check *) logic [127:0] even_q [2 * Lines];
  (* ram_style = "block", no_rw_check *) logic [127:0] odd_q [2 * Lines];
  logic [LineBits:0] read_row, write_row;
  logic [127:0] even_read_q, odd_read_q;
  assign read_row = f2_pc_q[LineBits+1:1];
  assign write_row = {mu_index, rsp_i.tag[0]};
  always_ff @(posedge clk_i) begin
    if (rsp_mine) begin
      even_q[write_row] <= rsp_i.data[127:0];
      odd_q[write_row] <= rsp_i.data[255:128];
    end
    if (f2_go && !f2_pc_q[0]) even_read_q <= even_q[read_row];
    if (f2_go && f2_pc_q[0]) odd_read_q <= odd_q[read_row];
    if (mu_done) line_tag_q[mu_index] <= mu_line_q[25-:TagBits];
  end

  // Valid bits, cleared row by row from the start of a launch on: reading the launch block takes
  // longer than that.
  logic sweep_q;
  logic [3:0] sweep_row_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweep_q <= 1'b0;
      sweep_row_q <= '0;
    end else if (invalidate_i || sweep_q) begin
      sweep_q <= sweep_row_q != '1;
      sweep_row_q <= sweep_row_q + 4'd1;
    end
  end
  logic sweep;
  logic [3:0] valid_row;
  assign sweep = invalidate_i || sweep_q;
  assign valid_row = sweep ? sweep_row_q : mu_index[3:0];
  always_ff @(posedge clk_i) begin
    if (sweep || mu_done) begin
      for (int unsigned c = 0; c < (1 << ColBits); c++) begin
        if (sweep || mu_index[LineBits-1:4] == ColBits'(c)) line_valid_q[valid_row][c] <= !sweep;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      f2_valid_q <= 1'b0;
      after_q <= '0;
      mu_valid_q <= 1'b0;
      mu_sent_q <= '0;
      mu_got_q <= 1'b0;
      pin_valid_q <= 1'b0;
    end else begin
      f2_valid_q <= (f1_hot & ~kill) != '0 && !(f2_miss && f1_again);
      if (f1_valid) after_q <= ~(f1_hot | (f1_hot - SubWarps'(1)));
      pin_valid_q <= pin_stays && (pin_hot & kill) == '0;
      if (mu_done) mu_valid_q <= 1'b0;
      if (rsp_mine) mu_got_q <= 1'b1;
      if (req_valid_o && req_grant_i) mu_sent_q <= mu_sent_q + 2'd1;
      if (miss_start) begin
        mu_valid_q <= !f2_killed;
        mu_sent_q <= '0;
        mu_got_q <= 1'b0;
      end
    end
    pin_hot_q <= pin_hot;
    if (miss_start) begin
      mu_line_q <= f2_pc_q[27:2];
      mu_hot_q <= f2_hot_q;
    end
    if (f1_valid) begin  // taken or not
      f2_hot_q <= f1_hot;
      f2_warp_q <= f1_warp;
      f2_pc_q <= f1_pc;
    end
  end

  // Decode and instruction buffers.
  logic [SubWarps-1:0] push_bit;  // killed or not
  warp_t push_warp;
  insn_t push_insn;
  need_t push_need;
  decode u_decode (
    .clk_i, .rst_ni(rst_n), .sub_i, .kill_i(kill),
    .valid_i(f2_go), .warp_i(f2_hot_q), .pc_i(f2_pc_q), .oob_i(f2_oob),
    .even_i(even_read_q), .odd_i(odd_read_q),
    .put_o(push_bit), .push_warp_o(push_warp), .insn_o(push_insn), .need_o(push_need)
  );

  insn_t ib_q [SubWarps * IbDepth];
  ptr_t read_q [SubWarps];
  ptr_t write_q [SubWarps];
  count_t count_q [SubWarps];
  logic [SubWarps-1:0] head_valid_q, head_changed_q;
  localparam int unsigned IbBits = $clog2(SubWarps * IbDepth);

  function automatic logic [IbBits-1:0] entry(input warp_t w, input ptr_t p);
    return IbBits'(w) * IbBits'(IbDepth) + IbBits'(p);
  endfunction
  function automatic ptr_t next_ptr(input ptr_t p);
    return (p == ptr_t'(IbDepth - 1)) ? '0 : p + ptr_t'(1);
  endfunction

  // Events of each warp, so that only warps with one are touched; whether F2 missed is known late.
  logic [SubWarps-1:0] pop_bit, touched, f2_bit;
  logic push;
  assign push = push_bit != '0;
  assign pop_bit = pop_valid_i ? SubWarps'(1) << head_warp_i : '0;
  assign f2_bit = f2_valid_q ? f2_hot_q : '0;
  assign touched = f1_hot | f2_bit | push_bit | pop_bit | kill;

  assign head_valid_o = head_valid_q;
  assign head_changed_o = head_changed_q;

  // What nobody reads behind D2 is not kept: form number, legality, hints.
  insn_t kept;
  always_comb begin
    kept = push_insn;
    kept.info.legal = 1'b1;
    kept.word.form = '0;
    kept.word.rsv63 = 1'b0;
    kept.word.rsv127 = 1'b0;
    kept.word.scope = '0;
    kept.word.cache = '0;
  end
  assign head_o = ib_q[entry(head_warp_i, read_q[head_warp_i])];

  logic [IbBits-1:0] push_entry;
  assign push_entry = entry(push_warp, write_q[push_warp]);
  always_ff @(posedge clk_i) begin
    if (push) ib_q[push_entry] <= kept;
  end

  // Needs: of all heads at once, or flags of all heads and the rest of one.
  if (HazardScan == 0) begin : gen_need
    for (genvar w = 0; w < SubWarps; w++) begin : gen_warp
      need_t need_q [IbDepth];
      assign need_o[w] = need_q[read_q[w]];
      always_ff @(posedge clk_i) begin
        if (push_bit[w]) need_q[write_q[w]] <= push_need;
      end
    end
    assign need_scan_o = '0;
  end else begin : gen_scan
    scan_need_t need_q [SubWarps * IbDepth];
    assign need_scan_o = need_q[entry(scan_warp_i, read_q[scan_warp_i])];
    always_ff @(posedge clk_i) begin
      if (push) need_q[push_entry] <= scan_of(push_need);
    end
    typedef struct packed {logic trap, lsu, ldc, sync, bar, fence, tbuf;} flags_t;
    for (genvar w = 0; w < SubWarps; w++) begin : gen_warp
      (* ram_style = "logic" *) flags_t flags_q [IbDepth];  // two entries: smaller than a memory
      flags_t flags;
      assign flags = flags_q[read_q[w]];
      always_comb begin
        need_o[w] = '0;
        need_o[w].trap = flags.trap;
        need_o[w].lsu = flags.lsu;
        need_o[w].ldc = flags.ldc;
        need_o[w].sync = flags.sync;
        need_o[w].bar = flags.bar;
        need_o[w].fence = flags.fence;
        need_o[w].tbuf = flags.tbuf;
      end
      always_ff @(posedge clk_i) begin
        if (push_bit[w]) begin
          flags_q[write_q[w]] <= '{trap: push_need.trap, lsu: push_need.lsu, ldc: push_need.ldc,
                                   sync: push_need.sync, bar: push_need.bar,
                                   fence: push_need.fence, tbuf: push_need.tbuf};
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      head_valid_q <= '0;
      head_changed_q <= '1;
      room_q <= '1;
      miss_wait_q <= '0;
      for (int unsigned w = 0; w < SubWarps; w++) begin
        read_q[w] <= '0;
        write_q[w] <= '0;
        count_q[w] <= '0;
        occupied_q[w] <= '0;
      end
    end else begin
      head_changed_q <= push_bit | pop_bit | kill;
      for (int unsigned w = 0; w < SubWarps; w++) begin
        if (touched[w]) begin
          if (kill[w]) begin
            read_q[w] <= '0;
            write_q[w] <= '0;
            count_q[w] <= '0;
            occupied_q[w] <= '0;
            head_valid_q[w] <= 1'b0;
            room_q[w] <= 1'b1;
          end else begin
            count_t count, occupied;
            count = count_q[w] + count_t'(push_bit[w]) - count_t'(pop_bit[w]);
            // A warp that missed is not fetched for.
            occupied = miss_bit[w] ? occupied_q[w] - count_t'(pop_bit[w]) - count_t'(1) :
                       occupied_q[w] - count_t'(pop_bit[w]) + count_t'(f1_hot[w]);
            count_q[w] <= count;
            occupied_q[w] <= occupied;
            head_valid_q[w] <= count != '0;
            room_q[w] <= occupied < count_t'(IbDepth);
            if (push_bit[w]) write_q[w] <= next_ptr(write_q[w]);
            if (pop_bit[w]) read_q[w] <= next_ptr(read_q[w]);
          end
        end
      end
      miss_wait_q <= ((miss_wait_q & ~(mu_done ? mu_hot_q : '0)) |
                      (miss_start ? f2_hot_q : '0)) & ~kill;
    end
  end
endmodule
