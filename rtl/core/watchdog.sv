// Watchdog (docs/microarchitecture.md 14): counts cycles of a running launch in which nothing
// happens. Stops nothing and explains nothing: the host ends the run.
module watchdog (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic issue_i,     // an instruction issues
  input  logic grant_i,     // a packet is granted at the SM port
  input  logic block_i,     // a block of a product in tensor memory ends
  input  logic running_i,   // the dispatcher is in RUN
  input  logic sleeping_i,  // some valid warp has a path that sleeps
  output logic hang_o
);
  import config_pkg::*;

  localparam int unsigned CountBits = $clog2(WatchdogCycles + 1);
  logic [CountBits-1:0] quiet_q;
  logic        hang_q;  // the count has come to its end
  assign hang_o = hang_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || issue_i || grant_i || block_i || !running_i || sleeping_i) begin
      quiet_q <= '0;
      hang_q <= 1'b0;
    end else if (!hang_q) begin
      quiet_q <= quiet_q + CountBits'(1);
      hang_q <= quiet_q == CountBits'(WatchdogCycles - 1);
    end
  end
endmodule
