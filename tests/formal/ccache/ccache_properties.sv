// Constant loads (docs/microarchitecture.md 12), compared with the text: phases, faults of the
// leaders, which lanes a pass serves in which beat, what is presented to write-back. Watched are
// one lane of the warp and one word of device memory, which keeps its value from one invalidation
// to the next: a line hits exactly if its fill has ended since then and no miss or fill of its place
// came after, and the words that the lane gets are those of its address. Of a pass its leader's
// a is taken from the unit, and judged where the watched lane is the leader; which lanes are
// pending follows from the masks presented, each judged at the watched lane. Bottom: what the
// unit's registers look like for that (induction).
// Assumed: 3: none comes in the 16 cycles after an invalidation. 5: an LDC form comes only when the unit is ready, and not with an empty mask; 6.1: the
// X1 of its beats come in order with the lanes of E; 3: launches begin and traps end when the unit
// is idle, the launch block stays while it is not; banks lie in one block of 4 GiB (13) and have
// 64 KB at most (12); 13: the port answers each request once, in any order. Registers of a result:
// as isa/def says for the type. Not here: that the passes go on at last (each serves a lane).
// STEP begins in any state in which all of this holds, for planted bugs and covers.
`ifdef STEP
`define HOLDS(x) begin if (free_q) assume (x); else assert (x); end
`else
`define HOLDS(x) assert (x);
`endif
module ccache_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import port_pkg::*;
(
  input logic        clk_i,
  input logic        clear_i,
  input logic        invalidate_i,
  input logic [31:0] lb_i [8],
  input issue_t      issue_i,
  input sub_t        sub_i,
  input x1_t         x1_i,
  input logic [31:0] x1_a_i [Lanes],
  input logic        vwb_grant_i,
  input logic        req_grant_i,
  input logic        rsp_valid_i,
  input response_t   rsp_i,
  input logic [4:0]  lane_i,
  input logic [31:2] word_i,
  input logic [31:0] value_i
);
  localparam bit Serial = Beats > 1;
  localparam int unsigned WarpLanes = Lanes * Beats;   // 32, or fewer in a smaller proof
  localparam int unsigned IdxBits = $clog2(CcacheBytes / 64);
  localparam logic [2:0] StIdle = 3'd0, StFill = 3'd1, StPass = 3'd2, StCheck = 3'd3, StMiss = 3'd4,
                         StWb = 3'd5;
`ifdef STEP
  logic free_q = 1'b1, rst_n;
  always_ff @(posedge clk_i) free_q <= 1'b0;
  assign rst_n = 1'b1;
