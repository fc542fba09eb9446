// Trap register: of the traps that rise in a cycle the lowest {cause, warp, lane} is kept if none
// is pending (docs/microarchitecture.md 14). Stopping the machine is the business of the units that
// see pending_o.
module trap
  import sm_pkg::*;
  import gates_pkg::Always;
(
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  clear_i,
  input  trap_t trap_i [TrapSources],
  output trap_t trap_o,
  output logic  pending_o
);
  localparam int unsigned Lsu = TrapSources - 2;
  localparam int unsigned Ldc = TrapSources - 1;
  trap_t trap_q, first;
  logic [TrapSources-1:0] valid, pick;  // pick: one-hot
  always_comb begin
    for (int unsigned i = 0; i < TrapSources; i++) valid[i] = trap_i[i].valid;
    pick = '0;
    first = '0;
    first.valid = valid != '0;
    if (first.valid || Always) begin
      for (int unsigned i = 0; i < TrapSources; i++) begin
        if (valid[i] && (pick == '0 || {trap_i[i].cause, trap_i[i].warp, trap_i[i].lane} <
                                       {first.cause, first.warp, first.lane})) begin
          first.cause = trap_i[i].cause;
          first.warp = trap_i[i].warp;
          first.lane = trap_i[i].lane;
          pick = TrapSources'(1) << i;
        end
      end
      for (int unsigned i = 0; i < TrapSources; i++) first.pc |= trap_i[i].pc & {28{pick[i]}};
      // Only the LSU and constant loads give an address.
      first.addr = (trap_i[Lsu].addr & {64{pick[Lsu]}}) | (trap_i[Ldc].addr & {64{pick[Ldc]}});
    end
  end

  logic unused_addr;
  always_comb begin
    unused_addr = 1'b0;
    for (int unsigned i = 0; i < Lsu; i++) unused_addr ^= ^trap_i[i].addr;
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
