// Records RESOLVE and WALKED: the state that the path unit leaves after a resolve and after a walk.
`ifdef WL_JOURNAL
bind paths journal_resolve u_journal_resolve (
  .clk_i, .valid_i(rst_n && resolves), .warp_i(32'(sm_pkg::slot_of(resolve_warp, sub_i))),
  .request_i(asks_split ? 32'd1 : asks_walk ? 32'd2 : 32'd0), .pc_i(32'(resolved.pc)),
  .mask_i(resolve_i.path & ~(exits ? resolve_i.exec : 32'd0)), .depth_i(32'(resolved.depth)),
  .served_i(resolved.served), .turn_i(32'(resolved.turn) | (32'(polled) << 16)),
  .live_i(resolved.live)
);

bind paths journal_paths u_journal_walk (
  .clk_i, .valid_i(rst_n && result.done), .warp_start_i, .sub_i, .warp_i(serve_warp),
  .warp_bit_i(run_bit), .run_i(result.run), .mask_i(result.run ? result.run_mask : 32'd0),
  .pc_i(result.run ? result.run_pc : loaded.pc),
  .depth_i(result.run ? result.run_depth : loaded.depth),
  .leader_i(result.run ? result.run_leader : left_leader),
  .exist_i(result.others | (result.run ? 32'd1 << result.run_leader : 32'd0)),
  .served_i(serving.served & {32{serving.any_served}}),
  .released_i(result.run ? result.released | (result.run_mask & {32{result.run_released}}) :
                           serving.released & {32{result.any_released}}),
  .stop_i(result.stop), .stop_pc_i(result.stop_pc), .below_i(result.below)
);

// Where a walk gives no path, the record has stop and below of the path that ran last. The path unit
// does not keep them: this module does.
module journal_paths
  import sm_pkg::*;
(
  input logic                clk_i,
  input logic                valid_i,
  input logic [SubWarps-1:0] warp_start_i,
  input sub_t                sub_i,
  input warp_t               warp_i,
  input logic [SubWarps-1:0] warp_bit_i,  // of warp_i where the walk gives a path
  input logic                run_i,       // it does
  input logic [31:0]         mask_i,
  input pc_t                 pc_i,
  input logic [15:0]         depth_i,
  input logic [4:0]          leader_i,
  input logic [31:0]         exist_i,
  input logic [31:0]         served_i,
  input logic [31:0]         released_i,
  input logic                stop_i,
  input pc_t                 stop_pc_i,
  input logic                below_i
);
  logic [28:0]         last_q [SubWarps];  // below, stop
  logic [SubWarps-1:0] last_stop_q, last_run_q;
  always_ff @(posedge clk_i) begin
    if (run_i) last_q[warp_i] <= {below_i, stop_pc_i};
    last_stop_q <= ((last_stop_q & ~warp_bit_i) | (warp_bit_i & {SubWarps{stop_i}})) & ~warp_start_i;
    last_run_q <= (last_run_q | warp_bit_i) & ~warp_start_i;
  end

  logic last_below;
  assign last_below = last_run_q[warp_i] && last_q[warp_i][28];
  journal_walked u_journal (
    .clk_i, .valid_i, .warp_i(32'(sm_pkg::slot_of(warp_i, sub_i))), .run_i(32'(run_i)), .mask_i,
    .pc_i(32'(pc_i)), .depth_i(32'(depth_i)), .leader_i(32'(leader_i)), .exist_i, .served_i,
    .released_i,
    .stop_i(run_i ? (stop_i ? 32'(stop_pc_i) : 32'hffff_ffff) :
                    (last_stop_q[warp_i] ? 32'(last_q[warp_i][27:0]) : 32'hffff_ffff)),
    .below_i(32'(run_i ? below_i : last_below))
  );
endmodule
`endif
