// Conflict solver of shared memory (docs/microarchitecture.md 11): of a request each lane in the mask
// is served exactly once in each part, no other lane ever; lanes served together need one row of a
// bank (stores with SmemWide = 0 and atomics: one lane per bank); the banks' ports show the served
// lane's row and, for stores, its word; every request is answered once, after a bounded time, with
// its own slot, beat and mask. Assumed, from section 10: accesses are aligned, atomics are of 32 or
// 64 bit, CAS and f32 among them, with Atom128 exch and cas of 128, operations on mbarriers of 64. Not
// here: values of atomics and of loads (lockstep compares them).
module smem_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
#(
  localparam int unsigned RowBits = $clog2(SmemBytes / 4 / SmemBanks),
  localparam int unsigned BankBits = $clog2(SmemBanks),
  localparam int unsigned LaneBits = $clog2(LsuLanes),
  localparam int unsigned AddrBits = RowBits + BankBits + 2
) (
  input logic                stall_i,
  input logic                clk_i,
  input logic                valid_i,
  input smem_req_t           req_i,
  input logic [AddrBits-1:0] at_i [LsuLanes],
  input logic [7:0]          word_i [4][LsuLanes],
  input logic [LaneBits-1:0] watched_i,
  input logic [LaneBits-1:0] other_i
);
  typedef logic [LaneBits-1:0] lane_t;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // One byte of each word is looked at.
  logic [31:0] addr [LsuLanes], wdata [4][LsuLanes];
  for (genvar i = 0; i < LsuLanes; i++) begin : gen_lane
    assign addr[i] = 32'(at_i[i]);
    for (genvar k = 0; k < 4; k++) begin : gen_word
      assign wdata[k][i] = {24'd0, word_i[k][i]};
    end
  end

  logic ready, rsp_valid;
  smem_rsp_t rsp;
  logic [31:0] rdata [4][LsuLanes];
  logic [SmemBanks-1:0] re, we;
  logic [RowBits-1:0]   row [SmemBanks];
  logic [3:0]           be [SmemBanks];
  logic [31:0]          bank_wdata [SmemBanks], bank_rdata [SmemBanks];
  for (genvar b = 0; b < SmemBanks; b++) begin : gen_bank
    assign bank_rdata[b] = '0;
  end
  logic pass;
  logic [LsuLanes-1:0] served;
  if (SmemWide == 1) begin : gen_unit
    smem_wide dut (
      .rest_o(), .hold_i(1'b0), .atomic_o(), .pass_o(),
      .clk_i, .rst_ni(rst_n), .stall_i, .req_valid_i(valid_i), .req_ready_o(ready), .req_i,
      .addr_i(addr), .wdata_i(wdata), .more_i(wdata), .rsp_valid_o(rsp_valid), .rsp_o(rsp),
      .rdata_o(rdata),
      .mbar_gen_i('0), .mbar_act_o(),
      .bank_re_o(re), .bank_we_o(we), .bank_row_o(row), .bank_be_o(be),
      .bank_wdata_o(bank_wdata), .bank_rdata_i(bank_rdata)
    );
    assign pass = dut.pass;
    assign served = dut.served;
  end else begin : gen_unit
    smem_narrow dut (
      .poke_i('0), .poke_data_i('0), .peek_i('0), .peek_bank_i('0), .peek_data_o(), .rest_o(),
      .hold_i(1'b0), .atomic_o(), .pass_o(),
      .clk_i, .rst_ni(rst_n), .stall_i, .req_valid_i(valid_i), .req_ready_o(ready), .req_i,
      .addr_i(addr), .wdata_i(wdata), .rsp_valid_o(rsp_valid), .rsp_o(rsp), .rdata_o(rdata),
      .mbar_gen_i('0), .mbar_act_o(),
      .bank_re_o(re), .bank_we_o(we), .bank_row_o(row), .bank_be_o(be),
      .bank_wdata_o(bank_wdata), .bank_rdata_i(bank_rdata)
    );
    assign pass = dut.pass;
    assign served = dut.served;
  end

  function automatic logic [2:0] size_of(input mem_type_e t);
    unique case (t)
      MemTypeU8, MemTypeS8, MemTypeB8:    return 3'd0;
      MemTypeU16, MemTypeS16, MemTypeB16: return 3'd1;
      MemTypeB64, MemTypeU64, MemTypeS64: return 3'd3;
      MemTypeB128:                        return 3'd4;
      default:                            return 3'd2;
    endcase
  endfunction

  // Two lanes of the request under way.
  lane_t a, b;
  logic  take;
  assign take = rst_n && valid_i && ready;
  smem_req_t           req_q;
  logic [AddrBits-1:0] at_q, other_at_q;
  logic [7:0]          word_q;          // word 0 of lane a
  logic                busy_q, answer_q;
  logic [2:0]          times_q;         // how often lane a was served
  logic [6:0]          age_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      a <= watched_i;
      b <= other_i;
      busy_q <= 1'b0;
    end else begin
      if (take) busy_q <= 1'b1;
      else if (busy_q && ready) busy_q <= 1'b0;   // (a stall shows an idle unit late)
    end
    if (take) begin
      req_q <= req_i;
      at_q <= at_i[a];
      other_at_q <= at_i[b];
      word_q <= word_i[0][a];
      times_q <= '0;
    end else if (pass && served[a]) begin
      times_q <= times_q + 3'd1;
    end
    if (take) age_q <= '0;
    else if (age_q != '1) age_q <= age_q + 7'd1;
  end

  logic [2:0] size, parts;
  logic       is_st, is_atom, serial;
  assign size = size_of(req_q.mtype);
  assign is_st = req_q.kind == MemKindSt;
  assign is_atom = req_q.kind == MemKindAtom || req_q.kind == MemKindMbar;
  assign serial = is_atom && (SmemBankAtoms == 0 || size >= 3'd3 || req_q.atom == AtomCas ||
                              req_q.mtype == MemTypeF32);
  // With SmemWide = 0 each lane is served in each part, else in its own.
  assign parts = (SmemWide == 1 || is_atom) ? 3'd1 : (size == 3'd4) ? 3'd4
               : (size == 3'd3) ? 3'd2 : 3'd1;

  // Banks of the two lanes.
  logic [BankBits-1:0] bank_a, bank_b;
  logic [RowBits-1:0]  row_a, row_b;
  assign {row_a, bank_a} = at_q[AddrBits-1:2];
  assign {row_b, bank_b} = other_at_q[AddrBits-1:2];

  // The pass of the cycle before: the banks are accessed now.
  logic s1_q, s1_a_q, s1_high_q, higher;   // a higher lane of the pass writes the same bank
  always_comb begin
    higher = 1'b0;
    for (int unsigned i = 0; i < LsuLanes; i++) begin
      if (i > 32'(a) && served[i] && gen_unit.dut.bank_q[i] == bank_a) higher = 1'b1;
    end
  end
  logic [2:0] s1_part_q;
  always_ff @(posedge clk_i) begin
    s1_q <= rst_n && pass;
    s1_a_q <= served[a];
    s1_part_q <= times_q;
    s1_high_q <= higher;
  end
  logic [BankBits-1:0] bank_now;   // of the word that a part accesses first
  assign bank_now = (SmemWide == 1) ? bank_a : bank_a | BankBits'(s1_part_q);

  // Requests and answers: at most one request is under way and two answers on their way.
  logic [1:0] open_q;
  logic       last;
  assign last = rsp_valid && rsp.last;
  always_ff @(posedge clk_i) begin
    if (!rst_n) open_q <= '0;
    else open_q <= open_q + 2'(take) - 2'(last);
  end

  localparam int unsigned Most = LsuLanes * SmemSerialStep;

  always @(posedge clk_i) begin
    assume (32'(watched_i) < LsuLanes && 32'(other_i) < LsuLanes && watched_i != other_i);
    assume (req_i.kind <= MemKindAtom || req_i.kind == MemKindMbar || req_i.kind == MemKindMbtest);
    assume (req_i.mtype <= MemTypeF32 && req_i.mask != '0);
    for (int unsigned i = 0; i < LsuLanes; i++) begin
      assume ((at_i[i] & AddrBits'((32'd1 << size_of(req_i.mtype)) - 1)) == '0);
    end
    if (req_i.kind == MemKindMbar) assume (req_i.mtype == MemTypeB64 && 4'(req_i.atom) <= 4'(MbarDroptx));
    if (req_i.kind == MemKindMbtest) assume (req_i.mtype == MemTypeB32 && req_i.atom == AtomNone);
    if (req_i.kind == MemKindAtom) begin
      assume (size_of(req_i.mtype) == 3'd2 || size_of(req_i.mtype) == 3'd3 ||
              (Atom128 != 0 && req_i.mtype == MemTypeB128 &&
               (req_i.atom == AtomExch || req_i.atom == AtomCas)));
    end
    if (rst_n) begin
      if (pass) begin
        a_busy: assert (busy_q);
        a_some: assert (served != '0);
        a_only: assert (!served[a] || (req_q.mask[a] && times_q < parts));
        if (served[a] && served[b] && bank_a == bank_b) begin
          a_bank: assert (row_a == row_b);
          a_alone: assert (!is_atom && !(is_st && SmemWide == 0));
        end
        if (serial && served[a]) a_serial: assert (!served[b]);
      end
      if (busy_q && (ready || stall_i) && age_q > 7'd1 && !gen_unit.dut.busy_q) begin
        a_all: assert (times_q == (req_q.mask[a] ? parts : 3'd0));
      end
      if (s1_q && s1_a_q && !serial) begin
        a_row: assert (row[bank_now] == row_a);
        if (is_st) begin
          a_store: assert (we[bank_now]);
          if (size >= 3'd2) a_bytes: assert (be[bank_now] == '1);
          if (size >= 3'd2 && s1_part_q == '0 && !s1_high_q) begin
            a_data: assert (bank_wdata[bank_now][7:0] == word_q);
          end
          if (size < 3'd2) a_byte: assert (be[bank_now][at_q[1:0]]);
        end else begin
          a_read: assert (re[bank_now]);
        end
      end
      if (gen_unit.dut.busy_q) a_time: assert (32'(age_q) <= Most);
      a_answers: assert (open_q != 2'd3 && (!rsp_valid || open_q != '0));
      c_conflict: cover (last && times_q == 3'd1 && age_q > 7'd3 && req_q.mask == '1 && !is_atom);
      c_wide: cover (s1_q && s1_a_q && size == 3'd4 && is_st);
      c_shared: cover (pass && served[a] && served[b] && bank_a == bank_b && size == 3'd0);
      c_serial: cover (pass && serial && served[a] && req_q.atom == AtomCas && age_q > 7'd4);
      c_next: cover (take && open_q != '0);
      c_stall: cover (stall_i && valid_i && !busy_q);
      if (Atom128 != 0) begin
        c_quad: cover (pass && served[a] && is_atom && size == 3'd4 && age_q > 7'd4);
      end
      c_mbarrier: cover (pass && served[a] && req_q.kind == MemKindMbar && age_q > 7'd4);
    end
  end
endmodule
