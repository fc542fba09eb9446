// Products in tensor memory: the order of steps (docs/microarchitecture.md 25.5, 25.6): blocks of the
// command at `fin`, in turns with the sets of the tensor units, and of each step what the sub-cores do.
// Passes of copies and shifts (26.7, 26.8), whose rows umma_copy.sv has.
`include "cells/assert.svh"

module umma_engine
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,         // without clear
  // The command.
  input  logic                works_i,
  // verilator lint_off UNUSEDSIGNAL // what its product is
  input  umma_info_t          info_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic                over_o,         // it ends in this cycle
  // Buffers.
  input  logic [1:0]          a_full_i,
  input  logic [1:0]          b_full_i,
  output logic                a_free_o,
  output logic                a_buffer_o,
  output logic                b_free_o,
  output logic                b_buffer_o,
  input  logic                scales_i,       // a scaled product's are here
  input  logic                scales_next_i,  // those of the next block
  // Tensor units.
  input  logic [SubCores-1:0] could_i,        // the pipe could move
  input  logic [SubCores-1:0] cur_i,          // they work on a set
  input  logic [SubCores-1:0] takes_i,        // take one in this cycle
  input  logic [SubCores-1:0] next_i,         // the next one is full
  input  logic [SubCores-1:0] busy_i,         // groups of a block are in the pipe, or drain is valid
  output logic                on_o,
  output logic                hold_o,         // they take no set
  output logic                move_o,         // with on: all pipes move
  output umma_step_t          step_o,
  // Operands of the step.
  output logic [4:0]          row_o,          // of A in the pass: the group's first
  output logic [2:0]          column_o,
  output umma_slice_t         slice_o,
  // Copies and shifts.
  output logic                moves_o,        // the buffer is FULL
  output pass_t               pass_o,
  input  logic                placed_i,       // the last row of a pass is placed
  // Events.
  output logic                begins_o,       // first step of a product
  output logic                block_end_o,
  output logic                rest_o
);
  localparam int unsigned GroupsOfRow = 32 / DotRows;
  localparam int unsigned UmmaGroupBits = $clog2(GroupsOfRow);
  logic       on_q, all_in_q, turn_q, a_get_q, b_get_q;
  logic [2:0] column_q;
  logic [UmmaGroupBits-1:0] group_q;
  umma_slice_t slice_q;
  pass_t      pass_q;
  logic [4:0] block_q;

  // ---- Turns.
  logic product, ready, start;
  assign product = is_product(info_i.code);
  assign ready = works_i && product && !all_in_q && a_full_i[a_get_q] && b_full_i[b_get_q] &&
                 scales_i;
  assign moves_o = works_i && !product && !all_in_q && a_full_i[a_get_q];
  assign pass_o = pass_q;
  assign hold_o = on_q || (ready && turn_q);
  assign start = !on_q && ready && cur_i == '0 && takes_i == '0;
  assign on_o = on_q;
  assign move_o = on_q && (&could_i);
  assign over_o = all_in_q && busy_i == '0;

  // ---- The step.
  logic       last_slice, last_group, last_step, last_block, last_pass, pass_ends, stays;
  assign last_slice = slice_q == last_slice_of(info_i.code);
  assign last_group = 32'(group_q) == GroupsOfRow - 1;
  assign last_step = move_o && last_slice && last_group && column_q == '1;
  assign last_block = block_q == info_i.last_block;
  assign last_pass = 32'(pass_q) == Passes - 1 || info_i.code == CodeShift;
  assign pass_ends = (last_step && last_block) || placed_i;
  assign stays = !(last_block && last_pass) && b_full_i[!b_get_q] &&
                 (!last_block || a_full_i[!a_get_q]) && scales_next_i && next_i == '0;
  assign begins_o = move_o && slice_q == '0 && group_q == '0 && column_q == '0 && block_q == '0 &&
                    pass_q == '0;
  assign block_end_o = last_step;
  assign b_free_o = last_step;
  assign a_free_o = pass_ends;
  assign {a_buffer_o, b_buffer_o} = {a_get_q, b_get_q};
  assign {column_o, slice_o} = {column_q, slice_q};
  function automatic logic idle(input logic upper);   // of the 16 lanes of a group
    return !info_i.tall && upper != info_i.high;
  endfunction
  always_comb begin
    column_t    column;
    logic [4:0] lane, next;
    logic       prior;              // the upper half, of the group before
    step_o = 'x;
    step_o.valid = 1'b0;
    row_o = 'x;
    {column, lane, next, prior} = 'x;
    if (move_o) begin
      lane = 5'(32'(group_q) * DotRows);
      next = lane + 5'(DotRows);
      prior = 1'((32'(lane) + 32 - DotRows) / 16);
      column = info_i.column + column_t'({block_q, column_q});
      row_o = {lane[4] && (info_i.tall || info_i.ta), lane[3:0]};
      step_o.valid = !idle(lane[4]);
      step_o.first = slice_q == '0;
      step_o.last = last_slice;
      step_o.adds = slice_q == ((Twice && info_i.code == CodeF8) ? umma_slice_t'(4) : '0);
      step_o.part = NarrowHalves && slice_q[0];
      step_o.begins = slice_q == '0 && (32'(lane) % Lanes == 0 || idle(prior));
      step_o.ends = 32'(next) % Lanes == 0 || idle(next[4]);
      step_o.read = info_i.read;
      step_o.kind = '0;
      unique case (info_i.code)
        CodeTf32: step_o.kind.kind = KindTf32;
        CodeF8:   step_o.kind.kind = KindF8;
        CodeI8:   step_o.kind.kind = KindInt8;
        default:  step_o.kind.kind = info_i.bf16 ? KindBf16 : KindF16;
      endcase
      if (is_mx4(info_i.code)) step_o.kind.kind = KindMx4;
      step_o.kind.half = info_i.half;
      step_o.kind.sat = info_i.sat;
      step_o.kind.unsigned_a = !info_i.a.format[0];
      step_o.kind.unsigned_b = !info_i.b.format[0];
      {step_o.small_a, step_o.small_b} = {info_i.a.format, info_i.b.format};
      step_o.scale = info_i.scale;
      step_o.quarter = (Quarters == 1) ? '0 : pass_q;
      step_o.row = tmem_row_t'(column) * tmem_row_t'(Beats) + tmem_row_t'(32'(lane) / Lanes);
      step_o.lane = lane;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {on_q, all_in_q, turn_q, a_get_q, b_get_q} <= '0;
      column_q <= '0;
      group_q <= '0;
      slice_q <= '0;
      pass_q <= '0;
      block_q <= '0;
    end else if (works_i) begin
      if (start) turn_q <= 1'b0;
      else if (ready && takes_i != '0) turn_q <= 1'b1;
      if (start) on_q <= 1'b1;
      if (move_o) begin
        slice_q <= last_slice ? '0 : slice_q + umma_slice_t'(1);
        if (last_slice) group_q <= group_q + UmmaGroupBits'(1);   // of a power of two
        if (last_slice && last_group) column_q <= column_q + 3'd1;
      end
      if (last_step) begin
        on_q <= stays;
        b_get_q <= !b_get_q;
        block_q <= last_block ? '0 : block_q + 5'd1;
      end
      if (pass_ends) begin
        a_get_q <= !a_get_q;
        pass_q <= last_pass ? '0 : pass_q + pass_t'(1);
        all_in_q <= last_pass;
      end
      if (over_o) all_in_q <= 1'b0;
    end
  end
  assign rest_o = {on_q, all_in_q} == '0 && column_q == '0 && group_q == '0 && slice_q == '0 &&
                  pass_q == '0 && block_q == '0;

  `WL_ASSERT(OnHasOperands, !on_q || (works_i && product && a_full_i[a_get_q] &&
                                         b_full_i[b_get_q] && scales_i))
  `WL_ASSERT(OnIsAlone, !on_q || (cur_i == '0 && takes_i == '0))
  `WL_ASSERT(StartsAlone, !start || (cur_i == '0 && takes_i == '0))
  `WL_ASSERT(AllInIsOff, !all_in_q || !on_q)
  if (Umma != 0 && SubCores != 1 && SubCores != 4) begin : gen_sub
    $error("products in tensor memory: one sub-core, or four");
  end
  if (Umma != 0 && (Lanes < 2 * DotRows || Tensor == 0 || Tmem == 0)) begin : gen_options
    $error("products in tensor memory need the tensor unit, tensor memory and beats of two groups");
  end
endmodule
