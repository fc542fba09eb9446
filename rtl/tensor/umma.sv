// Products in tensor memory (docs/microarchitecture.md 25, 26; option Umma): D = A * B + D, with B in
// shared memory and A there or in tensor memory, with block scales or without; copies, shifts, and
// commits. Here: the wires between the parts. The sub-cores' tensor units do the sums (tensor.sv), and
// their umma_port.sv reads and writes D. Does not decide who may issue: memissue.sv does, and it holds
// umma_way.
`include "cells/assert.svh"

module umma
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import tensor_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  // Of the launch: shared memory of a CTA. CTA slots of the warps; columns of the CTAs.
  input  logic [9:0]          smem_units_i,
  input  logic [31:0]         smem_bytes_i,
  input  logic [CtaBits-1:0]  warp_cta_i [Warps],
  input  columns_t            columns_i,
  // X1 of the sub-cores: at most one has a form of the unit.
  input  x1_t                 x1_i [SubCores],
  input  logic [31:0]         x1_a_i [SubCores][Lanes],
  input  logic [31:0]         x1_b_i [SubCores][Lanes],
  input  logic [31:0]         x1_c_i [SubCores][Lanes],
  input  logic [Lanes-1:0]    x1_ps_i [SubCores],
  // Issue.
  output logic                put_free_o,      // entry `put` is free
  output logic                resolve_o,       // T of an instruction: umma_way := 0
  // Chunk port of shared memory.
  output chunk_req_t          chunk_o,
  input  logic                chunk_grant_i,
  input  chunk_rsp_t          chunk_rsp_i,
  // Commit, offered to shared memory (11), and its delivery.
  output umma_signal_t        signal_o,
  input  logic                signal_taken_i,
  input  logic                delivered_i,
  input  logic                misuse_i,
  // Sub-cores.
  input  logic [SubCores-1:0] could_i,         // the pipe could move
  input  logic [SubCores-1:0] cur_i,           // the tensor unit works on a set
  input  logic [SubCores-1:0] takes_i,         // takes one in this cycle
  input  logic [SubCores-1:0] next_i,          // the next one is full
  input  logic [SubCores-1:0] busy_i,          // groups of a block in the pipe, or drain valid
  input  logic [SubCores-1:0] blocked_i,       // drain waits
  input  logic [Lanes-1:0][31:0] rows_i [SubCores],    // in the cycle after read_o
  output umma_read_t          read_o,          // rows of A in tensor memory
  output umma_put_t           put_o,           // a row that a copy or a shift writes
  output logic [Lanes-1:0][31:0] put_data_o [SubCores],
  output logic                on_o,
  output logic                hold_o,          // no set is taken
  output logic                move_o,          // with on: all pipes move
  output umma_step_t          step_o,
  output slice_words_t [DotRows-1:0] a_o [SubCores],   // in the cycle after a step
  output slice_words_t        b_o,
  output logic [3:0][31:0]    off_o,           // by quarter: lanes of D that are not written
  output umma_scale_t         scale_o,         // block scales
  // Ends, progress, traps, record REST.
  output logic [Warps-1:0]    busy_o,          // warps with an entry in use
  output logic                block_end_o,
  output trap_t               trap_o,
  output logic                rest_o
);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  // ---- Commands: words, judgement, entries.
  umma_command_t command;
  umma_info_t    info, walk, fin;
  umma_scaling_t scaling, fin_scaling;
  trap_t         fault;
  logic          oldest, take, walks, fetched, works, over, ends;
  logic          rest_queue, rest_fetch, rest_engine, rest_place, rest_scales;
  umma_words u_words (
    .clk_i, .rst_ni, .clear_i, .smem_units_i, .warp_cta_i, .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
    .x1_ps_i, .command_o(command)
  );
  umma_judge u_judge (
    .command_i(command), .smem_bytes_i, .columns_i, .take_o(take), .info_o(info), .scaling_o(scaling),
    .trap_o(fault)
  );
  umma_queue u_queue (
    .clk_i, .rst_ni(rst_n), .take_i(take), .info_i(info), .scaling_i(scaling), .put_free_o, .walks_o(walks),
    .walk_o(walk), .oldest_o(oldest), .fetched_i(fetched), .works_o(works), .fin_o(fin),
    .fin_scaling_o(fin_scaling), .over_i(over), .signal_o,
    .signal_taken_i, .delivered_i, .free_o(ends), .busy_o, .rest_o(rest_queue)
  );
  assign resolve_o = command.valid;
  assign off_o = fin.off;

  // ---- Operands and steps.
  logic [1:0] a_full, b_full;
  logic       a_free, a_buffer, b_free, b_buffer;
  umma_fill_t fill;
  // verilator lint_off UNUSEDSIGNAL // by chunk, or by half
  half_t      data;
  umma_piece_t piece;
  // verilator lint_on UNUSEDSIGNAL
  logic [4:0] row;
  logic [2:0] column;
  umma_slice_t slice;
  logic       moves, placed, begins_product, begins_move;
  pass_t      pass;
  logic [2:0] put_word;
  logic [BeatBits-1:0] put_beat;
  umma_take_t taken;
  umma_read_t read_a, read_scales;
  logic       room, scales_full, scales_next;
  // verilator lint_off UNUSEDSIGNAL // for the journal
  logic       begins;
  // verilator lint_on UNUSEDSIGNAL
  assign begins = begins_product || begins_move;
  umma_fetch u_fetch (
    .clk_i, .rst_ni(rst_n), .walks_i(walks), .info_i(walk), .oldest_i(oldest),
    .d_read_i(step_o.valid && step_o.begins && step_o.read), .room_o(room),
    .scales_i(read_scales.valid != '0), .read_o(read_a), .take_o(taken),
    .fetched_o(fetched), .chunk_o,
    .grant_i(chunk_grant_i), .rsp_i(chunk_rsp_i), .a_full_o(a_full), .b_full_o(b_full),
    .a_free_i(a_free), .a_buffer_i(a_buffer), .b_free_i(b_free), .b_buffer_i(b_buffer),
    .fill_o(fill), .data_o(data), .piece_o(piece), .rest_o(rest_fetch)
  );
  umma_engine u_engine (
    .clk_i, .rst_ni(rst_n), .works_i(works), .info_i(fin), .over_o(over), .a_full_i(a_full),
    .b_full_i(b_full), .a_free_o(a_free), .a_buffer_o(a_buffer), .b_free_o(b_free),
    .b_buffer_o(b_buffer), .scales_i(scales_full), .scales_next_i(scales_next), .could_i,
    .cur_i, .takes_i, .next_i, .busy_i, .on_o, .hold_o, .move_o, .step_o, .row_o(row), .column_o(column), .slice_o(slice), .moves_o(moves),
    .pass_o(pass), .placed_i(placed), .begins_o(begins_product), .block_end_o,
    .rest_o(rest_engine)
  );
  umma_copy u_copy (
    .clk_i, .rst_ni(rst_n), .moves_i(moves), .info_i(fin), .pass_i(pass),
    .blocked_i(blocked_i != '0), .put_o, .word_o(put_word), .beat_o(put_beat), .last_o(placed),
    .begins_o(begins_move), .rest_o(rest_place)
  );
  logic bytes;
  assign bytes = step_o.kind.kind inside {KindF8, KindInt8, KindMx4};
  if (ByChunk) begin : gen_one
    umma_operands_one u_operands (
      .clk_i, .fill_i(fill), .data_i(data[0]), .piece_i(piece), .take_i(taken), .rows_i(rows_i[0]),
      .read_i(step_o.valid), .a_buffer_i(a_buffer), .b_buffer_i(b_buffer), .row_i(row),
      .column_i(column), .small_i(bytes), .slice_i(slice), .a_o(a_o[0][0]), .b_o,
      .put_i(put_o.valid != '0), .shift_i(fin.code == CodeShift), .word_i(put_word),
      .beat_i(put_beat), .put_o(put_data_o[0])
    );
  end else begin : gen_several
    umma_operands u_operands (
      .clk_i, .fill_i(fill), .data_i(data), .take_i(taken), .rows_i, .read_i(step_o.valid),
      .a_buffer_i(a_buffer), .b_buffer_i(b_buffer), .row_i(row), .column_i(column), .small_i(bytes),
      .slice_i(slice), .a_o, .b_o, .put_i(put_o.valid), .shift_i(fin.code == CodeShift),
      .word_i(put_word), .beat_i(put_beat), .put_o(put_data_o)
    );
  end

  // ---- Block scales.
  assign read_o = (read_scales.valid != '0) ? read_scales : read_a;
  if (TensorScaled != 0) begin : gen_scales
    umma_scales u_scales (
      .clk_i, .rst_ni(rst_n), .works_i(works), .info_i(fin), .scaling_i(fin_scaling), .over_i(over),
      .room_i(room), .read_o(read_scales), .full_o(scales_full), .next_o(scales_next),
      .free_i(b_free), .step_i(step_o.valid), .column_i(column), .second_i(slice[0]), .scale_o,
      .rest_o(rest_scales)
    );
  end else begin : gen_no_scales
    // verilator lint_off UNUSEDSIGNAL // nobody reads scales
    logic unused;
    // verilator lint_on UNUSEDSIGNAL
    assign unused = room ^ ^fin_scaling;
    assign {read_scales, scale_o} = '0;
    assign {scales_full, scales_next, rest_scales} = '1;
  end

  // ---- Traps: two may rise in a cycle. The lowest {cause, warp, lane} counts; causes differ.
  trap_t misused;
  always_comb begin
    misused = 'x;
    misused.valid = delivered_i && misuse_i;
    if (misused.valid) begin
      misused.cause = TrapMbarrier;
      misused.warp = fin.warp;
      misused.lane = fin.lane;
      misused.pc = fin.pc;
      misused.addr = 64'(fin.mbar);
    end
    trap_o = fault;
    if (misused.valid && (!fault.valid || misused.cause < fault.cause)) trap_o = misused;
  end
  assign rest_o = rest_queue && rest_fetch && rest_engine && rest_place && rest_scales;

  // Record UMMA: first step of a product, first row of a copy or a shift; end of it, or of a commit.
  // verilator lint_off UNUSEDSIGNAL // for the journal
  logic       record_end;
  logic [1:0] record_event;
  // verilator lint_on UNUSEDSIGNAL
  assign record_end = ends;
  assign record_event = (fin.code == CodeCommit) ? 2'd2 : 2'd1;

  `WL_ASSERT(EndsOnce, !(over && delivered_i))
endmodule
