// LSU: address of the first fault of each slot (docs/microarchitecture.md 10). The address is chosen a
// cycle after X1: with LsuDelay in the cycle in which its lane is found; without, from registers, and a
// slot that is processed in that cycle gets the address as it is written.
module lsu_fault
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic            clk_i,
  input  logic            unfound_i,         // the slot has no fault by the lanes before
  input  logic [Cols-1:0] pick_i,            // column of the fault
  input  logic            dest_i,            // the fault is of a copy's destination
  input  logic [63:0]     last_ea_i [Cols],  // addresses of the lanes that came last
  input  logic [31:0]     last_dest_i [Cols],
  // The step of X1, and the one that is judged.
  // verilator lint_off UNUSEDSIGNAL // the one or the other, by LsuDelay
  input  logic            fill_first_i,
  input  logic            fill_last_i,
  input  slot_t           fill_slot_i,
  input  logic            judge_first_i,
  input  logic            judge_last_i,
  input  slot_t           judge_slot_i,
  // verilator lint_on UNUSEDSIGNAL
  input  slot_t           slot_i,            // the processor's
  output logic [63:0]     addr_o
);
  (* ram_style = "distributed" *)
  logic [63:0]     addr_q [LsuDepth];
  logic [63:0]     first_q, first_d;   // of the slot's first fault, if it has any
  logic [Cols-1:0] pick;
  logic            dest;
  logic            asked, filled;      // its lanes may have the first; the slot was complete with them
  slot_t           filled_slot;
  if (LsuDelay == 1) begin : gen_pick
    assign pick = pick_i;
    assign dest = dest_i;
    assign asked = judge_first_i && unfound_i;
    assign filled = judge_last_i;
    assign filled_slot = judge_slot_i;
    assign addr_o = addr_q[slot_i];
  end else begin : gen_pick
    logic [Cols-1:0] pick_q;
    logic            asked_q, filled_q, dest_q;
    slot_t           filled_slot_q;
    assign pick = pick_q;
    assign dest = dest_q;
    assign asked = asked_q;
    assign filled = filled_q;
    assign filled_slot = filled_slot_q;
    assign addr_o = (filled_q && filled_slot_q == slot_i) ? first_d : addr_q[slot_i];
    always_ff @(posedge clk_i) begin
      filled_q <= fill_last_i;
      filled_slot_q <= fill_slot_i;
      asked_q <= fill_first_i && unfound_i;
      if (fill_first_i) {dest_q, pick_q} <= {dest_i, pick_i};
    end
  end
  always_comb begin
    first_d = first_q;
    if (asked) begin
      first_d = '0;
      for (int i = 0; i < int'(Cols); i++) begin
        if (pick[i]) first_d = first_d | (dest ? {32'd0, last_dest_i[i]} : last_ea_i[i]);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    first_q <= first_d;
    if (filled) addr_q[filled_slot] <= first_d;
  end
endmodule
