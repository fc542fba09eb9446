// The probe with shared memory behind it (docs/microarchitecture.md 18, 11b), its structs as single
// ports for probe_tb.cpp.
module probe_bench
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  // Issue.
  input  logic             start_i,
  input  logic [7:0]       op_i,
  input  logic [7:0]       rd_i,
  input  logic [31:0]      imm_i,
  input  logic [27:0]      pc_i,
  input  logic [31:0]      exec_i,
  // X1.
  input  logic             x1_valid_i,
  input  logic             x1_last_i,
  input  logic [2:0]       x1_step_i,
  input  logic [4:0]       x1_beat_i,
  input  logic [Lanes-1:0] x1_mask_i,
  input  logic [31:0]      x1_a_i [Lanes],
  input  logic [31:0]      x1_b_i [Lanes],
  input  logic [31:0]      x1_c_i [Lanes],
  output logic             ready_o,
  // Results.
  output logic             valid_o,
  output logic             has_reg_o,
  output logic [7:0]       rd_o,
  output logic [4:0]       beat_o,
  output logic [Lanes-1:0] mask_o,
  output logic             last_beat_o,
  output logic             last_o,
  output logic [31:0]      data_o [Lanes],
  input  logic             taken_i,
  output logic             finish_o,
  output logic             trap_o,
  output logic [4:0]       cause_o,
  output logic [4:0]       lane_o,
  output logic [31:0]      offset_o,
  // Shared memory: a word to write, one to read.
  input  logic             stall_i,
  input  logic             poke_i,
  input  logic             peek_i,
  input  logic [31:0]      word_i,     // number of the word
  input  logic [31:0]      poke_data_i,
  output logic [31:0]      peek_data_o
);
  localparam warp_t Warp = warp_t'(1);
  localparam int unsigned Cta = 1;     // its CTA slot
  localparam int unsigned Units = 4;   // of its CTA, of 1,024 bytes

  issue_t issue;
  x1_t    x1;
  always_comb begin
    issue = '0;
    issue.valid = start_i;
    issue.warp = Warp;
    issue.exec = exec_i;
    issue.insn.pc = pc_i;
    issue.insn.info.unit = UnitProbe;
    issue.insn.info.op = op_i;
    issue.insn.word.rd = rd_i;
    issue.insn.word.imm = imm_i;
    x1 = '0;
    x1.valid = x1_valid_i;
    x1.last = x1_last_i;
    x1.step = x1_step_i;
    x1.beat = BeatBits'(x1_beat_i);
    x1.mask = x1_mask_i;
    x1.warp = Warp;
    x1.info.unit = UnitProbe;
    x1.info.op = op_i;
  end

  logic [CtaBits-1:0] cta [SubWarps];
  vwb_t       result;
  finish_t    finish;
  trap_t      trap;
  chunk_req_t chunk [ChunkRequesters];
  logic [ChunkRequesters-1:0] grant;
  chunk_rsp_t rsp;
  for (genvar i = 0; i < ChunkRequesters; i++) begin : gen_others
    if (i != ChunkProbeLoad && i != ChunkProbeStore) begin : gen_none
      assign chunk[i] = '0;
    end
  end
  for (genvar w = 0; w < SubWarps; w++) begin : gen_cta
    assign cta[w] = CtaBits'(Cta);
  end
  logic [Lanes-1:0][31:0] data;
  for (genvar l = 0; l < Lanes; l++) begin : gen_data
    assign data_o[l] = data[l];
  end
  probe dut (
    .clk_i, .rst_ni, .sub_i('0), .clear_i(1'b0), .issue_i(issue),
    .x1_i(x1), .x1_a_i, .x1_b_i, .x1_c_i,
    .smem_units_i(Units), .smem_bytes_i(Units * 1024), .warp_cta_i(cta),
    .ready_o, .rest_o(), .result_o(result), .result_data_o(data), .result_taken_i(taken_i),
    .load_o(chunk[ChunkProbeLoad]), .store_o(chunk[ChunkProbeStore]),
    .load_grant_i(grant[ChunkProbeLoad]), .store_grant_i(grant[ChunkProbeStore]), .rsp_i(rsp),
    .finish_o(finish), .trap_o(trap)
  );
  assign valid_o = result.valid;
  assign has_reg_o = result.has_reg;
  assign rd_o = result.rd;
  assign beat_o = 5'(result.beat);
  assign mask_o = result.mask;
  assign last_beat_o = result.last_beat;
  assign last_o = result.last;
  assign finish_o = finish.valid;
  assign trap_o = trap.valid;
  assign cause_o = 5'(trap.cause);
  assign lane_o = trap.lane;
  assign offset_o = trap.addr[31:0];

  poke_t poke;
  peek_t peek;
  always_comb begin
    poke = '0;
    poke.valid[3'(ArraySmem)] = poke_i;
    poke.slice = 8'(word_i % SmemBanks);
    poke.row = 16'(word_i / SmemBanks);
    poke.data = poke_data_i;
    peek = '0;
    peek.valid = peek_i;
    peek.array = 3'(ArraySmem);
    peek.slice = 8'(word_i % SmemBanks);
    peek.row = 16'(word_i / SmemBanks);
  end
  smem_req_t   none;
  logic [31:0] addr [LsuLanes], wdata [4][LsuLanes];
  assign none = '0;
  assign addr = '{default: '0};
  assign wdata = '{default: '0};
  smem #(.Chunks(ChunkRequesters)) u_smem (
    .clk_i, .rst_ni, .stall_i(1'b0), .poke_i(poke), .peek_i(peek), .peek_data_o,
    .req_valid_i(1'b0), .req_ready_o(), .pass_o(), .rest_o(), .req_i(none), .addr_i(addr),
    .wdata_i(wdata), .more_i('{default: '0}), .rsp_valid_o(), .rsp_o(), .rdata_o(),
    .start_i(1'b0), .mbar_complete_o(), .mbar_gen_o(), .mbar_misuse_o(),
    .chunk_stall_i(stall_i), .chunk_i(chunk), .chunk_grant_o(grant), .chunk_rsp_o(rsp)
  );
endmodule
