// WALK of the path engine (docs/microarchitecture.md 7.3): WALK1 finds the rows that may run and
// chooses the best of them, WALK2 finds the rows that run with it and the stop PC. Changes nothing:
// path_engine acts on what stands in walk_o after each row.
module path_walk
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic        clk_i,
  input  logic        reads_i,    // RowCycles = 2: a step reads its row
  input  logic        looks_i,    // a row is read that a step of any phase will act upon
  input  logic        choose_i,   // a step of WALK1 acts
  input  logic        follow_i,   // a step of WALK2 acts
  input  logic        sample_i,   // the first row of WALK1 is read: time, barriers are looked at
  input  logic        fresh_i,    // first row of the scan
  input  logic [4:0]  number_i,   // of the row
  // verilator lint_off UNUSEDSIGNAL // each phase reads a part
  input  step_t       read_i,
  input  step_t       step_i,
  input  serving_t    state_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] now_i,
  output walk_t       walk_o
);
  // WALK1, of the rows before. A choice is the least key: released lanes first, then lanes that
  // were not served in this turn, then the greatest depth, then the least PC.
  typedef struct packed {
    logic        not_released;
    logic        served;
    logic [15:0] depth_left;      // ~depth
    pc_t         pc;
  } choice_t;
  logic [31:0] now_q, wake_at_q;
  logic        bar_wake_q, wait_wake_q, parks_q, any_q, all_served_q, sleeps_q, contributed_q, waits_q;
  choice_t     best_q;
  // WALK2, of the rows before.
  logic        leader_found_q, several_q, released_left_q, stop_q, stop_released_q, below_q;
  logic [4:0]  leader_q, stop_row_q;
  pc_t         stop_pc_q;
  logic [31:0] stop_mask_q;

  // The row by itself, and against the rows before.
  typedef struct packed {
    logic woken;        // its barrier is over
    logic roused;       // in WAIT: it tests again
    logic timed;        // waits for a time
    logic due;          // that has come
    logic earlier;      // its wake time is before the least one
    logic served;
    logic deeper;       // than the best row
    logic same_depth;
    logic pc_less;
    logic same_pc;
    logic later_less;   // pc + 2 is less
    logic at_stop;      // at the stop PC
    logic before_stop;
  } facts_t;
  facts_t      read, facts;
  logic [31:0] now;
  logic        bar_wake, wait_wake;
  pc_t         later_pc;
  assign now = fresh_i ? now_i : now_q;
  assign bar_wake = fresh_i ? state_i.bar_wake : bar_wake_q;
  assign wait_wake = fresh_i ? state_i.wait_wake : wait_wake_q;
  assign later_pc = read_i.row.pc + 28'd2;
  always_comb begin
    read = 'x;
    if (looks_i) begin
      read.woken = read_i.row.state == RowBarc && bar_wake;
      read.roused = read_i.row.state == RowWait && wait_wake;
      read.timed = read_i.row.state == RowSleep ||
                   (read_i.row.state == RowWait && read_i.row.op == OpMbarrier);
      read.due = $signed(now - read_i.row.key) >= 0;
      read.earlier = $signed(read_i.row.key - wake_at_q) < 0;
      read.served = (read_i.row.mask & ~state_i.served) == '0;
      read.deeper = ~read_i.row.depth < best_q.depth_left;
      read.same_depth = ~read_i.row.depth == best_q.depth_left;
      read.pc_less = read_i.row.pc < best_q.pc;
      read.same_pc = read_i.row.pc == best_q.pc;
      read.later_less = later_pc < best_q.pc;
      read.at_stop = read_i.row.pc == stop_pc_q;
      read.before_stop = read_i.row.pc < stop_pc_q;
    end
  end
  path_step #(.Width($bits(facts_t))) u_step (
    .clk_i, .reads_i, .read_i(read), .step_o(facts)
  );

  // WALK1.
  logic ready, any, better, all_served, sleeps_here, sleeps, contributed, waits, earliest, parks;
  logic not_released, served, same_class, expires, pc_less;
  pc_t  row_pc;
  assign ready = step_i.row.state == RowReady || facts.woken || facts.roused ||
                 (facts.timed && facts.due) || (step_i.sync && step_i.released);
  // A wait whose time is over goes on behind the WAIT: its row lies at the test.
  assign expires = step_i.row.state == RowWait && !facts.roused && facts.due && facts.timed;
  assign row_pc = step_i.row.pc + {26'd0, expires, 1'b0};
  assign pc_less = expires ? facts.later_less : facts.pc_less;
  assign not_released = !(step_i.released || facts.woken);
  assign served = state_i.any_served && facts.served;
  assign same_class = {not_released, served} == {best_q.not_released, best_q.served};
  assign better = ready && (fresh_i || !any_q ||
                  {not_released, served} < {best_q.not_released, best_q.served} ||
                  (same_class && (facts.deeper || (facts.same_depth && pc_less))));
  assign any = (!fresh_i && any_q) || ready;
  assign all_served = (fresh_i || all_served_q) && (!ready || facts.served);
  assign sleeps_here = facts.timed && !ready;
  assign sleeps = (!fresh_i && sleeps_q) || sleeps_here;
  assign earliest = sleeps_here && (fresh_i || !sleeps_q || facts.earlier);
  assign parks = (!fresh_i && parks_q) || (step_i.row.state == RowWait && !ready);
  assign contributed = (!fresh_i && contributed_q) || (step_i.row.state == RowBarc && !ready);
  assign waits = (!fresh_i && waits_q) || step_i.bar || (step_i.sync && !step_i.released);

  // WALK2: rows against the best one. Rows at the stop PC become one row.
  logic level, same, ahead, new_stop, joins, leader_found, below, stop;
  assign level = step_i.row.state == RowReady && facts.same_depth;
  assign same = level && facts.same_pc && step_i.released == !best_q.not_released;
  assign ahead = level && !facts.pc_less && !facts.same_pc;
  assign stop = (!fresh_i && stop_q) || ahead;
  assign new_stop = ahead && (fresh_i || !stop_q || facts.before_stop);
  assign joins = ahead && !fresh_i && stop_q && facts.at_stop && step_i.released == stop_released_q;
  assign leader_found = !fresh_i && leader_found_q;
  assign below = (!fresh_i && below_q) || (level && facts.pc_less);

  always_comb begin
    walk_o = 'x;
    if (choose_i || follow_i) begin
      walk_o = '{
        ready: ready, woken: facts.woken, row_pc: row_pc, any: any, all_served: all_served,
        waits: choose_i ? waits : waits_q,
        sleeps: sleeps, parks: choose_i ? parks : parks_q,
        wake_at: earliest ? step_i.row.key : wake_at_q,
        deadlock: !any && !sleeps && !parks && !contributed,
        pc: best_q.pc, depth: ~best_q.depth_left, released: !best_q.not_released,
        same: same, joins: joins, stop_row: stop_row_q, stop_mask: stop_mask_q,
        leader: leader_found ? leader_q : number_i,
        several: (!fresh_i && several_q) || !(joins || same),
        any_released: (!fresh_i && released_left_q) || (step_i.released && !same),
        stop: stop, stop_pc: new_stop ? step_i.row.pc : stop_pc_q, below: below
      };
    end
  end

  always_ff @(posedge clk_i) begin
    if (sample_i) begin
      now_q <= now_i;
      bar_wake_q <= state_i.bar_wake;
      wait_wake_q <= state_i.wait_wake;
    end
    if (choose_i) begin
      any_q <= any;
      all_served_q <= all_served;
      sleeps_q <= sleeps;
      parks_q <= parks;
      contributed_q <= contributed;
      waits_q <= waits;
      if (better) begin
        best_q <= '{not_released: not_released, served: served, depth_left: ~step_i.row.depth,
                    pc: row_pc};
      end
      if (earliest) wake_at_q <= step_i.row.key;
    end
    if (follow_i) begin
      leader_found_q <= leader_found || same;
      leader_q <= walk_o.leader;
      several_q <= walk_o.several;
      released_left_q <= walk_o.any_released;
      stop_q <= stop;
      below_q <= below;
      if (new_stop) begin
        stop_row_q <= number_i;
        stop_pc_q <= step_i.row.pc;
        stop_released_q <= step_i.released;
      end
      if (new_stop || joins) begin
        stop_mask_q <= step_i.row.mask | (stop_mask_q & {32{joins}});
      end
    end
  end
endmodule
