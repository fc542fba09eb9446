// Trap register: of the traps that rise in a cycle the lowest {cause, warp, lane} is kept if none is
// pending (docs/microarchitecture.md 14). Stopping the machine is the business of the units that
// see pending_o.
module trap
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  clear_i,
  input  trap_t trap_i [6],
  output trap_t trap_o,
  output logic  pending_o
);
  trap_t trap_q, first;
  always_comb begin
    first = '0;
    for (int unsigned i = 0; i < 6; i++) begin
      if (trap_i[i].valid && (!first.valid || {trap_i[i].cause, trap_i[i].warp, trap_i[i].lane} <
                                              {first.cause, first.warp, first.lane})) begin
        first = trap_i[i];
      end
    end
  end

  logic latch;
  assign latch = first.valid && !trap_q.valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) trap_q <= '0;
    else if (latch) trap_q <= first;
  end
  assign trap_o = trap_q;
  assign pending_o = trap_q.valid;

`ifdef WL_JOURNAL
  always_ff @(posedge clk_i) begin
    if (rst_ni && latch) begin
      journal_pkg::wl_j_trap(32'(first.cause), 32'(first.warp), 32'(first.lane), 32'(first.pc),
                             first.addr[31:0], first.addr[63:32]);
    end
  end
`endif
endmodule
