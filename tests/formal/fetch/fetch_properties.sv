// Instruction buffer and fetch tokens (docs/microarchitecture.md 4) of one watched warp: entries and
// tokens are IbDepth at most; what is pushed, and what issue reads, are the instructions from the
// place to which the warp was last sent on, each once and in order; a flush leaves neither entry nor
// token; trap PC_RANGE exactly beyond the code; needs and instruction belong together; F1 chooses in
// turn; a warp waits for a miss only while the miss unit works for it. Bottom: what the unit's
// registers look like for that (induction).
// Assumed: 3, 7: a warp is valid once it was started, its entry and the code change between launches
// only; a new pc comes with a flush, and a warp flushed without one does not run until it comes (7.2,
// 7.3). 5: only an entry is popped. 13: the port answers each request once.
// With SMALL pcs are below 16 and the first cycles are looked at: planted bugs and covers.
// Not here: that a hit gives the word of its pc (lockstep compares every word).
module fetch_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
  import port_pkg::*;
(
  input logic                clk_i,
  input logic                stall_i,
  input logic                clear_i,
  input logic                invalidate_i,
  input pc_t                 entry_pc_i,     // of the next launch
  input logic [31:0]         code_words_i,
  input logic [SubWarps-1:0] warp_valid_i,
  input logic [SubWarps-1:0] warp_start_i,
  input logic [SubWarps-1:0] run_i,
  input logic                trap_pending_i,
  input logic [SubWarps-1:0] flush_i,
  input setpc_t              setpc_resolve_i,
  input setpc_t              setpc_engine_i,
  input logic                pop_valid_i,
  input warp_t               head_warp_i,
  input warp_t               scan_warp_i,
  input logic                req_grant_i,
  input logic                rsp_valid_i,
  input response_t           rsp_i,
  input warp_t               w_i
);
  localparam int unsigned CountBits = $clog2(IbDepth + 1);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  warp_t       w_q;
  pc_t         entry_q;
  logic [31:0] code_q;

  logic [SubWarps-1:0] head_valid, head_changed;
  need_t               need [SubWarps];
  scan_need_t          need_scan;
  insn_t               head;
  logic                idle, miss, req_valid;
  packet_t             req;
  fetch dut (
    .clk_i, .rst_ni(rst_n), .sub_i('0), .stall_i, .clear_i, .invalidate_i, .entry_pc_i(entry_q),
    .code_words_i(code_q), .code_sector_i('0), .warp_valid_i, .warp_start_i, .run_i,
    .trap_pending_i, .flush_i, .setpc_resolve_i, .setpc_engine_i, .pop_valid_i, .head_warp_i,
    .head_valid_o(head_valid), .head_changed_o(head_changed), .need_o(need), .scan_warp_i,
    .need_scan_o(need_scan), .head_o(head), .idle_o(idle), .miss_o(miss), .req_valid_o(req_valid),
    .req_o(req), .req_grant_i, .rsp_valid_i, .rsp_i
  );

  // Launches, and warps that have been started in this one.
  logic [SubWarps-1:0] started_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) w_q <= w_i;
    if (!rst_n || invalidate_i) begin
      entry_q <= entry_pc_i;
      code_q <= code_words_i;
    end
    if (!rst_n || clear_i || invalidate_i) started_q <= '0;
    else started_q <= started_q | warp_start_i;
  end

  // The watched warp: what it was last told, and where it is.
  logic                 starts, flushes, resolves, walks, push, pop;
  logic                 lost_q;               // flushed, and not told where to go on
  pc_t                  push_pc_q, head_pc_q; // next instruction to be pushed, oldest in the buffer
  logic [CountBits-1:0] count_q;              // entries
  logic                 f2, d1, d2;           // its tokens
  logic [1:0]           tokens;
  assign starts = warp_start_i[w_q];
  assign flushes = flush_i[w_q];
  assign resolves = setpc_resolve_i.valid && setpc_resolve_i.warp == w_q;
  assign walks = setpc_engine_i.valid && setpc_engine_i.warp == w_q;
  assign push = dut.push_bit[w_q] && !starts && !flushes;
  assign pop = pop_valid_i && head_warp_i == w_q;
  assign f2 = dut.f2_valid_q && dut.f2_hot_q[w_q];
  assign d1 = dut.u_decode.d1_valid_q && dut.u_decode.d1_warp_q[w_q];
  assign d2 = dut.u_decode.d2_valid_q && dut.u_decode.d2_warp_q[w_q];
  assign tokens = 2'(f2) + 2'(d1) + 2'(d2);
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      count_q <= '0;
    end else if (starts || flushes) begin
      lost_q <= !starts && !resolves && !walks;
      push_pc_q <= starts ? entry_q : walks ? setpc_engine_i.pc : setpc_resolve_i.pc;
      head_pc_q <= starts ? entry_q : walks ? setpc_engine_i.pc : setpc_resolve_i.pc;
      count_q <= '0;
    end else begin
      if (push) push_pc_q <= push_pc_q + 28'd1;
      if (pop) head_pc_q <= head_pc_q + 28'd1;
      count_q <= count_q + CountBits'(push) - CountBits'(pop);
    end
  end

  // The warp that F1 chose last; the requests of a miss.
  warp_t      last_q;
  logic [1:0] owed_q;      // sectors requested and not answered
  logic [1:0] answers_q;   // of this miss
  logic       answer;
  assign answer = rsp_valid_i && rsp_i.unit == FromIcache;
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) last_q <= warp_t'(SubWarps - 1);
    else if (dut.f1_valid) last_q <= dut.f1_warp;
    if (!rst_n || clear_i) begin
      owed_q <= '0;
      answers_q <= '0;
    end else begin
      for (int s = 0; s < 2; s++) begin
        if (req_valid && req_grant_i && req.tag[0] == 1'(s)) owed_q[s] <= 1'b1;
        if (answer && rsp_i.tag[0] == 1'(s)) owed_q[s] <= 1'b0;
      end
      if (answer) answers_q <= idle ? '0 : answers_q + 2'd1;
      if (miss) answers_q <= '0;
    end
  end

  // The watched warp's part of the buffers, by age, and what F1 would fetch.
  insn_t rows [IbDepth];
  need_t needs [IbDepth];        // of all warps at once,
  scan_need_t scans [IbDepth];  // or of one
  logic [2:0] lsu_flag [IbDepth];   // HazardScan = 1: trap, unit LSU, target buffer
  pc_t   next_pc;
  always_comb begin
    for (int i = 0; i < IbDepth; i++) begin
      rows[i] = dut.u_ibuffer.ib_q[(32'(w_q) * IbDepth) + (32'(dut.u_ibuffer.read_q[w_q]) + i) % IbDepth];
    end
    next_pc = !dut.after_token_q[w_q] ? dut.token_pc_q[w_q] :
              dut.f2_hot_q[w_q] ? dut.f2_pc_q + 28'd1 : dut.next_pc_q[w_q];
    if (2'(dut.origin_q[w_q]) == 2'd1) next_pc = dut.resolve_pc_q[w_q];
    if (2'(dut.origin_q[w_q]) == 2'd2) next_pc = dut.engine_pc_q[w_q];
    if (2'(dut.origin_q[w_q]) == 2'd3) next_pc = entry_q;
  end
  if (HazardScan == 0) begin : gen_all
    need_t all [SubWarps][IbDepth];
    for (genvar w = 0; w < SubWarps; w++) begin : gen_warp
      for (genvar i = 0; i < IbDepth; i++) begin : gen_row
        assign all[w][i] = dut.u_ibuffer.gen_need.gen_warp[w].need_q[i];
      end
    end
    always_comb begin
      for (int i = 0; i < IbDepth; i++) begin
        needs[i] = all[w_q][(32'(dut.u_ibuffer.read_q[w_q]) + i) % IbDepth];
        lsu_flag[i] = {needs[i].trap, needs[i].lsu, needs[i].tbuf};
      end
    end
  end else begin : gen_one
    localparam int unsigned Trap = 14, Lsu = 13, Tbuf = 7;  // bits of the buffer's flags_t
    logic [2:0] flags [SubWarps][IbDepth];
    for (genvar w = 0; w < SubWarps; w++) begin : gen_warp
      for (genvar i = 0; i < IbDepth; i++) begin : gen_row
        assign flags[w][i] = {dut.u_ibuffer.gen_scan.gen_warp[w].flags_q[i][Trap],
                              dut.u_ibuffer.gen_scan.gen_warp[w].flags_q[i][Lsu],
                              dut.u_ibuffer.gen_scan.gen_warp[w].flags_q[i][Tbuf]};
      end
    end
    always_comb begin
      for (int i = 0; i < IbDepth; i++) begin
        scans[i] = dut.u_ibuffer.gen_scan.need_q[(32'(w_q) * IbDepth) +
                                       (32'(dut.u_ibuffer.read_q[w_q]) + i) % IbDepth];
        lsu_flag[i] = flags[w_q][(32'(dut.u_ibuffer.read_q[w_q]) + i) % IbDepth];
      end
    end
  end

  // Whether needs are those of an instruction's registers.
  function automatic logic scan_like(input scan_need_t s, input insn_t x);
    need_t      n;
    need_more_t m;
    scan_need_t want;
    n = '0;
    m = '0;
    m.x = x.info.x_words != 3'd0;
    m.imm = x.word.imm[7:0];
    if (HasMore != 0) n.more = MoreBits'(m);
    n.rd = x.word.rd;
    n.ra = x.word.ra;
    n.rb = x.word.rb;
    n.rc = x.word.rc;
    n.nd = x.info.d_words;
    n.na = x.info.a_words;
    n.nb = x.info.b_words;
    n.nc = x.info.c_words;
    want = scan_of(n);
    return s.used == want.used && s.first == want.first && s.last == want.last;
  endfunction
  function automatic logic beyond(input pc_t pc);
    return {4'd0, pc} >= code_q;
  endfunction
  function automatic logic is_range(input insn_t x);
    return x.trap && x.cause == TrapPcRange;
  endfunction

  logic known, killed_q, runs, told;
  assign known = started_q[w_q];
  assign runs = warp_valid_i[w_q] && run_i[w_q];
  assign told = known && !lost_q;
  always_ff @(posedge clk_i) killed_q <= rst_n && (starts || flushes);

  always @(posedge clk_i) begin
    assume (32'(w_i) < SubWarps && 32'(head_warp_i) < SubWarps && 32'(scan_warp_i) < SubWarps);
`ifdef SMALL
    assume (entry_pc_i[27:4] == '0 && code_words_i[31:4] == '0 &&
            setpc_resolve_i.pc[27:4] == '0 && setpc_engine_i.pc[27:4] == '0);
`endif
    if (rst_n) begin
      assume (32'(setpc_resolve_i.warp) < SubWarps && 32'(setpc_engine_i.warp) < SubWarps);
      // 3: launches.
      assume ((warp_valid_i & ~started_q) == '0 && (warp_valid_i & warp_start_i) == '0);
      assume (!invalidate_i || (warp_valid_i == '0 && warp_start_i == '0 && idle));
      assume (!clear_i || (idle && warp_start_i == '0));
      // 7: flushes.
      assume (!setpc_resolve_i.valid || flush_i[setpc_resolve_i.warp]);
      assume (!setpc_engine_i.valid || flush_i[setpc_engine_i.warp]);
      assume (!lost_q || !known || !run_i[w_q]);
      // 5, 13.
      assume (!pop_valid_i || head_valid[head_warp_i]);
      assume (!answer || (rsp_i.tag[15:1] == '0 && owed_q[rsp_i.tag[0]]));

      // Room.
      a_room: assert (32'(count_q) + 32'(tokens) <= IbDepth);
      a_push_room: assert (!push || 32'(count_q) < IbDepth);
      a_eligible: assert (dut.eligible[w_q] ==
                          (runs && !dut.u_icache.miss_wait_q[w_q] && !trap_pending_i && !stall_i &&
                           32'(count_q) + 32'(tokens) < IbDepth));
      // Order.
      a_pushed: assert (!push || !known || (!lost_q && dut.push_insn.pc == push_pc_q));
      a_valid: assert (head_valid[w_q] == (count_q != '0));
      a_between: assert (!told || push_pc_q == head_pc_q + 28'(count_q));
      a_lost: assert (!known || !lost_q || (count_q == '0 && tokens == '0));
      a_flushed: assert (!killed_q || (count_q == '0 && tokens == '0));
      if (count_q != '0 && known) begin
        if (head_warp_i == w_q) begin
          a_head: assert (head.pc == head_pc_q && is_range(head) == beyond(head_pc_q));
          a_flags: assert (need[w_q].trap == head.trap &&
                           need[w_q].lsu == (head.info.unit == UnitLsu));
          if (HazardScan == 0) a_need: assert (need[w_q].rd == head.word.rd &&
                                               need[w_q].rb == head.word.rb);
          if (HazardScan != 0 && scan_warp_i == w_q) begin
            a_scan: assert (scan_like(need_scan, head));
          end
        end
      end
      // Turns and misses.
      a_first: assert (!dut.f1_valid || dut.f1_warp == next_warp(dut.eligible, last_q));
      a_wait: assert (!dut.u_icache.miss_wait_q[w_q] || (dut.u_icache.mu_valid_q && dut.u_icache.mu_hot_q[w_q]));
      a_ask: assert (!(req_valid && owed_q[req.tag[0]]));

      // ---- Registers.
      a_count: assert (dut.u_ibuffer.count_q[w_q] == count_q && 32'(count_q) <= IbDepth);
      a_occupied: assert (32'(dut.u_ibuffer.occupied_q[w_q]) == 32'(count_q) + 32'(tokens));
      a_room_q: assert (dut.u_ibuffer.room_q[w_q] == (32'(count_q) + 32'(tokens) < IbDepth));
      a_places: assert (32'(dut.u_ibuffer.read_q[w_q]) < IbDepth &&
                        32'(dut.u_ibuffer.write_q[w_q]) == (32'(dut.u_ibuffer.read_q[w_q]) + 32'(count_q)) % IbDepth);
      // A place beyond a warp's own would be another warp's.
      for (int w = 0; w < SubWarps; w++) assert (32'(dut.u_ibuffer.write_q[w]) < IbDepth);
      for (int i = 0; i < IbDepth; i++) begin
        if (known && 32'(count_q) > i) begin
          assert (rows[i].pc == head_pc_q + 28'(i));
          assert (is_range(rows[i]) == beyond(rows[i].pc));
          assert ((HazardScan == 0) ? needs[i].rd == rows[i].word.rd &&
                                      needs[i].rb == rows[i].word.rb :
                                      scan_like(scans[i], rows[i]));
          assert (lsu_flag[i][2] == rows[i].trap &&
                  lsu_flag[i][1] == (rows[i].info.unit == UnitLsu));
        end
      end
      if (d2 && known) a_d2: assert (told && dut.u_decode.d2_pc_q == push_pc_q &&
                                     dut.u_decode.d2_oob_q == beyond(push_pc_q));
      if (d1 && known) a_d1: assert (told && dut.u_decode.d1_pc_q == push_pc_q + 28'(d2) &&
                                     dut.u_decode.d1_oob_q == beyond(dut.u_decode.d1_pc_q));
      if (f2 && known) a_f2: assert (told && dut.f2_pc_q == push_pc_q + 28'(d2) + 28'(d1));
      if (f2) a_token: assert (2'(dut.origin_q[w_q]) == 2'd0 && dut.after_token_q[w_q]);
      if (told) a_next: assert (next_pc == push_pc_q + 28'(tokens));
      // A token that has left F2 is known as next behind it, too.
      if (told && !f2 && 2'(dut.origin_q[w_q]) == 2'd0 && dut.after_token_q[w_q]) begin
        a_left: assert (dut.next_pc_q[w_q] == push_pc_q + 28'(tokens));
      end
      a_hot: assert ((!dut.f2_valid_q || ($onehot(dut.f2_hot_q) && dut.f2_hot_q[dut.f2_warp_q])) &&
                     (!dut.u_decode.d1_valid_q || $onehot(dut.u_decode.d1_warp_q)) &&
                     (!dut.u_decode.d2_valid_q || ($onehot(dut.u_decode.d2_warp_q) &&
                      dut.u_decode.d2_warp_q[dut.u_decode.d2_number_q])));
      a_after: assert (dut.after_q == SubWarps'(~((32'd2 << last_q) - 32'd1)));
      a_last: assert (32'(last_q) < SubWarps && 32'(w_q) < SubWarps);
      a_miss: assert (!dut.u_icache.mu_valid_q ? owed_q == '0 :
                      (dut.u_icache.mu_sent_q != 2'd3 && $onehot(dut.u_icache.mu_hot_q) &&
                       32'(dut.u_icache.mu_sent_q) == $countones(owed_q) + 32'(answers_q) &&
                       dut.u_icache.mu_got_q == (answers_q != '0) && answers_q < 2'd2 &&
                       (dut.u_icache.mu_sent_q != 2'd0 || owed_q == '0) &&
                       (dut.u_icache.mu_sent_q != 2'd1 || !owed_q[1])));

      c_tokens: cover (tokens == 2'd2 && known && push);
`ifdef SMALL
      c_full: cover (32'(count_q) == IbDepth && known);
      c_both: cover (push && pop && known && head_pc_q == entry_q + 28'd2);
      c_flushed: cover (flushes && walks && known && tokens == 2'd2);
      c_again: cover (known && pop && head_pc_q == 28'd7 && entry_q == 28'd3);
      c_miss: cover (known && f2 && dut.f2_miss && dut.f1_hot[w_q] && dut.f1_valid);
      c_range: cover (pop && known && is_range(head) && head_pc_q != entry_q);
      c_waits: cover (known && dut.u_icache.miss_wait_q[w_q] && owed_q == 2'b11);
`endif
    end
  end

  logic unused;
  assign unused = ^{head_changed, head, req, need_scan};
endmodule
