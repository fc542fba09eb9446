// Path engine (docs/microarchitecture.md 7.3): splits the running path into table rows, checks
// rendezvous and barriers, walks the rows to choose and merge the next path. Serves one warp at a
// time, one row per step. The path state of the warps lies in paths.sv; this unit sees that of the
// warp it serves (s_*) and orders its changes. With RowCycles = 2 a step takes two cycles: a row is
// read into a register, then acted upon.
module path_engine
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  sub_t                sub_i,
  input  logic                stall_i,       // disturbance (17)
  input  logic [31:0]         now_i,
  input  logic                trap_pending_i,
  input  logic                req_i,         // any request
  // Requests that may be taken in the next cycle: those visible in it; with EventDelay those of
  // this cycle, with the one that is taken.
  input  logic [SubWarps-1:0] next_split_i,
  input  logic [SubWarps-1:0] next_walk_i,
  // Whose service an idle engine prepares: the first of them, with RowCycles = 2 that of the cycle
  // before, which may be taken in this one.
  output warp_t               pick_o,
  input  logic [31:0]         p_mask_i,      // its state in the next cycle
  input  logic [31:0]         p_live_i,
  input  logic [31:0]         p_others_i,    // rows of the table, if it has walked before
  input  logic                p_walked_i,
  input  logic                p_chk_i,
  input  logic                p_waits_i,     // rows wait
  input  logic                p_rel_any_i,   // released is not 0
  input  logic [4:0]          p_first_i,     // its lowest live lane
  input  logic [4:0]          p_leader_i,    // the lowest lane of the running path, if there is one
  output logic                load_o,        // what a service of pick_o reads may be kept
  output warp_t               warp_o,        // served, or about to be
  output logic                take_o,        // accepts the request of warp_o
  output logic                busy_o,        // serves warp_o since an earlier cycle
  // State of warp_o.
  input  pc_t                 s_pc_i,
  input  pc_t                 s_pc1_i,       // pc + 1
  input  logic [15:0]         s_depth_i,
  input  logic [31:0]         s_served_i,
  input  logic                s_served_v_i,  // served is not 0
  input  logic [31:0]         s_released_i,  // means something only if released is not 0
  input  logic                s_chk_i,
  input  logic                s_bar_wake_i,
  input  logic                s_bar_busy_i,
  // Split: what the lanes of E become; the target buffer.
  input  logic [31:0]         e_mask_i,
  input  logic [31:0]         e_value_i,
  input  row_state_e          e_state_i,
  input  logic [9:0]          e_op_i,
  input  depth_e              e_depth_i,
  input  logic                e_next_i,      // e_value_i is pc + 1
  input  logic                e_lanes_i,
  output logic                look_o,
  output logic [BeatBits-1:0] beat_o,
  output logic [4:0]          lane_o,
  output logic                lane_ref_o,
  output logic [27:0]         ref_o,
  input  logic [31:0]         ref_i,
  input  logic                is_ref_i,      // it is ref_o
  input  logic [31:0]         equal_i,
  output logic                split_done_o,
  // Changes of the state of warp_o.
  output logic                released_we_o,
  output logic [31:0]         released_o,
  output logic                xmask_we_o,
  output logic [31:0]         xmask_o,
  output logic                chk_clr_o,
  output logic                waits_o,       // at the end: rows wait
  output logic                rel_any_o,     // at the end: released is not 0
  output logic                served_clr_o,
  output logic                end_o,         // end of the service: rows, and those below
  output logic [31:0]         others_o,
  output logic                several_o,     // others_o is not 0
  output logic                wake_valid_o,
  output logic [31:0]         wake_at_o,
  output logic                run_we_o,      // with a path
  output logic [31:0]         run_mask_o,
  output pc_t                 run_pc_o,
  output logic [15:0]         run_depth_o,
  output logic                run_rel_o,     // its lanes are released
  output logic [4:0]          run_leader_o,
  output logic [4:0]          left_leader_o, // of the path that ran before, for the journal
  output logic                run_stop_o,
  output pc_t                 run_stop_pc_o,
  output logic                run_below_o,
  output logic                bar_wake_clr_o,
  output bar_req_t            bar_req_o,
  output trap_t               trap_o
);
  typedef enum logic [2:0] {Split, Check, Mark, Walk1, Walk2} phase_e;

  // Service. What the first step needs is prepared in the cycle before, with the pick (RowCycles =
  // 2: as the request is taken): the table has registered reads.
  phase_e      phase;
  logic        busy_q, fresh, first_scan_q;  // fresh: first row of a scan; first scan of a check
  warp_t       warp_q, last_q;               // served or picked; last served
  logic [31:0] todo;                         // rows left in the scan
  logic [4:0]  row;                          // lowest of todo
  logic [31:0] mask_q, exist_q, live_q;      // copies of the warp's state
  logic [4:0]  cur_row_q;                    // the running path's
  logic        active, finish, prepare, hold;  // active: a step acts
  logic        reads;                        // a step of two cycles reads its row
  // Read of the table for the next cycle.
  warp_t       warp_d;
  logic [4:0]  row_d;
  logic        read;
  logic        asked;
  // Of a step of SPLIT by lane: the beat that is asked for; with FarTargets the lane takes a cycle to
  // the target buffer, and what it found one back.
  localparam int unsigned LookCycles = FarTargets ? Beats + 2 : Beats;
  localparam int unsigned LookBits = $clog2(LookCycles + 1);
  logic [LookBits-1:0] look_q;
  logic [SubWarps-1:0] asks;
  warp_t               after_last;
  assign take_o = !busy_q && asked && !trap_pending_i && !stall_i;
  assign warp_o = warp_q;
  assign busy_o = busy_q;
  assign asks = next_split_i | next_walk_i;
  assign after_last = next_warp(asks, last_q);
  if (RowCycles == 1) begin : gen_one_cycle
    // After the warp that is served, or the last one: both are found beside whether one is taken. A
    // warp that is served since an earlier cycle is the last one.
    warp_t after_this;
    assign after_this = next_warp(asks, warp_q);
    mux_tree #(.Width(WarpBits), .Bits(2)) u_pick (
      .sel_i({take_o, 1'b0}), .x_i('{after_last, after_last, after_this, after_this}),
      .y_o(pick_o)
    );
    assign active = busy_q || take_o;
    assign prepare = !active || finish;
    assign read = prepare ? asks != '0 : !hold;
    assign load_o = prepare && read;
    assign warp_d = prepare ? pick_o : warp_q;
    assign reads = 1'b0;
    always_ff @(posedge clk_i) if (read) warp_q <= warp_d;
  end else begin : gen_two_cycles
    if (EventDelay == 0) begin : gen_wrong
      $error("RowCycles: 2 only with EventDelay");
    end
    // The warp that is picked is taken in the next cycle or not; its state is read in that.
    logic act_q, more_beats;
    assign pick_o = warp_q;
    assign active = busy_q && act_q;
    assign prepare = !busy_q;
    assign read = prepare ? asked : active && !hold;
    assign load_o = prepare && asked;
    assign warp_d = warp_q;
    assign reads = busy_q && !act_q;
    // Targets in the target buffer are looked at in the cycles before.
    assign more_beats = e_lanes_i && Beats > 1 && look_q != LookBits'(LookCycles - 1);
    always_ff @(posedge clk_i) begin
      if ((prepare && !take_o) || finish) warp_q <= after_last;
      act_q <= busy_q && (act_q ? hold : !(phase == Split && more_beats));
    end
  end

  // The row of a step, and what is known of it beside the step: by its number, and against what the
  // steps before have left. From the memory it is known late, so that what can be is decided beside
  // it; with RowCycles = 2 a step acts on a register.
  typedef struct packed {
    logic [31:0] mask;
    pc_t         pc;
    logic [15:0] depth;
    row_state_e  state;
    logic [9:0]  op;           // of a row of the table, as the key
    logic [31:0] key;
    logic        bar, sync;    // its state
    logic [4:0]  kinds;        // of barrier
    logic        rel;          // released: all its lanes are, with the one under which it stands
    logic        e;            // that lane is of E
    logic        take_e, take_n, ask_n;  // SPLIT: takes lanes of E, others, others at pc + 1
    logic [31:0] next;         // rows left behind it, without a split's group
    logic        last;         // there are none
    logic        may_j;        // may be row j of CHECK
    logic        like;         // op and key of j
    logic        other_bar;    // not the barrier of the first row hit
    logic        at_ref, before_ref;
    logic        alone, whole; // of itself, with those gathered: all lanes that it must have
    logic        woken, due;   // of BARC, of SLEEP
    logic        later;        // than the least wake time: it is before
    logic        served;
    logic        depth_less, same_depth, pc_less, same_pc;  // against the best row
  } row_t;
  row_t t, r;  // as it is read, as it is acted upon
  if (RowCycles == 1) begin : gen_row
    assign r = t;
  end else begin : gen_row
    row_t row_q;
    assign r = row_q;
    always_ff @(posedge clk_i) if (reads) row_q <= t;
  end

  // The running path is a row that is not in the table, under its lowest lane; a split takes it
  // apart. Only the lanes that it takes end a split; the end of a scan of rows is known beforehand.
  logic [31:0] todo_next, group, row_bit;
  logic        last, is_cur, cur_v_q, in_split, in_check, in_walk1, in_walk2;
  assign in_split = active && phase == Split;
  assign in_check = active && phase == Check;
  assign in_walk1 = active && phase == Walk1;
  assign in_walk2 = active && phase == Walk2;
  assign row_bit = 32'd1 << row;
  assign todo_next = r.next & ~group;
  assign last = (phase == Split) ? todo_next == '0 : r.last;
  assign is_cur = phase == Split || (cur_v_q && row == cur_row_q);

  // A split is of the running path, what is marked lies in the table.
  pc_t marked_pc1;
  assign marked_pc1 = r.pc + 28'd1;

  // SPLIT: lanes with the target of the lowest lane left. Lanes of E and other lanes can only
  // agree where E branches at the same depth. Targets in the target buffer take a cycle per beat.
  logic [31:0]         first_value;
  logic                split_step, row_e, joins;
  assign look_o = ((RowCycles == 1) ? in_split : reads && phase == Split) && e_lanes_i &&
                  (!FarTargets || look_q < LookBits'(Beats));
  assign beat_o = look_q[BeatBits-1:0];
  assign split_step = RowCycles != 1 || !e_lanes_i || Beats == 1 ||
                      look_q == LookBits'(Beats - 1);
  assign lane_o = row;
  assign lane_ref_o = row_e;
  assign ref_o = s_pc1_i;
  assign first_value = e_lanes_i ? ref_i : e_value_i;
  assign group = (e_mask_i & {32{r.take_e}} & equal_i) |
                 (~e_mask_i & {32{r.take_n || (r.ask_n && is_ref_i)}});

  logic rel, rel_row, rel_any_q, waits_q, waits_set;
  assign rel = r.rel;

  // Of that lane, whether it is released and whether it is of E.
  logic [1:0] of_lane [16];
  for (genvar i = 0; i < 16; i++) begin : gen_lane
    assign of_lane[i] = row[4] ? {s_released_i[16+i], e_mask_i[16+i]} : {s_released_i[i], e_mask_i[i]};
  end
  mux_tree #(.Width(2), .Bits(4)) u_lane (
    .sel_i(row[3:0]), .x_i(of_lane), .y_o({rel_row, row_e})
  );

  // Union of the rows that the phase gathers: U of CHECK, READY rows, the next path. Empty at the
  // beginning of a scan.
  logic [31:0] acc_q, acc;
  logic        gather, at_sync;
  assign acc = (acc_q & {32{!at_sync}}) | (r.mask & {32{gather}});

  // CHECK. Row j is the first row of the scan that waits and lies above the last one. U of a
  // barrier holds rows below j too. Rows of a rendezvous below j have failed as j, so that U
  // may begin with j. Whether a row of a rendezvous is released is known late: where j is expected
  // such a row passes without a trace. No decision asks for that: no scan ends without j, and
  // while lanes are released no others are.
  logic        waits, may_j, at_j, passes, hit, member, again;
  logic        reached_q, reached, jsync_q, jsync, have_q, first_hit;
  logic        ab_q, ab, pcs_q, pcs, aligned_q, aligned, all_q, more_all, out_q, more_out;
  logic        many, mixed;  // kinds
  logic        release_u, contribute, misuse, stall, scanned, more, whole_q, whole;
  logic [4:0]  kinds_q, kinds, mark_row_q;
  logic [31:0] key_q, key;
  logic [9:0]  op_q;
  pc_t         ref_pc_q;   // of the first row hit; in WALK2 of the stop
  assign waits = r.bar || (r.sync && !rel);
  // What is gathered: rows like j behind a j in SYNC, else rows in BAR. A hit changes the key, and
  // what a barrier compares, only where it does not depend on j's key.
  assign may_j = in_check && r.may_j;
  assign member = !fresh && reached_q && jsync_q;
  assign at_sync = may_j && r.sync;
  assign at_j = may_j && (r.bar || r.sync);
  assign again = !fresh && have_q;
  assign first_hit = at_sync || (r.bar && !again);
  assign passes = at_sync && rel;
  assign hit = member ? r.sync && r.like : r.bar || at_sync;
  assign key = first_hit ? r.key : key_q;
  always_comb begin
    reached = (!fresh && reached_q) || at_j;
    jsync = at_j ? r.sync : jsync_q;
    ab = (!fresh && ab_q) || (r.bar && again && r.other_bar);
    pcs = (!fresh && pcs_q) || (r.bar && again && !r.at_ref);
    kinds = (kinds_q & {5{!fresh}}) | r.kinds;
    aligned = at_j ? r.op[3] : aligned_q;
    more_all = !fresh && reached_q && (all_q || waits);
    more_out = !fresh && reached_q && (out_q || (waits && !hit));
    many = 1'b0;
    for (int unsigned i = 1; i < 5; i++) many |= kinds[i] && (kinds & ((5'd1 << i) - 5'd1)) != '0;
    mixed = kinds[4:2] != '0 && many;
  end
  // U holds all lanes that it must: with this row, of j alone, or without it as before.
  logic [31:0] missing;
  assign missing = live_q & ~acc_q & (key_q | {32{!member}});
  always_comb begin
    whole = !fresh && whole_q;
    if (at_sync) whole = r.alone;
    else if (hit) whole = r.whole;
  end
  always_comb begin
    release_u = 1'b0;
    contribute = 1'b0;
    misuse = 1'b0;
    if (in_check && r.last) begin
      if (jsync) begin
        // One key is kept: another rendezvous waits until the released lanes have issued.
        release_u = !rel_any_q && whole;
      end else begin
        misuse = ab;
        // Of a barrier the row in BAR is the one that is gathered.
        if (!ab && !(aligned && pcs) && (r.bar ? r.whole : !fresh && whole_q)) begin
          misuse = mixed;
          contribute = !mixed;
        end
      end
    end
  end
  assign stall = contribute && s_bar_busy_i;
  assign scanned = in_check && !stall && !passes;
  assign more = (phase == Mark) ? out_q : (release_u || contribute) ? more_out : more_all;

  // WALK1: effective states, best row.
  logic [31:0] now_q, now, least_q;
  logic        wake_q, wake, ready, sleeps, least_valid_q, least_valid, barc_q, barc;
  logic        any_q, any, better, later, wait_q, served_q, all_served;
  logic [45:0] best_q, mine;  // {no released lane, no unserved lane, ~depth, pc}
  // Compared in parts: WALK2 needs some of them, rows against the chosen path.
  logic [17:0] best_hi;
  logic        hi_less, hi_equal, hi_same;
  assign best_hi = best_q[45:28];
  assign hi_same = mine[45:44] == best_hi[17:16];
  assign hi_less = mine[45:44] < best_hi[17:16] || (hi_same && r.depth_less);
  assign hi_equal = hi_same && r.same_depth;
  // Sampled in the first cycle of the first step.
  logic sample;
  assign sample = fresh && ((RowCycles == 1) ? in_walk1 : reads && phase == Walk1);
  assign now = fresh ? now_i : now_q;
  assign wake = fresh ? s_bar_wake_i : wake_q;
  always_comb begin
    ready = r.state == RowReady || r.woken || (r.sync && rel) || r.due;
    all_served = (fresh || served_q) && (!ready || r.served);
    mine = {!(rel || r.woken), s_served_v_i && r.served, ~r.depth, r.pc};
    any = (!fresh && any_q) || ready;
    better = ready && (fresh || !any_q || hi_less || (hi_equal && r.pc_less));
    sleeps = r.state == RowSleep && !ready;
    later = fresh || !least_valid_q || r.later;
    least_valid = (!fresh && least_valid_q) || sleeps;
    barc = (!fresh && barc_q) || (r.state == RowBarc && !ready);
  end
  assign waits_o = (in_walk1 && !fresh && wait_q) || (in_walk1 && waits) || (in_walk2 && wait_q);

  // WALK2: rows of the table against the chosen path C.
  logic        c_rel, same, lead_q, lead, stop_q, stop_v, below_q, below, ahead, behind;
  logic        new_stop, join_stop, stop_rel_q, level;
  pc_t         c_pc;
  logic [15:0] c_depth;
  logic [4:0]  leader_q, stop_row_q;
  logic [31:0] stop_mask_q;
  assign c_rel = !best_q[45];
  assign c_depth = ~best_q[43:28];
  assign c_pc = best_q[27:0];
  always_comb begin
    lead = !fresh && lead_q;
    stop_v = !fresh && stop_q;
    below = !fresh && below_q;
    level = r.state == RowReady && r.same_depth;
    same = level && r.same_pc && rel == c_rel;
    behind = level && r.pc_less;
    ahead = level && !r.pc_less && !r.same_pc;
    new_stop = ahead && (!stop_v || r.before_ref);
    join_stop = ahead && stop_v && r.at_ref && rel == stop_rel_q;
  end
  assign gather = (phase == Check) ? hit : (phase == Walk1) ? ready : same;

  // Row write.
  logic        we, mark_arrive;
  logic [31:0] w_mask, w_key;
  pc_t         w_pc;
  logic [15:0] w_depth;
  row_state_e  w_state;
  logic [9:0]  w_op;
  assign mark_arrive = phase == Mark && r.op[2:0] == 3'(BarArrive);
  always_comb begin
    we = 1'b0;
    w_state = r.state;
    unique case (phase)
      Split: begin
        we = split_step;
        w_state = r.e ? e_state_i : RowReady;
      end
      Mark: begin
        we = r.bar;
        w_state = mark_arrive ? RowReady : RowBarc;
      end
      Walk1: begin
        we = 1'b1;
        if (ready) w_state = RowReady;
      end
      Walk2: we = join_stop;
      default: ;
    endcase
    if (!active) we = 1'b0;
    w_mask = (todo & group) | r.mask | stop_mask_q;  // each 0 where it has no part
    w_pc = r.pc;
    w_depth = r.depth;
    if (phase == Split) begin
      if (!r.e || e_state_i == RowSleep) w_pc = s_pc1_i;
      else if (e_state_i == RowReady) w_pc = first_value[27:0];
      if (r.e) begin
        w_depth = r.depth + {{15{e_depth_i == DepthDown}}, e_depth_i != DepthSame};
      end
    end else if (mark_arrive) begin
      w_pc = marked_pc1;
    end
    w_op = '0;
    w_key = '0;
    if (w_state != RowReady) begin
      w_op = (phase == Split) ? e_op_i : r.op;
      w_key = (phase == Split) ? first_value : r.key;
    end
  end

  logic [31:0] t_mask, t_key;
  pc_t         t_pc;
  logic [15:0] t_depth;
  row_state_e  t_state;
  logic [9:0]  t_op;
  path_table u_table (
    .clk_i, .sub_i, .we_i(we && rst_ni), .wwarp_i(warp_q),
    .wrow_i((phase == Walk2) ? stop_row_q : row), .wmask_i(w_mask), .wpc_i(w_pc),
    .wdepth_i(w_depth), .wstate_i(w_state), .wop_i(w_op), .wkey_i(w_key),
    .rwarp_i(warp_d), .re_i(read), .row_i(row_d), .cur_i(is_cur),
    .cur_mask_i(mask_q & {32{phase != Split}}), .cur_pc_i(s_pc_i), .cur_depth_i(s_depth_i),
    .mask_o(t_mask), .pc_o(t_pc), .depth_o(t_depth), .state_o(t_state), .op_o(t_op), .key_o(t_key)
  );
  always_comb begin
    t.mask = t_mask;
    t.pc = t_pc;
    t.depth = t_depth;
    t.state = t_state;
    t.op = t_op;
    t.key = t_key;
    t.bar = t_state == RowBar;
    t.sync = t_state == RowSync;
    t.kinds = {5{t.bar}} & (5'd1 << t_op[2:0]);
    t.rel = rel_any_q && rel_row;
    t.e = row_e;
    joins = phase == Split && e_state_i == RowReady && e_depth_i == DepthSame;
    t.take_e = (phase == Split && row_e) || (joins && (e_lanes_i || e_next_i));
    t.take_n = (phase == Split && !row_e) || (joins && !e_lanes_i && e_next_i);
    t.ask_n = joins && e_lanes_i;
    t.next = todo & ~row_bit;
    t.last = t.next == '0;
    t.may_j = (fresh || !reached_q) && (first_scan_q || row > mark_row_q);
    t.like = t_op == op_q && t_key == key_q;
    t.other_bar = t_key[9:0] != key_q[9:0];
    t.at_ref = t_pc == ref_pc_q;
    t.before_ref = t_pc < ref_pc_q;
    t.alone = (live_q & t_key & ~t_mask) == '0;
    t.whole = (missing & ~t_mask) == '0;
    t.woken = t_state == RowBarc && wake;
    t.due = t_state == RowSleep && $signed(now - t_key) >= 0;
    t.later = $signed(t_key - least_q) < 0;
    t.served = (t_mask & ~s_served_i) == '0;
    t.depth_less = ~t_depth < best_hi[15:0];
    t.same_depth = ~t_depth == best_hi[15:0];
    t.pc_less = t_pc < c_pc;
    t.same_pc = t_pc == c_pc;
  end

  // Changes of the warp's state. After WALK2 exist is left with the rows of the table.
  logic        idle_end, stop_run;
  logic [31:0] exist;
  logic        drop, stay_q, stay;
  assign hold = stall || (phase == Split && !split_step);
  assign idle_end = in_walk1 && r.last && !any;
  assign split_done_o = in_split && split_step && last;
  assign drop = phase == Walk2 && (join_stop || same);
  assign exist = (exist_q | (row_bit & {32{phase == Split}})) & ~(row_bit & {32{drop}});
  assign stay = (!fresh && stay_q) || !drop;
  assign waits_set = in_split && (w_state == RowSync || w_state == RowBar);
  assign released_we_o = release_u || (in_walk1 && r.woken) || run_we_o;
  // U, where none is released; the old word with a woken row; the old word without the next path.
  // Rows are released as a whole: those that are not the next path leave lanes.
  logic [31:0] kept, changed;
  logic        rel_left_q, rel_left;
  assign kept = s_released_i & {32{rel_any_q}};
  assign changed = (phase == Walk1) ? r.mask : acc;
  assign released_o = (phase == Walk2) ? kept & ~changed : kept | changed;
  assign rel_left = (!fresh && rel_left_q) || (rel && !same);
  assign rel_any_o = in_walk2 ? rel_left : rel_any_q;
  assign xmask_we_o = release_u;
  assign xmask_o = key;
  assign chk_clr_o = in_walk1;
  assign stop_run = split_done_o || (in_walk1 && r.last);
  assign served_clr_o = in_walk1 && r.last && any && s_served_v_i && all_served;
  assign wake_valid_o = least_valid;  // without a path
  assign wake_at_o = (sleeps && later) ? r.key : least_q;
  assign bar_wake_clr_o = sample;

  assign end_o = run_we_o || idle_end;
  assign others_o = exist;
  assign several_o = in_walk1 || stay;
  assign run_we_o = in_walk2 && r.last;
  assign run_mask_o = acc;
  assign run_pc_o = c_pc;
  assign run_depth_o = c_depth;
  assign run_rel_o = c_rel;
  assign run_leader_o = lead ? leader_q : row;
  assign left_leader_o = cur_row_q;
  assign run_stop_o = stop_v || ahead;
  assign run_stop_pc_o = new_stop ? r.pc : ref_pc_q;
  assign run_below_o = below || behind;

  // Row that a trap names: j, or the lowest row, whose leader is the lowest live lane.
  logic       mark, deadlock;
  pc_t        mark_pc_q;
  assign mark = (at_j && !passes) || (in_walk1 && fresh);
  assign deadlock = idle_end && !least_valid && !barc;
  always_comb begin
    bar_req_o.valid = contribute && !stall;
    bar_req_o.warp = warp_q;
    bar_req_o.a = key[3:0];
    bar_req_o.b = key[9:4];
    bar_req_o.kind = many ? 3'(BarSync) :
                     {kinds[4], kinds[2] | kinds[3], kinds[1] | kinds[3]};
    bar_req_o.wait_f = (kinds & ~(5'd1 << BarArrive)) != '0;
    bar_req_o.mask = acc;
  end

  // When a request is taken and a trap rises.
  if (EventDelay == 0) begin : gen_at_once
    assign asked = req_i;
    always_comb begin
      trap_o = '0;
      trap_o.valid = misuse || deadlock;
      trap_o.cause = misuse ? TrapBarrierMisuse : TrapSyncDeadlock;
      trap_o.warp = slot_of(warp_q, sub_i);
      trap_o.lane = mark ? row : mark_row_q;
      trap_o.pc = mark ? r.pc : mark_pc_q;
    end
  end else begin : gen_delay
    // The request that is taken comes last in the choice, so that the warp prepared is an asked one
    // if there is any. Warp, lane and pc of a late trap are in the registers of the service.
    logic [SubWarps-1:0] asked_q;
    logic                late_valid_q, late_misuse_q;
    assign asked = asked_q != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        asked_q <= '0;
        late_valid_q <= 1'b0;
      end else begin
        asked_q <= asks & ~(SubWarps'(take_o) << warp_q);
        late_valid_q <= misuse || deadlock;
      end
      late_misuse_q <= misuse;
    end
    always_comb begin
      trap_o = '0;
      trap_o.valid = late_valid_q;
      trap_o.cause = late_misuse_q ? TrapBarrierMisuse : TrapSyncDeadlock;
      trap_o.warp = slot_of(last_q, sub_i);
      trap_o.lane = mark_row_q;
      trap_o.pc = mark_pc_q;
    end
    logic unused_req;
    assign unused_req = req_i;
  end

  // Next phase and row.
  phase_e      phase_d;
  logic [31:0] todo_d, p_exist;
  logic [31:0] p_others;
  logic [4:0]  first_row_q;
  logic [31:0] todo_x [4];
  logic [4:0]  row_x [4];
  logic [1:0]  todo_sel;
  assign finish = end_o;
  assign p_others = p_others_i & {32{p_walked_i}};
  assign p_exist = p_others | (p_mask_i & (32'd1 << p_leader_i));
  always_comb begin
    phase_d = phase;
    if (prepare) begin
      phase_d = next_split_i[pick_o] ? Split : (p_chk_i && p_waits_i) ? Check : Walk1;
    end else if (last) begin
      unique case (phase)
        Split: phase_d = (s_chk_i && (waits_q || waits_set)) ? Check : Walk1;
        Check: phase_d = contribute ? Mark : more ? Check : Walk1;
        Mark: phase_d = more ? Check : Walk1;
        default: phase_d = Walk2;
      endcase
    end
  end
  // The lowest row of each outcome beside the outcome, which is known late. Rows stand under their
  // lowest lanes, so that the lowest live lane is the first row of a scan: a split leaves it one,
  // and a walk, which takes rows away, is the last phase.
  always_comb begin
    todo_x = '{todo_next, exist, p_exist, p_mask_i};
    row_x = '{low_index(todo_next), first_row_q, p_first_i, p_leader_i};
    todo_sel = {prepare, prepare ? next_split_i[pick_o] : last};
  end
  mux_tree #(.Width(32), .Bits(2)) u_todo (.sel_i(todo_sel), .x_i(todo_x), .y_o(todo_d));
  mux_tree #(.Width(5), .Bits(2)) u_row (.sel_i(todo_sel), .x_i(row_x), .y_o(row_d));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      last_q <= warp_t'(SubWarps - 1);
    end else if (active || take_o) begin
      busy_q <= !finish;
      last_q <= warp_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read) begin
      fresh <= prepare || last || (fresh && passes);
      phase <= phase_d;
      todo <= todo_d;
      row <= row_d;
      if (prepare) begin
        live_q <= p_live_i;
        first_row_q <= p_first_i;
        cur_row_q <= p_leader_i;
        rel_any_q <= p_rel_any_i;
      end else if (release_u || (in_walk1 && r.woken)) begin
        rel_any_q <= 1'b1;
      end
      exist_q <= prepare ? p_exist : exist;
      if (prepare || phase == Split) first_scan_q <= 1'b1;
      else if (phase == Check && r.last) first_scan_q <= 1'b0;
    end
    // Not in a cycle that holds.
    if (prepare) begin
      if (read) begin
        mask_q <= p_mask_i;
        cur_v_q <= p_mask_i != '0;
        waits_q <= p_waits_i;
      end
    end else begin
      if (stop_run) begin
        mask_q <= '0;
        cur_v_q <= 1'b0;
      end
      if (waits_set) waits_q <= 1'b1;
    end
    if (prepare || phase != Split || (active && split_step)) look_q <= '0;
    else look_q <= look_q + LookBits'(1);
    if (mark && !hold) begin
      mark_row_q <= row;
      mark_pc_q <= r.pc;
    end
  end

  always_ff @(posedge clk_i) begin
    if (prepare || (active && last && !hold)) acc_q <= '0;
    else if (scanned || in_walk1 || in_walk2) acc_q <= acc;
    if ((scanned && first_hit) || (in_walk2 && new_stop)) ref_pc_q <= r.pc;
    if (scanned) begin
      reached_q <= reached;
      jsync_q <= jsync;
      have_q <= again || first_hit;
      whole_q <= whole;
      ab_q <= ab;
      pcs_q <= pcs;
      kinds_q <= kinds;
      aligned_q <= aligned;
      all_q <= more_all;
      out_q <= more_out;
      if (first_hit) begin
        key_q <= r.key;
        op_q <= r.op;
      end
    end
    if (sample) begin
      now_q <= now_i;
      wake_q <= s_bar_wake_i;
    end
    if (in_walk1) begin
      any_q <= any;
      served_q <= all_served;
      least_valid_q <= least_valid;
      barc_q <= barc;
      wait_q <= waits_o;
      if (better) best_q <= mine;
      if (sleeps && later) least_q <= r.key;
    end
    if (in_walk2) begin
      lead_q <= lead || same;
      leader_q <= run_leader_o;
      below_q <= run_below_o;
      stop_q <= run_stop_o;
      rel_left_q <= rel_left;
      stay_q <= stay;
      if (new_stop) begin
        stop_row_q <= row;
        stop_rel_q <= rel;
      end
    end
    if (in_walk2 && !r.last) begin
      if (new_stop || join_stop) stop_mask_q <= (stop_mask_q & {32{!new_stop}}) | r.mask;
    end else if (stop_mask_q != '0 && !reads) begin
      stop_mask_q <= '0;
    end
  end
endmodule
