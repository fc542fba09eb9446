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
  sub_t                sub;
  assign any = mine != '0;
  always_comb begin
    mine = '0;
    sub = '0;
    for (int unsigned k = 0; k < SubCores; k++) begin
      if (x1_i[k].valid && is_columns(x1_i[k].info)) begin
        mine[k] = 1'b1;
        sub = sub_t'(k);
      end
    end
  end

  // The word of the step, of its lane.
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  x1_t         x1;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] word;
  logic [4:0]  lane;
  warp_slot_t  warp;
  always_comb begin
    x1 = 'x;
    word = 'x;
    lane = 'x;
    warp = 'x;
    if (any) begin
      x1 = x1_i[sub];
      word = '0;
      lane = '0;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (x1.mask[l]) begin
          word |= x1_a_i[sub][l];
          lane |= 5'(32'(x1.beat) * Lanes + l);
        end
      end
      warp = slot_of(x1.warp, sub);
    end
  end

  columns_command_t command_q;
  always_ff @(posedge clk_i) begin
    command_q.valid <= rst_ni && !clear_i && any && x1.last;
    if (any) begin
      if (x1.step == '0) command_q.address <= word;
      command_q.number <= word;    // the last word
      command_q.op <= tmem_op_e'(x1.info.op);
      command_q.warp <= warp;
      command_q.cta <= warp_cta_i[warp];
      command_q.lane <= lane;
      command_q.pc <= x1.pc;
    end
  end
  assign command_o = command_q;

  `WL_ASSERT(OneSubcore, $onehot0(mine))
  `WL_ASSERT(OneLane, !any || $onehot(x1.mask))
  `WL_ASSERT(Steps, !any || x1.last == (32'(x1.step) == 32'(x1.info.op == 8'(TmemDealloc))))
endmodule
