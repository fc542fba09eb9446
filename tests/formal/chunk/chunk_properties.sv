// Chunk port beside the lane port (docs/microarchitecture.md 11b): who uses the banks when, how long
// each waits for the other, and answers. Assumed: a requester presents until it is granted (11b), and its
// request stays but that of the copy engine, which may change (23.3); sections 10 and 11 about the
// lanes' requests, as in smem_properties. Not here: contents of the banks (bench rtl/smem_chunk_*), the
// order among requesters (age_arbiter).
module chunk_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
#(
  localparam int unsigned BankBits = $clog2(SmemBanks),
  localparam int unsigned AddrBits = SmemRowBits + BankBits + 2
) (
  input logic                clk_i,
  input logic                stall_i,
  input logic                valid_i,
  input smem_req_t           req_i,
  input logic [AddrBits-1:0] at_i [LsuLanes],
  input logic                chunk_stall_i,
  input logic [1:0]          present_i,   // a requester has a new request
  input logic [1:0]          store_i,
  input logic [1:0]          tag_i [2]
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  function automatic logic [2:0] size_of(input mem_type_e t);
    unique case (t)
      MemTypeU8, MemTypeS8, MemTypeB8:    return 3'd0;
      MemTypeU16, MemTypeS16, MemTypeB16: return 3'd1;
      MemTypeB64, MemTypeU64, MemTypeS64: return 3'd3;
      MemTypeB128:                        return 3'd4;
      default:                            return 3'd2;
    endcase
  endfunction

  // Requesters: a request waits in a register, the copy engine's may be another one in each cycle. Quad 0
  // only: the others are alike.
  logic [1:0] waits_q, store_q, grant;
  logic [1:0] tag_q [2];
  chunk_req_t chunk [2];
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) begin
      if (!rst_n) waits_q[i] <= 1'b0;
      else if (!waits_q[i] || grant[i]) waits_q[i] <= present_i[i];
      if (!waits_q[i] || grant[i] || i == ChunkCopy) begin
        store_q[i] <= store_i[i];
        tag_q[i] <= tag_i[i];
      end
    end
  end
  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      chunk[i] = '0;
      chunk[i].valid = waits_q[i];
      chunk[i].store = store_q[i];
      chunk[i].tag = ChunkTagBits'(tag_q[i]);
      chunk[i].quad[0].valid = 1'b1;
      chunk[i].quad[0].bytes = '1;
    end
  end

  logic [31:0] addr [LsuLanes], wdata [4][LsuLanes];
  logic [LsuLanes-1:0][31:0] more [4];
  assign more = '{default: '0};
  for (genvar i = 0; i < LsuLanes; i++) begin : gen_lane
    assign addr[i] = 32'(at_i[i]);
    for (genvar k = 0; k < 4; k++) begin : gen_word
      assign wdata[k][i] = '0;
    end
  end
  logic ready, pass, rest;
  chunk_rsp_t rsp;
  smem #(.Chunks(2)) dut (
    .clk_i, .rst_ni(rst_n), .stall_i, .poke_i('0), .peek_i('0), .peek_data_o(),
    .req_valid_i(valid_i), .req_ready_o(ready), .pass_o(pass), .rest_o(rest), .req_i,
    .addr_i(addr), .wdata_i(wdata), .more_i(more), .rsp_valid_o(), .rsp_o(), .rdata_o(),
    .start_i(1'b0), .mbar_complete_o(), .mbar_gen_o(), .mbar_misuse_o(),
    .chunk_stall_i, .chunk_i(chunk), .chunk_grant_o(grant), .chunk_rsp_o(rsp)
  );

  // The request of the lanes under way, and for how many cycles after this one its atomic's pass has
  // the banks.
  smem_req_t  lanes_q;
  logic       serial;
  logic [2:0] cycles, atomic_q;
  assign serial = SmemBankAtoms == 0 || size_of(lanes_q.mtype) >= 3'd3 ||
                  lanes_q.atom == AtomCas || lanes_q.mtype == MemTypeF32;
  assign cycles = serial ? 3'(SmemSerialStep) : 3'd2;
  always_ff @(posedge clk_i) begin
    if (valid_i && ready) lanes_q <= req_i;
    if (!rst_n) atomic_q <= '0;
    else if (pass && (lanes_q.kind == MemKindAtom || lanes_q.kind == MemKindMbar)) atomic_q <= cycles;
    else if (atomic_q != '0) atomic_q <= atomic_q - 3'd1;
  end

  // Waits: of the chosen requester in cycles without a stall; of a pass for the chunk port.
  logic [5:0] waited_q;
  logic       held;
  logic [3:0] since_q;   // cycles without a held pass
  if (SmemWide == 1) begin : gen_busy
    assign held = dut.gen_wide.u_ctl.busy_q && !pass && atomic_q <= 3'd1;
  end else begin : gen_busy
    assign held = dut.gen_narrow.u_ctl.busy_q && !pass && atomic_q <= 3'd1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n || chunk_stall_i || waits_q == '0 || grant != '0) waited_q <= '0;
    else waited_q <= waited_q + 6'd1;
    if (!rst_n) since_q <= '1;
    else if (held) since_q <= '0;
    else if (since_q != '1) since_q <= since_q + 4'd1;
  end
  logic stalled_q;       // a stall since the last held pass
  always_ff @(posedge clk_i) begin
    if (!rst_n) stalled_q <= 1'b0;
    else stalled_q <= chunk_stall_i || (stalled_q && !held);
  end

  // Loads on their way to the answer.
  logic [1:0] load_q;
  logic [1:0] load_tag_q [2];
  logic [1:0] load_by_q;
  always_ff @(posedge clk_i) begin
    load_q <= {rst_n && load_q[0], rst_n && (grant & ~store_q) != '0};
    load_tag_q[0] <= grant[1] ? tag_q[1] : tag_q[0];
    load_tag_q[1] <= load_tag_q[0];
    load_by_q <= {load_by_q[0], grant[1]};
  end

  logic access;
  assign access = dut.gen_chunk.access;
  // What was granted in the last cycle; the copy engine wanted to load then, and waited.
  logic granted_q, granted_store_q, loads_q;
  always_ff @(posedge clk_i) begin
    granted_q <= rst_n && grant != '0;
    granted_store_q <= (grant & store_q) != '0;
    loads_q <= rst_n && waits_q[ChunkCopy] && !grant[ChunkCopy] && !store_q[ChunkCopy];
  end
  always @(posedge clk_i) begin
    assume (req_i.kind <= MemKindAtom || req_i.kind == MemKindMbar || req_i.kind == MemKindMbtest);
    assume (req_i.mtype <= MemTypeF32 && req_i.mask != '0);
    for (int unsigned i = 0; i < LsuLanes; i++) begin
      assume ((at_i[i] & AddrBits'((32'd1 << size_of(req_i.mtype)) - 1)) == '0);
    end
    if (req_i.kind == MemKindMbar) assume (req_i.mtype == MemTypeB64 && 4'(req_i.atom) <= 4'(MbarDroptx));
    if (req_i.kind == MemKindMbtest) assume (req_i.mtype == MemTypeB32 && req_i.atom == AtomNone);
    if (req_i.kind == MemKindAtom) begin
      assume (size_of(req_i.mtype) == 3'd2 || size_of(req_i.mtype) == 3'd3);
    end
    if (rst_n) begin
      a_one: assert ($onehot0(grant) && (grant & ~waits_q) == '0);
      a_stall: assert (!chunk_stall_i || grant == '0);
      a_banks: assert (!access || (dut.lane_re | dut.lane_we) == '0);
      a_access: assert (access == granted_q);
      a_kind: assert (!access || (dut.we != '0) == granted_store_q);
      a_atomic: assert (!access || atomic_q == '0);
      a_bound: assert (32'(waited_q) <= AgeLimit + SmemSerialStep);
      a_held: assert (!held || stalled_q || chunk_stall_i || 32'(since_q) >= AgeLimit);
      a_why: assert (!held || waits_q != '0);
      a_answer: assert (rsp.valid == load_q[1]);
      if (rsp.valid) begin
        a_tag: assert (rsp.tag == ChunkTagBits'(load_tag_q[1]));
        a_whose: assert (rsp.requester == ChunkNumberBits'(load_by_q[1]));
      end
      a_rest: assert (!rest || (load_q == '0 && !access));
      c_answer: cover (rsp.valid && load_q == 2'b11 && rsp.requester == '0);
      c_held: cover (held);
      c_between: cover (grant != '0 && atomic_q == 3'd1);
      c_store: cover (access && dut.we != '0);
      c_changes: cover (loads_q && grant[ChunkCopy] && store_q[ChunkCopy]);
      c_late: cover (32'(waited_q) >= AgeLimit && grant != '0);
    end
  end
endmodule
