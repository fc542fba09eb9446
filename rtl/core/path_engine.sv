// Path engine (docs/microarchitecture.md 7.3): serves one warp at a time, one row of its path table
// per step. This file is the sequencer: the scans of the rows, their phases, the port of the table.
// path_split, path_check and path_walk decide what a row means in a phase; path_changes decides what
// changes; path_pace_one (RowCycles = 1) or path_pace_two (2) decides when a step acts. The path
// state of the warps lies in paths.sv.
`include "cells/assert.svh"
module path_engine
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
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
  output warp_t               pick_o,        // whose service is prepared
  input  picked_t             picked_i,      // its state in the next cycle
  output logic                load_o,        // what a service of pick_o reads may be kept
  output warp_t               warp_o,        // served, or about to be
  output logic                take_o,        // accepts the request of warp_o
  output logic                busy_o,        // serves warp_o since an earlier cycle
  input  serving_t            state_i,       // of warp_o
  input  split_t              split_i,       // of warp_o
  output target_ask_t         target_o,
  input  target_found_t       target_i,
  output logic                split_done_o,
  output service_t            result_o,
  output logic [4:0]          left_leader_o, // of the path that ran before, for the journal
  output bar_req_t            bar_req_o,
  output trap_t               trap_o
);
  // A service: a scan of rows in each phase. What its first step needs is prepared in the cycle
  // before: the table has registered reads.
  phase_e      phase;
  logic        fresh;              // first row of a scan
  logic        first_scan_q;       // first scan of CHECK
  logic [31:0] todo;               // rows left in the scan
  logic [4:0]  row;                // the lowest of them: the row of the step
  logic [31:0] exist_q;            // rows of the warp
  logic [4:0]  first_row_q;        // the lowest of them, whose leader is the lowest live lane
  logic [31:0] live_q;
  logic [31:0] mask_q;             // running path: its lanes, the lowest of them, if it runs
  logic [4:0]  leader_q;
  logic        runs_q;
  logic        any_released_q;     // lanes are released
  logic        waits_q;            // rows wait
  logic [31:0] gathered_q;         // lanes of the rows that the phase has gathered
  logic [4:0]  named_row_q;        // the row that a trap names
  pc_t         named_pc_q;

  logic  acts, reads, prepare, next, hold, finish, last, split_more;
  warp_t warp;
  trap_t trap;
  if (RowCycles == 1) begin : gen_pace
    path_pace_one u_pace (
      .clk_i, .rst_ni, .may_take_i(!trap_pending_i && !stall_i), .asked_i(req_i),
      .asks_i(next_split_i | next_walk_i), .hold_i(hold), .finish_i(finish), .waits_i(split_more),
      .pick_o, .warp_o(warp), .take_o, .busy_o, .acts_o(acts), .reads_o(reads),
      .prepare_o(prepare), .next_o(next), .trap_i(trap), .trap_o
    );
  end else begin : gen_pace
    path_pace_two u_pace (
      .clk_i, .rst_ni, .may_take_i(!trap_pending_i && !stall_i), .asked_i(req_i),
      .asks_i(next_split_i | next_walk_i), .hold_i(hold), .finish_i(finish), .waits_i(split_more),
      .pick_o, .warp_o(warp), .take_o, .busy_o, .acts_o(acts), .reads_o(reads),
      .prepare_o(prepare), .next_o(next), .trap_i(trap), .trap_o
    );
  end
  assign warp_o = warp;
  assign load_o = prepare && next;
  logic in_split, in_check, in_walk1, in_walk2, looks;
  assign in_split = acts && phase == PhaseSplit;
  assign in_check = acts && phase == PhaseCheck;
  assign in_walk1 = acts && phase == PhaseWalk1;
  assign in_walk2 = acts && phase == PhaseWalk2;
  assign looks = (RowCycles == 1) ? acts : reads;

  // The row. The running path is a row that is not in the table, under its lowest lane; a split
  // takes it apart.
  step_t       read, step;
  logic [31:0] table_mask, table_key;
  pc_t         table_pc;
  logic [15:0] table_depth;
  row_state_e  table_state;
  logic [9:0]  table_op;
  logic        is_running;
  logic [31:0] rest;
  assign is_running = phase == PhaseSplit || (runs_q && row == leader_q);
  assign rest = todo & ~(32'd1 << row);
  always_comb begin
    read = 'x;
    if (looks) begin
      read.row = '{mask: table_mask, pc: table_pc, depth: table_depth, state: table_state,
                   op: table_op, key: table_key};
      read.bar = table_state == RowBar;
      read.sync = table_state == RowSync;
      read.released = any_released_q && state_i.released[row];
      read.rest = rest;
      read.last = rest == '0;
    end
  end
  path_step #(.Width($bits(step_t))) u_step (
    .clk_i, .reads_i(reads), .read_i(read), .step_o(step)
  );

  // The phases.
  logic        of_e, look, look_last, split_step;
  logic [31:0] group;
  path_row_t   split_row;
  check_t      check;
  walk_t       walk;
  path_look u_look (
    .clk_i, .asks_i((RowCycles == 1) ? in_split : reads && phase == PhaseSplit),
    .by_lane_i(split_i.by_lane), .paced_i(split_i.paced),
    .restart_i(prepare || phase != PhaseSplit || (acts && split_step)),
    .look_o(look), .beat_o(target_o.beat), .last_o(look_last)
  );
  // With RowCycles = 2 a step acts after its questions.
  assign split_step = RowCycles != 1 || look_last;
  assign split_more = phase == PhaseSplit && !look_last;
  assign target_o.look = look;
  assign target_o.lane = row;
  assign target_o.of_lane = of_e;
  assign target_o.ref_pc = state_i.next_pc;
  path_split u_split (
    .clk_i, .reads_i(reads), .phase_i(phase == PhaseSplit), .lane_i(row), .left_i(todo), .state_i,
    .split_i, .found_i(target_i), .of_e_o(of_e), .group_o(group), .row_o(split_row)
  );
  path_check u_check (
    .clk_i, .reads_i(reads), .looks_i(looks), .acts_i(in_check), .mark_i(phase == PhaseMark),
    .fresh_i(fresh), .first_scan_i(first_scan_q), .number_i(row), .last_j_i(named_row_q),
    .read_i(read), .step_i(step), .live_i(live_q), .gathered_i(gathered_q),
    .any_released_i(any_released_q), .bar_busy_i(state_i.bar_busy), .verdict_o(check)
  );
  logic sample;
  assign sample = fresh && ((RowCycles == 1) ? in_walk1 : reads && phase == PhaseWalk1);
  path_walk u_walk (
    .clk_i, .reads_i(reads), .looks_i(looks), .choose_i(in_walk1), .follow_i(in_walk2),
    .sample_i(sample), .fresh_i(fresh), .number_i(row), .read_i(read), .step_i(step), .state_i,
    .now_i, .walk_o(walk)
  );

  // Lanes of the rows that a phase gathers.
  logic [31:0] gathered;
  logic        gathers;
  assign gathers = (phase == PhaseCheck) ? check.hit :
                   (phase == PhaseWalk1) ? walk.ready : walk.same;
  assign gathered = (gathered_q & {32{!(check.restart)}}) |
                    (step.row.mask & {32{gathers}});

  // Changes that the step makes: of the table, of the warp's state, in other units.
  logic        we, named, released_row;
  logic [4:0]  write_number;
  path_row_t   write_row;
  logic [31:0] exist;
  path_changes u_changes (
    .sub_i, .warp_i(warp), .acts_i(acts), .phase_i(phase), .number_i(row), .fresh_i(fresh),
    .split_step_i(split_step), .sample_i(sample), .step_i(step), .split_row_i(split_row),
    .check_i(check), .walk_i(walk), .gathered_i(gathered), .exist_i(exist), .state_i,
    .any_released_i(any_released_q), .named_row_i(named_row_q), .named_pc_i(named_pc_q),
    .we_o(we), .write_number_o(write_number), .write_row_o(write_row), .finish_o(finish),
    .released_row_o(released_row), .named_o(named), .result_o, .bar_req_o, .trap_o(trap)
  );
  assign left_leader_o = leader_q;

  logic [4:0]  row_d;
  path_table u_table (
    .clk_i, .sub_i, .we_i(we && rst_ni), .wwarp_i(warp), .wrow_i(write_number),
    .wmask_i(write_row.mask), .wpc_i(write_row.pc), .wdepth_i(write_row.depth),
    .wstate_i(write_row.state), .wop_i(write_row.op), .wkey_i(write_row.key),
    .rwarp_i(prepare ? pick_o : warp), .re_i(next), .row_i(row_d), .cur_i(is_running),
    .cur_mask_i(mask_q), .cur_pc_i(state_i.pc), .cur_depth_i(state_i.depth),
    .mask_o(table_mask), .pc_o(table_pc), .depth_o(table_depth), .state_o(table_state),
    .op_o(table_op), .key_o(table_key)
  );

  // Rows after the step. After WALK2 exist holds the rows of the table: without those that run and
  // those that were merged.
  logic [31:0] todo_next;
  logic        new_waits;
  assign todo_next = step.rest & ~(group & {32{phase == PhaseSplit}});
  assign last = (phase == PhaseSplit) ? todo_next == '0 : step.last;
  always_comb begin
    exist = exist_q;
    if (phase == PhaseSplit) exist = exist_q | (32'd1 << row);
    if (phase == PhaseWalk2 && (walk.joins || walk.same)) exist = exist_q & ~(32'd1 << row);
  end
  assign new_waits = in_split && (split_row.state == RowSync || split_row.state == RowBar);
  assign split_done_o = in_split && split_step && last;
  assign hold = (check.stall) || (phase == PhaseSplit && !split_step);

  // Next phase and row. Rows stand under their lowest lanes, so that the lowest live lane is the
  // first row of a scan: a split leaves it one, and a walk, which takes rows away, is the last
  // phase.
  phase_e      phase_d;
  logic [31:0] todo_d, picked_exist;
  logic        picked_split;
  assign picked_split = next_split_i[pick_o];
  assign picked_exist = picked_i.others | (picked_i.mask & (32'd1 << picked_i.leader));
  always_comb begin
    phase_d = phase;
    if (prepare) begin
      phase_d = picked_split ? PhaseSplit :
                (picked_i.check && picked_i.waits) ? PhaseCheck : PhaseWalk1;
    end else if (last) begin
      unique case (phase)
        PhaseSplit: phase_d = (state_i.check && (waits_q || new_waits)) ? PhaseCheck : PhaseWalk1;
        PhaseCheck: phase_d = check.marks ? PhaseMark : check.more ? PhaseCheck : PhaseWalk1;
        PhaseMark: phase_d = check.more ? PhaseCheck : PhaseWalk1;
        default: phase_d = PhaseWalk2;
      endcase
    end
  end
  always_comb begin
    todo_d = 'x;
    row_d = 'x;
    if (next) begin
      if (prepare) begin
        todo_d = picked_split ? picked_i.mask : picked_exist;
        row_d = picked_split ? picked_i.leader : picked_i.first;
      end else begin
        todo_d = last ? exist : todo_next;
        row_d = last ? first_row_q : low_index(todo_next);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (next) begin
      fresh <= prepare || last || (fresh && check.passes);
      phase <= phase_d;
      todo <= todo_d;
      row <= row_d;
      if (prepare || phase == PhaseSplit) first_scan_q <= 1'b1;
      else if (phase == PhaseCheck && last) first_scan_q <= 1'b0;
    end
    if (load_o) begin
      live_q <= picked_i.live;
      first_row_q <= picked_i.first;
      mask_q <= picked_i.mask;
      leader_q <= picked_i.leader;
      runs_q <= picked_i.mask != '0;
      exist_q <= picked_exist;
      any_released_q <= picked_i.any_released;
      waits_q <= picked_i.waits;
    end else if (acts) begin
      if (!hold) exist_q <= exist;
      if (split_done_o || (in_walk1 && last)) runs_q <= 1'b0;
      if (result_o.xmask_we || released_row) any_released_q <= 1'b1;
      if (new_waits) waits_q <= 1'b1;
    end
    if (prepare || (acts && last && !hold)) gathered_q <= '0;
    else if (check.kept || in_walk1 || in_walk2) gathered_q <= gathered;
    if (named && !hold) begin
      named_row_q <= row;
      named_pc_q <= step.row.pc;
    end
  end

  `WL_ASSERT(RowIsLowest, !acts || (todo & ((32'd2 << row) - 32'd1)) == 32'd1 << row)
  `WL_ASSERT(OneVerdict, $onehot0({check.release_rows, check.contribute, check.join_rows,
                                   check.misuse}))
  `WL_ASSERT(PathOfLiveLanes, !result_o.run || (gathered & ~live_q) == '0)
  `WL_ASSERT(LeaderRuns, !result_o.run || gathered[walk.leader])
endmodule
