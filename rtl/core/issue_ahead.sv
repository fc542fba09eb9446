// Issue with IssueAhead = 1 (docs/microarchitecture.md 5): a warp is chosen in one cycle, its
// instruction and guard are read in the next one, and it issues from the second cycle after its
// choice on. Until it issues nothing of what was read changes.
module issue_ahead
  import config_pkg::*;
  import sm_pkg::*;
  import operand_pkg::*;
  import issue_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             ready_i,         // some warp is ready
  input  logic             allowed_i,       // an instruction may issue
  input  logic             trap_pending_i,
  output logic             choosing_o,      // a warp is chosen
  output logic             chosen_o,        // that of the instruction below issues, or traps
  // The instruction as it is read; as it issues.
  input  insn_t            insn_i,
  input  judged_t          judged_i,
  output insn_t            insn_o,
  output judged_t          judged_o,
  output step_from_t [2:0] from_o           // operands of its first step
);
  if (SubCores != 1 || SchedGreedy != 0) begin : gen_unsupported
    $error("IssueAhead: with one sub-core and SchedGreedy = 0 only");
  end
  logic pick_valid_q, pick_held_q, keep;  // chosen; read
  assign choosing_o = !pick_valid_q && !trap_pending_i && ready_i;
  assign keep = pick_valid_q && !trap_pending_i && !chosen_o;
  assign chosen_o = pick_held_q && allowed_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pick_valid_q <= 1'b0;
      pick_held_q <= 1'b0;
    end else begin
      pick_valid_q <= choosing_o || keep;
      pick_held_q <= keep;
    end
    if (pick_valid_q && !pick_held_q) begin
      insn_o <= insn_i;
      judged_o <= judged_i;
      from_o <= step_from(insn_i.info, '0);
    end
  end
endmodule
