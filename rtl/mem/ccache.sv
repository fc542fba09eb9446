// Constant loads (docs/microarchitecture.md 12; PTX 9.7.9.8): one LDC at a time through a
// direct-mapped, read-only cache of 64-byte lines. One path for addresses, one set of result words:
// a pass takes the lowest pending lane as its leader and serves all lanes of the warp with the
// leader's a, beat by beat as it writes back. The banks lie in device memory, so addresses share
// their upper word. Coherence with stores to the constant banks within a launch is deliberately
// absent; invalidate_i clears the cache between launches.
`include "cells/assert.svh"

module ccache
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
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
  localparam int unsigned SizeBits = Serial ? 18 : 32;   // the small rows' banks are below 128 KB
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
  // Of the bank, found during FILL.
  logic [31:0] sum_q;        // its base + offset of the instruction
  logic        sum_carry_q;
  logic        bank_ok_q;
  logic        none_q;       // no offset is legal
  logic [31:0] limit_q;      // offset of the instruction - highest legal offset - 1
  logic        carry_q;      // of this sum
  logic [3:0]  align_q;      // of an offset at which the address is a multiple of 16
  // Of the pass. The lanes' a are read at the beat in look: the leader's in PASS and CHECK, the
  // one after `beat` in WB, so that served is a register.
  beat_t       look_q;
  lanes_t      lane_q;       // the leader in its beat, one-hot
  logic [31:0] lead_q;       // its a
  logic [31:0] addr_q;       // lower word of the address
  logic        next_q;       // the upper one is the device memory's and 1
  logic        mis_q, fault_q;
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

  // ---- FILL: the bank is fixed by the instruction. An offset is beyond its highest legal one if
  // offset + ~highest has a carry. Of a + imm + ~highest in one sum with limit = imm + ~highest the
  // carries are as many as those of the two steps, so PASS needs no comparison behind the offset.
  logic [3:0]          low;      // access bytes - 1
  logic [31:0]         imm;
  logic                bank_ok_d, some_legal, none_d;
  logic [31:0]         base, beyond;
  logic [32:0]         sum_d;
  logic [SizeBits-1:0] size;
  logic [32:0]         limit_d;
  assign imm = {{4{imm_q[27]}}, imm_q[27:0]};
  always_comb begin
    unique case (type_q)
      MemTypeU8, MemTypeS8:   low = 4'd0;
      MemTypeU16, MemTypeS16: low = 4'd1;
      MemTypeB64:             low = 4'd7;
      MemTypeB128:            low = 4'd15;
      default:                low = 4'd3;
    endcase
  end
  always_comb begin
    bank_ok_d = imm_q[31:28] < 4'd3;
    {base, size, sum_d, none_d, some_legal, limit_d} = 'x;
    beyond = '1;
    if (fill) begin
      base = '0;   // shown by the trap of a bank that is not there
      unique case (imm_q[31:28])
        4'd0: begin
          base = lb_i[LaunchC0Base];
          size = SizeBits'(512) + lb_i[LaunchParamBytes][SizeBits-1:0];
        end
        4'd1: begin
          base = lb_i[LaunchC1Base];
          size = lb_i[LaunchC1Bytes][SizeBits-1:0];
        end
        4'd2: begin
          base = lb_i[LaunchC2Base];
          size = lb_i[LaunchC2Bytes][SizeBits-1:0];
        end
        default: ;
      endcase
      // ~highest = -highest - 1 = low - size, negative if some offset is legal
      {some_legal, beyond[SizeBits-1:0]} = (SizeBits+1)'(low) - {1'b0, size};
      none_d = !some_legal || !bank_ok_d;
      limit_d = {1'b0, imm} + {1'b0, beyond};
      sum_d = {1'b0, base} + {1'b0, imm};
    end
  end

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

  // ---- Pass: the leader's a, offset, address and faults. Likewise the address is one sum, of a and
  // base + imm. An offset has 32 bits: of this sum's and that one's carries it does not have its own.
  logic [31:0] lead_a;
  logic [32:0] off, over, addr_d;
  logic        mis, fault;
  always_comb begin
    {lead_a, off, over, addr_d, mis, fault} = 'x;
    if (pass) begin
      lead_a = '0;
      for (int i = 0; i < int'(Lanes); i++) lead_a = lead_a | (a[i] & {32{lane_q[i]}});
      off = {1'b0, lead_a} + {1'b0, imm};
      over = {1'b0, lead_a} + {1'b0, limit_q};
      addr_d = {1'b0, lead_a} + {1'b0, sum_q};
      // Whether the address's low bits are zero, without its sum, which lies elsewhere.
      mis = ((off[3:0] ^ align_q) & low) != '0;
      fault = mis || none_q || (over[32] ^ off[32] ^ carry_q);
    end
  end

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

  // ---- Cache: data as four 64-bit memories per sector row, read in PASS, valid in CHECK.
  // Valid bits by four lines; those of a place that nothing was written to since the last
  // invalidation are clear.
  localparam int unsigned Places = Lines / 4;
  logic [3:0]         valid_q [Places];
  logic [Places-1:0]  used_q, place_hot;
  logic [3:0]         valid, line_hot;
  logic               valid_we;
  // Read in CHECK: a block memory would answer late.
  (* ram_style = "distributed" *) logic [TagBits-1:0] tag_q [Lines];
  logic [31:0]        sector [8];
  logic [IdxBits-1:0] idx;
  logic [TagBits-1:0] tag;
  logic               hit;
  logic               rsp_here;
  logic               got_q;     // one sector of the missing line has come
  assign idx = addr_q[6 +: IdxBits];
  assign tag = addr_q[31 -: TagBits];
  always_comb begin
    for (int i = 0; i < int'(Places); i++) place_hot[i] = idx[IdxBits-1:2] == (IdxBits-2)'(i);
    line_hot = 4'd1 << idx[1:0];
    valid = valid_q[idx[IdxBits-1:2]] & {4{(used_q & place_hot) != '0}};
  end
  assign hit = (valid & line_hot) != '0 && tag_q[idx] == tag;
  assign miss_o = check && !hit && !fault_q;
  assign valid_we = miss_o || (rsp_here && got_q);
  ldc_tag_t rsp_tag;
  assign rsp_tag = rsp_i.tag;
  assign rsp_here = rsp_valid_i && rsp_i.unit == FromLdc;
  for (genvar k = 0; k < 4; k++) begin : gen_data
    (* ram_style = "block", no_rw_check *) logic [63:0] mem_q [Lines * 2];
    logic [63:0] read_q;
    always_ff @(posedge clk_i) begin
      if (rsp_here) mem_q[{idx, rsp_tag.half}] <= rsp_i.data[64*k +: 64];
      if (pass) read_q <= mem_q[addr_d[5 +: IdxBits+1]];
    end
    assign sector[2*k] = read_q[31:0];
    assign sector[2*k+1] = read_q[63:32];
  end
  always_ff @(posedge clk_i) begin
    if (rsp_here && got_q) tag_q[idx] <= tag;
  end

  // ---- Result words of the pass, in CHECK.
  logic        store, check_done, last_word;
  logic [31:0] word [4];
  assign store = check && hit && !fault_q;
  assign last_word = {1'b0, word_q} == words_q - 3'd1;
  assign check_done = store && (!Serial || last_word);
  logic [31:0] serial_word;
  if (Serial) begin : gen_serial_word
    // The sector comes late out of its memories: its word, and of this the byte and the half, are picked
    // in the slices' multiplexers, and what fills a sub-word up is picked beside them.
    logic [31:0] picked;
    logic [7:0]  bytes [4], low_byte, high_byte;
    logic        is_byte, is_half, is_signed, sign;
    mux_tree #(.Width(32), .Bits(3)) u_word (
      .sel_i(addr_q[4:2] | 3'(word_q)), .x_i(sector), .y_o(picked)
    );
    mux_tree #(.Width(8), .Bits(2)) u_byte (.sel_i(addr_q[1:0]), .x_i(bytes), .y_o(low_byte));
    for (genvar i = 0; i < 4; i++) begin : gen_byte
      assign bytes[i] = picked[8*i +: 8];
    end
    always_comb begin
      high_byte = addr_q[1] ? bytes[3] : bytes[1];
      is_byte = type_q == MemTypeU8 || type_q == MemTypeS8;
      is_half = type_q == MemTypeU16 || type_q == MemTypeS16;
      is_signed = type_q == MemTypeS8 || type_q == MemTypeS16;
      sign = is_signed && (is_byte ? low_byte[7] : high_byte[7]);
      serial_word = {(is_byte || is_half) ? {16{sign}} : picked[31:16],
                     is_byte ? {8{sign}} : high_byte, low_byte};
    end
  end else begin : gen_no_serial_word
    assign serial_word = '0;
  end
  always_comb begin
    word = '{default: 'x};
    if (store) begin
      if (Serial) begin
        word[0] = serial_word;
      end else begin
        word[0] = extend(type_q, sector[addr_q[4:2]], addr_q[1:0]);
        word[1] = sector[{addr_q[4:3], 1'b1}];
        word[2] = sector[{addr_q[4], 2'd2}];
        word[3] = sector[{addr_q[4], 2'd3}];
      end
    end
  end

  if (Serial) begin : gen_serial
    logic [31:0] res_q [4];
    always_ff @(posedge clk_i) begin
      if (store) res_q[word_q] <= word[0];
    end
    always_comb begin
      vwb_data_o = 'x;
      if (wb) vwb_data_o = res_q[word_q];
    end
    logic unused_words;
    assign unused_words = ^{word[1], word[2], word[3]};
  end else begin : gen_once
    logic [31:0] res_q [4];
    always_ff @(posedge clk_i) begin
      if (store) res_q <= word;
    end
    always_comb begin
      vwb_data_o = 'x;
      if (wb) vwb_data_o = res_q[word_q];
    end
  end

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
    trap_o.valid = check && fault_q;
    if (check && fault_q) begin
      trap_o.cause = mis_q ? TrapMisaligned : TrapConstRange;
      trap_o.warp = slot_of(warp_q, sub_q);
      trap_o.lane = 5'(32'(look_q) * Lanes) + bit_number(32'(lane_q));
      trap_o.pc = pc_q;
      trap_o.addr = {(bank_ok_q ? lb_i[LaunchMemBase + 1] : 32'h0) + 32'(next_q), addr_q};
    end
    finish_o.valid = trap_o.valid;
    finish_o.warp = warp_q;
    req_valid_o = state_q == StMiss && !sent_q[1];
    req_o = 'x;
    if (req_valid_o) begin
      req_o = '0;
      req_o.sector = {lb_i[LaunchMemBase + 1], addr_q[31:6], sent_q[0]};
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
          if (fault_q) state_q <= StIdle;
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
    if (!rst_ni || invalidate_i) used_q <= '0;
    else if (valid_we) used_q <= used_q | place_hot;
  end
  always_ff @(posedge clk_i) begin
    if (valid_we) begin
      valid_q[idx[IdxBits-1:2]] <= (valid & ~line_hot) | (line_hot & {4{!check}});
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
    if (fill) begin
      {sum_carry_q, sum_q} <= sum_d;
      align_q <= 4'd0 - base[3:0];
      bank_ok_q <= bank_ok_d;
      none_q <= none_d;
      {carry_q, limit_q} <= limit_d;
    end
    if (pass) begin
      lead_q <= lead_a;
      addr_q <= addr_d[31:0];
      next_q <= addr_d[32] ^ sum_carry_q ^ off[32];
      mis_q <= mis;
      fault_q <= fault;
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
  assign unused = ^{issue_i, rsp_i.op, rsp_i.sm, rsp_tag.zero, x1_i, addr_q[5], lb_i[0], off[31:4],
                    over[31:0]};

  assign rest_o = state_q == StIdle;

  `WL_ASSERT(TakesIdle, !take || state_q == StIdle)
  `WL_ASSERT(OneLeader, !pass || $onehot(lane_q))
  `WL_ASSERT(ServesLeader, !(wb && some_q) || served_q != '0)
  `WL_ASSERT_HELD(RequestWaits, req_valid_o, req_grant_i || clear_i, req_o.sector)
endmodule
