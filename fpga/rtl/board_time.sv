// Seconds of board time: a counter for the LEDs and the link's watchdog (docs/fpga.md 4).
module board_time
  import link_pkg::*;
#(
  parameter int unsigned ClockKhz = 50000
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       heard_i,    // a frame arrived
  output logic       silent_o,   // none for LinkWatchdogSeconds
  output logic [2:0] seconds_o
);
  localparam int unsigned ClockBits = $clog2(ClockKhz + 1);
  localparam int unsigned SilentBits = $clog2(LinkWatchdogSeconds + 1);

  logic [ClockBits-1:0]  clock_q;
  logic [9:0]            milli_q;
  logic [2:0]            seconds_q;
  logic [SilentBits-1:0] silent_q;  // seconds begun without a frame, and one more
  logic                  milli_tick_q, second_tick_q;

  assign silent_o = silent_q == '0;
  assign seconds_o = seconds_q;

  always_ff @(posedge clk_i) begin
    milli_tick_q <= clock_q == ClockBits'(ClockKhz - 1);
    clock_q <= clock_q == ClockBits'(ClockKhz - 1) ? '0 : clock_q + ClockBits'(1);
    second_tick_q <= milli_tick_q && milli_q == 10'd999;
    if (milli_tick_q) milli_q <= milli_q == 10'd999 ? '0 : milli_q + 10'd1;
    if (second_tick_q) seconds_q <= seconds_q + 3'd1;
    if (heard_i) silent_q <= SilentBits'(LinkWatchdogSeconds + 1);
    else if (second_tick_q && !silent_o) silent_q <= silent_q - SilentBits'(1);
    if (!rst_ni) begin
      clock_q <= '0;
      milli_q <= '0;
      seconds_q <= '0;
      milli_tick_q <= 1'b0;
      second_tick_q <= 1'b0;
      silent_q <= '0;
    end
  end
endmodule
