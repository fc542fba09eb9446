// Variable write-back: one word per cycle from LSU (0), constant loads (1), exchange (2), when the
// fixed pipe leaves its bank (docs/microarchitecture.md 6.3). The writes themselves happen in
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
`ifdef WL_BOARD
  input  poke_t       poke_i,         // its data are the word while it pokes
`endif
  // verilator lint_on UNUSEDSIGNAL
  input  vwb_t        vwb_i [3],
  input  logic [31:0] vwb_data_lsu_i [Lanes],
  input  logic [31:0] vwb_data_ldc_i,          // the same for all lanes
  input  logic [31:0] vwb_data_xch_i [Lanes],
  output logic [2:0]  vwb_grant_o,
  output logic        vwb_stall_o,
  output vwb_t        var_wr_o,
  output logic [31:0] var_data_o [Lanes]
);
  localparam logic [3:0] Limit = 4'(AgeLimit);
  logic [3:0] loss_q [3];
  logic [3:0] lost_q;
  // Of the losses: at the limit; more of one source than of another.
  logic [2:0] aged_q;
  logic       more10_q, more20_q, more21_q;

  logic any, clash, grant;
  logic [1:0] pick;
  logic [2:0] aged;
  logic [3:0] loss_d [3];
  always_comb begin
    any = !stall_i && (vwb_i[0].valid || vwb_i[1].valid || vwb_i[2].valid);
    pick = vwb_i[0].valid ? 2'd0 : vwb_i[1].valid ? 2'd1 : 2'd2;
    aged = aged_q & {vwb_i[2].valid, vwb_i[1].valid, vwb_i[0].valid};
    if (aged[0]) pick = 2'd0;
    if (aged[1] && (!aged[0] || more10_q)) pick = 2'd1;
    if (aged[2] && (!aged[0] || more20_q) && (!aged[1] || more21_q)) pick = 2'd2;
    var_wr_o = (pick == 2'd0) ? vwb_i[0] : (pick == 2'd1) ? vwb_i[1] : vwb_i[2];
    // Only the exchange unit has predicates.
    var_wr_o.has_pred = pick[1] && vwb_i[2].has_pred;
    var_wr_o.pd = vwb_i[2].pd;
    var_wr_o.pval = vwb_i[2].pval;
    clash = var_wr_o.has_reg && var_wr_o.rd != 8'd255 && fix_i.valid && fix_i.has_reg &&
            // (What the sub-core's number adds is the same on both sides.)
            var_wr_o.rd[1:0] + warp_bank(var_wr_o.warp, '0) ==
            fix_i.rd[1:0] + warp_bank(fix_i.warp, '0);
    // One predicate write per cycle.
    if (var_wr_o.has_pred && var_wr_o.pd != 3'd7 && fix_pred_i.valid) clash = 1'b1;
    grant = any && !clash;
    var_wr_o.valid = grant;
    vwb_grant_o = 3'(grant) << pick;
    for (int unsigned i = 0; i < 3; i++) begin
      loss_d[i] = loss_q[i];
      if (!vwb_i[i].valid || vwb_grant_o[i]) loss_d[i] = '0;
      else if (grant && loss_q[i] != 4'd15) loss_d[i] = loss_q[i] + 4'd1;
    end
  end
`ifdef WL_BOARD
  for (genvar l = 0; l < Lanes; l++) begin : gen_data
    logic [31:0] x [4];
    assign x[0] = vwb_data_lsu_i[l];
    assign x[1] = vwb_data_ldc_i;
    assign x[2] = vwb_data_xch_i[l];
    assign x[3] = poke_i.data;
    mux4 u_data (.sel_i(pick | {2{poke_i.valid}}), .x_i(x), .or_i('0), .y_o(var_data_o[l]));
  end
`else
  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      var_data_o[l] = (pick == 2'd0) ? vwb_data_lsu_i[l] :
                      (pick == 2'd1) ? vwb_data_ldc_i : vwb_data_xch_i[l];
    end
  end
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      lost_q <= '0;
      for (int unsigned i = 0; i < 3; i++) loss_q[i] <= '0;
      {aged_q, more10_q, more20_q, more21_q} <= '0;
    end else if (!stall_i) begin
      if (!any || grant) lost_q <= '0;
      else if (lost_q != 4'd15) lost_q <= lost_q + 4'd1;
      loss_q <= loss_d;
      for (int unsigned i = 0; i < 3; i++) aged_q[i] <= loss_d[i] >= Limit;
      more10_q <= loss_d[1] > loss_d[0];
      more20_q <= loss_d[2] > loss_d[0];
      more21_q <= loss_d[2] > loss_d[1];
    end
  end
  assign vwb_stall_o = lost_q >= Limit;
endmodule
