// Copy engine (docs/microarchitecture.md 23; option Copy): bulk copies between global and shared
// memory beside the warps. Here: the wires between the parts. Does not decide who may issue: memissue.sv
// does, and it holds copy_way.
`include "cells/assert.svh"

module copy
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import port_pkg::*;
  import smem_pkg::*;
  import copy_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  // Of the launch: limits of device memory and shared memory. CTA slots of the warps.
  input  logic [31:0]         lb_i [LaunchBlockWords],
  input  logic [CtaBits-1:0]  warp_cta_i [Warps],
  // X1 of the sub-cores: at most one has a copy's.
  input  x1_t                 x1_i [SubCores],
  input  logic [31:0]         x1_a_i [SubCores][Lanes],
  input  logic [31:0]         x1_b_i [SubCores][Lanes],
  input  logic [31:0]         x1_c_i [SubCores][Lanes],
  // Issue.
  output logic                put_free_o,      // entry `put` is free
  output logic                resolve_o,       // T of a COPY: copy_way := 0
  // Groups: BCOMMIT in t, by slot; questions of BWAIT, in the next cycle the answers (to others: no).
  input  logic [Warps-1:0]    commit_i,
  input  copy_ask_t           ask_i [SubCores],
  output logic [SubCores-1:0] left_o,          // more groups than asked for are pending
  // SM port.
  output logic                req_valid_o,
  output packet_t             req_o,
  input  logic                req_grant_i,
  input  logic                rsp_valid_i,
  // verilator lint_off UNUSEDSIGNAL // it is of this SM
  input  response_t           rsp_i,
  // verilator lint_on UNUSEDSIGNAL
  // Chunk port: the request may change until it is granted, but stays valid.
  output chunk_req_t          chunk_o,
  input  logic                chunk_grant_i,
  input  chunk_rsp_t          chunk_rsp_i,
  // Signal to shared memory (11), and its delivery.
  output copy_signal_t        signal_o,
  input  logic                signal_taken_i,
  input  logic                delivered_i,     // shared memory delivers the signal's results
  input  logic                misuse_i,        // with misuse
  output logic [Warps-1:0]    busy_o,          // warps with an entry in use
  output logic [Warps-1:0]    wake_o,          // wait_wake of these := 1
  output trap_t               trap_o,
  output logic                rest_o           // no entry is used and all rows are FREE (15)
);
  // ---- Commands: words, judgement, entries.
  command_t command;
  logic     bad, take, free;
  trap_t    fault;
  entry_t   fin;
  copy_words u_words (
    .clk_i, .rst_ni, .clear_i, .smem_units_i(lb_i[LaunchSmemUnits][9:0]), .warp_cta_i,
    .x1_i, .x1_a_i, .x1_b_i, .x1_c_i, .command_o(command)
  );
  copy_judge u_judge (
    .command_i(command), .mem_base_i({lb_i[LaunchMemBase+1], lb_i[LaunchMemBase]}),
    .mem_limit_i({lb_i[LaunchMemLimit+1], lb_i[LaunchMemLimit]}),
    .smem_bytes_i(lb_i[LaunchSmemBytes]), .bad_o(bad), .trap_o(fault)
  );
  assign take = command.valid && !bad;
  assign resolve_o = command.valid;

  logic [CopyQueue-1:0] used, walks, read;
  info_t                info [CopyQueue];
  event_t               walked, drained, read_end, sent, ack, freed;
  entry_t               put;
  assign freed = '{valid: free, entry: fin};
  copy_queue u_queue (
    .clk_i, .rst_ni, .clear_i, .take_i(take), .command_i(command), .put_free_o, .put_o(put),
    .used_o(used), .walks_o(walks), .read_o(read), .info_o(info),
    .walked_i(walked), .drained_i(drained), .read_i(read_end), .sent_i(sent), .ack_i(ack),
    .signal_o, .signal_taken_i, .delivered_i, .free_o(free), .fin_o(fin)
  );
  copy_groups u_groups (
    .clk_i, .take_i(take), .put_i(put), .used_i(used), .read_i(read), .info_i(info),
    .commit_i, .ask_i, .left_o, .read_end_i(read_end), .freed_i(freed), .wake_o
  );

  // ---- Rows.
  logic   head_free, row_take, row_ready, row_free, rest_rows, rest_walk, rest_drain;
  entry_t walk;
  place_t head;
  row_t   new_row, row;
  logic [1:0][127:0] data;
  logic   load_asks, load_grant, read_asks, read_grant, read_final;  // of the walk
  logic   send_asks, send_grant, store_asks, store_grant;            // of the row that drains
  logic [1:0] read_halves, store_halves;
  packet_t    packet;
  logic       mine, sector;
  copy_walk u_walk (
    .clk_i, .rst_ni, .clear_i, .walks_i(walks), .info_i(info), .head_free_i(head_free),
    .load_o(load_asks), .load_grant_i(load_grant), .read_o(read_asks), .halves_o(read_halves),
    .final_o(read_final), .read_grant_i(read_grant), .row_o(new_row), .take_o(row_take),
    .walked_o(walked), .walk_o(walk), .rest_o(rest_walk)
  );
  copy_rows u_rows (
    .clk_i, .rst_ni, .clear_i, .head_free_o(head_free), .head_o(head), .take_i(row_take),
    .row_i(new_row), .read_grant_i(read_grant), .halves_i(read_halves), .final_i(read_final),
    .sector_i(sector), .sector_place_i(place_t'(rsp_i.tag)), .sector_data_i(rsp_i.data),
    .answer_i(chunk_rsp_i), .read_o(read_end), .ready_o(row_ready), .row_o(row),
    .load_i(is_load(info[row.entry].kind)), .data_o(data), .free_i(row_free), .rest_o(rest_rows)
  );
  copy_drain u_drain (
    .clk_i, .rst_ni, .clear_i, .ready_i(row_ready), .row_i(row), .info_i(info[row.entry]),
    .data_i(data), .sector_hi_i(lb_i[LaunchMemBase+1]),
    .send_o(send_asks), .packet_o(packet), .send_grant_i(send_grant),
    .store_o(store_asks), .halves_o(store_halves), .store_grant_i(store_grant),
    .free_o(row_free), .sent_o(sent), .drained_o(drained), .rest_o(rest_drain)
  );
  assign mine = rsp_valid_i && rsp_i.unit == FromCopy;
  assign sector = mine && rsp_i.op == OpLd;
  assign ack = '{valid: mine && !sector, entry: entry_t'(rsp_i.tag)};

  // ---- Ports: the row comes first.
  assign req_valid_o = send_asks || load_asks;
  assign send_grant = req_grant_i && send_asks;
  assign load_grant = req_grant_i && !send_asks;
  always_comb begin
    req_o = 'x;
    if (send_asks) begin
      req_o = packet;
    end else if (load_asks) begin
      req_o = '0;
      req_o.op = OpLd;
      req_o.sector = {lb_i[LaunchMemBase+1], new_row.sector};
      req_o.mask = '1;
      req_o.unit = FromCopy;
      req_o.tag = 16'(head);
    end
  end

  assign store_grant = chunk_grant_i && store_asks;
  assign read_grant = chunk_grant_i && !store_asks;
  always_comb begin
    chunk_at_t  at, x;
    logic [1:0] halves;
    at = 'x;
    x = 'x;
    halves = 'x;
    chunk_o = 'x;
    chunk_o.valid = store_asks || read_asks;
    if (chunk_o.valid) begin
      chunk_o = '0;
      chunk_o.valid = 1'b1;
      chunk_o.store = store_asks;
      chunk_o.tag = store_asks ? '0 : ChunkTagBits'(head);
      at = store_asks ? row.at : new_row.at;
      halves = store_asks ? store_halves : read_halves;
      for (int unsigned h = 0; h < 2; h++) begin
        x = at + chunk_at_t'(h);
        if (halves[h]) begin
          chunk_o.quad[32'(x)%Quads].valid = 1'b1;
          chunk_o.quad[32'(x)%Quads].row = SmemRowBits'(32'(x) / Quads);
          chunk_o.quad[32'(x)%Quads].bytes = {16{store_asks}};
          chunk_o.quad[32'(x)%Quads].data = data[h] & {128{store_asks}};
        end
      end
    end
  end

  // ---- Ends.
  // The rings are empty, so all pointers are equal: REST tells one that is not.
  assign rest_o = used == '0 && rest_rows && rest_walk && rest_drain && put == fin && walk == fin;
  always_comb begin
    busy_o = '0;
    for (int unsigned i = 0; i < CopyQueue; i++) if (used[i]) busy_o[info[i].warp] = 1'b1;
  end
  // Two traps may rise in a cycle: the lowest {cause, warp, lane} counts.
  trap_t misused;
  always_comb begin
    misused = 'x;
    misused.valid = delivered_i && misuse_i;
    if (misused.valid) begin
      misused.cause = TrapMbarrier;
      misused.warp = info[fin].warp;
      misused.lane = info[fin].lane;
      misused.pc = info[fin].pc;
      misused.addr = 64'(info[fin].m[SmemBits-1:0]);
    end
    trap_o = fault;
    if (misused.valid && (!bad || misused.cause < fault.cause)) trap_o = misused;
  end

  `WL_ASSERT(OnePort, !(send_asks && store_asks))
  `WL_ASSERT(GrantsPresented, (!req_grant_i || req_valid_o) && (!chunk_grant_i || chunk_o.valid))
  // An instruction counts as in flight by its ctl (5) until T, then by its entry.
  `WL_ASSERT(FreesBusy, !free || busy_o[info[fin].warp])
  `WL_ASSERT(RefusesInT, !bad || resolve_o)
  `WL_ASSERT(RowsAreUsed, rest_rows || used != '0)
endmodule
