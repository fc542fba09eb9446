// Who may issue to a unit of the SM that takes one instruction at a time (docs/microarchitecture.md 5,
// "Open units"): the sub-cores take turns, and the unit is not open while an instruction is past issue and
// not past T. With one sub-core there is no turn.
`include "cells/assert.svh"

module open_unit
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  logic                ready_i,        // the unit has room
  input  logic                issue_i,        // one of its forms issues, with lanes
  input  logic                end_i,          // T of one
  // verilator lint_off UNUSEDSIGNAL // with several sub-cores only
  input  logic [SubCores-1:0] could_issue_i,  // the sub-core could issue
  // verilator lint_on UNUSEDSIGNAL
  output logic [SubCores-1:0] open_o,
  output logic                rest_o          // none is on its way (15)
);
  logic way_q, available;
  assign available = ready_i && !way_q;
  assign rest_o = !way_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) way_q <= 1'b0;
    else if (issue_i || end_i) way_q <= issue_i;
  end

  if (SubCores == 1) begin : gen_one
    assign open_o = available;
  end else begin : gen_several
    sub_t turn_q;
    assign open_o = SubCores'(available) << turn_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) turn_q <= '0;
      else if (available && could_issue_i[turn_q]) turn_q <= next_sub(turn_q);
    end
  end

  `WL_ASSERT(OneSubcoreOpen, $onehot0(open_o))
  `WL_ASSERT(OneOnItsWay, !issue_i || available)
endmodule
