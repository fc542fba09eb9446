// The ring of the LSU's slots (docs/microarchitecture.md 10): a watched slot is allocated only when it
// is free, goes FILL, READY, PROC, SENT, WB as the text says and from no state to another, is freed
// once, for the warp that took it, and only with no packet, response or delivery of its own under
// way; the processor takes slots in ring order, write-back serves of those in WB the one allocated
// first, and presents the beats and words of the slot in order, each once. A slot of a deferred form
// (22) offers its words or arrivals likewise, is SENT again with the last of them, and is freed when all
// are delivered; an arrival is offered only when no older copy of its warp is in use. The answer on
// groups of copies is right. Bottom: what the unit's registers look like for that (induction).
// Assumed: 5: issue takes a slot only when the LSU is ready, and not with an empty mask; 6.1: X1 of
// LSU instructions come in the order of issue; 11, 13: a response answers a packet, a delivery a
// request that was made, never both in one cycle; at most 200 are under way for a slot (a lane has
// one packet or request in each of at most 4 parts: tests/formal/coalescer); a warp that asks for its
// groups issues nothing in that cycle (7.2: ctl); E is not empty, and each
// lane of E has a class, so that a slot without a fault has marks, of
// an operation on mbarriers only those of class S (21.2). Classes and faults of
// lanes, and the lanes that a step serves, are anything (lsu_stubs.sv). Not here: data, faults' trap.
module lsu_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import lsu_pkg::*;
  import port_pkg::*;
