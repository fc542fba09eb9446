// The copy engine's signal (docs/microarchitecture.md 23.3) before the requests of the LSU to shared
// memory (11, 22.1), and whose a delivery is. Changes nothing of the LSU's own two ways (lsu_ports.sv):
// while there is a signal shared memory is not ready for them.
module smem_ways
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import copy_pkg::copy_signal_t;
(
  // Copy engine.
  input  copy_signal_t signal_i,
  output logic         signal_taken_o,
  output logic         delivered_o,      // of the signal
  output logic         misuse_o,
  // LSU.
  input  logic         lsu_valid_i,
  output logic         lsu_ready_o,
  input  smem_req_t    lsu_req_i,
  input  logic [31:0]  lsu_addr_i [LsuLanes],
  input  logic [31:0]  lsu_wdata_i [4][LsuLanes],
  output logic         lsu_rsp_valid_o,
  output mbar_misuse_t lsu_misuse_o,
  // Shared memory.
  output logic         valid_o,
  input  logic         ready_i,
  output smem_req_t    req_o,
  output logic [31:0]  addr_o [LsuLanes],
  output logic [31:0]  wdata_o [4][LsuLanes],
  input  logic         rsp_valid_i,
  input  logic         rsp_bulk_i,       // it is that of a signal
  input  mbar_misuse_t misuse_i
);
  logic signals;
  assign signals = Copy != 0 && signal_i.valid;
  assign valid_o = lsu_valid_i || signals;
  assign lsu_ready_o = ready_i && !signals;
  assign signal_taken_o = ready_i && signals;

  // MBAR COMPLETE of one lane. Words beside the first one are the LSU's: words 2 and 3 come a cycle
  // after its request.
  always_comb begin
    req_o = lsu_req_i;
    addr_o = lsu_addr_i;
    wdata_o = lsu_wdata_i;
    if (signals) begin
      req_o.bulk = 1'b1;
      req_o.kind = MemKindMbar;
      req_o.mtype = MemTypeB64;
      req_o.atom = atom_op_e'(MbarComplete);
      req_o.beat = '0;
      req_o.mask = LsuLanes'(1);
      addr_o[0] = signal_i.at;
      wdata_o[0][0] = signal_i.bytes;
    end
  end

  logic bulk;
  assign bulk = Copy != 0 && rsp_bulk_i;
  assign lsu_rsp_valid_o = rsp_valid_i && !bulk;
  assign delivered_o = rsp_valid_i && bulk;
  assign misuse_o = misuse_i.valid && bulk;
  always_comb begin
    lsu_misuse_o = misuse_i;
    lsu_misuse_o.valid = misuse_i.valid && !bulk;
  end
endmodule
