// Watchdog (docs/microarchitecture.md 14): counts cycles of a running launch in which nothing
// happens. Stops nothing and explains nothing: the host ends the run.
module watchdog (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic issue_i,     // an instruction issues
  input  logic grant_i,     // a packet is granted at the SM port
  input  logic running_i,   // the dispatcher is in RUN
  input  logic sleeping_i,  // some valid warp has a path that sleeps
  output logic hang_o
);
  import wl_pkg::*;

  logic [16:0] quiet_q;
  assign hang_o = quiet_q == 17'(WatchdogCycles);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || issue_i || grant_i || !running_i || sleeping_i) quiet_q <= '0;
    else if (!hang_o) quiet_q <= quiet_q + 17'd1;
  end
endmodule
