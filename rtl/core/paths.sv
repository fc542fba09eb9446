// Path state of the warps (docs/microarchitecture.md 7.1) and who changes it: CTA launch, issue
// (section 5, rules 2 to 5), the resolve stage (path_resolve), the path engine (path_engine),
// wake-ups (7.3). In a cycle at most one of these changes a given warp. Decides no branch itself.
module paths
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             stall_i,  // disturbance (17)
  input  logic             clear_i,
  input  logic [31:0]      now_i,
  input  pc_t              entry_pc_i,
  input  logic [Warps-1:0] warp_valid_i,
  input  logic [Warps-1:0] warp_start_i,
  input  logic [31:0]      start_live_i [Warps],
  input  logic             trap_pending_i,
  input  issue_t           issue_i,
  input  resolve_t         resolve_i,
  input  x1_t              x1_i,
  input  logic [31:0]      x1_a_i [Lanes],
  input  logic [31:0]      x1_b_i [Lanes],
  input  logic [31:0]      x1_c_i [Lanes],
  output logic [Warps-1:0] run_o,
  output logic [Warps-1:0] ctl_o,
  output logic [31:0]      cur_mask_o [Warps],
  output logic [31:0]      live_o [Warps],
  output logic [31:0]      released_o [Warps],
  output logic [31:0]      xmask_o [Warps],
  output logic             tbuf_free_o,
  output finish_t          turn_end_o,
  output logic [Warps-1:0] path_idle_o,
  output logic [Warps-1:0] flush_o,
  output setpc_t           setpc_resolve_o,
  output setpc_t           setpc_engine_o,
  output bar_pred_t        bar_pred_o,
  output bar_req_t         bar_req_o,
  output finish_t          bar_exit_o,
  output finish_t          bar_wake_clr_o,
  input  logic [Warps-1:0] bar_wake_i,
  input  logic [Warps-1:0] bar_req_busy_i,
  output trap_t            trap_resolve_o,
  output trap_t            trap_engine_o
);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  logic [31:0]      mask_q [Warps];
  logic [15:0]      depth_q [Warps];
  logic [31:0]      live_q [Warps];
  logic [31:0]      released_q [Warps];
  logic [31:0]      xmask_q [Warps];
  logic [31:0]      wake_at_q [Warps];
  logic [Warps-1:0] run_q, ctl_q, polled_q, stop_valid_q, below_q, chk_q, wake_valid_q;
  logic [Warps-1:0] req_split_q, req_walk_q, req_split_d, req_walk_d;
  // Words in distributed memory, one writer each; a word that is not valid is zero. exist has two
  // writers: the engine's word counts where exist_e is set; at a launch it is lane 0 alone. The PC is
  // kept only while the path does not run: from issue, or from the resolve stage.
  logic [31:0]      served_q [Warps];
  logic [9:0]       turn_q [Warps];
  pc_t              stop_pc_q [Warps];
  logic [31:0]      waiting_q [Warps];
  logic [31:0]      exist_r_q [Warps];
  logic [31:0]      exist_e_q [Warps];
  pc_t              pc_i_q [Warps];
  pc_t              pc_r_q [Warps];
  logic [Warps-1:0] served_valid_q, turn_valid_q, waiting_valid_q, exist_valid_q, exist_e_valid_q;
  logic [Warps-1:0] pc_r_valid_q;
  // What a requested split makes of the lanes of E.
  logic [31:0]      e_mask_q [Warps];
  logic [31:0]      e_value_q [Warps];
  row_state_e       e_state_q [Warps];
  logic [9:0]       e_op_q [Warps];
  depth_e           e_depth_q [Warps];
  logic [Warps-1:0] e_lanes_q;

  // Issue (section 5): control forms only set ctl, all others go on to pc + 1.
  warp_t iw;
  pc_t   i_next;
  logic  i_ctl, i_step, i_walk, i_chk;
  logic [31:0] i_released, i_exist;  // paths of the warp, the running one included
  assign iw = issue_i.warp;
  assign i_next = issue_i.insn.pc + 28'd1;
  assign i_ctl = issue_i.valid && issue_i.ctl;
  assign i_step = issue_i.valid && !issue_i.ctl;
  assign i_released = released_q[iw] & ~issue_i.path;
  assign i_exist = !exist_valid_q[iw] ? 32'd1 :
                   exist_e_valid_q[iw] ? exist_e_q[iw] : exist_r_q[iw];
  // The last released lanes issue: a rendezvous that is complete meanwhile may follow.
  assign i_chk = i_step && issue_i.released && i_released == '0 && waiting_valid_q[iw] &&
                 waiting_q[iw] != '0;
  assign i_walk = i_step && ((stop_valid_q[iw] && i_next >= stop_pc_q[iw]) ||
                             (issue_i.released && (i_exist & (i_exist - 32'd1)) != '0));

  // Resolve.
  warp_t       rw;
  logic        r_act, r_split, r_walk, r_chk, r_done, r_turn_end, r_jump, r_polled, r_lanes, r_bar;
  logic        r_look;
  logic [31:0] r_mask, r_live, r_exist, r_served, r_value;
  pc_t         r_pc;
  logic [15:0] r_depth;
  logic [4:0]  r_leader, r_lane;
  logic [9:0]  r_turn, r_op;
  row_state_e  r_state;
  depth_e      r_depth_e;
  logic [31:0] tb_value, tb_equal, tb_bad, tb_member;
  logic [31:0] rs_served, rs_exist;
  logic [9:0]  rs_turn;
  assign rw = resolve_i.warp;
  assign rs_served = served_q[rw] & {32{served_valid_q[rw]}};
  assign rs_turn = turn_q[rw] & {10{turn_valid_q[rw]}};
  assign rs_exist = !exist_valid_q[rw] ? 32'd1 :
                    exist_e_valid_q[rw] ? exist_e_q[rw] : exist_r_q[rw];
  path_resolve u_resolve (
    .resolve_i, .now_i,
    .depth_i(depth_q[rw]), .live_i(live_q[rw]), .exist_i(rs_exist),
    .served_i(rs_served), .turn_i(rs_turn), .polled_i(polled_q[rw]),
    .stop_valid_i(stop_valid_q[rw]), .stop_pc_i(stop_pc_q[rw]), .below_i(below_q[rw]),
    .look_o(r_look), .lane_o(r_lane), .value_i(tb_value), .equal_i(tb_equal), .bad_i(tb_bad),
    .member_i(tb_member),
    .act_o(r_act), .mask_o(r_mask), .pc_o(r_pc), .depth_o(r_depth), .leader_o(r_leader),
    .live_o(r_live), .exist_o(r_exist), .served_o(r_served), .turn_o(r_turn),
    .polled_o(r_polled), .split_o(r_split), .walk_o(r_walk), .chk_o(r_chk), .done_o(r_done),
    .turn_end_o(r_turn_end), .jump_o(r_jump),
    .split_value_o(r_value), .split_state_o(r_state), .split_op_o(r_op),
    .split_depth_o(r_depth_e), .split_lanes_o(r_lanes), .is_bar_o(r_bar),
    .trap_o(trap_resolve_o)
  );

  // Target buffer: the resolve stage looks at it only for its owner, as does a split.
  logic        e_look, tb_free, tb_drop;
  logic [4:0]  e_lane;
  logic [31:0] e_ref, tb_ref;
  warp_t       tb_owner;
  logic        e_split_done;
  warp_t       ew;
  assign tb_ref = r_look ? tb_value : e_ref;
  assign tb_drop = (r_act && !r_split && rw == tb_owner) || (e_split_done && ew == tb_owner);
  path_targets u_targets (
    .clk_i, .rst_ni(rst_n), .take_i(issue_i.valid && issue_i.tbuf), .take_warp_i(iw),
    .drop_i(tb_drop), .free_o(tb_free), .owner_o(tb_owner),
    .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
    .look_i(r_look || e_look), .lane_i(r_look ? r_lane : e_lane), .value_o(tb_value),
    .ref_i(tb_ref), .equal_o(tb_equal), .bad_o(tb_bad), .member_o(tb_member)
  );
  assign tbuf_free_o = tb_free;

  // Engine.
  logic        e_take, e_busy, e_exist_we, e_waiting_we, e_released_we, e_xmask_we, e_chk_clr;
  logic        e_stop_run, e_served_clr, e_wake_we, e_wake_valid, e_run_we, e_stop, e_below;
  logic        e_walk_end, e_wake_clr;
  logic [31:0] e_exist, e_waiting, e_released, e_xmask, e_wake_at, e_run_mask;
  pc_t         e_run_pc, e_stop_pc;
  logic [15:0] e_run_depth;
  logic [4:0]  e_run_leader;
  // State of the warp that is picked, as it will be in the next cycle: an exit in T changes it.
  warp_t       pw;
  logic        p_same;
  logic [31:0] p_exist;
  pc_t         es_pc;
  logic [31:0] es_served;
  assign p_same = r_act && rw == pw;
  assign p_exist = !exist_valid_q[pw] ? 32'd1 :
                   exist_e_valid_q[pw] ? exist_e_q[pw] : exist_r_q[pw];
  assign es_pc = pc_r_valid_q[ew] ? pc_r_q[ew] : pc_i_q[ew];
  assign es_served = served_q[ew] & {32{served_valid_q[ew]}};
  path_engine u_engine (
    .clk_i, .rst_ni(rst_n), .stall_i, .now_i, .trap_pending_i,
    .req_i((req_split_q | req_walk_q) != '0), .next_split_i(req_split_d),
    .next_walk_i(req_walk_d), .pick_o(pw), .p_mask_i(p_same ? r_mask : mask_q[pw]),
    .p_exist_i(p_same ? r_exist : p_exist),
    .p_waiting_i(waiting_q[pw] & {32{waiting_valid_q[pw]}}),
    .p_chk_i(chk_q[pw] || (p_same && r_chk) || (i_chk && iw == pw)),
    .warp_o(ew), .take_o(e_take), .busy_o(e_busy),
    .s_pc_i(es_pc), .s_depth_i(depth_q[ew]), .s_live_i(live_q[ew]),
    .s_served_i(es_served), .s_released_i(released_q[ew]), .s_chk_i(chk_q[ew]), .s_wake_valid_i(wake_valid_q[ew]), .s_wake_at_i(wake_at_q[ew]),
    .s_bar_wake_i(bar_wake_i[ew]), .s_bar_busy_i(bar_req_busy_i[ew]),
    .e_mask_i(e_mask_q[ew]), .e_value_i(e_value_q[ew]), .e_state_i(e_state_q[ew]),
    .e_op_i(e_op_q[ew]), .e_depth_i(e_depth_q[ew]), .e_lanes_i(e_lanes_q[ew]),
    .look_o(e_look), .lane_o(e_lane), .ref_o(e_ref), .value_i(tb_value), .equal_i(tb_equal),
    .split_done_o(e_split_done),
    .exist_we_o(e_exist_we), .exist_o(e_exist), .waiting_we_o(e_waiting_we),
    .waiting_o(e_waiting), .released_we_o(e_released_we), .released_o(e_released),
    .xmask_we_o(e_xmask_we), .xmask_o(e_xmask), .chk_clr_o(e_chk_clr),
    .stop_run_o(e_stop_run), .served_clr_o(e_served_clr), .wake_we_o(e_wake_we),
    .wake_valid_o(e_wake_valid), .wake_at_o(e_wake_at), .run_we_o(e_run_we),
    .run_mask_o(e_run_mask), .run_pc_o(e_run_pc), .run_depth_o(e_run_depth),
    .run_leader_o(e_run_leader), .run_stop_o(e_stop), .run_stop_pc_o(e_stop_pc),
    .run_below_o(e_below), .walk_end_o(e_walk_end), .bar_wake_clr_o(e_wake_clr),
    .bar_req_o, .trap_o(trap_engine_o)
  );

  // Wake-ups.
  logic [Warps-1:0] asleep, wake;
  assign asleep = warp_valid_i & ~run_q & ~ctl_q & ~req_split_q & ~req_walk_q &
                  (bar_wake_i | wake_valid_q) & ~(Warps'(e_busy) << ew);
  always_comb begin
    wake = '0;
    if (asleep != '0 && !trap_pending_i) begin
      for (int unsigned w = 0; w < Warps; w++) begin
        wake[w] = asleep[w] && live_q[w] != '0 &&
                  (bar_wake_i[w] || $signed(now_i - wake_at_q[w]) >= 0);
      end
    end
  end

  // One bit per warp. A warp whose last lanes ended leaves nothing running.
  logic [Warps-1:0] i_bit, r_bit, e_bit, i_walk_bit, r_ask;
  assign i_bit = Warps'(1) << iw;
  assign r_bit = Warps'(r_act) << rw;
  assign e_bit = Warps'(1) << ew;
  assign i_walk_bit = Warps'(i_walk) << iw;
  assign r_ask = Warps'(r_split || r_walk) << rw;
  assign req_split_d = (req_split_q & ~(Warps'(e_take) << ew)) | (Warps'(r_split) << rw);
  assign req_walk_d = (req_walk_q & ~(Warps'(e_take) << ew)) | (Warps'(r_walk) << rw) |
                      i_walk_bit | wake;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      served_valid_q <= '0;
      turn_valid_q <= '0;
      waiting_valid_q <= '0;
      exist_valid_q <= '0;
      exist_e_valid_q <= '0;
      pc_r_valid_q <= '0;
      run_q <= '0;
      ctl_q <= '0;
      polled_q <= '0;
      stop_valid_q <= '0;
      below_q <= '0;
      chk_q <= '0;
      wake_valid_q <= '0;
      req_split_q <= '0;
      req_walk_q <= '0;
    end else begin
      run_q <= (run_q & ~i_walk_bit & ~r_ask & ~(Warps'(r_done) << rw)) |
               (Warps'(e_run_we) << ew) | warp_start_i;
      ctl_q <= ((ctl_q & ~r_bit) | (i_ctl ? i_bit : '0)) & ~warp_start_i;
      polled_q <= ((polled_q & ~(r_bit & {Warps{!r_polled}})) |
                   ((issue_i.valid && issue_i.poll) ? i_bit : '0)) & ~warp_start_i;
      if (e_run_we || warp_start_i != '0) begin
        stop_valid_q <= (e_run_we ? (stop_valid_q & ~e_bit) | (Warps'(e_stop) << ew) :
                                    stop_valid_q) & ~warp_start_i;
        below_q <= (e_run_we ? (below_q & ~e_bit) | (Warps'(e_below) << ew) : below_q) &
                   ~warp_start_i;
      end
      chk_q <= ((chk_q & ~(Warps'(e_chk_clr) << ew)) | (Warps'(r_chk) << rw) |
                (Warps'(i_chk) << iw)) & ~warp_start_i;
      wake_valid_q <= ((wake_valid_q & ~(Warps'(e_wake_we) << ew)) |
                       (Warps'(e_wake_we && e_wake_valid) << ew)) & ~warp_start_i;
      req_split_q <= req_split_d;
      req_walk_q <= req_walk_d;
      served_valid_q <= ((served_valid_q | r_bit) & ~(Warps'(e_served_clr) << ew)) & ~warp_start_i;
      turn_valid_q <= (turn_valid_q | r_bit) & ~warp_start_i;
      waiting_valid_q <= (waiting_valid_q | (Warps'(e_waiting_we) << ew)) & ~warp_start_i;
      exist_valid_q <= (exist_valid_q | r_bit | (Warps'(e_exist_we) << ew)) & ~warp_start_i;
      exist_e_valid_q <= (exist_e_valid_q & ~r_bit) | (Warps'(e_exist_we) << ew);
      pc_r_valid_q <= (pc_r_valid_q & ~i_walk_bit) | r_bit;
    end
  end

  // Words in distributed memory.
  always_ff @(posedge clk_i) begin
    if (r_act) begin
      served_q[rw] <= r_served;
      turn_q[rw] <= r_turn;
      exist_r_q[rw] <= r_exist;
      pc_r_q[rw] <= r_pc;
    end
    if (r_split) begin
      e_mask_q[rw] <= resolve_i.exec;
      e_value_q[rw] <= r_value;
      e_state_q[rw] <= r_state;
      e_op_q[rw] <= r_op;
      e_depth_q[rw] <= r_depth_e;
    end
    if (i_walk) pc_i_q[iw] <= i_next;
    if (e_exist_we) exist_e_q[ew] <= e_exist;
    if (e_waiting_we) waiting_q[ew] <= e_waiting;
    if (e_run_we) stop_pc_q[ew] <= e_stop_pc;
  end

  // Words that several units see or write.
  always_ff @(posedge clk_i) begin
    if (i_step && issue_i.released) released_q[iw] <= i_released;
    if (r_act) begin
      mask_q[rw] <= r_mask;
      depth_q[rw] <= r_depth;
      live_q[rw] <= r_live;
    end
    if (r_split) e_lanes_q[rw] <= r_lanes;
    if (e_stop_run || e_run_we) mask_q[ew] <= e_run_we ? e_run_mask : '0;
    if (e_run_we) depth_q[ew] <= e_run_depth;
    if (e_released_we) released_q[ew] <= e_released;
    if (e_xmask_we) xmask_q[ew] <= e_xmask;
    if (e_wake_we) wake_at_q[ew] <= e_wake_at;
    if (!rst_n || warp_start_i != '0) begin
      for (int unsigned w = 0; w < Warps; w++) begin
        if (!rst_n || warp_start_i[w]) begin
          mask_q[w] <= rst_n ? start_live_i[w] : '0;
          live_q[w] <= rst_n ? start_live_i[w] : '0;
          depth_q[w] <= '0;
          released_q[w] <= '0;
        end
      end
    end
  end

  // Outputs.
  assign run_o = run_q;
  assign ctl_o = ctl_q;
  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) begin
      cur_mask_o[w] = mask_q[w];
      live_o[w] = live_q[w];
      released_o[w] = released_q[w];
      xmask_o[w] = xmask_q[w];
      path_idle_o[w] = live_q[w] == '0 && !req_split_q[w] && !req_walk_q[w] &&
                       !(e_busy && ew == warp_t'(w));
    end
  end
  assign turn_end_o.valid = r_turn_end;
  assign turn_end_o.warp = rw;
  assign flush_o = i_walk_bit | r_ask | (Warps'(r_jump) << rw) | (Warps'(e_run_we) << ew);
  assign setpc_resolve_o.valid = r_jump;
  assign setpc_resolve_o.warp = rw;
  assign setpc_resolve_o.pc = r_pc;
  assign setpc_engine_o.valid = e_run_we;
  assign setpc_engine_o.warp = ew;
  assign setpc_engine_o.pc = e_run_pc;
  assign bar_pred_o.valid = r_act && r_bar;
  assign bar_pred_o.warp = rw;
  assign bar_pred_o.mask = resolve_i.exec;
  assign bar_pred_o.value = resolve_i.psrc & {32{resolve_i.insn.info.preds[PredS]}};
  assign bar_exit_o.valid = r_done;
  assign bar_exit_o.warp = rw;
  assign bar_wake_clr_o.valid = e_wake_clr;
  assign bar_wake_clr_o.warp = ew;

  logic unused_issue;
  assign unused_issue = ^{issue_i, e_walk_end, entry_pc_i, r_leader, e_run_leader, e_run_pc};

`ifdef WL_JOURNAL
  // The leader of a path that no longer runs is asked for by the journal alone.
  logic [4:0] leader_q [Warps];
  always_ff @(posedge clk_i) begin
    if (r_act) leader_q[rw] <= r_leader;
    if (e_run_we) leader_q[ew] <= e_run_leader;
    if (rst_n && r_act) begin
      journal_pkg::wl_j_resolve(32'(rw), r_split ? 32'd1 : r_walk ? 32'd2 : 32'd0, 32'(r_pc),
                                r_mask, 32'(r_depth), r_served,
                                32'(r_turn) | (32'(r_polled) << 16), r_live);
    end
    if (rst_n && e_walk_end) begin
      journal_pkg::wl_j_walked(32'(ew), 32'(e_run_we), e_run_we ? e_run_mask : 32'd0,
                               32'(e_run_we ? e_run_pc : es_pc),
                               32'(e_run_we ? e_run_depth : depth_q[ew]),
                               32'(e_run_we ? e_run_leader : leader_q[ew]), e_exist, es_served,
                               e_released_we ? e_released : released_q[ew],
                               e_run_we ? (e_stop ? 32'(e_stop_pc) : '1) :
                                   (stop_valid_q[ew] ? 32'(stop_pc_q[ew]) : '1),
                               32'(e_run_we ? e_below : below_q[ew]));
    end
  end
`endif
endmodule
