// CHECK of the path engine (docs/microarchitecture.md 7.3): whether the lanes of a rendezvous, or
// all lanes of the warp at a barrier or at a gathered form, are together. One scan of the rows
// judges row j, the first row that waits after the j of the scan before. Changes nothing:
// path_engine acts on the verdict.
//
// Rows of a rendezvous below j have failed as j in earlier scans, so that a gathering of these
// begins with j. A gathering of a barrier holds the rows below j, too.
module path_check
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic        clk_i,
  input  logic        reads_i,       // RowCycles = 2: a step reads its row
  input  logic        looks_i,       // a row is read that a step of any phase will act upon
  input  logic        acts_i,        // a step of CHECK acts
  input  logic        mark_i,        // the phase is MARK
  input  logic        fresh_i,       // first row of the scan
  input  logic        first_scan_i,
  input  logic [4:0]  number_i,      // of the row
  input  logic [4:0]  last_j_i,      // of row j of the scan before
  // verilator lint_off UNUSEDSIGNAL // each phase reads a part
  input  step_t       read_i,
  input  step_t       step_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] live_i,
  input  logic [31:0] gathered_i,    // lanes of the rows gathered so far
  input  logic        any_released_i,
  input  logic        bar_busy_i,
  output check_t      verdict_o
);
  // Of the scan up to the row before.
  logic        found_q;        // j
  logic        sync_q;         // j is at a rendezvous
  logic        aligned_q;      // j is at an aligned barrier
  logic        any_hit_q;      // a row is gathered
  logic        complete_q;     // the rows gathered hold all lanes that they must
  logic [31:0] key_q;          // of the first row gathered
  logic [9:0]  op_q;
  pc_t         pc_q;
  logic        joins_q;        // j is at a gathered form
  logic [15:0] depth_q;        // of j, if it is
  logic        keys_differ_q;  // of rows at barriers
  logic        pcs_differ_q;
  logic [5:0]  kinds_q;        // of barriers
  logic        more_all_q;     // rows behind j wait
  logic        more_out_q;     // rows behind j wait and are not gathered
  logic        found, sync, aligned, complete, keys_differ, pcs_differ, more_all, more_out;
  logic [31:0] key;
  logic [5:0]  kinds;
  logic        joins;

  // The row by itself, and against the rows before.
  logic        of_j, was_found;        // the row is gathered only if it is like j
  assign was_found = !fresh_i && found_q;
  assign of_j = was_found && sync_q;
  typedef struct packed {
    logic       may_be_j;
    logic       like;         // op and key of the rows gathered
    logic       other_key;    // not their barrier
    logic       same_pc;
    logic       alone;        // holds all lanes that its rendezvous waits for
    logic       completes;    // holds them together with the rows before
    logic [5:0] kinds;        // one-hot: kind of barrier
  } facts_t;
  facts_t read, facts;
  logic   read_joins, row_joins;  // the row is at a gathered form
  always_comb begin
    read = 'x;
    if (looks_i) begin
      read.may_be_j = !was_found && (first_scan_i || number_i > last_j_i);
      read.like = read_i.row.op == op_q && read_i.row.key == key_q &&
                  (!joins_q || read_i.row.depth == depth_q);
      read.other_key = read_i.row.key[9:0] != key_q[9:0];
      read.same_pc = read_i.row.pc == pc_q;
      read.alone = (live_i & (read_i.row.key | {32{read_joins}}) & ~read_i.row.mask) == '0;
      read.completes = (live_i & (key_q | {32{!of_j || joins_q}}) & ~gathered_i &
                        ~read_i.row.mask) == '0;
      read.kinds = {6{read_i.bar}} & (6'd1 << read_i.row.op[2:0]);
    end
  end
  path_step #(.Width($bits(facts_t))) u_step (
    .clk_i, .reads_i, .read_i(read), .step_o(facts)
  );

  // The row in the scan. A row of a rendezvous that is released is not j.
  // Timing: whether it is released arrives late. No other decision asks for that: a scan ends with
  // a j, and while lanes are released no others are.
  logic waits, at_j, at_sync, passes, hit, first_hit;
  assign waits = step_i.bar || (step_i.sync && !step_i.released);
  assign at_sync = acts_i && facts.may_be_j && step_i.sync;
  assign at_j = at_sync || (acts_i && facts.may_be_j && step_i.bar);
  assign passes = at_sync && step_i.released;
  assign hit = of_j ? step_i.sync && facts.like : step_i.bar || at_sync;
  assign first_hit = at_sync || (step_i.bar && (fresh_i || !any_hit_q));

  // The scan up to this row.
  logic bar_again;  // a barrier, and not the first one gathered
  assign bar_again = step_i.bar && !fresh_i && any_hit_q;
  always_comb begin
    found = 1'bx;
    sync = 1'bx;
    aligned = 1'bx;
    complete = 1'bx;
    keys_differ = 1'bx;
    pcs_differ = 1'bx;
    kinds = 'x;
    key = 'x;
    joins = 1'bx;
    more_all = 1'bx;
    more_out = 1'bx;
    if (acts_i) begin
      found = was_found || at_j;
      sync = at_j ? step_i.sync : sync_q;
      joins = at_j ? step_i.sync && row_joins : joins_q;
      aligned = at_j ? step_i.row.op[3] : aligned_q;
      complete = at_sync ? facts.alone : hit ? facts.completes : !fresh_i && complete_q;
      keys_differ = (!fresh_i && keys_differ_q) || (bar_again && facts.other_key);
      pcs_differ = (!fresh_i && pcs_differ_q) || (bar_again && !facts.same_pc);
      kinds = (kinds_q & {6{!fresh_i}}) | facts.kinds;
      key = first_hit ? step_i.row.key : key_q;
      more_all = was_found && (more_all_q || waits);
      more_out = was_found && (more_out_q || (waits && !hit));
    end
  end

  // Kinds of barrier: several, and of these one that does not mix: with a result, or CLUSTER.
  logic several_kinds, mixed;
  assign several_kinds = (kinds & (kinds - 6'd1)) != '0;
  assign mixed = kinds[5:2] != '0 && several_kinds;

  // The end of the scan.
  logic release_rows, join_rows, contribute, misuse;
  always_comb begin
    release_rows = 1'b0;
    join_rows = 1'b0;
    contribute = 1'b0;
    misuse = 1'b0;
    if (acts_i && step_i.last) begin
      if (HasGathered != 0 && sync && joins) begin
        join_rows = complete;
      end else if (sync) begin
        // One key is kept: another rendezvous waits until the released lanes have issued.
        release_rows = !any_released_i && complete;
      end else if (keys_differ) begin
        misuse = 1'b1;
      end else if (!(aligned && pcs_differ) && complete) begin
        misuse = mixed;
        contribute = !mixed;
      end
    end
  end

  logic stall, kept;
  assign stall = contribute && bar_busy_i;
  assign kept = acts_i && !stall && !passes;
  assign verdict_o = '{
    hit: hit, restart: at_sync, passes: passes, named: at_j && !passes, kept: kept,
    release_rows: release_rows, contribute: contribute, join_rows: join_rows,
    marks: contribute || join_rows,
    marked: HasGathered != 0 && joins_q && step_i.sync && facts.like,
    stall: stall, misuse: misuse,
    more: mark_i ? more_out_q : (release_rows || contribute || join_rows) ? more_out : more_all,
    key: key,
    bar_kind: several_kinds ? 3'(BarSync) :
              {kinds[4] | kinds[5], kinds[2] | kinds[3], kinds[1] | kinds[3] | kinds[5]},
    bar_wait: (kinds & ~((6'd1 << BarArrive) | (6'd1 << BarCluster))) != '0
  };

  if (HasGathered != 0) begin : gen_joins
    assign read_joins = read_i.row.op == OpAligned;
    path_step #(.Width(1)) u_joins (
      .clk_i, .reads_i, .read_i(read_joins), .step_o(row_joins)
    );
    always_ff @(posedge clk_i) begin
      if (kept) begin
        joins_q <= joins;
        if (first_hit) depth_q <= step_i.row.depth;
      end
    end
  end else begin : gen_no_joins
    assign {joins_q, depth_q, read_joins, row_joins} = '0;
  end

  always_ff @(posedge clk_i) begin
    if (kept) begin
      found_q <= found;
      sync_q <= sync;
      aligned_q <= aligned;
      any_hit_q <= first_hit || (!fresh_i && any_hit_q);
      complete_q <= complete;
      keys_differ_q <= keys_differ;
      pcs_differ_q <= pcs_differ;
      kinds_q <= kinds;
      more_all_q <= more_all;
      more_out_q <= more_out;
      if (first_hit) begin
        key_q <= step_i.row.key;
        op_q <= step_i.row.op;
        pc_q <= step_i.row.pc;
      end
    end
  end
endmodule
