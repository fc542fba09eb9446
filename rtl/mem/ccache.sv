// Constant loads (docs/microarchitecture.md 12; PTX 9.7.9.8): one LDC at a time through a
// direct-mapped, read-only cache of 64-byte lines. One path for addresses, one set of result words:
// a pass takes the lowest pending lane as its leader and serves all lanes of the warp with the
// leader's a, beat by beat as it writes back. The banks lie in device memory, so addresses share
// their upper word. Coherence with stores to the constant banks within a launch is deliberately
// absent; invalidate_i clears the cache between launches. Addresses and faults are those of
// ccache_address, result words those of ccache_words.
`include "cells/assert.svh"

module ccache
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import port_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         invalidate_i,
  input  logic [31:0]  lb_i [LaunchBlockWords],
  input  issue_t       issue_i,
  input  sub_t         sub_i,        // whose issue it is
  input  x1_t          x1_i,
  input  logic [31:0]  x1_a_i [Lanes],
  output logic         ldc_ready_o,
  output vwb_t         vwb_o,
  output sub_t         sub_o,        // of vwb_o and finish_o
  output logic [31:0]  vwb_data_o,   // the same for all lanes
  input  logic         vwb_grant_i,
  output finish_t      finish_o,
  output trap_t        trap_o,
  output logic         miss_o,       // a CHECK misses
  output logic         rest_o,       // idle (15)
  output logic         req_valid_o,
  output packet_t      req_o,
  input  logic         req_grant_i,
  input  logic         rsp_valid_i,
  input  response_t    rsp_i
);

  localparam bit Serial = Beats > 1;           // result words are taken one by one
  localparam int unsigned Lines = CcacheBytes / 64;
  localparam int unsigned IdxBits = $clog2(Lines);
  localparam int unsigned TagBits = 32 - 6 - IdxBits;

  typedef enum logic [2:0] {StIdle, StFill, StPass, StCheck, StMiss, StWb} state_e;
  typedef logic [Lanes-1:0] lanes_t;
  typedef logic [Beats-1:0] beats_t;
  typedef logic [BeatBits-1:0] beat_t;

  state_e      state_q;
  warp_t       warp_q;
  sub_t        sub_q;
  pc_t         pc_q;
  mem_type_e   type_q;
  logic [7:0]  rd_q;
  logic [2:0]  words_q;      // register words of the result
  logic [31:0] imm_q;        // bank and offset
  lanes_t      pending_q [Beats];   // still to be served
  // Of the pass. The lanes' a are read at the beat in look: the leader's in PASS and CHECK, the
  // one after `beat` in WB, so that served is a register.
  beat_t       look_q;
  lanes_t      lane_q;       // the leader in its beat, one-hot
  logic [31:0] lead_q;       // its a
  beat_t       beat_q;
  lanes_t      served_q;
  logic        some_q;       // served is not empty
  logic [1:0]  word_q;

  logic take, fill, pass, check, wb;
  assign take = issue_i.valid && !issue_i.empty && issue_i.insn.info.unit == UnitLdc;
  assign ldc_ready_o = state_q == StIdle;
  assign fill = state_q == StFill;
  assign pass = state_q == StPass;
  assign check = state_q == StCheck;
  assign wb = state_q == StWb;
  logic x1_here;
  assign x1_here = x1_i.valid && x1_i.info.unit == UnitLdc;

  // ---- Lanes: a of their beats; those that the coming beat serves.
  logic [31:0] a [Lanes];
  lanes_t      ahead, served_d;
  assign ahead = pending_q[look_q];
  for (genvar i = 0; i < int'(Lanes); i++) begin : gen_lane
    logic [31:0] a_q [Beats];
    always_ff @(posedge clk_i) begin
      if (x1_here) a_q[x1_i.beat] <= x1_a_i[i];
    end
    always_comb begin
      a[i] = 'x;
      if (pass || check || wb) a[i] = a_q[look_q];
    end
    assign served_d[i] = ahead[i] && a[i] == lead_q;
  end

  // ---- Pass: the leader's a, its address and faults.
  logic [31:0] lead_a, pass_addr, addr;
  logic        next, bank_ok, misaligned, fault;
  always_comb begin
    lead_a = 'x;
    if (pass) begin
      lead_a = '0;
      for (int i = 0; i < int'(Lanes); i++) lead_a = lead_a | (a[i] & {32{lane_q[i]}});
    end
  end
  ccache_address u_address (
    .clk_i, .lb_i, .type_i(type_q), .imm_i(imm_q), .fill_i(fill), .pass_i(pass), .lead_a_i(lead_a),
    .pass_addr_o(pass_addr), .addr_o(addr), .next_o(next), .bank_ok_o(bank_ok),
    .misaligned_o(misaligned), .fault_o(fault)
  );

  // ---- Lanes left when the beat in WB has ended, and the lowest of them, which leads the next
  // pass. Until the last beat of a pass ends it is not looked at.
  lanes_t rest [Beats];
  beats_t todo;              // beats with pending lanes
  beats_t left;              // with lanes in rest
  logic   behind;            // pending lanes in beats behind `beat`
  beat_t  low_beat;
  lanes_t low_lane;
  always_comb begin
    {todo, left, behind, low_beat, low_lane} = 'x;
    rest = '{default: 'x};
    if (fill || wb) begin
      behind = 1'b0;
      low_beat = '0;
      for (int b = 0; b < int'(Beats); b++) begin
        rest[b] = pending_q[b] & ~(served_q & {Lanes{wb && beat_q == beat_t'(b)}});
        todo[b] = pending_q[b] != '0;
        left[b] = rest[b] != '0;
        if (todo[b] && beat_t'(b) > beat_q) behind = 1'b1;
      end
      for (int b = int'(Beats) - 1; b >= 0; b--) if (left[b]) low_beat = beat_t'(b);
      low_lane = lanes_t'(cells_pkg::lowest(64'(rest[low_beat])));
    end
  end

  // ---- Cache: read in PASS, judged in CHECK.
  logic [IdxBits-1:0] idx;
  logic               valid, same, hit, rsp_here;
  logic               got_q;     // one sector of the missing line has come
  logic [63:0]        parts [4];
  logic [31:0]        sector [8];
  ldc_tag_t           rsp_tag;
  assign idx = addr[6 +: IdxBits];
  assign hit = valid && same;
  assign miss_o = check && !hit && !fault;
  assign rsp_tag = rsp_i.tag;
  assign rsp_here = rsp_valid_i && rsp_i.unit == FromLdc;
  cache_array #(.Lines(Lines), .TagBits(TagBits), .Parts(4)) u_array (
    .clk_i, .rst_ni, .invalidate_i, .line_i(idx), .tag_i(addr[31 -: TagBits]), .valid_o(valid),
    .same_o(same), .read_i({4{pass}}), .sector_i(pass_addr[5 +: IdxBits+1]), .data_o(parts),
    .fill_line_i(idx), .lose_i(miss_o), .fill_i(rsp_here), .fill_half_i(rsp_tag.half),
    .fill_data_i(rsp_i.data), .fill_end_i(rsp_here && got_q), .fill_tag_i(addr[31 -: TagBits])
  );
  for (genvar k = 0; k < 4; k++) begin : gen_sector
    assign {sector[2*k+1], sector[2*k]} = parts[k];
  end

  // ---- Result words of the pass, in CHECK.
  logic store, check_done, last_word;
  assign store = check && hit && !fault;
  assign last_word = {1'b0, word_q} == words_q - 3'd1;
  assign check_done = store && (!Serial || last_word);
  ccache_words u_words (
    .clk_i, .type_i(type_q), .store_i(store), .addr_i(addr[4:0]), .sector_i(sector),
    .word_i(word_q), .show_i(wb), .data_o(vwb_data_o)
  );

  // ---- Write-back: beats of the pass ascending, words ascending; a beat without a lane to serve
  // ends at once.
  logic       beat_ends;
  logic [7:0] wb_rd_q;       // rd + word, counted up: it goes far
  logic       wb_reg_q;      // it is a register
  assign beat_ends = wb && (!some_q || (vwb_grant_i && last_word));
  always_comb begin
    vwb_o = 'x;
    vwb_o.valid = wb && some_q;
    if (wb && some_q) begin
      vwb_o = '0;
      vwb_o.valid = 1'b1;
      vwb_o.warp = warp_q;
      vwb_o.has_reg = wb_reg_q;
      vwb_o.rd = wb_rd_q;
      vwb_o.beat = beat_q;
      vwb_o.last_beat = left == '0;
      vwb_o.last = left == '0 && last_word;
      vwb_o.mask = served_q;
    end
  end

  // ---- Traps, in CHECK, and requests.
  assign sub_o = (SubCores == 1) ? '0 : sub_q;
  logic [1:0] sent_q;
  always_comb begin
    trap_o = 'x;
    trap_o.valid = check && fault;
    if (check && fault) begin
      trap_o.cause = misaligned ? TrapMisaligned : TrapConstRange;
      trap_o.warp = slot_of(warp_q, sub_q);
      trap_o.lane = 5'(32'(look_q) * Lanes) + bit_number(32'(lane_q));
      trap_o.pc = pc_q;
      trap_o.addr = {(bank_ok ? lb_i[LaunchMemBase + 1] : 32'h0) + 32'(next), addr};
    end
    finish_o.valid = trap_o.valid;
    finish_o.warp = warp_q;
    req_valid_o = state_q == StMiss && !sent_q[1];
    req_o = 'x;
    if (req_valid_o) begin
      req_o = '0;
      req_o.sector = {lb_i[LaunchMemBase + 1], addr[31:6], sent_q[0]};
      req_o.mask = '1;
      req_o.unit = FromLdc;
      req_o.tag = ldc_tag_t'{zero: '0, half: sent_q[0]};
    end
  end

  // ---- State.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:  if (take) state_q <= StFill;
        StFill:  if (x1_here && x1_i.last) state_q <= StPass;
        StPass:  state_q <= StCheck;
        StCheck: begin
          if (fault) state_q <= StIdle;
          else if (!hit) state_q <= StMiss;
          else if (check_done) state_q <= StWb;
        end
        StMiss:  if (rsp_here && got_q) state_q <= StPass;
        StWb: begin
          if (beat_ends && left == '0) state_q <= StIdle;
          else if (beat_ends && !behind) state_q <= StPass;
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle && take) begin
      warp_q <= issue_i.warp;
      sub_q <= sub_i;
      pc_q <= issue_i.insn.pc;
      type_q <= issue_i.insn.info.mtype;
      rd_q <= issue_i.insn.word.rd;
      words_q <= issue_i.insn.info.d_words;
      imm_q <= issue_i.insn.word.imm;
      word_q <= '0;
      wb_rd_q <= issue_i.insn.word.rd;
      wb_reg_q <= issue_i.insn.word.rd != 8'd255;
    end
    if (pass) begin
      lead_q <= lead_a;
      sent_q <= '0;
      got_q <= 1'b0;
    end
    if (state_q == StMiss) begin
      if (req_grant_i) sent_q <= sent_q + 2'd1;
      if (rsp_here) got_q <= 1'b1;
    end
    if (fill || wb) lane_q <= low_lane;
    if (fill || (beat_ends && !behind)) look_q <= low_beat;
    else if (Serial && (check_done || beat_ends)) look_q <= look_q + beat_t'(1);
    if (pass || beat_ends) beat_q <= look_q;
    if (check_done || beat_ends) begin
      served_q <= served_d;
      some_q <= served_d != '0;
    end
    if ((Serial && store) || (wb && some_q && vwb_grant_i)) begin
      word_q <= last_word ? '0 : word_q + 2'd1;
      wb_rd_q <= last_word ? rd_q : wb_rd_q + 8'd1;
      wb_reg_q <= last_word ? rd_q != 8'd255 : wb_reg_q && wb_rd_q != 8'd254;
    end
  end
  for (genvar b = 0; b < int'(Beats); b++) begin : gen_pending
    always_ff @(posedge clk_i) begin
      if (state_q == StIdle && take) pending_q[b] <= issue_i.exec[b*int'(Lanes) +: int'(Lanes)];
      else if (beat_ends && beat_q == beat_t'(b)) pending_q[b] <= pending_q[b] & ~served_q;
    end
  end

  logic unused;
  assign unused = ^{issue_i, rsp_i.op, rsp_i.sm, rsp_tag.zero, x1_i, pass_addr, addr[5], lb_i[0]};

  assign rest_o = state_q == StIdle;

  `WL_ASSERT(TakesIdle, !take || state_q == StIdle)
  `WL_ASSERT(OneLeader, !pass || $onehot(lane_q))
  `WL_ASSERT(ServesLeader, !(wb && some_q) || served_q != '0)
  `WL_ASSERT_HELD(RequestWaits, req_valid_o, req_grant_i || clear_i, req_o.sector)

  `WL_ASSERT(OperandsInFill, !x1_here || fill)
  `WL_ASSERT(AnswerIsAwaited, !rsp_here || (state_q == StMiss && sent_q != '0))
  `WL_ASSERT(FillIsAsked, !(rsp_here && got_q) || sent_q == 2'd2)
endmodule
