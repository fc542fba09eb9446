// Load/store unit (docs/microarchitecture.md 10): a ring of slots that fill from X1, one processor
// that turns a slot into packets and shared-memory requests in ring order, and write-back of
// results. Lane storage is in lsu_lane, the packet of a step in coalescer. No forwarding between
// slots: order on one address comes from the order point and from shared memory.
module lsu
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
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

  localparam int unsigned Cols = (Lanes > 8) ? Lanes : 8;   // columns of lane storage
  localparam int unsigned Groups = Cols / 8;
  localparam int unsigned Rows = LsuDepth * 32 / Cols;
  localparam int unsigned RowBits = $clog2(Rows);
  localparam int unsigned ColBits = $clog2(Cols);
  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam logic [2:0] OpLd = 3'd0;
  localparam logic [2:0] OpSt = 3'd1;
  localparam logic [2:0] OpAtom = 3'd2;
  localparam logic [2:0] OpRed = 3'd3;
  localparam logic [1:0] UnitIdLsu = 2'd3;

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  typedef logic [SlotBits-1:0] slot_t;
  typedef enum logic [2:0] {SlFree, SlFill, SlReady, SlProc, SlSent, SlWb} slot_state_e;
  typedef enum logic [1:0] {PhGlobal, PhLocal, PhShared} phase_e;

  // Row of a lane's storage: slot and the part of the lane number above the columns.
  function automatic logic [RowBits-1:0] row_of(input slot_t slot, input logic [4:0] lane);
    return RowBits'({slot, lane} >> ColBits);
  endfunction
  function automatic logic [2:0] size_of(input mem_type_e t);
    unique case (t)
      MemTypeU8, MemTypeS8, MemTypeB8:       return 3'd0;
      MemTypeU16, MemTypeS16, MemTypeB16:    return 3'd1;
      MemTypeB64, MemTypeU64, MemTypeS64:    return 3'd3;
      MemTypeB128:                           return 3'd4;
      default:                               return 3'd2;
    endcase
  endfunction
  function automatic logic [1:0] last_word_of(input logic [2:0] size);
    return (size == 3'd4) ? 2'd3 : (size == 3'd3) ? 2'd1 : 2'd0;
  endfunction
  function automatic logic [31:0] extend(input mem_type_e t, input logic [31:0] w,
                                         input logic [1:0] at);
    logic [15:0] v;
    v = 16'(w >> {at, 3'b0});
    unique case (t)
      MemTypeU8:  return {24'h0, v[7:0]};
      MemTypeS8:  return {{24{v[7]}}, v[7:0]};
      MemTypeU16: return {16'h0, v};
      MemTypeS16: return {{16{v[15]}}, v};
      default:    return w;
    endcase
  endfunction

  // ---- Slots
  slot_state_e state_q [LsuDepth];
  warp_t       warp_q  [LsuDepth];
  pc_t         pc_q    [LsuDepth];
  mem_kind_e   kind_q  [LsuDepth];
  mem_type_e   type_q  [LsuDepth];
  atom_op_e    atom_q  [LsuDepth];
  logic [7:0]  rd_q    [LsuDepth];
  logic [31:0] exec_q  [LsuDepth];
  logic [31:0] g_q     [LsuDepth];   // lanes by class
  logic [31:0] s_q     [LsuDepth];
  logic [31:0] l_q     [LsuDepth];
  logic [3:0]  cause_q [LsuDepth];   // 0: no fault
  logic [4:0]  flane_q [LsuDepth];
  logic [63:0] faddr_q [LsuDepth];
  logic [7:0]  outst_q [LsuDepth];
  logic [31:0] wbleft_q [LsuDepth];  // lanes of the beats not written back yet
  logic [1:0]  wbword_q [LsuDepth];
  slot_t       alloc_q, proc_q;

  assign lsu_ready_o = state_q[alloc_q] == SlFree;
  assign lsu_slot_o = alloc_q;

  logic take;
  assign take = issue_i.valid && !issue_i.empty && issue_i.insn.info.unit == UnitLsu;

  // ---- X1 of a beat
  logic             fill, fill_first;
  logic [4:0]       fill_lane0;
  logic [4:0]       fill_bytes;
  logic [3:0]       fill_low;
  logic [64:0]      g_top;      // highest legal address by class, with a borrow bit
  logic [32:0]      s_top, l_top;
  logic [Cols-1:0]  fill_col;
  logic [Cols-1:0]  col_g, col_s, col_l;
  logic [3:0]       col_cause [Cols];
  logic [63:0]      col_ea [Cols];
  logic [31:0]      fill_g, fill_s, fill_l;
  logic [3:0]       fill_cause;
  logic [4:0]       fill_flane;
  logic [63:0]      fill_faddr;
  assign fill = x1_i.valid && x1_i.info.unit == UnitLsu;
  assign fill_first = x1_i.step == '0;
  assign fill_lane0 = 5'(32'(x1_i.beat) * Lanes);
  assign fill_bytes = 5'd1 << size_of(x1_i.info.mtype);
  assign fill_low = 4'(fill_bytes - 5'd1);
  assign g_top = {1'b0, lb_i[LaunchMemLimit + 1], lb_i[LaunchMemLimit]} - 65'(fill_bytes);
  assign s_top = {1'b0, lb_i[LaunchSmemBytes]} - 33'(fill_bytes);
  assign l_top = {1'b0, lb_i[LaunchLocalBytes]} - 33'(fill_bytes);
  always_comb begin
    fill_col = '0;
    if (fill) fill_col = Cols'(32'(x1_i.mask) << fill_lane0[ColBits-1:0]);
    fill_g = '0;
    fill_s = '0;
    fill_l = '0;
    fill_cause = '0;
    fill_flane = '0;
    fill_faddr = '0;
    if (fill && fill_first) begin
      // The columns of the beat moved to the place of its lanes in the warp.
      fill_g = 32'(col_g) << (fill_lane0 & ~5'(Cols - 1));
      fill_s = 32'(col_s) << (fill_lane0 & ~5'(Cols - 1));
      fill_l = 32'(col_l) << (fill_lane0 & ~5'(Cols - 1));
      for (int i = int'(Cols) - 1; i >= 0; i--) begin
        if (col_cause[i] != '0) begin
          fill_cause = col_cause[i];
          fill_flane = (fill_lane0 & ~5'(Cols - 1)) | 5'(i);
          fill_faddr = col_ea[i];
        end
      end
    end
  end

  // ---- Processor
  logic        run_q;
  phase_e      phase_q;
  logic [31:0] pend_q;
  logic [1:0]  part_q;
  logic        out_valid_q;
  packet_t     out_q;

  warp_t       p_warp;
  mem_kind_e   p_kind;
  mem_type_e   p_type;
  atom_op_e    p_atom;
  logic [2:0]  p_size;
  logic [31:0] p_g, p_s, p_l;
  logic        p_red, p_fault, p_start;
  assign p_warp = warp_q[proc_q];
  assign p_kind = kind_q[proc_q];
  assign p_type = type_q[proc_q];
  assign p_atom = atom_q[proc_q];
  assign p_size = size_of(p_type);
  assign p_g = g_q[proc_q];
  assign p_s = s_q[proc_q];
  assign p_l = l_q[proc_q];
  assign p_red = p_kind == MemKindAtom && rd_q[proc_q] == 8'd255;
  assign p_fault = !run_q && state_q[proc_q] == SlReady && cause_q[proc_q] != '0;
  assign p_start = !run_q && state_q[proc_q] == SlReady && cause_q[proc_q] == '0;

  always_comb begin
    trap_o = '0;
    if (p_fault) begin
      trap_o.valid = 1'b1;
      trap_o.cause = cause_q[proc_q];
      trap_o.warp = p_warp;
      trap_o.lane = flane_q[proc_q];
      trap_o.pc = pc_q[proc_q];
      trap_o.addr = faddr_q[proc_q];
    end
  end

  logic              in_packets;   // a phase of the coalescer
  logic              co_step, sm_step, step;
  logic [4:0]        p_lane;       // lowest pending lane
  logic [1:0]        grp;
  logic [7:0]        co_pending, co_served;
  logic [63:0]       co_ea [8];
  logic [31:0]       co_data [8][4];
  logic [63:0]       co_lead;
  logic [31:0]       co_mask;
  logic [255:0]      co_word;
  logic [Cols-1:0]   proc_col;
  logic [RowBits-1:0] proc_row;
  logic [63:0]       col_pea [Cols];
  logic [31:0]       col_pdata [Cols][4];

  assign in_packets = run_q && phase_q != PhShared;
  assign co_step = in_packets && (!out_valid_q || req_grant_i);
  assign smem_req_valid_o = run_q && phase_q == PhShared;
  assign sm_step = smem_req_valid_o && smem_req_ready_i;
  assign step = co_step || sm_step;
  assign proc_row = row_of(proc_q, p_lane);

  always_comb begin
    p_lane = '0;
    for (int i = 31; i >= 0; i--) if (pend_q[i]) p_lane = 5'(i);
    grp = p_lane[4:3];
    co_pending = pend_q[8*grp +: 8];
    // Columns whose storage is read: a group of 8 or a beat.
    proc_col = '0;
    if (in_packets) begin
      proc_col = Cols'(32'hff) << (8 * (32'(grp) % Groups));
    end else if (run_q) begin
      proc_col = Cols'((32'hffffffff >> (32 - Lanes)) << (p_lane & ~5'(Lanes - 1) & 5'(Cols - 1)));
    end
  end
  always_comb begin
    for (int i = 0; i < 8; i++) begin
      co_ea[i] = '0;
      for (int k = 0; k < 4; k++) co_data[i][k] = '0;
    end
    if (co_step || Always) begin
      for (int i = 0; i < 8; i++) begin
        co_ea[i] = col_pea[8 * (32'(grp) % Groups) + i];
        for (int k = 0; k < 4; k++) co_data[i][k] = col_pdata[8 * (32'(grp) % Groups) + i][k];
      end
    end
  end

  coalescer u_coalescer (
    .clk_i, .en_i(co_step), .out_i(out_valid_q), .local_i(phase_q == PhLocal), .is_load_i(p_kind == MemKindLd),
    .is_atom_i(p_kind == MemKindAtom), .is_cas_i(p_atom == AtomCas), .size_i(p_size),
    .part_i(part_q), .pending_i(co_pending), .ea_i(co_ea), .data_i(co_data),
    .served_o(co_served), .lead_ea_o(co_lead), .mask_o(co_mask), .data_o(co_word)
  );

  packet_t out_d;
  always_comb begin
    out_d = '0;
    if (co_step || Always) begin
      unique case (p_kind)
        MemKindSt:   out_d.op = OpSt;
        MemKindAtom: out_d.op = p_red ? OpRed : OpAtom;
        default:     out_d.op = OpLd;
      endcase
      if (p_kind == MemKindAtom) begin
        out_d.atom = 4'(p_atom);
        out_d.atype = 4'(p_type);
      end
      // Local memory is interleaved: 4-byte words of all lanes and warps side by side.
      out_d.sector = (phase_q == PhLocal)
        ? {lb_i[LaunchLocalBase + 1], lb_i[LaunchLocalBase][31:5]}
          + 59'({co_lead[31:2] + 30'(part_q), p_warp, grp})
        : co_lead[63:5];
      out_d.unit = UnitIdLsu;
      out_d.tag = 16'({proc_q, grp, part_q, co_served});
    end
  end

  // Shared memory request: one beat.
  logic [31:0] beat_mask;
  logic [31:0] smem_base;
  logic [ColBits-1:0] beat_col;    // column of the beat's first lane
  assign beat_col = ColBits'(p_lane & ~5'(Lanes - 1));
  assign beat_mask = (32'hffffffff >> (32 - Lanes)) << (p_lane & ~5'(Lanes - 1));
  always_comb begin
    smem_req_o = '0;
    smem_base = '0;
    for (int i = 0; i < int'(Lanes); i++) begin
      smem_addr_o[i] = '0;
      for (int k = 0; k < 4; k++) smem_wdata_o[k][i] = '0;
    end
    if (smem_req_valid_o || Always) begin
      smem_req_o.slot = proc_q;
      smem_req_o.kind = p_kind;
      smem_req_o.mtype = p_type;
      smem_req_o.atom = p_atom;
      smem_req_o.beat = BeatBits'(p_lane >> LaneBits);
      smem_req_o.mask = Lanes'(pend_q >> (p_lane & ~5'(Lanes - 1)));
      smem_base = (32'(warp_cta_i[p_warp]) * {22'h0, lb_i[LaunchSmemUnits][9:0]}) << 10;
      for (int i = 0; i < int'(Lanes); i++) begin
        smem_addr_o[i] = smem_base + {8'h0, col_pea[beat_col | ColBits'(i)][23:0]};
        for (int k = 0; k < 4; k++) smem_wdata_o[k][i] = col_pdata[beat_col | ColBits'(i)][k];
      end
    end
  end

  // What is pending after the step, and the phase after that.
  logic [31:0] pend_d;
  logic [1:0]  part_d;
  logic        phase_done, proc_done;
  phase_e      phase_d;
  always_comb begin
    pend_d = pend_q;
    part_d = part_q;
    if (co_step) begin
      pend_d = pend_q & ~(32'(co_served) << {grp, 3'b0});
      if (pend_d[8*grp +: 8] == '0) begin
        part_d = '0;
        if (phase_q == PhLocal && part_q != last_word_of(p_size)) begin
          part_d = part_q + 2'd1;
          pend_d[8*grp +: 8] = p_l[8*grp +: 8];
        end
      end
    end else if (sm_step) begin
      pend_d = pend_q & ~beat_mask;
    end
    phase_done = step && pend_d == '0;
    phase_d = phase_q;
    proc_done = 1'b0;
    if (phase_done) begin
      if (phase_q == PhGlobal && p_l != '0) begin
        phase_d = PhLocal;
        pend_d = p_l;
      end else if (phase_q != PhShared && p_s != '0) begin
        phase_d = PhShared;
        pend_d = p_s;
      end else begin
        proc_done = 1'b1;
      end
    end
  end

  assign req_valid_o = out_valid_q;
  // Mask and data follow from the coalescer's registers.
  always_comb begin
    req_o = out_q;
    req_o.mask = co_mask;
    req_o.data = co_word;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q <= 1'b0;
      proc_q <= '0;
      out_valid_q <= 1'b0;
    end else begin
      if (p_start) run_q <= 1'b1;
      if (proc_done) run_q <= 1'b0;
      if (p_fault || proc_done) proc_q <= proc_q + slot_t'(1);
      if (co_step) out_valid_q <= 1'b1;
      else if (req_grant_i) out_valid_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (p_start) begin
      part_q <= '0;
      phase_q <= (p_g != '0) ? PhGlobal : (p_l != '0) ? PhLocal : PhShared;
      pend_q <= (p_g != '0) ? p_g : (p_l != '0) ? p_l : p_s;
    end else if (step) begin
      part_q <= part_d;
      phase_q <= phase_d;
      pend_q <= pend_d;
    end
    if (co_step) out_q <= out_d;
  end

  // ---- Responses of packets
  logic               rsp;
  slot_t              r_slot;
  logic [1:0]         r_grp, r_part;
  logic [7:0]         r_lanes;
  logic               r_local;
  logic [Cols-1:0]    rsp_col;
  logic [RowBits-1:0] rsp_row;
  logic [4:0]         col_low [Cols];
  logic [31:0]        rsp_data [8][4];
  logic [3:0]         rsp_words;
  assign rsp = rsp_valid_i && rsp_i.unit == UnitIdLsu && (rsp_i.op == OpLd || rsp_i.op == OpAtom);
  assign r_slot = slot_t'(rsp_i.tag[13:12]);
  assign r_grp = rsp_i.tag[11:10];
  assign r_part = rsp_i.tag[9:8];
  assign r_lanes = rsp_i.tag[7:0];
  assign rsp_row = row_of(r_slot, {r_grp, 3'b0});
  always_comb begin
    rsp_col = '0;
    r_local = 1'b0;
    rsp_words = '0;
    if (rsp) begin
      rsp_col = Cols'(r_lanes) << (8 * (32'(r_grp) % Groups));
      // All lanes of a packet have the class of the phase that sent it.
      r_local = (l_q[r_slot][8*r_grp +: 8] & r_lanes) != '0;
      rsp_words = r_local ? 4'b0001 << r_part : 4'b1111;
    end
  end
  always_comb begin
    logic [31:0] sector [8];
    logic [4:0]  at;
    at = '0;
    for (int i = 0; i < 8; i++) begin
      sector[i] = '0;
      for (int k = 0; k < 4; k++) rsp_data[i][k] = '0;
    end
    if (rsp || Always) begin
      for (int i = 0; i < 8; i++) sector[i] = rsp_i.data[32*i +: 32];
      for (int i = 0; i < 8; i++) begin
        at = col_low[8 * (32'(r_grp) % Groups) + i];
        if (r_local) at[4:2] = 3'(i);
        rsp_data[i][0] = extend(type_q[r_slot], sector[at[4:2]], at[1:0]);
        // Further words of an aligned access; a local part has one word, for whichever place.
        rsp_data[i][1] = r_local ? sector[i] : sector[{at[4:3], 1'b1}];
        rsp_data[i][2] = r_local ? sector[i] : sector[{at[4], 2'b10}];
        rsp_data[i][3] = r_local ? sector[i] : sector[{at[4], 2'b11}];
      end
    end
  end

  // ---- Responses of shared memory
  logic [4:0]         sm_lane0;
  logic [Cols-1:0]    smem_col;
  logic [RowBits-1:0] smem_row;
  assign sm_lane0 = 5'(32'(smem_rsp_i.beat) * Lanes);
  assign smem_row = row_of(smem_rsp_i.slot, sm_lane0);
  always_comb begin
    smem_col = '0;
    if (smem_rsp_valid_i && kind_q[smem_rsp_i.slot] != MemKindSt) begin
      smem_col = Cols'(32'(smem_rsp_i.mask) << sm_lane0[ColBits-1:0]);
    end
  end

  // ---- Write-back: of the slots in WB the oldest, which is the first from alloc on.
  logic               wb;
  slot_t              wb_slot;
  logic [31:0]        wb_left, wb_beat;
  logic [4:0]         wb_lane, wb_lane0;
  logic [1:0]         wb_word;
  logic [8:0]         wb_rd;
  logic [Lanes-1:0]   wb_smem;
  logic [RowBits-1:0] wb_row;
  logic               wb_last_beat, wb_last_word;
  logic [31:0]        col_wb [Cols];
  always_comb begin
    wb = 1'b0;
    wb_slot = '0;
    for (int i = int'(LsuDepth) - 1; i >= 0; i--) begin
      if (state_q[alloc_q + slot_t'(i)] == SlWb) begin
        wb = 1'b1;
        wb_slot = alloc_q + slot_t'(i);
      end
    end
    wb_left = wbleft_q[wb_slot];
    wb_word = wbword_q[wb_slot];
    wb_lane = '0;
    for (int i = 31; i >= 0; i--) if (wb_left[i]) wb_lane = 5'(i);
    wb_lane0 = wb_lane & ~5'(Lanes - 1);
    wb_beat = (32'hffffffff >> (32 - Lanes)) << wb_lane0;
    wb_last_beat = (wb_left & ~wb_beat) == '0;
    wb_last_word = wb_word == last_word_of(size_of(type_q[wb_slot]));
    wb_rd = {1'b0, rd_q[wb_slot]} + {7'b0, wb_word};
    wb_smem = Lanes'(s_q[wb_slot] >> wb_lane0);
    wb_row = row_of(wb_slot, wb_lane0);
    vwb_o = '0;
    if (wb) begin
      vwb_o.valid = 1'b1;
      vwb_o.warp = warp_q[wb_slot];
      vwb_o.has_reg = wb_rd < 9'd255;
      vwb_o.rd = wb_rd[7:0];
      vwb_o.beat = BeatBits'(wb_lane0 >> LaneBits);
      vwb_o.mask = Lanes'(wb_left >> wb_lane0);
      vwb_o.last_beat = wb_last_beat;
      vwb_o.last = wb_last_beat && wb_last_word;
    end
  end
  always_comb begin
    for (int i = 0; i < int'(Lanes); i++) vwb_data_o[i] = '0;
    if (wb || Always) begin
      for (int i = 0; i < int'(Lanes); i++) begin
        vwb_data_o[i] = col_wb[ColBits'(wb_lane0 | 5'(i))];
      end
    end
  end

  // ---- Lane storage
  for (genvar c = 0; c < Cols; c++) begin : gen_lane
    localparam int unsigned L = c % Lanes;
    logic [31:0] smem_data [4];
    for (genvar k = 0; k < 4; k++) begin : gen_word
      assign smem_data[k] = smem_rdata_i[k][L];
    end
    lsu_lane #(.Rows(Rows)) u_lane (
      .clk_i,
      .fill_i(fill_col[c]), .fill_row_i(row_of(x1_i.slot, fill_lane0)), .fill_first_i(fill_first),
      .fill_wide_i(x1_i.info.a_words == 3'd2),
      .fill_a_i(x1_a_i[L]), .fill_b_i(x1_b_i[L]), .fill_c_i(x1_c_i[L]),
      .fill_imm_i(x1_i.word.imm), .fill_space_i(x1_i.info.space),
      .fill_atom_i(x1_i.info.kind == MemKindAtom), .fill_low_i(fill_low),
      .mem_base_i({lb_i[LaunchMemBase + 1], lb_i[LaunchMemBase]}),
      .g_top_i(g_top), .s_top_i(s_top), .l_top_i(l_top),
      .is_g_o(col_g[c]), .is_s_o(col_s[c]), .is_l_o(col_l[c]), .cause_o(col_cause[c]),
      .ea_o(col_ea[c]),
      .proc_i(proc_col[c]), .proc_row_i(proc_row), .proc_ea_o(col_pea[c]),
      .proc_data_o(col_pdata[c]),
      .rsp_i(rsp), .rsp_row_i(rsp_row), .rsp_low_o(col_low[c]), .rsp_we_i(rsp_col[c]),
      .rsp_words_i(rsp_words), .rsp_data_i(rsp_data[c % 8]),
      .smem_we_i(smem_col[c]), .smem_row_i(smem_row), .smem_data_i(smem_data),
      .wb_i(wb), .wb_row_i(wb_row), .wb_smem_i(wb_smem[L]), .wb_word_i(wb_word),
      .wb_data_o(col_wb[c])
    );
  end

  // ---- Slot state
  logic [LsuDepth-1:0] drained;   // SENT, nothing outstanding, no packet at the port
  logic [LsuDepth-1:0] silent;    // store or RED: writes nothing back
  always_comb begin
    for (int i = 0; i < int'(LsuDepth); i++) begin
      drained[i] = state_q[i] == SlSent && outst_q[i] == '0 &&
                   !(out_valid_q && out_q.tag[13:12] == 2'(i));
      silent[i] = kind_q[i] == MemKindSt || (kind_q[i] == MemKindAtom && rd_q[i] == 8'd255);
      lsu_free_o[i] = (drained[i] && silent[i]) || (p_fault && proc_q == slot_t'(i));
      lsu_free_warp_o[i] = warp_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alloc_q <= '0;
      for (int i = 0; i < int'(LsuDepth); i++) state_q[i] <= SlFree;
    end else begin
      if (take) alloc_q <= alloc_q + slot_t'(1);
      for (int i = 0; i < int'(LsuDepth); i++) begin
        unique case (state_q[i])
          SlFree:  if (take && alloc_q == slot_t'(i)) state_q[i] <= SlFill;
          SlFill:  if (fill && x1_i.last && x1_i.slot == slot_t'(i)) state_q[i] <= SlReady;
          SlReady: begin
            if (p_fault && proc_q == slot_t'(i)) state_q[i] <= SlFree;
            if (p_start && proc_q == slot_t'(i)) state_q[i] <= SlProc;
          end
          SlProc:  if (proc_done && proc_q == slot_t'(i)) state_q[i] <= SlSent;
          SlSent:  if (drained[i]) state_q[i] <= silent[i] ? SlFree : SlWb;
          SlWb:    if (vwb_grant_i && vwb_o.last && wb_slot == slot_t'(i)) state_q[i] <= SlFree;
          default: state_q[i] <= SlFree;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      warp_q[alloc_q] <= issue_i.warp;
      pc_q[alloc_q] <= issue_i.insn.pc;
      kind_q[alloc_q] <= issue_i.insn.info.kind;
      type_q[alloc_q] <= issue_i.insn.info.mtype;
      atom_q[alloc_q] <= issue_i.insn.info.atom;
      rd_q[alloc_q] <= issue_i.insn.word.rd;
      exec_q[alloc_q] <= issue_i.exec;
      g_q[alloc_q] <= '0;
      s_q[alloc_q] <= '0;
      l_q[alloc_q] <= '0;
      cause_q[alloc_q] <= '0;
    end
    if (fill && fill_first) begin
      g_q[x1_i.slot] <= g_q[x1_i.slot] | fill_g;
      s_q[x1_i.slot] <= s_q[x1_i.slot] | fill_s;
      l_q[x1_i.slot] <= l_q[x1_i.slot] | fill_l;
      // Beats come in ascending order: the first fault is the lowest lane's.
      if (cause_q[x1_i.slot] == '0) begin
        cause_q[x1_i.slot] <= fill_cause;
        flane_q[x1_i.slot] <= fill_flane;
        faddr_q[x1_i.slot] <= fill_faddr;
      end
    end
    for (int i = 0; i < int'(LsuDepth); i++) begin
      if (p_start && proc_q == slot_t'(i)) begin
        outst_q[i] <= '0;
      end else begin
        outst_q[i] <= outst_q[i]
          + 8'(step && proc_q == slot_t'(i) &&
               (sm_step || p_kind == MemKindLd || (p_kind == MemKindAtom && !p_red)))
          - 8'(rsp && r_slot == slot_t'(i))
          - 8'(smem_rsp_valid_i && smem_rsp_i.slot == slot_t'(i));
      end
      if (drained[i]) begin
        wbleft_q[i] <= exec_q[i];
        wbword_q[i] <= '0;
      end else if (wb && vwb_grant_i && wb_slot == slot_t'(i)) begin
        wbword_q[i] <= wb_last_word ? '0 : wb_word + 2'd1;
        if (wb_last_word) wbleft_q[i] <= wb_left & ~wb_beat;
      end
    end
  end

  // A trap end leaves nothing in flight here, so clear_i has nothing to do.
  logic unused;
  assign unused = ^{clear_i, issue_i, x1_i, rsp_i.tag, lb_i[0], co_lead};
endmodule
