// Instruction cache of a sub-core and its miss unit (docs/microarchitecture.md 4): looks up the
// token in F2, and fills one line at a time from the SM port. Direct mapped, lines of 64 bytes. No
// prefetch of lines.
`include "cells/assert.svh"
module icache
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import port_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // verilator lint_off UNUSEDSIGNAL // with several sub-cores only
  input  sub_t                sub_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic                clear_i,
  input  logic                invalidate_i,
  input  logic [31:0]         code_words_i,
  input  logic [58:0]         code_sector_i,  // of instruction 0
  input  logic [SubWarps-1:0] warp_valid_i,
  input  logic [SubWarps-1:0] run_i,
  input  logic [SubWarps-1:0] kill_i,         // warps whose tokens die: arrives late
  // The token in F2, killed or not.
  input  logic                valid_i,
  input  logic [SubWarps-1:0] hot_i,          // its warp, one-hot
  input  pc_t                 pc_i,
  output logic                outside_o,      // not in the code
  output logic                go_o,           // goes on to D1
  output logic                miss_o,         // does not
  output logic [127:0]        even_o,         // in the next cycle: of an even, an odd pc
  output logic [127:0]        odd_o,
  output logic [SubWarps-1:0] miss_wait_o,    // warps that wait for the line that is filled
  output logic                idle_o,
  output logic                start_o,        // the miss unit is set
  output logic                req_valid_o,
  output packet_t             req_o,
  input  logic                req_grant_i,
  input  logic                rsp_valid_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  response_t           rsp_i
  // verilator lint_on UNUSEDSIGNAL
);
  localparam int unsigned Lines = IcacheBytes / 64;
  localparam int unsigned LineBits = $clog2(Lines);
  localparam int unsigned TagBits = 26 - LineBits;
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  // Look-up.
  logic [LineBits-1:0] line, mu_index;
  logic present, valid, same, hit;
  logic mu_valid_q, mu_done;
  logic [25:0] mu_line_q;
  assign line = pc_i[2+:LineBits];
  assign mu_index = mu_line_q[LineBits-1:0];
  // A line that is being filled is not valid.
  assign present = valid && !(mu_valid_q && mu_index == line);
  assign hit = present && same;
  assign outside_o = {4'b0, pc_i} >= code_words_i;
  assign go_o = valid_i && (outside_o || hit);
  assign miss_o = valid_i && !outside_o && !hit;

  // Miss unit: two sectors are requested and answered. Of the line that it filled last, the warp
  // that asked for it is pinned until it has read it, and no other line is filled.
  logic pin_valid_q, pin_stays, miss_start, killed;
  logic [SubWarps-1:0] mu_hot_q, pin_hot_q, pin_hot, miss_wait_q;
  logic [1:0] mu_sent_q;
  logic mu_got_q, rsp_mine;
  // verilator lint_off UNUSEDSIGNAL // above its fields it is zero
  icache_tag_t rsp_tag;
  // verilator lint_on UNUSEDSIGNAL
  assign rsp_tag = rsp_i.tag;
  assign rsp_mine = rsp_valid_i && rsp_i.unit == FromIcache &&
                    (SubCores == 1 || sub_t'(rsp_tag.sub) == sub_i);
  assign mu_done = rsp_mine && mu_got_q;
  assign miss_start = miss_o && !mu_valid_q && !pin_valid_q;
  assign killed = (hot_i & kill_i) != '0;
  assign pin_hot = mu_done ? mu_hot_q : pin_hot_q;
  // Timing: whether F2 goes on arrives late.
  assign pin_stays = mu_done ? (mu_hot_q & miss_wait_q) != '0 :
                     pin_valid_q && (pin_hot_q & (~warp_valid_i | ~run_i)) == '0 &&
                     !(go_o && (pin_hot_q & hot_i) != '0);
  assign idle_o = !mu_valid_q;
  assign start_o = rst_n && miss_start && !killed;
  assign miss_wait_o = miss_wait_q;
  assign req_valid_o = mu_valid_q && !mu_sent_q[1];
  always_comb begin
    req_o = '0;
    req_o.sector = {code_sector_i[58:LowBits],
                    code_sector_i[LowBits-1:0] + {mu_line_q, mu_sent_q[0]}};
    req_o.mask = '1;
    req_o.unit = FromIcache;
    req_o.tag = icache_tag_t'{zero: '0, sub: (SubCores == 1) ? '0 : 2'(sub_i), half: mu_sent_q[0]};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      mu_valid_q <= 1'b0;
      mu_sent_q <= '0;
      mu_got_q <= 1'b0;
      pin_valid_q <= 1'b0;
      miss_wait_q <= '0;
    end else begin
      pin_valid_q <= pin_stays && (pin_hot & kill_i) == '0;
      if (mu_done) mu_valid_q <= 1'b0;
      if (rsp_mine) mu_got_q <= 1'b1;
      if (req_valid_o && req_grant_i) mu_sent_q <= mu_sent_q + 2'd1;
      if (miss_start) begin
        mu_valid_q <= !killed;
        mu_sent_q <= '0;
        mu_got_q <= 1'b0;
      end
      miss_wait_q <= ((miss_wait_q & ~(mu_done ? mu_hot_q : '0)) |
                      (miss_start ? hot_i : '0)) & ~kill_i;
    end
    pin_hot_q <= pin_hot;
    if (miss_start) begin
      mu_line_q <= pc_i[27:2];
      mu_hot_q <= hot_i;
    end
  end

  // Sectors are two instructions, in a memory each.
  logic [127:0] instructions [2];
  assign even_o = instructions[0];
  assign odd_o = instructions[1];
  cache_array #(.Lines(Lines), .TagBits(TagBits), .Parts(2)) u_array (
    .clk_i, .rst_ni, .invalidate_i, .line_i(line), .tag_i(pc_i[27-:TagBits]), .valid_o(valid),
    .same_o(same), .read_i({go_o && pc_i[0], go_o && !pc_i[0]}), .sector_i(pc_i[LineBits+1:1]),
    .data_o(instructions), .fill_line_i(mu_index), .lose_i(1'b0), .fill_i(rsp_mine),
    .fill_half_i(rsp_tag.half), .fill_data_i(rsp_i.data), .fill_end_i(mu_done),
    .fill_tag_i(mu_line_q[25-:TagBits])
  );

  `WL_ASSERT(AnswerIsAwaited, !rsp_mine || mu_valid_q)
  `WL_ASSERT_ON(WaitsForTheLine, rst_n, miss_wait_q == '0 || mu_valid_q)

  `WL_ASSERT_ON(PinnedLineStays, rst_n, !(pin_valid_q && mu_valid_q))
  `WL_ASSERT_ON(OneWaits, rst_n, $onehot0(miss_wait_q))
  `WL_ASSERT_HELD(RequestWaits, req_valid_o, req_grant_i || clear_i, req_o.sector)
endmodule
