// Tensor unit of a sub-core (docs/microarchitecture.md 19): matrix products D = A * B + C of a
// warp. Sets hold the operands of instructions, the engine takes the sets in the order of issue,
// slice by slice; results: tensor_results. The arithmetic is in dot. Between sets the pipe is the one
// of blocks of products in tensor memory (25.5). Does not decide which lanes issue: the path unit
// gathers them.
`include "cells/assert.svh"

module tensor
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
  import umma_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // verilator lint_off UNUSEDSIGNAL // for the journal
  input  sub_t        sub_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic        clear_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  issue_t      issue_i,
  input  x1_t         x1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] x1_a_i [Lanes],
  // verilator lint_off UNUSEDSIGNAL // with one word a step
  input  logic [31:0] x1_b_i [Lanes],
  input  logic [31:0] x1_c_i [Lanes],
  // verilator lint_on UNUSEDSIGNAL
  output logic        ready_o,        // a set is free
  output logic        rest_o,         // nothing under way (15)
  // Blocks of products in tensor memory (25.5). A slice of one enters in this cycle, its operands are
  // here in the next.
  input  logic        umma_on_i,
  input  logic        umma_move_i,    // with on: all pipes move
  input  logic        umma_hold_i,    // no set is taken
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs; nothing without Umma
  input  umma_step_t  umma_i,
  input  slice_words_t [DotRows-1:0] umma_a_i,
  input  slice_words_t umma_b_i,
  input  logic [DotRows-1:0][31:0]   umma_c_i,
  input  scales_t [DotRows-1:0]      umma_scales_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic        umma_stage_o,   // stage 1 has a slice of a block
  output logic        umma_busy_o,    // groups of blocks are in the pipe
  input  logic        blocked_i,      // a row of D waits: the pipe cannot move
  output logic        could_o,        // it could
  output logic        cur_o,          // works on a set
  output logic        takes_o,        // takes one in this cycle
  output logic        next_o,         // the next one is full
  output logic        row_valid_o,    // a row of D is complete
  output umma_row_t   row_o,
  output logic [31:0] row_data_o [Lanes],
  // Result queue (6.5).
  output vwb_t        result_o,
  output logic [Lanes-1:0][31:0] result_data_o,
  input  logic        result_taken_i
);
  localparam set_t LastSet = set_t'(TensorSets - 1);
  function automatic set_t next_set(input set_t s);
    return (s == LastSet) ? '0 : s + set_t'(1);
  endfunction

  // ---- Sets: a ring. Issue takes one, X1 fills them in the same order, the engine frees them.
  logic [TensorSets-1:0] used_q, full_q;
  set_info_t             info_q [TensorSets];
  set_t                  alloc_q, fill_q;
  logic                  start, fill;
  set_info_t             issued;
  assign start = issue_i.valid && !issue_i.empty && !issue_i.ctl &&
                 issue_i.insn.info.unit == UnitTensor;
  assign fill = x1_i.valid && x1_i.info.unit == UnitTensor && !x1_i.arrival;
  assign ready_o = !used_q[alloc_q];
  always_comb begin
    tensor_op_e op;
    op = tensor_op_e'(issue_i.insn.info.op);
    issued.warp = issue_i.warp;
    issued.pc = issue_i.insn.pc;
    issued.rd = issue_i.insn.word.rd;
    issued.kind.kind = kind_of(op);
    issued.kind.half = op == TensorF16h;
    issued.kind.unsigned_a = issue_i.insn.word.mods.matrix.ua;
    issued.kind.unsigned_b = issue_i.insn.word.mods.matrix.ub;
    issued.kind.sat = issue_i.insn.word.mods.matrix.sat;
    issued.kind.differ = issue_i.insn.word.mods.matrix.bx;
    issued.tall = issue_i.insn.info.a_words != 3'd1;
    issued.long_k = issue_i.insn.info.a_words == 3'd4;
    issued.sparse = TensorSparse != 0 && issue_i.insn.info.x_words != 3'd0;
    issued.sel = (TensorSparse != 0) ? issue_i.insn.word.mods.matrix.sel : '0;
    issued.a_words = issue_i.insn.info.a_words;
    issued.b_words = issue_i.insn.info.b_words;
  end

  // ---- Engine.
  logic      cur_valid_q, move, work, last_slice, last_group, ends;
  // verilator lint_off UNUSEDSIGNAL // for the journal
  logic      begins;    // the first slice of an instruction
  // verilator lint_on UNUSEDSIGNAL
  set_t      set_q, after;
  group_t    group_q;
  slice_t    slice_q;
  // verilator lint_off UNUSEDSIGNAL // pc: for the journal
  set_info_t info;
  // verilator lint_on UNUSEDSIGNAL
  assign info = info_q[set_q];
  assign after = next_set(set_q);
  assign work = cur_valid_q && move;
  assign ends = work && last_slice && last_group;
  // The next set comes to cur, from none or without a gap.
  assign next_o = full_q[set_q];
  assign takes_o = move && !umma_hold_i &&
                   (cur_valid_q ? ends && full_q[after] && TensorSets > 1 : next_o);
  assign cur_o = cur_valid_q;
  assign begins = work && slice_q == '0 && group_q == '0;
  always_comb begin
    int unsigned bytes, slices;   // of a row of A; of an element
    {last_slice, last_group} = 'x;
    {bytes, slices} = 'x;
    if (cur_valid_q) begin
      bytes = info.long_k ? 32 : 16;
      slices = is_float(info.kind.kind) ? bytes / (2 * DotTerms) : bytes / DotTerms;
      last_slice = slices <= 1 || 32'(slice_q) == slices - 1;
      last_group = 32'(group_q) == (info.tall ? Groups : Groups / 2) - 1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      used_q <= '0;
      full_q <= '0;
      alloc_q <= '0;
      fill_q <= '0;
      cur_valid_q <= 1'b0;
      set_q <= '0;
    end else begin
      if (start) begin
        used_q[alloc_q] <= 1'b1;
        alloc_q <= next_set(alloc_q);
      end
      if (fill && x1_i.last) begin
        full_q[fill_q] <= 1'b1;
        fill_q <= next_set(fill_q);
      end
      if (takes_o) cur_valid_q <= 1'b1;
      if (ends) begin
        used_q[set_q] <= 1'b0;
        full_q[set_q] <= 1'b0;
        set_q <= after;
        cur_valid_q <= takes_o;
      end
    end
    if (start) info_q[alloc_q] <= issued;
    if (work) begin
      slice_q <= last_slice ? '0 : slice_q + slice_t'(1);
      if (last_slice) group_q <= group_q + group_t'(1);
    end
    if (!cur_valid_q || ends) begin
      slice_q <= '0;
      group_q <= '0;
    end
  end

  // ---- Operands and sums.
  slice_words_t [DotRows-1:0] a, b, set_a, set_b;
  logic [DotRows-1:0][31:0]   c, set_c;
  logic       umma1_q;    // the slice of stage 1 is of a block
  logic [31:0] d [DotRows];
  // verilator lint_off UNUSEDSIGNAL // all rows go together
  logic [DotRows-1:0] done;
  // verilator lint_on UNUSEDSIGNAL
  slice_ctl_t slice1_q;
  logic       part1_q;    // with NarrowHalves: high bytes
  logic [3:0] scale1_q;   // of the addend
  small_t     small1_a_q, small1_b_q;
  tensor_store u_store (
    .clk_i, .rst_ni, .fill_i(fill), .fill_set_i(fill_q), .fill_info_i(info_q[fill_q]),
    .fill_step_i(4'(x1_i.step)), .fill_last_i(x1_i.last), .fill_beat_i(x1_i.beat),
    .fill_a_i(x1_a_i), .fill_b_i(x1_b_i), .fill_c_i(x1_c_i), .read_i(work), .set_i(set_q), .info_i(info), .group_i(group_q),
    .slice_i(slice_q), .a_o(set_a), .b_o(set_b), .c_o(set_c)
  );
  assign umma_stage_o = Umma != 0 && slice1_q.valid && umma1_q;
  if (Umma != 0) begin : gen_operands
    always_comb begin
      a = 'x;
      b = 'x;
      c = 'x;
      if (slice1_q.valid) begin
        a = umma1_q ? umma_a_i : set_a;
        b = umma1_q ? {DotRows{umma_b_i}} : set_b;
        c = umma1_q ? umma_c_i : set_c;
      end
    end
  end else begin : gen_set_operands
    assign a = set_a;
    assign b = set_b;
    assign c = set_c;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) slice1_q.valid <= 1'b0;
    else if (move) slice1_q.valid <= cur_valid_q || umma_i.valid;
    if (move && Umma != 0) umma1_q <= umma_i.valid;
    if (Umma != 0 && umma_i.valid) begin
      slice1_q.first <= umma_i.first;
      slice1_q.last <= umma_i.last;
      slice1_q.adds <= umma_i.adds;
      slice1_q.kind <= umma_i.kind;
      {small1_a_q, small1_b_q} <= {umma_i.small_a, umma_i.small_b};
      part1_q <= umma_i.part;
      scale1_q <= umma_i.scale;
    end
    if (work) begin
      slice1_q.first <= slice_q == '0;
      slice1_q.last <= last_slice;
      slice1_q.adds <= slice_q == '0;
      part1_q <= slice_q[0];
      slice1_q.kind <= info.kind;
      scale1_q <= '0;
    end
  end
  logic       steps;      // slices in the pipe, if there are some, move
  logic [3:0] inside_q;   // whether there are: their number
  assign steps = move && inside_q != '0;
  for (genvar i = 0; i < int'(DotRows); i++) begin : gen_row
    dot u_dot (
      .clk_i, .rst_ni(rst_ni && !clear_i), .move_i(steps), .ctl_i(slice1_q), .part_i(part1_q),
      .small_a_i(small1_a_q), .small_b_i(small1_b_q), .scale_i(scale1_q), .scales_i(umma_scales_i[i]), .a_i(a[i]), .b_i(b[i]), .c_i(c[i]), .valid_o(done[i]), .d_o(d[i])
    );
  end

  // ---- Results.
  logic out_full, out_empty;
  tensor_results u_results (
    .clk_i, .rst_ni(rst_ni && !clear_i), .move_i(move), .work_i(cur_valid_q), .info_i(info),
    .umma_i, .group_i(group_q), .done_i(done[0]), .d_i(d), .full_o(out_full), .empty_o(out_empty),
    .result_o, .result_data_o, .result_taken_i, .row_valid_o, .row_o, .row_data_o
  );
  assign could_o = !out_full && !blocked_i;
  assign move = umma_on_i ? umma_move_i : could_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) inside_q <= '0;
    else if (move) begin
      inside_q <= (cur_valid_q || umma_i.valid) ? 4'(DotLatency) : inside_q - 4'(inside_q != '0);
    end
  end
  assign rest_o = used_q == '0 && !cur_valid_q && inside_q == '0 && out_empty;
  if (Umma != 0) begin : gen_umma
    logic [3:0] umma_inside_q;   // the same of a block's
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) umma_inside_q <= '0;
      else if (move) begin
        umma_inside_q <= umma_i.valid ? 4'(DotLatency) : umma_inside_q - 4'(umma_inside_q != '0);
      end
    end
    assign umma_busy_o = umma_inside_q != '0;
  end else begin : gen_no_umma
    assign umma_busy_o = 1'b0;
  end

  `WL_ASSERT(TakesFreeSet, !start || !used_q[alloc_q])
  `WL_ASSERT(SparseHasOption, !start || TensorSparse != 0 || issue_i.insn.info.x_words == 3'd0)
  `WL_ASSERT(FillsTaken, !fill || (used_q[fill_q] && !full_q[fill_q]))
  `WL_ASSERT(WorksOnFull, !cur_valid_q || full_q[set_q])
  `WL_ASSERT(ReadNotFilled, !(fill && work) || fill_q != set_q)
  `WL_ASSERT(RowsTogether, done == '0 || (&done && inside_q != '0))
  `WL_ASSERT(BlockAlone, !umma_on_i || !cur_valid_q)
  `WL_ASSERT(StepsMove, !umma_i.valid || (umma_on_i && move))
endmodule
