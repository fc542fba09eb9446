// LSU: the ring of slots (docs/microarchitecture.md 10): their states, the answers that they wait for,
// and what they know of their instruction. FILL and PROC are neither of ready, sent and wb; a free
// slot is not busy.
`include "cells/assert.svh"
module lsu_slots
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import lsu_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // An instruction takes the next slot.
  input  logic                take_i,
  input  slot_info_t          info_i,
  input  logic                silent_i,      // store or RED: writes nothing back
  output logic                ready_o,       // the next slot is free
  output slot_t               alloc_o,
  // X1: what the lanes of a step are.
  input  logic                judge_i,
  input  logic                judge_first_i,
  input  logic                judge_last_i,
  input  slot_t               judge_slot_i,
  input  groups_t             any_g_i,
  input  groups_t             any_l_i,
  input  beats_t              any_s_i,
  input  fault_e              fault_i,
  input  logic [4:0]          fault_lane_i,
  output logic                unfound_o,     // the lanes before have no fault
  // Processor.
  input  slot_t               slot_i,
  output logic                slot_ready_o,
  output slot_info_t          slot_info_o,
  output slot_fill_t          slot_fill_o,
  input  logic                slot_fault_i,
  input  logic                slot_start_i,
  input  logic                slot_done_i,
  input  logic                slot_count_i,  // a packet or request more to be answered
  input  logic                out_valid_i,   // a packet is at the port
  input  slot_t               out_slot_i,
  // Answers.
  input  logic                answer_i,
  input  slot_t               answer_slot_i,
  output warp_slot_t          answer_warp_o,
  output pc_t                 answer_pc_o,
  // Write-back.
  output logic                en_o,          // some slot is in SENT or WB
  output logic [LsuDepth-1:0] enter_o,       // enters WB
  output logic [LsuDepth-1:0] wb_o,          // is in WB
  input  logic [LsuDepth-1:0] leave_i,       // its last word is granted
  input  logic [LsuDepth-1:0] resend_i,      // its last request is taken: SENT again, as a store
  input  logic                offer_i,       // a request of this slot in WB is taken
  input  slot_t               offer_slot_i,
  output logic [LsuDepth-1:0] free_o,        // freed without one
  output logic [LsuDepth-1:0] end_o,         // those that end like stores
  output logic [LsuDepth-1:0] busy_o,        // is in use
  output warp_slot_t          warp_o [LsuDepth],
  // Of two more slots.
  input  slot_t               look_i,
  output wb_info_t            look_info_o,
  input  slot_t               response_i,
  output mem_type_e           response_type_o,
  output logic                rest_o
);
  logic [LsuDepth-1:0] busy_q, ready_q, sent_q, wb_q;
  logic [LsuDepth-1:0] silent_q;
  (* ram_style = "distributed" *)
  slot_info_t          info_q [LsuDepth];
  warp_slot_t          warp_q [LsuDepth];
  (* ram_style = "distributed" *)
  slot_fill_t          fill_q [LsuDepth];    // valid from READY on
  slot_fill_t          acc_q, acc_d;         // of the slot that fills: one after the other
  logic                open_q;               // some of its X1 tokens have come
  logic [7:0]          outst_q [LsuDepth];
  logic [LsuDepth-1:0] none_q;               // outst_q is 0
  slot_t               alloc_q;
  assign ready_o = !busy_q[alloc_q];
  assign alloc_o = alloc_q;
  assign slot_ready_o = ready_q[slot_i];
  assign slot_info_o = info_q[slot_i];
  assign slot_fill_o = fill_q[slot_i];
  // verilator lint_off UNUSEDSIGNAL // a reader needs some of the fields
  slot_info_t look, response, answer;
  // verilator lint_on UNUSEDSIGNAL
  assign look = info_q[look_i];
  assign response = info_q[response_i];
  assign answer = info_q[answer_slot_i];
  assign answer_warp_o = answer.warp;
  assign answer_pc_o = answer.pc;
  assign look_info_o = '{warp: look.warp, mtype: look.mtype, matrix: look.matrix,
                        last_word: look.last_word, rd: look.rd,
                        copy: look.kind == MemKindCpasync, arrive: look.kind == MemKindCparrive};
  assign response_type_o = LateExtend ? MemTypeB32 : response.mtype;

  // What leaves SENT; with LsuDelay a cycle later, out of a register.
  logic [LsuDepth-1:0] drained, gone;
  if (LsuDelay == 1) begin : gen_gone
    logic [LsuDepth-1:0] due_q;
    assign gone = due_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) due_q <= '0;
      else due_q <= drained & ~due_q;
    end
  end else begin : gen_gone
    assign gone = drained;
  end
  assign en_o = (sent_q | wb_q) != '0;
  assign wb_o = wb_q;
  assign busy_o = busy_q;
  assign enter_o = gone & ~silent_q;
  always_comb begin
    drained = '0;   // SENT, nothing outstanding, no packet at the port
    if (sent_q != '0) begin
      for (int i = 0; i < int'(LsuDepth); i++) begin
        drained[i] = sent_q[i] && none_q[i] && !(out_valid_i && out_slot_i == slot_t'(i));
      end
    end
    end_o = gone & silent_q;
    free_o = end_o;
    if (slot_fault_i) free_o[slot_i] = 1'b1;
    for (int i = 0; i < int'(LsuDepth); i++) warp_o[i] = warp_q[i];
  end

  assign unfound_o = !open_q || acc_q.fault == FaultNone;
  always_comb begin
    acc_d = acc_q;
    if (!open_q) begin
      acc_d.has_g = 1'b0;
      acc_d.has_l = 1'b0;
      acc_d.any_g = '0;
      acc_d.any_l = '0;
      acc_d.any_s = '0;
      acc_d.fault = FaultNone;
    end
    if (judge_first_i) begin
      // LSU beats come in ascending order: the first fault is the lowest lane's.
      if (unfound_o) begin
        acc_d.fault = fault_i;
        acc_d.fault_lane = fault_lane_i;
      end
      acc_d.has_g = acc_d.has_g || any_g_i != '0;
      acc_d.has_l = acc_d.has_l || any_l_i != '0;
      acc_d.any_g = acc_d.any_g | any_g_i;
      acc_d.any_l = acc_d.any_l | any_l_i;
      acc_d.any_s = acc_d.any_s | any_s_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alloc_q <= '0;
      busy_q <= '0;
      ready_q <= '0;
      sent_q <= '0;
      wb_q <= '0;
      open_q <= 1'b0;
    end else begin
      if (judge_i) open_q <= !judge_last_i;
      if (take_i) begin
        alloc_q <= alloc_q + slot_t'(1);
        busy_q[alloc_q] <= 1'b1;
      end
      if (judge_last_i) ready_q[judge_slot_i] <= 1'b1;
      if (slot_fault_i || slot_start_i) ready_q[slot_i] <= 1'b0;
      sent_q <= (sent_q & ~gone) | resend_i;
      if (slot_done_i) sent_q[slot_i] <= 1'b1;
      wb_q <= (wb_q & ~leave_i & ~resend_i) | enter_o;
      for (int i = 0; i < int'(LsuDepth); i++) if (leave_i[i] || free_o[i]) busy_q[i] <= 1'b0;
    end
  end

  logic [LsuDepth-1:0] up, down;   // one more answer to come, one less
  always_comb begin
    up = '0;
    down = '0;
    if (slot_count_i) up[slot_i] = 1'b1;
    if (offer_i) up[offer_slot_i] = 1'b1;
    if (answer_i) down[answer_slot_i] = 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      warp_q[alloc_q] <= info_i.warp;
      info_q[alloc_q] <= info_i;
      silent_q[alloc_q] <= silent_i;
    end
    for (int i = 0; i < int'(LsuDepth); i++) if (resend_i[i]) silent_q[i] <= 1'b1;
    if (judge_i) begin
      acc_q <= acc_d;
      if (judge_last_i) fill_q[judge_slot_i] <= acc_d;
    end
    for (int i = 0; i < int'(LsuDepth); i++) begin
      if (slot_start_i && slot_i == slot_t'(i)) begin
        outst_q[i] <= '0;
        none_q[i] <= 1'b1;
      end else if (up[i] != down[i]) begin
        outst_q[i] <= outst_q[i] + {{7{down[i]}}, 1'b1};
        none_q[i] <= down[i] && outst_q[i] == 8'd1;
      end
    end
  end

  assign rest_o = (busy_q | ready_q | sent_q | wb_q) == '0;

  `WL_ASSERT(States, (ready_q & (sent_q | wb_q)) == '0 && (sent_q & wb_q) == '0 &&
                     ((ready_q | sent_q | wb_q) & ~busy_q) == '0)
  `WL_ASSERT(TakesFree, !take_i || !busy_q[alloc_q])
  `WL_ASSERT(FillsBusy, !judge_i || (busy_q[judge_slot_i] && !ready_q[judge_slot_i]))
  `WL_ASSERT(StartsReady, !(slot_start_i || slot_fault_i) || ready_q[slot_i])
  `WL_ASSERT(CountsInProc, !slot_count_i || (busy_q[slot_i] && !ready_q[slot_i] && !wb_q[slot_i]))
  `WL_ASSERT(OffersInWb, (!offer_i || wb_q[offer_slot_i]) && (resend_i & ~wb_q) == '0)
  `WL_ASSERT(AnswerAsked, !answer_i || (busy_q[answer_slot_i] && outst_q[answer_slot_i] != '0))
  `WL_ASSERT(FreesBusy, ((leave_i | free_o) & ~busy_q) == '0)
  `WL_ASSERT(LeavesWb, (leave_i & ~wb_q) == '0 && (enter_o & ~sent_q) == '0)
  for (genvar i = 0; i < int'(LsuDepth); i++) begin : gen_outstanding
    `WL_ASSERT(NoneIsZero, !sent_q[i] || none_q[i] == (outst_q[i] == '0))
  end
endmodule
