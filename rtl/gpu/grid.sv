// Grid of a launch (docs/microarchitecture.md 3): reads the launch block, offers the next CTA, reports
// the end. It belongs to the device. Where a CTA finds its place is the SM's (dispatcher.sv). One
// launch at a time. Checks no launch parameter: the driver gives only legal launch blocks.
`include "cells/assert.svh"
module grid
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import port_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic [63:0] launch_addr_i,
  output logic        done_o,
  output logic        running_o,      // state RUN
  output logic        finish_o,       // the state becomes DONE
  output logic [31:0] lb_o [LaunchBlockWords],
  output logic        invalidate_o,   // start cycle
  output logic        clear_o,        // trap end
  // The next CTA, and whether it is placed in this cycle.
  output logic        offer_valid_o,
  output logic [31:0] offer_x_o,
  output logic [15:0] offer_y_o,
  output logic [15:0] offer_z_o,
  input  logic        offer_taken_i,
  // The SM.
  input  logic        empty_i,        // no CTA is there or being placed
  input  logic        stopped_i,      // a trap is pending, and no instruction is in flight
  input  logic        answered_i,     // no store without an answer, no line fill under way
  // SM port, requester DISP.
  output logic        req_valid_o,
  output packet_t     req_o,
  input  logic        req_grant_i,
  input  logic        rsp_valid_i,
  input  response_t   rsp_i
);
  localparam logic [4:0] Sectors = 5'(LaunchBlockWords / 8);
  localparam int unsigned KeptWords = LaunchEnvreg;  // programs read the rest from bank c0

  typedef enum logic [1:0] {Idle = 2'd0, Load = 2'd1, Run = 2'd2, Done = 2'd3} state_e;

  state_e      state_q;
  logic [58:0] sector_q;    // of the launch block
  logic [4:0]  sent_q, got_q;
  logic [31:0] lb_q [KeptWords];
  logic [31:0] next_x_q;
  logic [15:0] next_y_q, next_z_q;  // grid extents y and z have 16 bits
  logic        remaining_q;

  logic start;
  assign start = start_i && (state_q == Idle || state_q == Done);
  assign invalidate_o = start;
  assign done_o = state_q == Done;
  assign running_o = state_q == Run;
  assign offer_valid_o = remaining_q;
  assign offer_x_o = next_x_q;
  assign offer_y_o = next_y_q;
  assign offer_z_o = next_z_q;

  // LOAD.
  logic load_rsp, load_done;
  assign req_valid_o = state_q == Load && sent_q != Sectors;
  always_comb begin
    req_o = '0;
    req_o.sector = {sector_q[58:LowBits], sector_q[LowBits-1:0] + LowBits'(sent_q)};
    req_o.mask = '1;
    req_o.unit = FromDisp;
    req_o.tag = disp_tag_t'{zero: '0, sector: 4'(sent_q)};
  end
  disp_tag_t rsp_tag;
  assign rsp_tag = rsp_i.tag;
  assign load_rsp = rsp_valid_i && rsp_i.unit == FromDisp;
  assign load_done = state_q == Load && got_q == Sectors;

  // End. No line fill may be under way: it could make a stale line valid in the next launch.
  logic finish;
  assign finish = state_q == Run && ((!remaining_q && empty_i) || stopped_i) && answered_i;
  assign finish_o = finish;
  assign clear_o = finish && stopped_i;

  // Launch control, and the walk over the grid: x first.
  logic [31:0] x_after;
  logic [15:0] y_after, z_after;
  logic        x_last, y_last;
  assign x_after = next_x_q + 32'd1;
  assign y_after = next_y_q + 16'd1;
  assign z_after = next_z_q + 16'd1;
  assign x_last = x_after == lb_q[LaunchNctaidX];
  assign y_last = y_after == lb_q[LaunchNctaidY][15:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
      sector_q <= '0;
      sent_q <= '0;
      got_q <= '0;
      next_x_q <= '0;
      next_y_q <= '0;
      next_z_q <= '0;
      remaining_q <= 1'b0;
    end else begin
      // Never in the cycle of start.
      // Timing: what is next is known before the CTA is placed.
      if (offer_taken_i) begin
        next_x_q <= x_last ? '0 : x_after;
        if (x_last) next_y_q <= y_last ? '0 : y_after;
        if (x_last && y_last) next_z_q <= z_after;
        if (x_last && y_last && z_after == lb_q[LaunchNctaidZ][15:0]) remaining_q <= 1'b0;
      end
      if (start) begin
        state_q <= Load;
        sector_q <= launch_addr_i[63:5];
        sent_q <= '0;
        got_q <= '0;
        next_x_q <= '0;
        next_y_q <= '0;
        next_z_q <= '0;
      end
      if (req_grant_i && req_valid_o) sent_q <= sent_q + 5'd1;
      if (load_rsp) got_q <= got_q + 5'd1;
      if (load_done) begin
        state_q <= Run;
        remaining_q <= 1'b1;
      end
      if (finish) state_q <= Done;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_rsp) begin
      logic [31:0] words [KeptWords];
      words = lb_q;
      for (int unsigned i = 0; i < KeptWords; i++) begin
        if (rsp_tag.sector == 4'(i / 8)) words[i] = rsp_i.data[(i % 8)*32+:32];
      end
      lb_q <= words;
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < LaunchBlockWords; i++) lb_o[i] = '0;
    for (int unsigned i = 0; i < KeptWords; i++) lb_o[i] = lb_q[i];
  end

  logic unused_bits;
  assign unused_bits = ^{rsp_i.op, rsp_i.sm, rsp_tag.zero, launch_addr_i[4:0]};

  `WL_ASSERT(AnswerIsAwaited, !load_rsp || (state_q == Load && got_q < sent_q))
  `WL_ASSERT(TakenIsOffered, !offer_taken_i || (state_q == Run && remaining_q))
  `WL_ASSERT_HELD(OfferStays, offer_valid_o, offer_taken_i || start, {next_x_q, next_y_q, next_z_q})
  `WL_ASSERT_HELD(RequestWaits, req_valid_o, req_grant_i, req_o.sector)
endmodule
