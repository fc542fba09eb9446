// Tensor memory: loads (docs/microarchitecture.md 24.2). Issue takes the entries of a ring in order,
// the judgement completes them in the same order, and the oldest one reads its rows, one a cycle,
// words ascending and of each its beats. A row is a cycle in the stage, then it waits among two for
// the result queue.
`include "cells/assert.svh"

module tmem_load
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,          // without clear
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  issue_t      issue_i,
  input  tmem_place_t place_i,         // of the address that came in the cycle before
  // verilator lint_on UNUSEDSIGNAL
  output logic        ready_o,         // an entry is free
  output logic        rest_o,
  // Memory: the row that is read comes in the next cycle and stays.
  output logic        read_o,
  output quarter_t    quarter_o,
  output tmem_row_t   row_o,
  input  logic [Lanes-1:0][31:0] data_i [Quarters],
  // Result queue (6.5).
  output vwb_t        result_o,
  output logic [31:0] result_data_o [Lanes],
  input  logic        result_taken_i
);
  localparam int unsigned LoadBits = (TmemLoads > 1) ? $clog2(TmemLoads) : 1;
  typedef logic [LoadBits-1:0] load_t;
  function automatic load_t next_load(input load_t i);
    return (32'(i) == TmemLoads - 1) ? '0 : i + load_t'(1);
  endfunction
  typedef struct packed {
    warp_t      warp;
    logic [7:0] rd;
    logic [6:0] last;       // words, less one
  } issued_t;
  typedef struct packed {
    quarter_t   quarter;
    column_t    column;
    logic       zero;       // it has a fault
  } judged_t;
  typedef struct packed {   // of the word in the stage
    logic                zero;
    quarter_t            quarter;
    warp_t               warp;
    logic [7:0]          rd;
    logic                has_reg;
    logic [BeatBits-1:0] beat;
    logic                last_word;
  } entry_t;

  // ---- Entries.
  logic [TmemLoads-1:0] used_q, full_q;
  issued_t              issued_q [TmemLoads];
  judged_t              judged_q [TmemLoads];
  load_t                alloc_q, judge_q, read_q;
  logic                 start, judge;
  assign start = issue_i.valid && !issue_i.empty && !issue_i.ctl && is_load(issue_i.insn.info);
  assign judge = place_i.valid && place_i.load;
  assign ready_o = !used_q[alloc_q];

  // ---- The oldest entry reads its rows.
  logic                move, read, last_beat, last_word, ends;
  logic [6:0]          word_q;
  logic [BeatBits-1:0] beat_q;
  logic [1:0]          count_q;     // words in `out`
  logic                stage_valid_q;
  entry_t              stage_q;
  issued_t             info;
  judged_t             place;
  logic [8:0]          rd;
  assign info = issued_q[read_q];
  assign place = judged_q[read_q];
  assign move = !count_q[1];
  assign read = move && full_q[read_q];
  assign last_beat = 32'(beat_q) == Beats - 1;
  assign last_word = word_q == info.last;
  assign ends = read && last_beat && last_word;
  assign read_o = read;
  assign quarter_o = place.quarter;
  assign row_o = tmem_row_t'(column_t'(place.column + column_t'(word_q))) * tmem_row_t'(Beats) +
                 tmem_row_t'(beat_q);
  assign rd = 9'(info.rd) + 9'(word_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= '0;
      full_q <= '0;
      alloc_q <= '0;
      judge_q <= '0;
      read_q <= '0;
      word_q <= '0;
      beat_q <= '0;
      stage_valid_q <= 1'b0;
    end else begin
      if (start) begin
        used_q[alloc_q] <= 1'b1;
        alloc_q <= next_load(alloc_q);
      end
      if (judge) begin
        full_q[judge_q] <= 1'b1;
        judge_q <= next_load(judge_q);
      end
      if (move) stage_valid_q <= read;
      if (read) begin
        beat_q <= last_beat ? '0 : beat_q + BeatBits'(1);
        if (last_beat) word_q <= last_word ? '0 : word_q + 7'd1;
      end
      if (ends) begin
        used_q[read_q] <= 1'b0;
        full_q[read_q] <= 1'b0;
        read_q <= next_load(read_q);
      end
    end
    if (start) begin
      issued_q[alloc_q] <= '{warp: issue_i.warp, rd: issue_i.insn.word.rd,
                             last: issue_i.insn.word.imm[6:0]};
    end
    if (judge) begin
      judged_q[judge_q] <= '{quarter: place_i.quarter, column: place_i.column, zero: !place_i.ok};
    end
    if (read) begin
      stage_q <= '{zero: place.zero, quarter: place.quarter, warp: info.warp, rd: rd[7:0],
                   has_reg: info.rd != 8'd255 && rd < 9'd255, beat: beat_q,
                   last_word: last_word};
    end
  end

  // ---- Words for the result queue, the older one in place 0.
  logic        arrive;
  entry_t      out_q [2];
  logic [31:0] out_data_q [2][Lanes];
  assign arrive = move && stage_valid_q;
  always_ff @(posedge clk_i) begin
    logic [1:0] count;
    count = count_q - 2'(result_taken_i);
    if (result_taken_i) begin
      out_q[0] <= out_q[1];
      out_data_q[0] <= out_data_q[1];
    end
    if (arrive) begin
      logic [31:0] data [Lanes];
      for (int unsigned l = 0; l < Lanes; l++) begin
        data[l] = data_i[stage_q.quarter][l] & {32{!stage_q.zero}};
      end
      out_q[count[0]] <= stage_q;
      out_data_q[count[0]] <= data;
    end
    if (!rst_ni) count_q <= '0;
    else count_q <= count + 2'(arrive);
  end
  always_comb begin
    result_o = '0;
    result_o.valid = count_q != '0;
    result_o.warp = out_q[0].warp;
    result_o.rd = out_q[0].rd;
    result_o.has_reg = out_q[0].has_reg;
    result_o.beat = out_q[0].beat;
    result_o.mask = '1;
    result_o.last_beat = 32'(out_q[0].beat) == Beats - 1;
    result_o.last = result_o.last_beat && out_q[0].last_word;
  end
  assign result_data_o = out_data_q[0];
  // No entry is in use, so all pointers are equal: REST tells one that is not.
  assign rest_o = used_q == '0 && full_q == '0 && !stage_valid_q && count_q == '0 &&
                  alloc_q == judge_q && judge_q == read_q && word_q == '0 && beat_q == '0;

  `WL_ASSERT(TakesFree, !start || !used_q[alloc_q])
  `WL_ASSERT(JudgesTaken, !judge || (used_q[judge_q] && !full_q[judge_q]))
  `WL_ASSERT(JudgedIsTaken, (full_q & ~used_q) == '0)
  `WL_ASSERT(StageHasRoom, !arrive || !count_q[1])
  `WL_ASSERT(TakenPresented, !result_taken_i || count_q != '0)
  `WL_ASSERT(CountFits, count_q != 2'd3)
endmodule
