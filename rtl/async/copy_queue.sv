// Copy engine: the ring of commands (docs/microarchitecture.md 23.1, 23.3): entries from T to their
// end, in order of acceptance, and the signal of a load. What the ring knows of groups stands in
// copy_groups.sv.
`include "cells/assert.svh"

module copy_queue
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import copy_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  // A command is accepted.
  input  logic                 take_i,
  // verilator lint_off UNUSEDSIGNAL // low bits of aligned words
  input  command_t             command_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic                 put_free_o,
  output entry_t               put_o,
  // Entries.
  output logic [CopyQueue-1:0] used_o,
  output logic [CopyQueue-1:0] walks_o,     // used and not walked to its end
  output logic [CopyQueue-1:0] read_o,      // all its data have come
  output info_t                info_o [CopyQueue],
  // What happens to them.
  input  event_t               walked_i,
  input  event_t               drained_i,
  input  event_t               read_i,      // of a STORE or RED
  input  event_t               sent_i,      // a packet of it is granted
  input  event_t               ack_i,       // a response of such a packet
  // The oldest one.
  output copy_signal_t         signal_o,
  input  logic                 signal_taken_i,
  input  logic                 delivered_i,
  output logic                 free_o,      // freed in this cycle
  output entry_t               fin_o
);
  logic [CopyQueue-1:0] used_q, walked_q, drained_q, read_q, signalled_q;
  info_t                info_q [CopyQueue];
  logic [7:0]           acks_q [CopyQueue];
  entry_t               put_q, fin_q;

  assign put_free_o = !used_q[put_q];
  assign put_o = put_q;
  assign used_o = used_q;
  assign walks_o = used_q & ~walked_q;
  assign read_o = read_q;
  assign info_o = info_q;
  assign fin_o = fin_q;

  logic ends, load;   // the oldest one has nothing left to move
  assign ends = used_q[fin_q] && drained_q[fin_q];
  assign load = is_load(info_q[fin_q].kind);
  assign free_o = ends && (load ? delivered_i : acks_q[fin_q] == '0);
  always_comb begin
    signal_o = 'x;
    signal_o.valid = ends && load && !signalled_q[fin_q];
    if (signal_o.valid) begin
      signal_o.at = 32'(info_q[fin_q].m[SmemBits-1:0]);
      signal_o.bytes = 32'({info_q[fin_q].chunks, 4'd0});
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      used_q <= '0;
      put_q <= '0;
      fin_q <= '0;
    end else if (take_i || used_q != '0) begin
      if (take_i) begin
        used_q[put_q] <= 1'b1;
        put_q <= next_entry(put_q);
      end
      if (free_o) begin
        used_q[fin_q] <= 1'b0;
        fin_q <= next_entry(fin_q);
      end
    end
    if (take_i) begin
      info_q[put_q].warp <= command_i.warp;
      info_q[put_q].lane <= command_i.lane;
      info_q[put_q].pc <= command_i.pc;
      info_q[put_q].kind <= command_i.kind;
      info_q[put_q].mtype <= command_i.mtype;
      info_q[put_q].atom <= command_i.atom;
      info_q[put_q].g <= command_i.g[31:4];
      info_q[put_q].s <= command_i.base[SmemBits-1:4] + command_i.s[SmemBits-1:4];
      info_q[put_q].chunks <= command_i.k[SmemBits:4];
      unique case (command_i.kind)
        MemKindBload:  info_q[put_q].m <= MBits'(command_i.base + command_i.m[SmemBits-1:0]);
        MemKindBstore: info_q[put_q].m <= MBits'(command_i.m[15:0]);
        default:       info_q[put_q].m <= '1;
      endcase
    end
  end

  // An entry in use changes by what happens to it; a new one starts from 0.
  always_ff @(posedge clk_i) begin
    if (take_i || used_q != '0) begin
      for (int unsigned i = 0; i < CopyQueue; i++) begin
        if (take_i && put_q == entry_t'(i)) begin
          {walked_q[i], drained_q[i], read_q[i], signalled_q[i]} <= '0;
          acks_q[i] <= '0;
        end else if (used_q[i]) begin
          if (walked_i.valid && walked_i.entry == entry_t'(i)) walked_q[i] <= 1'b1;
          if (drained_i.valid && drained_i.entry == entry_t'(i)) drained_q[i] <= 1'b1;
          if (read_i.valid && read_i.entry == entry_t'(i)) read_q[i] <= 1'b1;
          if (signal_taken_i && fin_q == entry_t'(i)) signalled_q[i] <= 1'b1;
          acks_q[i] <= acks_q[i] + 8'(sent_i.valid && sent_i.entry == entry_t'(i)) -
                       8'(ack_i.valid && ack_i.entry == entry_t'(i));
        end
      end
    end
  end

  `WL_ASSERT(TakesFree, !take_i || put_free_o)
  `WL_ASSERT(TakenIsOffered, !signal_taken_i || signal_o.valid)
  `WL_ASSERT(DeliveryIsAwaited, !delivered_i || (ends && load && signalled_q[fin_q]))
  `WL_ASSERT(AckHasPacket, !ack_i.valid || (used_q[ack_i.entry] && acks_q[ack_i.entry] != '0))
  `WL_ASSERT(EndsAreUsed, (!walked_i.valid || walks_o[walked_i.entry]) &&
                          (!drained_i.valid || used_q[drained_i.entry]) &&
                          (!read_i.valid || used_q[read_i.entry]))
  `WL_ASSERT(LoadsReadNothing, !read_i.valid || !is_load(info_q[read_i.entry].kind))
  `WL_ASSERT(DrainsWalked, !ends || walked_q[fin_q])
  `WL_ASSERT(SendsFew, !sent_i.valid || acks_q[sent_i.entry] != '1)
endmodule
