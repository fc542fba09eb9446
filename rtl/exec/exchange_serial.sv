// Results of single lanes where a warp has several rows (docs/microarchitecture.md 9, Beats > 1):
// one lane at a time for shfl, match.any and movmatrix. Chooses the row that is read.
// shfl: the operand of lane lane_q is read in one cycle, its source is found in the next, the
// source's word is read in the third. The first lane's operand may be just arriving.
// movmatrix: the same, with two sources for a lane, a half of a word from each.
// match.any: for each lane its value first (own), then all rows, as match.all does for one.
module exchange_serial
  import config_pkg::*;
  import warp_pkg::*;
(
  input  logic          clk_i,
  input  logic          operands_i,        // operands arrive,
  input  beat_t         x1_beat_i,         // of this beat
  input  logic          compute_i,
  // verilator lint_off UNUSEDSIGNAL // those of the other unit too
  input  xch_kind_t     kind_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]    mode_i,
  input  logic [31:0]   group_i,           // participants
  input  beat_t         beat_i,            // the one computed
  input  beat_t         next_beat_i,
  input  beat_t         row_i,             // row that match counts
  input  beat_t         group_beat_i,      // first row with participants
  input  beat_t         redux_row_i,       // row that redux reads next
  input  place_t        low_i,             // lowest participant of that row
  input  logic [31:0]   row_data_i [Lanes],
  input  shfl_operand_t operand_i [Lanes],
  input  shfl_operand_t arriving_i,        // of the first lane
  input  logic          peek_i,
  input  logic [4:0]    peek_lane_i,
  input  logic [31:0]   common_i,          // what all lanes get
  input  logic          common_p_i,
  output beat_t         row_at_o,          // row read
  output beat_t         operand_at_o,      // of the next cycle
  output logic          own_o,             // no row of all participants yet (match)
  output logic [31:0]   chosen_o,          // the word that shfl found
  output row_mask_t     equal_row_o,       // the lanes that match counts
  output logic [31:0]   data_o [Lanes],
  output row_mask_t     data_we_o,
  output row_mask_t     pval_o,
  output row_mask_t     pval_we_o
);
  logic own_q, last_row;
  // movmatrix: half that is looked for; half that is read; it is the upper one of its source.
  logic half_q, to_half_q, odd_q;
  logic [15:0] half, low_half_q;
  logic by_lane;                   // looks for sources lane by lane
  beat_t row_at_q;
  place_t lane_q, dest_q, source_place_q, at;
  shfl_source_t source;
  row_mask_t single_q;             // pval of a single lane: shfl, elect
  logic [4:0] lane, source_lane;
  logic [31:0] value [1], value_q;
  logic [0:0] equal [Lanes];
  shfl_operand_t kept, lane_operand_q;
  assign operand_at_o = compute_i ? beat_i : next_beat_i;
  assign own_o = own_q;
  assign row_at_o = row_at_q;
  assign lane = 5'(32'(beat_i) * Lanes + 32'(lane_q));
  word_mux #(.Words(Lanes), .Width($bits(shfl_operand_t))) u_operand (
    .en_i(kind_i.shfl), .at_i(compute_i ? lane_q + place_t'(1) : '0), .x_i(operand_i), .y_o(kept)
  );
  always_ff @(posedge clk_i) begin
    if (kind_i.shfl) begin
      lane_operand_q <= (operands_i && x1_beat_i == next_beat_i) ? arriving_i : kept;
    end
  end
  shfl_source u_source (
    .en_i(compute_i && kind_i.shfl), .lane_i(lane), .b_i(lane_operand_q), .mode_i,
    .source_o(source)
  );
  always_comb begin
    // Outside the participants or out of range: the own lane.
    last_row = row_i == beat_t'(Beats - 1);
    source_lane = (source.ok && group_i[source.lane]) ? source.lane : lane;
    if (kind_i.movm) source_lane = {lane[1:0], half_q, lane[4:3]};
    by_lane = kind_i.shfl || kind_i.movm;
    half = odd_q ? chosen_o[31:16] : chosen_o[15:0];
    at = by_lane ? source_place_q : kind_i.mall ? low_i : lane_q;
  end
  word_mux #(.Words(Lanes)) u_choose (
    .en_i((compute_i && (by_lane || own_q)) || peek_i), .at_i(at), .x_i(row_data_i),
    .y_o(chosen_o)
  );
  assign value[0] = value_q;
  warp_equal #(.Values(1)) u_equal (
    .en_i(compute_i && (kind_i.many || kind_i.mall)), .value_i(value), .row_i(row_data_i),
    .equal_o(equal)
  );
  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) begin
      equal_row_o[p] = equal[p][0];
      data_o[p] = kind_i.movm ? {half, low_half_q} : common_i;
      pval_o[p] = common_p_i || single_q[p];
      data_we_o[p] = compute_i && (by_lane ? dest_q == place_t'(p) :
                                                 !kind_i.many || lane_q == place_t'(p));
      pval_we_o[p] = compute_i && (kind_i.shfl ? dest_q == place_t'(p) : 1'b1);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Lanes; p++) begin
      single_q[p] <= kind_i.shfl ? compute_i && source.ok : kind_i.elect && low_i == place_t'(p);
    end
    if (compute_i) begin
      if (by_lane) begin
        source_place_q <= source_lane[LaneBits-1:0];
        dest_q <= lane_q;
      end
      if (kind_i.movm) begin
        {to_half_q, odd_q} <= {half_q, lane[2]};
        if (!to_half_q) low_half_q <= half;
      end
      if (own_q) value_q <= chosen_o;
    end
    if (!compute_i) begin
      lane_q <= '0;
      half_q <= 1'b0;
      own_q <= kind_i.many || kind_i.mall;
    end else begin
      if (kind_i.movm) half_q <= !half_q;
      if (kind_i.shfl || (kind_i.movm && half_q) || (kind_i.many && last_row && !own_q)) begin
        lane_q <= lane_q + place_t'(1);
      end
      own_q <= kind_i.many && last_row && !own_q;
    end
    // The row of the next cycle.
    if (kind_i.redux) row_at_q <= redux_row_i;
    else if (!compute_i) row_at_q <= kind_i.many ? next_beat_i : kind_i.mall ? group_beat_i : '0;
    else if (by_lane) row_at_q <= beat_t'(source_lane >> LaneBits);
    else if (own_q) row_at_q <= row_i;
    else row_at_q <= (kind_i.many && last_row) ? beat_i : row_i + beat_t'(1);
    if (peek_i) begin
      lane_q <= place_t'(peek_lane_i);
      own_q <= 1'b0;
      row_at_q <= beat_t'(peek_lane_i >> LaneBits);
    end
  end
endmodule
