// Shared memory, everything but the banks, for FPGA rows (docs/microarchitecture.md 11,
// SmemWide = 0 and SmemBankAtoms = 0): accesses are made word by word, all atomics in one serial
// unit. A pass is chosen in q, its banks are accessed in q + 1, results are formed in q + 2; an
// atomic's operands are fetched in q + 1 .. q + 5 through the crossbar's first column, its old words
// are registered in q + 2, q + 3 and q + 5, its ALU steps are q + 3 .. q + 6, it writes in q + 6. A pass has
// at most one writing lane per bank. Addresses are checked by the LSU and include the CTA's base.
// One file in the order of its cycles, above 300 lines: each part reads registers of the one before.

`include "cells/assert.svh"

module smem_narrow
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import choice_pkg::*;
  import smem_pkg::*;
#(
  localparam int unsigned RowBits = $clog2(SmemBytes / 4 / SmemBanks)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        stall_i,  // disturbance (17)
  input  logic        poke_i,   // all banks are shown this word, the unit is idle
  input  logic [31:0] poke_data_i,
  input  logic        peek_i,   // what lane 0 would read of a bank
  input  logic [$clog2(SmemBanks)-1:0] peek_bank_i,
  output logic [31:0] peek_data_o,
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
  input  logic [31:0] wdata_i [4][LsuLanes],   // words 2, 3 one cycle after the request
  output logic        rsp_valid_o,
  output smem_rsp_t   rsp_o,
  output logic [31:0] rdata_o [4][LsuLanes],
  input  mbar_gen_t   mbar_gen_i,    // phases of mbarriers completed (21.2)
  output mbar_act_t   mbar_act_o,    // an operation on an mbarrier acts
  // Banks: read data come the cycle after and stay until the next read.
  output logic [SmemBanks-1:0] bank_re_o,
  output logic [SmemBanks-1:0] bank_we_o,
  output logic [RowBits-1:0]   bank_row_o   [SmemBanks],
  output logic [3:0]           bank_be_o    [SmemBanks],
  output logic [31:0]          bank_wdata_o [SmemBanks],
  input  logic [31:0]          bank_rdata_i [SmemBanks]
);
  localparam int unsigned BankBits = $clog2(SmemBanks);
  localparam int unsigned LaneBits = $clog2(LsuLanes);
  typedef logic [BankBits-1:0] bank_t;
  typedef logic [RowBits-1:0]  row_t;
  typedef logic [LaneBits-1:0] lane_t;
  typedef logic [LsuLanes-1:0] mask_t;

  function automatic lane_t index_of(input mask_t one_hot);
    lane_t n;
    for (int unsigned k = 0; k < LaneBits; k++) n[k] = |(one_hot & mask_t'(IndexMask[k]));
    return n;
  endfunction

  // ---- Request under way
  smem_req_t  req_q;
  logic       busy_q;
  logic       fresh_q;              // taken in the cycle before: words 2, 3 are here
  mask_t      pending_q;
  logic [1:0] word_q;               // word of the access: the part
  bank_t      bank_q [LsuLanes];
  row_t       row_q  [LsuLanes];
  logic [1:0] ofs_q  [LsuLanes];
  logic [31:0] data_q [4][LsuLanes];

  logic       is_byte, is_half, is_wide, is_st, is_atom, is_cas;
  logic       is_mbar, is_test;
  logic [1:0] last_word;
  always_comb begin
    is_byte = req_q.mtype == MemTypeU8 || req_q.mtype == MemTypeS8 || req_q.mtype == MemTypeB8;
    is_half = req_q.mtype == MemTypeU16 || req_q.mtype == MemTypeS16 || req_q.mtype == MemTypeB16;
    is_wide = req_q.mtype == MemTypeB64 || req_q.mtype == MemTypeU64 || req_q.mtype == MemTypeS64;
    is_st = req_q.kind == MemKindSt;
    is_mbar = req_q.kind == MemKindMbar;
    is_test = req_q.kind == MemKindMbtest;
    is_atom = req_q.kind == MemKindAtom || is_mbar;
    is_cas = req_q.atom == AtomCas;
    last_word = is_atom ? 2'd0 : (req_q.mtype == MemTypeB128) ? 2'd3 : {1'b0, is_wide};
  end

  logic take;
  assign req_ready_o = !busy_q && !stall_i;
  assign take = req_valid_i && req_ready_o;

  // ---- Pass. Which lanes share a bank, which a word, does not depend on the word of the access.
  logic        pass, part_end, fin, deliver;
  logic [SmemSerialStep-1:0] ser_q; // atomic: stage q + 1 .. q + 6
  mask_t       first, served, left; // first: lowest pending lane of its bank
  mask_t       lowest_one;          // pending lane: the one of an atomic
  mask_t       same_bank [LsuLanes], same_word [LsuLanes];  // of lane i and a lower lane
  assign pass = busy_q && !hold_i && !atomic_o;
  assign pass_o = pass;
  assign atomic_o = ser_q[4:0] != '0;
  for (genvar i = 0; i < LsuLanes; i++) begin : gen_same
    for (genvar j = 0; j < LsuLanes; j++) begin : gen_lower
      if (j < i) begin : gen_pair
        always_comb begin
          same_bank[i][j] = 'x;
          same_word[i][j] = 'x;
          if (pass) begin
            same_bank[i][j] = bank_q[i] == bank_q[j];
            same_word[i][j] = same_bank[i][j] && row_q[i] == row_q[j];
          end
        end
      end else begin : gen_none
        assign same_bank[i][j] = 1'b0;
        assign same_word[i][j] = 1'b0;
      end
    end
  end
  always_comb begin
    for (int unsigned i = 0; i < LsuLanes; i++) begin
      first[i] = pending_q[i] && (pending_q & same_bank[i]) == '0;
    end
    lowest_one = mask_t'(cells_pkg::lowest(64'(pending_q)));
    served = '0;
    if (is_atom) begin
      served = lowest_one;
    end else begin
      for (int unsigned i = 0; i < LsuLanes; i++) begin
        served[i] = first[i] || (!is_st && pending_q[i] && (first & same_word[i]) != '0);
      end
    end
    left = pending_q & ~served;
  end
  assign part_end = pass && left == '0;
  assign fin = is_atom ? ser_q[4] && pending_q == '0 : part_end && word_q == last_word;
  assign deliver = fin || (part_end && !is_st && !is_atom);

  // ---- Stage 1 (q + 1): crossbar towards the banks.
  logic       s1_q, s1_st_q;
  mask_t      s1_first_q;            // the lanes that choose a bank's row
  mask_t      s1_served_q;
  logic [1:0] s1_word_q, s1_ofs_q [LsuLanes];
  bank_t      s1_bank_q [LsuLanes];
  row_t       s1_row_q [LsuLanes];

  // The word that each port's lane puts up. Atomics: second word, first one (of cas those to compare
  // with), then as the steps of the ALU need them the high word and the low one (of cas the new
  // ones). Operations on mbarriers: the one word in both steps.
  logic [1:0]  word_sel;
  logic        store, store_sub;
  assign store = s1_q && s1_st_q;
  logic [31:0] word [LsuLanes];
  logic [3:0]  be [LsuLanes];
  always_comb begin
    unique case (1'b1)
      !is_atom: word_sel = s1_word_q;
      ser_q[0]: word_sel = 2'd1;
      ser_q[2]: word_sel = {is_cas, !is_mbar};
      ser_q[4]: word_sel = !is_cas ? 2'd0 : is_wide ? 2'd2 : 2'd1;
      default:  word_sel = 2'd0;
    endcase
    store_sub = is_byte || is_half;
  end
  for (genvar i = 0; i < LsuLanes; i++) begin : gen_word
    logic [31:0] words [4], w;
    for (genvar k = 0; k < 4; k++) begin : gen_operand
      assign words[k] = data_q[k][i];
    end
    word_mux #(.Words(4)) u_word (
      .en_i(store || ser_q[4:0] != '0), .at_i(word_sel), .x_i(words), .y_o(w)
    );
    logic [7:0] second;
    always_comb begin
      second = is_byte ? w[7:0] : w[15:8];
      word[i] = {store_sub ? second : w[31:24], store_sub ? w[7:0] : w[23:16], second, w[7:0]};
      be[i] = is_byte ? 4'b0001 << s1_ofs_q[i] :
              is_half ? {{2{s1_ofs_q[i][1]}}, {2{!s1_ofs_q[i][1]}}} : '1;
    end
  end

  // Serial unit: word to compare with, operand and old word of the step, second word to compare
  // with; new word of step 3 and of step 2.
  logic [31:0] cmp_q, val_q, old_q, cmp_high_q, ser_new, ser_high_q;

  // What even and odd banks write beside words of stores: the serial unit's new word, which comes
  // late, or one that is there already (of an mbarrier both).
  logic [1:0]  new_en;
  logic [31:0] early [2];
  logic [63:0] mbar_new;
  logic        mbar_step, mbar_misuse, mbar_complete;
  assign mbar_step = ser_q[5] && is_mbar;
  assign new_en = {ser_q[5] && !is_wide, ser_q[5] && !is_mbar};
  assign early[0] = (poke_data_i & {32{poke_i}}) | (mbar_new[31:0] & {32{mbar_step}});
  assign early[1] = (poke_data_i & {32{poke_i}}) | (mbar_new[63:32] & {32{mbar_step}}) |
                    (ser_high_q & {32{ser_q[5] && is_wide && !is_mbar}});

  // By bank the lane that chooses its row (and writes it).
  logic [SmemBanks-1:0] x_en;
  lane_t x_lane [SmemBanks];
  logic [31:0] x_data [SmemBanks];
  for (genvar b = 0; b < SmemBanks; b++) begin : gen_bank
    mask_t here;
    lane_t data_lane;
    logic [RowBits+3:0] x [LsuLanes], y;
    always_comb begin
      here = 'x;
      if (s1_q || ser_q[5]) begin
        for (int unsigned i = 0; i < LsuLanes; i++) begin
          here[i] = s1_first_q[i] && (s1_bank_q[i] == bank_t'(b) ||
                    (is_atom && is_wide && (s1_bank_q[i] | bank_t'(1)) == bank_t'(b)));
        end
      end
      x_en[b] = here != '0;
      x_lane[b] = index_of(here);
      // The lane of an atomic puts its words into the first column.
      data_lane = (b == 0 && is_atom) ? index_of(s1_first_q) : x_lane[b];
      for (int unsigned i = 0; i < LsuLanes; i++) x[i] = {be[i], s1_row_q[i]};
    end
    word_mux #(.Words(LsuLanes), .Zero(1'b1)) u_data (
      .en_i(store || (b == 0 && ser_q[4:0] != '0)), .at_i(data_lane), .x_i(word), .y_o(x_data[b])
    );
    word_mux #(.Words(LsuLanes), .Width(RowBits + 4)) u_row (
      .en_i(s1_q || ser_q[5]), .at_i(x_lane[b]), .x_i(x), .y_o(y)
    );
    assign bank_re_o[b] = s1_q && !s1_st_q && x_en[b];
    assign bank_we_o[b] = (store || (ser_q[5] && !mbar_misuse)) && x_en[b];
    assign bank_row_o[b] = y[RowBits-1:0];
    assign bank_be_o[b] = y[RowBits+3:RowBits];  // all ones for words
    // Words of lanes are zero but in a store's cycle and, in column 0, before an atomic's write.
    assign bank_wdata_o[b] = x_data[b] | early[b%2] | (ser_new & {32{new_en[b%2]}});
  end

  // Bank of the low word of the atomic.
  bank_t ser_bank;
  always_comb begin
    ser_bank = '0;
    for (int unsigned i = 0; i < LsuLanes; i++) if (s1_first_q[i]) ser_bank |= s1_bank_q[i];
  end

  // ---- Stage 2 (q + 2): read data, as they lie: the LSU picks and extends sub-words. An atomic's
  // lane sees its word, the high one in q + 3.
  logic        s2_q;
  mask_t       s2_served_q;
  mask_t       s2_parity_q;          // of a test of an mbarrier: the parity asked for, else 0
  bank_t       s2_bank_q [LsuLanes];
  logic [31:0] read [LsuLanes], res_q [LsuLanes], high_q [LsuLanes];
  logic        peek;
  bank_t       peek_bank;
  assign {peek, peek_bank} = {peek_i, peek_bank_i};
  assign peek_data_o = read[0];
  for (genvar i = 0; i < LsuLanes; i++) begin : gen_result
    word_mux #(.Words(SmemBanks)) u_read (
      .en_i(s2_q || ser_q[4:1] != '0 || peek), .at_i(s2_bank_q[i]), .x_i(bank_rdata_i),
      .y_o(read[i])
    );
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < LsuLanes; i++) begin
      if (s2_q && s2_served_q[i]) res_q[i] <= read[i] ^ {31'b0, s2_parity_q[i]};
      if ((s2_q || ser_q[2]) && s2_served_q[i]) high_q[i] <= read[i];
    end
  end
  // 64-bit atomics deliver both words at once, so the second word of a lane has its own register.
  logic [31:0] low [LsuLanes];
  logic [2:0]  test_q;              // like fin_q: of a test; no operation acts until it is delivered
  always_comb begin
    low = res_q;
    if (test_q[2]) for (int unsigned i = 0; i < LsuLanes; i++) low[i] = {res_q[i][0], mbar_gen_i};
  end
  assign rdata_o = '{low, high_q, res_q, res_q};

  // ---- Serial unit. What cas writes does not matter in step 0.
  atomic_alu u_serial (
    .clk_i, .step_i(ser_q[5:2] & {4{!is_mbar}}), .op_i(req_q.atom), .type_i(req_q.mtype), .flush_i(1'b0),
    .old_i(old_q), .val_i(val_q), .cmp_i(cmp_q), .new_o(ser_new)
  );
  always_ff @(posedge clk_i) begin
    if (ser_q[0]) cmp_high_q <= x_data[0];
    if (ser_q[1] || ser_q[2]) cmp_q <= ser_q[2] ? cmp_high_q : x_data[0];
    if (ser_q[1] || ser_q[2] || ser_q[4]) begin
      val_q <= x_data[0];
      old_q <= read[0];   // all lanes of an atomic look at one bank
    end
    if (ser_q[4]) ser_high_q <= ser_new;
  end

  // An mbarrier's object: the low word comes in step 0, the high one in step 1.
  mbarrier u_mbarrier (
    .clk_i, .step_i(ser_q[5:2] & {4{is_mbar}}), .op_i(mbar_op_e'(req_q.atom)), .old_i(old_q),
    .val_i(val_q), .new_o(mbar_new), .misuse_o(mbar_misuse), .complete_o(mbar_complete)
  );
  always_comb begin
    row_t row;
    row = 'x;
    mbar_act_o = 'x;
    mbar_act_o.complete = mbar_complete;
    mbar_act_o.misuse = mbar_misuse;
    if (mbar_step) begin
      row = '0;
      for (int unsigned i = 0; i < LsuLanes; i++) if (s1_first_q[i]) row |= s1_row_q[i];
      mbar_act_o.lane = index_of(s1_first_q);
      mbar_act_o.at = {row, ser_bank[BankBits-1:1]};
    end
  end

  // ---- Delivery: three cycles after the last pass of a part, or two after the unit is idle.
  logic [2:0] fin_q;
  smem_rsp_t  meta_q [3];
  assign rsp_valid_o = fin_q[2];
  assign rsp_o = meta_q[2];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      fresh_q <= 1'b0;
      s1_q <= 1'b0;
      s1_st_q <= 1'b0;
      s2_q <= 1'b0;
      ser_q <= '0;
      fin_q <= '0;
      test_q <= '0;
    end else begin
      if (take) busy_q <= 1'b1;
      else if (fin) busy_q <= 1'b0;
      fresh_q <= take;
      s1_q <= pass;
      s1_st_q <= pass && is_st;
      s2_q <= s1_q && !s1_st_q;
      ser_q <= {ser_q[4:0], pass && is_atom};
      fin_q <= {fin_q[1:0], deliver};
      test_q <= {test_q[1:0], deliver && is_test};
    end
  end

  always_ff @(posedge clk_i) begin
    // An idle unit takes in what it is shown, a request or not: `valid` comes late.
    if (!busy_q) begin
      req_q <= req_i;
      for (int unsigned i = 0; i < LsuLanes; i++) begin
        bank_q[i] <= addr_i[i][2 +: BankBits];
        row_q[i] <= addr_i[i][2 + BankBits +: RowBits];
        ofs_q[i] <= addr_i[i][1:0];
        for (int unsigned k = 0; k < 2; k++) data_q[k][i] <= wdata_i[k][i];
      end
      word_q <= '0;
      pending_q <= req_i.mask;
    end else if (pass) begin
      // The next part starts with all lanes.
      pending_q <= (part_end && !is_atom) ? req_q.mask : left;
      if (part_end) word_q <= word_q + 2'd1;
    end
    if (fresh_q) begin
      for (int unsigned k = 2; k < 4; k++) data_q[k] <= wdata_i[k];
    end
    if (pass) begin
      s1_served_q <= served;
      s1_first_q <= is_atom ? served : first;
      s1_word_q <= word_q;
      s1_row_q <= row_q;
      s1_ofs_q <= ofs_q;
      for (int unsigned i = 0; i < LsuLanes; i++) s1_bank_q[i] <= bank_q[i] | bank_t'(word_q);
    end
    if (s1_q) begin
      s2_served_q <= s1_served_q;
      for (int unsigned i = 0; i < LsuLanes; i++) s2_parity_q[i] <= is_test && data_q[0][i][0];
    end
    if (s1_q && !is_atom) s2_bank_q <= s1_bank_q;
    // In q + 1 the low word's bank, in q + 2 the high one's, in q + 3 the low one's again.
    if (is_atom && ser_q[2:0] != '0) begin
      for (int unsigned i = 0; i < LsuLanes; i++) begin
        s2_bank_q[i] <= ser_bank | bank_t'(ser_q[1] && is_wide);
      end
    end
    if (peek) s2_bank_q[0] <= peek_bank;
    if (deliver) begin
      meta_q[0] <= '{bulk: req_q.bulk, slot: req_q.slot, beat: req_q.beat, mask: req_q.mask,
                     words: is_st ? 4'b0000 : is_atom ? {2'b00, is_wide, 1'b1}
                                                      : 4'b0001 << word_q,
                     last: fin};
    end
    if (fin_q[0]) meta_q[1] <= meta_q[0];
    if (fin_q[1]) meta_q[2] <= meta_q[1];
  end

  assign rest_o = !busy_q && !fresh_q && !s1_q && !s1_st_q && !s2_q && ser_q == '0 &&
                  fin_q == '0;

  `WL_ASSERT(OnePort, (bank_re_o & bank_we_o) == '0)
  `WL_ASSERT(PassServes, !pass || served != '0 || pending_q == '0)
  `WL_ASSERT(ServesPending, !pass || (served & ~pending_q) == '0)
  `WL_ASSERT(OneSerial, $onehot0(ser_q))
  `WL_ASSERT(TestsAlone, !(test_q != '0 && (mbar_act_o.complete || mbar_act_o.misuse)))
endmodule
