// LSU: the processor (docs/microarchitecture.md 10): takes the slots in ring order and makes of
// each the packets of its global and local lanes, one coalescer step per cycle, and one
// shared-memory request per LSU beat. What is left to do is kept as groups and LSU beats; the lanes
// of a group come from lane storage.
`include "cells/assert.svh"

module lsu_processor
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import lsu_pkg::*;
  import port_pkg::*;
  import cells_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [31:0]         lb_i [LaunchBlockWords],
  input  logic [CtaBits-1:0]  warp_cta_i [Warps],
  // The slot at the processor.
  output slot_t               slot_o,
  input  logic                ready_i,
  input  slot_info_t          info_i,
  input  logic                has_g_i,
  input  logic                has_l_i,
  input  groups_t             any_g_i,
  input  groups_t             any_l_i,
  input  beats_t              any_s_i,
  input  fault_e              fault_i,
  input  logic [4:0]          fault_lane_i,
  input  logic [63:0]         fault_addr_i,
  output logic                fault_o,      // taken: the slot is free
  output logic                start_o,
  output logic                done_o,       // SENT from the next cycle on
  output logic                count_o,      // outstanding + 1
  output trap_t               trap_o,
  output logic                rest_o,       // no slot, no packet (15)
  // Lane storage.
  output logic [Cols-1:0]     col_o,
  output logic [Cols-1:0]     col_data_o,
  output logic [RowBits-1:0]  row_o,
  output logic                late_o,       // wanted next (LateWords):
  output logic [RowBits-1:0]  next_row_o,   // address of this row
  output logic [RowBits-1:0]  data_row_o,   // words 0, 1 of this
  output logic [RowBits-1:0]  late_row_o,   // words 2, 3 of this
  input  class_e              class_i [Cols],
  input  logic [31:0]         ea_i [Cols],
  input  same_t               same_i,       // KeptSame: the second lane against the first
  input  logic [31:0]         data_i [Cols][4],
  // Operand words 4 to 7, of a cas of 128 bits (lsu_more): of one lane; all lanes' go to shared memory.
  output logic                more_lead_o,
  output logic [ColBits-1:0]  more_col_o,
  input  logic [31:0]         more_i [4],
  output logic                more_take_o,
  // Port.
  output logic                req_valid_o,
  output packet_t             req_o,
  output slot_t               req_slot_o,
  input  logic                req_grant_i,
  // Shared memory.
  output logic                smem_valid_o,
  input  logic                smem_ready_i,
  output smem_req_t           smem_o,
  output logic [31:0]         smem_addr_o [LsuLanes],
  output logic [31:0]         smem_wdata_o [4][LsuLanes],
  output logic [SmemBits-11:0] cta_base_o [Ctas]  // where each CTA slot's part begins, KiB
);

  localparam int unsigned SBits = SmemBits;

  logic             run_q;
  slot_t            slot_q;
  groups_t          todo_g_q, todo_l_q;
  beats_t           todo_s_q;
  logic             fresh_q;              // all lanes of the group and part are pending
  lanes_t           rest_q;               // else these
  logic [1:0]       part_q;

  logic       in_g_q, in_l_q;   // the phase; neither: LSU beats with shared lanes
  logic       co_step, sm_step;
  logic       is_load;          // of phase G: its packets have no data
  logic       passes;           // a slot that has no phase (22.1)
  logic [2:0] size;
  logic [1:0] last_part;
  group_t     grp_q;            // the group (or, of as many lanes, the LSU beat) at work
  groups_t    grp_bit_q;        // the same, one-hot
  logic       last_q;           // nothing of the phase is left after it
  logic [4:0] lane0;            // first lane of what is worked on
  assign slot_o = slot_q;
  assign fault_o = !run_q && ready_i && fault_i != FaultNone;
  assign start_o = !run_q && ready_i && fault_i == FaultNone;
  assign passes = start_o && info_i.kind == MemKindCparrive;
  assign is_load = info_i.kind == MemKindLd || info_i.kind == MemKindCpasync;
  assign size = size_of(info_i.mtype);
  assign co_step = run_q && (in_g_q || in_l_q) && (!req_valid_o || req_grant_i);
  assign smem_valid_o = run_q && !in_g_q && !in_l_q;
  assign sm_step = smem_valid_o && smem_ready_i;
  // A matrix store makes its own requests.
  logic               matrix_store, store_last;
  mem_type_e          store_type;
  logic [4:0]         store_lane0;
  logic [Cols-1:0]    store_mask;
  logic [RowBits-1:0] store_ea_row, store_data_row;
  logic [31:0]        store_ea [Cols], store_data [Cols];
  assign matrix_store = info_i.kind == MemKindStmatrix;
  lsu_stmatrix u_stmatrix (
    .clk_i, .rst_ni, .start_i(start_o && matrix_store), .step_i(sm_step && matrix_store), .slot_i(slot_q),
    .matrix_i(info_i.matrix), .last_word_i(info_i.last_word), .last_o(store_last),
    .type_o(store_type), .lane0_o(store_lane0), .mask_o(store_mask),
    .next_ea_row_o(store_ea_row), .next_data_row_o(store_data_row),
    .en_i(smem_valid_o && matrix_store), .ea_i, .data_i, .ea_o(store_ea), .data_o(store_data)
  );
  assign row_o = row_of(slot_q, lane0);
  groups_t    todo;
  always_comb begin
    todo = in_g_q ? todo_g_q : todo_l_q;
    if (GroupLanes == LsuLanes && !in_g_q && !in_l_q) todo = groups_t'(todo_s_q);
    last_part = last_word_of(size);
    if (in_g_q) last_part = 2'(32'(last_part) / LsuWords);
    lane0 = 5'(32'(grp_q) * GroupLanes);
    if (GroupLanes != LsuLanes && smem_valid_o) lane0 = first_lane(todo_s_q);
    if (smem_valid_o && matrix_store) lane0 = store_lane0;
    // Columns whose storage is read: a group or an LSU beat.
    col_o = '0;
    if (co_step) begin
      col_o = Cols'((32'd1 << GroupLanes) - 32'd1) << col_of(lane0[4:GroupBits], 0);
    end else if (smem_valid_o) begin
      col_o = '1;
    end
    col_data_o = (is_load || info_i.kind == MemKindLdmatrix) ? '0 : col_o;
  end

  // ---- The group
  logic        is_atom, red;
  assign is_atom = info_i.kind == MemKindAtom;
  assign red = is_atom && info_i.rd == 8'd255;
  lanes_t      pending, served, rest_d;
  lanes_t      lead;             // the lowest one
  logic [GroupBits-1:0] lead_at; // its number
  logic [31:0] lead_ea;
  logic [31:0] ea   [GroupLanes];
  logic [31:0] data [GroupLanes][4];
  always_comb begin
    {pending, lead, lead_at} = 'x;
    ea = '{default: 'x};
    data = '{default: 'x};
    if (co_step) begin
      for (int i = 0; i < int'(GroupLanes); i++) begin
        ea[i] = ea_i[col_of(lane0[4:GroupBits], i)];
        pending[i] = fresh_q
          ? class_i[col_of(lane0[4:GroupBits], i)] == (in_g_q ? ClassG : ClassL) : rest_q[i];
      end
      if (!is_load) begin
        for (int i = 0; i < int'(GroupLanes); i++) begin
          for (int k = 0; k < 4; k++) begin
            data[i][k] = data_i[col_of(lane0[4:GroupBits], i)][k];
          end
        end
      end
      lead = lanes_t'(lowest(64'(pending)));
      lead_at = GroupBits'(number(64'(lead)));
    end
  end
  word_mux #(.Words(GroupLanes)) u_lead (
    .en_i(co_step), .at_i(lead_at), .x_i(ea), .y_o(lead_ea)
  );
  assign rest_d = pending & ~served;
  // Words 4 to 7 are the leader's: no other lane is served then.
  logic more;
  assign more = Atom128 != 0 && is_atom && info_i.atom == AtomCas && size == 3'd4;
  assign more_lead_o = co_step && more;
  assign more_col_o = col_of(lane0[4:GroupBits], 32'(lead_at));
  assign more_take_o = sm_step && more;
  // KeptSame: whether a step serves both lanes, if both are pending: the coalescer's rules for a pair,
  // here without the classes, which come late.
  logic both;
  always_comb begin
    both = 'x;
    if (co_step) begin
      both = same_i.sector && (!in_l_q || same_i.place) && !(is_atom && info_i.atom == AtomCas) &&
             !(is_atom && same_i.place && same_i.low);
    end
  end

  logic [31:0]  co_mask;
  logic [255:0] co_data;
  coalescer u_coalescer (
    .clk_i, .en_i(co_step), .out_i(req_valid_o), .local_i(in_l_q),
    .is_load_i(is_load), .is_atom_i(is_atom),
    .is_cas_i(is_atom && info_i.atom == AtomCas), .size_i(size), .part_i(part_q),
    .first_i(lane0[2:0]),
    .pending_i(pending), .lead_i(lead), .lead_at_i(lead_at), .lead_ea_i(lead_ea[31:2]),
    .ea_i(ea), .same_i, .data_i(data), .more_i,
    .served_o(served), .mask_o(co_mask), .data_o(co_data)
  );

  // ---- Packet: mask and data follow from the coalescer's registers.
  logic        out_valid_q;
  packet_op_e  out_op_q;
  logic        out_atom_q;
  slot_t       out_slot_q;
  atom_op_e    out_atomop_q;
  mem_type_e   out_type_q;
  logic [26:0] out_sector_q, sector_d;
  logic [1:0]  out_group_q, out_part_q;
  logic [7:0]  out_lanes_q;
  always_comb begin
    sector_d = 'x;
    if (co_step) begin
      // Local memory is interleaved: 4-byte words of all lanes and warps side by side.
      sector_d = in_g_q ? lead_ea[31:5]
                      : lb_i[LaunchLocalBase][31:5]
                        + 27'({lead_ea[31:2] | 30'(part_q), info_i.warp, lane0[4:3]});
    end
  end
  always_ff @(posedge clk_i) begin
    if (co_step) begin
      unique case (info_i.kind)
        MemKindSt:   out_op_q <= OpSt;
        MemKindAtom: out_op_q <= red ? OpRed : OpAtom;
        default:     out_op_q <= OpLd;
      endcase
      out_atom_q <= is_atom;
      out_slot_q <= slot_q;
      out_atomop_q <= info_i.atom;
      out_type_q <= info_i.mtype;
      out_sector_q <= sector_d;
      out_group_q <= lane0[4:3];
      out_part_q <= part_q;
      out_lanes_q <= 8'(served) << lane0[2:0];
    end
  end
  assign req_valid_o = out_valid_q;
  assign req_slot_o = out_slot_q;
  always_comb begin
    req_o = '0;
    req_o.op = out_op_q;
    if (out_atom_q) begin
      req_o.atom = 4'(out_atomop_q);
      req_o.atype = 4'(out_type_q);
    end
    req_o.sector = {lb_i[LaunchMemBase + 1], out_sector_q};
    req_o.mask = co_mask;
    req_o.unit = FromLsu;
    req_o.tag = lsu_tag_t'{slot: 4'(out_slot_q), group: out_group_q, part: out_part_q,
                           lanes: out_lanes_q};
    req_o.data = co_data;
  end

  // ---- Shared memory request: one LSU beat. The limits keep the sum within SmemBytes. Where the
  // part of each CTA slot begins, in KiB, is known since the launch: a product here would be long.
  logic [SBits-11:0] cta_base_q [Ctas];
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Ctas; c++) begin
      cta_base_q[c] <= (SBits-10)'(c * {22'h0, lb_i[LaunchSmemUnits][9:0]});
    end
  end
  assign cta_base_o = cta_base_q;
  logic test;   // of mbarriers: a load of a word
  assign test = info_i.kind == MemKindMbtest;
  always_comb begin
    logic [SBits-11:0] base;
    base = 'x;
    smem_o = 'x;
    smem_addr_o = '{default: 'x};
    smem_wdata_o = '{default: 'x};
    if (smem_valid_o) begin
      smem_o.bulk = 1'b0;
      smem_o.slot = slot_q;
      smem_o.kind = matrix_store ? MemKindSt :
                    (info_i.kind == MemKindLdmatrix) ? MemKindLd : info_i.kind;
      smem_o.mtype = matrix_store ? store_type : test ? MemTypeB32 : info_i.mtype;
      smem_o.atom = info_i.atom;
      smem_o.beat = LsuBeatBits'(32'(lane0) / LsuLanes);
      base = cta_base_q[warp_cta_i[info_i.warp]];
      for (int i = 0; i < int'(LsuLanes); i++) begin
        smem_o.mask[i] = class_i[i] == ClassS;
        smem_addr_o[i] = 32'({base + ea_i[i][SBits-1:10], ea_i[i][9:0]});
        if (test) smem_addr_o[i][2] = 1'b1;  // the high word
        for (int k = 0; k < 4; k++) smem_wdata_o[k][i] = data_i[i][k];
        if (matrix_store) begin
          smem_o.mask[i] = store_mask[i];
          smem_addr_o[i] = 32'({base + store_ea[i][SBits-1:10], store_ea[i][9:0]});
          smem_wdata_o[0][i] = store_data[i];
        end
      end
    end
    // Late words are wanted in the cycle after the request.
    if (LateWords) begin
      for (int i = 0; i < int'(LsuLanes); i++) begin
        for (int k = 2; k < 4; k++) smem_wdata_o[k][i] = data_i[i][k];
      end
    end
  end

  // ---- What is left to do after the step.
  groups_t          left;         // of the phase, after the group at work
  assign left = todo & ~grp_bit_q;
  // Whether the step is the last of its part comes with the classes, late.
  logic             part_end, part_last, part_done, grp_done;
  logic             final_one;    // nothing is left after this group or LSU beat
  groups_t          todo_g_d, todo_l_d;
  beats_t           todo_s_d, beats_left;
  always_comb begin
    part_end = KeptSame ? both || pending != '1 : rest_d == '0;
    part_last = part_q == last_part;
    part_done = co_step && part_end;
    grp_done = part_done && part_last;
    todo_g_d = todo_g_q & ~(grp_bit_q & {Groups{grp_done && in_g_q}});
    todo_l_d = todo_l_q & ~(grp_bit_q & {Groups{grp_done && in_l_q}});
    beats_left = (GroupLanes == LsuLanes) ? todo_s_q & ~beats_t'(grp_bit_q)
                                          : beats_t'(others(64'(todo_s_q)));
    todo_s_d = (sm_step && !matrix_store) ? beats_left : todo_s_q;
    final_one = beats_left == '0;
    if (in_g_q || in_l_q) begin
      final_one = last_q && todo_s_q == '0 && !(in_g_q && todo_l_q != '0);
    end
    // Each slot that does not pass has work (tests/formal/lsu).
    done_o = passes || (matrix_store ? sm_step && store_last : final_one && (grp_done || sm_step));
    count_o = sm_step || (co_step && (is_load || (is_atom && !red)));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q <= 1'b0;
      slot_q <= '0;
      out_valid_q <= 1'b0;
    end else begin
      if (start_o) run_q <= 1'b1;
      if (done_o) run_q <= 1'b0;
      if (fault_o || done_o) slot_q <= slot_q + slot_t'(1);
      if (co_step) out_valid_q <= 1'b1;
      else if (req_grant_i) out_valid_q <= 1'b0;
    end
    if (start_o) begin
      todo_g_q <= any_g_i;
      todo_l_q <= any_l_i;
      todo_s_q <= any_s_i;
      fresh_q <= 1'b1;
      part_q <= '0;
    end else if (run_q) begin
      todo_g_q <= todo_g_d;
      todo_l_q <= todo_l_d;
      todo_s_q <= todo_s_d;
      if (co_step) begin
        fresh_q <= part_done;
        rest_q <= rest_d;
        if (part_done) part_q <= grp_done ? '0 : part_q + 2'd1;
      end
    end
  end

  // ---- What is worked on next: known beside whether the group or LSU beat at work is done.
  groups_t after, after_bit;
  group_t  grp_d;
  logic    advance, in_g_d, in_l_d;
  assign advance = start_o || grp_done || (sm_step && !matrix_store);
  always_comb begin
    after = left;
    in_g_d = in_g_q && !last_q;
    in_l_d = in_g_q ? last_q && todo_l_q != '0 : in_l_q && !last_q;
    if (!run_q) begin
      in_g_d = has_g_i;
      in_l_d = !in_g_d && has_l_i;
      after = in_g_d ? any_g_i : in_l_d ? any_l_i : groups_t'(any_s_i);
    end else if (last_q) begin
      after = (in_g_q && todo_l_q != '0) ? todo_l_q : groups_t'(todo_s_q);
    end
    after_bit = groups_t'(lowest(64'(after)));
    grp_d = group_t'(number(64'(after_bit)));
  end
  always_ff @(posedge clk_i) begin
    if (advance) begin
      in_g_q <= in_g_d;
      in_l_q <= in_l_d;
      grp_q <= grp_d;
      grp_bit_q <= after_bit;
      last_q <= others(64'(after)) == '0;
    end
  end

  // ---- Address and words 0 and 1, one cycle ahead: of what is worked on then, a group or (of as
  // many lanes) an LSU beat.
  // It stays while no step is made: whether one is comes late, with the grant of the port, and leads
  // to the memories' enable only.
  if (LateWords) begin : gen_next
    logic moves_on;   // if there is a step
    assign moves_on = (!in_g_q && !in_l_q) || (part_last && part_end);
    always_comb begin
      next_row_o = row_of(slot_q, 5'(32'((!run_q || moves_on) ? grp_d : grp_q) * GroupLanes));
      data_row_o = next_row_o;
      if (matrix_store) begin
        next_row_o = store_ea_row;
        data_row_o = store_data_row;
      end
    end
    assign late_o = (!run_q && ready_i) || co_step || sm_step;
  end

  // ---- Words 2 and 3, one cycle ahead of a step: those of the group at work. A step with a part
  // above 0 follows another of its group; cas, which needs all words at once, serves one lane per
  // step, so that it is known early when the next step is of the next group.
  if (LateWords) begin : gen_late
    group_t late_grp, next_grp;
    lanes_t rest_cas;
    always_comb begin
      late_grp = grp_q;
      if (!run_q) late_grp = group_t'(number(lowest(64'(any_g_i))));
      else if (in_g_q && is_atom && rest_cas == '0) late_grp = next_grp;
    end
    assign rest_cas = pending & ~lead;
    assign next_grp = group_t'(number(lowest(64'(left))));
    // A matrix store wants one word of four, in the cycle of its request.
    assign late_row_o = matrix_store ? store_data_row
                                     : row_of(slot_q, 5'(32'(late_grp) * GroupLanes));
  end else begin : gen_no_late
    assign next_row_o = '0;
    assign data_row_o = '0;
    logic unused_rows;
    assign unused_rows = ^{store_ea_row, store_data_row};
    assign late_o = 1'b0;
    assign late_row_o = '0;
  end

  always_comb begin
    trap_o = 'x;
    trap_o.valid = fault_o;
    if (fault_o) begin
      unique case (fault_i)
        FaultMisaligned: trap_o.cause = TrapMisaligned;
        FaultStack:      trap_o.cause = TrapStack;
        default:         trap_o.cause = TrapOutOfBounds;
      endcase
      trap_o.warp = info_i.warp;
      trap_o.lane = fault_lane_i;
      trap_o.pc = info_i.pc;
      trap_o.addr = fault_addr_i;
    end
  end

  logic unused;
  assign unused = ^{info_i, lb_i[0], lead_ea[1:0]};

  assign rest_o = !run_q && !out_valid_q;

  // A group at work has pending lanes, and each step serves the lowest of them.
  `WL_ASSERT(StepServes, !co_step || (lead != '0 && (served & lead) == lead &&
                                      (served & ~pending) == '0))
  `WL_ASSERT(SharedHasLanes, !smem_valid_o || smem_o.mask != '0)
  `WL_ASSERT(CountsParts, !co_step || part_q <= last_part)

  `WL_ASSERT(PacketHasLanes, !out_valid_q || out_lanes_q != '0)
  `WL_ASSERT(OneWay, !(co_step && smem_valid_o))
endmodule
