// Products in tensor memory (docs/microarchitecture.md 25) for umma_tb.cpp: the unit, and the optional
// units of every sub-core, which have the tensor unit and tensor memory. Issue and X1 are ports, so are
// the chunk port and shared memory's answers. At time 0 a word of tensor memory is its number.
module umma_bench
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic [9:0]  smem_units_i,
  input  logic [31:0] smem_bytes_i,
  input  logic [7:0]  warp_cta_i [Warps],
  input  logic        columns_used_i [Units],
  input  logic [7:0]  columns_cta_i [Units],
  // Issue of a set of the tensor unit or of a load.
  input  logic        issue_i [SubCores],
  input  logic        issue_load_i [SubCores],
  input  logic [7:0]  issue_warp_i [SubCores],
  input  logic [7:0]  issue_rd_i [SubCores],
  input  logic [31:0] issue_imm_i [SubCores],
  // X1: unit 0 products, 1 the tensor unit, 2 tensor memory.
  input  logic        x1_i [SubCores],
  input  logic [1:0]  x1_unit_i [SubCores],
  input  logic [7:0]  x1_op_i [SubCores],
  input  logic [4:0]  x1_step_i [SubCores],
  input  logic [4:0]  x1_beat_i [SubCores],
  input  logic [31:0] x1_mask_i [SubCores],
  input  logic        x1_last_i [SubCores],
  input  logic [7:0]  x1_warp_i [SubCores],
  input  logic [27:0] x1_pc_i [SubCores],
  input  logic [31:0] x1_imm_i [SubCores],
  input  logic [2:0]  x1_a_words_i [SubCores],
  input  logic [2:0]  x1_b_words_i [SubCores],
  input  logic [2:0]  x1_c_words_i [SubCores],
  input  logic [31:0] x1_ps_i [SubCores],
  input  logic        x1_ta_i [SubCores],
  input  logic        x1_b16_i [SubCores],
  input  logic [31:0] x1_a_i [SubCores*Lanes],
  input  logic [31:0] x1_b_i [SubCores*Lanes],
  input  logic [31:0] x1_c_i [SubCores*Lanes],
  // The unit.
  output logic        put_free_o,
  output logic        resolve_o,
  output logic        trap_o,
  output logic [4:0]  cause_o,
  output logic [7:0]  trap_warp_o,
  output logic [4:0]  trap_lane_o,
  output logic [27:0] trap_pc_o,
  output logic [63:0] trap_addr_o,
  output logic [63:0] busy_o,
  output logic        rest_o,
  output logic        begins_o,
  output logic        step_o,           // a step is done, of idle lanes too
  output logic        block_end_o,
  output logic        end_o,            // record of an end
  output logic [1:0]  end_event_o,
  output logic [7:0]  end_warp_o,
  output logic        ready_o,          // a block could start
  output logic        start_o,
  output logic        scales_o,         // a buffer of scales is FULL
  output logic        chunk_o,
  output logic        chunk_valid_o [Quads],
  output logic [15:0] chunk_row_o [Quads],
  input  logic        grant_i,
  input  logic        rsp_i,
  input  logic [31:0] rsp_data_i [SmemBanks],
  output logic        commit_o,
  output logic [31:0] commit_at_o,
  input  logic        taken_i,
  input  logic        delivered_i,
  input  logic        misuse_i,
  // Sub-cores.
  output logic        tensor_ready_o [SubCores],
  output logic        load_ready_o [SubCores],
  output logic        cur_o [SubCores],
  output logic        next_o [SubCores],
  output logic        takes_o [SubCores],
  output logic        write_o [SubCores],        // a row of D
  output logic [1:0]  write_quarter_o [SubCores],
  output logic [15:0] write_row_o [SubCores],
  output logic [31:0] write_mask_o [SubCores],
  output logic [31:0] write_data_o [SubCores*Lanes],
  output logic        store_o [SubCores],
  output logic [1:0]  store_quarter_o [SubCores],
  output logic        result_o [SubCores],
  output logic [7:0]  result_rd_o [SubCores],
  output logic [4:0]  result_beat_o [SubCores],
  output logic [31:0] result_data_o [SubCores*Lanes],
  input  logic        result_grant_i [SubCores],
  // Contents of tensor memory, at the end.
  input  logic [1:0]  look_quarter_i,
  input  logic [15:0] look_row_i,
  input  logic [4:0]  look_lane_i,
  output logic [31:0] look_o,
  // A word of it that is written, at the same place.
  input  logic        poke_i,
  input  logic [31:0] poke_data_i
);
  x1_t                x1 [SubCores];
  issue_t             issue [SubCores];
  logic [31:0]        a [SubCores][Lanes], b [SubCores][Lanes], c [SubCores][Lanes];
  logic [Lanes-1:0]   ps [SubCores];
  logic [CtaBits-1:0] cta [Warps];
  columns_t           columns;
  logic [31:0]        lb [LaunchBlockWords];
  always_comb begin
    lb = '{default: '0};
    for (int unsigned w = 0; w < Warps; w++) cta[w] = CtaBits'(warp_cta_i[w]);
    for (int unsigned u = 0; u < Units; u++) begin
      columns.used[u] = columns_used_i[u];
      columns.cta[u] = CtaBits'(columns_cta_i[u]);
    end
    for (int unsigned k = 0; k < SubCores; k++) begin
      issue[k] = '0;
      issue[k].valid = issue_i[k];
      issue[k].warp = warp_t'(issue_warp_i[k]);
      issue[k].insn.info.unit = issue_load_i[k] ? UnitTmem : UnitTensor;
      issue[k].insn.info.op = issue_load_i[k] ? 8'(TmemLd) : 8'(TensorF16);
      issue[k].insn.info.a_words = issue_load_i[k] ? 3'd1 : 3'd4;
      issue[k].insn.info.b_words = 3'd2;
      issue[k].insn.info.c_words = 3'd4;
      issue[k].insn.word.rd = issue_rd_i[k];
      issue[k].insn.word.imm = issue_imm_i[k];
      x1[k] = '0;
      x1[k].valid = x1_i[k];
      x1[k].last = x1_last_i[k];
      x1[k].step = $bits(x1[0].step)'(x1_step_i[k]);
      x1[k].beat = BeatBits'(x1_beat_i[k]);
      x1[k].mask = Lanes'(x1_mask_i[k]);
      x1[k].warp = warp_t'(x1_warp_i[k]);
      x1[k].pc = x1_pc_i[k];
      x1[k].info.unit = (x1_unit_i[k] == 2'd0) ? UnitUmma : (x1_unit_i[k] == 2'd1) ? UnitTensor :
                                                                                     UnitTmem;
      x1[k].info.op = (x1_unit_i[k] == 2'd1) ? 8'(TensorF16) : x1_op_i[k];
      x1[k].info.a_words = x1_a_words_i[k];
      x1[k].info.b_words = x1_b_words_i[k];
      x1[k].info.c_words = x1_c_words_i[k];
      x1[k].word.imm = x1_imm_i[k];
      x1[k].word.mods.matrix.ta = x1_ta_i[k];
      x1[k].word.mods.matrix.b16 = x1_b16_i[k];
      ps[k] = Lanes'(x1_ps_i[k]);
      for (int unsigned l = 0; l < Lanes; l++) begin
        a[k][l] = x1_a_i[k*Lanes+l];
        b[k][l] = x1_b_i[k*Lanes+l];
        c[k][l] = x1_c_i[k*Lanes+l];
      end
    end
  end

  // ---- The unit.
  chunk_req_t          chunk;
  chunk_rsp_t          rsp;
  umma_signal_t        commit;
  umma_lanes_t         lanes;
  umma_step_t          step;
  umma_state_t         state [SubCores];
  logic [SubCores-1:0] could, takes, cur, next, piped, blocked;
  logic [Lanes-1:0][31:0] put [SubCores], gathered [SubCores];
  tensor_pkg::slice_words_t [DotRows-1:0] rows [SubCores];
  logic [Warps-1:0]    busy;
  trap_t               trap;
  always_comb begin
    for (int unsigned k = 0; k < SubCores; k++) begin
      {cur[k], next[k], piped[k], blocked[k]} = state[k];
    end
    rsp = '0;
    rsp.valid = rsp_i;
    rsp.requester = ChunkNumberBits'(ChunkUmma);
    for (int unsigned i = 0; i < SmemBanks; i++) rsp.data[i/4][32*(i%4)+:32] = rsp_data_i[i];
    for (int unsigned q = 0; q < Quads; q++) begin
      chunk_valid_o[q] = chunk.valid && chunk.quad[q].valid;
      chunk_row_o[q] = 16'(chunk.quad[q].row);
    end
  end
  umma u_umma (
    .clk_i, .rst_ni, .clear_i, .smem_units_i, .smem_bytes_i, .warp_cta_i(cta), .columns_i(columns),
    .x1_i(x1), .x1_a_i(a), .x1_b_i(b), .x1_c_i(c), .x1_ps_i(ps), .put_free_o, .resolve_o,
    .chunk_o(chunk), .chunk_grant_i(grant_i), .chunk_rsp_i(rsp), .signal_o(commit),
    .signal_taken_i(taken_i), .delivered_i, .misuse_i, .could_i(could), .cur_i(cur),
    .takes_i(takes), .next_i(next), .busy_i(piped), .blocked_i(blocked),
    .rows_i(gathered), .read_o(lanes.read), .put_o(lanes.put), .put_data_o(put), .on_o(lanes.on), .hold_o(lanes.hold),
    .move_o(lanes.move), .step_o(step), .a_o(rows), .b_o(lanes.b), .off_o(lanes.off), .scale_o(lanes.scale), .busy_o(busy),
    .block_end_o, .trap_o(trap), .rest_o
  );
  assign {trap_o, cause_o, trap_warp_o} = {trap.valid, trap.cause, 8'(trap.warp)};
  assign {trap_lane_o, trap_pc_o, trap_addr_o} = {trap.lane, trap.pc, trap.addr};
  assign busy_o = 64'(busy);
  assign begins_o = u_umma.begins;
  assign step_o = lanes.move;
  assign end_o = u_umma.record_end;
  assign end_event_o = u_umma.record_event;
  assign end_warp_o = 8'(u_umma.fin.warp);
  assign ready_o = u_umma.u_engine.ready;
  assign start_o = u_umma.u_engine.start;
  if (TensorScaled != 0) begin : gen_scales
    assign scales_o = u_umma.gen_scales.u_scales.s_full_q != '0;
  end else begin : gen_no_scales
    assign scales_o = 1'b0;
  end
  assign chunk_o = chunk.valid;
  assign commit_o = commit.valid;
  assign commit_at_o = commit.at;

  // ---- Sub-cores.
  logic [31:0] look [SubCores];
  assign look_o = look[(SubCores == 1) ? '0 : sub_t'(look_quarter_i)];
  for (genvar k = 0; k < int'(SubCores); k++) begin : gen_sub
    logic [CtaBits-1:0] sub_cta [SubWarps];
    logic [4:0]         index [SubWarps];
    vwb_t               result;
    logic [31:0]        data [Lanes];
    always_comb begin
      for (int unsigned w = 0; w < SubWarps; w++) begin
        sub_cta[w] = cta[w*SubCores+k];
        index[w] = 5'(w * SubCores + k);
      end
      for (int unsigned l = 0; l < Lanes; l++) begin
        result_data_o[k*Lanes+l] = data[l];
        write_data_o[k*Lanes+l] = u_optional.sums_data[l];
      end
    end
    logic [31:0]          unused_peek;
    chunk_req_t           unused_chunk [ChunkPorts];
    finish_t              unused_finish;
    logic [RestUnits-1:0] unused_rest;
    trap_t                unused_trap [2];
    logic                 unused_ready [2];
    poke_t poke;
    always_comb begin
      poke = '0;
      if (poke_i && (SubCores == 1 || sub_t'(look_quarter_i) == sub_t'(k))) begin
        poke.valid[3'(ArrayTmem)] = 1'b1;
        poke.slice = $bits(poke.slice)'(32'((SubCores == 1) ? look_quarter_i : 2'd0) * Lanes +
                                        32'(look_lane_i));
        poke.row = $bits(poke.row)'(look_row_i);
        poke.data = poke_data_i;
      end
    end
    optional_units u_optional (
      .clk_i, .rst_ni, .sub_i(sub_t'(k)), .stall_i('0), .clear_i, .lb_i(lb), .warp_cta_i(sub_cta),
      .warp_index_i(index), .issue_i(issue[k]), .x1_i(x1[k]), .x1_a_i(a[k]), .x1_b_i(b[k]),
      .x1_c_i(c[k]), .chunk_o(unused_chunk), .chunk_grant_i('0), .chunk_rsp_i('0),
      .probe_ready_o(unused_ready[0]), .probe_finish_o(unused_finish),
      .probe_trap_o(unused_trap[0]), .tensor_ready_o(tensor_ready_o[k]),
      .fp64_ready_o(unused_ready[1]), .columns_i(columns), .tmem_ready_o(load_ready_o[k]),
      .tmem_trap_o(unused_trap[1]), .umma_i(lanes), .umma_step_i(step), .umma_a_i(rows[k]),
      .umma_put_i(put[k]), .umma_rows_o(gathered[k]),
      .umma_o(state[k]), .umma_could_o(could[k]), .umma_takes_o(takes[k]), .poke_i(poke),
      .peek_i('0), .peek_tmem_o(unused_peek), .result_o(result), .result_data_o(data),
      .result_grant_i(result_grant_i[k]), .rest_o(unused_rest)
    );
    assign cur_o[k] = cur[k];
    assign next_o[k] = next[k];
    assign takes_o[k] = takes[k];
    assign write_o[k] = u_optional.sums.valid;
    assign write_quarter_o[k] = (SubCores == 1) ? 2'(u_optional.sums.quarter) : 2'(k);
    assign write_row_o[k] = 16'(u_optional.sums.row);
    assign write_mask_o[k] = 32'(u_optional.sums.mask);
    assign store_o[k] = u_optional.store.valid;
    assign store_quarter_o[k] = (SubCores == 1) ? 2'(u_optional.store.quarter) : 2'(k);
    assign result_o[k] = result.valid;
    assign result_rd_o[k] = result.rd;
    assign result_beat_o[k] = 5'(result.beat);
    logic [31:0] word [Quarters];
    assign look[k] = word[(Quarters == 1) ? '0 : quarter_t'(look_quarter_i)];
    for (genvar q = 0; q < int'(Quarters); q++) begin : gen_quarter
      initial begin
        for (int unsigned r = 0; r < TmemRows; r++) begin
          for (int unsigned l = 0; l < Lanes; l++) begin
            u_optional.gen_tmem.u_tmem.gen_quarter[q].u_ram.mem_q[r][l] =
                ((k + q) * TmemColumns + r / Beats) * 32 + r % Beats * Lanes + l;
          end
        end
      end
      assign word[q] = u_optional.gen_tmem.u_tmem.gen_quarter[q].u_ram.mem_q[tmem_row_t'(look_row_i)][($clog2(Lanes))'(look_lane_i)];
    end
  end
endmodule
