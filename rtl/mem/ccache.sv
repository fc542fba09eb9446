// Constant loads (docs/microarchitecture.md 12; PTX 9.7.9.8): one LDC at a time through a
// direct-mapped, read-only cache of 64-byte lines. Lanes with one address share a pass. Coherence
// with stores to the constant banks within a launch is deliberately absent; invalidate_i clears the
// cache between launches.
module ccache
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         invalidate_i,
  input  logic [31:0]  lb_i [LaunchBlockWords],
  input  issue_t       issue_i,
  input  x1_t          x1_i,
  input  logic [31:0]  x1_a_i [Lanes],
  output logic         ldc_ready_o,
  output vwb_t         vwb_o,
  output logic [31:0]  vwb_data_o [Lanes],
  input  logic         vwb_grant_i,
  output finish_t      finish_o,
  output trap_t        trap_o,
  output logic         req_valid_o,
  output packet_t      req_o,
  input  logic         req_grant_i,
  input  logic         rsp_valid_i,
  input  response_t    rsp_i
);

  localparam int unsigned Lines = CcacheBytes / 64;
  localparam int unsigned IdxBits = $clog2(Lines);
  localparam int unsigned TagBits = 64 - 6 - IdxBits;
  localparam int unsigned Rows = Lines * 2;    // sectors
  localparam logic [1:0] UnitIdLdc = 2'd2;
  localparam logic [4:0] LaneMask = 5'(Lanes - 1);
  localparam int unsigned LaneBits = $clog2(Lanes);

  typedef enum logic [2:0] {StIdle, StFill, StPass, StCheck, StMiss, StWb} state_e;

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  state_e      state_q;
  warp_t       warp_q;
  pc_t         pc_q;
  mem_type_e   type_q;
  logic [7:0]  rd_q;
  logic [2:0]  words_q;      // register words of the result
  logic [31:0] exec_q;
  logic [31:0] pending_q;
  logic [63:0] base_q;       // of the instruction's bank
  logic [31:0] size_q;
  logic        bank_ok_q;
  logic        fault_q;
  logic [3:0]  fault_cause_q;
  logic [4:0]  fault_lane_q;
  logic [31:0] fault_off_q;
  logic [31:0] off_q [32];   // offset of each lane in the bank

  // ---- Issue: the bank is fixed by the instruction.
  logic        take;
  assign take = issue_i.valid && !issue_i.empty && issue_i.insn.info.unit == UnitLdc;
  assign ldc_ready_o = state_q == StIdle;

  logic [63:0] base_d;
  logic [31:0] size_d;
  logic        bank_ok_d;
  always_comb begin
    bank_ok_d = 1'b1;
    unique case (issue_i.insn.word.imm[31:28])
      4'd0: begin
        base_d = {lb_i[LaunchC0Base + 1], lb_i[LaunchC0Base]};
        size_d = 32'd512 + lb_i[LaunchParamBytes];
      end
      4'd1: begin
        base_d = {lb_i[LaunchC1Base + 1], lb_i[LaunchC1Base]};
        size_d = lb_i[LaunchC1Bytes];
      end
      4'd2: begin
        base_d = {lb_i[LaunchC2Base + 1], lb_i[LaunchC2Base]};
        size_d = lb_i[LaunchC2Bytes];
      end
      default: begin
        base_d = '0;
        size_d = '0;
        bank_ok_d = 1'b0;
      end
    endcase
  end

  // ---- X1: offsets and faults of a beat.
  logic             x1_here;
  logic [4:0]       x1_lane0;   // first lane of the beat
  logic [31:0]      x1_off [Lanes];
  logic [Lanes-1:0] mis, rng;
  logic             x1_fault;
  logic [4:0]       x1_fault_lane;
  logic [3:0]       x1_fault_cause;
  logic [31:0]      x1_fault_off;
  logic [4:0]       bytes;
  assign x1_here = x1_i.valid && x1_i.info.unit == UnitLdc;
  assign x1_lane0 = 5'(32'(x1_i.beat) * Lanes);
  always_comb begin
    unique case (x1_i.info.mtype)
      MemTypeU8, MemTypeS8:   bytes = 5'd1;
      MemTypeU16, MemTypeS16: bytes = 5'd2;
      MemTypeB64:             bytes = 5'd8;
      MemTypeB128:            bytes = 5'd16;
      default:                bytes = 5'd4;
    endcase
    mis = '0;
    rng = '0;
    x1_fault = 1'b0;
    x1_fault_lane = '0;
    x1_fault_cause = '0;
    x1_fault_off = '0;
    for (int i = 0; i < int'(Lanes); i++) x1_off[i] = '0;
    if (x1_here || Always) begin
      for (int i = int'(Lanes) - 1; i >= 0; i--) begin
        x1_off[i] = x1_a_i[i] + {{4{x1_i.word.imm[27]}}, x1_i.word.imm[27:0]};
        mis[i] = ((base_q[3:0] + x1_off[i][3:0]) & 4'(bytes - 5'd1)) != '0;
        rng[i] = !bank_ok_q || {1'b0, x1_off[i]} + {28'b0, bytes} > {1'b0, size_q};
        if (x1_here && x1_i.mask[i] && (mis[i] || rng[i])) begin
          x1_fault = 1'b1;
          x1_fault_lane = x1_lane0 + 5'(i);
          x1_fault_cause = mis[i] ? 4'(TrapMisaligned) : 4'(TrapConstRange);
          x1_fault_off = x1_off[i];
        end
      end
    end
  end

  // ---- Pass: lowest pending lane and all pending lanes with its offset.
  logic [4:0]  leader;
  logic [31:0] lead_off;
  logic [31:0] served_d, served_q;
  logic [63:0] addr_d, addr_q;
  logic        pass;
  assign pass = state_q == StPass && !fault_q;
  always_comb begin
    leader = '0;
    for (int i = 31; i >= 0; i--) if (pending_q[i]) leader = 5'(i);
    lead_off = '0;
    served_d = '0;
    addr_d = '0;
    if (pass || Always) begin
      lead_off = off_q[leader];
      for (int i = 0; i < 32; i++) served_d[i] = pending_q[i] && off_q[i] == lead_off;
      addr_d = base_q + {32'b0, lead_off};
    end
  end

  // ---- Cache: data as four 64-bit memories per sector row, read in PASS, valid in CHECK.
  logic [Lines-1:0]   valid_q;
  logic [TagBits-1:0] tag_q [Lines];
  logic [63:0]        rd_data [4];
  logic [IdxBits-1:0] idx;
  logic [TagBits-1:0] tag;
  logic               hit;
  assign idx = addr_q[6 +: IdxBits];
  assign tag = addr_q[63 -: TagBits];
  assign hit = valid_q[idx] && tag_q[idx] == tag;

  logic rsp_here;
  logic got_q;     // one sector of the missing line has come
  assign rsp_here = rsp_valid_i && rsp_i.unit == UnitIdLdc;

  for (genvar k = 0; k < 4; k++) begin : gen_data
    logic [63:0] mem_q [Rows];
    logic [63:0] read_q;
    always_ff @(posedge clk_i) begin
      if (rsp_here) mem_q[{idx, rsp_i.tag[0]}] <= rsp_i.data[64*k +: 64];
      if (pass) read_q <= mem_q[addr_d[5 +: IdxBits+1]];
    end
    assign rd_data[k] = read_q;
  end
  always_ff @(posedge clk_i) begin
    if (rsp_here && got_q) tag_q[idx] <= tag;
  end

  // ---- Result words of the pass in CHECK.
  logic [31:0] word [4];
  always_comb begin
    logic [63:0] lo, hi;
    lo = rd_data[addr_q[4:3]];
    hi = rd_data[{addr_q[4], 1'b1}];
    word[0] = addr_q[2] ? lo[63:32] : lo[31:0];
    word[1] = lo[63:32];
    word[2] = hi[31:0];
    word[3] = hi[63:32];
    unique case (type_q)
      MemTypeU8, MemTypeS8: begin
        word[0] = word[0] >> {addr_q[1:0], 3'b0};
        word[0] = {{24{type_q == MemTypeS8 && word[0][7]}}, word[0][7:0]};
      end
      MemTypeU16, MemTypeS16: begin
        word[0] = word[0] >> {addr_q[1], 4'b0};
        word[0] = {{16{type_q == MemTypeS16 && word[0][15]}}, word[0][15:0]};
      end
      default: ;
    endcase
  end
  // Results of all lanes: a pass may serve any of them.
  logic [31:0] res_q [4][32];
  logic        store;
  assign store = state_q == StCheck && hit;
  always_ff @(posedge clk_i) begin
    if (store) begin
      for (int i = 0; i < 32; i++) begin
        if (served_q[i]) for (int k = 0; k < 4; k++) res_q[k][i] <= word[k];
      end
    end
  end

  // ---- Write-back: active beats ascending, words ascending. pending_q holds the beats left.
  logic [1:0]  wb_word_q;
  logic [4:0]  wb_lane0;
  logic [31:0] wb_beat_mask;
  logic [8:0]  wb_rd;
  logic        last_beat, last_word, wb;
  assign wb = state_q == StWb;
  assign wb_lane0 = leader & ~LaneMask;
  assign wb_beat_mask = (32'hffffffff >> (32 - Lanes)) << wb_lane0;
  assign last_beat = (pending_q & ~wb_beat_mask) == '0;
  assign last_word = {1'b0, wb_word_q} == words_q - 3'd1;
  assign wb_rd = {1'b0, rd_q} + {7'b0, wb_word_q};
  always_comb begin
    vwb_o = '0;
    vwb_o.valid = wb;
    for (int i = 0; i < int'(Lanes); i++) vwb_data_o[i] = '0;
    if (wb || Always) begin
      vwb_o.warp = warp_q;
      vwb_o.has_reg = wb_rd < 9'd255;
      vwb_o.rd = wb_rd[7:0];
      vwb_o.beat = BeatBits'(wb_lane0 >> LaneBits);
      vwb_o.last_beat = last_beat;
      vwb_o.last = last_beat && last_word;
      for (int i = 0; i < int'(Lanes); i++) begin
        vwb_o.mask[i] = exec_q[wb_lane0 | 5'(i)];
        vwb_data_o[i] = res_q[wb_word_q][wb_lane0 | 5'(i)];
      end
    end
  end

  // ---- Traps and requests.
  always_comb begin
    trap_o = '0;
    trap_o.valid = state_q == StPass && fault_q;
    if (trap_o.valid) begin
      trap_o.cause = fault_cause_q;
      trap_o.warp = warp_q;
      trap_o.lane = fault_lane_q;
      trap_o.pc = pc_q;
      trap_o.addr = base_q + {32'b0, fault_off_q};
    end
    finish_o.valid = trap_o.valid;
    finish_o.warp = warp_q;
  end

  logic [1:0] sent_q;
  assign req_valid_o = state_q == StMiss && !sent_q[1];
  always_comb begin
    req_o = '0;
    if (req_valid_o) begin
      req_o.sector = {addr_q[63:6], sent_q[0]};
      req_o.mask = '1;
      req_o.unit = UnitIdLdc;
      req_o.tag = {15'b0, sent_q[0]};
    end
  end

  // ---- State.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
      fault_q <= 1'b0;
    end else begin
      unique case (state_q)
        StIdle: if (take) begin
          state_q <= StFill;
          fault_q <= 1'b0;
        end
        StFill: if (x1_here) begin
          if (x1_fault && !fault_q) fault_q <= 1'b1;
          if (x1_i.last) state_q <= StPass;
        end
        StPass: state_q <= fault_q ? StIdle : StCheck;
        StCheck: begin
          if (!hit) state_q <= StMiss;
          else if ((pending_q & ~served_q) != '0) state_q <= StPass;
          else state_q <= StWb;
        end
        StMiss: if (rsp_here && got_q) state_q <= StPass;
        StWb: if (vwb_grant_i && vwb_o.last) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || invalidate_i) valid_q <= '0;
    else if (state_q == StCheck && !hit) valid_q[idx] <= 1'b0;
    else if (rsp_here && got_q) valid_q[idx] <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle && take) begin
      warp_q <= issue_i.warp;
      pc_q <= issue_i.insn.pc;
      type_q <= issue_i.insn.info.mtype;
      rd_q <= issue_i.insn.word.rd;
      words_q <= issue_i.insn.info.d_words;
      exec_q <= issue_i.exec;
      pending_q <= issue_i.exec;
      base_q <= base_d;
      size_q <= size_d;
      bank_ok_q <= bank_ok_d;
    end
    if (x1_here) begin
      for (int i = 0; i < int'(Lanes); i++) begin
        if (x1_i.mask[i]) off_q[x1_lane0 | 5'(i)] <= x1_off[i];
      end
      if (x1_fault && !fault_q) begin
        fault_cause_q <= x1_fault_cause;
        fault_lane_q <= x1_fault_lane;
        fault_off_q <= x1_fault_off;
      end
    end
    if (pass) begin
      addr_q <= addr_d;
      served_q <= served_d;
      sent_q <= '0;
      got_q <= 1'b0;
    end
    if (store) begin
      // The same register counts the lanes to write back once every lane has its value.
      pending_q <= ((pending_q & ~served_q) == '0) ? exec_q : pending_q & ~served_q;
      wb_word_q <= '0;
    end
    if (state_q == StMiss) begin
      if (req_grant_i) sent_q <= sent_q + 2'd1;
      if (rsp_here) got_q <= 1'b1;
    end
    if (wb && vwb_grant_i) begin
      wb_word_q <= last_word ? '0 : wb_word_q + 2'd1;
      if (last_word) pending_q <= pending_q & ~wb_beat_mask;
    end
  end

  logic unused;
  assign unused = ^{issue_i, rsp_i.op, rsp_i.tag[15:1], x1_i, addr_q[5], lb_i[0]};
endmodule
