// Target buffer (docs/microarchitecture.md 7.2): one 32-bit operand per lane of the one register
// control instruction that is past issue, a row per beat. What T asks (the first value, whether all
// lanes agree, offending lanes) is gathered as the operands arrive; a split compares one row per
// cycle with the value of its leader, whose row is the first. A barrier number and count are kept
// as the row key they will become. Of WAIT (21.3) it gathers which lanes are not done, and which
// bits of gen these have seen. Does not decide anything.
`include "cells/assert.svh"
module path_targets
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import path_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                take_i,     // at issue
  input  warp_t               take_warp_i,
  input  logic [31:0]         take_exec_i, // lanes of E
  input  logic                take_bar_i,  // BAR
  input  logic                take_wait_i, // WAIT
  input  logic                drop_i,     // resolved without a split, or split
  output logic                free_o,
  output warp_t               owner_o,
  // verilator lint_off UNUSEDSIGNAL // the tokens and operands are those of all units
  input  x1_t                 x1_i,
  input  logic [31:0]         x1_a_i [Lanes],
  input  logic [31:0]         x1_b_i [Lanes],
  input  logic [31:0]         x1_c_i [Lanes],
  // verilator lint_on UNUSEDSIGNAL
  input  logic [30:0]         gen_i,      // phases of mbarriers completed
  // Of all lanes of E, in T.
  output logic [31:0]         value_o,    // operand a of the lowest lane; WAIT: b of the lowest
                                          // one that is not done
  output logic [27:0]         target_o,   // the same as a target, in the cycle before
  output logic                same_o,     // all targets are equal (28 bits)
  output logic [31:0]         undone_o,   // WAIT: lanes that are not done
  output logic                some_undone_o,
  output logic                stale_o,    // one of these has seen another gen
  output logic                bad_o,      // an illegal barrier operand, a lane outside its mask
  output logic [4:0]          bad_lane_o,
  // Split: a beat of targets against one of them or another value.
  input  target_ask_t         ask_i,
  // Valid in the last beat, with RowCycles = 2 in the cycle after it, with FarTargets two later.
  output target_found_t       found_o
);
  localparam int unsigned LaneBits = $clog2(Lanes);
  logic  busy_q;
  warp_t owner_q;
  assign free_o = !busy_q;
  assign owner_o = owner_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (take_i) busy_q <= 1'b1;
    else if (drop_i) busy_q <= 1'b0;
    if (take_i) owner_q <= take_warp_i;
  end

  // The lowest lane of E, whose operand is the first value, in its beat, and the form: known before
  // operands come.
  logic [31:0]         exec_q;
  logic                bar_q, wait_q;
  logic [LaneBits-1:0] head_lane_q;
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      exec_q <= take_exec_i;
      bar_q <= take_bar_i;
      wait_q <= take_wait_i;
    end
    if (busy_q) head_lane_q <= LaneBits'(low_index(exec_q));
  end

  logic is_ctl, is_bar, is_sync, write;
  assign is_ctl = x1_i.info.unit == UnitCtl && x1_i.info.a_words != 3'd0;
  assign is_bar = x1_i.info.unit == UnitBar && x1_i.info.a_words != 3'd0 && !x1_i.released;
  assign is_sync = x1_i.info.unit == UnitSync && x1_i.info.c_words != 3'd0 && x1_i.arrival;
  assign write = x1_i.valid && (is_ctl || is_bar || is_sync);

  // One operand per physical lane and cycle, as it will be kept. A legal barrier number leaves the
  // bits of the count zero, and bits 31:4 of the operand. They are compared with zero apart from
  // the comparison of a target with the first one, which arrives late.
  logic [31:0]         arrived [Lanes];
  logic [31:0]         head_q, head, lowest;
  logic [Lanes-1:0]    bad, differs;
  logic                any_q, same_q, bad_q;
  logic [Lanes-1:0]    bad_lanes_q;  // of the first beat that has any
  logic [BeatBits-1:0] bad_beat_q;
  mux_tree #(.Width(32), .Bits(LaneBits)) u_lowest (
    .sel_i(head_lane_q), .x_i(x1_a_i), .y_o(lowest)
  );
  always_comb begin
    head = 'x;
    arrived = '{default: 'x};
    bad = 'x;
    differs = 'x;
    if (write) begin
      head = any_q ? head_q : lowest;
      for (int unsigned p = 0; p < Lanes; p++) begin
        // Operand b is zero where the form has none.
        arrived[p] = is_sync ? x1_c_i[p] :
                     {4'd0, x1_a_i[p][27:10], x1_a_i[p][9:4] | x1_b_i[p][10:5], x1_a_i[p][3:0]};
        bad[p] = 1'b0;
        differs[p] = x1_i.mask[p] && x1_a_i[p][27:0] != head[27:0];
        if (bar_q) begin
          bad[p] = x1_i.mask[p] && (x1_a_i[p][31:4] != '0 || x1_b_i[p][4:0] != '0 ||
                   x1_b_i[p][31:11] != '0 || (x1_b_i[p][10] && x1_b_i[p][9:5] != '0));
        end else if (is_sync) begin
          bad[p] = x1_i.mask[p] && !x1_c_i[p][32'(x1_i.beat)*Lanes+p];
        end
      end
    end
  end
  // WAIT: of the lanes that are not done, the bits of gen that are one in some, and zero in some.
  // All of them have seen one gen if it has none of the other value.
  logic [Lanes-1:0] undone;
  logic [31:0]      undone_q, limit;
  logic [30:0]      ones, zeros, ones_q, zeros_q;
  logic             some_q;
  mux_tree #(.Width(32), .Bits(LaneBits)) u_limit (
    .sel_i(LaneBits'(low_index(32'(undone)))), .x_i(x1_b_i), .y_o(limit)
  );
  always_comb begin
    ones = '0;
    zeros = '0;
    for (int unsigned p = 0; p < Lanes; p++) begin
      undone[p] = x1_i.mask[p] && !x1_a_i[p][31];
      ones |= x1_a_i[p][30:0] & {31{undone[p]}};
      zeros |= ~x1_a_i[p][30:0] & {31{undone[p]}};
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      undone_q <= '0;
      some_q <= 1'b0;
      ones_q <= '0;
      zeros_q <= '0;
    end else if (write) begin
      undone_q[32'(x1_i.beat)*Lanes+:Lanes] <= undone;
      some_q <= some_q || undone != '0;
      ones_q <= ones_q | ones;
      zeros_q <= zeros_q | zeros;
    end
  end
  assign undone_o = undone_q;
  assign some_undone_o = some_q;
  assign stale_o = ((gen_i & zeros_q) | (~gen_i & ones_q)) != '0;

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      any_q <= 1'b0;
      same_q <= 1'b1;
      bad_q <= 1'b0;
    end else if (write && x1_i.mask != '0) begin
      any_q <= 1'b1;
      head_q <= (wait_q && !some_q) ? limit : head;
      same_q <= same_q && differs == '0;
      bad_q <= bad_q || bad != '0;
      if (!bad_q) begin
        bad_lanes_q <= bad;
        bad_beat_q <= x1_i.beat;
      end
    end
  end
  assign value_o = head_q;
  assign target_o = any_q ? head_q[27:0] : lowest[27:0];
  assign same_o = same_q;
  assign bad_o = bad_q;
  assign bad_lane_o = (5'(bad_beat_q) << LaneBits) | 5'(LaneBits'(low_index(32'(bad_lanes_q))));

  // Timing: what is asked for, as it comes, or in registers next to the rows.
  target_ask_t ask;
  if (FarTargets) begin : gen_far
    target_ask_t ask_q;
    assign ask = ask_q;
    always_ff @(posedge clk_i) ask_q <= ask_i;
  end else begin : gen_near
    assign ask = ask_i;
  end

  // Rows of a lane: a value outside E may be lost, nothing reads it. Lanes below the leader are in
  // groups already, so that the row of beat 0 is of use only if it is the leader's.
  logic                start;
  logic [BeatBits-1:0] beat;
  assign start = Beats == 1 || ask.beat == '0;
  assign beat = (Beats == 1) ? '0 : start ? BeatBits'(ask.lane >> LaneBits) : ask.beat;
  logic [31:0] row [Lanes];
  for (genvar p = 0; p < Lanes; p++) begin : gen_lane
    logic [31:0] value_q [Beats];
    always_ff @(posedge clk_i) begin
      if (write) value_q[(Beats > 1) ? x1_i.beat : '0] <= arrived[p];
    end
    assign row[p] = value_q[beat];
  end

  // Split. In the last beat nothing waits for the leader's value. Comparisons of Kept beats are
  // kept.
  localparam int unsigned Kept = (RowCycles == 1) ? Beats - 1 : Beats;
  logic [31:0]      leader_q, against, leader;
  logic [Lanes-1:0] equal;
  mux_tree #(.Width(32), .Bits(LaneBits)) u_leader (
    .sel_i(ask.lane[LaneBits-1:0]), .x_i(row), .y_o(leader)
  );
  always_comb begin
    against = 'x;
    equal = '1;
    if (ask.look) begin
      against = !start ? leader_q : ask.of_lane ? leader : {4'd0, ask.ref_pc};
      for (int unsigned p = 0; p < Lanes; p++) equal[p] = row[p] == against;
    end
  end
  // What a beat's comparison found; with FarTargets it is kept once beside the rows and once more,
  // for all lanes, where it is waited for.
  typedef struct packed {
    logic                look;
    logic [BeatBits-1:0] beat;
    logic [Lanes-1:0]    equal;
    logic                is_ref;
  } found_t;
  // verilator lint_off UNUSEDSIGNAL // with one beat, where nothing is kept
  found_t found, found_d;
  // verilator lint_on UNUSEDSIGNAL
  assign found_d = '{ask.look, beat, equal, against[27:0] == ask.ref_pc};
  if (FarTargets) begin : gen_found
    found_t found_q;
    assign found = found_q;
    always_ff @(posedge clk_i) found_q <= found_d;
  end else begin : gen_found
    assign found = found_d;
  end
  if (Kept > 0) begin : gen_beats
    logic [Lanes-1:0] equal_q [Kept];
    logic             is_ref_q;
    assign found_o.is_ref = is_ref_q;
    always_ff @(posedge clk_i) begin
      if (ask.look) leader_q <= against;
      if (found.look) begin
        is_ref_q <= found.is_ref;
        for (int unsigned b = 0; b < Kept; b++) begin
          if (found.beat == BeatBits'(b)) equal_q[b] <= found.equal;
        end
      end else begin
        for (int unsigned b = 0; b < Kept; b++) equal_q[b] <= '1;
      end
    end
    for (genvar b = 0; b < Kept; b++) begin : gen_beat
      assign found_o.equal[b*Lanes+:Lanes] = equal_q[b];
    end
    if (Kept < Beats) begin : gen_last
      assign found_o.equal[(Beats-1)*Lanes+:Lanes] = found.equal;
    end
    assign found_o.value = leader_q;
  end else begin : gen_beat
    assign found_o.value = against;
    assign found_o.is_ref = found.is_ref;
    assign leader_q = '0;
    assign found_o.equal = found.equal;
  end

  `WL_ASSERT(TakesFree, !take_i || !busy_q)
  `WL_ASSERT(OperandsOfTaken, !write || busy_q)
endmodule
