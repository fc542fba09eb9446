// Unit of 64-bit floating point of a sub-core (docs/microarchitecture.md 20): sums, products and
// fused multiply-adds. Sets hold the operands of instructions. The engine takes the sets in the
// order of issue and puts group after group of lanes into the pipe. The words of an instruction go
// to the result queue when its last group has left the pipe. The arithmetic is in fp64_lane.
`include "cells/assert.svh"

module fp64
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import fp64_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  issue_t      issue_i,
  input  x1_t         x1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] x1_a_i [Lanes],
  input  logic [31:0] x1_b_i [Lanes],
  input  logic [31:0] x1_c_i [Lanes],
  output logic        ready_o,        // a set is free
  output logic        rest_o,         // nothing under way (15)
  // Result queue (6.5).
  output vwb_t        result_o,
  output logic [Lanes-1:0][31:0] result_data_o,
  input  logic        result_taken_i
);
  localparam int unsigned Groups = Lanes / Fp64Lanes;
  localparam int unsigned GroupBits = (Groups > 1) ? $clog2(Groups) : 1;
  localparam int unsigned SetBits = (Fp64Sets > 1) ? $clog2(Fp64Sets) : 1;
  typedef logic [SetBits-1:0] set_t;
  typedef logic [GroupBits-1:0] group_t;
  typedef logic [Groups-1:0] groups_t;
  typedef logic [$clog2(Lanes)-1:0] lane_t;
  // A word of each lane. Vectors, not arrays: a simulator keeps no pending writes of them.
  typedef logic [Lanes-1:0][31:0] row_t;
  function automatic set_t next_set(input set_t s);
    return (s == set_t'(Fp64Sets - 1)) ? '0 : s + set_t'(1);
  endfunction
  // Groups with lanes of E.
  function automatic groups_t groups_of(input logic [Lanes-1:0] lanes);
    groups_t g;
    for (int unsigned i = 0; i < Groups; i++) g[i] = lanes[i*Fp64Lanes+:Fp64Lanes] != '0;
    return g;
  endfunction
  function automatic group_t lowest(input groups_t g);
    group_t n;
    n = '0;
    for (int unsigned i = Groups; i != 0; i--) if (g[i-1]) n = group_t'(i - 1);
    return n;
  endfunction

  typedef struct packed {
    fp64_op_e         op;
    logic             negate;   // neg_b
    logic [1:0]       rnd;
    warp_t            warp;
    logic [7:0]       rd;
    logic [Lanes-1:0] exec;     // E
  } set_info_t;

  // ---- Sets: a ring. Issue takes one, X1 fills them in the same order, the engine frees them.
  logic [Fp64Sets-1:0] used_q, full_q;
  set_info_t           info_q [Fp64Sets];
  row_t [Fp64Sets-1:0] a_low_q, a_high_q, b_low_q, b_high_q, c_low_q, c_high_q;
  set_t                alloc_q, fill_q;
  logic                start, fill;
  assign start = issue_i.valid && !issue_i.empty && !issue_i.ctl &&
                 issue_i.insn.info.unit == UnitFp64;
  assign fill = x1_i.valid && x1_i.info.unit == UnitFp64 && !x1_i.arrival;
  assign ready_o = !used_q[alloc_q];
  always_ff @(posedge clk_i) begin
    if (start) begin
      info_q[alloc_q] <= '{op: fp64_op_e'(issue_i.insn.info.op),
                           negate: issue_i.insn.word.mods.arithmetic.neg_b,
                           rnd: issue_i.insn.word.mods.arithmetic.rnd, warp: issue_i.warp,
                           rd: issue_i.insn.word.rd, exec: Lanes'(issue_i.exec)};
    end
    // The step list: words of a, b, c.
    if (fill) begin
      automatic row_t first, second, third;
      for (int unsigned l = 0; l < Lanes; l++) begin
        first[l] = x1_a_i[l];
        second[l] = x1_b_i[l];
        third[l] = x1_c_i[l];
      end
      if (x1_i.step == '0) begin
        a_low_q[fill_q] <= first;
        a_high_q[fill_q] <= second;
        b_low_q[fill_q] <= third;
      end else begin
        b_high_q[fill_q] <= first;
        c_low_q[fill_q] <= second;
        c_high_q[fill_q] <= third;
      end
    end
  end

  // ---- Engine: each cycle a group of the instruction that it works on.
  logic    cur_valid_q, move, work, ends;
  set_t    set_q, after;
  groups_t left_q, left;      // groups that are left; without the one of the cycle
  group_t  group;
  assign work = cur_valid_q && move;
  assign left = left_q & (left_q - groups_t'(1));
  assign group = lowest(left_q);
  assign ends = work && left == '0;
  assign after = next_set(set_q);
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
        cur_valid_q <= full_q[after] && Fp64Sets > 1;
      end
    end
    if (work) left_q <= left;
    if (ends) left_q <= groups_of(info_q[after].exec);
    if (move && !cur_valid_q) left_q <= groups_of(info_q[set_q].exec);
  end

  // ---- The pipe: which stages hold a group, and of what. Stage 1 is the operands of the lanes.
  typedef struct packed {
    warp_t            warp;
    logic [7:0]       rd;
    logic [Lanes-1:0] exec;
    group_t           group;
    logic             last;     // of its instruction
  } place_t;
  logic [Fp64Latency:1] valid_q;
  place_t [Fp64Latency:1] place_q;
  logic                 arrive, complete;
  logic                 done_valid_q;   // words of an instruction wait
  place_t               to;
  assign to = place_q[Fp64Latency];
  assign move = !(done_valid_q && valid_q[Fp64Latency] && to.last);
  assign arrive = move && valid_q[Fp64Latency];
  assign complete = arrive && to.last;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) valid_q <= '0;
    else if (move) valid_q <= {valid_q[Fp64Latency-1:1], cur_valid_q};
    if (work || (move && valid_q != '0)) begin
      automatic place_t place;
      place = '{warp: info_q[set_q].warp, rd: info_q[set_q].rd, exec: info_q[set_q].exec,
                group: group, last: left == '0};
      place_q <= {place_q[Fp64Latency-1:1], place};
    end
  end

  fp64_kind_t kind_q;
  f64_t [Fp64Lanes-1:0] x_q, y_q, z_q;
  f64_t       d [Fp64Lanes];
  always_ff @(posedge clk_i) begin
    if (work) begin
      kind_q <= '{negate: info_q[set_q].op == Fp64Dadd && info_q[set_q].negate,
                  product: info_q[set_q].op == Fp64Dmul, rnd: info_q[set_q].rnd};
      for (int unsigned i = 0; i < Fp64Lanes; i++) begin
        automatic lane_t l = lane_t'(32'(group) * Fp64Lanes + i);
        automatic f64_t b = {b_high_q[set_q][l], b_low_q[set_q][l]};
        x_q[i] <= {a_high_q[set_q][l], a_low_q[set_q][l]};
        y_q[i] <= (info_q[set_q].op == Fp64Dadd) ? One : b;  // a + b is a * 1 + b
        z_q[i] <= (info_q[set_q].op == Fp64Dadd) ? b
                                                 : {c_high_q[set_q][l], c_low_q[set_q][l]};
      end
    end
  end
  for (genvar i = 0; i < int'(Fp64Lanes); i++) begin : gen_lane
    fp64_lane u_lane (
      .clk_i, .en_i({7{move}} & valid_q[Fp64Latency-1:1]), .kind_i(kind_q), .x_i(x_q[i]),
      .y_i(y_q[i]), .z_i(z_q[i]), .d_o(d[i])
    );
  end

  // ---- Words of an instruction that is not complete; those of the one that is. The second word
  // follows when the first one is taken.
  row_t        low_q, high_q, done_low_q, done_high_q;
  logic        k_q;
  warp_t            done_warp_q;
  logic [7:0]       done_rd_q;
  logic [Lanes-1:0] done_exec_q;
  always_ff @(posedge clk_i) begin
    if (arrive) begin
      automatic row_t low, high;
      {low, high} = {low_q, high_q};
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (l / Fp64Lanes == 32'(to.group)) {high[l], low[l]} = d[l%Fp64Lanes];
      end
      {low_q, high_q} <= {low, high};
      if (to.last) begin
        {done_low_q, done_high_q} <= {low, high};
        {done_warp_q, done_rd_q, done_exec_q} <= {to.warp, to.rd, to.exec};
      end
    end
    if (result_taken_i) done_low_q <= done_high_q;
    if (!rst_ni || clear_i) begin
      done_valid_q <= 1'b0;
      k_q <= 1'b0;
    end else begin
      if (complete) done_valid_q <= 1'b1;
      else if (result_taken_i && k_q) done_valid_q <= 1'b0;
      if (result_taken_i) k_q <= !k_q;
    end
  end
  always_comb begin
    result_o = '0;
    result_o.valid = done_valid_q;
    result_o.warp = done_warp_q;
    result_o.rd = done_rd_q + 8'(k_q);
    result_o.has_reg = done_rd_q != 8'd255 && result_o.rd != 8'd255;
    result_o.mask = done_exec_q;
    result_o.last_beat = 1'b1;
    result_o.last = k_q;
  end
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_word
    assign result_data_o[l] = done_low_q[l];
  end
  assign rest_o = used_q == '0 && !cur_valid_q && !done_valid_q && valid_q == '0;

  if (Beats != 1 || Fp64Latency != 8) begin : gen_not_possible
    $error("fp64: one beat and eight stages");
  end
  `WL_ASSERT(TakesFreeSet, !start || !used_q[alloc_q])
  `WL_ASSERT(HasLanes, !start || issue_i.exec != '0)
  `WL_ASSERT(FillsTaken, !fill || (used_q[fill_q] && !full_q[fill_q]))
  `WL_ASSERT(TwoSteps, !fill || (x1_i.step <= 1 && x1_i.last == (x1_i.step != '0)))
  `WL_ASSERT(WorksOnFull, !cur_valid_q || (full_q[set_q] && left_q != '0))
  `WL_ASSERT(ReadNotFilled, !(fill && work) || fill_q != set_q)
  `WL_ASSERT(DoneHasRoom, !complete || !done_valid_q)
  `WL_ASSERT(TakenPresented, !result_taken_i || done_valid_q)
  `WL_ASSERT(SecondOfDone, !k_q || done_valid_q)
endmodule
