// SPLIT of the path engine (docs/microarchitecture.md 7.3): the rows that the running path becomes.
// A step takes the lowest lane that is left, and with it the lanes that go to the same place. Does
// not write the table.
module path_split
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic          clk_i,
  input  logic          reads_i,    // RowCycles = 2: a step reads its row
  input  logic          phase_i,    // the phase is SPLIT
  input  logic [4:0]    lane_i,     // lowest lane that is left
  input  logic [31:0]   left_i,     // lanes that are left
  // verilator lint_off UNUSEDSIGNAL // of the state of the warp a phase reads a part; paced
  input  serving_t      state_i,
  input  split_t        split_i,
  // verilator lint_on UNUSEDSIGNAL
  input  target_found_t found_i,    // of the lane, from the target buffer
  output logic          of_e_o,     // the lane is of E
  output logic [31:0]   group_o,    // lanes that go to the same place as the lane
  output path_row_t     row_o       // their row
);
  // Which lanes may go to the same place as the lane: lanes of E, other lanes, other lanes if the
  // target is pc + 1. A lane of E and another one agree only where E branches at its depth.
  typedef struct packed {
    logic of_e, e, others, ask;
  } takes_t;
  takes_t read, takes;
  logic   joins;
  always_comb begin
    read = 'x;
    joins = 1'b0;
    read.of_e = split_i.mask[lane_i];
    if (phase_i) begin
      joins = split_i.state == RowReady && split_i.depth == DepthSame;
      read.e = read.of_e || (joins && (split_i.by_lane || split_i.next));
      read.others = !read.of_e || (joins && !split_i.by_lane && split_i.next);
      read.ask = joins && split_i.by_lane;
    end
  end
  path_step #(.Width($bits(takes_t))) u_step (
    .clk_i, .reads_i, .read_i(read), .step_o(takes)
  );
  assign of_e_o = read.of_e;

  logic [31:0] value;
  assign value = split_i.by_lane ? found_i.value : split_i.value;
  logic        moves;  // the lane goes on, at another place than pc + 1
  logic        waits;
  pc_t         pc;
  logic [15:0] depth;
  row_state_e  state;
  always_comb begin
    group_o = 'x;
    moves = 1'bx;
    waits = 1'bx;
    pc = 'x;
    depth = 'x;
    state = RowReady;
    if (phase_i) begin
      group_o = left_i & ((split_i.mask & {32{takes.e}} & found_i.equal) |
                          (~split_i.mask & {32{takes.others || (takes.ask && found_i.is_ref)}}));
      if (takes.of_e) state = split_i.state;
      waits = state != RowReady;
      moves = takes.of_e && !waits;
      pc = state_i.pc;
      if (!takes.of_e || state == RowSleep) pc = state_i.next_pc;
      else if (state == RowWait && split_i.op == OpMbarrier) pc = state_i.pc - 28'd1;
      else if (moves) pc = value[27:0];
      depth = state_i.depth;
      if (takes.of_e && split_i.depth == DepthUp) depth = state_i.depth + 16'd1;
      if (takes.of_e && split_i.depth == DepthDown) depth = state_i.depth - 16'd1;
    end
  end
  assign row_o = '{mask: group_o, pc: pc, depth: depth, state: state,
                   op: split_i.op & {10{waits}}, key: value & {32{waits}}};
endmodule
