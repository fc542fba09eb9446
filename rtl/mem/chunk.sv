// Chunk port of shared memory (docs/microarchitecture.md 11b): a second way to the banks, for units
// that move chunks of 16 bytes. Chooses one requester and grants it in a cycle in which the lane
// port leaves the banks of the next cycle alone. The banks are accessed in the cycle after the
// grant; the answer of a load comes a cycle later. Does not see the lanes' requests: smem.sv joins
// the two at the banks.
`include "cells/assert.svh"

module chunk
  import wl_pkg::AgeLimit;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
#(
  parameter int unsigned Requesters = 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   stall_i,   // disturbance (17)
  // Requesters: a request stays until it is granted. That of the copy engine may change (23.3).
  input  chunk_req_t             req_i [Requesters],
  output logic [Requesters-1:0]  grant_o,
  output chunk_rsp_t             rsp_o,
  output logic                   rest_o,    // no answer pending, no losses (15)
  // Lane port.
  input  logic                   pass_i,    // a pass starts in this cycle
  input  logic                   atomic_i,  // a pass of an atomic is under way
  output logic                   hold_o,    // none may start in this cycle
  // Banks, in the cycle after the grant; read data come in the cycle after that.
  output logic                   access_o,
  output logic [SmemBanks-1:0]   bank_re_o,
  output logic [SmemBanks-1:0]   bank_we_o,
  output logic [SmemRowBits-1:0] bank_row_o   [SmemBanks],
  output logic [3:0]             bank_be_o    [SmemBanks],
  output logic [31:0]            bank_wdata_o [SmemBanks],
  input  logic [31:0]            bank_rdata_i [SmemBanks]
);
  localparam logic [3:0] Limit = 4'(AgeLimit);
  typedef logic [ChunkNumberBits-1:0] number_t;

  // ---- Choice and grant.
  logic [Requesters-1:0] valid, pick;
  logic                  any, grant, blocked;
  chunk_req_t            chosen;
  number_t               number;
  assign any = valid != '0;
  assign blocked = pass_i || atomic_i;
  assign grant = any && !blocked && !stall_i;
  assign grant_o = grant ? pick : '0;
  always_comb begin
    for (int unsigned i = 0; i < Requesters; i++) valid[i] = req_i[i].valid;
    chosen = 'x;
    number = 'x;
    if (grant) begin
      chosen = '0;
      number = '0;
      for (int unsigned i = 0; i < Requesters; i++) begin
        if (pick[i]) begin
          chosen |= req_i[i];
          number |= number_t'(i);
        end
      end
    end
  end
  age_arbiter #(.Sources(Requesters), .Limit(AgeLimit)) u_arbiter (
    .clk_i, .rst_ni, .valid_i(valid), .pick_o(pick), .taken_i(grant)
  );

  // chunk.lost: cycles in a row that the lane port took.
  logic [3:0] lost_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) lost_q <= '0;
    else if (!stall_i) begin
      if (!any || grant) lost_q <= '0;
      else if (lost_q != '1) lost_q <= lost_q + 4'd1;
    end
  end
  assign hold_o = lost_q >= Limit;

  // ---- Access: the request in the cycle after its grant.
  // verilator lint_off UNUSEDSIGNAL // it is valid
  chunk_req_t access_q;
  // verilator lint_on UNUSEDSIGNAL
  logic       now_q;
  number_t    number_q;
  always_ff @(posedge clk_i) begin
    now_q <= rst_ni && grant;
    if (grant) begin
      access_q <= chosen;
      number_q <= number;
    end
  end
  assign access_o = now_q;
  for (genvar b = 0; b < SmemBanks; b++) begin : gen_bank
    chunk_quad_t quad;
    assign quad = access_q.quad[b/4];
    assign bank_re_o[b] = now_q && quad.valid && !access_q.store;
    assign bank_we_o[b] = now_q && quad.valid && access_q.store && bank_be_o[b] != '0;
    assign bank_row_o[b] = quad.row;
    assign bank_be_o[b] = quad.bytes[4*(b%4)+:4];
    assign bank_wdata_o[b] = quad.data[32*(b%4)+:32];
  end

  // ---- Answer: the banks' words with the tag of their request.
  logic                    answer_q;
  number_t                 answer_number_q;
  logic [ChunkTagBits-1:0] answer_tag_q;
  always_ff @(posedge clk_i) begin
    answer_q <= rst_ni && now_q && !access_q.store;
    answer_number_q <= number_q;
    answer_tag_q <= access_q.tag;
  end
  always_comb begin
    rsp_o = 'x;
    rsp_o.valid = answer_q;
    if (answer_q) begin
      rsp_o.requester = answer_number_q;
      rsp_o.tag = answer_tag_q;
      for (int unsigned b = 0; b < SmemBanks; b++) begin
        rsp_o.data[b/4][32*(b%4)+:32] = bank_rdata_i[b];
      end
    end
  end

  // A requester that does not present has no losses in the next cycle, and one that presents stays.
  logic idle_q;
  always_ff @(posedge clk_i) idle_q <= !rst_ni || !any;
  assign rest_o = idle_q && !now_q && !answer_q && lost_q == '0;

  `WL_ASSERT(GrantsChosen, (grant_o & ~pick) == '0 && (grant_o != '0) == grant)
  `WL_ASSERT(HeldPassWaits, !(hold_o && pass_i))
  `WL_ASSERT(AccessAlone, !now_q || (bank_re_o & bank_we_o) == '0)
  `WL_ASSERT(LostWaits, lost_q == '0 || any)
  for (genvar i = 0; i < Requesters; i++) begin : gen_checks
    if (Copy != 0 && i == ChunkCopy) begin : gen_changes
      `WL_ASSERT_HELD(RequestStays, req_i[i].valid, grant_o[i], req_i[i].valid)
    end else begin : gen_stays
      `WL_ASSERT_HELD(RequestStays, req_i[i].valid, grant_o[i], req_i[i])
    end
  end
endmodule
