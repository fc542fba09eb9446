// Judgement of the chosen instruction (docs/microarchitecture.md 5; 7.4 and 9 for released and fast
// ones): which lanes of the running path execute it, and whether it issues as released, as fast, as
// empty or as an arrival, or traps. Registers and predicates are those of the instruction's warp.
// With IssueAhead issue_ahead keeps the result until the instruction issues.
module issue_judge
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import issue_pkg::*;
(
  input  logic [5:0]  reg_pages_i,
  // verilator lint_off UNUSEDSIGNAL // a part
  input  insn_t       insn_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic        tbuf_i,      // it takes the target buffer unless released
  input  logic [31:0] guard_i,     // its guard predicate
  input  logic [31:0] path_i,      // M: lanes of the running path
  input  logic [31:0] live_i,
  input  logic        released_i,  // the running path lies within released
  output judged_t     judged_o
);
  logic range_trap;
  reg_range u_range (
    .reg_pages_i, .info_i(insn_i.info), .word_i(insn_i.word), .trap_o(range_trap)
  );

  // A gathered form: the path has all live lanes, or it arrives.
  function automatic gather_t gather(input aligned_e aligned, input logic [31:0] path,
                                     input logic [31:0] live, input logic [31:0] passes);
    gather_t g;
    g = '0;
    if (HasGathered != 0 && aligned != AlignedNo) begin
      g.arrives = path != live;
      g.guard_trap = !g.arrives && passes != '0 && passes != path;
      g.exit_trap = !g.arrives && passes != '0 && aligned == AlignedAll && live != '1;
    end
    return g;
  endfunction

  logic        released, guard_reads, guard_flips, constant_mask;
  logic [31:0] passes, exec, foreign;
  gather_t     gathered;
  always_comb begin
    // Lanes of the path that the guard leaves: all, none, its value or the others.
    released = form_returns(insn_i.info) && released_i;
    guard_reads = !released && insn_i.word.guard != 3'd7;
    guard_flips = released || (insn_i.word.guard_neg == (insn_i.word.guard != 3'd7));
    passes = path_i & ((guard_i & {32{guard_reads}}) ^ {32{guard_flips}});
    gathered = gather(form_aligned(insn_i.info), path_i, live_i, passes);
    exec = gathered.arrives ? path_i : passes;
    constant_mask = insn_i.info.unit == UnitSync && insn_i.info.imm != ImmNone;
    foreign = ~insn_i.word.imm;  // lanes that are no members
  end
  assign judged_o = '{
    exec: exec, released: released, empty: exec == '0,
    fast: constant_mask && !released && exec == path_i && (path_i & foreign) == '0 &&
          (~foreign & live_i & ~path_i) == '0,
    range_trap: range_trap, mask_trap: constant_mask && !released && (exec & foreign) != '0,
    tbuf: tbuf_i, gather: gathered
  };
endmodule
