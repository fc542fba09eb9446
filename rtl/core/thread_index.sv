// Thread index of the one slow lane (docs/microarchitecture.md 6.2), made in a (z), a + 1 (place in
// the plane, y) and X1 (x) by the reciprocals of the launch block. An instruction in flight keeps
// its warp's index and the launch block.
module thread_index
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic                clk_i,
  // verilator lint_off UNUSEDSIGNAL // of the launch block sizes and reciprocals only
  input  logic [31:0]         lb_i [LaunchBlockWords],
  // verilator lint_on UNUSEDSIGNAL
  // In a, of what will be in a + 1.
  input  logic                next_i,
  input  logic [4:0]          next_index_i,
  input  logic [BeatBits-1:0] next_beat_i,
  input  logic [PartBits-1:0] next_part_i,
  // In a + 1.
  input  logic                en_i,
  input  logic [2:0]          sel_i,          // x, y, z wanted
  output logic [10:0]         tid_o           // in X1; zero where nothing is wanted
);
  logic [10:0] ntid_x, ntid_y;
  assign ntid_x = lb_i[LaunchNtidX][10:0];
  assign ntid_y = lb_i[LaunchNtidY][10:0];

  logic [9:0]  q1_q, z1_q, y2_q, z2_q;
  logic [10:0] area1_q, rest2_q;
  logic [2:0]  sel2_q;
  always_ff @(posedge clk_i) begin
    if (next_i) begin
      logic [9:0] q;
      q = {next_index_i, 5'(next_beat_i) * 5'(Lanes) + 5'(next_part_i)};
      q1_q <= q;
      z1_q <= 10'((31'(q) * 31'(lb_i[LaunchRecipXy][20:0])) >> 20);
      area1_q <= ntid_x * ntid_y;
    end
    if (en_i) begin
      logic [10:0] rest;
      rest = 11'(q1_q) - 11'(z1_q) * area1_q;
      rest2_q <= rest;
      y2_q <= 10'((32'(rest) * 32'(lb_i[LaunchRecipX][20:0])) >> 20);
      z2_q <= z1_q;
      sel2_q <= sel_i;
    end
  end

  logic [10:0] x;
  assign x = rest2_q - 11'(y2_q) * ntid_x;
  assign tid_o = (x & {11{sel2_q[0]}}) | (11'(y2_q) & {11{sel2_q[1]}}) |
                 (11'(z2_q) & {11{sel2_q[2]}});
endmodule
