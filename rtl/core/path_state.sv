// State words of the warps' paths (docs/microarchitecture.md 7.1), in distributed memory: each word
// has one writer, which its name tells: r resolve, i issue, e path engine. Where two writers have
// the same word, a bit tells who was last. Until the first of its writes after the start of the
// warp a word has its initial value: resolve writes all of its words at once, the engine at the end
// of every service. Decides nothing.
module path_state
  import config_pkg::*;
  import sm_pkg::*;
  import path_pkg::*;
(
  input  logic                clk_i,
  input  logic [SubWarps-1:0] warp_start_i,
  input  logic [31:0]         tail_mask_i,   // lanes of the last warp of a CTA, in this launch
  input  logic [SubWarps-1:0] start_tail_i,  // the last warp of its CTA
  // Of the warp about to issue.
  input  warp_t               sel_warp_i,
  output logic [31:0]         cur_mask_o,
  output logic [31:0]         live_o,
  output logic [31:0]         xmask_o,
  // Of the warp that issues.
  input  warp_t               issue_warp_i,
  output path_flags_t         issue_flags_o,
  output pc_t                 issue_stop_pc_o,
  input  logic                issue_we_i,    // it asks for a walk: its next PC
  input  pc_t                 issue_pc_i,
  // Of the warp that resolves in the next cycle.
  input  logic                next_i,        // one does
  input  warp_t               next_warp_i,
  output path_view_t          next_view_o,
  // Of the warp that resolves.
  input  logic                resolve_we_i,
  input  warp_t               resolve_warp_i,
  input  resolved_t           resolved_i,
  input  logic                split_we_i,    // it asks for a split
  input  split_t              split_i,
  // Of the warp that the engine prepares, in the next cycle; and what a service reads.
  input  logic                asks_i,        // there is one
  input  warp_t               pick_i,
  output picked_t             picked_o,      // `check` is not kept here
  input  logic                load_i,        // a service reads it
  input  warp_t               load_warp_i,
  output loaded_t             loaded_o,
  // Of the warp that is served.
  input  warp_t               engine_warp_i,
  output logic [31:0]         served_o,
  output logic                any_served_o,
  output logic [31:0]         released_o,
  // verilator lint_off UNUSEDSIGNAL // bits of warps lie in paths
  input  service_t            result_i,
  // verilator lint_on UNUSEDSIGNAL
  // Of a warp that may sleep.
  input  warp_t               wake_warp_i,
  output logic [31:0]         wake_at_o
);
  logic [SubWarps-1:0] tail_q;          // started with the tail mask
  logic [SubWarps-1:0] resolved_q, walked_q;  // resolve, engine has written
  logic [SubWarps-1:0] served_w_q, depth_r_w_q, pc_r_w_q;  // resolve has written last
  logic [31:0]         live_r_q [SubWarps];
  logic [31:0]         served_r_q [SubWarps];
  logic [9:0]          turn_r_q [SubWarps];
  logic [15:0]         depth_r_q [SubWarps];
  pc_t                 pc_r_q [SubWarps];        // kept only while the path does not run
  pc_t                 pc_i_q [SubWarps];
  logic [10:0]         lows_r_q [SubWarps];      // target is pc + 1; lowest live lane, leader
  logic [15:0]         depth_e_q [SubWarps];
  logic [31:0]         mask_e_q [SubWarps];      // as the walk left it; ended lanes still in it
  logic [31:0]         others_e_q [SubWarps];    // exist without the running path
  logic [31:0]         released_e_q [SubWarps];  // without the running path
  logic [31:0]         xmask_e_q [SubWarps];
  logic [31:0]         wake_at_e_q [SubWarps];   // while no path runs and nothing is asked
  pc_t                 stop_pc_e_q [SubWarps];
  logic [4:0]          leader_e_q [SubWarps];    // of the running path
  path_flags_t         flags_e_q [SubWarps];
  // What a requested split makes of the lanes of E: mask, value, the rest.
  logic [31:0]         e_mask_q [SubWarps];
  logic [31:0]         e_value_q [SubWarps];
  logic [16:0]         e_what_q [SubWarps];

  function automatic logic [31:0] live_now(input logic [31:0] word, input logic written,
                                           input logic tail, input logic [31:0] tail_mask);
    return written ? word : (tail_mask | {32{!tail}});
  endfunction
  function automatic logic [31:0] mask_now(input logic [31:0] word, input logic written,
                                           input logic cur, input logic [31:0] live);
    return live & (word | {32{!written}}) & {32{cur}};
  endfunction

  // Issue.
  assign live_o = live_now(live_r_q[sel_warp_i], resolved_q[sel_warp_i], tail_q[sel_warp_i],
                           tail_mask_i);
  assign cur_mask_o = mask_now(mask_e_q[sel_warp_i], walked_q[sel_warp_i], 1'b1, live_o);
  assign xmask_o = xmask_e_q[sel_warp_i];
  assign issue_flags_o = walked_q[issue_warp_i] ? flags_e_q[issue_warp_i] : FlagsStart;
  assign issue_stop_pc_o = stop_pc_e_q[issue_warp_i];

  // Resolve.
  always_comb begin
    next_view_o = 'x;
    if (next_i) begin
      next_view_o = '{
        flags: walked_q[next_warp_i] ? flags_e_q[next_warp_i] : FlagsStart,
        depth: depth_r_w_q[next_warp_i] ? depth_r_q[next_warp_i] :
               depth_e_q[next_warp_i] & {16{walked_q[next_warp_i]}},
        live: live_now(live_r_q[next_warp_i], resolved_q[next_warp_i], tail_q[next_warp_i],
                       tail_mask_i),
        turn: turn_r_q[next_warp_i] & {10{resolved_q[next_warp_i]}},
        served: served_r_q[next_warp_i], any_served: served_w_q[next_warp_i],
        stop_pc: stop_pc_e_q[next_warp_i]
      };
    end
  end

  // The pick: an exit in T changes it, not with EventDelay, where its request is visible. A warp
  // that asks has resolved before.
  logic        same;
  logic [31:0] live;
  logic [4:0]  first, leader_r;
  // verilator lint_off UNUSEDSIGNAL // each reader needs some of the flags
  path_flags_t flags;
  // verilator lint_on UNUSEDSIGNAL
  assign same = EventDelay == 0 && resolve_we_i && resolve_warp_i == pick_i;
  assign live = same ? resolved_i.live : live_r_q[pick_i];
  assign {first, leader_r} = same ? {resolved_i.first, resolved_i.leader} : lows_r_q[pick_i][9:0];
  assign flags = walked_q[pick_i] ? flags_e_q[pick_i] : FlagsStart;
  always_comb begin
    picked_o = 'x;
    if (asks_i) begin
      picked_o = '{
        mask: mask_now(mask_e_q[pick_i], walked_q[pick_i], flags.cur, live), live: live,
        others: others_e_q[pick_i] & {32{walked_q[pick_i]}}, check: 1'b0, waits: flags.waits,
        any_released: flags.any_released, first: first,
        leader: (same || depth_r_w_q[pick_i]) ? leader_r : leader_e_q[pick_i]
      };
    end
  end

  // The service.
  pc_t pc;
  assign pc = pc_r_w_q[load_warp_i] ? pc_r_q[load_warp_i] : pc_i_q[load_warp_i];
  always_comb begin
    loaded_o = 'x;
    if (load_i) begin
      loaded_o = '{
        pc: pc, next_pc: pc + 28'd1,
        depth: depth_r_w_q[load_warp_i] ? depth_r_q[load_warp_i] : depth_e_q[load_warp_i],
        split: '{
          mask: e_mask_q[load_warp_i], value: e_value_q[load_warp_i],
          next: lows_r_q[load_warp_i][10], by_lane: e_what_q[load_warp_i][15],
          paced: e_what_q[load_warp_i][16],
          depth: depth_e'(e_what_q[load_warp_i][14:13]), op: e_what_q[load_warp_i][12:3],
          state: row_state_e'(e_what_q[load_warp_i][2:0])
        }
      };
    end
  end
  assign served_o = served_r_q[engine_warp_i];
  assign any_served_o = served_w_q[engine_warp_i];
  assign released_o = released_e_q[engine_warp_i];
  assign wake_at_o = wake_at_e_q[wake_warp_i];

  // Who wrote. No reset: the start of a warp sets these before they are used.
  logic [SubWarps-1:0] resolve_bit, engine_bit, run_bit;
  assign resolve_bit = SubWarps'(resolve_we_i) << resolve_warp_i;
  assign engine_bit = SubWarps'(result_i.done) << engine_warp_i;
  assign run_bit = SubWarps'(result_i.run) << engine_warp_i;
  always_ff @(posedge clk_i) begin
    resolved_q <= (resolved_q | resolve_bit) & ~warp_start_i;
    walked_q <= (walked_q | engine_bit) & ~warp_start_i;
    served_w_q <= ((served_w_q | resolve_bit) &
                   ~(SubWarps'(result_i.served_clr) << engine_warp_i)) & ~warp_start_i;
    depth_r_w_q <= (depth_r_w_q | resolve_bit) & ~run_bit & ~warp_start_i;
    pc_r_w_q <= (pc_r_w_q & ~(SubWarps'(issue_we_i) << issue_warp_i)) | resolve_bit;
    if (warp_start_i != '0) tail_q <= (tail_q & ~warp_start_i) | (start_tail_i & warp_start_i);
  end

  always_ff @(posedge clk_i) begin
    if (resolve_we_i) begin
      live_r_q[resolve_warp_i] <= resolved_i.live;
      served_r_q[resolve_warp_i] <= resolved_i.served;
      turn_r_q[resolve_warp_i] <= resolved_i.turn;
      pc_r_q[resolve_warp_i] <= resolved_i.pc;
      depth_r_q[resolve_warp_i] <= resolved_i.depth;
      lows_r_q[resolve_warp_i] <= {split_i.next, resolved_i.first, resolved_i.leader};
    end
    if (split_we_i) begin
      e_mask_q[resolve_warp_i] <= split_i.mask;
      e_value_q[resolve_warp_i] <= split_i.value;
      e_what_q[resolve_warp_i] <= {split_i.paced, split_i.by_lane, split_i.depth, split_i.op, split_i.state};
    end
    if (issue_we_i) pc_i_q[issue_warp_i] <= issue_pc_i;
    if (result_i.done) begin
      others_e_q[engine_warp_i] <= result_i.others;
      wake_at_e_q[engine_warp_i] <= result_i.wake_at;
      flags_e_q[engine_warp_i] <= '{
        stop: result_i.stop, below: result_i.below, several: result_i.several, cur: result_i.run,
        waits: result_i.waits, any_released: result_i.any_released
      };
    end
    if (result_i.released_we) released_e_q[engine_warp_i] <= result_i.released;
    if (result_i.xmask_we) xmask_e_q[engine_warp_i] <= result_i.xmask;
    if (result_i.run) begin
      mask_e_q[engine_warp_i] <= result_i.run_mask;
      depth_e_q[engine_warp_i] <= result_i.run_depth;
      leader_e_q[engine_warp_i] <= result_i.run_leader;
      stop_pc_e_q[engine_warp_i] <= result_i.stop_pc;
    end
  end
endmodule
