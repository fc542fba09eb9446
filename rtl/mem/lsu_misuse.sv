// LSU: the trap of a misuse of mbarriers (docs/microarchitecture.md 21.2), in the cycle in which shared
// memory delivers the request's results.
module lsu_misuse
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import lsu_pkg::*;
(
  input  mbar_misuse_t misuse_i,
  input  logic [LsuBeatBits-1:0] beat_i,
  input  warp_slot_t   warp_i,       // of the instruction
  input  pc_t          pc_i,
  output trap_t        trap_o
);
  always_comb begin
    trap_o = 'x;
    trap_o.valid = misuse_i.valid;
    if (misuse_i.valid) begin
      trap_o.cause = TrapMbarrier;
      trap_o.warp = warp_i;
      trap_o.lane = 5'(32'(beat_i) * LsuLanes + 32'(misuse_i.lane));
      trap_o.pc = pc_i;
      trap_o.addr = 64'({misuse_i.at, 3'b000});
    end
  end
endmodule
