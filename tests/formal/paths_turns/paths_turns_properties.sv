// The obligation of docs/microarchitecture.md 7, a lane READY throughout issues within 63 turns, from
// what other jobs prove about the units: of a walk, the chosen path and the end of an epoch
// (paths_engine: a_choice, a_epoch, a_clear); of a turn end, the lanes that become served, and that
// a walk follows (paths_resolve: a_served, a_follows). Here the paths are free sets of lanes under
// these rules, for LaneCount lanes; a lane issues within 2 * LaneCount - 1 turns, which for 32 lanes
// are the 63, and the cover shows that no smaller number holds. Holds no RTL of its own.
module paths_turns_properties
#(
  parameter int unsigned LaneCount = 4
) (
  input logic                 clk_i,
  input logic                 walk_i,      // a walk ends
  input logic                 turn_end_i,  // else: the running path ends its turn
  input logic                 split_i,     // or leaves by a split without a turn end
  input logic                 rel_i,       // released lanes run
  input logic [LaneCount-1:0] ready_i,     // lanes of READY rows
  input logic [LaneCount-1:0] next_i       // the path that a walk chooses
);
  typedef logic [LaneCount-1:0] lanes_t;
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // Lane 0 is watched; the rules know no lane by its number.
  lanes_t     run_q, served_q, served;
  logic       rel_q;
  logic [5:0] turns_q;
  assign served = ((ready_i & ~served_q) == '0) ? '0 : served_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      run_q <= '0;
      rel_q <= 1'b0;
      turns_q <= '0;  // served_q: free
    end else if (walk_i) begin
      // 7.3: R within served clears served; an unserved lane is in the path unless released lanes are.
      run_q <= next_i;
      rel_q <= rel_i;
      served_q <= served;
      if (next_i[0]) turns_q <= '0;  // it issues in this turn
    end else if (turn_end_i) begin
      // 7.2: the lanes that issued are served; another path exists, so that a walk follows.
      run_q <= '0;
      served_q <= served_q | run_q;
      if (!run_q[0]) turns_q <= turns_q + 6'd1;
    end else if (split_i) begin
      run_q <= '0;
    end
  end
  always @(posedge clk_i) begin
    if (rst_n) begin
      if (walk_i) begin
        assume (run_q == '0 && ready_i[0] && next_i != '0 && (next_i & ~ready_i) == '0);
        assume (rel_i || (next_i & ~served) != '0);
      end else if (turn_end_i) begin
        // 7.4: released lanes issue one instruction, which is not of control; a walk follows.
        assume (run_q != '0 && !rel_q);
      end
    end
  end

  function automatic logic [5:0] count(input lanes_t v);
    logic [5:0] n;
    n = '0;
    for (int unsigned l = 0; l < LaneCount; l++) n += 6'(v[l]);
    return n;
  endfunction
  always @(posedge clk_i) begin
    if (rst_n) begin
      a_turns: assert (turns_q <= 6'(2 * LaneCount - 2));
      // An epoch in which it has been served, then one in which it is last.
      i_served: assert (!served_q[0] || turns_q == '0 || turns_q < count(served_q));
      i_unserved: assert (served_q[0] || turns_q <= 6'(LaneCount - 1) + count(served_q));
      i_run: assert (run_q == '0 || rel_q || (run_q & ~served_q) != '0);
      i_mine: assert (!run_q[0] || turns_q == '0);
      c_all: cover (turns_q == 6'(2 * LaneCount - 2));
    end
  end
endmodule
