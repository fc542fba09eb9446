// Constant loads (docs/microarchitecture.md 12), compared with the text: phases, faults, whether the
// instruction is uniform, which lanes a pass serves, what is presented to write-back. Watched are
// one lane of the warp and one word of device memory, which keeps its value from one invalidation
// to the next: a line hits exactly if its fill has ended since then and no miss or fill of its place
// came after, and the words that the lane gets are those of its address. Bottom: what the unit's
// registers look like for that (induction).
// Assumed: 5: an LDC form comes only when the unit is ready, and not with an empty mask; 6.1: the
// X1 of its beats come in order with the lanes of E; 3: launches begin and traps end when the unit
// is idle; banks lie in one block of 4 GiB (13) and have 64 KB at most (the limits of
// isa/obj/object.h); 13: the port answers each request once, in any order. Registers of a result:
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
  localparam int unsigned OffBits = Serial ? 17 : 32;
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
  logic [31:0] vwb_data [Lanes];
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
  logic [31:0] e_q, imm_q, base_q, size_q, high_q;
  logic        bank_q;
  mem_type_e   type_q;
  logic [7:0]  rd_q;
  warp_t       warp_q;
  sub_t        sub_q;
  pc_t         pc_q;
  logic [2:0]  words;
  logic [3:0]  low;
  logic [Beats-1:0] e_beats, due_q;   // beats with lanes of E; whose X1 has not come
  assign take = issue_i.valid && !issue_i.empty && issue_i.insn.info.unit == UnitLdc;
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
  // Offsets of the beat at X1: the lane's, that of the lowest lane of E; are they all equal?
  logic        same;
  logic [31:0] offset [Lanes];
  logic [31:0] low_off, off;
  logic [Beats-1:0] x1_hot;
  assign x1_hot = Beats'(1) << x1_i.beat;
  always_comb begin
    low_off = '0;
    same = 1'b1;
    for (int i = int'(Lanes) - 1; i >= 0; i--) begin
      offset[i] = x1_a_i[i] + {{4{x1_i.word.imm[27]}}, x1_i.word.imm[27:0]};
      if (x1_i.mask[i]) low_off = offset[i];
    end
    for (int i = 0; i < int'(Lanes); i++) if (x1_i.mask[i] && offset[i] != low_off) same = 1'b0;
    off = offset[pos];
  end
  logic        any_q, equal_q;
  logic [31:0] first_q, off_q;               // offset of the lowest lane of E; of the lane
  logic        came_q;                       // the lane's offset has come
  logic        pend_q;                       // the lane is still to be served
  always_ff @(posedge clk_i) begin
    if (take && ready) begin
      e_q <= issue_i.exec;
      imm_q <= issue_i.insn.word.imm;
      type_q <= issue_i.insn.info.mtype;
      rd_q <= issue_i.insn.word.rd;
      warp_q <= issue_i.warp;
      sub_q <= sub_i;
      pc_q <= issue_i.insn.pc;
      bank_q <= issue_i.insn.word.imm[31:28] < 4'd3;
      high_q <= issue_i.insn.word.imm[31:28] < 4'd3 ? lb_i[6] : 32'd0;
      base_q <= '0;
      size_q <= '0;
      if (issue_i.insn.word.imm[31:28] == 4'd0) {base_q, size_q} <= {lb_i[0], lb_i[1] + 32'd512};
      if (issue_i.insn.word.imm[31:28] == 4'd1) {base_q, size_q} <= {lb_i[2], lb_i[3]};
      if (issue_i.insn.word.imm[31:28] == 4'd2) {base_q, size_q} <= {lb_i[4], lb_i[5]};
      for (int b = 0; b < Beats; b++) due_q[b] <= issue_i.exec[b*Lanes +: Lanes] != '0;
      {any_q, came_q} <= '0;
      equal_q <= 1'b1;
    end else if (here) begin
      due_q <= due_q & ~x1_hot;
      any_q <= 1'b1;
      if (!any_q) first_q <= low_off;
      if (!same || (any_q && low_off != first_q)) equal_q <= 1'b0;
      if (32'(x1_i.beat) == lane_beat) begin
        came_q <= 1'b1;
        off_q <= off;
      end
    end
    if (!rst_n || clear_i) due_q <= '0;
  end
  logic        mine;                       // the lane is one of E and has its offset
  logic [31:0] address;
  assign mine = (e_q & lane_bit) != '0 && came_q;
  assign address = base_q + off_q;
  // Faults: of the lane.
  logic        misaligned, beyond;
  assign misaligned = (address[3:0] & low) != '0;
  assign beyond = !bank_q || {1'b0, off_q} + 33'(low) >= {1'b0, size_q};
  // Word k of the lane, if it is the watched one. Without a fault it lies in the lane's 16 bytes.
  function automatic logic [31:0] wanted(input logic [1:0] k);
    logic [31:0] v;
    v = value_q >> {address[1:0], 3'd0};
    if (type_q == MemTypeU8) return {24'd0, v[7:0]};
    if (type_q == MemTypeS8) return {{24{v[7]}}, v[7:0]};
    if (type_q == MemTypeU16) return {16'd0, v[15:0]};
    if (type_q == MemTypeS16) return {{16{v[15]}}, v[15:0]};
    return value_q;
  endfunction
  function automatic logic is_word(input logic [1:0] k);
    return address[31:4] == word_q[31:4] && address[3:2] + k == word_q[3:2];
  endfunction

  // ---- Phases; lanes still to be served, by the unit's registers.
  logic [2:0]  state_q;
  logic [31:0] pending, group;             // all lanes; those of the pass
  logic [1:0]  stored_q;                   // words of the pass stored before
  logic [31:0] lead_q;                     // offset of the pass
  logic        done, answer;
  logic [1:0]  owed_q, got_q;              // sectors asked for and not answered; answered
  logic        w_last;                     // last word of the instruction
  assign answer = rsp_valid_i && rsp_i.unit == PortLdc;
  assign done = dut.hit && (!Serial || 3'(stored_q) + 3'd1 == words);
  always_comb begin
    pending = '0;
    group = '0;
    for (int b = 0; b < Beats; b++) begin
      if (dut.todo_q[b]) begin
        pending[b*Lanes +: Lanes] = (b == int'(dut.beat) && !dut.fresh_q) ?
                                    dut.rest_q : e_q[b*Lanes +: Lanes];
      end
      if (equal_q) group[b*Lanes +: Lanes] = pending[b*Lanes +: Lanes];
      else if (b == int'(dut.beat)) group[b*Lanes +: Lanes] = dut.served_q;
    end
  end
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle:  if (take) state_q <= StFill;
      StFill:  if (here && x1_i.last) state_q <= StPass;
      StPass:  state_q <= dut.fault_q ? StIdle : StCheck;
      StCheck: if (!dut.hit) state_q <= StMiss;
               else if (done) state_q <= ((pending & ~group) == '0) ? StWb : StPass;
      StMiss:  if (answer && got_q != '0) state_q <= StPass;
      default: if (vwb_grant_i && w_last) state_q <= StIdle;
    endcase
    if (!rst_n || clear_i) state_q <= StIdle;
    if (state_q == StPass) lead_q <= equal_q ? first_q : 32'(dut.lead_off);
    if (state_q == StPass) stored_q <= '0;
    else if (state_q == StCheck && dut.hit) stored_q <= stored_q + 2'd1;
    if (take && ready) pend_q <= (issue_i.exec & lane_bit) != '0;
    else if (state_q == StCheck && done && (group & lane_bit) != '0) pend_q <= 1'b0;
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
  assign at_place = dut.addr_q[6 +: IdxBits] == place;
  always_ff @(posedge clk_i) begin
    if (miss && at_place) valid_q <= 1'b0;
    if (answer && got_q != '0 && at_place) valid_q <= dut.addr_q[31:6] == word_q[31:6];
    if (!rst_n || invalidate_i) valid_q <= 1'b0;
  end
  logic [63:0] row [4], read [4];
  for (genvar k = 0; k < 4; k++) begin : gen_data
    assign row[k] = dut.gen_data[k].mem_q[{place, word_q[5]}];
    assign read[k] = dut.gen_data[k].read_q;
  end
  assign held = word_q[2] ? row[word_q[4:3]][63:32] : row[word_q[4:3]][31:0];
  assign held_valid = dut.used_q[place[IdxBits-1:2]] && dut.valid_q[place[IdxBits-1:2]][place[1:0]];

  // ---- Write-back.
  logic [Beats-1:0] left_q, left_hot;      // beats not yet presented
  logic [1:0]  next_q;                     // word
  logic [2:0]  delivered_q;                // to the lane
  int unsigned beat;
  logic        last_word, last_beat;
  always_comb begin
    beat = 0;
    for (int b = int'(Beats) - 1; b >= 0; b--) if (left_q[b]) beat = b;
    left_hot = Beats'(1) << beat;
    last_word = 3'(next_q) + 3'd1 == words;
    last_beat = (left_q & ~left_hot) == '0;
  end
  assign w_last = last_word && last_beat;
  always_ff @(posedge clk_i) begin
    if (state_q != StWb) begin
      left_q <= e_beats;
      next_q <= '0;
      delivered_q <= '0;
    end else if (vwb_grant_i) begin
      next_q <= last_word ? '0 : next_q + 2'd1;
      if (last_word) left_q <= left_q & ~left_hot;
      if (32'(vwb.beat) == lane_beat && vwb.mask[pos]) delivered_q <= delivered_q + 3'd1;
    end
  end

  // ---- Registers of the watched lane's place.
  logic [OffBits-1:0] offs [Lanes];
  logic [31:0] results [Lanes][4];
  for (genvar i = 0; i < int'(Lanes); i++) begin : gen_lane
    assign offs[i] = dut.gen_lane[i].u_lane.off_q[lane_beat];
    for (genvar k = 0; k < 4; k++) begin : gen_word
      if (Serial) begin : gen_serial
        assign results[i][k] = dut.gen_lane[i].u_lane.gen_serial.res_q[
                                 (equal_q ? 32'd0 : lane_beat) * 4 + k];
      end else begin : gen_once
        assign results[i][k] = dut.gen_lane[i].u_lane.gen_once.res_q[k];
      end
    end
  end
  logic served;                            // the lane is one of the pass
  assign served = (group & lane_bit) != '0;
  logic [31:0] lb_q;                       // MemBase of the launch

  always_ff @(posedge clk_i) lb_q <= lb_i[6];
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
        // 13: banks within the block.
        assume ({1'b0, lb_i[0]} + 33'(lb_i[1]) + 33'd512 <= 33'h1_0000_0000);
        assume ({1'b0, lb_i[2]} + 33'(lb_i[3]) <= 33'h1_0000_0000);
        assume ({1'b0, lb_i[4]} + 33'(lb_i[5]) <= 33'h1_0000_0000);
        assume (lb_i[1] <= 32'h1_0000 - 32'd512 && lb_i[3] <= 32'h1_0000 && lb_i[5] <= 32'h1_0000);
      end
      // 6.1.
      if (here) begin
        assume (due_q != '0 && 32'(x1_i.beat) < Beats && due_q[x1_i.beat]);
        assume ((due_q & (x1_hot - Beats'(1))) == '0);
        assume (x1_i.mask == Lanes'(e_q >> (32'(x1_i.beat) * Lanes)));
        assume (x1_i.last == ((due_q & ~x1_hot) == '0));
        assume (x1_i.word.imm == imm_q);
      end
      // 3.
      assume (!invalidate_i || (ready && !take));
      assume (!clear_i || (ready && !take));
      assume (ready || lb_i[6] == lb_q);
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
      // Faults: trapped in the cycle after the last X1, exactly if a lane of E has one; the lowest.
      a_trap: `HOLDS(!trap.valid || state_q == StPass)
      a_finish: `HOLDS(finish.valid == trap.valid && (!trap.valid || finish.warp == warp_q))
      if (trap.valid) begin
        a_where: `HOLDS(e_q[trap.lane] && trap.pc == pc_q &&
                         trap.warp == slot_of(warp_q, sub_q))
        if (trap.lane == lane_q) begin
          a_cause: `HOLDS((misaligned || beyond) && trap.cause ==
                           (misaligned ? 4'(TrapMisaligned) : 4'(TrapConstRange)))
          a_address: `HOLDS(trap.addr == {high_q, base_q} + {32'd0, off_q})
        end
      end
      if (state_q == StPass && mine && (misaligned || beyond)) begin
        a_lowest: `HOLDS(trap.valid && trap.lane <= lane_q)
      end
      // Passes: the lowest lane left and those of its beat and address; all of a uniform one.
      if (state_q == StCheck || state_q == StMiss) begin
        a_left: `HOLDS(pending != '0 && ((pending & lane_bit) != '0) == pend_q)
        a_group: `HOLDS(served == (pend_q && (equal_q || (32'(dut.beat) == lane_beat &&
                                                           off_q == lead_q))))
        a_first: `HOLDS(!pend_q || (pending & (lane_bit - 32'd1)) != '0 ||
                         (served && off_q == lead_q))
      end
      a_done: `HOLDS(state_q != StWb || !pend_q)
      // The cache.
      if (state_q == StCheck && dut.addr_q[31:6] == word_q[31:6]) a_hit: `HOLDS(dut.hit == valid_q)
      a_miss: `HOLDS(miss == (state_q == StCheck && !dut.hit))
      a_ask: `HOLDS(req_valid == (state_q == StMiss && (owed_q | got_q) != 2'b11))
      if (req_valid) begin
        a_req: `HOLDS(req.op == OpLd && req.unit == PortLdc && req.mask == '1 &&
                       req.tag == 16'((owed_q | got_q) != '0) &&
                       req.sector == {lb_i[6], dut.addr_q[31:6], req.tag[0]})
        a_once: `HOLDS(!owed_q[req.tag[0]] && !got_q[req.tag[0]])
      end
      a_owed: `HOLDS(state_q == StMiss || owed_q == '0)
      // Write-back.
      a_vwb: `HOLDS(vwb.valid == (state_q == StWb) && !vwb.has_pred)
      if (vwb.valid) begin
        a_word: `HOLDS(vwb.warp == warp_q && sub == sub_q && 32'(vwb.beat) == beat &&
                        vwb.mask == Lanes'(e_q >> (beat * Lanes)) && vwb.mask != '0)
        a_reg: `HOLDS(vwb.has_reg == (32'(rd_q) + 32'(next_q) < 32'd255) &&
                       (!vwb.has_reg || 32'(vwb.rd) == 32'(rd_q) + 32'(next_q)))
        a_last: `HOLDS(vwb.last_beat == last_beat && vwb.last == w_last)
        if (beat == lane_beat && vwb.mask[pos]) begin
          a_order: `HOLDS(delivered_q == 3'(next_q))
          if (is_word(next_q)) a_data: `HOLDS(vwb_data[pos] == wanted(next_q))
        end
        if (vwb_grant_i && w_last && mine) begin
          a_each: `HOLDS(32'(delivered_q) + 32'(beat == lane_beat) == 32'(words))
        end
      end

      // ---- Registers.
      a_filling: `HOLDS((due_q != '0) == (state_q == StFill))
      if (state_q != StIdle) begin
        a_insn: `HOLDS(dut.warp_q == warp_q && dut.sub_q == sub_q && dut.pc_q == pc_q &&
                        dut.type_q == type_q && dut.rd_q == rd_q && dut.words_q == words &&
                        dut.base_q == base_q && 32'(dut.size_q) == size_q &&
                        dut.bank_ok_q == bank_q && 32'(sub_q) < SubCores &&
                        dut.beats_q == e_beats && e_q != '0)
        a_bank: `HOLDS({1'b0, base_q} + 33'(size_q) <= 33'h1_0000_0000 &&
                        size_q <= 32'h1_0000 && high_q == (bank_q ? lb_i[6] : 32'd0))
        for (int b = 0; b < Beats; b++) `HOLDS(dut.exec_q[b] == e_q[b*Lanes +: Lanes])
        a_first_q: `HOLDS(dut.first_q == !any_q)
        if (dut.fault_q) begin
          a_faulty: `HOLDS(e_q[dut.fault_lane_q] && !due_q[32'(dut.fault_lane_q) / Lanes])
          if (dut.fault_lane_q == lane_q) begin
            a_fault: `HOLDS((misaligned || beyond) && dut.mis_q == misaligned &&
                             dut.ref_q == off_q)
          end
        end
        if (mine && (misaligned || beyond)) begin
          a_found: `HOLDS(dut.fault_q && dut.fault_lane_q <= lane_q)
        end
        a_due: `HOLDS((e_beats & ~due_q & ~(due_q ^ (due_q - Beats'(1)))) == '0 || due_q == '0)
        a_came_all: `HOLDS((due_q & ~e_beats) == '0 && any_q == (due_q != e_beats) &&
                       (any_q || (equal_q && !dut.fault_q)))
        a_came: `HOLDS((e_q & lane_bit) == '0 || came_q == !due_q[lane_beat])
        if (any_q && !dut.fault_q) begin
          a_uniform: `HOLDS(dut.uniform_q == equal_q &&
                             {1'b0, dut.ref_q} + 33'(low) < {1'b0, size_q})
          if (equal_q) a_ref: `HOLDS(dut.ref_q == first_q)
        end
        if (mine) begin
          a_off: `HOLDS(offs[pos] == OffBits'(off_q))
          if (equal_q) a_equal: `HOLDS(off_q == first_q)
        end
        a_type: `HOLDS(type_q == MemTypeU8 || type_q == MemTypeS8 || type_q == MemTypeU16 ||
                        type_q == MemTypeS16 || type_q == MemTypeB32 || type_q == MemTypeB64 ||
                        type_q == MemTypeB128)
      end
      if (state_q == StFill) `HOLDS(dut.todo_q == e_beats && dut.fresh_q &&
                                     pend_q == ((e_q & lane_bit) != '0))
      if (state_q == StPass || state_q == StCheck || state_q == StMiss) begin
        a_todo: `HOLDS(dut.todo_q != '0 && (dut.todo_q & ~e_beats) == '0)
        a_rest: `HOLDS(dut.fresh_q || (dut.rest_q != '0 && !equal_q &&
                                        (dut.rest_q & ~dut.exec_q[dut.beat]) == '0))
        a_pend: `HOLDS(((pending & lane_bit) != '0) == pend_q)
      end
      if (state_q == StCheck || state_q == StMiss) begin
        a_served: `HOLDS(equal_q ? dut.served_q == '1 :
                          ((dut.served_q & ~dut.pending) == '0 && dut.served_q != '0))
        if (equal_q) `HOLDS(lead_q == first_q)
        a_lead: `HOLDS(dut.addr_q == base_q + lead_q)
      end
      if (state_q == StMiss) `HOLDS(32'(dut.sent_q) == $countones(owed_q) + $countones(got_q) &&
                                     dut.got_q == (got_q != '0) && got_q != 2'b11 &&
                                     (owed_q & got_q) == '0 && (dut.sent_q != 2'd0 || owed_q == '0) &&
                                     (dut.sent_q != 2'd1 || !(owed_q[1] || got_q[1])))
      for (int s = 0; s < 2; s++) `HOLDS(!owed_q[s] || line_q[s] == dut.addr_q[31:6])
      a_no_fault: `HOLDS(!dut.fault_q || state_q == StIdle || state_q == StFill ||
                         state_q == StPass)
      a_word_q: `HOLDS(dut.word_q == ((state_q == StWb) ? next_q :
                                       (Serial && state_q == StCheck) ? stored_q : 2'd0) ||
                        state_q == StIdle)
      if (state_q == StCheck) `HOLDS(dut.sent_q == '0 && !dut.got_q && got_q == '0)
      if (state_q == StCheck) `HOLDS(!Serial ? stored_q == '0 :
                                       (3'(stored_q) < words && (stored_q == '0 || dut.hit)))
      if (state_q == StWb) begin
        `HOLDS(dut.todo_q == left_q && left_q != '0 && (left_q & ~e_beats) == '0 &&
                3'(next_q) < words)
        if (mine) `HOLDS(32'(delivered_q) == (!left_q[lane_beat] ? 32'(words) :
                                               lane_beat == beat ? 32'(next_q) : 32'd0))
      end
      if (mine && !dut.fault_q && state_q != StIdle && state_q != StFill) begin
        for (int k = 0; k < 4; k++) begin
          if (3'(k) < words && is_word(2'(k)) &&
              (!pend_q || (Serial && state_q == StCheck && served && k < 32'(stored_q)))) begin
            `HOLDS(results[pos][k] == wanted(2'(k)))
          end
        end
      end
      // The watched line.
      a_line: `HOLDS(valid_q == (held_valid && dut.tag_q[place] == word_q[31 -: 26-IdxBits]))
      if (valid_q) a_held: `HOLDS(held == value_q)
      if (state_q == StMiss && at_place) begin
        `HOLDS(!held_valid)
        if (dut.addr_q[31:6] == word_q[31:6] && got_q[word_q[5]]) `HOLDS(held == value_q)
      end
      if (state_q == StCheck && at_place) begin
        `HOLDS(dut.tag_read_q == dut.tag_q[place])
        if (dut.addr_q[5] == word_q[5]) `HOLDS(read[word_q[4:3]] == row[word_q[4:3]])
      end

      c_range: cover (trap.valid && trap.lane == lane_q && !misaligned && bank_q && pos == 5'd2);
      c_replaced: cover (state_q == StMiss && at_place && got_q == 2'b10 && !req_grant_i &&
                         dut.addr_q[31:6] != word_q[31:6] && word_q[31:6] == 26'h3);
`ifdef STEP
      c_fault: cover (trap.valid && trap.lane == 5'd9 && lane_q == 5'd9 && misaligned);
      c_passes: cover (state_q == StCheck && dut.hit && pending == 32'h80 && e_q == 32'h83);
      c_uniform: cover (state_q == StWb && equal_q && e_q[31] && e_q[0] && w_last);
      c_different: cover (state_q == StWb && valid_q && is_word(2'd0) && mine && !equal_q);
`endif
    end
  end
endmodule
