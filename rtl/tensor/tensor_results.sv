// Results of the tensor unit (docs/microarchitecture.md 19.1, 25.6): where those of the slices in the
// pipe go. The groups of a beat make a word. Of an instruction it goes to a queue of two for the result
// queue, of a block in tensor memory it is a row of D.
`include "cells/assert.svh"

module tensor_results
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
  import umma_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,        // without clear
  input  logic        move_i,        // the pipe moves
  // The slice that enters: of an instruction, or of a block.
  input  logic        work_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  set_info_t   info_i,
  input  umma_step_t  umma_i,
  // verilator lint_on UNUSEDSIGNAL
  input  group_t      group_i,
  // The group that leaves the pipe.
  input  logic        done_i,
  input  logic [31:0] d_i [DotRows],
  output logic        full_o,        // the queue: the pipe cannot move
  output logic        empty_o,
  // Result queue (6.5).
  output vwb_t        result_o,
  output logic [Lanes-1:0][31:0] result_data_o,
  input  logic        result_taken_i,
  // A row of D is complete.
  output logic        row_valid_o,
  output umma_row_t   row_o,
  output logic [31:0] row_data_o [Lanes]
);
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
    if (work_i) begin
      number = 7'(32'(group_i) * DotRows);
      word = info_i.kind.half ? {1'b0, number[6]} : number[6:5];
      place.warp = info_i.warp;
      place.rd = info_i.rd + 8'(word);
      place.has_reg = info_i.rd != 8'd255 && 9'(info_i.rd) + 9'(word) < 9'd255;
      place.half = info_i.kind.half;
      place.first = info_i.kind.half ? number[5:0] : {1'b0, number[4:0]};
      place.last_word = word == ((info_i.kind.half || !info_i.tall) ? 2'd1 : 2'd3);
    end else if (umma_i.valid) begin
      place.half = 1'b0;    // a word holds one element
      place.first = {1'b0, umma_i.lane};
    end
  end
  always_ff @(posedge clk_i) begin
    if (move_i) begin
      place_q[0] <= place;
      for (int unsigned i = 1; i < DotLatency; i++) place_q[i] <= place_q[i-1];
    end
  end

  logic umma;               // what leaves is of a block

  // ---- The word of a beat.
  place_t       to;
  logic         arrive, complete;
  logic [31:0]  word_q [Lanes], now [Lanes];  // now: with the group that arrives
  result_word_t arriving;
  assign to = place_q[DotLatency-1];
  assign arrive = done_i && move_i;
  always_comb begin
    logic [6:0] after_last;
    logic [4:0] lane0;
    {arriving, after_last, lane0} = 'x;
    complete = 1'b0;
    if (arrive) begin
      lane0 = to.half ? to.first[5:1] : to.first[4:0];
      after_last = 7'(to.first) + 7'(DotRows);
      complete = !umma && 32'(after_last) % (to.half ? 2 * Lanes : Lanes) == 0;
      arriving = '{warp: to.warp, rd: to.rd, has_reg: to.has_reg,
                   beat: BeatBits'(32'(lane0) / Lanes), last_word: to.last_word};
    end
  end
  always_comb begin
    now = '{default: 'x};
    if (arrive) begin
      now = word_q;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (!to.half) begin
          if (32'(to.first) % Lanes / DotRows == l / DotRows) now[l] = d_i[l % DotRows];
        end else begin
          if (32'(to.first) % (2 * Lanes) / DotRows == 2 * l / DotRows) begin
            now[l][15:0] = d_i[2 * l % DotRows][15:0];
          end
          if (32'(to.first) % (2 * Lanes) / DotRows == (2 * l + 1) / DotRows) begin
            now[l][31:16] = d_i[(2 * l + 1) % DotRows][15:0];
          end
        end
      end
    end
  end
  // ---- Rows of D: a bit of each slice in the pipe tells that it is of a block.
  if (Umma != 0) begin : gen_umma
    typedef struct packed {
      logic      ends;
      umma_row_t row;
    } umma_place_t;
    logic [DotLatency-1:0] umma_q;
    umma_place_t           at_q [DotLatency];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) umma_q <= '0;
      else if (move_i) umma_q <= {umma_q[DotLatency-2:0], umma_i.valid};
      if (move_i && (umma_i.valid || umma_q != '0)) begin
        at_q[0] <= '{ends: umma_i.ends,
                     row: '{quarter: umma_i.quarter, row: umma_i.row, lane: umma_i.lane}};
        for (int unsigned i = 1; i < DotLatency; i++) at_q[i] <= at_q[i-1];
      end
    end
    assign umma = umma_q[DotLatency-1];
    assign row_valid_o = arrive && umma && at_q[DotLatency-1].ends;
    assign row_o = at_q[DotLatency-1].row;
    assign row_data_o = now;
  end else begin : gen_no_umma
    assign umma = 1'b0;
    assign row_valid_o = 1'b0;
    assign row_o = '0;
    assign row_data_o = '{default: '0};
  end

  // ---- The queue.
  always_ff @(posedge clk_i) if (arrive) word_q <= now;
  result_fifo u_out (
    .clk_i, .rst_ni, .put_i(complete), .word_i(arriving), .data_i(now), .full_o, .empty_o,
    .result_o, .result_data_o, .result_taken_i
  );
endmodule
