// LSU processor and coalescer (docs/microarchitecture.md 10, "Processor", "Coalescer step"): of an
// instruction a watched lane, any of the 32, is in exactly one packet of each of its parts if it is
// of class global or local, in exactly one request to shared memory if it is of class shared, in none
// if it has no class; a packet of the global phase has the lane's sector and the first byte of its
// part. Assumed, from section 10: the slot's fields stay while it is worked on; a group or LSU beat
// is marked iff it has lanes of the class; addresses are aligned; the lanes other than the watched
// one may change from step to step (more than they can do). Not here: data, responses, local
// addresses, and which lanes share a packet (only that none is left or done twice).
module coalescer_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import lsu_pkg::*;
  import port_pkg::*;
(
  input logic        clk_i,
  input logic [31:0] lb_i [LaunchBlockWords],
  input logic        ready_i,
  input slot_info_t  info_i,
  input groups_t     any_g_i,
  input groups_t     any_l_i,
  input beats_t      any_s_i,
  input class_e      class_i [Cols],
  input logic [31:0] ea_i [Cols],
  input logic        grant_i,
  input logic        smem_ready_i,
  input logic [4:0]  watched_i,
  input class_e      my_class_i,
  input logic [31:0] my_ea_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [CtaBits-1:0] warp_cta [Warps];
  logic [31:0] data [Cols][4], more [4];
  assign more = '{default: '0};
  for (genvar i = 0; i < Warps; i++) begin : gen_warp
    assign warp_cta[i] = '0;
  end
  for (genvar i = 0; i < Cols; i++) begin : gen_col
    for (genvar k = 0; k < 4; k++) begin : gen_word
      assign data[i][k] = '0;
    end
  end

  logic start, done, req_valid, smem_valid;
  logic [RowBits-1:0] row;
  packet_t   req;
  same_t     same;
  assign same = '{sector: ea_i[Cols-1][31:5] == ea_i[0][31:5], place: ea_i[Cols-1][4:2] == ea_i[0][4:2],
                  low: ea_i[Cols-1][1:0] == ea_i[0][1:0]};
  smem_req_t smem;
  lsu_processor dut (
    .clk_i, .rst_ni(rst_n), .lb_i, .warp_cta_i(warp_cta), .slot_o(), .ready_i, .info_i,
    .has_g_i(any_g_i != '0), .has_l_i(any_l_i != '0), .any_g_i, .any_l_i, .any_s_i, .fault_i(FaultNone), .fault_lane_i('0), .fault_addr_i('0), .fault_o(),
    .start_o(start), .done_o(done), .count_o(), .trap_o(), .col_o(), .col_data_o(), .row_o(row),
    .late_o(), .next_row_o(), .late_row_o(), .class_i, .ea_i, .same_i(same), .data_i(data),
    .more_lead_o(), .more_col_o(), .more_i(more), .more_take_o(),
    .req_valid_o(req_valid), .req_o(req), .req_slot_o(), .req_grant_i(grant_i && req_valid),
    .smem_valid_o(smem_valid), .smem_ready_i, .smem_o(smem), .smem_addr_o(), .smem_wdata_o()
  );

  // The watched lane in the instruction under way.
  logic [4:0]  lane;
  class_e      cls;
  logic [31:0] ea;
  slot_info_t  info_q;
  logic        run;
  assign run = dut.run_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) lane <= watched_i;
    if (start) begin
      cls <= my_class_i;
      ea <= my_ea_i;
      info_q <= info_i;
    end
  end

  localparam int unsigned ColWidth = (Cols > 1) ? $clog2(Cols) : 1;
  logic [ColWidth-1:0] col;
  logic                here;      // the row that is read has the watched lane
  assign col = lane[ColWidth-1:0];
  assign here = 32'(row) % LsuBeats == 32'(lane) / Cols;

  logic [2:0] size, parts;
  logic       is_atom;
  assign size = size_of(info_q.mtype);
  assign is_atom = info_q.kind == MemKindAtom;
  always_comb begin
    unique case (size)
      3'd4:    parts = (cls == ClassG) ? 3'(4 / LsuWords) : 3'd4;
      3'd3:    parts = (cls == ClassG) ? 3'd1 : 3'd2;
      default: parts = 3'd1;
    endcase
  end

  // The packet of the step before is in the output register now.
  logic       step_q, global_q, done_q, mine, again, sm_mine;
  logic [3:0] got_q, got;       // parts in which the lane was
  logic       asked_q, asked;   // it was in a request to shared memory
  logic [1:0] part;
  assign part = req.tag[9:8];
  assign mine = step_q && req.tag[11:10] == lane[4:3] && req.tag[lane[2:0]];
  assign again = mine && got_q[part];
  assign got = got_q | (4'(mine) << part);
  assign sm_mine = smem_valid && smem_ready_i && 32'(smem.beat) == 32'(lane) / LsuLanes &&
                   smem.mask[lane % LsuLanes];
  assign asked = asked_q || sm_mine;
  always_ff @(posedge clk_i) begin
    step_q <= rst_n && dut.co_step;
    global_q <= dut.in_g_q;
    done_q <= rst_n && done;
    if (!rst_n || start) begin
      got_q <= '0;
      asked_q <= 1'b0;
    end else begin
      got_q <= got;
      asked_q <= asked;
    end
  end

  // What the induction needs to know: how far the watched lane has come, from what is left to do.
  localparam int unsigned GroupWidth = $clog2(Groups);
  logic [GroupWidth-1:0] grp;
  logic [GroupBits-1:0]  at;
  groups_t    lower;
  logic       at_g, at_l, act, left_part;
  logic [3:0] all_parts, so_far;
  assign grp = lane[4:GroupBits];
  assign at = lane[GroupBits-1:0];
  assign lower = (groups_t'(1) << grp) - groups_t'(1);
  assign at_g = dut.todo_g_q[grp] && (dut.todo_g_q & lower) == '0;
  assign at_l = dut.todo_g_q == '0 && dut.todo_l_q[grp] && (dut.todo_l_q & lower) == '0;
  assign act = run || done_q;
  assign all_parts = 4'((5'd1 << parts) - 5'd1);
  assign left_part = dut.fresh_q || dut.rest_q[at];
  assign so_far = ((4'd1 << dut.part_q) - 4'd1) | (4'(!left_part) << dut.part_q);

  always @(posedge clk_i) begin
    assume (info_i.kind <= MemKindAtom && info_i.mtype <= MemTypeF32);
    if (info_i.kind == MemKindAtom) begin
      assume (size_of(info_i.mtype) == 3'd2 || size_of(info_i.mtype) == 3'd3 ||
              (Atom128 != 0 && info_i.mtype == MemTypeB128 &&
               (info_i.atom == AtomExch || info_i.atom == AtomCas)));
    end
    assume ((my_ea_i & ((32'd1 << size_of(info_i.mtype)) - 32'd1)) == '0);
    if (run) assume (info_i == info_q);
    if (start) begin
      assume (any_g_i != '0 || any_l_i != '0 || any_s_i != '0);
      if (my_class_i == ClassG) assume (any_g_i[32'(lane) / GroupLanes]);
      if (my_class_i == ClassL) assume (any_l_i[32'(lane) / GroupLanes]);
      if (my_class_i == ClassS) assume (any_s_i[32'(lane) / LsuLanes]);
    end
    if (run && here) assume (class_i[col] == cls && ea_i[col] == ea);
    if (dut.co_step && dut.fresh_q) assume (dut.pending != '0);
    if (rst_n) begin
      if (act) begin
        if (cls == ClassG) i_global: assert (got == (!dut.todo_g_q[grp] ? all_parts : at_g ? so_far : '0));
        if (cls == ClassL) i_local: assert (got == (!dut.todo_l_q[grp] ? all_parts : at_l ? so_far : '0));
        if (cls == ClassS || cls == ClassNone) i_none: assert (got == '0);
        if (cls == ClassS) i_shared: assert (asked_q == !dut.todo_s_q[32'(lane) / LsuLanes]);
        else i_not_shared: assert (!asked_q);
        if (at_g && !left_part) i_gone: assert (dut.rest_q != '0);
        if (at_g && !dut.fresh_q && dut.rest_q[at]) i_rest: assert (cls == ClassG);
        if (at_l && !dut.fresh_q && dut.rest_q[at]) i_rest_local: assert (cls == ClassL);
      end
      if (run && (dut.in_g_q || dut.in_l_q)) begin
        i_some: assert (dut.fresh_q || dut.rest_q != '0);
        i_part: assert (dut.part_q <= dut.last_part);
      end
      if (run) begin
        i_phase: assert (dut.in_g_q == (dut.todo_g_q != '0) &&
                         dut.in_l_q == (dut.todo_g_q == '0 && dut.todo_l_q != '0));
        if (dut.in_g_q || dut.in_l_q || GroupLanes == LsuLanes) begin
          i_group: assert (dut.todo[dut.grp_q] &&
                           (dut.todo & ((groups_t'(1) << dut.grp_q) - groups_t'(1))) == '0);
          i_bit: assert (dut.grp_bit_q == groups_t'(1) << dut.grp_q &&
                         dut.last_q == (dut.todo == dut.grp_bit_q));
        end
      end
      if (run) i_work: assert (dut.todo_g_q != '0 || dut.todo_l_q != '0 || dut.todo_s_q != '0);
      if (dut.co_step) begin
        a_progress: assert (dut.served != '0 && (dut.served & ~dut.pending) == '0);
      end
      if (mine) begin
        a_class: assert (cls == (global_q ? ClassG : ClassL));
        a_once: assert (!again && 3'(part) < parts);
        if (is_atom && size == 3'd4) a_alone: assert ($onehot(req.tag[7:0]));
        if (global_q) begin
          a_sector: assert (req.sector[26:0] == ea[31:5]);
          a_byte: assert (req.mask[ea[4:0] | 5'(32'(part) * 4 * LsuWords)]);
        end
      end
      if (sm_mine) a_shared_once: assert (cls == ClassS && !asked_q);
      if (done_q) begin
        a_all: assert (got == ((cls == ClassG || cls == ClassL) ? 4'((5'd1 << parts) - 5'd1) : 4'd0));
        a_asked: assert (asked_q == (cls == ClassS));
      end
      c_global: cover (done_q && cls == ClassG && size == 3'd4 && got_q != '0);
      c_local: cover (done_q && cls == ClassL && got == 4'hf && lane == 5'd2);
      c_shared: cover (done_q && asked_q && lane == 5'd1);
      c_atomic: cover (done_q && cls == ClassG && info_q.atom == AtomCas && is_atom && lane == 5'd3);
      c_late: cover (mine && lane[1:0] == 2'd3 && got_q == '0 && req.tag[7:0] == 8'h08);
      c_none: cover (done_q && cls == ClassNone);
    end
  end
endmodule
