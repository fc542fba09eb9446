// Warp exchange: what depends on all participants (docs/microarchitecture.md 9), votes and match.all row by
// row, and the result registers.
module warp_totals
  import config_pkg::*;
  import warp_pkg::*;
(
  input  logic        clk_i,
  // verilator lint_off UNUSEDSIGNAL // redux is what is no other
  input  xch_kind_t   kind_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic        operands_i,    // operands are awaited
  input  logic        compute_i,
  input  logic        own_i,         // no row of all participants yet (match)
  input  row_mask_t   members_i,     // participants of the row
  // verilator lint_off UNUSEDSIGNAL // of a vote one bit counts
  input  logic [31:0] row_i [Lanes],
  // verilator lint_on UNUSEDSIGNAL
  input  row_mask_t   equal_row_i,
  input  logic [31:0] group_i,       // participants
  input  beat_t       beat_i,        // the row
  input  place_t      low_i,         // lowest participant of the first row that has some
  input  logic [31:0] chosen_i,      // several beats: the word that shfl found
  input  logic [31:0] reduced_i,
  output logic [31:0] common_o,      // what all lanes get
  output logic        common_p_o,
  // Results of the lanes.
  input  logic [31:0] data_i [Lanes],
  input  row_mask_t   data_we_i,
  input  row_mask_t   pval_i,
  input  row_mask_t   pval_we_i,
  output logic [31:0] data_o [Lanes],
  output row_mask_t   pval_o
);
  logic        all_q, any_q, miss, vote_p, vote_all, vote_any;
  row_mask_t   pred, counted;
  logic [31:0] ballot, ballot_q;     // rows come in ascending
  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) pred[p] = row_i[p][0];
    counted = own_i ? '0 : members_i;
    vote_all = all_q && (members_i & ~pred) == '0;
    vote_any = any_q || (members_i & pred) != '0;
    vote_p = (kind_i.all && vote_all) || (kind_i.any && vote_any) ||
             (kind_i.uni && (vote_all || !vote_any));
    // Timing: the comparison of match arrives late: votes are counted in parallel.
    miss = (counted & ~equal_row_i) != '0;
    common_p_o = vote_p || (kind_i.mall && all_q && !miss);
    ballot = 32'({counted & (kind_i.many ? equal_row_i : pred), ballot_q} >> Lanes);
    // Timing: whether it is true arrives late; the other results are zero where that counts.
    if (kind_i.vote || kind_i.mall) common_o = '0;
    else if (kind_i.ballot) common_o = ballot;
    else if (kind_i.elect) common_o = 32'(32'(beat_i) * Lanes + 32'(low_i));
    else if (kind_i.shfl) common_o = chosen_i;
    else common_o = reduced_i;
    common_o = common_o | ({32{common_p_o}} & (kind_i.vote ? '1 : group_i));
  end

  logic [31:0] data_q [Lanes];
  row_mask_t   pval_q;
  assign data_o = data_q;
  assign pval_o = pval_q;
  always_ff @(posedge clk_i) begin
    if (compute_i && !kind_i.warpsync) begin
      logic [31:0] word [Lanes];
      word = data_q;
      for (int unsigned p = 0; p < Lanes; p++) begin
        if (data_we_i[p]) word[p] = data_i[p];
        if (pval_we_i[p]) pval_q[p] <= pval_i[p];
      end
      data_q <= word;
      all_q <= kind_i.mall ? all_q && !miss : vote_all;
      any_q <= vote_any;
      ballot_q <= ballot;
    end else if (operands_i) begin
      all_q <= 1'b1;
      any_q <= 1'b0;
    end
  end
endmodule
