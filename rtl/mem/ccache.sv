// Constant loads (docs/microarchitecture.md 12; PTX 9.7.9.8): one LDC at a time through a
// direct-mapped, read-only cache of 64-byte lines. Lanes of a beat with one address share a pass,
// all lanes if the instruction is uniform. The banks lie in device memory, so addresses share their
// upper word. Coherence with stores to the constant banks within a launch is deliberately absent;
// invalidate_i clears the cache between launches.
module ccache
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import port_pkg::*;
  import gates_pkg::Always;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         invalidate_i,
  input  logic [31:0]  lb_i [LaunchBlockWords],
  input  issue_t       issue_i,
  input  sub_t         sub_i,        // whose issue it is
  input  x1_t          x1_i,
  input  logic [31:0]  x1_a_i [Lanes],
  output logic         ldc_ready_o,
  output vwb_t         vwb_o,
  output sub_t         sub_o,        // of vwb_o and finish_o
  output logic [31:0]  vwb_data_o [Lanes],
  input  logic         vwb_grant_i,
  output finish_t      finish_o,
  output trap_t        trap_o,
  output logic         miss_o,       // a CHECK misses
`ifdef WL_JOURNAL
  output logic         rest_o,       // idle (15)
`endif
  output logic         req_valid_o,
  output packet_t      req_o,
  input  logic         req_grant_i,
  input  logic         rsp_valid_i,
  input  response_t    rsp_i
);

  localparam bit Serial = Beats > 1;           // results are stored word by word
  localparam int unsigned OffBits = Serial ? 17 : 32;   // the small rows' banks are below 128 KB
  localparam int unsigned SizeBits = Serial ? OffBits + 1 : 32;
  localparam int unsigned Lines = CcacheBytes / 64;
  localparam int unsigned IdxBits = $clog2(Lines);
  localparam int unsigned TagBits = 32 - 6 - IdxBits;

  typedef enum logic [2:0] {StIdle, StFill, StPass, StCheck, StMiss, StWb} state_e;
  typedef logic [Lanes-1:0] lanes_t;
  typedef logic [Beats-1:0] beats_t;
  typedef logic [BeatBits-1:0] beat_t;

  state_e      state_q;
  warp_t       warp_q;
  sub_t        sub_q;
  pc_t         pc_q;
  mem_type_e   type_q;
  logic [7:0]  rd_q;
  logic [2:0]  words_q;      // register words of the result
  lanes_t      exec_q [Beats];
  beats_t      beats_q;      // with lanes of E
  logic [31:0] base_q;       // of the instruction's bank
  logic [SizeBits-1:0] size_q;
  logic        bank_ok_q;
  logic        fault_q, mis_q;
  logic [4:0]  fault_lane_q;
  logic        first_q;      // no beat has come yet
  logic        uniform_q;
  logic [31:0] ref_q;        // offset of the faulting lane, else of one lane of the last beat
  // What is left of the passes, then of write-back.
  beats_t      todo_q;
  logic        fresh_q;      // all lanes of the lowest beat in todo
  lanes_t      rest_q;       // else these
  logic [1:0]  word_q;

  // ---- Issue: the bank is fixed by the instruction.
  logic        take;
  logic [31:0] base_d;
  logic [SizeBits-1:0] size_d;
  logic        bank_ok_d;
  assign take = issue_i.valid && !issue_i.empty && issue_i.insn.info.unit == UnitLdc;
  assign ldc_ready_o = state_q == StIdle;
  always_comb begin
    base_d = '0;
    size_d = '0;
    bank_ok_d = issue_i.insn.word.imm[31:28] < 4'd3;
    if (take || Always) begin
      unique case (issue_i.insn.word.imm[31:28])
        4'd0: begin
          base_d = lb_i[LaunchC0Base];
          size_d = SizeBits'(512) + lb_i[LaunchParamBytes][SizeBits-1:0];
        end
        4'd1: begin
          base_d = lb_i[LaunchC1Base];
          size_d = lb_i[LaunchC1Bytes][SizeBits-1:0];
        end
        4'd2: begin
          base_d = lb_i[LaunchC2Base];
          size_d = lb_i[LaunchC2Bytes][SizeBits-1:0];
        end
        default: ;
      endcase
    end
  end

  // ---- X1: offsets and faults of a beat.
  logic        x1_here, x1_none, x1_fault, x1_equal;
  logic [3:0]  x1_low;
  logic [31:0] x1_top, x1_ref, imm;
  logic [31:0] x1_off [Lanes];
  lanes_t      mis, rng, bad, pick;
  assign x1_here = x1_i.valid && x1_i.info.unit == UnitLdc;
  assign imm = {{4{x1_i.word.imm[27]}}, x1_i.word.imm[27:0]};
  always_comb begin
    unique case (type_q)
      MemTypeU8, MemTypeS8:   x1_low = 4'd0;
      MemTypeU16, MemTypeS16: x1_low = 4'd1;
      MemTypeB64:             x1_low = 4'd7;
      MemTypeB128:            x1_low = 4'd15;
      default:                x1_low = 4'd3;
    endcase
    x1_none = 1'b0;
    x1_top = '0;
    bad = '0;
    pick = '0;
    x1_fault = 1'b0;
    x1_ref = '0;
    x1_equal = 1'b1;
    if (x1_here || Always) begin
      // - low - 1 in one
      {x1_none, x1_top[SizeBits-1:0]} = {1'b0, size_q} + ~(SizeBits+1)'(x1_low);
      if (!bank_ok_q) x1_none = 1'b1;
      bad = (mis | rng) & x1_i.mask;
      x1_fault = bad != '0;
      // The lowest faulting lane, else the lowest lane.
      pick = x1_fault ? bad : x1_i.mask;
      pick = pick & (~pick + lanes_t'(1));
      for (int i = 0; i < int'(Lanes); i++) x1_ref = x1_ref | (x1_off[i] & {32{pick[i]}});
      for (int i = 0; i < int'(Lanes); i++) begin
        if (x1_i.mask[i] && x1_off[i][OffBits-1:0] != x1_ref[OffBits-1:0]) x1_equal = 1'b0;
      end
      if (!first_q && (!uniform_q || x1_ref[OffBits-1:0] != ref_q[OffBits-1:0])) x1_equal = 1'b0;
    end
  end

  // ---- Pass: lowest pending lane and the lanes with its offset.
  logic               pass;
  beat_t              beat;
  logic [4:0]         lane0;
  lanes_t             pending, lead, served_d, served_q, rest;
  beats_t             todo_after;
  logic [OffBits-1:0] off [Lanes];
  logic [OffBits-1:0] lead_off;
  logic [63:0]        addr_d;
  logic [31:0]        addr_q;
  assign pass = state_q == StPass;
  always_comb begin
    beat = '0;
    for (int i = int'(Beats) - 1; i >= 0; i--) if (todo_q[i]) beat = beat_t'(i);
    lane0 = 5'(32'(beat) * Lanes);
    todo_after = todo_q & (todo_q - beats_t'(1));
    pending = fresh_q ? exec_q[beat] : rest_q;
    rest = pending & ~served_q;
  end
  always_comb begin
    lead = '0;
    lead_off = '0;
    served_d = '0;
    addr_d = '0;
    if (pass || Always) begin
      lead = pending & (~pending + lanes_t'(1));
      for (int i = 0; i < int'(Lanes); i++) lead_off = lead_off | (off[i] & {OffBits{lead[i]}});
      for (int i = 0; i < int'(Lanes); i++) served_d[i] = pending[i] && off[i] == lead_off;
      if (uniform_q) served_d = '1;
      addr_d = {bank_ok_q ? lb_i[LaunchMemBase + 1] : 32'h0, base_q}
               + {32'h0, (fault_q || uniform_q) ? ref_q : 32'(lead_off)};
    end
  end

  // ---- Cache: data as four 64-bit memories per sector row, read in PASS, valid in CHECK.
  // Valid bits by four lines; those of a place that nothing was written to since the last
  // invalidation are clear.
  localparam int unsigned Places = Lines / 4;
  logic [3:0]         valid_q [Places];
  logic [Places-1:0]  used_q, place_hot;
  logic [3:0]         valid, line_hot;
  logic               valid_we;
  (* ram_style = "block", no_rw_check *) logic [TagBits-1:0] tag_q [Lines];
  logic [TagBits-1:0] tag_read_q;
  logic [31:0]        sector [8];
  logic [IdxBits-1:0] idx;
  logic [TagBits-1:0] tag;
  logic               hit;
  logic               rsp_here;
  logic               got_q;     // one sector of the missing line has come
  assign idx = addr_q[6 +: IdxBits];
  assign tag = addr_q[31 -: TagBits];
  always_comb begin
    for (int i = 0; i < int'(Places); i++) place_hot[i] = idx[IdxBits-1:2] == (IdxBits-2)'(i);
    line_hot = 4'd1 << idx[1:0];
    valid = valid_q[idx[IdxBits-1:2]] & {4{(used_q & place_hot) != '0}};
  end
  assign hit = (valid & line_hot) != '0 && tag_read_q == tag;
  assign miss_o = state_q == StCheck && !hit;
  assign valid_we = miss_o || (rsp_here && got_q);
  assign rsp_here = rsp_valid_i && rsp_i.unit == PortLdc;
  for (genvar k = 0; k < 4; k++) begin : gen_data
    (* ram_style = "block", no_rw_check *) logic [63:0] mem_q [Lines * 2];
    logic [63:0] read_q;
    always_ff @(posedge clk_i) begin
      if (rsp_here) mem_q[{idx, rsp_i.tag[0]}] <= rsp_i.data[64*k +: 64];
      if (pass) read_q <= mem_q[addr_d[5 +: IdxBits+1]];
    end
    assign sector[2*k] = read_q[31:0];
    assign sector[2*k+1] = read_q[63:32];
  end
  always_ff @(posedge clk_i) begin
    if (rsp_here && got_q) tag_q[idx] <= tag;
    if (pass) tag_read_q <= tag_q[addr_d[6 +: IdxBits]];
  end

  // ---- Result words of the pass in CHECK.
  logic        store, check_done, all_done, last_word;
  logic [31:0] word [4];
  assign store = state_q == StCheck && hit;
  assign last_word = {1'b0, word_q} == words_q - 3'd1;
  assign check_done = store && (!Serial || last_word);
  assign all_done = uniform_q || (rest == '0 && todo_after == '0);
  logic [31:0] serial_word;
  if (Serial) begin : gen_word
    word_mux #(.Words(8)) u_word (
      .en_i(store), .at_i(addr_q[4:2] | 3'(word_q)), .x_i(sector), .y_o(serial_word)
    );
  end else begin : gen_words
    assign serial_word = '0;
  end
  always_comb begin
    for (int k = 0; k < 4; k++) word[k] = '0;
    if (store || Always) begin
      if (Serial) begin
        word[0] = serial_word;
      end else begin
        word[0] = sector[addr_q[4:2]];
        word[1] = sector[{addr_q[4:3], 1'b1}];
        word[2] = sector[{addr_q[4], 2'd2}];
        word[3] = sector[{addr_q[4], 2'd3}];
      end
      word[0] = extend(type_q, word[0], addr_q[1:0]);
    end
  end

  // ---- Lanes. Results of a uniform instruction are kept once, in the first beat's place.
  logic wb;
  assign wb = state_q == StWb;
  for (genvar i = 0; i < int'(Lanes); i++) begin : gen_lane
    ccache_lane #(.OffBits(OffBits)) u_lane (
      .clk_i, .x1_i(x1_here), .x1_beat_i(x1_i.beat), .x1_a_i(x1_a_i[i]), .imm_i(imm),
      .base_i(base_q[3:0]), .low_i(x1_low), .none_i(x1_none), .top_i(x1_top),
      .off_o(x1_off[i]), .mis_o(mis[i]), .rng_o(rng[i]),
      .pass_i(pass), .beat_i(beat), .pass_off_o(off[i]),
      .store_i(store && served_q[i]), .store_beat_i(uniform_q ? '0 : beat), .store_word_i(word_q),
      .store_data_i(word), .wb_i(wb), .wb_beat_i(uniform_q ? '0 : beat), .wb_word_i(word_q),
      .wb_data_o(vwb_data_o[i])
    );
  end

  // ---- Write-back: active beats ascending, words ascending.
  logic [8:0] wb_rd;
  assign wb_rd = {1'b0, rd_q} + {7'b0, word_q};
  always_comb begin
    vwb_o = '0;
    vwb_o.valid = wb;
    if (wb || Always) begin
      vwb_o.warp = warp_q;
      vwb_o.has_reg = wb_rd < 9'd255;
      vwb_o.rd = wb_rd[7:0];
      vwb_o.beat = beat;
      vwb_o.last_beat = todo_after == '0;
      vwb_o.last = todo_after == '0 && last_word;
      vwb_o.mask = exec_q[beat];
    end
  end

  // ---- Traps and requests.
  assign sub_o = (SubCores == 1) ? '0 : sub_q;
  logic [1:0] sent_q;
  always_comb begin
    trap_o = '0;
    trap_o.valid = pass && fault_q;
    if (trap_o.valid || Always) begin
      trap_o.cause = mis_q ? 4'(TrapMisaligned) : 4'(TrapConstRange);
      trap_o.warp = slot_of(warp_q, sub_q);
      trap_o.lane = fault_lane_q;
      trap_o.pc = pc_q;
      trap_o.addr = addr_d;
    end
    finish_o.valid = trap_o.valid;
    finish_o.warp = warp_q;
    req_valid_o = state_q == StMiss && !sent_q[1];
    req_o = '0;
    if (req_valid_o || Always) begin
      req_o.sector = {lb_i[LaunchMemBase + 1], addr_q[31:6], sent_q[0]};
      req_o.mask = '1;
      req_o.unit = PortLdc;
      req_o.tag = {15'b0, sent_q[0]};
    end
  end

  // ---- State.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:  if (take) state_q <= StFill;
        StFill:  if (x1_here && x1_i.last) state_q <= StPass;
        StPass:  state_q <= fault_q ? StIdle : StCheck;
        StCheck: begin
          if (!hit) state_q <= StMiss;
          else if (check_done) state_q <= all_done ? StWb : StPass;
        end
        StMiss:  if (rsp_here && got_q) state_q <= StPass;
        StWb:    if (vwb_grant_i && vwb_o.last) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
    if (!rst_ni || invalidate_i) used_q <= '0;
    else if (valid_we) used_q <= used_q | place_hot;
  end
  always_ff @(posedge clk_i) begin
    if (valid_we) begin
      valid_q[idx[IdxBits-1:2]] <= (valid & ~line_hot) | (line_hot & {4{state_q != StCheck}});
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle && take) begin
      warp_q <= issue_i.warp;
      sub_q <= sub_i;
      pc_q <= issue_i.insn.pc;
      type_q <= issue_i.insn.info.mtype;
      rd_q <= issue_i.insn.word.rd;
      words_q <= issue_i.insn.info.d_words;
      for (int b = 0; b < int'(Beats); b++) begin
        exec_q[b] <= issue_i.exec[b*int'(Lanes) +: int'(Lanes)];
        beats_q[b] <= issue_i.exec[b*int'(Lanes) +: int'(Lanes)] != '0;
        todo_q[b] <= issue_i.exec[b*int'(Lanes) +: int'(Lanes)] != '0;
      end
      base_q <= base_d;
      size_q <= size_d;
      bank_ok_q <= bank_ok_d;
      fault_q <= 1'b0;
      first_q <= 1'b1;
      fresh_q <= 1'b1;
      word_q <= '0;
    end
    if (x1_here) begin
      first_q <= 1'b0;
      uniform_q <= x1_equal;
      if (!fault_q) begin
        ref_q <= x1_ref;
        fault_q <= x1_fault;
        mis_q <= (mis & pick) != '0;
        fault_lane_q <= 5'(32'(x1_i.beat) * Lanes) + bit_number(32'(pick));
      end
    end
    if (pass) begin
      addr_q <= addr_d[31:0];
      served_q <= served_d;
      sent_q <= '0;
      got_q <= 1'b0;
    end
    if (state_q == StMiss) begin
      if (req_grant_i) sent_q <= sent_q + 2'd1;
      if (rsp_here) got_q <= 1'b1;
    end
    if (store) begin
      if (Serial) word_q <= last_word ? '0 : word_q + 2'd1;
      if (check_done) begin
        fresh_q <= rest == '0 || all_done;
        rest_q <= rest;
        if (all_done) todo_q <= beats_q;
        else if (rest == '0) todo_q <= todo_after;
      end
    end
    if (wb && vwb_grant_i) begin
      word_q <= last_word ? '0 : word_q + 2'd1;
      if (last_word) todo_q <= todo_after;
    end
  end

  logic unused;
  assign unused = ^{issue_i, rsp_i.op, rsp_i.tag[15:1], x1_i, addr_q[5], lb_i[0], lane0};

`ifdef WL_JOURNAL
  assign rest_o = state_q == StIdle;
`endif
endmodule
