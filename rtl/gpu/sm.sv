// One streaming multiprocessor (docs/microarchitecture.md 0): instances and wires only. The memory
// units that sub-cores share are in memory_units.sv. The device around it (gpu_top.sv) has the grid
// of the launch, the order point and the memory channels.
`include "cells/assert.svh"
module sm
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
#(
  parameter bit BoardAccess = 1'b0   // poke and peek reach the arrays (docs/fpga.md 6)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [1:0]                 sm_i,          // number of the SM
  // Disturbance: one bit per point of stall.def, of this cycle; 0 on a board (section 17).
  input  logic [NumStalls-1:0]       stall_i,
  input  logic [63:0]                cycle_i,
  output trap_t                      trap_o,
  // Grid of the launch.
  input  logic                       running_i,     // state RUN
  input  logic                       invalidate_i,  // start cycle
  input  logic                       clear_i,       // trap end
  input  logic                       finish_i,      // the state becomes DONE
  input  logic [31:0]                lb_i [LaunchBlockWords],
  input  logic                       offer_valid_i,
  input  logic [31:0]                offer_x_i,
  input  logic [15:0]                offer_y_i,
  input  logic [15:0]                offer_z_i,
  output logic                       offer_taken_o,
  output logic                       empty_o,       // no CTA is there or being placed
  output logic                       stopped_o,     // a trap is pending, nothing is in flight
  output logic                       answered_o,    // no store unanswered, no line fill under way
  // The grid's requests at the SM port.
  input  logic                       grid_valid_i,
  input  packet_t                    grid_req_i,
  output logic                       grid_grant_o,
  // Order point.
  output logic                       op_valid_o,
  output packet_t                    op_packet_o,
  input  logic                       op_ready_i,
  input  logic                       rsp_valid_i,
  input  response_t                  rsp_i,
  output logic                       smem_rsp_o,    // the LSU takes an answer of shared memory
  // Watchdog, record REST.
  output logic                       issued_o,
  output logic                       sleeping_o,    // some warp waits for a sleeper
  output logic                       block_end_o,   // a block of a product in tensor memory ends
  output logic [RestUnits-1:0]       rest_o,
  // Words of arrays, for a board (docs/fpga.md 6). Nothing without BoardAccess.
  input  poke_t                      poke_i,
  input  peek_t                      peek_i,
  output logic [31:0]                peek_data_o
);
  // Arrays and bits by warp are by the SM's slot here, and by warp inside a sub-core.

  // Dispatcher.
  logic [Warps-1:0]    warp_valid, warp_start;
  logic [CtaBits-1:0]  warp_cta [Warps];
  logic [4:0]          warp_index [Warps];
  logic [31:0]         tail_mask;
  logic [Warps-1:0]    start_tail;
  logic [31:0]         cta_x [Ctas];
  logic [31:0]         cta_y [Ctas];
  logic [31:0]         cta_z [Ctas];
  logic [31:0]         cta_seq [Ctas];
  logic [5:0]          cta_nwarps [Ctas];
  logic [Warps-1:0]    cta_warps [Ctas];
  logic                page_we;
  warp_slot_t          page_warp;
  logic [4:0]          page_entry;
  logic [PageBits-1:0] page_value;
  logic [Warps-1:0]    inflight_zero, path_idle, bar_idle;

  // Barrier.
  logic [Warps-1:0] dead, bar_wake, bar_req_busy, wait_wake, cluster_wait;
  bar_result_t      bar_result [Warps];
  logic             mbar_complete;  // a phase of an mbarrier is
  mbar_gen_t        mbar_gen;       // phases completed
  logic [Warps-1:0] deferred, copied;  // with deferred forms in flight; a copy is over (22)
  copy_ask_t           copy_ask [SubCores];
  logic [SubCores-1:0] copies_left;
  // Allocator of tensor memory.
  cta_freed_t       cta_freed;
  columns_t         columns;
  unit_t            columns_base [Warps];
  logic             columns_end, columns_wait;
  logic [Warps-1:0] columns_wake;
  // Products in tensor memory.
  // verilator lint_off UNUSEDSIGNAL // without the unit
  logic [SubCores-1:0] umma_open, umma_could, umma_takes;
  logic                umma_ready, umma_end, commit_taken, commit_delivered, commit_misuse;
  logic [SubCores-1:0] umma_cur, umma_next, umma_piped, umma_blocked;
  logic [Lanes-1:0][31:0] umma_put [SubCores], umma_rows [SubCores];
  logic [Lanes-1:0]    x1_ps [SubCores];
  // verilator lint_on UNUSEDSIGNAL
  umma_signal_t        commit;
  umma_lanes_t         umma_lanes;
  umma_step_t          umma_step;
  umma_state_t         umma_state [SubCores];
  tensor_pkg::slice_words_t [DotRows-1:0] umma_a [SubCores];
  logic [Warps-1:0]    umma_busy;

  // Sub-cores.
  logic [SubWarps-1:0] sub_inflight_zero [SubCores];
  logic [SubWarps-1:0] sub_path_idle [SubCores];
  logic [SubWarps-1:0] sub_dead [SubCores];
  logic [SubCores-1:0] fetch_idle;  // no instruction-cache miss outstanding
  logic [SubCores-1:0] sleeping;    // some warp waits for a sleeper
  logic [SubCores-1:0] issued, slots_free, vwb_stall;
  issue_t              issue [SubCores];
  x1_t                 x1 [SubCores];
  logic [31:0]         x1_a [SubCores][Lanes];
  logic [31:0]         x1_b [SubCores][Lanes];
  logic [31:0]         x1_c [SubCores][Lanes];
  logic [SubCores-1:0] grant_lsu, grant_ldc;  // their word is written
  bar_pred_t           bar_pred [SubCores];
  bar_req_t            bar_req [SubCores];
  finish_t             bar_exit [SubCores];
  finish_t             wake_clr [SubCores];
  trap_t               sub_traps [SubCores][SubTrapSources];

  // Memory units that the sub-cores share.
  logic [SubCores-1:0] lsu_open, ldc_open, copy_open, columns_open;
  vwb_t                vwb_lsu [SubCores];
  vwb_t                vwb_ldc [SubCores];
  logic [31:0]         vwb_data_lsu [Lanes];
  logic [31:0]         vwb_data_ldc;
  logic [SlotBits-1:0] lsu_slot;
  logic [LsuDepth-1:0] lsu_free [SubCores];
  warp_t               lsu_free_warp [LsuDepth];
  finish_t             finish_ldc [SubCores];

  // Chunk port of shared memory: its requesters are of sub-core 0 (probe, 18), or beside shared memory.
  chunk_req_t            sub_chunk [SubCores][ChunkPorts];
  logic [ChunkPorts-1:0] chunk_grant;
  chunk_rsp_t            chunk_rsp;
  chunk_req_t            chunk [ChunkPorts];
  if (Probe != 0 && SubCores != 1) begin : gen_probes
    $error("the probe needs one sub-core");
  end

  // SM port and traps.
  logic [Ports-1:0] req_valid, req_grant;
  packet_t          req [Ports];
  logic             unacked_zero;
  trap_t            traps [TrapSources];
  trap_t            trap;
  logic             trap_pending;
  assign trap_o = trap;

  // Performance monitors: events, and the counters as visible in the next cycle.
  logic                smem_take, smem_pass, ldc_miss;
  logic [SubCores-1:0] fetch_miss, occupied;
  logic [63:0]         pm_next [8];

  // Units at rest, for the record REST (section 15).
  logic [RestUnits-1:0] rest_dispatcher, rest_sub [SubCores];
  logic rest_barrier, rest_lsu, rest_ldc, rest_smem, rest_port, rest_copy, rest_columns, rest_umma;
  always_comb begin
    rest_o = rest_dispatcher;
    for (int unsigned k = 0; k < SubCores; k++) rest_o &= rest_sub[k];
    rest_o[RestBarrier] = rest_barrier;
    rest_o[RestLsu] = rest_lsu;
    rest_o[RestLdc] = rest_ldc;
    rest_o[RestSmem] = rest_smem;
    rest_o[RestPort] = rest_port;
    rest_o &= ~((RestUnits'(!rest_copy) << RestCopy) | (RestUnits'(!rest_columns) << RestColumns) |
                (RestUnits'(!rest_umma) << RestUmma));
  end

  // Board (docs/fpga.md 6): words of arrays.
  poke_t       sm_poke;
  poke_t [SubCores-1:0] sub_poke;
  peek_t       peek;
  logic [31:0] peek_rf [SubCores];
  logic [31:0] peek_pred [SubCores];
  logic [31:0] peek_xbuf [SubCores];
  logic [31:0] peek_smem;
  logic [31:0] peek_tmem [SubCores];
  array_access #(.BoardAccess(BoardAccess)) u_access (
    .clk_i, .poke_i, .peek_i, .sm_poke_o(sm_poke), .sub_poke_o(sub_poke), .peek_o(peek),
    .peek_rf_i(peek_rf), .peek_pred_i(peek_pred), .peek_xbuf_i(peek_xbuf), .peek_smem_i(peek_smem),
    .peek_tmem_i(peek_tmem), .peek_data_o
  );

  dispatcher u_dispatcher (
    .rest_o(rest_dispatcher), .clk_i, .rst_ni, .running_i, .start_i(invalidate_i), .clear_i, .lb_i,
    .offer_valid_i, .offer_x_i, .offer_y_i, .offer_z_i, .offer_taken_o, .empty_o, .stopped_o,
    .warp_valid_o(warp_valid), .warp_start_o(warp_start),
    .tail_mask_o(tail_mask), .start_tail_o(start_tail),
    .warp_cta_o(warp_cta), .warp_index_o(warp_index),
    .cta_x_o(cta_x), .cta_y_o(cta_y), .cta_z_o(cta_z), .cta_seq_o(cta_seq),
    .cta_nwarps_o(cta_nwarps), .cta_warps_o(cta_warps),
    .cta_free_o(cta_freed.valid), .cta_free_slot_o(cta_freed.cta),
    .page_we_o(page_we), .page_warp_o(page_warp), .page_entry_o(page_entry),
    .page_value_o(page_value),
    .warp_idle_i(inflight_zero & path_idle & bar_idle), .inflight_zero_i(inflight_zero),
    .trap_pending_i(trap_pending)
  );
  assign answered_o = unacked_zero && (&fetch_idle);
  assign req_valid[ReqDisp] = grid_valid_i;
  assign req[ReqDisp] = grid_req_i;
  assign grid_grant_o = req_grant[ReqDisp];

  for (genvar k = 0; k < SubCores; k++) begin : gen_sub
    logic [CtaBits-1:0]  cta [SubWarps];
    logic [4:0]          index [SubWarps];
    bar_result_t         result [SubWarps];
    unit_t               base [SubWarps];
    always_comb begin
      for (int unsigned w = 0; w < SubWarps; w++) begin
        cta[w] = warp_cta[w*SubCores+k];
        index[w] = warp_index[w*SubCores+k];
        result[w] = bar_result[w*SubCores+k];
        base[w] = columns_base[w*SubCores+k];
      end
    end
    assign issued[k] = issue[k].valid;
    assign occupied[k] = warps_of(warp_valid, k) != '0;

    subcore u_sub (
      .poke_i(sub_poke[k]), .peek_i(peek),
      .peek_rf_o(peek_rf[k]), .peek_pred_o(peek_pred[k]), .peek_xbuf_o(peek_xbuf[k]),
      .peek_tmem_o(peek_tmem[k]),
      .rest_o(rest_sub[k]),
      .clk_i, .rst_ni, .sub_i(sub_t'(k)), .stall_i, .cycle_i,
      .lb_i, .clear_i, .invalidate_i, .mbar_gen_i(mbar_gen),
      .warp_valid_i(warps_of(warp_valid, k)), .warp_start_i(warps_of(warp_start, k)),
      .tail_mask_i(tail_mask), .start_tail_i(warps_of(start_tail, k)),
      .warp_cta_i(cta), .warp_index_i(index),
      .cta_x_i(cta_x), .cta_y_i(cta_y), .cta_z_i(cta_z), .cta_seq_i(cta_seq),
      .page_we_i(page_we && (SubCores == 1 || sub_of(page_warp) == sub_t'(k))),
      .page_warp_i(warp_of(page_warp)), .page_entry_i(page_entry), .page_value_i(page_value),
      .inflight_zero_o(sub_inflight_zero[k]), .path_idle_o(sub_path_idle[k]),
      .fetch_idle_o(fetch_idle[k]),
      .issue_o(issue[k]), .slots_free_o(slots_free[k]), .vwb_stall_o(vwb_stall[k]),
      .x1_o(x1[k]), .x1_a_o(x1_a[k]), .x1_b_o(x1_b[k]), .x1_c_o(x1_c[k]), .x1_ps_o(x1_ps[k]),
      .lsu_ready_i(lsu_open[k]), .ldc_ready_i(ldc_open[k]),
      .copy_ready_i(copy_open[k]), .columns_ready_i(columns_open[k]), .umma_ready_i(umma_open[k]),
      .lsu_slot_i(lsu_slot),
      .vwb_lsu_i(vwb_lsu[k]), .vwb_data_lsu_i(vwb_data_lsu),
      .vwb_ldc_i(vwb_ldc[k]), .vwb_data_ldc_i(vwb_data_ldc),
      .grant_lsu_o(grant_lsu[k]), .grant_ldc_o(grant_ldc[k]),
      .lsu_free_i(lsu_free[k]), .lsu_free_warp_i(lsu_free_warp), .finish_ldc_i(finish_ldc[k]),
      .deferred_i(warps_of(deferred | umma_busy, k)), .copy_ask_o(copy_ask[k]), .copies_left_i(copies_left[k]),
      .columns_wait_i(columns_wait), .columns_i(columns), .columns_base_i(base),
      .umma_i(umma_lanes), .umma_step_i(umma_step), .umma_a_i(umma_a[k]),
      .umma_put_i(umma_put[k]), .umma_rows_o(umma_rows[k]), .umma_o(umma_state[k]),
      .umma_could_o(umma_could[k]), .umma_takes_o(umma_takes[k]),
      .req_valid_o(req_valid[ReqIcache+k]), .req_o(req[ReqIcache+k]),
      .req_grant_i(req_grant[ReqIcache+k]),
      .rsp_valid_i, .rsp_i,
      .dead_o(sub_dead[k]),
      .bar_pred_o(bar_pred[k]), .bar_req_o(bar_req[k]), .bar_exit_o(bar_exit[k]),
      .wake_clr_o(wake_clr[k]), .bar_wake_i(warps_of(bar_wake, k)),
      .wait_wake_i(warps_of(wait_wake, k)), .cluster_wait_i(warps_of(cluster_wait, k)),
      .bar_req_busy_i(warps_of(bar_req_busy, k)), .bar_result_i(result),
      .chunk_o(sub_chunk[k]), .chunk_grant_i(chunk_grant), .chunk_rsp_i(chunk_rsp),
      .pm_next_i(pm_next), .fetch_miss_o(fetch_miss[k]),
      .trap_pending_i(trap_pending), .trap_o(sub_traps[k]), .sleeping_o(sleeping[k])
    );
    for (genvar i = 0; i < SubTrapSources; i++) begin : gen_trap
      assign traps[SubTrapSources*k+i] = sub_traps[k][i];
    end
  end
  always_comb begin
    inflight_zero = '0;
    path_idle = '0;
    dead = '0;
    for (int unsigned k = 0; k < SubCores; k++) begin
      inflight_zero |= slots_of(sub_inflight_zero[k], k);
      path_idle |= slots_of(sub_path_idle[k], k);
      dead |= slots_of(sub_dead[k], k);
    end
  end

  // bar_idle_o[w]: neither bar_req nor bar_exit is set.
  barrier u_barrier (
    .rest_o(rest_barrier),
    .clk_i, .rst_ni, .clear_i, .start_i(invalidate_i), .warp_start_i(warp_start),
    .warp_valid_i(warp_valid), .warp_cta_i(warp_cta), .cta_nwarps_i(cta_nwarps),
    .cta_warps_i(cta_warps), .dead_i(dead), .mbar_complete_i(mbar_complete),
    .copied_i(copied | columns_wake),
    .bar_pred_i(bar_pred), .bar_req_i(bar_req), .bar_exit_i(bar_exit),
    .wake_clr_i(wake_clr), .bar_wake_o(bar_wake), .wait_wake_o(wait_wake),
    .cluster_wait_o(cluster_wait), .bar_req_busy_o(bar_req_busy),
    .bar_result_o(bar_result), .bar_idle_o(bar_idle), .trap_o(traps[TrapSrcBarrier])
  );

  // verilator lint_off UNUSEDSIGNAL // without the copy engine, without tensor memory
  trap_t trap_copy, trap_columns;
  // verilator lint_on UNUSEDSIGNAL
  memory_units u_memory (
    .clk_i, .rst_ni, .stall_i, .clear_i, .invalidate_i, .lb_i, .warp_cta_i(warp_cta),
    .issue_i(issue), .lsu_open_o(lsu_open), .ldc_open_o(ldc_open), .copy_open_o(copy_open),
    .columns_open_o(columns_open), .columns_end_i(columns_end),
    .umma_open_o(umma_open), .umma_ready_i(umma_ready), .umma_end_i(umma_end), .commit_i(commit),
    .commit_taken_o(commit_taken), .commit_delivered_o(commit_delivered),
    .commit_misuse_o(commit_misuse),
    .lsu_slot_o(lsu_slot),
    .slots_free_i(slots_free), .vwb_stall_i(vwb_stall),
    .x1_i(x1), .x1_a_i(x1_a), .x1_b_i(x1_b), .x1_c_i(x1_c),
    .vwb_lsu_o(vwb_lsu), .vwb_data_lsu_o(vwb_data_lsu),
    .vwb_ldc_o(vwb_ldc), .vwb_data_ldc_o(vwb_data_ldc),
    .grant_lsu_i(grant_lsu), .grant_ldc_i(grant_ldc),
    .lsu_free_o(lsu_free), .lsu_free_warp_o(lsu_free_warp), .finish_ldc_o(finish_ldc),
    .lsu_req_valid_o(req_valid[ReqLsu]), .lsu_req_o(req[ReqLsu]),
    .lsu_req_grant_i(req_grant[ReqLsu]),
    .ldc_req_valid_o(req_valid[ReqLdc]), .ldc_req_o(req[ReqLdc]),
    .ldc_req_grant_i(req_grant[ReqLdc]),
    .copy_req_valid_o(req_valid[ReqCopy]), .copy_req_o(req[ReqCopy]),
    .copy_req_grant_i(req_grant[ReqCopy]), .rsp_valid_i, .rsp_i,
    .chunk_i(chunk), .chunk_grant_o(chunk_grant), .chunk_rsp_o(chunk_rsp),
    .poke_i(sm_poke), .peek_i(peek), .peek_smem_o(peek_smem),
    .smem_rsp_o, .smem_take_o(smem_take), .smem_pass_o(smem_pass), .ldc_miss_o(ldc_miss),
    .rest_lsu_o(rest_lsu), .rest_ldc_o(rest_ldc), .rest_smem_o(rest_smem),
    .rest_copy_o(rest_copy), .trap_copy_o(trap_copy),
    .trap_lsu_o(traps[TrapSrcLsu]), .trap_ldc_o(traps[TrapSrcLdc]),
    .trap_mbarrier_o(traps[TrapSrcMbarrier]), .mbar_complete_o(mbar_complete), .mbar_gen_o(mbar_gen),
    .copy_ask_i(copy_ask), .copies_left_o(copies_left), .deferred_o(deferred), .copied_o(copied)
  );

  if (Copy != 0) begin : gen_copy
    assign traps[TrapSrcCopy] = trap_copy;
  end else if (TrapSrcCopy < TrapSources) begin : gen_no_copy  // its number is one of others' numbers
    assign traps[TrapSrcCopy] = '0;
  end

  // At rest without tensor memory: no instruction comes.
  columns u_columns (
    .clk_i, .rst_ni, .clear_i, .warp_cta_i(warp_cta), .x1_i(x1), .x1_a_i(x1_a),
    .freed_i(cta_freed), .resolve_o(columns_end), .waits_o(columns_wait), .wake_o(columns_wake),
    .base_o(columns_base), .columns_o(columns), .trap_o(trap_columns), .rest_o(rest_columns)
  );
  if (Tmem != 0) begin : gen_columns
    assign traps[TrapSrcColumns] = trap_columns;
  end

  // A row without products in tensor memory has nothing of the unit.
  always_comb begin
    for (int unsigned k = 0; k < SubCores; k++) begin
      {umma_cur[k], umma_next[k], umma_piped[k], umma_blocked[k]} = umma_state[k];
    end
  end
  if (Umma != 0) begin : gen_umma
    chunk_req_t operands;
    for (genvar i = 0; i < int'(ChunkPorts); i++) begin : gen_chunk
      if (i == ChunkUmma) begin : gen_own
        assign chunk[i] = operands;
      end else begin : gen_other
        assign chunk[i] = sub_chunk[0][i];
      end
    end
    umma u_umma (
      .clk_i, .rst_ni, .clear_i, .smem_units_i(lb_i[LaunchSmemUnits][9:0]),
      .smem_bytes_i(lb_i[LaunchSmemBytes]), .warp_cta_i(warp_cta), .columns_i(columns),
      .x1_i(x1), .x1_a_i(x1_a), .x1_b_i(x1_b), .x1_c_i(x1_c), .x1_ps_i(x1_ps),
      .put_free_o(umma_ready), .resolve_o(umma_end), .chunk_o(operands),
      .chunk_grant_i(chunk_grant[ChunkUmma]), .chunk_rsp_i(chunk_rsp),
      .signal_o(commit), .signal_taken_i(commit_taken), .delivered_i(commit_delivered),
      .misuse_i(commit_misuse), .could_i(umma_could), .cur_i(umma_cur), .takes_i(umma_takes),
      .next_i(umma_next), .busy_i(umma_piped), .blocked_i(umma_blocked),
      .rows_i(umma_rows), .read_o(umma_lanes.read), .put_o(umma_lanes.put), .put_data_o(umma_put),
      .on_o(umma_lanes.on), .hold_o(umma_lanes.hold),
      .move_o(umma_lanes.move), .step_o(umma_step), .a_o(umma_a), .b_o(umma_lanes.b),
      .off_o(umma_lanes.off), .scale_o(umma_lanes.scale), .busy_o(umma_busy), .block_end_o, .trap_o(traps[TrapSrcUmma]),
      .rest_o(rest_umma)
    );
  end else begin : gen_no_umma
    assign chunk = sub_chunk[0];
    assign {umma_ready, umma_end, commit, umma_lanes, umma_step, umma_busy, block_end_o} = '0;
    assign umma_a = '{default: '0};
    assign umma_put = '{default: '0};
    assign rest_umma = 1'b1;
  end

  smport u_smport (
    .rest_o(rest_port), .clk_i, .rst_ni, .sm_i, .stall_i(stall_i[StallAtSmport]),
    .req_valid_i(req_valid), .req_i(req), .req_grant_o(req_grant),
    .op_valid_o, .op_packet_o, .op_ready_i,
    .rsp_valid_i, .rsp_i, .unacked_zero_o(unacked_zero)
  );

  // Cleared by the start of a launch.
  trap u_trap (
    .clk_i, .rst_ni, .clear_i(invalidate_i), .trap_i(traps), .trap_o(trap), .pending_o(trap_pending)
  );

  assign issued_o = |issued;
  assign sleeping_o = |sleeping;

  if (PmCounters != 0) begin : gen_monitor
    monitor u_monitor (
      .clk_i, .rst_ni, .start_i(invalidate_i), .issue_i(issued), .occupied_i(occupied),
      .fetch_miss_i(fetch_miss), .smem_take_i(smem_take), .smem_pass_i(smem_pass),
      .ldc_miss_i(ldc_miss), .grant_i(op_valid_o), .wait_i(!op_ready_i), .finish_i,
      .pm_next_o(pm_next)
    );
  end else begin : gen_no_monitor
    always_comb for (int unsigned i = 0; i < 8; i++) pm_next[i] = '0;
    logic unused_events;
    assign unused_events = ^{occupied, fetch_miss, smem_take, smem_pass, ldc_miss, finish_i};
  end

  `WL_ASSERT(TrapStopsIssue, !trap_pending || issued == '0)
endmodule
