// Memory units that the sub-cores of an SM share (docs/microarchitecture.md 5 "Open units", 10, 11,
// 12, 23): the LSU with the shared memory, the constant loads, and the copy engine where the
// configuration has it. A sub-core may issue to a unit in its turn; so it may to the allocator of tensor
// memory and to the unit of products in it, which are not in here. It sees the words, freed slots and ends of its own warps only, by its own warp numbers.
// Everything inside is by the SM's slot.
`include "cells/assert.svh"
module memory_units
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import copy_pkg::copy_signal_t;
  import umma_pkg::umma_signal_t;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // verilator lint_off UNUSEDSIGNAL // the points of these units; of an issue a part
  input  logic [NumStalls-1:0]  stall_i,         // disturbance (17)
  input  issue_t                issue_i [SubCores],
  // verilator lint_on UNUSEDSIGNAL
  input  logic                  clear_i,
  input  logic                  invalidate_i,
  input  logic [31:0]           lb_i [LaunchBlockWords],
  input  logic [CtaBits-1:0]    warp_cta_i [Warps],
  // Sub-cores: issue and X1.
  output logic [SubCores-1:0]   lsu_open_o,      // to this sub-core
  output logic [SubCores-1:0]   ldc_open_o,
  output logic [SubCores-1:0]   copy_open_o,
  output logic [SubCores-1:0]   columns_open_o,
  input  logic                  columns_end_i,   // T of a form of the allocator (24.1)
  // Products in tensor memory (25): issue, T; commits and their delivery.
  output logic [SubCores-1:0]   umma_open_o,
  input  logic                  umma_ready_i,    // entry `put` is free
  input  logic                  umma_end_i,
  input  umma_signal_t          commit_i,
  output logic                  commit_taken_o,
  output logic                  commit_delivered_o,
  output logic                  commit_misuse_o,
  output logic [SlotBits-1:0]   lsu_slot_o,
  input  logic [SubCores-1:0]   slots_free_i,    // is_left <= 1
  input  logic [SubCores-1:0]   vwb_stall_i,     // vwb.lost >= AgeLimit
  input  x1_t                   x1_i [SubCores],
  input  logic [31:0]           x1_a_i [SubCores][Lanes],
  input  logic [31:0]           x1_b_i [SubCores][Lanes],
  input  logic [31:0]           x1_c_i [SubCores][Lanes],
  // Sub-cores: words and ends. A slot is freed here without a last grant (stores, RED, faults); one
  // whose last word is granted finishes by vwb.last.
  output vwb_t                  vwb_lsu_o [SubCores],
  output logic [31:0]           vwb_data_lsu_o [Lanes],
  output vwb_t                  vwb_ldc_o [SubCores],
  output logic [31:0]           vwb_data_ldc_o,
  input  logic [SubCores-1:0]   grant_lsu_i,     // the word is written
  input  logic [SubCores-1:0]   grant_ldc_i,
  output logic [LsuDepth-1:0]   lsu_free_o [SubCores],
  output warp_t                 lsu_free_warp_o [LsuDepth],
  output finish_t               finish_ldc_o [SubCores],
  // SM port.
  output logic                  lsu_req_valid_o,
  output packet_t               lsu_req_o,
  input  logic                  lsu_req_grant_i,
  output logic                  ldc_req_valid_o,
  output packet_t               ldc_req_o,
  input  logic                  ldc_req_grant_i,
  output logic                  copy_req_valid_o,
  output packet_t               copy_req_o,
  input  logic                  copy_req_grant_i,
  input  logic                  rsp_valid_i,
  input  response_t             rsp_i,
  // Chunk port of shared memory: requesters elsewhere.
  input  chunk_req_t            chunk_i [ChunkPorts],
  output logic [ChunkPorts-1:0] chunk_grant_o,
  output chunk_rsp_t            chunk_rsp_o,
  // Board: words of shared memory.
  input  poke_t                 poke_i,
  input  peek_t                 peek_i,
  output logic [31:0]           peek_smem_o,
  // Events, record REST (15), traps.
  output logic                  smem_rsp_o,      // the LSU takes an answer of shared memory
  output logic                  smem_take_o,     // shared memory takes a request
  output logic                  smem_pass_o,
  output logic                  ldc_miss_o,
  output logic                  rest_lsu_o,
  output logic                  rest_ldc_o,
  output logic                  rest_smem_o,
  output logic                  rest_copy_o,
  output trap_t                 trap_lsu_o,
  output trap_t                 trap_ldc_o,
  output trap_t                 trap_mbarrier_o,
  output trap_t                 trap_copy_o,
  // mbarriers (21.2): a phase is complete in this cycle; phases completed.
  output logic                  mbar_complete_o,
  output mbar_gen_t             mbar_gen_o,
  // Deferred forms (22) and bulk copies (23): questions, in the next cycle the answers; warps with
  // such forms in flight; warps of which a copy is over.
  input  copy_ask_t             copy_ask_i [SubCores],
  output logic [SubCores-1:0]   copies_left_o,
  output logic [Warps-1:0]      deferred_o,
  output logic [Warps-1:0]      copied_o
);
  // The sub-cores' turns, and whose X1 a unit sees.
  logic                lsu_ready, ldc_ready, copy_ready, copy_end, rest_lsu, rest_left;
  logic [SubCores-1:0] lsu_issue, copy_issue, columns_issue, umma_issue;
  sub_t                lsu_turn, ldc_turn, lsu_sub, ldc_sub;  // issuing; presenting
  x1_t                 lsu_x1, ldc_x1;
  logic [31:0]         lsu_a [Lanes];
  logic [31:0]         lsu_b [Lanes];
  logic [31:0]         lsu_c [Lanes];
  logic [31:0]         ldc_a [Lanes];
  always_comb begin
    for (int unsigned k = 0; k < SubCores; k++) begin
      lsu_issue[k] = issue_i[k].valid && !issue_i[k].empty && !issue_i[k].ctl &&
                     issue_i[k].insn.info.unit == UnitLsu;
      copy_issue[k] = Copy != 0 && issue_i[k].valid && !issue_i[k].empty &&
                      issue_i[k].insn.info.unit == UnitCopy;
      columns_issue[k] = issue_i[k].valid && !issue_i[k].empty && !issue_i[k].arrives &&
                         Tmem != 0 && tmem_pkg::is_columns(issue_i[k].insn.info);
      umma_issue[k] = Umma != 0 && issue_i[k].valid && !issue_i[k].empty &&
                      issue_i[k].insn.info.unit == UnitUmma;
    end
  end
  // Warps that close a group of copies.
  function automatic logic [Warps-1:0] closing(input issue_t issues [SubCores], input ctl_op_e op);
    closing = '0;
    for (int unsigned k = 0; k < SubCores; k++) begin
      if (issues[k].valid && !issues[k].empty && issues[k].insn.info.unit == UnitCtl &&
          issues[k].insn.info.op == op) closing[slot_of(issues[k].warp, sub_t'(k))] = 1'b1;
    end
  endfunction
  assign rest_lsu_o = rest_lsu && rest_left;
  memissue u_memissue (
    .rest_o(rest_left),
    .clk_i, .rst_ni, .clear_i, .lsu_ready_i(lsu_ready), .ldc_ready_i(ldc_ready),
    .lsu_issue_i(lsu_issue), .slots_free_i, .vwb_stall_i,
    .copy_ready_i(copy_ready), .copy_issue_i(copy_issue != '0), .copy_end_i(copy_end), .copy_open_o,
    .columns_issue_i(columns_issue != '0), .columns_end_i, .columns_open_o,
    .umma_ready_i, .umma_issue_i(umma_issue != '0), .umma_end_i, .umma_open_o,
    .lsu_open_o, .ldc_open_o, .lsu_turn_o(lsu_turn), .ldc_turn_o(ldc_turn)
  );
  memx1 u_memx1 (
    .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
    .lsu_x1_o(lsu_x1), .lsu_a_o(lsu_a), .lsu_b_o(lsu_b), .lsu_c_o(lsu_c),
    .ldc_x1_o(ldc_x1), .ldc_a_o(ldc_a)
  );

  // Words, freed slots and ends are of one sub-core.
  vwb_t                vwb_lsu, vwb_ldc;
  logic [LsuDepth-1:0] lsu_free;
  warp_slot_t          lsu_free_warp [LsuDepth];
  finish_t             finish_ldc;
  always_comb begin
    for (int unsigned k = 0; k < SubCores; k++) begin
      vwb_lsu_o[k] = vwb_lsu;
      vwb_ldc_o[k] = vwb_ldc;
      finish_ldc_o[k] = finish_ldc;
      lsu_free_o[k] = lsu_free;
      if (SubCores > 1) begin
        if (lsu_sub != sub_t'(k)) vwb_lsu_o[k].valid = 1'b0;
        if (ldc_sub != sub_t'(k)) begin
          vwb_ldc_o[k].valid = 1'b0;
          finish_ldc_o[k].valid = 1'b0;
        end
        for (int unsigned i = 0; i < LsuDepth; i++) begin
          if (sub_of(lsu_free_warp[i]) != sub_t'(k)) lsu_free_o[k][i] = 1'b0;
        end
      end
    end
    for (int unsigned i = 0; i < LsuDepth; i++) lsu_free_warp_o[i] = warp_of(lsu_free_warp[i]);
  end

  // smem_addr: byte address of each lane in shared memory, the CTA's base included. smem_wdata[k]:
  // operand word k after the address (CAS: compare words, then new words); smem_more[k]: word 4 + k,
  // from the next cycle on.
  logic        smem_req_valid, smem_req_ready, lsu_smem_valid, lsu_smem_ready, lsu_smem_rsp;
  smem_req_t   smem_req, lsu_smem_req;
  smem_rsp_t   smem_rsp;
  mbar_misuse_t mbar_misuse, lsu_misuse;
  logic [31:0] smem_addr [LsuLanes], lsu_smem_addr [LsuLanes];
  logic [31:0] smem_wdata [4][LsuLanes], lsu_smem_wdata [4][LsuLanes];
  logic [31:0] smem_more [4][LsuLanes];
  logic [31:0] smem_rdata [4][LsuLanes];
  logic [Warps-1:0]    lsu_deferred, lsu_copied, copying, bulk_copied;
  logic [SubCores-1:0] lsu_copies_left, bulk_left;
  assign deferred_o = lsu_deferred | copying;
  assign copied_o = lsu_copied | bulk_copied;
  assign copies_left_o = lsu_copies_left | bulk_left;
  assign smem_take_o = smem_req_valid && smem_req_ready;
  lsu u_lsu (
    .rest_o(rest_lsu),
    .clk_i, .rst_ni, .clear_i, .lb_i, .warp_cta_i,
    .issue_i(issue_i[lsu_turn]), .sub_i(lsu_turn),
    .x1_i(lsu_x1), .x1_a_i(lsu_a), .x1_b_i(lsu_b), .x1_c_i(lsu_c),
    .lsu_ready_o(lsu_ready), .lsu_slot_o,
    .vwb_o(vwb_lsu), .vwb_sub_o(lsu_sub), .vwb_data_o(vwb_data_lsu_o),
    .vwb_grant_i(grant_lsu_i[lsu_sub]), .lsu_free_o(lsu_free), .lsu_free_warp_o(lsu_free_warp),
    .trap_o(trap_lsu_o),
    .req_valid_o(lsu_req_valid_o), .req_o(lsu_req_o), .req_grant_i(lsu_req_grant_i),
    .rsp_valid_i, .rsp_i,
    .smem_req_valid_o(lsu_smem_valid), .smem_req_ready_i(lsu_smem_ready),
    .smem_req_o(lsu_smem_req), .smem_addr_o(lsu_smem_addr), .smem_wdata_o(lsu_smem_wdata),
    .smem_more_o(smem_more),
    .smem_rsp_valid_i(lsu_smem_rsp), .smem_rsp_i(smem_rsp), .smem_rdata_i(smem_rdata),
    .mbar_misuse_i(lsu_misuse), .trap_mbarrier_o,
    .commit_i(closing(issue_i, CtlCommit)), .copy_ask_i, .copies_left_o(lsu_copies_left),
    .deferred_o(lsu_deferred), .copied_o(lsu_copied)
  );

  // Copy engine, and commits and its signals before the LSU's requests to shared memory.
  copy_signal_t copy_signal;
  logic         signal_taken, signal_delivered, signal_misuse;
  chunk_req_t   chunk [ChunkPorts];
  smem_ways u_ways (
    .signal_i(copy_signal), .signal_taken_o(signal_taken), .delivered_o(signal_delivered),
    .misuse_o(signal_misuse), .commit_i, .commit_taken_o, .commit_delivered_o, .commit_misuse_o,
    .lsu_valid_i(lsu_smem_valid), .lsu_ready_o(lsu_smem_ready), .lsu_req_i(lsu_smem_req),
    .lsu_addr_i(lsu_smem_addr), .lsu_wdata_i(lsu_smem_wdata), .lsu_rsp_valid_o(lsu_smem_rsp),
    .lsu_misuse_o(lsu_misuse),
    .valid_o(smem_req_valid), .ready_i(smem_req_ready), .req_o(smem_req), .addr_o(smem_addr),
    .wdata_o(smem_wdata), .rsp_valid_i(smem_rsp_o), .rsp_bulk_i(smem_rsp.bulk),
    .rsp_commit_i(smem_rsp.slot[0]),
    .misuse_i(mbar_misuse)
  );
  if (Copy != 0) begin : gen_copy
    chunk_req_t copy_chunk;
    always_comb begin
      chunk = chunk_i;
      chunk[ChunkCopy] = copy_chunk;
    end
    copy u_copy (
      .clk_i, .rst_ni, .clear_i, .lb_i, .warp_cta_i, .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
      .put_free_o(copy_ready), .resolve_o(copy_end), .commit_i(closing(issue_i, CtlBcommit)),
      .ask_i(copy_ask_i), .left_o(bulk_left),
      .req_valid_o(copy_req_valid_o), .req_o(copy_req_o), .req_grant_i(copy_req_grant_i),
      .rsp_valid_i, .rsp_i, .chunk_o(copy_chunk), .chunk_grant_i(chunk_grant_o[ChunkCopy]),
      .chunk_rsp_i(chunk_rsp_o), .signal_o(copy_signal), .signal_taken_i(signal_taken),
      .delivered_i(signal_delivered), .misuse_i(signal_misuse), .busy_o(copying),
      .wake_o(bulk_copied), .trap_o(trap_copy_o), .rest_o(rest_copy_o)
    );
  end else begin : gen_no_copy
    assign chunk = chunk_i;
    assign {copy_ready, copy_end, bulk_left, copying, bulk_copied, copy_signal} = '0;
    assign {copy_req_valid_o, copy_req_o, trap_copy_o} = '0;
    assign rest_copy_o = 1'b1;
    logic unused_copy;
    assign unused_copy = ^{copy_req_grant_i, signal_taken, signal_delivered, signal_misuse};
  end
  smem #(.Chunks(ChunkRequesters)) u_smem (
    .poke_i, .peek_i, .peek_data_o(peek_smem_o),
    .rest_o(rest_smem_o),
    .clk_i, .rst_ni, .stall_i(stall_i[StallAtSmem]),
    .req_valid_i(smem_req_valid), .req_ready_o(smem_req_ready), .pass_o(smem_pass_o),
    .req_i(smem_req), .addr_i(smem_addr), .wdata_i(smem_wdata), .more_i(smem_more),
    .rsp_valid_o(smem_rsp_o), .rsp_o(smem_rsp), .rdata_o(smem_rdata),
    .start_i(invalidate_i), .mbar_complete_o, .mbar_gen_o, .mbar_misuse_o(mbar_misuse),
    .chunk_stall_i(stall_i[StallAtChunk]), .chunk_i(chunk), .chunk_grant_o, .chunk_rsp_o
  );
  ccache u_ccache (
    .rest_o(rest_ldc_o),
    .clk_i, .rst_ni, .clear_i, .invalidate_i, .lb_i,
    .issue_i(issue_i[ldc_turn]), .sub_i(ldc_turn), .x1_i(ldc_x1), .x1_a_i(ldc_a),
    .ldc_ready_o(ldc_ready), .vwb_o(vwb_ldc), .sub_o(ldc_sub), .vwb_data_o(vwb_data_ldc_o),
    .vwb_grant_i(grant_ldc_i[ldc_sub]), .finish_o(finish_ldc), .trap_o(trap_ldc_o),
    .miss_o(ldc_miss_o),
    .req_valid_o(ldc_req_valid_o), .req_o(ldc_req_o), .req_grant_i(ldc_req_grant_i),
    .rsp_valid_i, .rsp_i
  );

  `WL_ASSERT(GrantsPresented, (grant_lsu_i == '0 || vwb_lsu.valid) &&
                              (grant_ldc_i == '0 || vwb_ldc.valid))
  `WL_ASSERT(IssuesToOpen, (lsu_issue & ~lsu_open_o) == '0 && (copy_issue & ~copy_open_o) == '0 &&
                           (columns_issue & ~columns_open_o) == '0 && (umma_issue & ~umma_open_o) == '0)
endmodule
