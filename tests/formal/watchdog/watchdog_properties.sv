// Watchdog (docs/microarchitecture.md 14), compared with the text's `quiet`. Proved: `hang` stands
// exactly while the last WatchdogCycles cycles were cycles of a running launch in which no instruction
// issued, no packet was granted, no block of a product ended and no path slept.
module watchdog_properties
  import config_pkg::*;
(
  input logic clk_i,
  input logic issue_i,
  input logic grant_i,
  input logic block_i,
  input logic running_i,
  input logic sleeping_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic hang;
  watchdog dut (.clk_i, .rst_ni(rst_n), .issue_i, .grant_i, .block_i, .running_i, .sleeping_i, .hang_o(hang));

  // The cycles before this one, the last in the lowest bit: 1 where there was no progress.
  logic [WatchdogCycles-1:0] still_q;
  logic still;
  assign still = running_i && !issue_i && !grant_i && !block_i && !sleeping_i;
  always_ff @(posedge clk_i) begin
    still_q <= rst_n ? WatchdogCycles'({still_q, still}) : '0;
  end

  // Covered: a hang that stays, one that progress ends, and idle cycles that would have made one.
  logic [WatchdogCycles:0] idle_q = '0;
  logic hang_q = 1'b0;
  always_ff @(posedge clk_i) begin
    idle_q <= {idle_q[WatchdogCycles-1:0], rst_n && !running_i && !issue_i && !grant_i && !block_i};
    hang_q <= hang;
    if (rst_n) begin
      assert (hang == &still_q);
      cover (hang && hang_q);
      cover (!hang && hang_q);
      cover (&idle_q && !hang);
    end
  end
endmodule
