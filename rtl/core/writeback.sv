// Variable write-back: one word per cycle from LSU, constant loads or exchange unit, when
// the fixed pipe leaves its bank (docs/microarchitecture.md 6.3). The writes themselves happen in
// regfile.sv and predfile.sv.
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
  output logic [VwbSources-1:0] vwb_grant_o,
  output logic        vwb_stall_o,
  output vwb_t        var_wr_o,
  output logic [31:0] var_data_o [Lanes]
);
  localparam logic [3:0] Limit = 4'(AgeLimit);
  logic [3:0] loss_q [VwbSources];
  logic [3:0] lost_q;
  logic       stall_q;      // it is Limit or more
  // Of two sources that present, the one named first precedes by its losses; else the other does.
  logic ahead10_q, ahead20_q, ahead21_q;

  logic [VwbSources-1:0] valid, chosen, clash;
  logic any, grant;
  logic [1:0] pick, fix_bank;
  logic [3:0] loss_d [VwbSources];
  always_comb begin
    for (int unsigned i = 0; i < VwbSources; i++) valid[i] = vwb_i[i].valid;
    any = !stall_i && valid != '0;
    chosen[0] = valid[0] && !(valid[1] && ahead10_q) && !(valid[2] && ahead20_q);
    chosen[1] = valid[1] && !(valid[0] && !ahead10_q) && !(valid[2] && ahead21_q);
    chosen[2] = valid[2] && !(valid[0] && !ahead20_q) && !(valid[1] && !ahead21_q);
    // Each source's word beside the fixed pipe's, whichever is chosen. (What the sub-core's number
    // adds to a bank is the same on both sides.)
    fix_bank = fix_i.rd[1:0] + warp_bank(fix_i.warp, '0);
    for (int unsigned i = 0; i < VwbSources; i++) begin
      clash[i] = vwb_i[i].has_reg && fix_i.valid && fix_i.has_reg &&
                 vwb_i[i].rd[1:0] + warp_bank(vwb_i[i].warp, '0) == fix_bank;
    end
    // One predicate write per cycle.
    if (vwb_i[VwbXch].has_pred && vwb_i[VwbXch].pd != 3'd7 && fix_pred_i.valid) begin
      clash[VwbXch] = 1'b1;
    end
    vwb_grant_o = stall_i ? '0 : chosen & ~clash;
    grant = vwb_grant_o != '0;
    pick = chosen[2:1];
    var_wr_o = vwb_i[VwbLsu];
    if (chosen[VwbLdc]) var_wr_o = vwb_i[VwbLdc];
    if (chosen[VwbXch]) var_wr_o = vwb_i[VwbXch];
    // Only the exchange unit has predicates.
    var_wr_o.has_pred = chosen[VwbXch] && vwb_i[VwbXch].has_pred;
    var_wr_o.pd = vwb_i[VwbXch].pd;
    var_wr_o.pval = vwb_i[VwbXch].pval;
    var_wr_o.valid = grant;
    for (int unsigned i = 0; i < VwbSources; i++) begin
      loss_d[i] = loss_q[i];
      if (!valid[i] || vwb_grant_o[i]) loss_d[i] = '0;
      else if (grant && loss_q[i] != 4'd15) loss_d[i] = loss_q[i] + 4'd1;
    end
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_data
    logic [31:0] x [4];
    assign x[VwbLsu] = vwb_data_lsu_i[l];
    assign x[VwbLdc] = vwb_data_ldc_i;
    assign x[VwbXch] = vwb_data_xch_i[l];
    assign x[3] = poke_i.data;
    mux4 u_data (
      .sel_i(pick | {2{poke_i.valid[2'(wl_pkg::ArrayRf)]}}), .x_i(x), .or_i('0), .y_o(var_data_o[l])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      lost_q <= '0;
      stall_q <= 1'b0;
      for (int unsigned i = 0; i < VwbSources; i++) loss_q[i] <= '0;
      {ahead10_q, ahead20_q, ahead21_q} <= '0;
    end else if (!stall_i) begin
      if (!any || grant) lost_q <= '0;
      else if (lost_q != 4'd15) lost_q <= lost_q + 4'd1;
      stall_q <= any && !grant && lost_q >= Limit - 4'd1;
      loss_q <= loss_d;
      ahead10_q <= loss_d[1] >= Limit && loss_d[1] > loss_d[0];
      ahead20_q <= loss_d[2] >= Limit && loss_d[2] > loss_d[0];
      ahead21_q <= loss_d[2] >= Limit && loss_d[2] > loss_d[1];
    end
  end
  assign vwb_stall_o = stall_q;
endmodule
