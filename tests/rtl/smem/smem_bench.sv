// Shared memory behind the ways of the copy engine's signals and of commits (docs/microarchitecture.md
// 11, 11b, 23.3, 25.8),
// with members of structs as ports for smem_tb.cpp.
module smem_bench
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
#(
  parameter int unsigned Chunks = 0,   // requesters of the chunk port
  localparam int unsigned Presenters = (Chunks == 0) ? 1 : Chunks
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  start_i,
  input  logic                  stall_i,
  // Copy engine.
  input  logic                  signal_i,
  input  logic [31:0]           signal_at_i,
  input  logic [31:0]           signal_bytes_i,
  output logic                  signal_taken_o,
  output logic                  signal_delivered_o,
  output logic                  signal_misuse_o,
  // Products in tensor memory.
  input  logic                  commit_i,
  input  logic [31:0]           commit_at_i,
  output logic                  commit_taken_o,
  output logic                  commit_delivered_o,
  output logic                  commit_misuse_o,
  // LSU.
  input  logic                  req_valid_i,
  output logic                  req_ready_o,
  input  logic [SlotBits-1:0]   slot_i,
  input  logic [3:0]            kind_i,
  input  logic [3:0]            mtype_i,
  input  logic [3:0]            atom_i,
  input  logic [LsuBeatBits-1:0] beat_i,
  input  logic [LsuLanes-1:0]   mask_i,
  input  logic [31:0]           addr_i  [LsuLanes],
  input  logic [31:0]           wdata_i [4][LsuLanes],
  input  logic [31:0]           more_i  [4][LsuLanes],   // words 4 to 7, one cycle later
  output logic                  rsp_valid_o,
  output logic [SlotBits-1:0]   slot_o,
  output logic [LsuBeatBits-1:0] beat_o,
  output logic [LsuLanes-1:0]   mask_o,
  output logic [3:0]            words_o,
  output logic                  last_o,
  output logic [31:0]           rdata_o [4][LsuLanes],
  output logic                  misuse_o,
  output logic [7:0]            misuse_lane_o,
  output logic [31:0]           misuse_at_o,    // byte address
  // Of both.
  output logic                  pass_o,
  output logic                  mbar_complete_o,
  output logic [30:0]           mbar_gen_o,
  // Chunk port.
  input  logic                  chunk_stall_i,
  input  chunk_req_t            chunk_i [Presenters],
  output logic [Presenters-1:0] chunk_grant_o,
  output chunk_rsp_t            chunk_rsp_o
);
  smem_req_t    lsu_req, req;
  smem_rsp_t    rsp;
  logic         valid, ready, delivers;
  logic [31:0]  addr [LsuLanes], wdata [4][LsuLanes];
  mbar_misuse_t misuse, lsu_misuse;
  // verilator lint_off UNUSEDSIGNAL // the board's access, and rest, are no part of this bench
  logic         rest;
  logic [31:0]  peek_data;
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin
    lsu_req = '{bulk: 1'b0, slot: slot_i, kind: mem_kind_e'(kind_i),
                mtype: mem_type_e'(mtype_i), atom: atom_op_e'(atom_i), beat: beat_i,
                mask: mask_i};
    slot_o = rsp.slot;
    beat_o = rsp.beat;
    mask_o = rsp.mask;
    words_o = rsp.words;
    last_o = rsp.last;
    misuse_o = lsu_misuse.valid;
    misuse_lane_o = 8'(lsu_misuse.lane);
    misuse_at_o = 32'({lsu_misuse.at, 3'b000});
  end
  smem_ways u_ways (
    .signal_i('{valid: signal_i, at: signal_at_i, bytes: signal_bytes_i}), .signal_taken_o,
    .delivered_o(signal_delivered_o), .misuse_o(signal_misuse_o),
    .commit_i('{valid: commit_i, at: commit_at_i}), .commit_taken_o, .commit_delivered_o,
    .commit_misuse_o,
    .lsu_valid_i(req_valid_i), .lsu_ready_o(req_ready_o), .lsu_req_i(lsu_req), .lsu_addr_i(addr_i),
    .lsu_wdata_i(wdata_i), .lsu_rsp_valid_o(rsp_valid_o), .lsu_misuse_o(lsu_misuse),
    .valid_o(valid), .ready_i(ready), .req_o(req), .addr_o(addr), .wdata_o(wdata),
    .rsp_valid_i(delivers), .rsp_bulk_i(rsp.bulk), .rsp_commit_i(rsp.slot[0]), .misuse_i(misuse)
  );
  smem #(.Chunks(Chunks)) u_smem (
    .clk_i, .rst_ni, .stall_i, .poke_i('0), .peek_i('0), .peek_data_o(peek_data), .rest_o(rest),
    .req_valid_i(valid), .req_ready_o(ready), .pass_o, .req_i(req), .addr_i(addr), .wdata_i(wdata),
    .more_i,
    .rsp_valid_o(delivers), .rsp_o(rsp), .rdata_o,
    .start_i, .mbar_complete_o, .mbar_gen_o, .mbar_misuse_o(misuse),
    .chunk_stall_i, .chunk_i, .chunk_grant_o, .chunk_rsp_o
  );
endmodule
