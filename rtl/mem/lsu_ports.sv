// LSU: the two ways to shared memory (docs/microarchitecture.md 22.1): requests of the processor, and
// those that write-back offers for slots of deferred forms. Who had the last request comes second.
`include "cells/assert.svh"
module lsu_ports
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import lsu_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [SmemBits-11:0] cta_base_i [Ctas],   // KiB
  input  logic [CtaBits-1:0]  warp_cta_i [Warps],
  // Processor.
  input  logic                valid_i,
  output logic                ready_o,
  input  smem_req_t           req_i,
  input  logic [31:0]         addr_i  [LsuLanes],
  input  logic [31:0]         wdata_i [4][LsuLanes],
  // Write-back.
  input  offer_t              offer_i,
  input  logic [SmemBits-1:0] dest_i [LsuLanes],    // place in the CTA's part
  input  logic [31:0]         data_i [LsuLanes],    // the copy's word
  output logic                taken_o,
  // Shared memory.
  output logic                valid_o,
  input  logic                ready_i,
  output smem_req_t           req_o,
  output logic [31:0]         addr_o  [LsuLanes],
  output logic [31:0]         wdata_o [4][LsuLanes]
);
  logic smem_turn_q;   // write-back comes first
  logic offers;        // write-back's request is the one
  assign offers = offer_i.valid && (smem_turn_q || !valid_i);
  assign valid_o = valid_i || offer_i.valid;
  assign ready_o = ready_i && !offers;
  assign taken_o = ready_i && offers;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) smem_turn_q <= 1'b0;
    else if (valid_o && ready_i) smem_turn_q <= !offers;
  end

  always_comb begin
    logic [SmemBits-11:0] base;
    base = 'x;
    req_o = req_i;
    addr_o = addr_i;
    // Words beside the first are the processor's: words 2 and 3 come a cycle after its request.
    wdata_o = wdata_i;
    req_o.bulk = 1'b0;
    if (offers) begin
      base = cta_base_i[warp_cta_i[offer_i.warp]];
      req_o.slot = offer_i.slot;
      req_o.kind = offer_i.arrive ? MemKindMbar : MemKindSt;
      req_o.mtype = offer_i.arrive ? MemTypeB64 : MemTypeB32;
      req_o.atom = offer_i.arrive ? atom_op_e'(MbarArrive) : AtomNone;
      req_o.beat = offer_i.beat;
      req_o.mask = offer_i.mask;
      for (int i = 0; i < int'(LsuLanes); i++) begin
        // A place is a multiple of the copy's size.
        addr_o[i] = 32'({base + dest_i[i][SmemBits-1:10], dest_i[i][9:4],
                         dest_i[i][3:2] | offer_i.word, dest_i[i][1:0]});
        wdata_o[0][i] = offer_i.arrive ? 32'd1 : data_i[i];
      end
    end
  end

  `WL_ASSERT(OffersLanes, !offer_i.valid || offer_i.mask != '0)
  `WL_ASSERT(OneTaken, !(valid_i && ready_o && taken_o))
endmodule
