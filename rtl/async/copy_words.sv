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
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  x1_t                 x1;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0]         words [3];
  logic [4:0]          lane;
  warp_slot_t          warp;
  logic [CtaBits-1:0]  cta;
  always_comb begin
    for (int unsigned k = 0; k < SubCores; k++) begin
      mine[k] = x1_i[k].valid && x1_i[k].info.unit == UnitCopy;
    end
  end
  lane_words u_lane (
    .clk_i, .rst_ni, .warp_cta_i, .mine_i(mine), .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
    .any_o(any), .x1_o(x1), .words_o(words), .lane_o(lane), .warp_o(warp), .cta_o(cta)
  );

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
      command_q.base <= {(SmemBits-10)'(32'(cta) * 32'(smem_units_i)), 10'd0};
    end
  end
  assign command_o = command_q;

  `WL_ASSERT(TwoSteps, !any || (32'(x1.step) < 2 && x1.last == (x1.step != '0)))
endmodule
