// Warp exchange (docs/microarchitecture.md 9): exchange buffer, shfl, votes, match, redux, elect and
// the time of warpsync. Arrivals only write the buffer; fast instructions write and read it in one
// issue; released ones read what the arrivals left. One instruction at a time, from issue to its
// last grant. Rendezvous and release are the path engine's.
module warp
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  issue_t           issue_i,
  input  x1_t              x1_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]      live_i,   // of the warp that issues
  input  logic [31:0]      xmask_i,
  input  logic [31:0]      x1_a_i [Lanes],
  // verilator lint_off UNUSEDSIGNAL // shfl uses three fields of five bits
  input  logic [31:0]      x1_b_i [Lanes],
  // verilator lint_on UNUSEDSIGNAL
  input  logic [Lanes-1:0] x1_ps_i,
  output logic             xch_ready_o,
  output vwb_t             vwb_o,
  output logic [31:0]      vwb_data_o [Lanes],
  input  logic             vwb_grant_i,
  output finish_t          finish_o
);
  typedef enum logic [1:0] {
    Idle,
    Operands,  // until X1 of the last slot
    Compute,   // K cycles
    Present    // results, beat by beat
  } state_e;

  state_e state_q;
  logic [7:0] op_q;
  logic [1:0] mode_q;
  warp_t warp_q;
  logic [31:0] exec_q, group_q;      // E; participants P
  logic [7:0] rd_q;
  logic has_pred_q;
  logic [2:0] pd_q;
  logic [BeatBits-1:0] step_q;       // redux: beat being reduced
  logic [31:0] pending_q;            // match.any: participants without a result
  logic [Beats-1:0] left_q;          // active beats not yet presented
  logic [BeatBits-1:0] beat_q;       // the one presented

  // ---- Exchange buffer: a column of Warps words per lane.
  logic write;
  logic [31:0] xdata [Lanes];
  logic [31:0] vals [32];          // of the warp served
  logic [31:0] rows [Beats][Lanes];  // the same by beat and physical lane
  logic active;
  always_comb begin
    write = x1_i.valid && x1_i.info.unit == UnitSync && !x1_i.released &&
            x1_i.info.op != SyncWarpsync;
    for (int unsigned p = 0; p < Lanes; p++) begin
      xdata[p] = (x1_i.info.a_words == 3'd0) ? 32'(x1_ps_i[p]) : x1_a_i[p];
    end
  end
  assign active = state_q == Compute || state_q == Present;

  for (genvar l = 0; l < 32; l++) begin : gen_xbuf
    logic [31:0] mem_q [Warps] /*verilator public_flat_rd*/;
    always_ff @(posedge clk_i) begin
      if (write && x1_i.mask[l % Lanes] && x1_i.beat == BeatBits'(l / Lanes)) begin
        mem_q[x1_i.warp] <= xdata[l % Lanes];
      end
    end
    assign vals[l] = mem_q[warp_q];
    assign rows[l/Lanes][l%Lanes] = mem_q[warp_q];
`ifdef WL_JOURNAL
    initial begin
      for (int unsigned w = 0; w < Warps; w++) begin
        mem_q[w] = journal_pkg::seed_word(journal_pkg::wl_j_seed(), 4, w * 32 + l);
      end
    end
`endif
  end

  // Operand b of shfl: lane operand, clamp, segment mask.
  logic [14:0] opb [Lanes];
  logic [BeatBits-1:0] next_beat;
  for (genvar p = 0; p < Lanes; p++) begin : gen_opb
    logic [14:0] mem_q [Beats];
    always_ff @(posedge clk_i) begin
      if (state_q == Operands && x1_i.valid) begin
        mem_q[x1_i.beat] <= {x1_b_i[p][20:16], x1_b_i[p][12:8], x1_b_i[p][4:0]};
      end
    end
    assign opb[p] = mem_q[next_beat];
  end

  // ---- Over all lanes.
  logic [31:0] pred, equal, source_set;
  logic [4:0] leader;
  logic all_true, any_true, compute_end;
  logic is_redux, is_match;
  assign is_redux = op_q >= SyncRadd && op_q <= SyncRxor;
  assign is_match = op_q == SyncMany || op_q == SyncMall;
  always_comb begin
    for (int unsigned l = 0; l < 32; l++) pred[l] = vals[l][0];
    all_true = (group_q & ~pred) == '0;
    any_true = (group_q & pred) != '0;
    source_set = (op_q == SyncMany) ? pending_q : group_q;
    leader = lowest_lane(source_set);
    equal = '0;
    if (active && is_match) begin
      for (int unsigned l = 0; l < 32; l++) equal[l] = vals[l] == vals[leader];
      equal &= group_q;
    end
    unique case (op_q)
      SyncMany: compute_end = (pending_q & ~equal) == '0;
      default:  compute_end = !is_redux || step_q == BeatBits'(Beats - 1);
    endcase
  end

  logic [31:0] acc_q, acc, reduced;
  logic [31:0] beat_vals [Lanes];
  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) beat_vals[p] = rows[step_q][p];
  end
  warp_reduce u_reduce (
    .en_i(state_q == Compute && is_redux), .op_i(op_q), .first_i(step_q == '0), .acc_i(acc_q),
    .mask_i(group_q[32'(step_q)*Lanes+:Lanes]), .x_i(beat_vals), .acc_o(acc), .result_o(reduced)
  );
  // Result of redux, once it is complete.
  logic [31:0] reduced_q;

  // match.any: the set found for each lane.
  logic [31:0] set_q [Beats][Lanes];
  always_ff @(posedge clk_i) begin
    if (state_q == Compute && op_q == SyncMany) begin
      for (int unsigned l = 0; l < 32; l++) if (equal[l]) set_q[l/Lanes][l%Lanes] <= equal;
    end
  end

  // ---- Results of the beat that is presented next.
  logic load;
  logic [Beats-1:0] next_left;
  assign load = (state_q == Compute && compute_end) || (state_q == Present && vwb_grant_i && left_q != '0);
  always_comb begin
    next_beat = '0;
    for (int unsigned b = Beats; b > 0; b--) if (left_q[b-1]) next_beat = BeatBits'(b - 1);
    next_left = left_q & (left_q - Beats'(1));
  end

  // What all lanes get; match.any: the set found in this cycle.
  logic [31:0] common;
  logic common_p;
  always_comb begin
    unique case (op_q)
      SyncVall: common_p = all_true;
      SyncVany: common_p = any_true;
      SyncVuni: common_p = all_true || !any_true;
      SyncMall: common_p = equal == group_q;
      default:  common_p = 1'b0;
    endcase
    unique case (op_q)
      SyncVall, SyncVany, SyncVuni: common = {32{common_p}};
      SyncBallot: common = group_q & pred;
      SyncMall:   common = common_p ? group_q : '0;
      SyncMany:   common = equal;
      SyncElect:  common = 32'(leader);
      default:    common = (state_q == Compute) ? reduced : reduced_q;  // redux
    endcase
  end

  logic [31:0] result [Lanes];
  logic [Lanes-1:0] result_p, found_now;
  assign found_now = equal[32'(next_beat)*Lanes+:Lanes];
  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) begin
      logic [4:0] lane, val, clamp, seg, last;
      logic [5:0] j;
      logic ok;
      lane = 5'(32'(next_beat) * Lanes + p);
      {seg, clamp, val} = '0;
      last = '0;
      j = '0;
      ok = 1'b0;
      result[p] = common;
      result_p[p] = common_p;
      if (load && op_q == SyncShfl) begin
        {seg, clamp, val} = opb[p];
        last = (lane & seg) | (clamp & ~seg);
        unique case (mode_q)
          2'd0:    j = 6'(lane) - 6'(val);  // up: negative has bit 5 set
          2'd1:    j = 6'(lane) + 6'(val);
          2'd2:    j = {1'b0, lane ^ val};
          default: j = {1'b0, (lane & seg) | (val & ~seg)};
        endcase
        ok = (mode_q == 2'd0) ? !j[5] && j[4:0] >= last : j <= 6'(last);
        result[p] = vals[(ok && group_q[j[4:0]]) ? j[4:0] : lane];
        result_p[p] = ok;
      end
      // In the last cycle of the computation the last set is not yet in set_q.
      if (load && op_q == SyncMany && !(state_q == Compute && found_now[p])) begin
        result[p] = set_q[next_beat][p];
      end
      if (op_q == SyncElect) result_p[p] = lane == leader;
    end
  end

  logic [31:0] data_q [Lanes];
  logic [Lanes-1:0] pval_q;
  always_ff @(posedge clk_i) begin
    if (load) begin
      data_q <= result;
      pval_q <= result_p;
      beat_q <= next_beat;
    end
    if (state_q == Compute) begin
      acc_q <= acc;
      if (compute_end) reduced_q <= reduced;
    end
  end

  // ---- Control.
  logic start;
  assign start = issue_i.valid && !issue_i.empty && !issue_i.ctl &&
                 issue_i.insn.info.unit == UnitSync;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= Idle;
    end else begin
      unique case (state_q)
        Idle:     if (start) state_q <= Operands;
        Operands: if (x1_i.valid && x1_i.last && x1_i.info.unit == UnitSync && !x1_i.arrival) begin
          state_q <= Compute;
        end
        Compute:  if (compute_end) state_q <= Present;
        default: begin
          if (op_q == SyncWarpsync || (vwb_grant_i && left_q == '0)) state_q <= Idle;
        end
      endcase
    end
    if (start) begin
      op_q <= issue_i.insn.info.op;
      mode_q <= issue_i.insn.word.xmode;
      warp_q <= issue_i.warp;
      exec_q <= issue_i.exec;
      group_q <= live_i & ((issue_i.insn.info.imm == ImmM) ?
                                         issue_i.insn.word.imm : xmask_i);
      rd_q <= (issue_i.insn.info.d_words == 3'd0) ? 8'd255 : issue_i.insn.word.rd;
      has_pred_q <= issue_i.insn.info.preds[PredD] && issue_i.insn.word.pd != 3'd7;
      pd_q <= issue_i.insn.word.pd;
      for (int unsigned b = 0; b < Beats; b++) left_q[b] <= issue_i.exec[b*Lanes+:Lanes] != '0;
    end else if (load) begin
      left_q <= next_left;
    end
    if (state_q == Operands) begin
      step_q <= '0;
      pending_q <= group_q;
    end
    if (state_q == Compute) begin
      step_q <= step_q + BeatBits'(1);
      pending_q <= pending_q & ~equal;
    end
  end

  assign xch_ready_o = state_q == Idle;
  always_comb begin
    vwb_o.valid = state_q == Present && op_q != SyncWarpsync;
    vwb_o.warp = warp_q;
    vwb_o.has_reg = rd_q != 8'd255;
    vwb_o.rd = rd_q;
    vwb_o.beat = beat_q;
    vwb_o.mask = exec_q[32'(beat_q)*Lanes+:Lanes];
    vwb_o.last_beat = left_q == '0;
    vwb_o.last = left_q == '0;
    vwb_o.has_pred = has_pred_q;
    vwb_o.pd = pd_q;
    vwb_o.pval = pval_q;
    finish_o.valid = state_q == Present && op_q == SyncWarpsync;
    finish_o.warp = warp_q;
  end
  assign vwb_data_o = data_q;

`ifdef WL_JOURNAL
  always_ff @(posedge clk_i) begin
    if (rst_ni && write) begin
      bit [32*Lanes-1:0] data;
      for (int unsigned p = 0; p < Lanes; p++) data[32*p+:32] = x1_i.mask[p] ? xdata[p] : '0;
      journal_pkg::wl_j_xbuf(32'(x1_i.warp), 32'(x1_i.beat), 32'(x1_i.mask), data);
    end
  end
`endif
endmodule
