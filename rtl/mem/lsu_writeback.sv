// LSU: write-back of results (docs/microarchitecture.md 10, 6.3). Of the slots in WB the one
// allocated first presents its words, LSU beats ascending, words ascending; each slot keeps its
// place. Words of a transposed matrix load are presented lane by lane where an LSU beat is not the
// whole warp (10.1). A slot of a deferred form offers requests to shared memory instead (22.1). The
// choice for a cycle is made in the cycle before from the state that it will see, so
// that the results can lie in memories with registered outputs.
`include "cells/assert.svh"

module lsu_writeback
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import lsu_pkg::*;
  import cells_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                en_i,                 // some slot is or comes into WB
  input  logic                take_i,               // issue to slot alloc_i
  input  logic [31:0]         exec_i,
  input  logic [LsuDepth-1:0] enter_i,              // becomes WB
  input  logic [LsuDepth-1:0] in_wb_i,
  input  logic [LsuDepth-1:0] held_i,               // must not be chosen for the next cycle
  input  slot_t               alloc_i,              // the oldest slot from here on
  output slot_t               look_o,               // whose info_i is looked at
  input  wb_info_t            info_i,
  input  logic                fill_i,               // X1 brings an LSU beat's lanes of E
  input  logic [RowBits-1:0]  fill_row_i,
  input  logic [Cols-1:0]     fill_act_i,
  input  logic [Cols-1:0]     fill_local_i,
  input  logic                fill_end_i,           // the slot's last X1
  input  logic                grant_i,              // the word is written
  input  logic                taken_i,              // the request is taken
  output logic [LsuDepth-1:0] free_o,               // leaves WB: freed
  output logic [LsuDepth-1:0] resend_o,             // leaves WB: its requests are made
  output vwb_t                vwb_o,
  output offer_t              offer_o,
  output logic                present_o,            // a word or a request
  output logic [RowBits-1:0]  row_o,                // lane storage of an offer
  output mem_type_e           type_o,
  output sub_t                sub_o,                // sub-core of its warp
  output logic [1:0]          word_o,               // of what is presented
  output matrix_e             matrix_o,
  output logic [4:0]          lane_o,               // first lane of it
  // What is read for the next cycle.
  output logic                read_o,
  output logic [ResBits-1:0]  read_row_o [Cols]
);

  function automatic logic one_bit(input beats_t v);
    return others(64'(v)) == '0;
  endfunction

  logic             wb_q;
  slot_t            slot_q;
  logic [4:0]       lane0_q;             // first lane of what is presented
  logic [ColBits-1:0] in_q;              // lane in its LSU beat, if lanes are presented one by one
  logic [1:0]       now_q;               // its word
  wb_info_t         info_q;              // of its slot
  logic [7:0]       rd_q;                // the word's
  logic             has_reg_q;           // it is a register
  beats_t           left_q [LsuDepth];   // LSU beats not finished
  logic [4:0]       first_q [LsuDepth];  // lane of the first of them
  logic [1:0]       word_q [LsuDepth];
  logic [ColBits-1:0] in_left_q [LsuDepth];
  logic [LsuDepth-1:0] one_q;            // one LSU beat is left (from the second cycle after the issue on)
  logic             seen_q;              // X1 of the slot that fills has had lanes of E

  // Lanes of E by row.
  logic [Cols-1:0] exec_q [1 << RowBits];
  always_ff @(posedge clk_i) begin
    if (fill_i) exec_q[fill_row_i] <= fill_act_i;
  end

  slot_t      fill_slot;
  logic [4:0] fill_lane0;
  assign {fill_slot, fill_lane0} = (SlotBits+5)'(fill_row_i) << ColBits;
  logic first_fill;                      // of the slot's first LSU beat with lanes of E
  assign first_fill = fill_i && fill_act_i != '0 && !seen_q;

  // What is presented is gone: the word is written, or the request is taken.
  logic go, deferred;
  assign go = grant_i || taken_i;
  assign deferred = info_q.copy || info_q.arrive;
  assign present_o = wb_q;

  // ---- Presented now: the bank of the result, which the grant waits for, comes out of registers.
  beats_t           left, left_after;
  logic [1:0]       word;
  logic             last_word, last_beat, beat_end;
  logic             each_lane, last_lane;  // lanes one by one; the last of an LSU beat
  assign row_o = row_of(slot_q, lane0_q);
  always_comb begin
    logic [Cols-1:0] mask;
    {left, left_after, word, last_word, last_beat, beat_end} = 'x;
    {each_lane, last_lane} = 'x;
    vwb_o = 'x;
    vwb_o.valid = wb_q && !deferred;
    offer_o = 'x;
    offer_o.valid = wb_q && deferred;
    mask = 'x;
    if (wb_q) begin
      vwb_o = '0;
      vwb_o.valid = !deferred;
      left = left_q[slot_q];
      left_after = left & ~(beats_t'(1) << (32'(lane0_q) / LsuLanes));
      word = now_q;
      last_word = word == info_q.last_word;
      each_lane = LsuLanes < 32 && info_q.matrix == MatrixB16t;
      last_lane = !each_lane || in_q == '1;
      beat_end = last_word && last_lane;
      last_beat = one_q[slot_q] && last_lane;
      vwb_o.warp = warp_of(info_q.warp);
      vwb_o.rd = rd_q;
      vwb_o.has_reg = has_reg_q;
      vwb_o.beat = BeatBits'(32'(lane0_q) / Lanes);
      mask = each_lane ? Cols'(1 << in_q) : exec_q[row_o];
      vwb_o.mask = Lanes'(mask) << (32'(lane0_q) % Lanes);
      vwb_o.last_beat = last_beat;
      vwb_o.last = last_beat && last_word;
      if (deferred) begin
        offer_o = '{valid: 1'b1, slot: slot_q, warp: info_q.warp, arrive: info_q.arrive,
                    beat: LsuBeatBits'(32'(lane0_q) / LsuLanes), mask: mask, word: word};
      end
    end
  end
  assign word_o = word;
  assign matrix_o = info_q.matrix;
  assign lane_o = lane0_q | 5'(in_q);
  assign type_o = info_q.mtype;
  assign sub_o = sub_of(info_q.warp);

  // ---- Presented next: the same slot, unless one that was allocated before it comes, or is no longer
  // held, or its last word is granted; then the oldest of the others. The grant comes late: all is there without it,
  // whole addresses of the results too.
  typedef struct packed {
    logic                 valid;
    slot_t                slot;
    logic [4:0]           lane0;
    logic [ColBits-1:0]   inner;
    logic [1:0]           word;
    wb_info_t             info;
    logic [7:0]           rd;
    logic                 has_reg;
    logic [4:0]           from;  // lane whose row is read
    logic [Cols-1:0][1:0] sub;   // row among those of an LSU beat, by column
  } read_t;
  function automatic read_t read_of(input logic valid, input slot_t slot, input logic [4:0] lane0,
                                    input logic [ColBits-1:0] inner, input logic [1:0] k, input wb_info_t info, input logic [7:0] rd,
                                    input logic has_reg, input logic [Cols-1:0] in_l);
    read_t r;
    logic [4:0] lane;
    r = '{valid: valid, slot: slot, lane0: lane0, inner: inner, word: k, info: info, rd: rd,
          has_reg: has_reg, from: lane0, sub: '0};
    // Words of phase L have a row each.
    for (int i = 0; i < int'(Cols); i++) r.sub[i] = in_l[i] ? k : 2'(32'(k) / LsuWords);
    // Lane 4g + q of a matrix load takes its word from a lane of row g, transposed of rows 2q, 2q + 1.
    if (LsuLanes < 32 && info.matrix != MatrixNone) begin
      lane = lane0 | 5'(inner);
      r.from = (info.matrix == MatrixB16t) ? {k, lane[1:0], 1'b0} : {k, lane[4:2]};
      for (int i = 0; i < int'(Cols); i++) begin
        r.sub[i] = 2'((info.matrix == MatrixB16t) ? lane[4] : lane[1]);
      end
    end
    return r;
  endfunction
  logic            same, some_other;
  slot_t           other_slot;
  logic [4:0]      other_lane0, next_lane0;
  logic [1:0]      next_word, other_word;
  logic [ColBits-1:0] next_in, other_in;
  logic            next_has_reg, other_has_reg;
  logic [7:0]      next_rd;
  logic [Cols-1:0] other_local, now_local;    // lanes of class L
  read_t           kept, granted, read;
  always_comb begin
    logic [LsuDepth-1:0] there;
    {free_o, resend_o} = '0;
    {same, some_other} = '0;
    other_slot = 'x;
    there = 'x;
    if (en_i) begin
      if (grant_i && vwb_o.last) free_o[slot_q] = 1'b1;
      if (taken_i && vwb_o.last) resend_o[slot_q] = 1'b1;
      same = wb_q;
      for (int i = 0; i < int'(LsuDepth); i++) begin
        there[i] = ((in_wb_i[i] && !(wb_q && slot_q == slot_t'(i))) || enter_i[i]) && !held_i[i];
        if (there[i] && slot_t'(i) - alloc_i < slot_q - alloc_i) same = 1'b0;
      end
      some_other = there != '0;
      for (int i = int'(LsuDepth) - 1; i >= 0; i--) begin
        if (there[alloc_i + slot_t'(i)]) other_slot = alloc_i + slot_t'(i);
      end
    end
  end
  assign look_o = other_slot;
  always_comb begin
    read_t other;
    {other_lane0, other_in, other_word, other_has_reg} = 'x;
    {next_lane0, next_in, next_word, next_rd, next_has_reg} = 'x;
    {kept, granted, other} = 'x;
    {kept.valid, granted.valid} = '0;
    if (en_i) begin
      other_lane0 = first_q[other_slot];
      other_in = in_left_q[other_slot];
      next_lane0 = beat_end ? first_lane(left_after) : lane0_q;
      next_in = in_q + ColBits'(each_lane && last_word);
      next_word = last_word ? '0 : word + 2'd1;
      next_rd = last_word ? info_q.rd : rd_q + 8'd1;
      next_has_reg = last_word ? info_q.rd != 8'd255 : has_reg_q && rd_q != 8'd254;
      other_word = word_q[other_slot];
      // rd + word below 255, without the sum.
      other_has_reg = info_i.rd[7:2] != '1 || 3'(info_i.rd[1:0]) + 3'(other_word) < 3'd3;
      other = read_of(some_other, other_slot, other_lane0, other_in, other_word, info_i,
                      info_i.rd + 8'(other_word), other_has_reg, other_local);
      kept = !same ? other :
             read_of(1'b1, slot_q, lane0_q, in_q, word, info_q, rd_q, has_reg_q, now_local);
      // The first word of an LSU beat is in row 0 of any class; another one has the class of this.
      granted = (!same || vwb_o.last) ? other :
                read_of(1'b1, slot_q, next_lane0, next_in, next_word, info_q, next_rd, next_has_reg,
                        now_local);
    end
  end
  always_comb begin
    read = go ? granted : kept;
    for (int i = 0; i < int'(Cols); i++) begin
      read_row_o[i] = ResBits'(32'(row_of(read.slot, read.from)) * WordRows
                               + 32'(read.sub[i]) % WordRows);
    end
  end
  assign read_o = read.valid;

  if (LateExtend) begin : gen_local
    logic [Cols-1:0] local_q [1 << RowBits];
    logic [Cols-1:0] first_local_q [LsuDepth];      // of the LSU beat at first_q
    logic [Cols-1:0] next_local;
    always_ff @(posedge clk_i) begin
      if (fill_i) local_q[fill_row_i] <= fill_local_i;
      if (first_fill) first_local_q[fill_slot] <= fill_local_i;
      if (go && beat_end) first_local_q[slot_q] <= next_local;
    end
    assign next_local = local_q[row_of(slot_q, next_lane0)];
    assign now_local = first_local_q[slot_q];
    assign other_local = first_local_q[other_slot];
  end else begin : gen_no_local
    assign {now_local, other_local} = '0;
    logic unused_local;
    assign unused_local = ^fill_local_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wb_q <= 1'b0;
      seen_q <= 1'b0;
    end else begin
      wb_q <= read_o;
      if (fill_i && fill_act_i != '0) seen_q <= 1'b1;
      if (fill_end_i) seen_q <= 1'b0;
    end
    // X1 comes by LSU beats ascending.
    if (first_fill) first_q[fill_slot] <= fill_lane0;
    if (en_i) begin
      now_q <= read.word;
      slot_q <= read.slot;
      lane0_q <= read.lane0;
      in_q <= read.inner;
      info_q <= read.info;
      rd_q <= read.rd;
      has_reg_q <= read.has_reg;
      for (int i = 0; i < int'(LsuDepth); i++) begin
        if (go && slot_q == slot_t'(i)) begin
          word_q[i] <= next_word;
          first_q[i] <= next_lane0;
          in_left_q[i] <= next_in;
          if (beat_end) left_q[i] <= left_after;
        end
      end
    end
    for (int i = 0; i < int'(LsuDepth); i++) begin
      one_q[i] <= (go && beat_end && slot_q == slot_t'(i)) ? one_bit(left_after)
                                                                 : one_bit(left_q[i]);
    end
    // A slot that is issued to is not in WB.
    if (take_i) begin
      for (int b = 0; b < int'(LsuBeats); b++) begin
        left_q[alloc_i][b] <= exec_i[b*int'(LsuLanes) +: int'(LsuLanes)] != '0;
      end
      word_q[alloc_i] <= '0;
      in_left_q[alloc_i] <= '0;
    end
  end

  `WL_ASSERT(GrantsResult, (!grant_i || vwb_o.valid) && (!taken_i || offer_o.valid))
  `WL_ASSERT(EntersOnce, (enter_i & in_wb_i) == '0)
  `WL_ASSERT(PresentsWaiting, !wb_q || in_wb_i[slot_q])
endmodule
