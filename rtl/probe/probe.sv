// Probe (docs/microarchitecture.md 18; option Probe): a unit without a use of its own, in rows for
// tests only. It exercises long operands, counted destinations, gathered and LANE forms, the result
// queue and the chunk port, and it is the example of docs/ADDING.md. One instruction at a time:
// operands come in X1, then results go to the result queue word by word, or chunks are moved in
// shared memory lane by lane. Does not decide which lanes issue: the path unit gathers them.
`include "cells/assert.svh"

module probe
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import smem_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  sub_t             sub_i,
  input  logic             clear_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  issue_t           issue_i,
  input  x1_t              x1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]      x1_a_i [Lanes],
  input  logic [31:0]      x1_b_i [Lanes],
  input  logic [31:0]      x1_c_i [Lanes],
  // Shared memory of the launch: 1,024-byte units of a CTA, bytes; CTA slots of the warps.
  input  logic [31:0]      smem_units_i,
  input  logic [31:0]      smem_bytes_i,
  input  logic [CtaBits-1:0] warp_cta_i [SubWarps],
  output logic             ready_o,       // idle
  output logic             rest_o,        // idle (15)
  // Result queue (6.5).
  output vwb_t             result_o,
  output logic [Lanes-1:0][31:0] result_data_o,
  input  logic             result_taken_i,
  // Chunk port (11b): loads and stores.
  output chunk_req_t       load_o,
  output chunk_req_t       store_o,
  input  logic             load_grant_i,
  input  logic             store_grant_i,
  // verilator lint_off UNUSEDSIGNAL // its tag: one load is under way
  input  chunk_rsp_t       rsp_i,
  // verilator lint_on UNUSEDSIGNAL
  output finish_t          finish_o,      // an instruction without results
  output trap_t            trap_o
);
  localparam int unsigned MostWords = 16;   // of all operands
  localparam int unsigned SmemBits = $clog2(SmemBytes);
  localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1;
  typedef logic [SmemBits-1:0] smem_addr_t;
  typedef logic [3:0] word_t;               // number of an operand word

  typedef enum logic [1:0] {
    Idle,
    Operands,  // until X1 of the last slot
    Work       // delay, then results or chunks
  } state_e;
  typedef enum logic [1:0] {
    Load,      // offsets are judged, then the load is presented
    Answer,
    Store
  } phase_e;

  // ---- Instruction under way.
  state_e      state_q;
  logic [7:0]  op_q;
  logic [7:0]  rd_q;
  logic [31:0] imm_q;
  pc_t         pc_q;
  warp_t       warp_q;
  logic [31:0] exec_q;   // E
  logic [2:0]  delay_q;  // cycles before the work begins

  logic start, operands_end, works, is_chunk, ends;
  assign start = issue_i.valid && !issue_i.empty && !issue_i.ctl &&
                 issue_i.insn.info.unit == UnitProbe;
  logic x1_mine;
  assign x1_mine = state_q == Operands && x1_i.valid && x1_i.info.unit == UnitProbe &&
                   !x1_i.arrival;
  assign operands_end = x1_mine && x1_i.last;
  assign works = state_q == Work && delay_q == '0;
  assign is_chunk = op_q == ProbeChunk;
  assign ready_o = state_q == Idle;
  assign rest_o = state_q == Idle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) state_q <= Idle;
    else if (start) state_q <= Operands;
    else if (operands_end) state_q <= Work;
    else if (ends) state_q <= Idle;
    if (start) begin
      op_q <= issue_i.insn.info.op;
      rd_q <= issue_i.insn.word.rd;
      imm_q <= issue_i.insn.word.imm;
      pc_q <= issue_i.insn.pc;
      warp_q <= issue_i.warp;
      exec_q <= issue_i.exec;
    end
    if (operands_end) delay_q <= pc_q[2:0];
    else if (delay_q != '0) delay_q <= delay_q - 3'd1;
  end

  // ---- Operand words: three a step, in the order of the step list (6.1).
  logic [BeatBits-1:0] beat;                    // whose words are looked at
  logic [6:0]          k_q;                     // word of the result
  logic [31:0]         value [Lanes];           // word k of the result
  logic [31:0]         moved [Lanes][6];        // CHUNK: a[0] .. a[3], b[0], b[1]
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [31:0] word_q [MostWords*Beats];
    logic [31:0] arriving [3], words [MostWords];
    assign arriving = '{x1_a_i[l], x1_b_i[l], x1_c_i[l]};
    always_ff @(posedge clk_i) begin
      for (int unsigned j = 0; j < 3; j++) begin
        if (x1_mine && x1_i.mask[l] && 32'(x1_i.step) * 3 + j < MostWords) begin
          word_q[32'(x1_i.beat)*MostWords+32'(x1_i.step)*3+j] <= arriving[j];
        end
      end
    end
    always_comb begin
      for (int unsigned n = 0; n < MostWords; n++) words[n] = word_q[32'(beat)*MostWords+n];
      unique case (op_q)
        ProbeMix: value[l] = words[word_t'(k_q + 7'd1)] ^ imm_q;
        ProbeDot: value[l] = (words[word_t'(k_q)] ^ words[word_t'(7'd4 + (k_q & 7'd1))]) +
                             words[word_t'(7'd6 + k_q)] + words[word_t'(7'd10 + k_q)];
        default:  value[l] = words[0] + 32'(k_q);   // SPAN
      endcase
    end
    assign moved[l] = words[0:5];
  end

  // ---- Results: words ascending, of each the beats with lanes of E.
  logic [Beats-1:0] active, left_q, others;     // beats: of E, left of the word
  logic [6:0]       last_k;
  logic             present, last_word;
  logic [8:0]       rd;
  assign present = works && !is_chunk;
  assign others = left_q & (left_q - Beats'(1));
  assign rd = 9'(rd_q) + 9'(k_q);
  always_comb begin
    for (int unsigned b = 0; b < Beats; b++) active[b] = exec_q[b*Lanes+:Lanes] != '0;
    unique case (op_q)
      ProbeMix: last_k = 7'd15;
      ProbeDot: last_k = 7'd3;
      default:  last_k = imm_q[6:0];            // SPAN: counted
    endcase
    last_word = k_q == last_k;
    result_o = '0;
    result_o.valid = present;
    if (present) begin
      result_o.warp = warp_q;
      result_o.has_reg = rd_q != 8'd255 && rd < 9'd255;
      result_o.rd = result_o.has_reg ? rd[7:0] : 8'd255;
      result_o.beat = beat;
      result_o.mask = exec_q[32'(beat)*Lanes+:Lanes];
      result_o.last_beat = others == '0;
      result_o.last = others == '0 && last_word;
    end
  end
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_result
    assign result_data_o[l] = value[l];
  end
  always_ff @(posedge clk_i) begin
    if (operands_end) begin
      k_q <= '0;
      left_q <= active;
    end else if (present && result_taken_i) begin
      left_q <= (others == '0) ? active : others;
      if (others == '0) k_q <= k_q + 7'd1;
    end
  end

  // ---- Chunks: the lanes of E ascending, for each a load and a store.
  phase_e       phase_q;
  logic [31:0]  lanes_q;                        // lanes of E that are left
  logic [4:0]   lane;
  logic [31:0]  operand [6];                    // of the lane
  logic [31:0]  sum_q [4];                      // what is stored
  logic         last_lane, load_ok;
  assign lane = low_index(lanes_q);
  assign last_lane = (lanes_q & (lanes_q - 32'd1)) == '0;
  always_comb begin
    beat = BeatBits'(32'(lane) / Lanes);
    if (!is_chunk) begin
      beat = '0;
      for (int unsigned b = Beats; b > 0; b--) if (left_q[b-1]) beat = BeatBits'(b - 1);
    end
    operand = moved[LaneBits'(lane)];
  end

  // The first fault of the offsets a[0], a[1].
  logic [1:0]  misaligned, beyond;
  logic        at_load, faulty;
  logic [31:0] fault_offset;
  for (genvar i = 0; i < 2; i++) begin : gen_offset
    assign misaligned[i] = operand[i][3:0] != '0;
    assign beyond[i] = 33'(operand[i]) + 33'd16 > 33'(smem_bytes_i);
  end
  assign at_load = works && is_chunk && phase_q == Load;
  assign faulty = {misaligned, beyond} != '0;
  assign load_ok = at_load && !faulty;
  assign fault_offset = (misaligned[0] || beyond[0]) ? operand[0] : operand[1];
  always_comb begin
    trap_o = '0;
    trap_o.valid = at_load && faulty;
    trap_o.cause = (misaligned[0] || (misaligned[1] && !beyond[0])) ? TrapMisaligned
                                                                     : TrapOutOfBounds;
    trap_o.warp = slot_of(warp_q, sub_i);
    trap_o.lane = lane;
    trap_o.pc = pc_q;
    trap_o.addr = 64'(fault_offset);
  end

  // Where a chunk lies. Offsets within the limits: sums lie in shared memory.
  smem_addr_t base, from, to;
  assign base = smem_addr_t'(32'(warp_cta_i[warp_q]) * smem_units_i * 32'd1024);
  assign from = base + smem_addr_t'(operand[0]);
  assign to = base + smem_addr_t'(operand[1]);
  function automatic int unsigned quad_of(input smem_addr_t x);
    return (32'(x) / 16) % Quads;
  endfunction
  function automatic logic [SmemRowBits-1:0] row_of(input smem_addr_t x);
    return SmemRowBits'(32'(x) / (4 * SmemBanks));
  endfunction
  always_comb begin
    load_o = '0;
    load_o.valid = load_ok;
    load_o.tag = ChunkTagBits'(lane);
    load_o.quad[quad_of(from)].valid = load_ok;
    load_o.quad[quad_of(from)].row = row_of(from);
    store_o = '0;
    store_o.valid = works && is_chunk && phase_q == Store;
    store_o.store = 1'b1;
    store_o.tag = ChunkTagBits'(lane);
    store_o.quad[quad_of(to)] = '{valid: store_o.valid, row: row_of(to), bytes: '1,
                                  data: {sum_q[3], sum_q[2], sum_q[1], sum_q[0]}};
  end
  logic answers;
  assign answers = rsp_i.valid && rsp_i.requester == ChunkNumberBits'(ChunkProbeLoad);
  always_ff @(posedge clk_i) begin
    if (operands_end) begin
      phase_q <= Load;
      lanes_q <= exec_q;
    end else begin
      if (load_grant_i) phase_q <= Answer;
      if (answers) phase_q <= Store;
      if (store_grant_i) begin
        phase_q <= Load;
        lanes_q <= lanes_q & (lanes_q - 32'd1);
      end
    end
    if (answers) begin
      for (int unsigned j = 0; j < 4; j++) begin
        sum_q[j] <= rsp_i.data[quad_of(from)][32*j+:32] + operand[j+2];
      end
    end
  end

  // ---- End. Results end the instruction at their grant.
  assign finish_o = '{valid: trap_o.valid || (store_grant_i && last_lane), warp: warp_q};
  assign ends = finish_o.valid || (present && result_taken_i && result_o.last);

  `WL_ASSERT(StartsIdle, !start || state_q == Idle)
  `WL_ASSERT(WorksForLanes, state_q != Work || exec_q != '0)
  `WL_ASSERT(TakenIsPresented, !result_taken_i || present)
  `WL_ASSERT(AnswerIsAwaited, !answers || (works && is_chunk && phase_q == Answer))
  `WL_ASSERT(BeatHasLanes, !present || result_o.mask != '0)
endmodule
