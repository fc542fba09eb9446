// Results of single lanes where a row holds the whole warp (docs/microarchitecture.md 9, Beats = 1):
// all lanes at once, in the one cycle of the computation.
module exchange_wide
  import config_pkg::*;
  import warp_pkg::*;
(
  input  logic          compute_i,
  // verilator lint_off UNUSEDSIGNAL // those of the other unit too
  input  xch_kind_t     kind_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]    mode_i,
  input  logic [31:0]   row_i [Lanes],
  input  row_mask_t     members_i,
  input  place_t        low_i,           // lowest member
  input  shfl_operand_t operand_i [Lanes],
  input  logic [31:0]   common_i,        // what all lanes get
  input  logic          common_p_i,
  output row_mask_t     equal_row_o,     // the lanes that match counts
  output logic [31:0]   data_o [Lanes],
  output row_mask_t     pval_o
);
  row_mask_t equal [Lanes];
  logic [31:0] first_value [1];
  logic [0:0] first_equal [Lanes];
  shfl_source_t source [Lanes];
  assign first_value[0] = row_i[low_i];
  warp_equal #(.Values(Lanes)) u_equal (
    .en_i(compute_i && kind_i.many), .value_i(row_i), .row_i, .equal_o(equal)
  );
  warp_equal #(.Values(1)) u_first (
    .en_i(compute_i && kind_i.mall), .value_i(first_value), .row_i, .equal_o(first_equal)
  );
  for (genvar p = 0; p < int'(Lanes); p++) begin : gen_source
    shfl_source u_source (
      .en_i(compute_i && kind_i.shfl), .lane_i(5'(p)), .b_i(operand_i[p]), .mode_i,
      .source_o(source[p])
    );
  end
  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) begin
      equal_row_o[p] = first_equal[p][0];
      data_o[p] = kind_i.many ? 32'(equal[p] & members_i) : common_i;
      pval_o[p] = kind_i.elect ? low_i == place_t'(p) : common_p_i;
      if (compute_i && kind_i.shfl) begin
        // Outside the participants or out of range: the own lane.
        pval_o[p] = source[p].ok;
        data_o[p] = row_i[(source[p].ok && members_i[source[p].lane]) ? source[p].lane : 5'(p)];
      end
      // movmatrix: lane 4g + q has the halves of rows 2q and 2q + 1 in column g.
      if (compute_i && kind_i.movm) begin
        for (int unsigned h = 0; h < 2; h++) begin
          data_o[p][16*h +: 16] = row_i[5'(8*(p%4)+4*h+p/8)][16*(p/4%2) +: 16];
        end
      end
    end
  end
endmodule
