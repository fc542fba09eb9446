// Allocator of tensor memory: the words of an instruction as they come in X1 (docs/microarchitecture.md
// 24.1, 6.1), and the command in T, the cycle after the last of them. ALLOC: the number of columns.
// DEALLOC: the address, then the number. One sub-core at a time has such an X1, and of its lanes one.
`include "cells/assert.svh"

module columns_words
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               clear_i,
  input  logic [CtaBits-1:0] warp_cta_i [Warps],
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  x1_t                x1_i [SubCores],
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]        x1_a_i [SubCores][Lanes],
  output columns_command_t   command_o
);
  logic [SubCores-1:0] mine;
  logic                any;
  // verilator lint_off UNUSEDSIGNAL // the one group of the forms
  x1_t                 x1;
  logic [31:0]         words [3];
  // verilator lint_on UNUSEDSIGNAL
  logic [4:0]          lane;
  warp_slot_t          warp;
  logic [CtaBits-1:0]  cta;
  always_comb begin
    for (int unsigned k = 0; k < SubCores; k++) mine[k] = x1_i[k].valid && is_columns(x1_i[k].info);
  end
  lane_words #(.Groups(1)) u_lane (
    .clk_i, .rst_ni, .warp_cta_i, .mine_i(mine), .x1_i, .x1_a_i, .x1_b_i(x1_a_i), .x1_c_i(x1_a_i),
    .any_o(any), .x1_o(x1), .words_o(words), .lane_o(lane), .warp_o(warp), .cta_o(cta)
  );

  columns_command_t command_q;
  always_ff @(posedge clk_i) begin
    command_q.valid <= rst_ni && !clear_i && any && x1.last;
    if (any) begin
      if (x1.step == '0) command_q.address <= words[0];
      command_q.number <= words[0];    // the last word
      command_q.op <= tmem_op_e'(x1.info.op);
      command_q.warp <= warp;
      command_q.cta <= cta;
      command_q.lane <= lane;
      command_q.pc <= x1.pc;
    end
  end
  assign command_o = command_q;

  `WL_ASSERT(Steps, !any || x1.last == (32'(x1.step) == 32'(x1.info.op == 8'(TmemDealloc))))
endmodule
