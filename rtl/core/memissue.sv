// Who may issue to the shared LSU, to the shared constant loads, to the copy engine, to the allocator of
// tensor memory and to the unit of products in it (docs/microarchitecture.md 5, "Open units"): the
// sub-cores take turns. The LSU waits until the read slots of its last instruction are over, so that it
// sees one X1 per cycle; copies, the allocator and products come one at a time (open_unit.sv). With one
// sub-core there is nothing else to decide. Knows no instruction and chooses no X1: memx1.sv does.
`include "cells/assert.svh"
module memissue
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  // verilator lint_off UNUSEDSIGNAL // with several sub-cores only
  input  logic                lsu_ready_i,   // the LSU's slot[alloc] is free
  input  logic                ldc_ready_i,   // the constant loads are idle
  input  logic [SubCores-1:0] lsu_issue_i,   // issues a form of the LSU, with lanes
  input  logic [SubCores-1:0] slots_free_i,  // is_left <= 1 of the sub-core
  input  logic [SubCores-1:0] vwb_stall_i,   // vwb.lost >= AgeLimit of the sub-core
  // verilator lint_on UNUSEDSIGNAL
  input  logic                copy_ready_i,  // the copy engine's entry `put` is free
  input  logic                copy_issue_i,  // one of its forms issues, with lanes
  input  logic                copy_end_i,    // T of one
  input  logic                columns_issue_i, // the same of the allocator of tensor memory
  input  logic                columns_end_i,
  input  logic                umma_ready_i,  // products: as of the copy engine
  input  logic                umma_issue_i,
  input  logic                umma_end_i,
  output logic [SubCores-1:0] lsu_open_o,
  output logic [SubCores-1:0] ldc_open_o,
  output logic [SubCores-1:0] copy_open_o,
  output logic [SubCores-1:0] columns_open_o,
  output logic [SubCores-1:0] umma_open_o,
  output logic                rest_o,        // lsu_left, copy_way, column_way, umma_way are 0 (15)
  output sub_t                lsu_turn_o,    // whose issue the unit sees
  output sub_t                ldc_turn_o
);
  // A turn lasts until its sub-core could issue: no rhythm of read slots can keep it from that.
  logic [SubCores-1:0] could_issue;
  logic                rest_copy, rest_columns, rest_umma, rest_units;
  assign could_issue = slots_free_i & ~vwb_stall_i;
  open_unit u_copy (
    .clk_i, .rst_ni, .clear_i, .ready_i(copy_ready_i), .issue_i(copy_issue_i), .end_i(copy_end_i),
    .could_issue_i(could_issue), .open_o(copy_open_o), .rest_o(rest_copy)
  );
  open_unit u_columns (
    .clk_i, .rst_ni, .clear_i, .ready_i(1'b1), .issue_i(columns_issue_i), .end_i(columns_end_i),
    .could_issue_i(could_issue), .open_o(columns_open_o), .rest_o(rest_columns)
  );
  open_unit u_umma (
    .clk_i, .rst_ni, .clear_i, .ready_i(umma_ready_i), .issue_i(umma_issue_i), .end_i(umma_end_i),
    .could_issue_i(could_issue), .open_o(umma_open_o), .rest_o(rest_umma)
  );
  assign rest_units = rest_copy && rest_columns && rest_umma;

  if (SubCores == 1) begin : gen_one
    assign lsu_open_o = lsu_ready_i;
    assign ldc_open_o = ldc_ready_i;
    assign lsu_turn_o = '0;
    assign ldc_turn_o = '0;
    assign rest_o = rest_units;          // lsu_left follows from is_left
  end else begin : gen_several
    sub_t lsu_turn_q, ldc_turn_q;
    // lsu_left is the is_left that the last LSU instruction gave its sub-core: it is above 1 as
    // long as that sub-core has not come to the last of these read slots.
    logic lsu_reads_q;
    sub_t lsu_reader_q;
    logic lsu_left_low, lsu_available;
    assign lsu_left_low = !lsu_reads_q || slots_free_i[lsu_reader_q];
    assign lsu_available = lsu_ready_i && lsu_left_low;
    assign lsu_open_o = SubCores'(lsu_available) << lsu_turn_q;
    assign ldc_open_o = SubCores'(ldc_ready_i) << ldc_turn_q;
    assign lsu_turn_o = lsu_turn_q;
    assign ldc_turn_o = ldc_turn_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        lsu_turn_q <= '0;
        ldc_turn_q <= '0;
        lsu_reads_q <= 1'b0;
      end else begin
        if (lsu_available && could_issue[lsu_turn_q]) lsu_turn_q <= next_sub(lsu_turn_q);
        if (ldc_ready_i && could_issue[ldc_turn_q]) ldc_turn_q <= next_sub(ldc_turn_q);
        // Only the sub-core whose turn it is can issue to the LSU.
        if (lsu_issue_i != '0) lsu_reads_q <= 1'b1;
        else if (lsu_left_low) lsu_reads_q <= 1'b0;
      end
      if (lsu_issue_i != '0) lsu_reader_q <= lsu_turn_q;
    end
    assign rest_o = !lsu_reads_q && rest_units;
  end

  `WL_ASSERT(OneSubcoreOpen, $onehot0(lsu_open_o) && $onehot0(ldc_open_o))
endmodule
