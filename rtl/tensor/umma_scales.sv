// Products in tensor memory: reading of block scales (docs/microarchitecture.md 26.10; option
// TensorScaled) of the oldest command, two rows for each block: the scale words of the pass's rows of A,
// then those of the block's rows of B. The sub-cores' umma_port.sv reads, umma_scale_words.sv keeps the
// words. Of a step: which of them it takes.
`include "cells/assert.svh"

module umma_scales
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,          // without clear
  // The command.
  input  logic          works_i,
  // verilator lint_off UNUSEDSIGNAL // what of it has scales
  input  umma_info_t    info_i,
  // verilator lint_on UNUSEDSIGNAL
  input  umma_scaling_t scaling_i,
  input  logic          over_i,          // it ends in this cycle
  // Tensor memory.
  input  logic          room_i,          // it may be read in this cycle
  output umma_read_t    read_o,
  // Engine.
  output logic          full_o,          // the scales of its block are here
  output logic          next_o,          // those of the next one
  input  logic          free_i,          // the last step of a block
  input  logic          step_i,
  input  logic [2:0]    column_i,
  input  logic          second_i,        // slice
  output umma_scale_t   scale_o,
  output logic          rest_o
);
  // ---- Two rows a block.
  logic [1:0] s_full_q;
  logic       s_put_q, s_get_q, scales_in_q, of_b_q;
  pass_t      pass_q;
  logic [4:0] block_q;
  logic       read, filled, last_block, last_pass;
  assign read = works_i && info_i.scaled && !scales_in_q && !s_full_q[s_put_q] && room_i;
  assign filled = read && of_b_q;
  assign last_block = block_q == info_i.last_block;
  assign last_pass = 32'(pass_q) == Passes - 1;
  always_comb begin
    column_t column;
    column = 'x;
    read_o = '0;
    if (read) begin
      column = of_b_q ? scaling_i.b + column_t'(block_q[4:2]) :
                        scaling_i.a + ((SubCores == 1) ? column_t'(pass_q) : '0);
      read_o.valid = '1;
      read_o.quarter = (Quarters == 1) ? '0 : quarter_t'(pass_q);
      read_o.row = tmem_row_t'(column);
      read_o.apart = !of_b_q && SubCores != 1;
    end
  end

  // ---- The words come in the next cycle; then the buffer is FULL.
  logic       take_q, take_b_q, take_buffer_q;
  logic [1:0] part_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_full_q <= '0;
      {s_put_q, s_get_q, scales_in_q, of_b_q, take_q} <= '0;
      pass_q <= '0;
      block_q <= '0;
    end else if (works_i && info_i.scaled) begin
      take_q <= read;
      if (take_q && take_b_q) s_full_q[take_buffer_q] <= 1'b1;
      if (free_i) begin
        s_full_q[s_get_q] <= 1'b0;
        s_get_q <= !s_get_q;
      end
      if (read) of_b_q <= !of_b_q;
      if (filled) begin
        s_put_q <= !s_put_q;
        block_q <= last_block ? '0 : block_q + 5'd1;
        if (last_block) pass_q <= last_pass ? '0 : pass_q + pass_t'(1);
        scales_in_q <= last_block && last_pass;
      end
      if (over_i) scales_in_q <= 1'b0;
    end
    if (read) {take_b_q, take_buffer_q, part_q} <= {of_b_q, s_put_q, block_q[1:0]};
  end
  assign full_o = !info_i.scaled || s_full_q[s_get_q];
  assign next_o = !info_i.scaled || s_full_q[!s_get_q];

  // ---- Of a step: bytes of the scale words, for the halves of a slice of KindMx4.
  function automatic logic [1:0] on(input logic g);     // from the first byte
    return !is_mx4(info_i.code) ? '0 : scaling_i.b16 ? {second_i, g} : {1'b0, second_i};
  endfunction
  always_comb begin
    scale_o = '0;
    if (take_q) begin
      scale_o.take = 1'b1;
      {scale_o.take_b, scale_o.take_buffer, scale_o.take_part} = {take_b_q, take_buffer_q, part_q};
    end
    if (step_i && info_i.scaled) begin
      scale_o.scaled = 1'b1;
      scale_o.buffer = s_get_q;
      scale_o.column = column_i;
      scale_o.e4m3 = scaling_i.e4m3;
      for (int unsigned g = 0; g < 2; g++) begin
        scale_o.a[g] = scaling_i.id_a + on(1'(g));
        scale_o.b[g] = scaling_i.id_b + on(1'(g));
      end
    end
  end
  assign rest_o = s_full_q == '0 && {scales_in_q, of_b_q, take_q} == '0 && pass_q == '0 && block_q == '0;

  if (TensorScaled != 0 && (Umma == 0 || DotTerms != 16 || Lanes != 32)) begin : gen_scaled
    $error("block scales need products in tensor memory, 32 lanes, and slices of 16 products");
  end
  `WL_ASSERT(FreesFull, !free_i || !info_i.scaled || s_full_q[s_get_q])
  `WL_ASSERT(AllScales, !over_i || !info_i.scaled || (scales_in_q && s_full_q == '0))
endmodule
