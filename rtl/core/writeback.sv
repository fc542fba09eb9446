// Variable write-back: one word per cycle from one of the sources (index.def: VWB), when the fixed
// pipe leaves its bank (docs/microarchitecture.md 6.3). The writes themselves happen in regfile.sv
// and predfile.sv.
`include "cells/assert.svh"
module writeback
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        stall_i,  // disturbance (17)
  input  logic        clear_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  fix_t        fix_i,
  input  fixp_t       fix_pred_i,
  input  poke_t       poke_i,         // its data are the word while it pokes
  // verilator lint_on UNUSEDSIGNAL
  input  vwb_t        vwb_i [VwbSources],
  input  logic [31:0] vwb_data_lsu_i [Lanes],
  input  logic [31:0] vwb_data_ldc_i,          // the same for all lanes
  input  logic [31:0] vwb_data_xch_i [Lanes],
  // verilator lint_off UNUSEDSIGNAL // without a result queue
  input  logic [31:0] vwb_data_result_i [Lanes],
  // verilator lint_on UNUSEDSIGNAL
  output logic [VwbSources-1:0] vwb_grant_o,
  output logic        vwb_stall_o,
  output vwb_t        var_wr_o,
  output logic [31:0] var_data_o [Lanes]
);
  localparam logic [3:0] Limit = 4'(AgeLimit);
  logic [3:0] lost_q;
  logic       stall_q;      // it is Limit or more

  logic [VwbSources-1:0] valid, chosen, clash;
  logic any, grant;
  logic [1:0] fix_bank;
  // A stalled source keeps its losses: it presents until it is granted.
  age_arbiter #(.Sources(VwbSources), .Limit(AgeLimit)) u_arbiter (
    .clk_i, .rst_ni(rst_ni && !clear_i), .valid_i(valid), .pick_o(chosen), .taken_i(grant)
  );
  always_comb begin
    for (int unsigned i = 0; i < VwbSources; i++) valid[i] = vwb_i[i].valid;
    any = !stall_i && valid != '0;
    // Each source's word in parallel with the fixed pipe's, whichever is chosen. (The sub-core's
    // number adds the same to both banks.)
    fix_bank = fix_i.rd[1:0] + warp_bank(fix_i.warp, '0);
    for (int unsigned i = 0; i < VwbSources; i++) begin
      clash[i] = vwb_i[i].has_reg && fix_i.valid && fix_i.has_reg &&
                 vwb_i[i].rd[1:0] + warp_bank(vwb_i[i].warp, '0) == fix_bank;
    end
    // One predicate write per cycle.
    if (vwb_i[VwbXch].has_pred && vwb_i[VwbXch].pd != 3'd7 && fix_pred_i.valid) begin
      clash[VwbXch] = 1'b1;
    end
  end
  assign vwb_grant_o = stall_i ? '0 : chosen & ~clash;
  assign grant = vwb_grant_o != '0;
  always_comb begin
    var_wr_o = vwb_i[0];
    for (int unsigned i = 1; i < VwbSources; i++) if (chosen[i]) var_wr_o = vwb_i[i];
    // Only the exchange unit has predicates.
    var_wr_o.has_pred = chosen[VwbXch] && vwb_i[VwbXch].has_pred;
    var_wr_o.pd = vwb_i[VwbXch].pd;
    var_wr_o.pval = vwb_i[VwbXch].pval;
    var_wr_o.valid = grant;
  end

  // Data by the number of the source. The board pokes while nothing runs: its word takes the place of
  // the constants', which is one for all lanes.
  localparam int unsigned PlaceBits = $clog2(VwbSources);
  localparam int unsigned Places = 1 << PlaceBits;
  logic [PlaceBits-1:0] place;
  logic                 poke;
  logic [31:0]          constant;
  assign poke = poke_i.valid[3'(wl_pkg::ArrayRf)];
  assign constant = poke ? poke_i.data : vwb_data_ldc_i;
  always_comb begin
    place = poke ? PlaceBits'(VwbLdc) : '0;
    for (int unsigned i = 1; i < VwbSources; i++) if (chosen[i]) place |= PlaceBits'(i);
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_data
    logic [31:0] x [Places];
    always_comb begin
      for (int unsigned i = 0; i < Places; i++) x[i] = constant;
      x[VwbLsu] = vwb_data_lsu_i[l];
      x[VwbXch] = vwb_data_xch_i[l];
      if (HasResult != 0) x[VwbResult] = vwb_data_result_i[l];
    end
    mux_tree #(.Width(32), .Bits(PlaceBits)) u_data (
      .sel_i(place), .x_i(x), .y_o(var_data_o[l])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      lost_q <= '0;
      stall_q <= 1'b0;
    end else if (!stall_i) begin
      if (!any || grant) lost_q <= '0;
      else if (lost_q != 4'd15) lost_q <= lost_q + 4'd1;
      stall_q <= any && !grant && lost_q >= Limit - 4'd1;
    end
  end
  assign vwb_stall_o = stall_q;

  `WL_ASSERT(GrantsOne, $onehot0(vwb_grant_o) && (vwb_grant_o & ~valid) == '0)
  `WL_ASSERT(BankIsFree, !(grant && var_wr_o.has_reg && fix_i.valid && fix_i.has_reg) ||
                         var_wr_o.rd[1:0] + warp_bank(var_wr_o.warp, '0) != fix_bank)
  `WL_ASSERT(RegisterHasNumber, !grant || !var_wr_o.has_reg || var_wr_o.rd != 8'd255)
endmodule
