// Load/store unit (docs/microarchitecture.md 10): a ring of slots that fill from X1, one processor
// that turns a slot into packets and shared-memory requests in ring order, and write-back of
// results. Here: the wires between the parts. No forwarding between slots: order on one address
// comes from the order point and from shared memory.
`include "cells/assert.svh"

module lsu
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import lsu_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  logic [31:0]         lb_i [LaunchBlockWords],
  input  logic [CtaBits-1:0]  warp_cta_i [Warps],
  input  issue_t              issue_i,
  // verilator lint_off UNUSEDSIGNAL // with several sub-cores only
  input  sub_t                sub_i,         // whose issue it is
  // verilator lint_on UNUSEDSIGNAL
  input  x1_t                 x1_i,
  input  logic [31:0]         x1_a_i [Lanes],
  input  logic [31:0]         x1_b_i [Lanes],
  input  logic [31:0]         x1_c_i [Lanes],
  output logic                lsu_ready_o,
  output logic [SlotBits-1:0] lsu_slot_o,
  output vwb_t                vwb_o,
  output sub_t                vwb_sub_o,     // sub-core of its warp
  output logic [31:0]         vwb_data_o [Lanes],
  input  logic                vwb_grant_i,
  output logic [LsuDepth-1:0] lsu_free_o,    // of deferred forms not
  output warp_slot_t          lsu_free_warp_o [LsuDepth],
  output trap_t               trap_o,
  output logic                rest_o,        // no slot is in use (15)
  output logic                req_valid_o,
  output packet_t             req_o,
  input  logic                req_grant_i,
  input  logic                rsp_valid_i,
  input  response_t           rsp_i,
  output logic                smem_req_valid_o,
  input  logic                smem_req_ready_i,
  output smem_req_t           smem_req_o,
  output logic [31:0]         smem_addr_o [LsuLanes],
  output logic [31:0]         smem_wdata_o [4][LsuLanes],
  output logic [31:0]         smem_more_o [4][LsuLanes],  // words 4 to 7 of a cas, one cycle later
  input  logic                smem_rsp_valid_i,
  input  smem_rsp_t           smem_rsp_i,
  input  logic [31:0]         smem_rdata_i [4][LsuLanes],
  input  mbar_misuse_t        mbar_misuse_i, // of the request that is delivered
  output trap_t               trap_mbarrier_o,
  // Deferred forms (22).
  input  logic [Warps-1:0]    commit_i,      // closes a group of copies
  input  copy_ask_t           copy_ask_i [SubCores],
  output logic [SubCores-1:0] copies_left_o, // a cycle later: more groups than asked for are pending
  output logic [Warps-1:0]    deferred_o,    // deferred forms of these warps are in flight
  output logic [Warps-1:0]    copied_o       // a copy of theirs is over
);

  logic       take, silent, unfound, rest_slots, wb_en, p_ready;
  slot_info_t info, p_info;
  logic [1:0] last_word;
  mem_type_e  rsp_type;
  wb_info_t   wb_info;
  slot_fill_t p_fill;
  logic [63:0] p_fault_addr;
  slot_t      alloc;
  logic [LsuDepth-1:0] in_wb;
  assign take = issue_i.valid && !issue_i.empty && !issue_i.ctl &&
                issue_i.insn.info.unit == UnitLsu;
  assign info = '{warp: slot_of(issue_i.warp, sub_i), pc: issue_i.insn.pc,
                  kind: issue_i.insn.info.kind, mtype: issue_i.insn.info.mtype,
                  atom: issue_i.insn.info.atom, matrix: form_matrix(issue_i.insn.info),
                  last_word: last_word, rd: issue_i.insn.word.rd};
  always_comb begin
    unique case (info.kind)  // codes 1, 2 and 4 mean themselves
      MemKindLdmatrix: last_word = 2'(issue_i.insn.info.d_words - 3'd1);
      MemKindStmatrix: last_word = 2'(issue_i.insn.info.b_words - 3'd1);
      MemKindMbtest, MemKindCparrive: last_word = '0;
      default:         last_word = last_word_of(size_of(info.mtype));
    endcase
  end
  assign silent = info.kind == MemKindSt || info.kind == MemKindStmatrix ||
                  ((info.kind == MemKindAtom || info.kind == MemKindMbar) && info.rd == 8'd255);
  assign lsu_slot_o = alloc;

  // ---- X1
  logic            fill, fill_first;
  logic [4:0]      fill_lane0;
  logic [Cols-1:0] fill_act, fill_address;
  class_e          col_class [Cols];
  logic            col_bad [Cols];
  fault_e          col_fault [Cols];
  logic [31:0]     col_ea_hi [Cols];
  logic [31:0]     col_ea [Cols];
  groups_t         any_g, any_l;
  beats_t          any_s;
  fault_e          fault;
  logic            fault_dest, col_fault_dest [Cols];
  logic [4:0]      fault_lane;
  logic [Cols-1:0] fault_pick;
  // The step whose addresses are compared with their limits: that of X1, with LsuDelay the one before.
  fill_step_t  step, judged;
  logic        judge, judge_first, judge_last;
  assign judge_first = judge && judged.first;
  assign judge_last = judge && judged.last;
  logic [RowBits-1:0] fill_row, judged_row;
  assign fill_row = row_of(x1_i.slot, fill_lane0);
  assign judged_row = row_of(judged.slot, judged.lane0);
  logic [63:0] last_ea [Cols], judged_ea [Cols];
  class_e      judged_class [Cols];
  lsu_fill u_fill (
    .x1_i, .fill_o(fill), .first_o(fill_first), .lane0_o(fill_lane0), .act_o(fill_act),
    .address_o(fill_address),
    .low_o(step.low), .go_i(judge_first), .judged_lane0_i(judged.lane0),
    .class_i(judged_class), .bad_i(col_bad),
    .fault_i(col_fault), .fault_dest_i(col_fault_dest), .any_g_o(any_g), .any_l_o(any_l), .any_s_o(any_s),
    .fault_o(fault), .fault_lane_o(fault_lane), .fault_dest_o(fault_dest), .pick_o(fault_pick)
  );

  always_comb begin
    {step.first, step.last, step.slot, step.lane0} = {fill_first, x1_i.last, x1_i.slot, fill_lane0};
    step.atom = x1_i.info.kind == MemKindAtom;
    step.matrix = form_matrix(x1_i.info) != MatrixNone;
    step.shared = step.matrix || is_mbarrier(x1_i.info.kind);
    step.copy = x1_i.info.kind == MemKindCpasync;
    step.arrive = x1_i.info.kind == MemKindCparrive;
  end
  // A copy's destination is the word after its 64-bit address: it comes with it.
  logic [31:0] fill_c [LsuLanes], judged_dest [Cols], last_dest [Cols];
  lsu_judge u_judge (
    .clk_i, .rst_ni, .lb_i, .fill_i(fill), .step_i(step), .wide_i(x1_i.info.a_words == 3'd2),
    .class_i(col_class), .ea_hi_i(col_ea_hi), .ea_i(col_ea), .dest_i(fill_c),
    .dest_o(judged_dest), .last_dest_o(last_dest), .fault_dest_o(col_fault_dest),
    .judge_o(judge), .judged_o(judged), .class_o(judged_class), .ea_o(judged_ea), .last_ea_o(last_ea),
    .bad_o(col_bad), .fault_o(col_fault)
  );

  // Operands of the part's lanes.
  logic [31:0] fill_a [LsuLanes];
  logic [31:0] fill_b [LsuLanes];
  if (LsuParts > 1) begin : gen_part
    logic [$clog2(LsuParts)-1:0] part;
    assign part = x1_i.part[$clog2(LsuParts)-1:0];
    for (genvar i = 0; i < int'(LsuLanes); i++) begin : gen_lane
      assign fill_a[i] = x1_a_i[32'(part) * LsuLanes + i];
      assign fill_b[i] = x1_b_i[32'(part) * LsuLanes + i];
      assign fill_c[i] = x1_c_i[32'(part) * LsuLanes + i];
    end
  end else begin : gen_whole
    assign fill_a = x1_a_i;
    assign fill_b = x1_b_i;
    assign fill_c = x1_c_i;
  end

  // ---- Processor
  slot_t           p_slot, out_slot;
  logic            p_fault, p_start, p_done, p_count, out_valid, rest_processor;
  logic [Cols-1:0] p_col, p_col_data;
  logic            p_late, more_lead, more_take;
  logic [ColBits-1:0] more_col;
  logic [31:0]     more [4];
  logic [RowBits-1:0] p_row, p_next_row, p_data_row, p_late_row;
  class_e          col_pclass [Cols];
  logic [31:0]     col_pea [Cols];
  same_t           col_psame [Cols];
  logic [31:0]     col_pdata [Cols][4];
  logic            p_smem_valid, p_smem_ready;
  smem_req_t       p_smem;
  logic [31:0]     p_smem_addr [LsuLanes];
  logic [31:0]     p_smem_wdata [4][LsuLanes];
  logic [SmemBits-11:0] cta_base [Ctas];
  lsu_processor u_processor (
    .rest_o(rest_processor), .clk_i, .rst_ni, .lb_i, .warp_cta_i, .slot_o(p_slot), .ready_i(p_ready), .info_i(p_info),
    .has_g_i(p_fill.has_g), .has_l_i(p_fill.has_l), .any_g_i(p_fill.any_g), .any_l_i(p_fill.any_l),
    .any_s_i(p_fill.any_s),
    .fault_i(p_fill.fault), .fault_lane_i(p_fill.fault_lane), .fault_addr_i(p_fault_addr),
    .fault_o(p_fault), .start_o(p_start), .done_o(p_done), .count_o(p_count), .trap_o,
    .col_o(p_col), .col_data_o(p_col_data), .row_o(p_row), .late_o(p_late),
    .next_row_o(p_next_row), .data_row_o(p_data_row), .late_row_o(p_late_row), .class_i(col_pclass),
    .ea_i(col_pea), .same_i(col_psame[Cols-1]), .data_i(col_pdata), .more_lead_o(more_lead),
    .more_col_o(more_col), .more_i(more), .more_take_o(more_take),
    .req_valid_o(out_valid), .req_o, .req_slot_o(out_slot), .req_grant_i,
    .smem_valid_o(p_smem_valid), .smem_ready_i(p_smem_ready), .smem_o(p_smem),
    .smem_addr_o(p_smem_addr), .smem_wdata_o(p_smem_wdata), .cta_base_o(cta_base)
  );
  assign req_valid_o = out_valid;

  // ---- Results
  logic                rsp, r_count;
  slot_t               r_slot, rsp_slot;
  warp_slot_t          r_warp;
  pc_t                 r_pc;
  logic [RowBits-1:0]  low_row;
  logic                col_local [Cols];
  logic [4:0]          col_low [Cols];
  logic [Cols-1:0]     res_col;
  logic [LsuWords-1:0] res_bank;
  logic [ResBits-1:0]  res_row;
  logic [31:0]         rsp_data [GroupLanes][LsuWords];
  lsu_response u_response (
    .rsp_valid_i, .rsp_i, .smem_valid_i(smem_rsp_valid_i), .smem_i(smem_rsp_i),
    .mtype_i(rsp_type),
    .rsp_slot_o(rsp_slot),
    .rsp_o(rsp), .slot_o(r_slot), .count_o(r_count), .low_row_o(low_row), .local_i(col_local),
    .low_i(col_low), .col_o(res_col), .bank_o(res_bank), .row_o(res_row), .data_o(rsp_data)
  );

  lsu_misuse u_misuse (
    .misuse_i(mbar_misuse_i), .beat_i(smem_rsp_i.beat), .warp_i(r_warp), .pc_i(r_pc),
    .trap_o(trap_mbarrier_o)
  );

  // ---- Write-back
  logic [LsuDepth-1:0] enter, leave, resend, held;
  logic                present, taken;
  offer_t              offer;
  logic [RowBits-1:0]  offer_row;
  logic [SmemBits-1:0] offer_dest [Cols];
  logic                wb_read;
  slot_t               wb_look;
  mem_type_e           wb_type;
  logic [1:0]          wb_word;
  logic [Cols-1:0]     judged_act, judged_local;
  logic [ResBits-1:0]  read_row [Cols];
  logic [31:0]         col_wb [Cols], col_matrix [Cols];
  logic [31:0]         col_bank [Cols][LsuWords];
  matrix_e             wb_matrix;
  logic [4:0]          wb_lane;
  lsu_writeback u_writeback (
    .clk_i, .rst_ni, .en_i(wb_en), .take_i(take), .exec_i(issue_i.exec),
    .enter_i(enter), .in_wb_i(in_wb), .held_i(held),
    .alloc_i(alloc), .info_i(wb_info), .fill_i(judge_first),
    .fill_row_i(judged_row), .fill_act_i(judged_act),
    .fill_local_i(judged_local), .fill_end_i(judge_last), .grant_i(vwb_grant_i),
    .taken_i(taken), .free_o(leave), .resend_o(resend), .vwb_o, .offer_o(offer), .present_o(present),
    .row_o(offer_row), .look_o(wb_look), .type_o(wb_type), .sub_o(vwb_sub_o), .word_o(wb_word),
    .matrix_o(wb_matrix), .lane_o(wb_lane), .read_o(wb_read), .read_row_o(read_row)
  );
  always_comb begin
    for (int i = 0; i < int'(Cols); i++) begin
      judged_act[i] = judged_class[i] != ClassNone || judged.matrix;
      judged_local[i] = judged_class[i] == ClassL;
    end
    vwb_data_o = '{default: 'x};
    if (vwb_o.valid) begin
      for (int i = 0; i < int'(Lanes); i++)
        vwb_data_o[i] = (wb_matrix != MatrixNone) ? col_matrix[i % int'(LsuLanes)]
                                                  : col_wb[i % int'(LsuLanes)];
    end
  end
  lsu_ports u_ports (
    .clk_i, .rst_ni, .cta_base_i(cta_base), .warp_cta_i, .valid_i(p_smem_valid),
    .ready_o(p_smem_ready), .req_i(p_smem), .addr_i(p_smem_addr), .wdata_i(p_smem_wdata),
    .offer_i(offer), .dest_i(offer_dest), .data_i(col_wb), .taken_o(taken),
    .valid_o(smem_req_valid_o), .ready_i(smem_req_ready_i), .req_o(smem_req_o),
    .addr_o(smem_addr_o), .wdata_o(smem_wdata_o)
  );
  lsu_ldmatrix u_ldmatrix (
    .en_i(vwb_o.valid && wb_matrix != MatrixNone), .matrix_i(wb_matrix), .word_i(wb_word),
    .lane_i(wb_lane), .bank_i(col_bank), .word_o(col_matrix)
  );

  // ---- Lane storage
  // Forms with a third step and a fourth are those of words 4 to 7.
  logic fill_second;
  if (Atom128 != 0) begin : gen_more
    assign fill_second = x1_i.step[1:0] == 2'd1;
    lsu_more u_more (
      .clk_i, .rst_ni, .fill_i(fill && x1_i.info.c_words == 3'd4), .fill_step_i(x1_i.step[1:0]),
      .fill_wide_i(x1_i.info.a_words == 3'd2), .fill_row_i(fill_row), .fill_a_i(fill_a),
      .fill_b_i(fill_b), .fill_c_i(fill_c), .row_i(p_row), .lead_i(more_lead),
      .lead_col_i(more_col), .lead_o(more), .take_i(more_take), .smem_more_o
    );
  end else begin : gen_no_more
    assign fill_second = !fill_first;
    assign more = '{default: '0};
    assign smem_more_o = '{default: '0};
    logic unused_more;
    assign unused_more = ^{more_lead, more_col, more_take};
  end
  same_t col_same;
  assign col_same = !KeptSame ? '0 : '{sector: judged_ea[0][31:5] == judged_ea[Cols-1][31:5],
                                       place: judged_ea[0][4:2] == judged_ea[Cols-1][4:2],
                                       low: judged_ea[0][1:0] == judged_ea[Cols-1][1:0]};
  for (genvar c = 0; c < int'(Cols); c++) begin : gen_lane
    logic [31:0] smem_data [LsuWords];
    for (genvar k = 0; k < int'(LsuWords); k++) begin : gen_word
      assign smem_data[k] = smem_rdata_i[k][c];   // word k also where its bank is (11)
    end
    lsu_lane u_lane (
      .clk_i,
      .fill_i(fill), .fill_act_i(fill_act[c]),
      .fill_address_i(fill_address[c]), .fill_row_i(fill_row),
      .fill_first_i(fill_first), .fill_second_i(fill_second),
      .fill_wide_i(x1_i.info.a_words == 3'd2),
      .fill_a_i(fill_a[c]), .fill_b_i(fill_b[c]), .fill_c_i(fill_c[c]),
      .fill_imm_i(x1_i.word.imm), .fill_space_i(x1_i.info.space),
      .class_o(col_class[c]), .ea_hi_o(col_ea_hi[c]), .ea_o(col_ea[c]),
      .keep_i(judge_first), .keep_row_i(judged_row),
      .keep_place_i(3'(c) | judged.lane0[2:0]), .keep_class_i(judged_class[c]),
      .keep_ea_i(judged_ea[c][31:0]), .keep_same_i(col_same),
      .keep_dest_i(judge_first && (judged.copy || judged.arrive)),
      .keep_dest_at_i(judged.copy ? judged_dest[c][SmemBits-1:0] : judged_ea[c][SmemBits-1:0]),
      .dest_i(offer.valid), .dest_row_i(offer_row), .dest_o(offer_dest[c]),
      .proc_i(p_col[c]), .proc_data_i(p_col_data[c]), .proc_row_i(p_row),
      .proc_late_i(p_late), .proc_next_row_i(p_next_row),
      .proc_data_row_i(p_data_row), .proc_late_row_i(p_late_row),
      .proc_class_o(col_pclass[c]), .proc_ea_o(col_pea[c]), .proc_same_o(col_psame[c]),
      .proc_data_o(col_pdata[c]),
      .rsp_i(rsp || (LateExtend && smem_rsp_valid_i)), .rsp_row_i(low_row),
      .rsp_local_o(col_local[c]), .rsp_low_o(col_low[c]),
      .res_we_i(res_bank & {LsuWords{res_col[c]}}), .res_row_i(res_row),
      .res_smem_i(smem_rsp_valid_i), .res_smem_data_i(smem_data),
      .res_data_i(rsp_data[c % GroupLanes]),
      .wb_read_i(wb_read), .wb_row_i(read_row[c]), .wb_i(present), .wb_word_i(wb_word),
      .wb_type_i(wb_type), .wb_data_o(col_wb[c]), .wb_bank_o(col_bank[c])
    );
  end

  // ---- Slots
  logic [LsuDepth-1:0] busy, freed, ended, of_deferred;
  assign lsu_free_o = freed & ~of_deferred;
  lsu_slots u_slots (
    .clk_i, .rst_ni, .take_i(take), .info_i(info), .silent_i(silent), .ready_o(lsu_ready_o),
    .alloc_o(alloc), .judge_i(judge), .judge_first_i(judge_first), .judge_last_i(judge_last),
    .judge_slot_i(judged.slot), .any_g_i(any_g), .any_l_i(any_l), .any_s_i(any_s),
    .fault_i(fault), .fault_lane_i(fault_lane), .unfound_o(unfound),
    .slot_i(p_slot), .slot_ready_o(p_ready), .slot_info_o(p_info), .slot_fill_o(p_fill),
    .slot_fault_i(p_fault), .slot_start_i(p_start), .slot_done_i(p_done), .slot_count_i(p_count),
    .out_valid_i(out_valid), .out_slot_i(out_slot), .answer_i(r_count), .answer_slot_i(r_slot),
    .answer_warp_o(r_warp), .answer_pc_o(r_pc),
    .en_o(wb_en), .enter_o(enter), .wb_o(in_wb), .leave_i(leave), .resend_i(resend),
    .offer_i(taken), .offer_slot_i(offer.slot), .free_o(freed), .end_o(ended), .busy_o(busy),
    .warp_o(lsu_free_warp_o), .look_i(wb_look), .look_info_o(wb_info),
    .response_i(rsp_slot), .response_type_o(rsp_type), .rest_o(rest_slots)
  );
  lsu_deferred u_deferred (
    .clk_i, .rst_ni, .take_i(take), .alloc_i(alloc), .info_i(info), .busy_i(busy),
    .warp_i(lsu_free_warp_o), .free_i(freed), .end_i(ended), .deferred_o(of_deferred),
    .held_o(held), .commit_i, .ask_i(copy_ask_i), .left_o(copies_left_o),
    .busy_warps_o(deferred_o), .freed_warps_o(copied_o)
  );
  lsu_fault u_fault (
    .clk_i, .unfound_i(unfound), .pick_i(fault_pick), .dest_i(fault_dest), .last_ea_i(last_ea),
    .last_dest_i(last_dest),
    .fill_first_i(fill_first), .fill_last_i(fill && x1_i.last), .fill_slot_i(x1_i.slot),
    .judge_first_i(judge_first), .judge_last_i(judge_last), .judge_slot_i(judged.slot),
    .slot_i(p_slot), .addr_o(p_fault_addr)
  );

  logic unused;  // a trap end leaves nothing in flight here, so clear_i has nothing to do
  assign unused = ^{clear_i, judged, issue_i, x1_i, rsp_i.tag, lb_i[0]};

  assign rest_o = rest_slots && rest_processor && !present;

  `WL_ASSERT_HELD(PacketWaits, req_valid_o, req_grant_i,
                  {req_o.op, req_o.sector, req_o.tag, req_o.mask})
  `WL_ASSERT_HELD(SharedWaits, p_smem_valid, p_smem_ready,
                  {p_smem.slot, p_smem.beat, p_smem.mask})
endmodule