(
  input logic        clk_i,
  input logic [31:0] lb_i [LaunchBlockWords],
  input issue_t      issue_i,
  input x1_t         x1_i,
  input logic [31:0] x1_a_i [Lanes],
  input logic        vwb_grant_i,
  input logic        req_grant_i,
  input logic        rsp_valid_i,
  input response_t   rsp_i,
  input logic        smem_req_ready_i,
  input logic        smem_rsp_valid_i,
  input smem_rsp_t   smem_rsp_i,
  input logic [31:0] smem_rdata_i [4][LsuLanes],
  input logic [Warps-1:0] commit_i,
  input copy_ask_t   ask_i,
  input slot_t       s_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
  slot_t s_q;
  always_ff @(posedge clk_i) if (!rst_n) s_q <= s_i;

  logic [CtaBits-1:0] warp_cta [Warps];
  for (genvar i = 0; i < Warps; i++) begin : gen_warp
    assign warp_cta[i] = '0;
  end
  logic                lsu_ready, vwb_grant, req_valid, req_grant, smem_valid;
  logic [SlotBits-1:0] lsu_slot;
  vwb_t                vwb;
  sub_t                vwb_sub;
  logic [LsuDepth-1:0] lsu_free;
  warp_slot_t          free_warp [LsuDepth];
  trap_t               trap;
  packet_t             req;
  smem_req_t           smem;
  logic [SubCores-1:0] copies_left;
  copy_ask_t           ask [SubCores];
  assign ask = '{default: ask_i};
  assign vwb_grant = vwb_grant_i && vwb.valid;
  assign req_grant = req_grant_i && req_valid;
  lsu dut (
    .clk_i, .rst_ni(rst_n), .clear_i(1'b0), .lb_i, .warp_cta_i(warp_cta), .issue_i, .sub_i('0),
    .x1_i, .x1_a_i, .x1_b_i(x1_a_i), .x1_c_i(x1_a_i), .lsu_ready_o(lsu_ready),
    .lsu_slot_o(lsu_slot), .vwb_o(vwb), .vwb_sub_o(vwb_sub), .vwb_data_o(),
    .vwb_grant_i(vwb_grant), .lsu_free_o(lsu_free), .lsu_free_warp_o(free_warp), .trap_o(trap),
    .req_valid_o(req_valid), .req_o(req), .req_grant_i(req_grant), .rsp_valid_i, .rsp_i,
    .smem_req_valid_o(smem_valid), .smem_req_ready_i, .smem_req_o(smem), .smem_addr_o(),
    .smem_wdata_o(), .smem_more_o(), .smem_rsp_valid_i, .smem_rsp_i, .smem_rdata_i, .mbar_misuse_i('0),
    .trap_mbarrier_o(), .commit_i, .copy_ask_i(ask), .copies_left_o(copies_left), .deferred_o(),
    .copied_o()
  );

  // Events.
  logic  take, fills, answers, delivers, asks, at_port, writes;
  slot_t wb_slot;
  // What arrives, as a gathered form, takes no slot (5, 10.1).
  assign take = issue_i.valid && !issue_i.empty && !issue_i.ctl &&
                issue_i.insn.info.unit == UnitLsu;
  assign fills = x1_i.valid && x1_i.info.unit == UnitLsu;
  assign answers = rsp_valid_i && rsp_i.unit == FromLsu && (rsp_i.op == OpLd || rsp_i.op == OpAtom);
  assign delivers = smem_rsp_valid_i && smem_rsp_i.last;
  assign asks = req_valid && req_grant && (req.op == OpLd || req.op == OpAtom);
  assign at_port = req_valid && req.tag[15:12] == 4'(s_q);
  assign wb_slot = dut.u_writeback.slot_q;
  offer_t offer;
  logic   takes, goes;   // a request of write-back is taken; what is presented is gone
  assign offer = dut.offer;
  assign takes = dut.taken;
  assign goes = vwb_grant || takes;
  assign writes = (vwb.valid || offer.valid) && wb_slot == s_q;

  // Ring: slots from proc on are FILL, READY or PROC; the first `filled` of these have had all of their
  // X1 tokens, the first `judged` are not FILL.
  typedef logic [SlotBits:0] number_t;
  slot_t   alloc_q, proc_q;
  number_t pend_q, filled_q;
  logic    fault, start, done;
  // LsuDelay: X1 is judged, and kept for write-back, in the cycle behind it, and a slot is READY a cycle
  // behind its last X1.
  logic    judges, judges_q, ended, ended_q;
  slot_t   ended_slot, ended_slot_q;
  number_t judged;
  assign judges = (LsuDelay == 1) ? judges_q : fills;
  assign ended = (LsuDelay == 1) ? ended_q : fills && x1_i.last;
  assign ended_slot = (LsuDelay == 1) ? ended_slot_q : x1_i.slot;
  assign judged = filled_q - number_t'(LsuDelay == 1 && ended_q);
  always_ff @(posedge clk_i) begin
    judges_q <= rst_n && fills;
    ended_q <= rst_n && fills && x1_i.last;
    if (fills) ended_slot_q <= x1_i.slot;
  end
  assign fault = dut.p_fault;
  assign start = dut.p_start;
  assign done = dut.p_done;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      alloc_q <= '0;
      proc_q <= '0;
      pend_q <= '0;
      filled_q <= '0;
    end else begin
      if (take) alloc_q <= alloc_q + slot_t'(1);
      if (fault || done) proc_q <= proc_q + slot_t'(1);
      pend_q <= pend_q + number_t'(take) - number_t'(fault || done);
      filled_q <= filled_q + number_t'(fills && x1_i.last) - number_t'(fault || done);
    end
  end

  // The watched slot as the text has it.
  typedef enum logic [2:0] {Free, Fill, Ready, Proc, Sent, Wb} slot_state_e;
  slot_state_e state_q;
  logic        silent_q, mine_fault, mine_start, mine_done, drained, last_grant;
  warp_slot_t  warp_q;
  logic [7:0]  rd_q;
  mem_type_e   type_q;
  mem_kind_e   kind_q;
  beats_t      left_q;
  logic [1:0]  word_q;
  logic        deferred, again_q;       // of a deferred form; its requests are made
  logic [5:0]  age_q;
  logic        due_q, gone;             // LsuDelay: drained since the cycle before; leaves Sent
  logic [7:0]  packets_q, requests_q;   // granted and not answered; taken by shared memory likewise
  logic        last_word, last_one, last_taken;
  assign mine_fault = fault && dut.p_slot == s_q;
  assign mine_start = start && dut.p_slot == s_q;
  assign mine_done = done && dut.p_slot == s_q;
  assign drained = state_q == Sent && packets_q == '0 && requests_q == '0 && !at_port;
  function automatic logic [1:0] last_of(input mem_kind_e kind, input mem_type_e mtype);
    return (kind == MemKindMbtest || kind == MemKindCparrive) ? '0 : last_word_of(size_of(mtype));
  endfunction
  assign deferred = kind_q == MemKindCpasync || kind_q == MemKindCparrive;
  assign last_word = word_q == last_of(kind_q, type_q);
  assign last_one = last_word && (left_q & (left_q - beats_t'(1))) == '0;
  assign last_grant = writes && vwb_grant && last_one;
  assign last_taken = writes && takes && last_one;
  assign gone = (LsuDelay == 1) ? due_q : drained;
  always_ff @(posedge clk_i) begin
    due_q <= rst_n && drained && !due_q;
    if (!rst_n) begin
      state_q <= Free;
      packets_q <= '0;
      requests_q <= '0;
    end else begin
      unique case (state_q)
        Free: if (take && alloc_q == s_q) state_q <= Fill;
        Fill: if (ended && ended_slot == s_q) state_q <= Ready;
        Ready: if (mine_fault) state_q <= Free;
               else if (mine_start) state_q <= (kind_q == MemKindCparrive) ? Sent : Proc;
        Proc: if (mine_done) state_q <= Sent;
        Sent: if (gone) state_q <= silent_q ? Free : Wb;
        Wb: if (last_grant) state_q <= Free; else if (last_taken) state_q <= Sent;
        default: ;
      endcase
      packets_q <= packets_q + 8'(asks && at_port) - 8'(answers && rsp_i.tag[15:12] == 4'(s_q));
      requests_q <= requests_q + 8'(smem_valid && smem_req_ready_i && smem.slot == s_q) -
                    8'(delivers && smem_rsp_i.slot == s_q);
    end
    if (take && alloc_q == s_q) begin
      silent_q <= issue_i.insn.info.kind == MemKindSt ||
                  ((issue_i.insn.info.kind == MemKindAtom || issue_i.insn.info.kind == MemKindMbar) &&
                   issue_i.insn.word.rd == 8'd255);
      again_q <= 1'b0;
      warp_q <= slot_of(issue_i.warp, '0);
      rd_q <= issue_i.insn.word.rd;
      kind_q <= issue_i.insn.info.kind;
      type_q <= issue_i.insn.info.mtype;
      for (int b = 0; b < int'(LsuBeats); b++) begin
        left_q[b] <= issue_i.exec[b*int'(LsuLanes) +: int'(LsuLanes)] != '0;
      end
      word_q <= '0;
    end else if (writes && goes) begin
      if (last_taken) {again_q, silent_q} <= 2'b11;
      word_q <= last_word ? '0 : word_q + 2'd1;
      if (last_word) left_q <= left_q & (left_q - beats_t'(1));
    end
  end

  always_ff @(posedge clk_i) begin
    if (take && alloc_q == s_q) age_q <= '0;
    else if (state_q != Free && commit_i[warp_q] && age_q != '1) age_q <= age_q + 6'd1;
  end

  // Slots by age, from `alloc` on: an arrival is held while an older copy of its warp is in use.
  logic [LsuDepth-1:0] is_copy, is_arrive, held, chosen;
  logic [LsuDepth-1:0] older [LsuDepth];
  always_comb begin
    for (int i = 0; i < int'(LsuDepth); i++) begin
      is_copy[i] = dut.u_slots.busy_q[i] && dut.u_slots.info_q[i].kind == MemKindCpasync;
      is_arrive[i] = dut.u_slots.busy_q[i] && dut.u_slots.info_q[i].kind == MemKindCparrive;
    end
    for (int i = 0; i < int'(LsuDepth); i++) begin
      for (int j = 0; j < int'(LsuDepth); j++) begin
        older[i][j] = is_arrive[i] && is_copy[j] &&
                      slot_t'(slot_t'(j) - alloc_q) < slot_t'(slot_t'(i) - alloc_q) &&
                      dut.u_slots.info_q[j].warp == dut.u_slots.info_q[i].warp;
      end
      held[i] = older[i] != '0;
    end
    chosen = dut.u_slots.wb_q & ~held;
  end

  // Questions for groups.
  copy_ask_t asked_q;
  logic      asked_left;
  always_ff @(posedge clk_i) begin
    asked_q <= ask_i;
    if (!rst_n) asked_q.valid <= 1'b0;
  end
  always_comb begin
    asked_left = 1'b0;
    for (int i = 0; i < int'(LsuDepth); i++) begin
      if (is_copy[i] && !asked_q.bulk && dut.u_slots.info_q[i].warp == slot_of(asked_q.warp, '0) &&
          dut.u_deferred.age_q[i] > asked_q.most) asked_left = 1'b1;
    end
  end

  // The slot in WB that is not held and was allocated first: all others lie behind it, up to `alloc`.
  slot_t      oldest;
  logic [8:0] rd;
  always_comb begin
    oldest = '0;
    for (int i = int'(LsuDepth) - 1; i >= 0; i--) begin
      if (chosen[alloc_q + slot_t'(i)]) oldest = alloc_q + slot_t'(i);
    end
    rd = 9'(rd_q) + 9'(word_q);
  end

  // X1 of the slot that fills has had lanes of E (10: LSU beats ascending, each with its lanes of E).
  logic seen_q, has_lanes, mine_fills;
  assign has_lanes = dut.u_writeback.fill_i && dut.u_writeback.fill_act_i != '0;
  assign mine_fills = state_q == Fill && s_q == proc_q + slot_t'(judged);
  always_ff @(posedge clk_i) begin
    if (!rst_n || ended) seen_q <= 1'b0;
    else if (has_lanes) seen_q <= 1'b1;
  end

  logic [LsuDepth-1:0] waits;
  number_t             far [LsuDepth];
  always_comb begin
    for (int i = 0; i < int'(LsuDepth); i++) begin
      far[i] = number_t'(slot_t'(slot_t'(i) - proc_q));
      waits[i] = far[i] < pend_q;
    end
  end

  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (!take || (lsu_ready && issue_i.exec != '0));
      assume (!fills || (filled_q < pend_q && x1_i.slot == proc_q + slot_t'(filled_q)));
      if (mine_fills && judges) begin
        assume (!has_lanes || seen_q || dut.u_writeback.fill_lane0 == first_lane(left_q));
        assume (!ended || seen_q || has_lanes);
      end
      assume (!(rsp_valid_i && smem_rsp_valid_i));
      assume (!(rsp_valid_i && rsp_i.unit == FromLsu) || 32'(rsp_i.tag[15:12]) < LsuDepth);
      assume (!(answers && rsp_i.tag[15:12] == 4'(s_q)) || packets_q != '0);
      assume (!(delivers && smem_rsp_i.slot == s_q) || requests_q != '0);
      assume (!take || (issue_i.insn.info.kind <= MemKindCparrive &&
                        issue_i.insn.info.kind != MemKindLdmatrix &&
                        issue_i.insn.info.kind != MemKindStmatrix));
      assume (!(ask_i.valid && take && issue_i.warp == ask_i.warp));
      assume (!(ask_i.valid && commit_i[slot_of(ask_i.warp, '0)]));
      assume (!(take && commit_i[slot_of(issue_i.warp, '0)]));
      assume (!start || dut.p_fill.any_g != '0 || dut.p_fill.any_l != '0 || dut.p_fill.any_s != '0);
      assume (!start || !(dut.p_info.kind == MemKindMbar || dut.p_info.kind == MemKindMbtest) ||
              (dut.p_fill.any_g == '0 && dut.p_fill.any_l == '0));
      assume (packets_q < 8'd100 && requests_q < 8'd100);

      // Allocation in ring order, of free slots only.
      a_alloc: assert (lsu_slot == alloc_q && (!take || alloc_q != s_q || state_q == Free));
      if (alloc_q == s_q) a_ready: assert (lsu_ready == (state_q == Free));
      // Order of the processor; a slot goes on only from the state before.
      a_order: assert (!(mine_fault || mine_start) || (state_q == Ready && proc_q == s_q));
      a_done: assert (!mine_done || (proc_q == s_q && (state_q == Proc ||
                      (state_q == Ready && mine_start && kind_q == MemKindCparrive))));
      a_one: assert (!(start && fault) && !(fault && done));
      if (mine_start) a_passes: assert (mine_done == (kind_q == MemKindCparrive));
      // In exactly the text's state.
      a_used: assert (dut.u_slots.busy_q[s_q] == (state_q != Free));
      a_is_ready: assert (dut.u_slots.ready_q[s_q] == (state_q == Ready));
      a_is_proc: assert ((dut.u_processor.run_q && dut.p_slot == s_q) == (state_q == Proc));
      a_is_sent: assert (dut.u_slots.sent_q[s_q] == (state_q == Sent));
      a_is_wb: assert (dut.u_slots.wb_q[s_q] == (state_q == Wb));
      // Freed once, with nothing under way.
      a_free: assert (dut.freed[s_q] == (mine_fault || (gone && silent_q)));
      if (state_q != Free) a_counted: assert (lsu_free[s_q] == (dut.freed[s_q] && !deferred));
      a_freed: assert (!dut.freed[s_q] || (state_q != Free && free_warp[s_q] == warp_q &&
                                          packets_q == '0 && requests_q == '0 && !at_port));
      // A deferred form: freed without a fault only when its requests are made and delivered.
      a_over: assert (!(dut.freed[s_q] && deferred && !mine_fault) || (again_q && requests_q == '0));
      a_leave: assert (dut.leave[s_q] == last_grant && dut.resend[s_q] == last_taken);
      a_quiet: assert (state_q == Proc || state_q == Sent || (state_q == Wb && deferred) ||
                       (packets_q == '0 && requests_q == '0 && !at_port &&
                        !(smem_valid && smem.slot == s_q)));
      if (state_q == Wb) a_answered: assert (packets_q == '0 && !at_port && !again_q);
      // Write-back.
      a_presents: assert ((vwb.valid || offer.valid) == (chosen != '0) && !(vwb.valid && offer.valid));
      if (vwb.valid || offer.valid) begin
        a_oldest: assert (wb_slot == oldest);
        a_kind: assert (dut.u_writeback.info_q.copy == is_copy[wb_slot] &&
                        dut.u_writeback.info_q.arrive == is_arrive[wb_slot] &&
                        dut.u_writeback.info_q.matrix == MatrixNone);
      end
      if (writes) a_way: assert (offer.valid == deferred);
      if (writes && offer.valid) begin
        a_offer: assert (state_q == Wb && left_q != '0 && offer.slot == s_q && offer.warp == warp_q &&
                         offer.arrive == (kind_q == MemKindCparrive) && offer.word == word_q &&
                         32'(offer.beat) == 32'(first_lane(left_q)) / LsuLanes);
        a_after: assert (kind_q != MemKindCparrive || older[s_q] == '0);
      end
      if (takes) begin
        a_request: assert (smem_valid && smem_req_ready_i && smem.slot == offer.slot &&
                           smem.kind == (offer.arrive ? MemKindMbar : MemKindSt));
      end
      if (asked_q.valid) a_left: assert (copies_left[0] == asked_left);
      if (state_q != Free && kind_q == MemKindCpasync) begin
        a_age: assert (dut.u_deferred.age_q[s_q] == age_q);
      end
      if (writes && vwb.valid) begin
        a_writes: assert (state_q == Wb && left_q != '0 && vwb.warp == warp_of(warp_q) &&
                          vwb.rd == rd[7:0] && vwb.has_reg == (rd < 9'd255));
        a_place: assert (32'(vwb.beat) == 32'(first_lane(left_q)) / Lanes &&
                         vwb.last == last_one &&
                         vwb.last_beat == ((left_q & (left_q - beats_t'(1))) == '0));
      end

      // ---- Registers.
      a_pointers: assert (dut.u_slots.alloc_q == alloc_q && dut.p_slot == proc_q &&
                          alloc_q == proc_q + slot_t'(pend_q) && 32'(pend_q) <= LsuDepth &&
                          filled_q <= pend_q && (!dut.u_processor.run_q || judged != '0));
      for (int i = 0; i < int'(LsuDepth); i++) begin
        assert (!dut.u_slots.busy_q[i] ||
                (dut.u_deferred.copy_q[i] == is_copy[i] && dut.u_deferred.arrive_q[i] == is_arrive[i] &&
                 dut.u_slots.warp_q[i] == dut.u_slots.info_q[i].warp));
        assert (dut.u_deferred.older_q[i] == older[i]);
        assert (!dut.u_slots.busy_q[i] || (dut.u_slots.info_q[i].matrix == MatrixNone &&
                                           dut.u_slots.info_q[i].kind <= MemKindCparrive &&
                                           !(dut.u_slots.info_q[i].kind inside {MemKindLdmatrix, MemKindStmatrix})));
        assert (!asked_q.valid || !is_copy[i] ||
                dut.u_slots.info_q[i].warp != slot_of(asked_q.warp, '0) ||
                dut.u_deferred.gen_ask[0].old_q[i] ==
                  (dut.u_deferred.age_q[i] > asked_q.most && !asked_q.bulk));
        assert (!asked_q.valid || !dut.u_deferred.gen_ask[0].old_q[i] || !dut.u_slots.busy_q[i] ||
                (is_copy[i] && dut.u_slots.info_q[i].warp == slot_of(asked_q.warp, '0)));
        assert (!waits[i] || dut.u_slots.busy_q[i]);
        assert (dut.u_slots.ready_q[i] == (far[i] < judged && !(far[i] == '0 && dut.u_processor.run_q)));
        assert (!(dut.u_slots.sent_q[i] || dut.u_slots.wb_q[i]) || (dut.u_slots.busy_q[i] && !waits[i]));
        assert (!(dut.u_slots.sent_q[i] && dut.u_slots.wb_q[i]));
      end
      if (LsuDelay == 1) begin
        i_step: assert (dut.judge == judges_q && dut.judge_last == ended_q &&
                        (!judges_q || (dut.judged.slot == ended_slot_q && judged < pend_q &&
                                       ended_slot_q == proc_q + slot_t'(judged))) &&
                        (!ended_q || filled_q != '0));
        i_due: assert (dut.u_slots.gone[s_q] == due_q && (!due_q || drained));
        for (int i = 0; i < int'(LsuDepth); i++) assert (!dut.u_slots.gone[i] || dut.u_slots.sent_q[i]);
      end
      if (dut.u_slots.open_q) begin
        i_acc: assert (dut.u_slots.acc_q.has_g == (dut.u_slots.acc_q.any_g != '0) &&
                       dut.u_slots.acc_q.has_l == (dut.u_slots.acc_q.any_l != '0));
      end
      for (int i = 0; i < int'(LsuDepth); i++) begin
        assert (!dut.u_slots.ready_q[i] || (dut.u_slots.fill_q[i].has_g == (dut.u_slots.fill_q[i].any_g != '0) &&
                                    dut.u_slots.fill_q[i].has_l == (dut.u_slots.fill_q[i].any_l != '0)));
      end
      i_none: assert (!(state_q inside {Proc, Sent, Wb}) ||
                      dut.u_slots.none_q[s_q] == (dut.u_slots.outst_q[s_q] == '0));
      if (dut.u_processor.run_q) begin
        i_bit: assert (!(dut.u_processor.in_g_q || dut.u_processor.in_l_q || GroupLanes == LsuLanes) ||
                       (dut.u_processor.grp_bit_q == (dut.u_processor.todo & -dut.u_processor.todo) &&
                        dut.u_processor.last_q == (dut.u_processor.left == '0)));
        i_phase: assert (dut.u_processor.in_g_q == (dut.u_processor.todo_g_q != '0) &&
                         dut.u_processor.in_l_q == (dut.u_processor.todo_g_q == '0 &&
                                                    dut.u_processor.todo_l_q != '0));
      end
      // An operation on mbarriers has no packets; an arrival behind copies has no phase.
      if (dut.u_processor.run_q) begin
        i_kind: assert (dut.p_info.kind != MemKindCparrive &&
                        (!(dut.p_info.kind inside {MemKindMbar, MemKindMbtest}) ||
                         (dut.u_processor.todo_g_q == '0 && dut.u_processor.todo_l_q == '0)));
      end
      a_work: assert (!dut.u_processor.run_q || dut.u_processor.todo_g_q != '0 ||
                      dut.u_processor.todo_l_q != '0 || dut.u_processor.todo_s_q != '0);
      a_waits: assert (waits[s_q] == (state_q == Fill || state_q == Ready || state_q == Proc));
      a_out: assert (!req_valid || dut.out_slot == slot_t'(req.tag[15:12]));
      if (state_q inside {Proc, Sent, Wb}) begin
        a_outstanding: assert (dut.u_slots.outst_q[s_q] == packets_q + requests_q +
                               8'(at_port && (req.op == OpLd || req.op == OpAtom)));
      end
      if (state_q != Free) begin
        a_info: assert (dut.u_slots.warp_q[s_q] == warp_q && dut.u_slots.info_q[s_q].warp == warp_q &&
                        dut.u_slots.info_q[s_q].rd == rd_q && dut.u_slots.info_q[s_q].mtype == type_q &&
                        dut.u_slots.silent_q[s_q] == silent_q && dut.u_slots.info_q[s_q].kind == kind_q &&
                        kind_q <= MemKindCparrive &&
                        kind_q != MemKindLdmatrix && kind_q != MemKindStmatrix &&
                        dut.u_slots.info_q[s_q].last_word == last_of(kind_q, type_q) &&
                        silent_q == (again_q || kind_q == MemKindSt ||
                                     ((kind_q == MemKindAtom || kind_q == MemKindMbar) &&
                                      rd_q == 8'd255)) &&
                        (!again_q || (deferred && state_q == Sent)) &&
                        dut.u_writeback.left_q[s_q] == left_q && (left_q == '0) == again_q &&
                        dut.u_writeback.word_q[s_q] == word_q);
        a_word: assert (word_q <= last_of(kind_q, type_q));
        if (writes) begin
          a_now: assert (dut.u_writeback.info_q.warp == warp_q &&
                         dut.u_writeback.info_q.rd == rd_q &&
                         dut.u_writeback.info_q.mtype == type_q &&
                         dut.u_writeback.info_q.copy == (kind_q == MemKindCpasync) &&
                         dut.u_writeback.info_q.arrive == (kind_q == MemKindCparrive) &&
                         dut.u_writeback.info_q.last_word == last_of(kind_q, type_q) &&
                         dut.u_writeback.now_q == word_q &&
                         dut.u_writeback.rd_q == rd[7:0] &&
                         dut.u_writeback.has_reg_q == (rd < 9'd255));
        end
        a_single: assert (state_q == Fill || again_q || dut.u_writeback.one_q[s_q] ==
                          ((left_q & (left_q - beats_t'(1))) == '0));
      end
      a_seen: assert (dut.u_writeback.seen_q == seen_q && (!seen_q || judged != pend_q));
      if ((mine_fills && seen_q) || !(state_q inside {Free, Fill})) begin
        a_first: assert (again_q || dut.u_writeback.first_q[s_q] == first_lane(left_q));
      end
      if (writes) a_lane: assert (dut.u_writeback.lane0_q == first_lane(left_q));

      c_full: cover (pend_q == number_t'(LsuDepth) && !lsu_ready);
      c_fault: cover (mine_fault && s_q != '0);
      c_silent: cover (gone && silent_q && pend_q != '0);
      c_words: cover (writes && vwb_grant && !last_word);
      c_copied: cover (dut.freed[s_q] && kind_q == MemKindCpasync && again_q && age_q == 6'd2);
      c_held: cover (dut.u_slots.wb_q[s_q] && held[s_q] && dut.u_slots.sent_q != '0);
      c_arrives: cover (last_taken && kind_q == MemKindCparrive);
      c_left: cover (asked_q.valid && copies_left[0]);
      c_both: cover (state_q == Sent && packets_q != '0 && requests_q != '0);
      c_passed: cover (vwb.valid && state_q == Sent && far[s_q] > far[wb_slot] && packets_q != '0);
      c_again: cover (take && alloc_q == s_q && dut.u_slots.sent_q != '0 && alloc_q == '0);
    end
  end
  logic unused;
  assign unused = ^{vwb_sub, trap, lb_i[0]};
endmodule
