// Shared memory, everything but the banks, where accesses of 8 and 16 bytes go by halves and
// quarters of the lanes (docs/microarchitecture.md 11, SmemWide = 1): one request at a time, worked
// off in passes of lanes without bank conflict. A pass is chosen in q, its banks are accessed in q
// + 1, results are formed in q + 2; integer atomics write in q + 2 (an ALU at every bank,
// SmemBankAtoms = 1), the serial unit in q + SmemSerialStep. Addresses are checked by the LSU and
// include the CTA's base. Deliberately one port per bank. The FPGA rows have smem_narrow instead.
// One file in the order of its cycles, above 300 lines: each part reads registers of the one before.

`include "cells/assert.svh"

module smem_wide
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
#(
  localparam int unsigned RowBits = $clog2(SmemBytes / 4 / SmemBanks)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        stall_i,  // disturbance (17)
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic        hold_i,   // no pass starts: the chunk port comes first (11b)
  output logic        pass_o,   // a pass starts
  output logic        atomic_o, // a pass of an atomic is under way
  output logic        rest_o,   // no request, no delivery (15)
  input  smem_req_t   req_i,
  // verilator lint_off UNUSEDSIGNAL // addresses are wider than shared memory
  input  logic [31:0] addr_i  [LsuLanes],
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] wdata_i [4][LsuLanes],
  // verilator lint_off UNUSEDSIGNAL // with Atom128
  input  logic [31:0] more_i  [4][LsuLanes],   // words 4 to 7 of a cas, one cycle after it
  // verilator lint_on UNUSEDSIGNAL
  output logic        rsp_valid_o,
  output smem_rsp_t   rsp_o,
  output logic [31:0] rdata_o [4][LsuLanes],
  input  mbar_gen_t   mbar_gen_i,    // phases of mbarriers completed (21.2)
  output mbar_act_t   mbar_act_o,    // an operation on an mbarrier acts
  // Banks: read data come the cycle after.
  output logic [SmemBanks-1:0] bank_re_o,
  output logic [SmemBanks-1:0] bank_we_o,
  output logic [RowBits-1:0]   bank_row_o   [SmemBanks],
  output logic [3:0]           bank_be_o    [SmemBanks],
  output logic [31:0]          bank_wdata_o [SmemBanks],
  input  logic [31:0]          bank_rdata_i [SmemBanks]
);

  localparam int unsigned BankBits = $clog2(SmemBanks);
  localparam int unsigned LaneBits = $clog2(LsuLanes);
  localparam int unsigned CntBits = $clog2(SmemSerialStep + 1);

  typedef logic [BankBits-1:0] bank_t;
  typedef logic [RowBits-1:0]  row_t;

  // All banks of an aligned access from its first one.
  function automatic logic [SmemBanks-1:0] lane_banks(input logic [SmemBanks-1:0] first,
                                                      input logic [2:0] size);
    unique case (size)
      3'd3:    return first | first << 1;
      3'd4:    return first | first << 1 | first << 2 | first << 3;
      default: return first;
    endcase
  endfunction

  // ---- Request under way
  smem_req_t          req_q;
  logic               busy_q;
  logic [CntBits-1:0] cnt_q;        // cycles until the next pass or the end
  logic [LsuLanes-1:0]   pending_q;
  bank_t              bank_q [LsuLanes];
  row_t               row_q  [LsuLanes];
  logic [1:0]         ofs_q  [LsuLanes];
  logic [31:0]        data_q [4][LsuLanes];

  logic [2:0] size;                 // log2 of the access bytes
  logic       is_st, is_atom, serial;
  logic       is_mbar, is_test, is_quad;
  logic [3:0] words;                // of the response
  always_comb begin
    unique case (req_q.mtype)
      MemTypeU8, MemTypeS8, MemTypeB8:    size = 3'd0;
      MemTypeU16, MemTypeS16, MemTypeB16: size = 3'd1;
      MemTypeB64, MemTypeU64, MemTypeS64: size = 3'd3;
      MemTypeB128:                        size = 3'd4;
      default:                            size = 3'd2;
    endcase
    is_st = req_q.kind == MemKindSt;
    is_mbar = req_q.kind == MemKindMbar;
    is_test = req_q.kind == MemKindMbtest;
    is_atom = req_q.kind == MemKindAtom || is_mbar;
    words = is_st ? 4'b0000 : (size == 3'd4) ? 4'b1111 : (size == 3'd3) ? 4'b0011 : 4'b0001;
    is_quad = Atom128 != 0 && is_atom && size == 3'd4;
    serial = is_atom && (req_q.atom == AtomCas || req_q.mtype == MemTypeF32 || size == 3'd3 ||
                         is_quad);
  end

  logic take;
  assign req_ready_o = !busy_q && !stall_i;
  assign take = req_valid_i && req_ready_o;

  // ---- Pass: which pending lanes are served.
  logic                pass, last, fin;
  logic [LaneBits-1:0] lead;
  logic [LsuLanes-1:0]    part, served, left;
  logic [CntBits-1:0]  dur;
  assign pass = busy_q && !hold_i && !atomic_o;
  assign pass_o = pass;
  assign atomic_o = cnt_q != '0;
  assign dur = serial ? CntBits'(SmemSerialStep) : is_atom ? CntBits'(2) : CntBits'(1);

  always_comb begin
    lead = '0;
    for (int i = int'(LsuLanes) - 1; i >= 0; i--) if (pending_q[i]) lead = LaneBits'(i);
    // 8-byte accesses go by halves of the beat, 16-byte ones by quarters.
    unique case (size)
      3'd3:    part = (lead[LaneBits-1] ? ~LsuLanes'(0) << (LsuLanes / 2) :
                                     ~(~LsuLanes'(0) << (LsuLanes / 2)));
      3'd4:    part = (LsuLanes'((64'd1 << (LsuLanes / 4)) - 64'd1))
                      << (32'(lead[LaneBits-1 -: 2]) * (LsuLanes / 4));
      default: part = '1;
    endcase
  end

  // Banks are bit vectors and lanes go one after the other: cheap to simulate, and in gates a chain
  // of one OR per lane and bank. Accesses are aligned and of one size, so the first bank of a lane
  // stands for all of its banks.
  logic [SmemBanks-1:0] lane_bank [LsuLanes];   // one bit: first bank of a pending lane of the part
  always_comb begin
    logic [SmemBanks-1:0] used, first;
    logic [SmemBanks-1:0] chosen [LaneBits]; // by bank: number of the lane that chooses the row
    logic [LaneBits-1:0]  at;
    {served, used, first, at} = 'x;
    chosen = '{default: 'x};
    lane_bank = '{default: 'x};
    if (pass) begin
      used = '0;
      chosen = '{default: '0};
      for (int i = 0; i < int'(LsuLanes); i++) begin
        lane_bank[i] = SmemBanks'(pending_q[i] && part[i]) << bank_q[i];
        first = lane_bank[i] & ~used;
        served[i] = first != '0;
        used = used | lane_bank[i];
        for (int n = 0; n < int'(LaneBits); n++) begin
          if (((i >> n) & 1) != 0) chosen[n] = chosen[n] | first;
        end
      end
      if (serial) begin
        served = LsuLanes'(1) << lead;
      end else if (!is_atom) begin
        for (int i = 0; i < int'(LsuLanes); i++) begin
          for (int n = 0; n < int'(LaneBits); n++) at[n] = chosen[n][bank_q[i]];
          if (pending_q[i] && part[i] && row_q[at] == row_q[i]) served[i] = 1'b1;
        end
      end
    end
    left = pending_q & ~served;
  end
  assign last = left == '0;
  assign fin = (pass && last && dur == CntBits'(1)) || (cnt_q == CntBits'(1) && pending_q == '0);

  // ---- Stage 1 (q + 1): crossbar and banks; the request's registers still hold. Stage 2 (q + 2):
  // read data.
  logic                 s1_q, s1_st_q, s1_at_q, s2_q, s2_at_q, s2_test_q;
  logic [LsuLanes-1:0]     s2_parity_q;  // that a test of an mbarrier asks for
  logic [LsuLanes-1:0]     s1_served_q, s2_served_q;
  logic [SmemBanks-1:0] s2_en_q;
  row_t                 s2_row_q [SmemBanks];
  logic [31:0]          s2_data_q [SmemBanks];
  bank_t                s2_bank_q [LsuLanes];
  logic [1:0]           s2_ofs_q  [LsuLanes];
  mem_type_e            s2_type_q;
  atom_op_e             s2_atom_q;

  // Crossbar towards the banks: by bank and byte the number of the highest served lane that
  // writes it, then one multiplexer. Bank 4 * quad + k takes word k of 16 bytes, word k mod 2 of 8.
  logic [SmemBanks-1:0] x_en;
  row_t                 x_row  [SmemBanks];
  logic [3:0]           x_be   [SmemBanks];
  logic [31:0]          x_data [SmemBanks];
  logic [3:0]           lane_be [LsuLanes];
  logic [SmemBanks-1:0] s1_bank [LsuLanes];     // one bit: first bank of a served lane
  logic [31:0]          elem [4][LsuLanes];     // word k mod 4 as the lane would write it
  always_comb begin
    for (int i = 0; i < int'(LsuLanes); i++) begin
      lane_be[i] = 'x;
      s1_bank[i] = 'x;
      if (s1_q) s1_bank[i] = SmemBanks'(s1_served_q[i]) << bank_q[i];
      for (int k = 0; k < 4; k++) elem[k][i] = 'x;
      if (s1_q && s1_served_q[i] && (is_st || is_atom)) begin
        unique case (size)
          3'd0: begin
            lane_be[i] = 4'b0001 << ofs_q[i];
            for (int k = 0; k < 4; k++) elem[k][i] = {4{data_q[0][i][7:0]}};
          end
          3'd1: begin
            lane_be[i] = ofs_q[i][1] ? 4'b1100 : 4'b0011;
            for (int k = 0; k < 4; k++) elem[k][i] = {2{data_q[0][i][15:0]}};
          end
          3'd3: begin
            lane_be[i] = '1;
            for (int k = 0; k < 4; k++) elem[k][i] = data_q[k & 1][i];
          end
          3'd4: begin
            lane_be[i] = '1;
            for (int k = 0; k < 4; k++) elem[k][i] = data_q[k][i];
          end
          default: begin
            lane_be[i] = '1;
            for (int k = 0; k < 4; k++) elem[k][i] = data_q[0][i];
          end
        endcase
      end
    end
  end
  always_comb begin
    logic [SmemBanks-1:0] banks, taken, win;
    logic [SmemBanks-1:0] writer [LaneBits];
    logic [LaneBits-1:0]  who;
    {banks, win, taken, who, x_en} = 'x;
    writer = '{default: 'x};
    x_row = '{default: 'x};
    x_be = '{default: 'x};
    x_data = '{default: 'x};
    if (s1_q) begin
      x_en = '0;
      writer = '{default: '0};
      for (int i = int'(LsuLanes) - 1; i >= 0; i--) begin
        banks = lane_banks(s1_bank[i], size);
        win = banks & ~x_en;
        x_en = x_en | banks;
        for (int n = 0; n < int'(LaneBits); n++) begin
          if (((i >> n) & 1) != 0) writer[n] = writer[n] | win;
        end
      end
      // LsuLanes served in one bank have one row, so any of them tells it.
      for (int b = 0; b < int'(SmemBanks); b++) begin
        for (int n = 0; n < int'(LaneBits); n++) who[n] = writer[n][b];
        x_row[b] = row_q[who];
      end
      if (is_st || is_atom) begin
        for (int j = 0; j < 4; j++) begin
          taken = '0;
          for (int n = 0; n < int'(LaneBits); n++) writer[n] = '0;
          for (int i = int'(LsuLanes) - 1; i >= 0; i--) begin
            banks = lane_banks(s1_bank[i], size) & {SmemBanks{lane_be[i][j]}};
            win = banks & ~taken;
            taken = taken | banks;
            for (int n = 0; n < int'(LaneBits); n++) begin
              if (((i >> n) & 1) != 0) writer[n] = writer[n] | win;
            end
          end
          for (int b = 0; b < int'(SmemBanks); b++) begin
            for (int n = 0; n < int'(LaneBits); n++) who[n] = writer[n][b];
            x_be[b][j] = taken[b];
            x_data[b][8*j +: 8] = elem[b & 3][who][8*j +: 8];
          end
        end
      end
    end
  end

  // ---- Serial unit: operands in q + 1; the last four stages are the ALU's, the last one writes.
  logic [SmemSerialStep-1:0] ser_q; // stage q + 1 ..
  logic [3:0]  ser_step;
  bank_t       ser_bank_q;
  row_t        ser_row_q;
  mem_type_e   ser_type_q;
  atom_op_e    ser_atom_q;
  logic [63:0] ser_val_q, ser_cmp_q;
  logic [31:0] ser_new, ser_high_q, ser_old;
  logic        ser_wide, ser_quad, high;
  assign ser_wide = ser_type_q == MemTypeB64 || ser_type_q == MemTypeU64 ||
                    ser_type_q == MemTypeS64;
  assign ser_quad = Atom128 != 0 && ser_type_q == MemTypeB128;
  assign ser_step = ser_q[SmemSerialStep-1 -: 4];
  assign high = (ser_step[1] || ser_step[2]) && ser_wide;
  always_comb begin
    ser_old = 'x;
    if (ser_step != '0) ser_old = bank_rdata_i[ser_bank_q | bank_t'(high)];
  end
  atomic_alu u_serial (
    .clk_i, .step_i(ser_step & {4{!is_mbar && !ser_quad}}), .op_i(ser_atom_q), .type_i(ser_type_q),
    .flush_i(1'b0),
    .old_i(ser_old), .val_i(high ? ser_val_q[63:32] : ser_val_q[31:0]),
    .cmp_i(high ? ser_cmp_q[63:32] : ser_cmp_q[31:0]), .new_o(ser_new)
  );

  // 16 bytes: all words at once.
  logic [31:0] quad_new [4];
  if (Atom128 != 0) begin : gen_quad
    logic [31:0] quad_old [4];
    logic        quad_step;
    assign quad_step = ser_quad && (ser_step[0] || ser_step[3]);
    always_comb begin
      quad_old = '{default: 'x};
      if (quad_step) begin
        for (int k = 0; k < 4; k++) quad_old[k] = bank_rdata_i[ser_bank_q | bank_t'(k)];
      end
    end
    smem_quad u_quad (
      .clk_i, .rst_ni, .more_i, .pass_i(pass && is_quad), .is_cas_i(req_q.atom == AtomCas), .lead_i(lead),
      .data_i(data_q), .compare_i(ser_quad && ser_step[0]), .write_i(ser_quad && ser_step[3]),
      .old_i(quad_old), .new_o(quad_new)
    );
  end else begin : gen_no_quad
    assign quad_new = '{default: '0};
  end

  // An mbarrier's object. The request is under way until its last lane has acted.
  logic [63:0]         mbar_new;
  logic                mbar_step, mbar_misuse, mbar_complete;
  logic [LaneBits-1:0] ser_lane_q;
  assign mbar_step = ser_step[3] && is_mbar;
  mbarrier u_mbarrier (
    .clk_i, .step_i(ser_step & {4{is_mbar}}), .op_i(mbar_op_e'(ser_atom_q)), .old_i(ser_old),
    .val_i(ser_val_q[31:0]), .new_o(mbar_new), .misuse_o(mbar_misuse),
    .complete_o(mbar_complete)
  );
  assign mbar_act_o = '{complete: mbar_complete, misuse: mbar_misuse, lane: ser_lane_q,
                        at: {ser_row_q, ser_bank_q[BankBits-1:1]}};

  for (genvar b = 0; b < SmemBanks; b++) begin : gen_port
    logic [31:0] sum;
    logic        ser_we;
    assign ser_we = ser_step[3] && !mbar_misuse &&
                    (ser_bank_q == bank_t'(b) ||
                     (ser_wide && (ser_bank_q | bank_t'(1)) == bank_t'(b)) ||
                     (ser_quad && (ser_bank_q | bank_t'(3)) == bank_t'(b | 3)));
    smem_alu u_alu (
      .en_i(s2_at_q && s2_en_q[b]), .op_i(s2_atom_q), .signed_i(s2_type_q == MemTypeS32),
      .old_i(bank_rdata_i[b]), .val_i(s2_data_q[b]), .new_o(sum)
    );
    always_comb begin
      bank_re_o[b] = s1_q && !s1_st_q && x_en[b];
      bank_we_o[b] = s1_st_q && x_en[b];
      bank_row_o[b] = x_row[b];
      bank_be_o[b] = x_be[b];
      bank_wdata_o[b] = x_data[b];
      if (s2_at_q && s2_en_q[b]) begin
        bank_we_o[b] = 1'b1;
        bank_row_o[b] = s2_row_q[b];
        bank_be_o[b] = '1;
        bank_wdata_o[b] = sum;
      end
      if (ser_we) begin
        bank_we_o[b] = 1'b1;
        bank_row_o[b] = ser_row_q;
        bank_be_o[b] = '1;
        bank_wdata_o[b] = (ser_wide && 1'(b)) ? ser_high_q : ser_new;
        if (mbar_step) bank_wdata_o[b] = 1'(b) ? mbar_new[63:32] : mbar_new[31:0];
        if (ser_quad) bank_wdata_o[b] = quad_new[b % 4];
      end
    end
  end

  // ---- Results of the lanes of stage 2
  logic [31:0] res [4][LsuLanes];
  always_comb begin
    for (int i = 0; i < int'(LsuLanes); i++) begin
      for (int k = 0; k < 4; k++) res[k][i] = 'x;
      if (s2_q && s2_served_q[i]) begin
        for (int k = 0; k < 4; k++) res[k][i] = bank_rdata_i[s2_bank_q[i] | bank_t'(k)];
        res[0][i] = extend(s2_type_q, res[0][i], s2_ofs_q[i]);
        if (s2_test_q) res[0][i] = {res[0][i][0] ^ s2_parity_q[i], mbar_gen_i};
      end
    end
  end
  logic [31:0] res_q [4][LsuLanes];
  always_ff @(posedge clk_i) begin
    if (s2_q) begin
      logic [31:0] results [4][LsuLanes];
      results = res_q;
      for (int i = 0; i < int'(LsuLanes); i++) begin
        if (s2_served_q[i]) for (int k = 0; k < 4; k++) results[k][i] = res[k][i];
      end
      res_q <= results;
    end
  end
  always_comb begin
    for (int i = 0; i < int'(LsuLanes); i++) begin
      for (int k = 0; k < 4; k++) rdata_o[k][i] = res_q[k][i];
    end
  end

  // ---- Delivery: two cycles after the first idle one.
  logic [2:0] fin_q;
  smem_rsp_t  meta_q [3];
  assign rsp_valid_o = fin_q[2];
  assign rsp_o = meta_q[2];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      cnt_q <= '0;
      s1_q <= 1'b0;
      s1_st_q <= 1'b0;
      s1_at_q <= 1'b0;
      s2_q <= 1'b0;
      s2_at_q <= 1'b0;
      ser_q <= '0;
      fin_q <= '0;
    end else begin
      if (take) busy_q <= 1'b1;
      else if (fin) busy_q <= 1'b0;
      if (pass) cnt_q <= dur - CntBits'(1);
      else if (cnt_q != '0) cnt_q <= cnt_q - CntBits'(1);
      s1_q <= pass;
      s1_st_q <= pass && is_st;
      s1_at_q <= pass && is_atom && !serial;
      s2_q <= s1_q && !s1_st_q;
      s2_at_q <= s1_at_q;
      ser_q <= {ser_q[SmemSerialStep-2:0], pass && serial};
      fin_q <= {fin_q[1:0], fin};
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      req_q <= req_i;
      for (int i = 0; i < int'(LsuLanes); i++) begin
        bank_q[i] <= addr_i[i][2 +: BankBits];
        row_q[i] <= addr_i[i][2 + BankBits +: RowBits];
        ofs_q[i] <= addr_i[i][1:0];
        for (int k = 0; k < 4; k++) data_q[k][i] <= wdata_i[k][i];
      end
      pending_q <= req_i.mask;
    end
    if (pass) begin
      pending_q <= left;
      s1_served_q <= served;
      if (serial) begin
        ser_bank_q <= bank_q[lead];
        ser_row_q <= row_q[lead];
        ser_type_q <= req_q.mtype;
        ser_atom_q <= req_q.atom;
        if (is_mbar) ser_lane_q <= lead;
        // cas: compare words first, then the new words
        ser_cmp_q <= {data_q[1][lead], data_q[0][lead]};
        if (req_q.atom == AtomCas) begin
          ser_val_q <= (size == 3'd3) ? {data_q[3][lead], data_q[2][lead]}
                                      : {32'h0, data_q[1][lead]};
        end else begin
          ser_val_q <= {data_q[1][lead], data_q[0][lead]};
        end
      end
    end
    if (s1_q) begin
      s2_en_q <= x_en;
      s2_served_q <= s1_served_q;
      s2_type_q <= req_q.mtype;
      s2_test_q <= is_test;
      s2_atom_q <= req_q.atom;
      for (int i = 0; i < int'(LsuLanes); i++) begin
        s2_bank_q[i] <= bank_q[i];
        s2_ofs_q[i] <= ofs_q[i];
        if (is_test) s2_parity_q[i] <= data_q[0][i][0];
      end
      if (s1_at_q) begin
        for (int b = 0; b < int'(SmemBanks); b++) begin
          s2_row_q[b] <= x_row[b];
          s2_data_q[b] <= x_data[b];
        end
      end
    end
    if (ser_step[2]) ser_high_q <= ser_new;
    if (fin) begin
      meta_q[0] <= '{bulk: req_q.bulk, slot: req_q.slot, beat: req_q.beat, mask: req_q.mask, words: words,
                     last: 1'b1};
    end
    if (fin_q[0]) meta_q[1] <= meta_q[0];
    if (fin_q[1]) meta_q[2] <= meta_q[1];
  end

  assign rest_o = !busy_q && cnt_q == '0 && !s1_q && !s1_st_q && !s1_at_q && !s2_q && !s2_at_q &&
                  ser_q == '0 && fin_q == '0;

  `WL_ASSERT(OnePort, (bank_re_o & bank_we_o) == '0)
  `WL_ASSERT(PassServes, !pass || served != '0 || pending_q == '0)
  `WL_ASSERT(ServesPending, !pass || (served & ~pending_q) == '0)
  `WL_ASSERT(OneSerial, $onehot0(ser_q))
endmodule
