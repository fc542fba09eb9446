// Thread index of the one slow lane (docs/microarchitecture.md 6.2), made in a (z and the number of the
// row among those of all planes) and a + 1 (x, y) by the reciprocals of the launch block, which are
// exact for each index below 1,024. No step has two products in turn. An instruction in flight keeps
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
  logic [10:0] ntid_x;
  logic [9:0]  ntid_y;   // 1,024 only where z is 0
  assign ntid_x = lb_i[LaunchNtidX][10:0];
  assign ntid_y = lb_i[LaunchNtidY][9:0];

  logic [9:0]  q1_q, z1_q, row1_q, y2_q, z2_q;
  logic [10:0] x2_q;
  logic [2:0]  sel2_q;
  always_ff @(posedge clk_i) begin
    if (next_i) begin
      logic [9:0] q;
      q = {next_index_i, 5'(next_beat_i) * 5'(Lanes) + 5'(next_part_i)};
      q1_q <= q;
      z1_q <= 10'((31'(q) * 31'(lb_i[LaunchRecipXy][20:0])) >> 20);
      row1_q <= 10'((31'(q) * 31'(lb_i[LaunchRecipX][20:0])) >> 20);
    end
    if (en_i) begin
      x2_q <= 11'(q1_q) - 11'(row1_q) * ntid_x;
      y2_q <= row1_q - z1_q * ntid_y;
      z2_q <= z1_q;
      sel2_q <= sel_i;
    end
  end

  assign tid_o = (x2_q & {11{sel2_q[0]}}) | (11'(y2_q) & {11{sel2_q[1]}}) |
                 (11'(z2_q) & {11{sel2_q[2]}});
endmodule
