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
  localparam int Barrier = TrapSources - 3;
  localparam int unsigned Lsu = TrapSources - 2;
  localparam int unsigned Ldc = TrapSources - 1;
  trap_t trap_q, first;
  localparam int unsigned WhatBits = $bits({trap_q.cause, trap_q.warp, trap_q.lane});
  logic [TrapSources-1:0] valid, pick;  // pick: one-hot
  // With a one before those that are not valid.
  logic [WhatBits:0] what [TrapSources];
  logic [WhatBits:0] least;
  always_comb begin
    for (int unsigned i = 0; i < TrapSources; i++) begin
      valid[i] = trap_i[i].valid;
      what[i] = {!trap_i[i].valid, trap_i[i].cause, trap_i[i].warp, trap_i[i].lane};
    end
    pick = '0;
    least = '1;
    first = '0;
    first.valid = valid != '0;
    if (first.valid || Always) begin
      // Of equal ones the first in the list counts. Barriers (whose causes no later source has) and
      // issue are compared last: their traps are known last.
      for (int i = TrapSources - 1; i >= 0; i--) begin
        if (i > Barrier || (i < Barrier && i % 3 != 0)) begin
          if (what[i] <= least) begin
            least = what[i];
            pick = TrapSources'(1) << i;
          end
        end
      end
      if (what[Barrier] < least) begin
        least = what[Barrier];
        pick = TrapSources'(1) << Barrier;
      end
      for (int i = Barrier - 3; i >= 0; i -= 3) begin
        if (what[i] <= least) begin
          least = what[i];
          pick = TrapSources'(1) << i;
        end
      end
      {first.cause, first.warp, first.lane} = least[WhatBits-1:0];
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
  journal_trap u_journal (
    .clk_i, .valid_i(rst_ni && latch), .cause_i(32'(first.cause)), .warp_i(32'(first.warp)),
    .lane_i(32'(first.lane)), .pc_i(32'(first.pc)), .addr_lo_i(first.addr[31:0]),
    .addr_hi_i(first.addr[63:32])
  );
`endif
endmodule
