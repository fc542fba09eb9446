// Path engine (docs/microarchitecture.md 7.3): splits the running path into table rows, checks
// rendezvous and barriers, walks the rows to choose and merge the next path. Serves one warp at a
// time, one row per cycle. The path state of the warps lies in paths.sv; this unit sees that of the
// warp it serves (s_*) and orders its changes.
module path_engine
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             stall_i,       // disturbance (17)
  input  logic [31:0]      now_i,
  input  logic             trap_pending_i,
  input  logic             req_i,         // any request
  input  logic [Warps-1:0] next_split_i,  // requests of the next cycle
  input  logic [Warps-1:0] next_walk_i,
  output warp_t            pick_o,        // first of them: an idle engine prepares its service
  input  logic [31:0]      p_mask_i,      // its state in the next cycle
  input  logic [31:0]      p_exist_i,
  input  logic [31:0]      p_waiting_i,
  input  logic             p_chk_i,
  output warp_t            warp_o,        // served, or about to be
  output logic             take_o,        // accepts the request of warp_o
  output logic             busy_o,        // serves warp_o since an earlier cycle
  // State of warp_o.
  input  pc_t              s_pc_i,
  input  logic [15:0]      s_depth_i,
  input  logic [31:0]      s_live_i,
  input  logic [31:0]      s_served_i,
  input  logic [31:0]      s_released_i,
  input  logic             s_chk_i,
  input  logic             s_wake_valid_i,
  input  logic [31:0]      s_wake_at_i,
  input  logic             s_bar_wake_i,
  input  logic             s_bar_busy_i,
  // Split: what the lanes of E become.
  input  logic [31:0]      e_mask_i,
  input  logic [31:0]      e_value_i,
  input  row_state_e       e_state_i,
  input  logic [9:0]       e_op_i,
  input  depth_e           e_depth_i,
  input  logic             e_lanes_i,
  output logic             look_o,
  output logic [4:0]       lane_o,
  output logic [31:0]      ref_o,
  input  logic [31:0]      value_i,
  input  logic [31:0]      equal_i,
  output logic             split_done_o,
  // Changes of the state of warp_o.
  output logic             exist_we_o,
  output logic [31:0]      exist_o,
  output logic             waiting_we_o,
  output logic [31:0]      waiting_o,
  output logic             released_we_o,
  output logic [31:0]      released_o,
  output logic             xmask_we_o,
  output logic [31:0]      xmask_o,
  output logic             chk_clr_o,
  output logic             stop_run_o,    // cur.mask := 0
  output logic             served_clr_o,
  output logic             wake_we_o,
  output logic             wake_valid_o,
  output logic [31:0]      wake_at_o,
  output logic             run_we_o,      // walk ends with a path
  output logic [31:0]      run_mask_o,
  output pc_t              run_pc_o,
  output logic [15:0]      run_depth_o,
  output logic [4:0]       run_leader_o,
  output logic             run_stop_o,
  output pc_t              run_stop_pc_o,
  output logic             run_below_o,
  output logic             walk_end_o,    // with or without a path
  output logic             bar_wake_clr_o,
  output bar_req_t         bar_req_o,
  output trap_t            trap_o
);
  typedef enum logic [2:0] {Split, Check, Mark, Walk1, Walk2} phase_e;

  // Service. What the first step needs is prepared in the cycle before, with the pick: the table
  // has registered reads.
  phase_e      phase_q, phase;
  logic        busy_q, fresh_q, fresh;  // fresh: first row of a scan
  warp_t       warp_q, last_q;          // served or picked; last served
  logic [31:0] todo_q, todo;            // rows left in the scan
  logic [4:0]  row_q, row;              // lowest of todo
  logic [4:0]  jrow_q, jrow;            // row that is checked
  logic [31:0] mask_q, exist_q, waiting_q;  // copies of the warp's state
  logic        active, finish, prepare;
  // Reads of the table for the next cycle: row of the scan, row j when it changes.
  warp_t       warp_d;
  logic [4:0]  row_d, jrow_d;
  logic        read, new_j;
  assign take_o = !busy_q && req_i && !trap_pending_i && !stall_i;
  assign active = busy_q || take_o;
  assign warp_o = warp_q;
  assign busy_o = busy_q;
  assign prepare = !active || finish;
  assign pick_o = next_warp(next_split_i | next_walk_i, active ? warp_q : last_q);
  assign phase = phase_q;
  assign fresh = fresh_q;
  assign todo = todo_q;
  assign row = row_q;
  assign jrow = jrow_q;

  // The running path is a row that is not in the table; no other leader lies in its mask.
  logic [31:0] todo_next, group;
  logic        last, is_cur;
  assign todo_next = (phase == Split) ? todo & ~group : todo & (todo - 32'd1);
  assign last = todo_next == '0;
  assign is_cur = mask_q[row];

  logic [31:0] t_mask, t_key, r_mask, r_key, j_key;
  pc_t         t_pc, r_pc, j_pc;
  logic [15:0] t_depth, r_depth;
  row_state_e  t_state, r_state, j_state;
  logic [9:0]  t_op, r_op, j_op;
  assign r_mask = is_cur ? mask_q : t_mask;
  assign r_pc = is_cur ? s_pc_i : t_pc;
  assign r_depth = is_cur ? s_depth_i : t_depth;
  assign r_state = is_cur ? RowReady : t_state;
  assign r_op = is_cur ? 10'd0 : t_op;
  assign r_key = is_cur ? 32'd0 : t_key;

  // SPLIT: lanes with the target of the lowest lane left. Lanes of E and other lanes can only
  // agree where E branches at the same depth.
  logic [31:0] first_value;
  logic        first_e, joins;
  pc_t         pc1;
  assign pc1 = s_pc_i + 28'd1;
  assign first_e = e_mask_i[row];
  assign joins = e_state_i == RowReady && e_depth_i == DepthSame;
  assign look_o = active && phase == Split && e_lanes_i;
  assign lane_o = row;
  assign first_value = e_lanes_i ? value_i : e_value_i;
  assign ref_o = first_e ? value_i : {4'd0, pc1};
  always_comb begin
    logic take_e, take_n;
    take_e = first_e || (joins && (e_lanes_i || e_value_i[27:0] == pc1));
    take_n = !first_e || (joins && first_value[27:0] == pc1);
    group = todo & ((e_mask_i & {32{take_e}} & (e_lanes_i ? equal_i : '1)) |
                    (~e_mask_i & {32{take_n}}));
  end

  // CHECK: U and what forbids a contribution, over the rows so far.
  logic [31:0] acc_q, acc, union_u;
  logic        bad_ab_q, bad_ab, bad_pc_q, bad_pc, hit, mixed;
  logic [4:0]  kinds_q, kinds;
  logic        release_u, contribute, misuse, stall;
  assign acc = fresh ? '0 : acc_q;
  always_comb begin
    hit = (j_state == RowSync) ? r_state == RowSync && r_op == j_op && r_key == j_key :
                                 r_state == RowBar;
    union_u = acc | (hit ? r_mask : '0);
    bad_ab = (!fresh && bad_ab_q) || (hit && r_key[9:0] != j_key[9:0]);
    bad_pc = (!fresh && bad_pc_q) || (hit && r_pc != j_pc);
    kinds = (fresh ? '0 : kinds_q) | (hit ? 5'd1 << r_op[2:0] : '0);
    mixed = kinds[4:2] != '0 && (kinds & (kinds - 5'd1)) != '0;
    release_u = 1'b0;
    contribute = 1'b0;
    misuse = 1'b0;
    if (active && phase == Check && last) begin
      if (j_state == RowSync) begin
        // One key is kept: another rendezvous waits until the released lanes have issued.
        release_u = s_released_i == '0 && (j_key & s_live_i & ~union_u) == '0;
      end else begin
        misuse = bad_ab;
        if (!bad_ab && !(j_op[3] && bad_pc) && union_u == s_live_i) begin
          misuse = mixed;
          contribute = !mixed;
        end
      end
    end
    stall = contribute && s_bar_busy_i;
  end

  // WALK1: effective states, best row.
  logic [31:0] now_q, now, least_q, least;
  logic        wake_q, wake, woken, ready, least_valid_q, least_valid, barc_q, barc;
  logic        any_q, any, later;
  logic [31:0] released;
  logic [45:0] best_q, best, mine;  // {no released lane, no unserved lane, ~depth, pc}
  pc_t         first_pc_q;
  assign now = fresh ? now_i : now_q;
  assign wake = fresh ? s_bar_wake_i : wake_q;
  always_comb begin
    woken = r_state == RowBarc && wake;
    ready = r_state == RowReady || woken ||
            (r_state == RowSync && (r_mask & ~s_released_i) == '0) ||
            (r_state == RowSleep && $signed(now - r_key) >= 0);
    released = s_released_i | (woken ? r_mask : '0);
    mine = {(r_mask & released) == '0, (r_mask & ~s_served_i) == '0, ~r_depth, r_pc};
    any = (!fresh && any_q) || ready;
    best = (ready && (fresh || !any_q || mine < best_q)) ? mine : best_q;
    later = fresh || !least_valid_q || $signed(r_key - least_q) < 0;
    least_valid = !fresh && least_valid_q;
    least = least_q;
    if (r_state == RowSleep && !ready) begin
      least_valid = 1'b1;
      if (later) least = r_key;
    end
    barc = (!fresh && barc_q) || (r_state == RowBarc && !ready);
  end
  // Unserved rows: all ready lanes within served make every row equal in the served term, so that
  // one best row does for both orders of the rule.
  logic [31:0] ready_u;
  assign ready_u = acc | (ready ? r_mask : '0);

  // WALK2: rows of the table against the chosen path C.
  logic        c_rel_q, same, lead_q, lead, stop_q, stop_v, below_q, below, ahead, behind;
  logic        new_stop, join_stop, rel, stop_rel_q;
  pc_t         c_pc_q, stop_pc_q;
  logic [15:0] c_depth_q;
  logic [4:0]  leader_q, stop_row_q;
  logic [31:0] stop_mask_q;
  always_comb begin
    rel = (r_mask & s_released_i) != '0;
    lead = !fresh && lead_q;
    stop_v = !fresh && stop_q;
    below = !fresh && below_q;
    same = r_state == RowReady && r_depth == c_depth_q && r_pc == c_pc_q && rel == c_rel_q;
    behind = r_state == RowReady && r_depth == c_depth_q && r_pc < c_pc_q;
    ahead = r_state == RowReady && r_depth == c_depth_q && r_pc > c_pc_q;
    new_stop = ahead && (!stop_v || r_pc < stop_pc_q);
    join_stop = ahead && stop_v && r_pc == stop_pc_q && rel == stop_rel_q;
  end

  // Row write.
  logic        we;
  logic [4:0]  w_row;
  logic [31:0] w_mask, w_key;
  pc_t         w_pc;
  logic [15:0] w_depth;
  row_state_e  w_state;
  logic [9:0]  w_op;
  always_comb begin
    we = 1'b0;
    w_row = row;
    w_mask = r_mask;
    w_pc = r_pc;
    w_depth = r_depth;
    w_state = r_state;
    w_op = r_op;
    w_key = r_key;
    if (active) begin
      unique case (phase)
        Split: begin
          we = 1'b1;
          w_mask = group;
          w_pc = pc1;
          w_depth = s_depth_i;
          w_state = RowReady;
          w_op = '0;
          w_key = '0;
          if (first_e) begin
            w_state = e_state_i;
            w_op = e_op_i;
            if (e_depth_i == DepthUp) w_depth = s_depth_i + 16'd1;
            else if (e_depth_i == DepthDown) w_depth = s_depth_i - 16'd1;
            if (e_state_i == RowReady) w_pc = first_value[27:0];
            else if (e_state_i != RowSleep) w_pc = s_pc_i;
            if (e_state_i != RowReady) w_key = first_value;
          end
        end
        Mark: begin
          we = r_state == RowBar;
          if (r_op[2:0] == 3'(BarArrive)) begin
            w_pc = r_pc + 28'd1;
            w_state = RowReady;
          end else begin
            w_state = RowBarc;
          end
        end
        Walk1: begin
          we = 1'b1;
          if (ready) w_state = RowReady;
        end
        Walk2: begin
          we = join_stop;
          w_row = stop_row_q;
          w_mask = stop_mask_q | r_mask;
        end
        default: ;
      endcase
      if (w_state == RowReady) begin
        w_op = '0;
        w_key = '0;
      end
    end
  end

  path_table u_table (
    .clk_i, .we_i(we && rst_ni), .wwarp_i(warp_q), .wrow_i(w_row), .wmask_i(w_mask),
    .wpc_i(w_pc), .wdepth_i(w_depth), .wstate_i(w_state), .wop_i(w_op), .wkey_i(w_key),
    .rwarp_i(warp_d), .re_i(read), .row_i(row_d), .mask_o(t_mask), .pc_o(t_pc), .depth_o(t_depth), .state_o(t_state),
    .op_o(t_op), .key_o(t_key),
    .jre_i(new_j), .jrow_i(jrow_d), .jpc_o(j_pc), .jstate_o(j_state), .jop_o(j_op), .jkey_o(j_key)
  );

  // Changes of the warp's state.
  logic sleeping, idle_end;
  assign sleeping = active && phase == Split && first_e && e_state_i == RowSleep;
  assign idle_end = active && phase == Walk1 && last && !any;
  assign split_done_o = active && phase == Split && last;
  assign exist_we_o = active && (phase == Split || (phase == Walk2 && (join_stop || same)));
  always_comb begin
    exist_o = exist_q;
    if (phase == Split) exist_o = exist_q | (32'd1 << row);
    else if (phase == Walk2 && (join_stop || (same && lead))) exist_o = exist_q & ~(32'd1 << row);
  end
  always_comb begin
    waiting_we_o = 1'b0;
    waiting_o = waiting_q;
    if (release_u || (contribute && !stall)) begin
      waiting_we_o = 1'b1;
      waiting_o = waiting_q & ~union_u;
    end else if (active && phase == Split && w_state != RowReady && w_state != RowSleep) begin
      waiting_we_o = 1'b1;
      waiting_o = waiting_q | (32'd1 << row);
    end
  end
  assign released_we_o = release_u || (active && phase == Walk1 && woken);
  assign released_o = release_u ? s_released_i | union_u : released;
  assign xmask_we_o = release_u;
  assign xmask_o = j_key;
  assign chk_clr_o = active && phase == Walk1;
  assign stop_run_o = split_done_o || (active && phase == Walk1 && last);
  assign served_clr_o = active && phase == Walk1 && last && any && (ready_u & ~s_served_i) == '0;
  assign wake_we_o = (active && phase == Walk1 && last) ||
                     (sleeping && (!s_wake_valid_i || $signed(e_value_i - s_wake_at_i) < 0));
  assign wake_valid_o = sleeping || least_valid;
  assign wake_at_o = sleeping ? e_value_i : least;
  assign bar_wake_clr_o = active && phase == Walk1 && fresh;

  assign run_we_o = active && phase == Walk2 && last;
  assign run_mask_o = acc | (same ? r_mask : '0);
  assign run_pc_o = c_pc_q;
  assign run_depth_o = c_depth_q;
  assign run_leader_o = lead ? leader_q : row;
  assign run_stop_o = stop_v || ahead;
  assign run_stop_pc_o = new_stop ? r_pc : stop_pc_q;
  assign run_below_o = below || behind;
  assign walk_end_o = run_we_o || idle_end;

  always_comb begin
    bar_req_o.valid = contribute && !stall;
    bar_req_o.warp = warp_q;
    bar_req_o.a = j_key[3:0];
    bar_req_o.b = j_key[9:4];
    bar_req_o.kind = ((kinds & (kinds - 5'd1)) == '0) ? j_op[2:0] : 3'(BarSync);
    bar_req_o.wait_f = (kinds & ~(5'd1 << BarArrive)) != '0;
    bar_req_o.mask = union_u;
    bar_req_o.pc = j_pc;
    trap_o = '0;
    trap_o.warp = warp_q;
    if (misuse) begin
      trap_o.valid = 1'b1;
      trap_o.cause = 4'(TrapBarrierMisuse);
      trap_o.lane = jrow;
      trap_o.pc = j_pc;
    end else if (idle_end && !least_valid && !barc) begin
      trap_o.valid = 1'b1;
      trap_o.cause = 4'(TrapSyncDeadlock);
      trap_o.lane = lowest_lane(s_live_i);
      trap_o.pc = fresh ? r_pc : first_pc_q;
    end
  end

  // Next phase and row.
  phase_e      phase_d;
  logic [31:0] todo_d, check_d;
  logic        more;
  assign finish = active && last && (phase == Walk2 || idle_end);
  assign warp_d = prepare ? pick_o : warp_q;
  assign read = !prepare || (next_split_i | next_walk_i) != '0;
  // Rows that a check has still to look at: those above row j.
  always_comb begin
    check_d = waiting_o;
    if (prepare) check_d = p_waiting_i;
    else if (phase == Check || phase == Mark) check_d = waiting_o & (({32{1'b1}} << jrow) << 1);
  end
  assign more = check_d != '0;
  always_comb begin
    phase_d = phase;
    if (prepare) begin
      phase_d = next_split_i[pick_o] ? Split : (p_chk_i && more) ? Check : Walk1;
    end else if (last && !stall) begin
      unique case (phase)
        Split: phase_d = (s_chk_i && more) ? Check : Walk1;
        Check: phase_d = contribute ? Mark : more ? Check : Walk1;
        Mark: phase_d = more ? Check : Walk1;
        default: phase_d = Walk2;
      endcase
    end
  end
  always_comb begin
    if (prepare) todo_d = (phase_d == Split) ? p_mask_i : p_exist_i;
    else if (stall) todo_d = todo;
    else todo_d = last ? exist_o : todo_next;
  end
  assign row_d = lowest_lane(todo_d);
  assign jrow_d = lowest_lane(check_d);
  assign new_j = phase_d == Check && (prepare ? read : last && !stall);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      last_q <= warp_t'(Warps - 1);
    end else if (active) begin
      busy_q <= !finish;
      last_q <= warp_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read) begin
      fresh_q <= prepare || (last && !stall) || (fresh && stall);
      phase_q <= phase_d;
      todo_q <= todo_d;
      row_q <= row_d;
      warp_q <= warp_d;
      if (prepare || stop_run_o) mask_q <= prepare ? p_mask_i : '0;
      if (prepare || exist_we_o) exist_q <= prepare ? p_exist_i : exist_o;
      if (prepare || waiting_we_o) waiting_q <= prepare ? p_waiting_i : waiting_o;
    end
    if (new_j) jrow_q <= jrow_d;
    if (active) begin
      unique case (phase)
        Check: begin
          acc_q <= union_u;
          bad_ab_q <= bad_ab;
          bad_pc_q <= bad_pc;
          kinds_q <= kinds;
        end
        Walk1: begin
          acc_q <= ready_u;
          any_q <= any;
          best_q <= best;
          least_valid_q <= least_valid;
          least_q <= least;
          barc_q <= barc;
          if (fresh) begin
            now_q <= now_i;
            wake_q <= s_bar_wake_i;
            first_pc_q <= r_pc;
          end
          if (last) begin
            c_rel_q <= !best[45];
            c_depth_q <= ~best[43:28];
            c_pc_q <= best[27:0];
          end
        end
        Walk2: begin
          acc_q <= run_mask_o;
          lead_q <= lead || same;
          leader_q <= run_leader_o;
          below_q <= run_below_o;
          stop_q <= run_stop_o;
          stop_pc_q <= run_stop_pc_o;
          if (new_stop) begin
            stop_row_q <= row;
            stop_mask_q <= r_mask;
            stop_rel_q <= rel;
          end else if (join_stop) begin
            stop_mask_q <= w_mask;
          end
        end
        default: ;
      endcase
    end
  end

  logic unused_best;
  assign unused_best = best_q[45] ^ t_key[0];
endmodule
