// Copy engine: the words of an instruction as they come in X1 (docs/microarchitecture.md 23.1, 6.1), and
// the command in T, the cycle after the last of them. Step 0 brings g and s, step 1 k and m. One
// sub-core at a time has such an X1, and of its lanes one.
`include "cells/assert.svh"

module copy_words
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import copy_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               clear_i,
  input  logic [9:0]         smem_units_i,       // shared memory of a CTA, units of 1,024 bytes
  input  logic [CtaBits-1:0] warp_cta_i [Warps],
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  x1_t                x1_i [SubCores],
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]        x1_a_i [SubCores][Lanes],
  input  logic [31:0]        x1_b_i [SubCores][Lanes],
  input  logic [31:0]        x1_c_i [SubCores][Lanes],
  output command_t           command_o
);
  logic [SubCores-1:0] mine;
  logic                any;
  sub_t                sub;
  assign any = mine != '0;
  always_comb begin
    mine = '0;
    sub = '0;
    for (int unsigned k = 0; k < SubCores; k++) begin
      if (x1_i[k].valid && x1_i[k].info.unit == UnitCopy) begin
        mine[k] = 1'b1;
        sub = sub_t'(k);
      end
    end
  end

  // The words of the step, of its lane.
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  x1_t         x1;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] words [3];
  logic [4:0]  lane;
  warp_slot_t  warp;
  smem_addr_t  base;
  always_comb begin
    x1 = 'x;
    words = '{default: 'x};
    lane = 'x;
    warp = 'x;
    base = 'x;
    if (any) begin
      x1 = x1_i[sub];
      words = '{default: '0};
      lane = '0;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (x1.mask[l]) begin
          words[0] |= x1_a_i[sub][l];
          words[1] |= x1_b_i[sub][l];
          words[2] |= x1_c_i[sub][l];
          lane |= 5'(32'(x1.beat) * Lanes + l);
        end
      end
      warp = slot_of(x1.warp, sub);
      base = {(SmemBits-10)'(32'(warp_cta_i[warp]) * 32'(smem_units_i)), 10'd0};
    end
  end

  command_t command_q;
  always_ff @(posedge clk_i) begin
    command_q.valid <= rst_ni && !clear_i && any && x1.last;
    if (any) begin
      if (x1.step == '0) begin
        command_q.g <= {words[1], words[0]};
        command_q.s <= words[2];
      end else begin
        command_q.k <= words[0];
        command_q.m <= words[1];
      end
      command_q.warp <= warp;
      command_q.lane <= lane;
      command_q.pc <= x1.pc;
      command_q.kind <= x1.info.kind;
      command_q.mtype <= x1.info.mtype;
      command_q.atom <= x1.info.atom;
      command_q.base <= base;
    end
  end
  assign command_o = command_q;

  `WL_ASSERT(OneSubcore, $onehot0(mine))
  `WL_ASSERT(OneLane, !any || $onehot(x1.mask))
  `WL_ASSERT(TwoSteps, !any || (32'(x1.step) < 2 && x1.last == (x1.step != '0)))
endmodule
