// Load/store unit (docs/microarchitecture.md 10): a ring of slots that fill from X1, one processor
// that turns a slot into packets and shared-memory requests in ring order, and write-back of
// results. Here: the slots' state, and the wires between the parts. No forwarding between slots:
// order on one address comes from the order point and from shared memory.
module lsu
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import lsu_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  logic [31:0]         lb_i [LaunchBlockWords],
  input  logic [CtaBits-1:0]  warp_cta_i [Warps],
  input  issue_t              issue_i,
  input  x1_t                 x1_i,
  input  logic [31:0]         x1_a_i [Lanes],
  input  logic [31:0]         x1_b_i [Lanes],
  input  logic [31:0]         x1_c_i [Lanes],
  output logic                lsu_ready_o,
  output logic [SlotBits-1:0] lsu_slot_o,
  output vwb_t                vwb_o,
  output logic [31:0]         vwb_data_o [Lanes],
  input  logic                vwb_grant_i,
  output logic [LsuDepth-1:0] lsu_free_o,
  output warp_t               lsu_free_warp_o [LsuDepth],
  output trap_t               trap_o,
  output logic                req_valid_o,
  output packet_t             req_o,
  input  logic                req_grant_i,
  input  logic                rsp_valid_i,
  input  response_t           rsp_i,
  output logic                smem_req_valid_o,
  input  logic                smem_req_ready_i,
  output smem_req_t           smem_req_o,
  output logic [31:0]         smem_addr_o [Lanes],
  output logic [31:0]         smem_wdata_o [4][Lanes],
  input  logic                smem_rsp_valid_i,
  input  smem_rsp_t           smem_rsp_i,
  input  logic [31:0]         smem_rdata_i [4][Lanes]
);

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  // ---- Slots. FILL and PROC are neither of ready, sent and wb; a free slot is not busy.
  logic [LsuDepth-1:0] busy_q, ready_q, sent_q, wb_q;
  logic [LsuDepth-1:0] silent_q;             // store or RED: writes nothing back
  slot_info_t          info_q  [LsuDepth];
  logic [Beats-1:0]    beats_q [LsuDepth];   // active ones
  logic [3:0]          any_g_q [LsuDepth];   // groups with global lanes
  logic [3:0]          any_l_q [LsuDepth];
  logic [Beats-1:0]    any_s_q [LsuDepth];   // beats with shared lanes
  fault_e              fault_q [LsuDepth];
  logic [4:0]          fault_lane_q [LsuDepth];
  logic [31:0]         fault_hi_q [LsuDepth];
  logic [7:0]          outst_q [LsuDepth];
  slot_t               alloc_q;
  logic                take;
  assign take = issue_i.valid && !issue_i.empty && issue_i.insn.info.unit == UnitLsu;
  assign lsu_ready_o = !busy_q[alloc_q];
  assign lsu_slot_o = alloc_q;

  // ---- X1
  logic            fill, fill_first, fill_clear;
  logic [Cols-1:0] fill_col, fill_act;
  logic [3:0]      fill_low;
  logic            g_zero, g_none, s_none, l_none;
  logic [31:0]     g_below_n, g_top_n, s_top_n, l_top_n;
  class_e          col_class [Cols];
  fault_e          col_fault [Cols];
  logic [31:0]     col_ea_hi [Cols];
  logic [3:0]      any_g, any_l;
  logic            any_s;
  fault_e          fault;
  logic [4:0]      fault_lane;
  logic [31:0]     fault_hi;
  logic [RowBits-1:0] fill_row;
  assign fill_row = row_of(x1_i.slot, 5'(32'(x1_i.beat) * Lanes));
  lsu_fill u_fill (
    .lb_i, .x1_i, .fill_o(fill), .first_o(fill_first), .col_o(fill_col), .act_o(fill_act),
    .low_o(fill_low), .g_zero_o(g_zero), .g_below_n_o(g_below_n), .g_none_o(g_none),
    .g_top_n_o(g_top_n), .s_none_o(s_none), .s_top_n_o(s_top_n),
    .l_none_o(l_none), .l_top_n_o(l_top_n), .class_i(col_class), .fault_i(col_fault),
    .ea_hi_i(col_ea_hi), .any_g_o(any_g), .any_l_o(any_l), .any_s_o(any_s), .fault_o(fault),
    .fault_lane_o(fault_lane), .fault_hi_o(fault_hi)
  );
  // Where a row takes several beats, the first active one also clears the others' lanes.
  if (Lanes < Cols) begin : gen_clear
    localparam int unsigned Per = Cols / Lanes;
    logic [Beats-1:0] below;
    always_comb begin
      below = beats_q[x1_i.slot] & ((Beats'(1) << x1_i.beat) - Beats'(1));
      fill_clear = fill && (below >> (x1_i.beat & ~BeatBits'(Per - 1))) == '0;
    end
  end else begin : gen_no_clear
    assign fill_clear = 1'b0;
  end

  // ---- Processor
  slot_t           p_slot, out_slot;
  logic            p_fault, p_start, p_done, p_count, out_valid;
  logic [Cols-1:0] p_col, p_col_data;
  logic [RowBits-1:0] p_row;
  class_e          col_pclass [Cols];
  logic [31:0]     col_pea [Cols];
  logic [31:0]     col_pdata [Cols][4];
  lsu_processor u_processor (
    .clk_i, .rst_ni, .lb_i, .warp_cta_i,
    .slot_o(p_slot), .ready_i(ready_q[p_slot]), .info_i(info_q[p_slot]),
    .any_g_i(any_g_q[p_slot]), .any_l_i(any_l_q[p_slot]), .any_s_i(any_s_q[p_slot]),
    .fault_i(fault_q[p_slot]), .fault_lane_i(fault_lane_q[p_slot]),
    .fault_hi_i(fault_hi_q[p_slot]),
    .fault_o(p_fault), .start_o(p_start), .done_o(p_done), .count_o(p_count), .trap_o,
    .col_o(p_col), .col_data_o(p_col_data), .row_o(p_row), .class_i(col_pclass),
    .ea_i(col_pea), .data_i(col_pdata),
    .req_valid_o(out_valid), .req_o, .req_slot_o(out_slot), .req_grant_i,
    .smem_valid_o(smem_req_valid_o), .smem_ready_i(smem_req_ready_i), .smem_o(smem_req_o),
    .smem_addr_o, .smem_wdata_o
  );
  assign req_valid_o = out_valid;

  // ---- Results
  logic                rsp, r_count;
  slot_t               r_slot;
  logic [RowBits-1:0]  low_row;
  logic                col_local [Cols];
  logic [4:0]          col_low [Cols];
  logic [Cols-1:0]     res_col;
  logic [LsuWords-1:0] res_bank;
  logic [ResBits-1:0]  res_row;
  logic [31:0]         rsp_data [8][LsuWords];
  lsu_response u_response (
    .rsp_valid_i, .rsp_i, .smem_valid_i(smem_rsp_valid_i), .smem_i(smem_rsp_i), .info_i(info_q),
    .rsp_o(rsp), .slot_o(r_slot), .count_o(r_count), .low_row_o(low_row), .local_i(col_local),
    .low_i(col_low), .col_o(res_col), .bank_o(res_bank), .row_o(res_row), .data_o(rsp_data)
  );

  // ---- Write-back
  logic [LsuDepth-1:0] drained, enter, leave;
  logic                wb_read;
  slot_t               wb_slot, read_slot;
  logic [1:0]          wb_word, read_word;
  logic [4:0]          wb_lane0, read_lane0;
  logic [ResBits-1:0]  read_row;
  logic [31:0]         col_wb [Cols];
  lsu_writeback u_writeback (
    .clk_i, .rst_ni, .en_i((sent_q | wb_q) != '0), .enter_i(enter), .in_wb_i(wb_q),
    .alloc_i(alloc_q), .info_i(info_q), .beats_i(beats_q), .grant_i(vwb_grant_i),
    .free_o(leave), .vwb_o, .slot_o(wb_slot), .word_o(wb_word), .lane0_o(wb_lane0),
    .read_o(wb_read), .read_slot_o(read_slot), .read_lane0_o(read_lane0), .read_word_o(read_word)
  );
  assign read_row = ResBits'(32'(row_of(read_slot, read_lane0)) * WordRows
                             + 32'(read_word) / LsuWords);
  always_comb begin
    for (int i = 0; i < int'(Lanes); i++) vwb_data_o[i] = '0;
    if (vwb_o.valid || Always) begin
      for (int i = 0; i < int'(Lanes); i++) begin
        vwb_data_o[i] = col_wb[ColBits'(wb_lane0 & ~5'(Lanes - 1)) | ColBits'(i)];
      end
    end
  end

  // ---- Lane storage
  for (genvar c = 0; c < int'(Cols); c++) begin : gen_lane
    localparam int unsigned L = c % Lanes;
    logic [31:0] smem_data [LsuWords];
    for (genvar k = 0; k < int'(LsuWords); k++) begin : gen_word
      assign smem_data[k] = smem_rdata_i[k][L];   // word k also where its bank is (11)
    end
    lsu_lane #(.Place(c % 8)) u_lane (
      .clk_i,
      .fill_i(fill_col[c]), .fill_act_i(fill_act[c]), .fill_clear_i(fill_clear),
      .fill_row_i(fill_row), .fill_first_i(fill_first),
      .fill_wide_i(x1_i.info.a_words == 3'd2),
      .fill_a_i(x1_a_i[L]), .fill_b_i(x1_b_i[L]), .fill_c_i(x1_c_i[L]),
      .fill_imm_i(x1_i.word.imm), .fill_space_i(x1_i.info.space),
      .fill_atom_i(x1_i.info.kind == MemKindAtom), .fill_low_i(fill_low),
      .g_hi_i(lb_i[LaunchMemBase + 1]), .g_zero_i(g_zero),
      .g_below_n_i(g_below_n), .g_none_i(g_none), .g_top_n_i(g_top_n), .s_none_i(s_none),
      .s_top_n_i(s_top_n), .l_none_i(l_none), .l_top_n_i(l_top_n),
      .class_o(col_class[c]), .fault_o(col_fault[c]), .ea_hi_o(col_ea_hi[c]),
      .proc_i(p_col[c]), .proc_data_i(p_col_data[c]), .proc_row_i(p_row),
      .proc_class_o(col_pclass[c]), .proc_ea_o(col_pea[c]), .proc_data_o(col_pdata[c]),
      .rsp_i(rsp), .rsp_row_i(low_row), .rsp_local_o(col_local[c]), .rsp_low_o(col_low[c]),
      .res_we_i(res_bank & {LsuWords{res_col[c]}}), .res_row_i(res_row),
      .res_smem_i(smem_rsp_valid_i), .res_smem_data_i(smem_data), .res_data_i(rsp_data[c % 8]),
      .wb_read_i(wb_read), .wb_row_i(read_row), .wb_i(vwb_o.valid), .wb_word_i(wb_word),
      .wb_data_o(col_wb[c])
    );
  end

  // ---- Slot state
  always_comb begin
    drained = '0;   // SENT, nothing outstanding, no packet at the port
    if (sent_q != '0) begin
      for (int i = 0; i < int'(LsuDepth); i++) begin
        drained[i] = sent_q[i] && outst_q[i] == '0 && !(out_valid && out_slot == slot_t'(i));
      end
    end
    enter = drained & ~silent_q;
    lsu_free_o = drained & silent_q;
    if (p_fault) lsu_free_o[p_slot] = 1'b1;
    for (int i = 0; i < int'(LsuDepth); i++) lsu_free_warp_o[i] = info_q[i].warp;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alloc_q <= '0;
      busy_q <= '0;
      ready_q <= '0;
      sent_q <= '0;
      wb_q <= '0;
    end else begin
      if (take) begin
        alloc_q <= alloc_q + slot_t'(1);
        busy_q[alloc_q] <= 1'b1;
      end
      if (fill && x1_i.last) ready_q[x1_i.slot] <= 1'b1;
      if (p_fault || p_start) ready_q[p_slot] <= 1'b0;
      sent_q <= sent_q & ~drained;
      if (p_done) sent_q[p_slot] <= 1'b1;
      wb_q <= (wb_q & ~leave) | enter;
      for (int i = 0; i < int'(LsuDepth); i++) if (leave[i] || lsu_free_o[i]) busy_q[i] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      info_q[alloc_q] <= '{warp: issue_i.warp, pc: issue_i.insn.pc, kind: issue_i.insn.info.kind,
                           mtype: issue_i.insn.info.mtype, atom: issue_i.insn.info.atom,
                           rd: issue_i.insn.word.rd, exec: issue_i.exec};
      silent_q[alloc_q] <= issue_i.insn.info.kind == MemKindSt ||
                           (issue_i.insn.info.kind == MemKindAtom
                            && issue_i.insn.word.rd == 8'd255);
      for (int b = 0; b < int'(Beats); b++) begin
        beats_q[alloc_q][b] <= issue_i.exec[b*int'(Lanes) +: int'(Lanes)] != '0;
      end
      any_g_q[alloc_q] <= '0;
      any_l_q[alloc_q] <= '0;
      any_s_q[alloc_q] <= '0;
      fault_q[alloc_q] <= FaultNone;
    end
    if (fill && fill_first) begin
      for (int i = 0; i < int'(LsuDepth); i++) begin
        if (x1_i.slot == slot_t'(i)) begin
          any_g_q[i] <= any_g_q[i] | any_g;
          any_l_q[i] <= any_l_q[i] | any_l;
          any_s_q[i] <= any_s_q[i] | (Beats'(any_s) << x1_i.beat);
          // Beats come in ascending order: the first fault is the lowest lane's.
          if (fault_q[i] == FaultNone) begin
            fault_q[i] <= fault;
            fault_lane_q[i] <= fault_lane;
          end
        end
      end
      if (fault_q[x1_i.slot] == FaultNone) fault_hi_q[x1_i.slot] <= fault_hi;
    end
    for (int i = 0; i < int'(LsuDepth); i++) begin
      if (p_start && p_slot == slot_t'(i)) begin
        outst_q[i] <= '0;
      end else if ((p_count && p_slot == slot_t'(i)) != (r_count && r_slot == slot_t'(i))) begin
        outst_q[i] <= outst_q[i] + {{7{r_count && r_slot == slot_t'(i)}}, 1'b1};
      end
    end
  end

  // A trap end leaves nothing in flight here, so clear_i has nothing to do.
  logic unused;
  assign unused = ^{clear_i, issue_i, x1_i, rsp_i.tag, lb_i[0], wb_slot, wb_lane0};
endmodule
