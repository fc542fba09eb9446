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
  // The unit of products reads a quarter in this cycle (25.6).
  input  logic        umma_read_i,
  input  quarter_t    umma_quarter_i,
  // Memory: the row that is read comes in the next cycle and stays, but for a row of products.
  output logic        read_o,
  output quarter_t    quarter_o,
  output tmem_row_t   row_o,
  input  logic [Lanes-1:0][31:0] data_i [Quarters],
  // Result queue (6.5).
  output vwb_t        result_o,
  output logic [Lanes-1:0][31:0] result_data_o,
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
    logic         zero;
    quarter_t     quarter;
    result_word_t word;
  } staged_t;

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
  logic                move, read, held, last_beat, last_word, ends;
  logic [6:0]          word_q;
  logic [BeatBits-1:0] beat_q;
  logic                full, empty; // `out`
  logic                stage_valid_q;
  staged_t             stage_q;
  issued_t             info;
  judged_t             place;
  logic [8:0]          rd;
  assign info = issued_q[read_q];
  assign place = judged_q[read_q];
  assign move = !full;
  assign held = Umma != 0 && umma_read_i && !place.zero && umma_quarter_i == place.quarter;
  assign read = move && full_q[read_q] && !held;
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
      stage_q <= '{zero: place.zero, quarter: place.quarter,
                   word: '{warp: info.warp, rd: rd[7:0],
                           has_reg: info.rd != 8'd255 && rd < 9'd255, beat: beat_q,
                           last_word: last_word}};
    end
  end

  logic arrive;
  assign arrive = move && stage_valid_q;
  // The word in the stage: the memory's, but one that waits may be overtaken by a row of products.
  logic [Lanes-1:0][31:0] staged;
  if (Umma != 0) begin : gen_kept
    logic                   fresh_q;   // read in the cycle before
    logic [Lanes-1:0][31:0] kept_q;
    always_ff @(posedge clk_i) begin
      fresh_q <= rst_ni && read;
      if (fresh_q && !move) kept_q <= data_i[stage_q.quarter];
    end
    always_comb begin
      staged = 'x;
      if (arrive) staged = fresh_q ? data_i[stage_q.quarter] : kept_q;
    end
  end else begin : gen_read
    assign staged = data_i[stage_q.quarter];
  end

  logic [31:0] data [Lanes];
  always_comb begin
    data = '{default: 'x};
    if (arrive) begin
      for (int unsigned l = 0; l < Lanes; l++) data[l] = staged[l] & {32{!stage_q.zero}};
    end
  end
  result_fifo u_out (
    .clk_i, .rst_ni, .put_i(arrive), .word_i(stage_q.word), .data_i(data), .full_o(full),
    .empty_o(empty), .result_o, .result_data_o, .result_taken_i
  );
  // No entry is in use, so all pointers are equal: REST tells one that is not.
  assign rest_o = used_q == '0 && full_q == '0 && !stage_valid_q && empty &&
                  alloc_q == judge_q && judge_q == read_q && word_q == '0 && beat_q == '0;

  `WL_ASSERT(TakesFree, !start || !used_q[alloc_q])
  `WL_ASSERT(JudgesTaken, !judge || (used_q[judge_q] && !full_q[judge_q]))
  `WL_ASSERT(JudgedIsTaken, (full_q & ~used_q) == '0)
endmodule
