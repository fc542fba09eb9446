// Warp exchange (docs/microarchitecture.md 9): control and results of shfl, votes, match, redux,
// elect, movmatrix and the time of warpsync. Arrivals only write the buffer; fast instructions write and read it in
// one issue; released ones read what the arrivals left. One instruction at a time, from issue to
// its last grant. One row (beat) of the buffer is read per cycle; with several beats shfl,
// match.any and movmatrix make one lane's result at a time. Rendezvous and release are the path engine's.
`include "cells/assert.svh"
module warp
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import warp_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  // verilator lint_off UNUSEDSIGNAL // for the journal
  input  sub_t             sub_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic             clear_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  issue_t           issue_i,
  input  x1_t              x1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]      live_i,          // of the warp that issues
  input  logic [31:0]      xmask_i,
  input  logic [31:0]      x1_a_i [Lanes],  // zero for forms without a
  // verilator lint_off UNUSEDSIGNAL // shfl uses three fields of five bits
  input  logic [31:0]      x1_b_i [Lanes],
  // verilator lint_on UNUSEDSIGNAL
  input  logic [Lanes-1:0] x1_ps_i,
  // verilator lint_off UNUSEDSIGNAL // what the buffer has
  input  poke_t            poke_i,
  input  peek_t            peek_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [31:0]      peek_data_o,
  output logic             xch_ready_o,
  output logic             rest_o,          // idle (15)
  output vwb_t             vwb_o,
  output logic [31:0]      vwb_data_o [Lanes],
  input  logic             vwb_grant_i,
  output finish_t          finish_o
);
  localparam int unsigned Groups = 32 / ReduxLanes;     // of lanes that redux takes
  localparam int unsigned ShflCycles = (Beats == 1) ? 1 : Lanes + 1;
  localparam int unsigned MovmCycles = (Beats == 1) ? 1 : 2 * Lanes + 1;
  localparam int unsigned ManyCycles = (Beats == 1) ? 1 : Lanes * (Beats + 1);
  localparam int unsigned MallCycles = (Beats == 1) ? 1 : Beats + 1;
  typedef logic [5:0]          cnt_t;

  typedef enum logic [1:0] {
    Idle,
    Operands,  // until X1 of the last slot
    Compute,   // K cycles
    Present    // results, beat by beat
  } state_e;

  state_e state_q;
  logic valid_q;                     // Present, and not warpsync
  logic [7:0] op_q;
  logic [1:0] mode_q;
  warp_t warp_q;
  logic [31:0] exec_q, group_q;      // E; participants P
  logic [7:0] rd_q;
  logic has_reg_q, has_pred_q;       // has_reg: a cycle after rd_q
  logic [2:0] pd_q;
  cnt_t cnt_q;                       // cycles of the computation still to come
  beat_t row_q;                      // row that the others count
  logic [Beats-1:0] left_q;          // active beats not yet computed or presented
  beat_t beat_q;                     // the one computed (per_beat) or presented

  // What the operation is, a cycle behind op_q: nothing asks before X1.
  xch_kind_t kind_q;
  logic is_shfl, is_many, is_mall, is_elect, is_redux, is_warpsync, per_beat;
  always_ff @(posedge clk_i) begin
    kind_q.shfl <= op_q == SyncShfl;
    kind_q.many <= op_q == SyncMany;
    kind_q.mall <= op_q == SyncMall;
    kind_q.elect <= op_q == SyncElect;
    kind_q.redux <= op_q >= SyncRadd && op_q <= SyncRxor;
    kind_q.warpsync <= op_q == SyncWarpsync;
    kind_q.movm <= op_q == SyncMovm;
    kind_q.vote <= op_q == SyncVall || op_q == SyncVany || op_q == SyncVuni;
    kind_q.ballot <= op_q == SyncBallot || op_q == SyncMany;
    kind_q.all <= op_q == SyncVall;
    kind_q.any <= op_q == SyncVany;
    kind_q.uni <= op_q == SyncVuni;
  end
  assign {is_shfl, is_many, is_mall} = {kind_q.shfl, kind_q.many, kind_q.mall};
  assign {is_elect, is_redux, is_warpsync} = {kind_q.elect, kind_q.redux, kind_q.warpsync};
  assign per_beat = is_shfl || is_many || kind_q.movm;

  // ---- Board: a peek sets what reads the buffer as for match.any of one lane.
  logic peek;
  logic [4:0] peek_lane;
  warp_t peek_warp;
  assign peek = peek_i.valid && peek_i.array == 3'(wl_pkg::ArrayXbuf);
  assign peek_lane = peek_i.slice[4:0];
  assign peek_warp = peek_i.row[WarpBits-1:0];

  // ---- Exchange buffer
  logic write;
  logic [31:0] xdata [Lanes];
  beat_t row_at;                     // row read, known in the cycle before
  logic [31:0] row [Lanes];
  always_comb begin
    write = x1_i.valid && x1_i.info.unit == UnitSync && !x1_i.released &&
            x1_i.info.op != SyncWarpsync && !(x1_i.info.op == SyncMovm && x1_i.arrival);
    for (int unsigned p = 0; p < Lanes; p++) begin
      xdata[p] = {x1_a_i[p][31:1], (x1_i.info.a_words == 3'd0) ? x1_ps_i[p] : x1_a_i[p][0]};
    end
  end
  xbuf u_xbuf (
    .clk_i, .write_i(write), .x1_i, .poke_i, .peek_i, .data_i(xdata), .warp_i(warp_q),
    .row_at_i(row_at), .row_o(row)
  );

  // ---- Operand b of shfl
  shfl_operand_t operand [Lanes], arriving [Lanes];
  beat_t operand_at;                 // several beats: of the next cycle
  for (genvar p = 0; p < Lanes; p++) begin : gen_operand
    shfl_operand_t mem_q [Beats];
    assign arriving[p] = {x1_b_i[p][20:16], x1_b_i[p][12:8], x1_b_i[p][4:0]};
    always_ff @(posedge clk_i) begin
      if (state_q == Operands && x1_i.valid) mem_q[x1_i.beat] <= arriving[p];
    end
    assign operand[p] = mem_q[operand_at];
  end

  // ---- The row read and its participants
  logic operands_end, compute, compute_end, advance;
  logic [Beats-1:0] group_beats;
  row_mask_t members;
  beat_t next_beat, group_beat;
  // First row with participants, a cycle behind group_q, and their lowest lane, two cycles behind:
  // nothing asks before X1.
  beat_t group_beat_q;
  row_mask_t first_row;
  place_t low, low_q;
  logic [Beats-1:0] next_left;
  assign operands_end = state_q == Operands && x1_i.valid && x1_i.last &&
                        x1_i.info.unit == UnitSync && !x1_i.arrival;
  assign compute = state_q == Compute;
  assign compute_end = compute && cnt_q == '0;
  // The next beat is taken.
  assign advance = operands_end || (state_q == Present && vwb_grant_i && left_q != '0);
  always_comb begin
    next_beat = '0;
    for (int unsigned b = Beats; b > 0; b--) if (left_q[b-1]) next_beat = beat_t'(b - 1);
    next_left = left_q & (left_q - Beats'(1));
    group_beat = '0;
    for (int unsigned b = 0; b < Beats; b++) group_beats[b] = group_q[b*Lanes+:Lanes] != '0;
    for (int unsigned b = Beats; b > 0; b--) if (group_beats[b-1]) group_beat = beat_t'(b - 1);
    members = group_q[32'(row_at)*Lanes+:Lanes];
    first_row = group_q[32'(group_beat_q)*Lanes+:Lanes];
    low = place_t'(choice_pkg::low_index(32'(first_row)));
  end

  // ---- redux
  logic [31:0] reduced;
  beat_t redux_row;                  // several beats: row of the group read next
  warp_redux u_redux (
    .clk_i, .redux_i(is_redux), .op_i(op_q), .operands_i(state_q == Operands),
    .operands_end_i(operands_end), .compute_i(compute), .compute_end_i(compute_end),
    .exec_i(exec_q), .row_i(row), .members_i(members), .next_row_o(redux_row), .result_o(reduced)
  );

  // ---- Results of single lanes, and the lanes of the row that match counts.
  logic [31:0] common;               // what all lanes get
  logic [31:0] chosen;               // several beats: the word that shfl found
  logic [31:0] data [Lanes];
  row_mask_t equal_row, data_we, pval, pval_we;
  logic own;                         // no row of all participants yet (match)
  logic common_p;
  if (Beats == 1) begin : gen_wide
    exchange_wide u_exchange (
      .compute_i(compute), .kind_i(kind_q), .mode_i(mode_q), .row_i(row), .members_i(members),
      .low_i(low_q), .operand_i(operand), .common_i(common), .common_p_i(common_p),
      .equal_row_o(equal_row), .data_o(data), .pval_o(pval)
    );
    assign data_we = {Lanes{compute_end}};
    assign pval_we = {Lanes{compute_end}};
    assign peek_data_o = row[place_t'(peek_lane)];
    assign own = 1'b0;
    assign row_at = '0;
    assign operand_at = '0;
    assign chosen = '0;
    logic unused;
    assign unused = &{1'b0, beat_q, row_q, group_beat_q, redux_row};
  end else begin : gen_serial
    exchange_serial u_exchange (
      .clk_i, .operands_i(state_q == Operands), .x1_beat_i(x1_i.beat), .compute_i(compute),
      .kind_i(kind_q), .mode_i(mode_q), .group_i(group_q), .beat_i(beat_q),
      .next_beat_i(next_beat), .row_i(row_q), .group_beat_i(group_beat_q),
      .redux_row_i(redux_row), .low_i(low_q),
      .row_data_i(row), .operand_i(operand), .arriving_i(arriving[0]), .peek_i(peek),
      .peek_lane_i(peek_lane), .common_i(common), .common_p_i(common_p),
      .row_at_o(row_at), .operand_at_o(operand_at), .own_o(own), .chosen_o(chosen),
      .equal_row_o(equal_row), .data_o(data), .data_we_o(data_we), .pval_o(pval),
      .pval_we_o(pval_we)
    );
    assign peek_data_o = chosen;
  end

  // ---- Over all participants, and the results.
  logic [31:0] result_data [Lanes];
  row_mask_t result_pval;
  warp_totals u_totals (
    .clk_i, .kind_i(kind_q), .operands_i(state_q == Operands), .compute_i(compute), .own_i(own),
    .members_i(members), .row_i(row), .equal_row_i(equal_row), .group_i(group_q), .beat_i(row_q),
    .low_i(low_q), .chosen_i(chosen), .reduced_i(reduced), .common_o(common),
    .common_p_o(common_p), .data_i(data), .data_we_i(data_we), .pval_i(pval), .pval_we_i(pval_we),
    .data_o(result_data), .pval_o(result_pval)
  );

  // ---- Control.
  logic start;
  assign start = issue_i.valid && !issue_i.empty && !issue_i.ctl &&
                 issue_i.insn.info.unit == UnitSync;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= Idle;
      valid_q <= 1'b0;
    end else begin
      unique case (state_q)
        Idle:     if (start) state_q <= Operands;
        Operands: if (operands_end) state_q <= Compute;
        Compute: begin
          if (compute_end) begin
            state_q <= Present;
            valid_q <= !is_warpsync;
          end
        end
        default: begin
          if (vwb_grant_i && (left_q == '0 || per_beat)) valid_q <= 1'b0;
          if (is_warpsync || (vwb_grant_i && left_q == '0)) state_q <= Idle;
          else if (vwb_grant_i && per_beat) state_q <= Compute;
        end
      endcase
    end
    if (start) begin
      op_q <= issue_i.insn.info.op;
      mode_q <= issue_i.insn.word.mods.control.xmode;
      warp_q <= issue_i.warp;
      exec_q <= issue_i.exec;
      group_q <= live_i & ((issue_i.insn.info.imm == ImmM) ?
                                         issue_i.insn.word.imm : xmask_i);
      rd_q <= (issue_i.insn.info.d_words == 3'd0) ? 8'd255 : issue_i.insn.word.rd;
      has_pred_q <= issue_i.insn.info.preds[PredD] && issue_i.insn.word.pd != 3'd7;
      pd_q <= issue_i.insn.word.pd;
      for (int unsigned b = 0; b < Beats; b++) left_q[b] <= issue_i.exec[b*Lanes+:Lanes] != '0;
    end else if (advance) begin
      left_q <= next_left;
    end
    if (advance) begin
      beat_q <= next_beat;
      cnt_q <= is_redux ? cnt_t'(Groups - 1) : is_many ? cnt_t'(ManyCycles - 1) :
               is_shfl ? cnt_t'(ShflCycles - 1) : kind_q.movm ? cnt_t'(MovmCycles - 1) :
               is_mall ? cnt_t'(MallCycles - 1) :
               (is_elect || is_warpsync) ? '0 : cnt_t'(Beats - 1);
      if (per_beat) row_q <= '0;
      else if (state_q == Operands) row_q <= is_elect ? group_beat_q : '0;
    end else if (compute) begin
      cnt_q <= cnt_q - cnt_t'(1);
      if (!is_elect && !own) row_q <= row_q + beat_t'(1);
    end
    group_beat_q <= group_beat;
    low_q <= low;
    has_reg_q <= rd_q != 8'd255;
    if (peek) begin
      op_q <= SyncMany;
      warp_q <= peek_warp;
      row_q <= (Beats > 1) ? beat_t'(peek_lane >> LaneBits) : '0;
    end
  end

  assign xch_ready_o = state_q == Idle;
  assign rest_o = state_q == Idle;
  always_comb begin
    vwb_o.valid = valid_q;
    vwb_o.warp = warp_q;
    vwb_o.has_reg = has_reg_q;
    vwb_o.rd = rd_q;
    vwb_o.beat = beat_q;
    vwb_o.mask = exec_q[32'(beat_q)*Lanes+:Lanes];
    vwb_o.last_beat = left_q == '0;
    vwb_o.last = left_q == '0;
    vwb_o.has_pred = has_pred_q;
    vwb_o.pd = pd_q;
    vwb_o.pval = (is_elect && beat_q != row_q) ? '0 : result_pval;
    finish_o.valid = state_q == Present && is_warpsync;
    finish_o.warp = warp_q;
  end
  assign vwb_data_o = result_data;

  `WL_ASSERT(StartsIdle, !start || state_q == Idle)
  `WL_ASSERT(BeatOnce, !valid_q || !left_q[beat_q])
  `WL_ASSERT(PresentsActive, !valid_q || vwb_o.mask != '0)
  `WL_ASSERT_HELD(ResultWaits, vwb_o.valid, vwb_grant_i || clear_i,
                  {vwb_o.warp, vwb_o.rd, vwb_o.beat, vwb_o.mask})
endmodule
