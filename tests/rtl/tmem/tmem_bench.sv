// Tensor memory (docs/microarchitecture.md 24) for tmem_tb.cpp: the allocator and the part of every
// sub-core, with their structs as single ports. At time 0 a word of the memory is its number.
module tmem_bench
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  // Dispatcher, by slot.
  input  logic [7:0]  warp_cta_i [Warps],
  input  logic [4:0]  warp_index_i [Warps],
  input  logic        freed_i,
  input  logic [7:0]  freed_cta_i,
  // Issue of a load, or of another form, or without lanes or as an arrival.
  input  logic        issue_i [SubCores],
  input  logic        issue_empty_i [SubCores],
  input  logic        issue_ctl_i [SubCores],
  input  logic [7:0]  issue_op_i [SubCores],
  input  logic [7:0]  issue_warp_i [SubCores],   // in the sub-core
  input  logic [7:0]  issue_rd_i [SubCores],
  input  logic [31:0] issue_imm_i [SubCores],
  // X1.
  input  logic        x1_i [SubCores],
  input  logic        x1_tmem_i [SubCores],      // else of another unit
  input  logic [7:0]  x1_op_i [SubCores],
  input  logic [4:0]  x1_step_i [SubCores],
  input  logic [4:0]  x1_beat_i [SubCores],
  input  logic [31:0] x1_mask_i [SubCores],
  input  logic        x1_last_i [SubCores],
  input  logic [7:0]  x1_warp_i [SubCores],
  input  logic [27:0] x1_pc_i [SubCores],
  input  logic        x1_half_i [SubCores],
  input  logic [31:0] x1_imm_i [SubCores],
  input  logic [2:0]  x1_words_i [SubCores],     // code of the words of b
  input  logic [31:0] x1_a_i [SubCores*Lanes],
  // Allocator.
  output logic        resolve_o,
  output logic        waits_o,
  output logic [63:0] wake_o,
  output logic [7:0]  base_o [Warps],
  output logic        columns_trap_o,
  output logic [4:0]  columns_cause_o,
  output logic [7:0]  columns_warp_o,
  output logic [4:0]  columns_lane_o,
  output logic [27:0] columns_pc_o,
  output logic [63:0] columns_addr_o,
  output logic        columns_rest_o,
  output logic        done_o,                    // record COLUMNS
  output logic [1:0]  done_op_o,
  output logic [31:0] done_units_o,
  output logic        left_o,
  output logic [31:0] left_units_o,
  // Loads and stores.
  output logic        ready_o [SubCores],
  output logic        rest_o [SubCores],
  output logic        trap_o [SubCores],
  output logic [4:0]  cause_o [SubCores],
  output logic [7:0]  trap_warp_o [SubCores],
  output logic [4:0]  trap_lane_o [SubCores],
  output logic [27:0] trap_pc_o [SubCores],
  output logic [63:0] trap_addr_o [SubCores],
  output logic        write_o [SubCores],        // record TMEM
  output logic [1:0]  write_quarter_o [SubCores],
  output logic [15:0] write_row_o [SubCores],
  output logic [31:0] write_mask_o [SubCores],
  output logic [31:0] write_data_o [SubCores*Lanes],
  output logic        result_o [SubCores],
  output logic [7:0]  result_warp_o [SubCores],
  output logic        result_has_reg_o [SubCores],
  output logic [7:0]  result_rd_o [SubCores],
  output logic [4:0]  result_beat_o [SubCores],
  output logic [31:0] result_mask_o [SubCores],
  output logic        result_last_beat_o [SubCores],
  output logic        result_last_o [SubCores],
  output logic [31:0] result_data_o [SubCores*Lanes],
  input  logic        result_taken_i [SubCores]
);
  x1_t                x1 [SubCores];
  issue_t             issue [SubCores];
  logic [31:0]        a [SubCores][Lanes];
  logic [CtaBits-1:0] cta [Warps];
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) cta[w] = CtaBits'(warp_cta_i[w]);
    for (int unsigned k = 0; k < SubCores; k++) begin
      issue[k] = '0;
      issue[k].valid = issue_i[k];
      issue[k].empty = issue_empty_i[k];
      issue[k].ctl = issue_ctl_i[k];
      issue[k].warp = warp_t'(issue_warp_i[k]);
      issue[k].insn.info.unit = UnitTmem;
      issue[k].insn.info.op = issue_op_i[k];
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
      x1[k].info.unit = x1_tmem_i[k] ? UnitTmem : UnitAlu;
      x1[k].info.op = x1_op_i[k];
      x1[k].info.b_words = x1_words_i[k];
      x1[k].word.imm = x1_imm_i[k];
      x1[k].word.mods.memory.half = x1_half_i[k];
      for (int unsigned l = 0; l < Lanes; l++) a[k][l] = x1_a_i[k*Lanes+l];
    end
  end

  columns_t         columns;
  trap_t            columns_trap;
  unit_t            base [Warps];
  logic [Warps-1:0] wake;
  columns u_columns (
    .clk_i, .rst_ni, .clear_i, .warp_cta_i(cta), .x1_i(x1), .x1_a_i(a),
    .freed_i('{valid: freed_i, cta: CtaBits'(freed_cta_i)}),
    .resolve_o, .waits_o, .wake_o(wake), .base_o(base), .columns_o(columns),
    .trap_o(columns_trap), .rest_o(columns_rest_o)
  );
  assign wake_o = 64'(wake);
  always_comb for (int unsigned w = 0; w < Warps; w++) base_o[w] = 8'(base[w]);
  assign columns_trap_o = columns_trap.valid;
  assign columns_cause_o = columns_trap.cause;
  assign columns_warp_o = 8'(columns_trap.warp);
  assign columns_lane_o = columns_trap.lane;
  assign columns_pc_o = columns_trap.pc;
  assign columns_addr_o = columns_trap.addr;
  assign done_o = u_columns.record_done;
  assign done_op_o = u_columns.record_op;
  assign done_units_o = 32'(u_columns.record_units);
  assign left_o = u_columns.record_left;
  assign left_units_o = 32'(u_columns.left);

  for (genvar k = 0; k < int'(SubCores); k++) begin : gen_sub
    logic [CtaBits-1:0] sub_cta [SubWarps];
    logic [4:0]         index [SubWarps];
    trap_t              trap;
    vwb_t               result;
    logic [Lanes-1:0][31:0] data;
    always_comb begin
      for (int unsigned w = 0; w < SubWarps; w++) begin
        sub_cta[w] = cta[w*SubCores+k];
        index[w] = warp_index_i[w*SubCores+k];
      end
      for (int unsigned l = 0; l < Lanes; l++) begin
        result_data_o[k*Lanes+l] = data[l];
        write_data_o[k*Lanes+l] = u_tmem.write_data[l];
      end
    end
    // The board's bench looks at the first, that of products at the others.
    logic [31:0]            unused_peek, no_data [Lanes];
    logic [Lanes-1:0][31:0] unused_data [Quarters];
    tmem_write_t            unused_store;
    assign no_data = '{default: '0};
    tmem u_tmem (
      .clk_i, .rst_ni, .sub_i(sub_t'(k)), .clear_i, .issue_i(issue[k]), .x1_i(x1[k]),
      .x1_a_i(a[k]), .warp_cta_i(sub_cta), .warp_index_i(index), .columns_i(columns),
      .poke_i('0), .peek_i('0), .peek_data_o(unused_peek), .umma_read_i(1'b0), .umma_quarter_i('0),
      .umma_row_i('0), .umma_data_o(unused_data), .store_o(unused_store), .umma_write_i('0),
      .umma_write_data_i(no_data),
      .ready_o(ready_o[k]), .rest_o(rest_o[k]), .trap_o(trap), .result_o(result),
      .result_data_o(data), .result_taken_i(result_taken_i[k])
    );
    assign trap_o[k] = trap.valid;
    assign cause_o[k] = trap.cause;
    assign trap_warp_o[k] = 8'(trap.warp);
    assign trap_lane_o[k] = trap.lane;
    assign trap_pc_o[k] = trap.pc;
    assign trap_addr_o[k] = trap.addr;
    assign write_o[k] = u_tmem.write.valid;
    assign write_quarter_o[k] = u_tmem.record_quarter;
    assign write_row_o[k] = 16'(u_tmem.write.row);
    assign write_mask_o[k] = 32'(u_tmem.write.mask);
    assign result_o[k] = result.valid;
    assign result_warp_o[k] = 8'(result.warp);
    assign result_has_reg_o[k] = result.has_reg;
    assign result_rd_o[k] = result.rd;
    assign result_beat_o[k] = 5'(result.beat);
    assign result_mask_o[k] = 32'(result.mask);
    assign result_last_beat_o[k] = result.last_beat;
    assign result_last_o[k] = result.last;
    for (genvar q = 0; q < int'(Quarters); q++) begin : gen_quarter
      initial begin
        // A write that the first edge of the reset would find by chance would spoil them.
        u_tmem.u_store.write_q.valid = 1'b0;
        for (int unsigned r = 0; r < TmemRows; r++) begin
          for (int unsigned l = 0; l < Lanes; l++) begin
            u_tmem.gen_quarter[q].u_ram.mem_q[r][l] = ((k + q) * TmemColumns + r / Beats) * 32 +
                                                      r % Beats * Lanes + l;
          end
        end
      end
    end
  end
endmodule
