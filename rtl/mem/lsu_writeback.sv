// LSU: write-back of results (docs/microarchitecture.md 10, 6.3). Of the slots in WB the one
// allocated first presents its words, LSU beats ascending, words ascending; each slot keeps its
// place. The choice for a cycle is made in the cycle before from the state that it will see, so
// that the results can lie in memories with registered outputs.
module lsu_writeback
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import lsu_pkg::*;
  import gates_pkg::Always;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                en_i,                 // some slot is or comes into WB
  input  logic                take_i,               // issue to slot alloc_i
  input  logic [31:0]         exec_i,
  input  logic [LsuDepth-1:0] enter_i,              // becomes WB
  input  logic [LsuDepth-1:0] in_wb_i,
  input  slot_t               alloc_i,              // the oldest slot from here on
  input  wb_info_t            info_i,               // of slot_o
  input  logic                fill_i,               // X1 brings an LSU beat's lanes of E
  input  logic [RowBits-1:0]  fill_row_i,
  input  logic [Cols-1:0]     fill_act_i,
  input  logic [Cols-1:0]     fill_local_i,
  input  logic                grant_i,
  output logic [LsuDepth-1:0] free_o,               // leaves WB
  output vwb_t                vwb_o,
  output slot_t               slot_o,
  output logic [1:0]          word_o,               // of what is presented
  output logic                single_o,             // the results have one word
  // What is read for the next cycle.
  output logic                read_o,
  output slot_t               read_slot_o,
  output logic [4:0]          read_lane0_o,
  output logic [1:0]          read_word_o,
  output logic [Cols-1:0]     read_local_o          // its lanes of class L
);

  logic             wb_q;
  slot_t            slot_q;
  beats_t           left_q [LsuDepth];   // LSU beats not finished
  logic [1:0]       word_q [LsuDepth];

  // Lanes of E by row.
  logic [Cols-1:0] exec_q [1 << RowBits];
  always_ff @(posedge clk_i) begin
    if (fill_i) exec_q[fill_row_i] <= fill_act_i;
  end

  // ---- Presented now
  wb_info_t         info;
  beats_t           left, left_after;
  logic [1:0]       word;
  logic             last_word, last_beat;
  logic [4:0]       lane0;
  always_comb begin
    logic [8:0] rd;
    info = '0;
    left = '0;
    left_after = '0;
    word = '0;
    last_word = 1'b0;
    last_beat = 1'b0;
    lane0 = '0;
    rd = '0;
    vwb_o = '0;
    vwb_o.valid = wb_q;
    if (wb_q || Always) begin
      info = info_i;
      left = left_q[slot_q];
      left_after = left & (left - beats_t'(1));
      word = word_q[slot_q];
      last_word = word == last_word_of(size_of(info.mtype));
      last_beat = left_after == '0;
      lane0 = first_lane(left);
      rd = {1'b0, info.rd} + {7'b0, word};
      vwb_o.warp = warp_of(info.warp);
      vwb_o.has_reg = rd < 9'd255;
      vwb_o.rd = rd[7:0];
      vwb_o.beat = BeatBits'(32'(lane0) / Lanes);
      vwb_o.mask = Lanes'(exec_q[row_of(slot_q, lane0)]) << (32'(lane0) % Lanes);
      vwb_o.last_beat = last_beat;
      vwb_o.last = last_beat && last_word;
    end
  end
  assign slot_o = slot_q;
  assign word_o = word;
  assign single_o = last_word_of(size_of(info.mtype)) == '0;

  // ---- Presented next: without a grant and after one, which comes late
  logic       stay_wb, go_wb;
  slot_t      stay_slot, go_slot;
  logic [4:0] stay_lane0, go_lane0;
  logic [1:0] stay_word, go_word;
  always_comb begin
    logic [LsuDepth-1:0] there;
    beats_t              left_d;
    free_o = '0;
    {stay_wb, stay_slot, stay_lane0, stay_word} = '0;
    {go_wb, go_slot, go_lane0, go_word} = '0;
    there = '0;
    left_d = '0;
    if (en_i || Always) begin
      if (grant_i && vwb_o.last) free_o[slot_q] = 1'b1;
      if (!grant_i || Always) begin
        there = in_wb_i | enter_i;
        stay_wb = there != '0;
        for (int i = int'(LsuDepth) - 1; i >= 0; i--) begin
          if (there[alloc_i + slot_t'(i)]) stay_slot = alloc_i + slot_t'(i);
        end
        stay_lane0 = first_lane(left_q[stay_slot]);
        stay_word = word_q[stay_slot];
      end
      if (grant_i || Always) begin
        there = in_wb_i;
        if (vwb_o.last) there[slot_q] = 1'b0;
        there = there | enter_i;
        go_wb = there != '0;
        for (int i = int'(LsuDepth) - 1; i >= 0; i--) begin
          if (there[alloc_i + slot_t'(i)]) go_slot = alloc_i + slot_t'(i);
        end
        left_d = left_q[go_slot];
        go_word = word_q[go_slot];
        if (go_slot == slot_q) begin
          go_word = last_word ? '0 : word + 2'd1;
          if (last_word) left_d = left_after;
        end
        go_lane0 = first_lane(left_d);
      end
    end
  end
  assign read_o = grant_i ? go_wb : stay_wb;
  assign read_slot_o = grant_i ? go_slot : stay_slot;
  assign read_lane0_o = grant_i ? go_lane0 : stay_lane0;
  assign read_word_o = grant_i ? go_word : stay_word;

  if (LateExtend) begin : gen_local
    logic [Cols-1:0] local_q [1 << RowBits];
    always_ff @(posedge clk_i) begin
      if (fill_i) local_q[fill_row_i] <= fill_local_i;
    end
    assign read_local_o = local_q[row_of(read_slot_o, read_lane0_o)];
  end else begin : gen_no_local
    assign read_local_o = '0;
    logic unused_local;
    assign unused_local = ^fill_local_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wb_q <= 1'b0;
    else wb_q <= read_o;
    if (en_i) begin
      slot_q <= read_slot_o;
      for (int i = 0; i < int'(LsuDepth); i++) begin
        if (grant_i && slot_q == slot_t'(i)) begin
          word_q[i] <= last_word ? '0 : word + 2'd1;
          if (last_word) left_q[i] <= left_after;
        end
      end
    end
    // A slot that is issued to is not in WB.
    if (take_i) begin
      for (int b = 0; b < int'(LsuBeats); b++) begin
        left_q[alloc_i][b] <= exec_i[b*int'(LsuLanes) +: int'(LsuLanes)] != '0;
      end
      word_q[alloc_i] <= '0;
    end
  end
endmodule
