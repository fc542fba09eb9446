// The instruction after the one that issues (docs/microarchitecture.md 5, 7.1): its pc, and whether the
// running path stops there or earlier. With IssueAhead the instruction is read before it issues, and
// compared then: of a warp that runs neither changes.
module path_next
  import config_pkg::*;
  import sm_pkg::*;
(
  // verilator lint_off UNUSEDSIGNAL // with IssueAhead
  input  logic clk_i,
  // verilator lint_on UNUSEDSIGNAL
  input  pc_t  pc_i,
  input  logic stop_i,       // there is a stop PC
  input  pc_t  stop_pc_i,
  output pc_t  next_pc_o,
  output logic beyond_o      // pc + 1 lies at the stop PC or above
);
  // Timing: in parallel with the sum: a bit of pc + 1 differs from that of pc where the one below
  // goes from one to zero. The last of 2^28 instructions cannot be: there is a launch block.
  pc_t  next;
  logic beyond, at;
  assign at = (pc_i ^ stop_pc_i) == {pc_i[26:0] & ~stop_pc_i[26:0], 1'b1};
  assign next = pc_i + 28'd1;
  assign beyond = stop_i && (pc_i >= stop_pc_i || at);
  if (IssueAhead == 0) begin : gen_compare
    assign next_pc_o = next;
    assign beyond_o = beyond;
  end else begin : gen_compared
    pc_t  next_q;
    logic beyond_q;
    always_ff @(posedge clk_i) begin
      next_q <= next;
      beyond_q <= beyond;
    end
    assign next_pc_o = next_q;
    assign beyond_o = beyond_q;
  end
endmodule
