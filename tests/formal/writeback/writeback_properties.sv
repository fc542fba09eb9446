// Variable write-back (docs/microarchitecture.md 6.3): at most one word a cycle, only a presented
// one, never beside a fixed-pipe write of its bank or predicate; each source is granted within a
// bounded number of cycles: at most AgeLimit + VwbSources - 2 grants go to others before, and while some source
// presents two grants are at most AgeLimit + DRAIN + 1 cycles apart. Assumed: a source presents until
// it is granted (6.3), and the fixed pipe writes nothing from DRAIN cycles after vwb.lost has reached
// AgeLimit, as issue is not Allowed then (section 5); no stall.
module writeback_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input logic        clk_i,
  input logic        clear_i,
  input fix_t        fix_i,
  input fixp_t       fix_pred_i,
  input vwb_t        vwb_i [VwbSources],
  input logic [31:0] lsu_i [Lanes],
  input logic [31:0] ldc_i,
  input logic [31:0] xch_i [Lanes],
  input logic [31:0] result_i [Lanes],
  input logic [1:0]  watched_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [VwbSources-1:0] grant;
  logic        stall;
  vwb_t        word;
  logic [31:0] data [Lanes];
  writeback dut (
    .poke_i('0),
    .clk_i, .rst_ni(rst_n), .stall_i(1'b0), .clear_i, .fix_i, .fix_pred_i, .vwb_i,
    .vwb_data_lsu_i(lsu_i), .vwb_data_ldc_i(ldc_i), .vwb_data_xch_i(xch_i),
    .vwb_data_result_i(result_i), .vwb_grant_o(grant),
    .vwb_stall_o(stall), .var_wr_o(word), .var_data_o(data)
  );

  logic [1:0] watched_q;
  logic [3:0] losses_q;    // grants to others since the watched source presents
  logic [5:0] gap_q;       // cycles in which some source presents and none is granted
  logic [4:0] stalled_q;   // cycles with vwb.lost >= AgeLimit
  logic       past_q;
  logic [VwbSources-1:0] valid, valid_q, grant_q;
  for (genvar i = 0; i < VwbSources; i++) begin : gen_source
    assign valid[i] = vwb_i[i].valid;
  end
  always_ff @(posedge clk_i) begin
    past_q <= rst_n && !clear_i;
    valid_q <= valid;
    grant_q <= grant;
    if (!rst_n) watched_q <= watched_i;
    if (!rst_n || clear_i || !valid[watched_q] || grant[watched_q]) losses_q <= '0;
    else if (grant != '0 && losses_q != '1) losses_q <= losses_q + 4'd1;
    if (!rst_n || clear_i || valid == '0 || grant != '0) gap_q <= '0;
    else if (gap_q != '1) gap_q <= gap_q + 6'd1;
    if (!rst_n || clear_i || !stall) stalled_q <= '0;
    else if (stalled_q != '1) stalled_q <= stalled_q + 5'd1;
  end

  vwb_t mine;
  logic same_bank, same_pred;
  assign mine = vwb_i[watched_q];
  assign same_bank = mine.has_reg && fix_i.valid && fix_i.has_reg &&
                     2'(mine.rd) + 2'(mine.warp) == 2'(fix_i.rd) + 2'(fix_i.warp);
  assign same_pred = watched_q == 2'd2 && mine.has_pred && mine.pd != 3'd7 && fix_pred_i.valid;

  always @(posedge clk_i) begin
    assume (32'(watched_i) < VwbSources);
    if (past_q) assume ((valid_q & ~grant_q & ~valid) == '0);
    // What writes a register names one.
    for (int i = 0; i < VwbSources; i++) assume (!(vwb_i[i].has_reg && vwb_i[i].rd == 8'd255));
    // Only the exchange unit has a predicate part.
    for (int i = 0; i < VwbSources; i++) if (i != VwbXch) assume (!vwb_i[i].has_pred);
    if (32'(stalled_q) >= `DRAIN) assume (!fix_i.valid && !fix_pred_i.valid);
    if (rst_n) begin
      a_one: assert ((grant & (grant - VwbSources'(1))) == '0 && (grant & ~valid) == '0);
      a_word: assert (word.valid == (grant != '0));
      if (grant[watched_q]) begin
        a_mine: assert (word.warp == mine.warp && word.has_reg == mine.has_reg &&
                        word.rd == mine.rd && word.beat == mine.beat && word.mask == mine.mask &&
                        word.last_beat == mine.last_beat && word.last == mine.last &&
                        word.has_pred == mine.has_pred);
        a_pred: assert (!mine.has_pred || (word.pd == mine.pd && word.pval == mine.pval));
        a_data: assert (data[0] == ((watched_q == 2'd0) ? lsu_i[0] : (watched_q == 2'd1) ? ldc_i :
                                    (watched_q == 2'd2) ? xch_i[0] : result_i[0]));
        a_last: assert (data[Lanes-1] == ((watched_q == 2'd0) ? lsu_i[Lanes-1] :
                                          (watched_q == 2'd1) ? ldc_i :
                                          (watched_q == 2'd2) ? xch_i[Lanes-1] : result_i[Lanes-1]));
        a_bank: assert (!same_bank && !same_pred);
      end
      // One alone waits for its bank or its predicate only.
      if (valid == VwbSources'(1) << watched_q && !grant[watched_q]) a_alone: assert (same_bank || same_pred);
      a_losses: assert (32'(losses_q) <= AgeLimit + VwbSources - 2);
      a_stall: assert (stall == (32'(dut.lost_q) >= AgeLimit));
      a_gap: assert (32'(gap_q) <= AgeLimit + `DRAIN);
      c_losses: cover (32'(losses_q) == AgeLimit + VwbSources - 2 && grant[watched_q]);
      c_gap: cover (32'(gap_q) == AgeLimit + `DRAIN);
      c_stall: cover (32'(stalled_q) >= `DRAIN && grant != '0);
      c_pred: cover (grant[2] && word.has_pred && word.pd != 3'd7 && valid == '1);
    end
  end
endmodule
