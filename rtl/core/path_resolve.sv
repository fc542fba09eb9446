// Resolve stage of control instructions (docs/microarchitecture.md 7.2): targets, turn end, what
// follows. Combinational: what the path state of the warp becomes in T, and what is asked of the
// engine. Does not split: the engine does, from split_*_o.
module path_resolve
  import wl_pkg::*;
  import config_pkg::HasGathered;
  import sm_pkg::*;
  import choice_pkg::*;
  import path_pkg::*;
(
  input  sub_t        sub_i,
  input  resolve_t    resolve_i,
  input  foreseen_t   foreseen_i,  // of it
  input  logic [31:0] now_i,
  // State of the warp.
  input  logic [15:0] depth_i,
  input  logic [31:0] live_i,
  input  logic        alone_i,     // no other path exists
  input  logic [31:0] served_i,
  input  logic        served_v_i,  // served is not 0
  input  logic [9:0]  turn_i,
  input  logic        polled_i,
  input  branch_t     target_i,
  input  logic        below_i,
  // Target buffer: value of the lowest lane of E, whether all lanes have it, an offending lane.
  // WAIT: lanes that are not done, whether there are any, whether one of them has seen another gen
  // than that of now; the value is operand b of the lowest of them.
  input  logic [31:0] value_i,
  input  logic        same_i,
  input  logic [31:0] undone_i,
  input  logic        some_undone_i,
  input  logic        stale_i,
  input  logic        bad_i,
  input  logic [4:0]  bad_lane_i,
  input  logic        cluster_wait_i,  // the barrier of the cluster is not complete
  input  logic        copies_left_i,   // too many groups of copies are pending
  input  logic        columns_wait_i,  // the allocation has to wait
  // Effect; next state equals the state where nothing changes.
  output logic        act_o,       // resolved without a trap
  output logic        exit_o,      // lanes of E end
  output pc_t         pc_o,
  output logic [15:0] depth_o,
  output logic [31:0] live_o,
  output logic [4:0]  first_o,     // lowest lane of live
  output logic [4:0]  leader_o,    // lowest lane of the path, also of one that ends
  output logic [31:0] served_o,
  output logic [9:0]  turn_o,
  output logic        polled_o,
  output logic        split_o,     // request SPLIT
  output logic        walk_o,      // request WALK
  output logic        chk_o,
  output logic        done_o,      // the warp's last lanes ended
  output logic        turn_end_o,
  output logic        jump_o,      // goes on at another place than pc + 1
  output logic [31:0] split_mask_o,
  output logic [31:0] split_value_o,
  output logic        split_next_o,   // it is pc + 1
  output row_state_e  split_state_o,
  output logic [9:0]  split_op_o,
  output depth_e      split_depth_o,
  output logic        split_lanes_o,  // the value differs by lane: target buffer
  output logic        split_paced_o,  // WAIT: takes as long as if it did
  output logic        is_bar_o,
  output trap_t       trap_o
);
  localparam logic [19:0] SleepLimit = 20'd1_000_000;
  if (WaitLimit != 32'(SleepLimit)) begin : gen_wrong
    $error("WaitLimit: the longest sleep");
  end

  logic [7:0]  op;
  logic [31:0] imm;
  foreseen_t   f;
  pc_t         pc;
  logic        one, up, down, clr_served, gather, stays, again, turn_end;
  logic [31:0] sleep, sleep_cycles;

  assign f = foreseen_i;
  assign gather = HasGathered != 0 && f.gather;
  assign op = resolve_i.insn.info.op;
  assign imm = resolve_i.insn.word.imm;
  assign pc = resolve_i.insn.pc;

  // WAIT, CWAIT, CPWAIT, BWAIT and ALLOC (21.3, 21.4, 22.2, 23.4, 24.1): lanes do not go on; WAIT: they
  // test again.
  assign stays = (f.park && some_undone_i) || (f.meet && cluster_wait_i) ||
                 (f.drain && copies_left_i) || (f.alloc && columns_wait_i);
  assign again = f.park && some_undone_i && stale_i;
  assign turn_end = f.turn_end || stays;

  // Number of targets: one, or more. Lanes outside E, and those that are done, go to pc + 1 at the
  // same depth. COPY: the lowest lane of E, too.
  always_comb begin
    one = f.branch && !(f.by_lane && !same_i) && (f.full || (!f.call && !f.ret && target_i.next));
    if (f.park || f.meet || f.drain || f.columns) one = !stays || (again && undone_i == resolve_i.path);
    if (f.copy) one = f.lone;
  end

  // Sleep time: at least one cycle, at most SleepLimit nanoseconds. WAIT: the same, and 0 is
  // the limit.
  // Compared without a carry chain, by groups of four bits.
  logic beyond, none;
  assign none = value_i == '0;
  always_comb begin
    logic [4:0] above, equal;
    for (int unsigned i = 0; i < 5; i++) begin
      above[i] = value_i[4*i+:4] > SleepLimit[4*i+:4];
      equal[i] = value_i[4*i+:4] == SleepLimit[4*i+:4];
    end
    beyond = value_i[31:20] != '0;
    for (int unsigned i = 0; i < 5; i++) begin
      beyond |= above[i] && (equal | ~(5'h1f << (i + 1))) == '1;
    end
  end
  assign sleep = (beyond || (f.park && none)) ? 32'(SleepLimit) : value_i;
  assign sleep_cycles = (NsNum == 32'd1) ? sleep * NsDen :
                        (sleep * NsDen + (NsNum - 32'd1)) / NsNum;

  // Traps leave the warp as it is.
  logic t_lanes;
  assign t_lanes = (f.bar || f.sync) && f.by_lane && bad_i;
  always_comb begin
    trap_o = '0;
    trap_o.valid = resolve_i.valid && (f.user || f.deep || t_lanes);
    trap_o.cause = f.user ? TrapUser : f.deep ? TrapCallDepth :
                   f.bar ? TrapBarrierMisuse : TrapSyncMask;
    trap_o.warp = slot_of(resolve_i.warp, sub_i);
    trap_o.lane = t_lanes ? bad_lane_i : low_index(resolve_i.exec);
    trap_o.pc = pc;
  end
  assign act_o = resolve_i.valid && !trap_o.valid;
  assign exit_o = act_o && f.leave;

  // Words do not matter where nothing acts. A turn that ends with no other path ends the epoch.
  assign up = one && f.call;
  assign down = one && f.ret;
  assign pc_o = (f.leave && !f.full) ? f.pc1 : !one ? pc : again ? f.test_pc : target_i.pc;
  assign depth_o = depth_i + {{15{down}}, up || down};
  assign live_o = live_i & ~(resolve_i.exec & {32{f.leave}});
  assign clr_served = alone_i && turn_end && (one || (f.leave && !f.full));
  assign served_o = (served_i & {32{served_v_i && !clr_served}}) |
                    (resolve_i.path & {32{turn_end && !clr_served}});
  assign turn_o = (turn_i + 10'(f.counted)) &
                  {10{!turn_end && !((f.branch || f.copy) && !one && alone_i)}};
  assign polled_o = polled_i && !turn_end;
  assign first_o = low_index(live_o);
  assign leader_o = low_index(resolve_i.path & ~(resolve_i.exec & {32{f.leave && !f.full}}));
  assign turn_end_o = act_o && turn_end;
  always_comb begin
    split_o = 1'b0;
    walk_o = 1'b0;
    chk_o = 1'b0;
    done_o = 1'b0;
    jump_o = 1'b0;
    if (act_o) begin
      if (f.leave) begin
        done_o = f.full && f.last;
        walk_o = f.full ? !done_o : !alone_i;
        chk_o = walk_o;
      end else if (one) begin
        walk_o = !alone_i && (turn_end || target_i.beyond || f.call ||
                              f.ret || (f.back && below_i));
        jump_o = !walk_o && (again || !target_i.next);
      end else begin
        split_o = 1'b1;
        chk_o = f.bar || f.sync || gather;
      end
    end
  end

  // What the lanes of E, of WAIT those that are not done, of COPY all but the lowest, become in a
  // split.
  assign split_mask_o = f.park ? undone_i :
                        resolve_i.exec & (resolve_i.exec - 32'd1 | {32{!f.copy}});
  assign split_next_o = target_i.next && !f.park && !f.copy;
  assign split_paced_o = f.park;
  always_comb begin
    split_value_o = imm;
    split_state_o = RowReady;
    split_op_o = '0;
    split_depth_o = f.call ? DepthUp : f.ret ? DepthDown : DepthSame;
    split_lanes_o = f.by_lane && !f.sleep;
    if (f.sleep || f.park) begin
      split_state_o = f.sleep ? RowSleep : again ? RowReady : RowWait;
      split_op_o = OpMbarrier;
      split_value_o = now_i + {sleep_cycles[31:1], sleep_cycles[0] || (f.sleep && none)};
      if (again) split_value_o = 32'(f.test_pc);
    end else if (f.meet || f.drain || f.alloc) begin
      split_state_o = RowWait;
      split_op_o = OpCluster;
      split_value_o = '0;
    end else if (f.bar) begin
      split_state_o = RowBar;
      split_op_o = {6'd0, resolve_i.insn.word.mods.control.aligned, op[2:0]};
      split_value_o = {22'd0, imm[13:8], imm[3:0]};
    end else if (f.sync) begin
      split_state_o = RowSync;
      split_op_o = {resolve_i.insn.word.mods.control.xmode, op};
    end else if (gather) begin
      split_state_o = RowSync;
      split_op_o = OpAligned;
      split_value_o = 32'(pc);
    end else if (f.copy) begin
      split_value_o = 32'(pc);
    end
  end
  assign is_bar_o = f.bar;

  logic unused_insn;
  assign unused_insn = ^{resolve_i.insn, resolve_i.psrc, resolve_i.arrives};
endmodule