`else
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
`endif

  logic [31:0] lb [LaunchBlockWords];
  always_comb begin
    lb = '{default: '0};
    lb[LaunchC0Base] = lb_i[0];
    lb[LaunchParamBytes] = lb_i[1];
    lb[LaunchC1Base] = lb_i[2];
    lb[LaunchC1Bytes] = lb_i[3];
    lb[LaunchC2Base] = lb_i[4];
    lb[LaunchC2Bytes] = lb_i[5];
    lb[LaunchMemBase + 1] = lb_i[6];
  end
  logic        ready, miss, req_valid;
  vwb_t        vwb;
  sub_t        sub;
  logic [31:0] vwb_data;
  finish_t     finish;
  trap_t       trap;
  packet_t     req;
  ccache dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .invalidate_i, .lb_i(lb), .issue_i, .sub_i, .x1_i, .x1_a_i,
    .ldc_ready_o(ready), .vwb_o(vwb), .sub_o(sub), .vwb_data_o(vwb_data),
    .vwb_grant_i(vwb_grant_i && vwb.valid), .finish_o(finish), .trap_o(trap), .miss_o(miss),
    .req_valid_o(req_valid), .req_o(req), .req_grant_i(req_grant_i && req_valid), .rsp_valid_i,
    .rsp_i
  );

  // Watched: a lane and its place in its beat; a word of memory.
  logic [4:0]  lane_q, pos;
  logic [31:0] lane_bit;
  int unsigned lane_beat;
  logic [31:2] word_q;
  logic [31:0] value_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      lane_q <= lane_i;
      word_q <= word_i;
    end
    if (!rst_n || invalidate_i) value_q <= value_i;
  end
  assign pos = 5'(32'(lane_q) % Lanes);
  assign lane_beat = 32'(lane_q) / Lanes;
  assign lane_bit = 32'd1 << lane_q;

  // ---- The instruction, as the text says.
  logic        take, here;
  logic [31:0] e_q, imm_q, imm, base, size, high;
  logic        bank;
  mem_type_e   type_q;
  logic [7:0]  rd_q;
  warp_t       warp_q;
  sub_t        sub_q;
  pc_t         pc_q;
  logic [2:0]  words;
  logic [3:0]  low;
  logic [Beats-1:0] e_beats, due_q;   // beats with lanes of E; whose X1 has not come
  assign take = issue_i.valid && !issue_i.empty && issue_i.insn.info.unit == UnitLdc;
  always_comb begin
    bank = imm_q[31:28] < 4'd3;
    high = bank ? lb_i[6] : 32'd0;
    base = '0;
    size = '0;
    if (imm_q[31:28] == 4'd0) {base, size} = {lb_i[0], lb_i[1] + 32'd512};
    if (imm_q[31:28] == 4'd1) {base, size} = {lb_i[2], lb_i[3]};
    if (imm_q[31:28] == 4'd2) {base, size} = {lb_i[4], lb_i[5]};
  end
  assign imm = {{4{imm_q[27]}}, imm_q[27:0]};
  assign here = x1_i.valid && x1_i.info.unit == UnitLdc;
  always_comb begin
    words = (type_q == MemTypeB64) ? 3'd2 : (type_q == MemTypeB128) ? 3'd4 : 3'd1;
    low = 4'd3;
    if (type_q == MemTypeU8 || type_q == MemTypeS8) low = 4'd0;
    if (type_q == MemTypeU16 || type_q == MemTypeS16) low = 4'd1;
    if (type_q == MemTypeB64) low = 4'd7;
    if (type_q == MemTypeB128) low = 4'd15;
    for (int b = 0; b < Beats; b++) e_beats[b] = e_q[b*Lanes +: Lanes] != '0;
  end
  logic [31:0] a_q, off;                   // the lane's a; offset
  logic        came_q;                     // it has come
  assign off = a_q + imm;
  logic [Beats-1:0] x1_hot;
  assign x1_hot = Beats'(1) << x1_i.beat;
  always_ff @(posedge clk_i) begin
    if (take && ready) begin
      e_q <= issue_i.exec;
      imm_q <= issue_i.insn.word.imm;
      type_q <= issue_i.insn.info.mtype;
      rd_q <= issue_i.insn.word.rd;
      warp_q <= issue_i.warp;
      sub_q <= sub_i;
      pc_q <= issue_i.insn.pc;
      for (int b = 0; b < Beats; b++) due_q[b] <= issue_i.exec[b*Lanes +: Lanes] != '0;
      came_q <= 1'b0;
    end else if (here) begin
      due_q <= due_q & ~x1_hot;
      if (32'(x1_i.beat) == lane_beat) begin
        came_q <= 1'b1;
        a_q <= x1_a_i[pos];
      end
    end
    if (!rst_n || clear_i) due_q <= '0;
  end
  logic        mine;                       // the lane is one of E and has its offset
  logic [31:0] address;
  assign mine = (e_q & lane_bit) != '0 && came_q;
  assign address = base + off;
  // Faults: of the lane.
  logic        misaligned, beyond, fault;
  assign fault = misaligned || beyond;
  assign misaligned = (address[3:0] & low) != '0;
  assign beyond = !bank || {1'b0, off} + 33'(low) >= {1'b0, size};
  // Word k at an address, if it is the watched one. Without a fault it lies in the 16 bytes of word 0.
  function automatic logic [31:0] wanted(input logic [1:0] byte_at);
    logic [31:0] v;
    v = value_q >> {byte_at, 3'd0};
    if (type_q == MemTypeU8) return {24'd0, v[7:0]};
    if (type_q == MemTypeS8) return {{24{v[7]}}, v[7:0]};
    if (type_q == MemTypeU16) return {16'd0, v[15:0]};
    if (type_q == MemTypeS16) return {{16{v[15]}}, v[15:0]};
    return value_q;
  endfunction
  function automatic logic is_word(input logic [31:0] at, input logic [1:0] k);
    return at[31:4] == word_q[31:4] && at[3:2] + k == word_q[3:2];
  endfunction

  // ---- Phases, passes, beats of a pass.
  logic [2:0]  state_q;
  logic [31:0] pending_q, served, left;    // of the warp: pending; presented; pending but for these
  logic [31:0] lower, behind;              // lanes below the watched one; of beats behind `beat`
  logic [1:0]  stored_q;                   // words of the pass taken from the line before
  logic [1:0]  next_q;                     // word presented
  logic [2:0]  beat_q;
  logic [31:0] lead_q, lead_off, lead_addr;   // a, offset and address of the pass
  logic        pend, leads, in_pass;       // the lane: pending; the leader; pending with the leader's a
  logic        last_word, beat_ends, answer;
  logic [1:0]  owed_q, got_q;              // sectors asked for and not answered; answered
  assign answer = rsp_valid_i && rsp_i.unit == FromLdc;
  assign lower = lane_bit - 32'd1;
  assign pend = (pending_q & lane_bit) != '0;
  assign leads = pend && (pending_q & lower) == '0;
  assign in_pass = pend && a_q == lead_q;
  assign lead_off = lead_q + imm;
  assign lead_addr = base + lead_off;
  logic        lead_misaligned, lead_fault;
  assign lead_misaligned = (lead_addr[3:0] & low) != '0;
  assign lead_fault = lead_misaligned || !bank || {1'b0, lead_off} + 33'(low) >= {1'b0, size};
  assign served = vwb.valid ? 32'(vwb.mask) << (32'(beat_q) * Lanes) : '0;
  assign left = pending_q & ~served;
  assign last_word = 3'(next_q) + 3'd1 == words;
  assign beat_ends = state_q == StWb && (!vwb.valid || (vwb_grant_i && last_word));
  always_comb begin
    behind = '0;
    for (int b = 0; b < Beats; b++) if (b > 32'(beat_q)) behind[b*Lanes +: Lanes] = '1;
  end
  logic [2:0]       low_beat;              // of the lowest lane in pending; this lane
  logic [Lanes-1:0] low_lane, low_pending;
  always_comb begin
    low_beat = '0;
    for (int b = int'(Beats) - 1; b >= 0; b--) if (pending_q[b*Lanes +: Lanes] != '0) low_beat = 3'(b);
    low_pending = Lanes'(pending_q >> (32'(low_beat) * Lanes));
    low_lane = low_pending & (~low_pending + Lanes'(1));
  end
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle:  if (take) state_q <= StFill;
      StFill:  if (here && x1_i.last) state_q <= StPass;
      StPass:  state_q <= StCheck;
      StCheck: if (trap.valid) state_q <= StIdle;
               else if (miss) state_q <= StMiss;
               else if (!Serial || 3'(stored_q) + 3'd1 == words) state_q <= StWb;
      StMiss:  if (answer && got_q != '0) state_q <= StPass;
      default: if (beat_ends && (pending_q & behind) == '0) state_q <= (left != '0) ? StPass : StIdle;
    endcase
    if (!rst_n || clear_i) state_q <= StIdle;
    if (take && ready) pending_q <= issue_i.exec;
    else if (beat_ends) pending_q <= left;
    if (state_q == StPass) begin
      lead_q <= dut.lead_a;
      beat_q <= low_beat;
    end else if (beat_ends) beat_q <= beat_q + 3'd1;
    stored_q <= (state_q == StCheck) ? stored_q + 2'd1 : '0;
    if (state_q != StWb || beat_ends) next_q <= '0;
    else if (vwb_grant_i) next_q <= next_q + 2'd1;
  end

  // ---- The port.
  logic [31:6] line_q [2];                 // whose sector was asked for
  always_ff @(posedge clk_i) begin
    for (int s = 0; s < 2; s++) begin
      if (req_valid && req_grant_i && req.tag[0] == 1'(s)) begin
        owed_q[s] <= 1'b1;
        line_q[s] <= req.sector[26:1];
      end
      if (answer && rsp_i.tag[0] == 1'(s)) begin
        owed_q[s] <= 1'b0;
        got_q[s] <= 1'b1;
      end
    end
    if (state_q != StMiss) got_q <= '0;
    if (!rst_n) owed_q <= '0;
  end

  // ---- The watched line: filled, and its place not taken since.
  logic        valid_q, at_place;
  logic [31:0] held;                       // the watched word's place in the cache
  logic        held_valid;
  logic [IdxBits-1:0] place;
  assign place = word_q[6 +: IdxBits];
  assign at_place = lead_addr[6 +: IdxBits] == place;
  always_ff @(posedge clk_i) begin
    if (miss && at_place) valid_q <= 1'b0;
    if (answer && got_q != '0 && at_place) valid_q <= lead_addr[31:6] == word_q[31:6];
    if (!rst_n || invalidate_i) valid_q <= 1'b0;
  end
  logic [63:0] row [4], read [4];
  for (genvar k = 0; k < 4; k++) begin : gen_data
    assign row[k] = dut.u_array.gen_data[k].mem_q[{place, word_q[5]}];
    assign read[k] = dut.u_array.gen_data[k].read_q;
  end
  assign held = word_q[2] ? row[word_q[4:3]][63:32] : row[word_q[4:3]][31:0];
  assign held_valid = dut.u_array.valid_q[place[3:0]][place[IdxBits-1:4]];

  // Valid bits are cleared row by row from an invalidation on.
  logic [4:0]  since_q;                    // cycles since the last one, up to 16
  logic        launched_q, clean;          // there was one; the watched place's row is cleared
  assign clean = launched_q && since_q > 5'(place[3:0]);
  always_ff @(posedge clk_i) begin
    if (invalidate_i) since_q <= 5'd1;
    else if (since_q != 5'd16) since_q <= since_q + 5'd1;
    if (invalidate_i) launched_q <= 1'b1;
    if (!rst_n) begin
      since_q <= 5'd16;
      launched_q <= 1'b0;
    end
  end

  // ---- Words delivered to the lane.
  logic [2:0]  delivered_q;
  always_ff @(posedge clk_i) begin
    if (take && ready) delivered_q <= '0;
    else if (vwb.valid && vwb_grant_i && 32'(vwb.beat) == lane_beat && vwb.mask[pos])
      delivered_q <= delivered_q + 3'd1;
  end

  // ---- Registers of the watched lane's place, results.
  logic [31:0] as [Lanes];
  logic [31:0] results [4];
  for (genvar i = 0; i < int'(Lanes); i++) begin : gen_lane
    assign as[i] = dut.gen_lane[i].a_q[lane_beat];
  end
  for (genvar k = 0; k < 4; k++) begin : gen_word
    assign results[k] = dut.u_words.res_q[k];
  end
  logic [31:0] lb_q [7];
  always_ff @(posedge clk_i) for (int k = 0; k < 7; k++) lb_q[k] <= lb_i[k];
  always @(posedge clk_i) begin
    assume (32'(lane_i) < WarpLanes);
    if (rst_n) begin
      a_lane: `HOLDS(32'(lane_q) < WarpLanes && (state_q == StIdle || (e_q >> WarpLanes) == '0))
      // 5.
      assume (!take || (ready && issue_i.exec != '0 && 32'(sub_i) < SubCores &&
                         (issue_i.exec >> WarpLanes) == '0));
      if (take) begin
        assume (issue_i.insn.info.mtype == MemTypeU8 || issue_i.insn.info.mtype == MemTypeS8 ||
                issue_i.insn.info.mtype == MemTypeU16 || issue_i.insn.info.mtype == MemTypeS16 ||
                issue_i.insn.info.mtype == MemTypeB32 || issue_i.insn.info.mtype == MemTypeB64 ||
                issue_i.insn.info.mtype == MemTypeB128);
        assume (issue_i.insn.info.d_words == (issue_i.insn.info.mtype == MemTypeB64 ? 3'd2 :
                                              issue_i.insn.info.mtype == MemTypeB128 ? 3'd4 : 3'd1));
      end
      // 13: banks within the block.
      assume ({1'b0, lb_i[0]} + 33'(lb_i[1]) + 33'd512 <= 33'h1_0000_0000);
      assume ({1'b0, lb_i[2]} + 33'(lb_i[3]) <= 33'h1_0000_0000);
      assume ({1'b0, lb_i[4]} + 33'(lb_i[5]) <= 33'h1_0000_0000);
      assume (lb_i[1] <= 32'h1_0000 - 32'd512 && lb_i[3] <= 32'h1_0000 && lb_i[5] <= 32'h1_0000);
      // 6.1.
      if (here) begin
        assume (due_q != '0 && 32'(x1_i.beat) < Beats && due_q[x1_i.beat]);
        assume ((due_q & (x1_hot - Beats'(1))) == '0);
        assume (x1_i.mask == Lanes'(e_q >> (32'(x1_i.beat) * Lanes)));
        assume (x1_i.last == ((due_q & ~x1_hot) == '0));
        assume (x1_i.word.imm == imm_q);
      end
      // 3.
      assume (!invalidate_i || (ready && !take && since_q == 5'd16));
      // Reading the launch block takes longer than the cycles in which the cache is cleared.
      assume (!take || (launched_q && since_q == 5'd16));
      assume (!clear_i || (ready && !take));
      for (int k = 0; k < 7; k++) assume (ready || lb_i[k] == lb_q[k]);
      // 13.
      if (answer) begin
        assume (rsp_i.tag[15:1] == '0 && owed_q[rsp_i.tag[0]]);
        if (line_q[rsp_i.tag[0]] == word_q[31:6] && rsp_i.tag[0] == word_q[5]) begin
          assume (rsp_i.data[32*word_q[4:2] +: 32] == value_q);
        end
      end

      // Phases.
      a_state: `HOLDS(dut.state_q == state_q && state_q <= StWb)
      a_ready: `HOLDS(ready == (state_q == StIdle))
      // Faults: trapped behind the pass of whose leader they are.
      a_trap: `HOLDS(!trap.valid || (state_q == StCheck && !miss))
      a_finish: `HOLDS(finish.valid == trap.valid && (!trap.valid || (finish.warp == warp_q &&
                                                                       sub == sub_q)))
      if (trap.valid) begin
        a_where: `HOLDS((32'd1 << trap.lane) == (pending_q & (~pending_q + 32'd1)) &&
                         trap.pc == pc_q && trap.warp == slot_of(warp_q, sub_q))
      end
      if (state_q == StCheck && leads) begin
        a_fault: `HOLDS(trap.valid == fault)
        if (trap.valid) begin
          a_cause: `HOLDS(trap.cause == (misaligned ? TrapMisaligned : TrapConstRange))
          a_address: `HOLDS(trap.addr == {high, base} + {32'd0, off})
        end
      end
      // Passes: of a lane that is left; the leader's offset is its own.
      if (state_q == StPass || state_q == StCheck || state_q == StMiss) begin
        a_left: `HOLDS(pending_q != '0)
      end
      if ((state_q == StCheck || state_q == StMiss) && leads) begin
        a_first: `HOLDS(a_q == lead_q && 32'(beat_q) == lane_beat)
      end
      // The cache.
      a_miss: `HOLDS(!miss || (state_q == StCheck && stored_q == '0))
      if (state_q == StCheck && stored_q == '0 && lead_addr[31:6] == word_q[31:6]) begin
        a_hit: `HOLDS(miss == (!valid_q && !trap.valid))
      end
      a_ask: `HOLDS(req_valid == (state_q == StMiss && (owed_q | got_q) != 2'b11))
      if (req_valid) begin
        a_req: `HOLDS(req.op == OpLd && req.unit == FromLdc && req.mask == '1 &&
                       req.tag == 16'((owed_q | got_q) != '0) &&
                       req.sector == {lb_i[6], lead_addr[31:6], req.tag[0]})
        a_once: `HOLDS(!owed_q[req.tag[0]] && !got_q[req.tag[0]])
      end
      a_owed: `HOLDS(state_q == StMiss || owed_q == '0)
      // Write-back: of each beat the lanes of the pass, which have no fault; words in order.
      a_vwb: `HOLDS(!vwb.valid || (state_q == StWb && vwb.mask != '0 && !vwb.has_pred))
      if (state_q == StWb && 32'(beat_q) == lane_beat) begin
        a_served: `HOLDS((vwb.valid && vwb.mask[pos]) == in_pass)
        a_good: `HOLDS(!in_pass || !fault)
      end
      if (vwb.valid) begin
        a_word: `HOLDS(vwb.warp == warp_q && sub == sub_q && 32'(vwb.beat) == 32'(beat_q))
        a_reg: `HOLDS(vwb.has_reg == (32'(rd_q) + 32'(next_q) < 32'd255) &&
                       (!vwb.has_reg || 32'(vwb.rd) == 32'(rd_q) + 32'(next_q)))
        a_last: `HOLDS(vwb.last_beat == (left == '0) && vwb.last == (left == '0 && last_word))
        if (32'(beat_q) == lane_beat && vwb.mask[pos]) begin
          a_order: `HOLDS(delivered_q == 3'(next_q))
          if (is_word(address, next_q)) a_data: `HOLDS(vwb_data == wanted(address[1:0]))
        end
      end
      // Each lane once: all its words, or none.
      if (state_q != StIdle && (e_q & lane_bit) != '0) begin
        a_each: `HOLDS(delivered_q == (!pend ? words :
                        (state_q == StWb && 32'(beat_q) == lane_beat && in_pass) ? 3'(next_q) : 3'd0))
      end
      a_e: `HOLDS(state_q == StIdle || (pending_q & ~e_q) == '0)

      // ---- Registers.
      a_filling: `HOLDS((due_q != '0) == (state_q == StFill))
      if (state_q != StIdle) begin
        a_insn: `HOLDS(dut.warp_q == warp_q && dut.sub_q == sub_q && dut.pc_q == pc_q &&
                        dut.type_q == type_q && dut.rd_q == rd_q && dut.words_q == words &&
                        dut.imm_q == imm_q && 32'(sub_q) < SubCores && e_q != '0)
        for (int b = 0; b < Beats; b++) `HOLDS(dut.pending_q[b] == pending_q[b*Lanes +: Lanes])
        a_due: `HOLDS((e_beats & ~due_q & ~(due_q ^ (due_q - Beats'(1)))) == '0 || due_q == '0)
        a_came: `HOLDS((due_q & ~e_beats) == '0 &&
                        ((e_q & lane_bit) == '0 || came_q == !due_q[lane_beat]))
        if (mine) a_a: `HOLDS(as[pos] == a_q)
        a_type: `HOLDS(type_q == MemTypeU8 || type_q == MemTypeS8 || type_q == MemTypeU16 ||
                        type_q == MemTypeS16 || type_q == MemTypeB32 || type_q == MemTypeB64 ||
                        type_q == MemTypeB128)
      end
      if (state_q == StFill) `HOLDS(pending_q == e_q)
      if (state_q != StIdle && state_q != StFill) begin
        a_sum: `HOLDS({dut.u_address.sum_carry_q, dut.u_address.sum_q} == {1'b0, base} + {1'b0, imm})
        a_bank: `HOLDS(dut.u_address.bank_ok_q == bank &&
                        dut.u_address.none_q == (!bank || size <= 32'(low)))
        a_align: `HOLDS(4'(dut.u_address.align_q + base[3:0]) == '0)
        a_limit: `HOLDS(dut.u_address.none_q ||
                         {dut.u_address.carry_q, dut.u_address.limit_q} == {1'b0, imm} + {1'b0, 32'(low) - size})
      end
      if (state_q == StPass || state_q == StCheck || state_q == StMiss) begin
        a_look: `HOLDS(3'(dut.look_q) == low_beat && dut.lane_q == low_lane)
      end
      if (state_q == StCheck || state_q == StMiss || state_q == StWb) begin
        a_lead: `HOLDS(dut.lead_q == lead_q && dut.u_address.addr_q == lead_addr &&
                        32'(dut.beat_q) == 32'(beat_q) && 32'(beat_q) < Beats)
        a_high: `HOLDS(dut.u_address.next_q == (({1'b0, base} + {1'b0, lead_off}) >> 32))
        a_mis: `HOLDS(dut.u_address.mis_q == lead_misaligned && (!dut.u_address.mis_q || dut.u_address.fault_q))
        a_legal: `HOLDS(dut.u_address.fault_q == lead_fault &&
                         (!lead_fault || (state_q == StCheck && stored_q == '0)))
      end
      if (state_q == StCheck || state_q == StMiss) a_beat: `HOLDS(beat_q == low_beat)
      if (state_q == StWb) begin
        a_some: `HOLDS(dut.some_q == (dut.served_q != '0) &&
                        (dut.served_q & ~pending_q[32'(beat_q)*Lanes +: Lanes]) == '0)
        a_next: `HOLDS(dut.look_q == BeatBits'(beat_q + 3'd1) || !Serial)
        a_words: `HOLDS(3'(next_q) < words && (dut.some_q || next_q == '0))
      end
      if (state_q == StMiss) `HOLDS(32'(dut.sent_q) == $countones(owed_q) + $countones(got_q) &&
                                     dut.got_q == (got_q != '0) && got_q != 2'b11 &&
                                     (owed_q & got_q) == '0 && (dut.sent_q != 2'd0 || owed_q == '0) &&
                                     (dut.sent_q != 2'd1 || !(owed_q[1] || got_q[1])))
      for (int s = 0; s < 2; s++) `HOLDS(!owed_q[s] || line_q[s] == lead_addr[31:6])
      a_word_q: `HOLDS(dut.word_q == ((state_q == StWb) ? next_q :
                                       (Serial && state_q == StCheck) ? stored_q : 2'd0) ||
                        state_q == StIdle)
      a_register: `HOLDS(state_q == StIdle ||
                         (dut.wb_rd_q == rd_q + 8'(dut.word_q) &&
                          dut.wb_reg_q == (32'(rd_q) + 32'(dut.word_q) < 32'd255)))
      if (state_q == StCheck) `HOLDS(dut.sent_q == '0 && !dut.got_q && got_q == '0)
      if (state_q == StCheck) `HOLDS(!Serial ? stored_q == '0 :
                                       (3'(stored_q) < words && (stored_q == '0 || dut.hit)))
      if (state_q == StWb || (Serial && state_q == StCheck)) begin
        for (int k = 0; k < 4; k++) begin
          if (3'(k) < words && is_word(lead_addr, 2'(k)) &&
              (state_q == StWb || k < 32'(stored_q))) begin
            `HOLDS(results[k] == wanted(lead_addr[1:0]))
          end
        end
      end
      // The watched line.
      a_sweep: `HOLDS(since_q != '0 && since_q <= 5'd16 && dut.u_array.sweep_q == (since_q != 5'd16) &&
                      dut.u_array.sweep_row_q == since_q[3:0] &&
                      (state_q == StIdle || (launched_q && since_q == 5'd16)))
      if (!clean) a_none: `HOLDS(!valid_q)
      if (clean) a_line: `HOLDS(valid_q == (held_valid && dut.u_array.tag_q[place] == word_q[31 -: 26-IdxBits]))
      if (valid_q) a_held: `HOLDS(held == value_q)
      if (state_q == StMiss && at_place) begin
        `HOLDS(!held_valid)
        if (lead_addr[31:6] == word_q[31:6] && got_q[word_q[5]]) `HOLDS(held == value_q)
      end
      if (state_q == StCheck && at_place) begin
        if (lead_addr[5] == word_q[5]) `HOLDS(read[word_q[4:3]] == row[word_q[4:3]])
      end

      c_range: cover (trap.valid && trap.lane == lane_q && !misaligned && bank && pos == 5'd2);
      c_replaced: cover (state_q == StMiss && at_place && got_q == 2'b10 && !req_grant_i &&
                         lead_addr[31:6] != word_q[31:6] && word_q[31:6] == 26'h3);
      c_written: cover (vwb.last && vwb_grant_i && vwb.valid && 32'(beat_q) == lane_beat && in_pass &&
                        is_word(address, 2'd0) && word_q[31:6] == 26'h3 && value_q == 32'h5);
`ifdef STEP
      c_fault: cover (trap.valid && trap.lane == 5'd9 && lane_q == 5'd9 && misaligned && e_q[0]);
      c_third: cover (state_q == StCheck && dut.hit && pending_q == 32'h80 && e_q == 32'h83);
      c_uniform: cover (vwb.last && vwb_grant_i && e_q == 32'h80000001 && pending_q == 32'h80000000 &&
                        lane_q == 5'd0 && state_q == StWb && a_q == lead_q);
      c_around: cover (state_q == StWb && !vwb.valid && (pending_q & behind) != '0 && pend &&
                       beat_q == 3'd1 && lane_beat < 32'd1);
      c_beyond: cover (state_q == StWb && !vwb.valid && (pending_q & behind) == '0 && left != '0);
      c_different: cover (vwb.valid && valid_q && is_word(address, 2'd0) && in_pass &&
                          32'(beat_q) == lane_beat && (pending_q & lower) != '0);
`endif
    end
  end
endmodule
