// Tensor unit of a sub-core (docs/microarchitecture.md 19): matrix products D = A * B + C of a
// warp. Sets hold the operands of instructions, the engine takes the sets in the order of issue,
// slice by slice, and results go to the result queue, word by word. The arithmetic is in dot. Does
// not decide which lanes issue: the path unit gathers them.
`include "cells/assert.svh"

module tensor
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
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
  // Result queue (6.5).
  output vwb_t        result_o,
  output logic [31:0] result_data_o [Lanes],
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
  logic [31:0]           fill_word [TensorWords][Lanes];
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
    for (int unsigned j = 0; j < TensorWords; j++) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        fill_word[j][l] = (j == 0) ? x1_a_i[l] : (j == 1) ? x1_b_i[l] : x1_c_i[l];
      end
    end
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
      if (move && !cur_valid_q) cur_valid_q <= full_q[set_q];
      if (ends) begin
        used_q[set_q] <= 1'b0;
        full_q[set_q] <= 1'b0;
        set_q <= after;
        cur_valid_q <= full_q[after] && TensorSets > 1;
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
  slice_words_t [DotRows-1:0] a, b;
  logic [DotRows-1:0][31:0]   c;
  logic [31:0] d [DotRows];
  // verilator lint_off UNUSEDSIGNAL // all rows go together
  logic [DotRows-1:0] done;
  // verilator lint_on UNUSEDSIGNAL
  slice_ctl_t slice1_q;
  logic       part1_q;    // with NarrowHalves: high bytes
  tensor_store u_store (
    .clk_i, .rst_ni, .fill_i(fill), .fill_set_i(fill_q), .fill_info_i(info_q[fill_q]),
    .fill_step_i(4'(x1_i.step)), .fill_last_i(x1_i.last), .fill_beat_i(x1_i.beat),
    .fill_word_i(fill_word), .read_i(work), .set_i(set_q), .info_i(info), .group_i(group_q),
    .slice_i(slice_q), .a_o(a), .b_o(b), .c_o(c)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) slice1_q.valid <= 1'b0;
    else if (move) slice1_q.valid <= cur_valid_q;
    if (work) begin
      slice1_q.first <= slice_q == '0;
      slice1_q.last <= last_slice;
      part1_q <= slice_q[0];
      slice1_q.kind <= info.kind;
    end
  end
  for (genvar i = 0; i < int'(DotRows); i++) begin : gen_row
    dot u_dot (
      .clk_i, .rst_ni(rst_ni && !clear_i), .move_i(move), .ctl_i(slice1_q), .part_i(part1_q),
      .a_i(a[i]), .b_i(b[i]), .c_i(c[i]), .valid_o(done[i]), .d_o(d[i])
    );
  end

  // ---- Where the results of the slices in the pipe go.
  typedef struct packed {
    warp_t      warp;
    logic [7:0] rd;         // of the word
    logic       has_reg;
    logic       half;
    logic [5:0] first;      // first element in the word: lane, or lane and half
    logic       last_word;
  } place_t;
  place_t place, place_q [DotLatency];
  always_comb begin
    logic [6:0] number;     // of the group's first element
    logic [1:0] word;
    place = 'x;
    {number, word} = 'x;
    if (cur_valid_q) begin
      number = 7'(32'(group_q) * DotRows);
      word = info.kind.half ? {1'b0, number[6]} : number[6:5];
      place.warp = info.warp;
      place.rd = info.rd + 8'(word);
      place.has_reg = info.rd != 8'd255 && 9'(info.rd) + 9'(word) < 9'd255;
      place.half = info.kind.half;
      place.first = info.kind.half ? number[5:0] : {1'b0, number[4:0]};
      place.last_word = word == ((info.kind.half || !info.tall) ? 2'd1 : 2'd3);
    end
  end
  always_ff @(posedge clk_i) begin
    if (move) begin
      place_q[0] <= place;
      for (int unsigned i = 1; i < DotLatency; i++) place_q[i] <= place_q[i-1];
    end
  end

  // ---- The word of a beat, and the queue of two.
  typedef struct packed {
    warp_t               warp;
    logic [7:0]          rd;
    logic                has_reg;
    logic [BeatBits-1:0] beat;
    logic                last_word;
  } entry_t;
  place_t      to;
  logic        arrive, complete;
  logic [31:0] word_q [Lanes];
  entry_t      arriving, entry_q [2];
  logic [31:0] data_q [2][Lanes];
  logic [1:0]  out_count_q;
  assign to = place_q[DotLatency-1];
  assign move = !out_count_q[1];
  assign arrive = done[0] && move;
  always_comb begin
    logic [6:0] after_last;
    logic [4:0] lane0;
    {arriving, after_last, lane0} = 'x;
    complete = 1'b0;
    if (arrive) begin
      lane0 = to.half ? to.first[5:1] : to.first[4:0];
      after_last = 7'(to.first) + 7'(DotRows);
      complete = 32'(after_last) % (to.half ? 2 * Lanes : Lanes) == 0;
      arriving = '{warp: to.warp, rd: to.rd, has_reg: to.has_reg,
                   beat: BeatBits'(32'(lane0) / Lanes), last_word: to.last_word};
    end
  end
  always_ff @(posedge clk_i) begin
    logic [1:0] count;
    if (arrive) begin
      logic [31:0] now [Lanes];
      now = word_q;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (!to.half) begin
          if (32'(to.first) % Lanes / DotRows == l / DotRows) now[l] = d[l % DotRows];
        end else begin
          if (32'(to.first) % (2 * Lanes) / DotRows == 2 * l / DotRows) begin
            now[l][15:0] = d[2 * l % DotRows][15:0];
          end
          if (32'(to.first) % (2 * Lanes) / DotRows == (2 * l + 1) / DotRows) begin
            now[l][31:16] = d[(2 * l + 1) % DotRows][15:0];
          end
        end
      end
      word_q <= now;
    end
    if (result_taken_i) begin
      entry_q[0] <= entry_q[1];
      data_q[0] <= data_q[1];
    end
    count = out_count_q - 2'(result_taken_i);
    if (complete) begin
      logic [31:0] whole [Lanes];  // with the group that completes it
      whole = word_q;
      for (int unsigned i = 0; i < DotRows; i++) begin
        if (!to.half) whole[Lanes-DotRows+i] = d[i];
        else if ((2*Lanes-DotRows+i) % 2 == 1) whole[(2*Lanes-DotRows+i)/2][31:16] = d[i][15:0];
        else whole[(2*Lanes-DotRows+i)/2][15:0] = d[i][15:0];
      end
      entry_q[count[0]] <= arriving;
      data_q[count[0]] <= whole;
    end
    if (!rst_ni || clear_i) out_count_q <= '0;
    else out_count_q <= count + 2'(complete);
  end
  always_comb begin
    result_o = '0;
    result_o.valid = out_count_q != '0;
    result_o.warp = entry_q[0].warp;
    result_o.rd = entry_q[0].rd;
    result_o.has_reg = entry_q[0].has_reg;
    result_o.beat = entry_q[0].beat;
    result_o.mask = '1;
    result_o.last_beat = 32'(entry_q[0].beat) == Beats - 1;
    result_o.last = result_o.last_beat && entry_q[0].last_word;
  end
  assign result_data_o = data_q[0];
  // Whether slices are in the pipe: their number.
  logic [3:0] inside_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) inside_q <= '0;
    else if (move) inside_q <= cur_valid_q ? 4'(DotLatency) : inside_q - 4'(inside_q != '0);
  end
  assign rest_o = used_q == '0 && !cur_valid_q && inside_q == '0 && out_count_q == '0;

  `WL_ASSERT(TakesFreeSet, !start || !used_q[alloc_q])
  `WL_ASSERT(SparseHasOption, !start || TensorSparse != 0 || issue_i.insn.info.x_words == 3'd0)
  `WL_ASSERT(FillsTaken, !fill || (used_q[fill_q] && !full_q[fill_q]))
  `WL_ASSERT(WorksOnFull, !cur_valid_q || full_q[set_q])
  `WL_ASSERT(ReadNotFilled, !(fill && work) || fill_q != set_q)
  `WL_ASSERT(RowsTogether, done == '0 || (&done && inside_q != '0))
  `WL_ASSERT(QueueHasRoom, !complete || !out_count_q[1])
  `WL_ASSERT(TakenPresented, !result_taken_i || out_count_q != '0)
endmodule
