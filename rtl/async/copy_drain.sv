// Copy engine: how the oldest row drains (docs/microarchitecture.md 23.3): a load's halves go to shared
// memory by the chunk port, a store's or reduction's sector goes to the SM port.
`include "cells/assert.svh"

module copy_drain
  import wl_pkg::*;
  import config_pkg::*;
  import port_pkg::*;
  import smem_pkg::*;
  import copy_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         ready_i,       // row[tail] is READY
  // verilator lint_off UNUSEDSIGNAL // its address is of the chunk port
  input  row_t         row_i,
  // verilator lint_on UNUSEDSIGNAL
  // verilator lint_off UNUSEDSIGNAL // kind, operation, mask
  input  info_t        info_i,        // its entry
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0][127:0] data_i,
  input  logic [31:0]  sector_hi_i,   // of all global addresses
  // SM port, chunk port.
  output logic         send_o,
  output packet_t      packet_o,
  input  logic         send_grant_i,
  output logic         store_o,
  output logic [1:0]   halves_o,      // those that it stores
  input  logic         store_grant_i,
  output logic         free_o,        // the row is FREE
  output event_t       sent_o,
  output event_t       drained_o,     // with the last row of a command
  output logic         rest_o         // no half of a row has drained
);
  logic second_q, load, final_f;
  assign load = is_load(info_i.kind);
  assign send_o = ready_i && !load;
  assign store_o = ready_i && load;

  always_comb begin
    halves_o = 'x;
    final_f = 'x;
    if (ready_i) begin
      halves_o = row_i.halves;
      final_f = 1'b1;
      if (!Pair && row_i.halves == 2'b11) begin
        halves_o = second_q ? 2'b10 : 2'b01;
        final_f = second_q;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) second_q <= 1'b0;
    else if (store_grant_i) second_q <= !final_f;
  end

  always_comb begin
    packet_o = 'x;
    if (send_o) begin
      packet_o = '0;
      packet_o.op = (info_i.kind == MemKindBred) ? OpRed : OpSt;
      if (info_i.kind == MemKindBred) begin
        packet_o.atom = 4'(info_i.atom);
        packet_o.atype = 4'(info_i.mtype);
      end
      packet_o.sector = {sector_hi_i, row_i.sector};
      packet_o.mask = {info_i.m[15:0] & {16{row_i.halves[1]}}, info_i.m[15:0] & {16{row_i.halves[0]}}};
      packet_o.unit = FromCopy;
      packet_o.tag = 16'(row_i.entry);
      packet_o.data = {data_i[1] & {128{row_i.halves[1]}}, data_i[0] & {128{row_i.halves[0]}}};
    end
  end

  assign rest_o = !second_q;
  assign free_o = send_grant_i || (store_grant_i && final_f);
  assign sent_o = '{valid: send_grant_i, entry: row_i.entry};
  assign drained_o = '{valid: free_o && row_i.last, entry: row_i.entry};

  `WL_ASSERT(GrantsAsked, (!send_grant_i || send_o) && (!store_grant_i || store_o))
  `WL_ASSERT(HasHalves, !ready_i || row_i.halves != '0)
endmodule
