// Questions of a step of SPLIT to the target buffer (docs/microarchitecture.md 7.3): one in each
// beat of targets. A step whose lanes all have one value asks nothing.
module path_look
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic                clk_i,
  input  logic                asks_i,     // a step of SPLIT is in a cycle in which it may ask
  input  logic                by_lane_i,
  input  logic                paced_i,    // takes as long as if it asked
  input  logic                restart_i,  // the next cycle is the first of a step
  output logic                look_o,
  output logic [BeatBits-1:0] beat_o,
  output logic                last_o      // the last cycle of the questions
);
  if (Beats == 1) begin : gen_beat
    assign look_o = asks_i && by_lane_i;
    assign beat_o = '0;
    assign last_o = 1'b1;
    logic unused;
    assign unused = clk_i ^ restart_i ^ paced_i;
  end else begin : gen_beats
    // With FarTargets a question takes a cycle to the target buffer, its answer one back.
    localparam int unsigned Cycles = FarTargets ? Beats + 2 : Beats;
    localparam int unsigned CycleBits = $clog2(Cycles);
    logic [CycleBits-1:0] count_q;
    assign look_o = asks_i && by_lane_i && (!FarTargets || count_q < CycleBits'(Beats));
    assign beat_o = count_q[BeatBits-1:0];
    assign last_o = !(by_lane_i || paced_i) || count_q == CycleBits'(Cycles - 1);
    always_ff @(posedge clk_i) begin
      if (restart_i) count_q <= '0;
      else count_q <= count_q + CycleBits'(1);
    end
  end
endmodule
