// Tensor memory: the address of a load or store as it comes in X1, in A, and its judgement in A + 1
// (docs/microarchitecture.md 24.2): the place of its first column, or the trap.
`include "cells/assert.svh"

module tmem_judge
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,         // without clear
  input  sub_t               sub_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  x1_t                x1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]        a_i,            // lane 0 of X1
  input  logic [CtaBits-1:0] warp_cta_i [SubWarps],
  // verilator lint_off UNUSEDSIGNAL // a warp's number in the CTA: its quarter
  input  logic [4:0]         warp_index_i [SubWarps],
  // verilator lint_on UNUSEDSIGNAL
  input  columns_t           columns_i,
  output tmem_place_t        place_o,        // in A + 1
  output trap_t              trap_o
);
  logic         address;
  tmem_access_t access_q;
  assign address = x1_i.valid && (is_load(x1_i.info) || is_store(x1_i.info)) &&
                   x1_i.step == '0 && x1_i.beat == '0;
  always_ff @(posedge clk_i) begin
    access_q.valid <= rst_ni && address;
    if (address) begin
      access_q.load <= is_load(x1_i.info);
      access_q.half <= x1_i.word.mods.memory.half;
      access_q.last <= is_load(x1_i.info) ? x1_i.word.imm[6:0] :
                                            7'(operand_words(x1_i.info.b_words)) - 7'd1;
      access_q.warp <= x1_i.warp;
      access_q.pc <= x1_i.pc;
      access_q.a <= a_i;
      access_q.imm <= is_load(x1_i.info) ? '0 : x1_i.word.imm;
    end
  end

  // Columns. Sums are exact: an immediate of 2^16 or more is beyond all columns.
  logic [16:0]        first;
  logic [17:0]        last;
  logic [1:0]         index;
  logic [CtaBits-1:0] cta;
  logic               lanes, beyond, foreign;
  always_comb begin
    {first, last, index, cta, lanes, beyond, foreign} = 'x;
    if (access_q.valid) begin
      first = 17'(access_q.a[15:0]) + 17'(access_q.imm[15:0]);
      last = 18'(first) + 18'(access_q.last);
      index = warp_index_i[access_q.warp][1:0];
      cta = warp_cta_i[access_q.warp];
      // A sub-core of four has a quarter of its own.
      lanes = {access_q.a[31:21], access_q.a[20] && !access_q.half, access_q.a[19:16]} !=
              {9'd0, index, 5'd0} || (SubCores == 4 && index != 2'(sub_i));
      beyond = access_q.imm[31:16] != '0 || last >= 18'(TmemColumns);
      foreign = 1'b0;
      for (int unsigned u = 0; u < Units; u++) begin
        if (u >= 32'(first[16:5]) && u <= 32'(last[17:5]) &&
            !(columns_i.used[u] && columns_i.cta[u] == cta)) foreign = 1'b1;
      end
    end
  end

  always_comb begin
    place_o = 'x;
    place_o.valid = access_q.valid;
    trap_o = 'x;
    trap_o.valid = 1'b0;
    if (access_q.valid) begin
      place_o.load = access_q.load;
      place_o.ok = !(lanes || beyond || foreign);
      place_o.quarter = (Quarters == 1) ? '0 : quarter_t'(index);
      place_o.column = column_t'(first);
      place_o.half = access_q.half;
      place_o.high = access_q.a[20];
      trap_o.valid = !place_o.ok;
      trap_o.cause = lanes ? TrapTmemLanes : TrapTmemRange;
      trap_o.warp = slot_of(access_q.warp, sub_i);
      trap_o.lane = '0;
      trap_o.pc = access_q.pc;
      trap_o.addr = {32'd0, access_q.a + access_q.imm};
    end
  end

  `WL_ASSERT(HasLaneZero, !address || x1_i.mask[0])
endmodule
