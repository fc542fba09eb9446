// Fetch (docs/microarchitecture.md 4): F1 chooses a warp and its PC, F2 looks up the instruction
// cache (icache.sv), D1 and D2 decode (decode.sv), the instruction buffers follow (ibuffer.sv). No
// branch prediction.
`include "cells/assert.svh"
module fetch
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import hazard_pkg::*;
  import port_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // verilator lint_off UNUSEDSIGNAL // with several sub-cores only
  input  sub_t                sub_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic                stall_i,  // disturbance (17)
  input  logic                clear_i,
  input  logic                invalidate_i,
  input  pc_t                 entry_pc_i,
  input  logic [31:0]         code_words_i,
  input  logic [58:0]         code_sector_i,  // of instruction 0
  input  logic [SubWarps-1:0] warp_valid_i,
  input  logic [SubWarps-1:0] warp_start_i,
  input  logic [SubWarps-1:0] run_i,
  input  logic                trap_pending_i,
  input  logic [SubWarps-1:0] flush_i,
  input  setpc_t              setpc_resolve_i,
  input  setpc_t              setpc_engine_i,
  input  logic                pop_valid_i,
  input  warp_t               head_warp_i,  // warp whose oldest instruction is read, and popped
  output logic [SubWarps-1:0] head_valid_o,
  output logic [SubWarps-1:0] head_changed_o,  // pushed, popped or flushed in the cycle before
  output need_t               need_o [SubWarps],  // HazardScan = 1: trap, unit and tbuf flags only
  // verilator lint_off UNUSEDSIGNAL // HazardScan = 1 only
  input  warp_t               scan_warp_i,     // warp whose needs are read
  // verilator lint_on UNUSEDSIGNAL
  output scan_need_t          need_scan_o,
  output insn_t               head_o,
  output logic                idle_o,
  output logic                miss_o,       // the miss unit is set
  output logic                req_valid_o,
  output packet_t             req_o,
  input  logic                req_grant_i,
  input  logic                rsp_valid_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  response_t           rsp_i
  // verilator lint_on UNUSEDSIGNAL
);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;
  // Nobody reads the PC, the token or the entry that is written for a killed warp.
  // Timing: so only valid bits and counts wait for this, which arrives late.
  logic [SubWarps-1:0] kill;
  assign kill = flush_i | warp_start_i;

  logic [SubWarps-1:0] miss_wait, room;

  // F1: choose a warp, the first eligible one after the last.
  logic [SubWarps-1:0] eligible, after_last, f1_hot, after_q, miss_bit;  // killed or not
  logic f1_valid, f1_again;
  logic f2_valid_q, f2_outside, f2_miss, f2_go;  // killed or not
  logic [SubWarps-1:0] f2_hot_q;
  warp_t f1_warp, f2_warp_q;
  pc_t f1_pc, f2_pc_q, f2_next;
  assign eligible = (trap_pending_i || stall_i) ? '0 : warp_valid_i & run_i & ~miss_wait & room;
  assign f1_valid = eligible != '0;
  assign after_last = eligible & after_q;
  // Timing: of few warps both choices, in parallel with the question which of them counts.
  if (SubWarps <= 8) begin : gen_few
    assign f1_warp = (after_last != '0) ? lowest_warp(after_last) : lowest_warp(eligible);
    assign f1_hot = (after_last != '0) ? after_last & (~after_last + SubWarps'(1)) :
                                         eligible & (~eligible + SubWarps'(1));
  end else begin : gen_many
    logic [SubWarps-1:0] from;
    assign from = (after_last != '0) ? after_last : eligible;
    assign f1_hot = from & (~from + SubWarps'(1));
    assign f1_warp = warp_number(f1_hot);
  end
  // One warp at most is chosen, and one misses.
  assign f1_again = (f1_hot & f2_hot_q) != '0;

  // The fetch PC of a warp: that of its last token (again if it missed, or the next one), or what
  // resolve, the path engine or the launch gave last.
  // Timing: each source has a memory of its own with one write port, and the choice among them is
  // made in parallel with the choice of the warp. A token's PC and the next one are written from
  // F2; that of the warp in F2 is taken from there.
  typedef enum logic [1:0] {FromToken, FromResolve, FromEngine, FromEntry} origin_e;
  pc_t token_pc_q [SubWarps];
  pc_t next_pc_q [SubWarps];
  pc_t resolve_pc_q [SubWarps];
  pc_t engine_pc_q [SubWarps];
  origin_e origin_q [SubWarps];
  logic [SubWarps-1:0] after_token_q, resolve_bit, engine_bit;
  assign resolve_bit = setpc_resolve_i.valid ? SubWarps'(1) << setpc_resolve_i.warp : '0;
  assign engine_bit = setpc_engine_i.valid ? SubWarps'(1) << setpc_engine_i.warp : '0;
  // By which of them a warp goes on: of tokens 0 the last, 4 the next, 5 the next of that in F2;
  // else 1 to 3, the origin.
  logic [2:0] source [SubWarps];
  always_comb begin
    for (int unsigned w = 0; w < SubWarps; w++) begin
      source[w] = {1'b0, origin_q[w]};
      if (origin_q[w] == FromToken && after_token_q[w]) source[w] = {2'b10, f2_hot_q[w]};
    end
  end
  pc_t pc_x [8];
  assign f2_next = f2_pc_q + 28'd1;
  assign pc_x = '{token_pc_q[f1_warp], resolve_pc_q[f1_warp], engine_pc_q[f1_warp], entry_pc_i,
                  next_pc_q[f1_warp], f2_next, 28'd0, 28'd0};
  mux_tree #(.Width(28), .Bits(3)) u_pc (
    .sel_i(source[f1_warp]), .x_i(pc_x), .y_o(f1_pc)
  );
  always_ff @(posedge clk_i) begin
    if (f2_valid_q) begin
      token_pc_q[f2_warp_q] <= f2_pc_q;
      next_pc_q[f2_warp_q] <= f2_next;
    end
    if (setpc_resolve_i.valid) resolve_pc_q[setpc_resolve_i.warp] <= setpc_resolve_i.pc;
    if (setpc_engine_i.valid) engine_pc_q[setpc_engine_i.warp] <= setpc_engine_i.pc;
    if ((f1_hot | resolve_bit | engine_bit | warp_start_i) != '0) begin
      origin_e origin [SubWarps];
      origin = origin_q;
      for (int unsigned w = 0; w < SubWarps; w++) begin
        if (warp_start_i[w]) origin[w] = FromEntry;
        else if (engine_bit[w]) origin[w] = FromEngine;
        else if (resolve_bit[w]) origin[w] = FromResolve;
        // (A warp that misses has been here in the cycle before.)
        else if (f1_hot[w]) origin[w] = FromToken;
      end
      origin_q <= origin;
    end
    after_token_q <= (after_token_q | f1_hot) &
                     ~(miss_bit | resolve_bit | engine_bit | warp_start_i);
  end

  // F2.
  logic [127:0] even, odd;
  icache u_icache (
    .clk_i, .rst_ni, .sub_i, .clear_i, .invalidate_i, .code_words_i, .code_sector_i,
    .warp_valid_i, .run_i, .kill_i(kill), .valid_i(f2_valid_q), .hot_i(f2_hot_q), .pc_i(f2_pc_q),
    .outside_o(f2_outside), .go_o(f2_go), .miss_o(f2_miss), .even_o(even), .odd_o(odd),
    .miss_wait_o(miss_wait), .idle_o, .start_o(miss_o),
    .req_valid_o, .req_o, .req_grant_i, .rsp_valid_i, .rsp_i
  );
  assign miss_bit = f2_miss ? f2_hot_q : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      f2_valid_q <= 1'b0;
      after_q <= '0;
    end else begin
      f2_valid_q <= (f1_hot & ~kill) != '0 && !(f2_miss && f1_again);
      if (f1_valid) after_q <= ~(f1_hot | (f1_hot - SubWarps'(1)));
    end
    if (f1_valid) begin  // taken or not
      f2_hot_q <= f1_hot;
      f2_warp_q <= f1_warp;
      f2_pc_q <= f1_pc;
    end
  end

  // D1, D2, instruction buffers.
  logic [SubWarps-1:0] push_bit;  // killed or not
  warp_t push_warp;
  insn_t push_insn;
  need_t push_need;
  decode u_decode (
    .clk_i, .rst_ni(rst_n), .sub_i, .kill_i(kill),
    .valid_i(f2_go), .warp_i(f2_hot_q), .pc_i(f2_pc_q), .oob_i(f2_outside),
    .even_i(even), .odd_i(odd),
    .put_o(push_bit), .push_warp_o(push_warp), .insn_o(push_insn), .need_o(push_need)
  );
  ibuffer u_ibuffer (
    .clk_i, .rst_ni(rst_n), .kill_i(kill), .token_i(f1_hot), .f2_i(f2_valid_q ? f2_hot_q : '0),
    .miss_i(miss_bit), .push_i(push_bit), .push_warp_i(push_warp), .push_insn_i(push_insn),
    .push_need_i(push_need), .pop_i(pop_valid_i), .head_warp_i, .room_o(room), .head_valid_o,
    .head_changed_o, .need_o, .scan_warp_i, .need_scan_o, .head_o
  );

  `WL_ASSERT_ON(OneToken, rst_n, $onehot0(f1_hot) && (!f2_valid_q || $onehot(f2_hot_q)))

  `WL_ASSERT_ON(OneTellsThePc, rst_n, (resolve_bit & engine_bit) == '0)
endmodule
