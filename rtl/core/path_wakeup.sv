// Wake-ups (docs/microarchitecture.md 7.3): warps without a running path that ask for a walk, since
// a barrier of their CTA is over, what a row in WAIT waits for may be there, or a time has come. The
// first two wake at once, the time of one warp is compared per cycle.
module path_wakeup
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic                clk_i,
  input  sub_t                sub_i,
  // verilator lint_off UNUSEDSIGNAL // the turn of a warp takes some bits
  input  logic [31:0]         now_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic                trap_pending_i,
  input  logic [SubWarps-1:0] idle_i,       // no path runs, nothing is asked or served
  input  logic [SubWarps-1:0] bar_wake_i,
  input  logic [SubWarps-1:0] wait_wake_i,
  input  logic                done_i,       // a service of this warp ends
  input  warp_t               done_warp_i,
  input  logic                sleeps_i,     // it waits for a time
  input  logic                parks_i,      // a row of it is in WAIT
  output warp_t               warp_o,       // whose time is compared
  input  logic [31:0]         wake_at_i,    // its time
  output logic [SubWarps-1:0] wake_o,
  output logic                sleeping_o    // some warp waits for a time (14)
);
  logic [SubWarps-1:0] waits_q;  // for a time
  logic [SubWarps-1:0] parked_q; // a row is in WAIT
  logic [SubWarps-1:0] at_once, asleep, turn_bit, done_bit;
  warp_slot_t          turn;
  assign turn = now_i[WarpSlotBits-1:0];
  assign warp_o = warp_of(turn);
  assign turn_bit = SubWarps'(SubCores == 1 || sub_of(turn) == sub_i) << warp_of(turn);
  assign at_once = bar_wake_i | (wait_wake_i & parked_q);
  assign asleep = idle_i & (at_once | (turn_bit & waits_q));
  assign sleeping_o = (idle_i & waits_q) != '0;
  always_comb begin
    wake_o = '0;
    if (asleep != '0 && !trap_pending_i) begin
      wake_o = asleep & at_once;
      if ($signed(now_i - wake_at_i) >= 0) wake_o = asleep;
    end
  end
  assign done_bit = SubWarps'(done_i) << done_warp_i;
  always_ff @(posedge clk_i) begin
    waits_q <= (waits_q & ~done_bit) | (done_bit & {SubWarps{sleeps_i}});
    parked_q <= (parked_q & ~done_bit) | (done_bit & {SubWarps{parks_i}});
  end
endmodule
