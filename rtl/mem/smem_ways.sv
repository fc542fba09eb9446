// A commit (docs/microarchitecture.md 25.8), then the copy engine's signal (23.3) before the requests of
// the LSU to shared memory (11, 22.1), and whose a delivery is. Changes nothing of the LSU's own two ways (lsu_ports.sv):
// while there is a signal shared memory is not ready for them.
module smem_ways
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import copy_pkg::copy_signal_t;
  import umma_pkg::umma_signal_t;
(
  // Copy engine.
  input  copy_signal_t signal_i,
  output logic         signal_taken_o,
  output logic         delivered_o,      // of the signal
  output logic         misuse_o,
  // Products in tensor memory.
  input  umma_signal_t commit_i,
  output logic         commit_taken_o,
  output logic         commit_delivered_o,
  output logic         commit_misuse_o,
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
  input  logic         rsp_bulk_i,       // it is that of a signal or commit
  input  logic         rsp_commit_i,     // of a commit
  input  mbar_misuse_t misuse_i
);
  logic commits, signals;
  assign commits = Umma != 0 && commit_i.valid;
  assign signals = Copy != 0 && signal_i.valid && !commits;
  assign valid_o = lsu_valid_i || signals || commits;
  assign lsu_ready_o = ready_i && !signals && !commits;
  assign commit_taken_o = ready_i && commits;
  assign signal_taken_o = ready_i && signals;

  // MBAR COMPLETE, or ARRIVE with 1, of one lane; the lowest bit of the slot tells whose. Words beside the first one are the LSU's: words 2 and 3 come a cycle
  // after its request.
  always_comb begin
    req_o = lsu_req_i;
    addr_o = lsu_addr_i;
    wdata_o = lsu_wdata_i;
    if (signals || commits) begin
      req_o.bulk = 1'b1;
      req_o.slot = SlotBits'(commits);
      req_o.kind = MemKindMbar;
      req_o.mtype = MemTypeB64;
      req_o.atom = atom_op_e'(commits ? MbarArrive : MbarComplete);
      req_o.beat = '0;
      req_o.mask = LsuLanes'(1);
      addr_o[0] = commits ? commit_i.at : signal_i.at;
      wdata_o[0][0] = commits ? 32'd1 : signal_i.bytes;
    end
  end

  logic bulk, commit;
  assign bulk = (Copy != 0 || Umma != 0) && rsp_bulk_i;
  assign commit = Umma != 0 && rsp_commit_i;
  assign lsu_rsp_valid_o = rsp_valid_i && !bulk;
  assign delivered_o = rsp_valid_i && bulk && !commit;
  assign misuse_o = misuse_i.valid && bulk && !commit;
  assign commit_delivered_o = rsp_valid_i && bulk && commit;
  assign commit_misuse_o = misuse_i.valid && bulk && commit;
  always_comb begin
    lsu_misuse_o = misuse_i;
    lsu_misuse_o.valid = misuse_i.valid && !bulk;
  end
endmodule
