// Copy engine: the rows, sectors on their way (docs/microarchitecture.md 23.2): their state, and their
// data in two memories, as a sector of global memory and chunks of shared memory may come in one cycle.
`include "cells/assert.svh"

module copy_rows
  import wl_pkg::*;
  import config_pkg::*;
  import smem_pkg::*;
  import copy_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  // row[head]: taken by the walk; what is granted to it at the chunk port.
  output logic         head_free_o,
  output place_t       head_o,
  input  logic         take_i,
  input  row_t         row_i,
  input  logic         read_grant_i,
  input  logic [1:0]   halves_i,
  input  logic         final_i,
  // Data: a sector of global memory, an answer of the chunk port.
  input  logic         sector_i,
  input  place_t       sector_place_i,
  input  logic [255:0] sector_data_i,
  // verilator lint_off UNUSEDSIGNAL // its tag is checked only
  input  chunk_rsp_t   answer_i,
  // verilator lint_on UNUSEDSIGNAL
  output event_t       read_o,         // all data of a STORE or RED have come
  // row[tail].
  output logic         ready_o,
  output row_t         row_o,
  input  logic         load_i,         // it is of a load
  output logic [1:0][127:0] data_o,
  input  logic         free_i,
  output logic         rest_o          // all are FREE: then head is tail
);
  logic [CopyRows-1:0] busy_q, ready_q;   // ASKED or READY; READY
  place_t              head_q, tail_q;
  assign head_free_o = !busy_q[head_q];
  assign head_o = head_q;
  assign ready_o = ready_q[tail_q];
  assign rest_o = busy_q == '0 && head_q == tail_q;

  // Answers come two cycles after their grant (11b).
  typedef struct packed {
    logic       valid;
    place_t     place;
    entry_t     entry;
    logic       last;       // of the command
    logic       final_f;    // of the row
    logic [1:0] halves;
    chunk_at_t  at;
  } asked_t;
  // verilator lint_off UNUSEDSIGNAL // of the address the number of the quad
  asked_t asked_q, answered_q;
  // verilator lint_on UNUSEDSIGNAL
  logic answers;
  assign answers = answered_q.valid;
  always_ff @(posedge clk_i) begin
    asked_q.valid <= rst_ni && !clear_i && read_grant_i;
    answered_q.valid <= rst_ni && !clear_i && asked_q.valid;
    if (read_grant_i) begin
      asked_q.place <= head_q;
      asked_q.entry <= row_i.entry;
      asked_q.last <= row_i.last;
      asked_q.final_f <= final_i;
      asked_q.halves <= halves_i;
      asked_q.at <= row_i.at;
    end
    if (asked_q.valid) begin
      answered_q.place <= asked_q.place;
      answered_q.entry <= asked_q.entry;
      answered_q.last <= asked_q.last;
      answered_q.final_f <= asked_q.final_f;
      answered_q.halves <= asked_q.halves;
      answered_q.at <= asked_q.at;
    end
  end
  assign read_o = '{valid: answers && answered_q.final_f && answered_q.last,
                    entry: answered_q.entry};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      busy_q <= '0;
      ready_q <= '0;
      head_q <= '0;
      tail_q <= '0;
    end else if (take_i || busy_q != '0) begin
      if (take_i) begin
        busy_q[head_q] <= 1'b1;
        head_q <= next_place(head_q);
      end
      if (sector_i) ready_q[sector_place_i] <= 1'b1;
      if (answers && answered_q.final_f) ready_q[answered_q.place] <= 1'b1;
      if (free_i) begin
        busy_q[tail_q] <= 1'b0;
        ready_q[tail_q] <= 1'b0;
        tail_q <= next_place(tail_q);
      end
    end
  end

  // ---- Memories.
  logic [$bits(row_t)-1:0] row_in [1], row_out [1];
  assign row_in[0] = row_i;
  assign row_o = row_out[0];
  lane_ram #(.Lanes(1), .Warps(CopyRows), .Beats(1), .Width($bits(row_t))) u_row (
    .clk_i, .write_i(take_i), .wwarp_i(head_q), .wbeat_i('0), .data_i(row_in),
    .rwarp_i(tail_q), .rbeat_i('0), .row_o(row_out)
  );

  logic [127:0] sector_in [2], sector_out [2], chunk_in [2], chunk_out [2];
  assign sector_in = '{sector_data_i[127:0], sector_data_i[255:128]};
  always_comb begin
    for (int unsigned h = 0; h < 2; h++) begin
      chunk_in[h] = answer_i.data[32'(answered_q.at + chunk_at_t'(h)) % Quads];
      data_o[h] = load_i ? sector_out[h] : chunk_out[h];
    end
  end
  lane_ram #(.Lanes(2), .Warps(CopyRows), .Beats(1), .Width(128)) u_sectors (
    .clk_i, .write_i({2{sector_i}}), .wwarp_i(sector_place_i), .wbeat_i('0), .data_i(sector_in),
    .rwarp_i(tail_q), .rbeat_i('0), .row_o(sector_out)
  );
  lane_ram #(.Lanes(2), .Warps(CopyRows), .Beats(1), .Width(128)) u_chunks (
    .clk_i, .write_i(answered_q.halves & {2{answers}}), .wwarp_i(answered_q.place), .wbeat_i('0),
    .data_i(chunk_in), .rwarp_i(tail_q), .rbeat_i('0), .row_o(chunk_out)
  );

  `WL_ASSERT(TakesFree, !take_i || head_free_o)
  `WL_ASSERT(FreesReady, !free_i || ready_o)
  `WL_ASSERT(ReadyIsBusy, (ready_q & ~busy_q) == '0)
  `WL_ASSERT(SectorIsAwaited, !sector_i || (busy_q[sector_place_i] && !ready_q[sector_place_i]))
  `WL_ASSERT(AnswerIsAwaited, (answer_i.valid && answer_i.requester == ChunkNumberBits'(ChunkCopy)) ==
                              answers)
  `WL_ASSERT(AnswerOfRow, !answers || answer_i.tag == ChunkTagBits'(answered_q.place))
endmodule
