// Products in tensor memory: the words of an instruction as they come in X1 (docs/microarchitecture.md
// 25.1, 6.1), three a step, and the command in T, the cycle after the last of them. One sub-core at a
// time has such an X1, and of its lanes one.
`include "cells/assert.svh"

module umma_words
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import umma_pkg::*;
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
  input  logic [Lanes-1:0]   x1_ps_i [SubCores],
  output umma_command_t      command_o
);
  logic [SubCores-1:0] mine;
  logic                any, read;      // read: predicate of the lane
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  x1_t                 x1;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0]         words [3];
  logic [4:0]          lane;
  warp_slot_t          warp;
  logic [CtaBits-1:0]  cta;
  always_comb begin
    read = 1'b0;
    for (int unsigned k = 0; k < SubCores; k++) begin
      mine[k] = x1_i[k].valid && x1_i[k].info.unit == UnitUmma;
      if (mine[k]) read = (x1_i[k].mask & x1_ps_i[k]) != '0;
    end
  end
  lane_words u_lane (
    .clk_i, .rst_ni, .warp_cta_i, .mine_i(mine), .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
    .any_o(any), .x1_o(x1), .words_o(words), .lane_o(lane), .warp_o(warp), .cta_o(cta)
  );

  umma_command_t command_q;
  always_ff @(posedge clk_i) begin
    command_q.valid <= rst_ni && !clear_i && any && x1.last;
    if (any) begin
      unique case (2'(x1.step))
        2'd0: begin
          {command_q.a[2], command_q.a[1], command_q.a[0]} <= {words[2], words[1], words[0]};
          command_q.off <= '0;
        end
        2'd1: {command_q.b[1], command_q.b[0], command_q.a[3]} <= {words[2], words[1], words[0]};
        2'd2: {command_q.off[2], command_q.off[1], command_q.off[0]} <= {words[2], words[1], words[0]};
        2'd3: command_q.off[3] <= words[0];
      endcase
      command_q.code <= umma_code_t'(x1.info.op);
      {command_q.scaled, command_q.b16} <= '0;
      if (TensorScaled != 0 && x1.info.op inside {8'(UmmaMxf8f6f4), 8'(UmmaMxf4)}) begin
        command_q.scaled <= 1'b1;
        command_q.b16 <= x1.word.mods.matrix.b16;
        command_q.code <= (x1.info.op == 8'(UmmaMxf4)) ? CodeMx4 : CodeF8;
      end
      command_q.ta <= x1.word.mods.matrix.ta;
      command_q.imm <= x1.word.imm[4:0];
      command_q.generic <= x1.info.a_words == 3'd2;
      command_q.read <= read;
      command_q.scale <= (x1.info.op == 8'(UmmaF16) || x1.info.op == 8'(UmmaTf32)) ?
                         x1.word.imm[3:0] : '0;
      command_q.warp <= warp;
      command_q.cta <= cta;
      command_q.lane <= lane;
      command_q.pc <= x1.pc;
      command_q.base <= {(AtBits-6)'(32'(cta) * 32'(smem_units_i)), 6'd0};
    end
  end
  assign command_o = command_q;

  // Forms of one step; products of block scales (26.9) have three.
  `WL_ASSERT(Steps, !any || x1.last == (umma_code_t'(x1.info.op) inside
                                        {CodeCommit, CodeCp, CodeShift} || 32'(x1.step) ==
                                        ((x1.info.c_words != 3'd0) ? 3 :
                                         (x1.info.b_words == 3'd4) ? 2 : 1)))
endmodule
