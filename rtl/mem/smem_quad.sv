// Serial atomics of 16 bytes of shared memory (docs/microarchitecture.md 11; option Atom128): exch and
// cas of the lane that a pass serves. The four words are compared in the first of the serial unit's
// last four stages and written in the last one, all at once. Without such a request nothing is done.
`include "cells/assert.svh"
module smem_quad
  import config_pkg::*;
  import smem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // A pass starts.
  input  logic        pass_i,
  input  logic        is_cas_i,
  input  smem_lane_t  lead_i,                // the lane it serves
  input  logic [31:0] data_i [4][LsuLanes],  // words 0 to 3: cas: to compare with; exch: new
  input  logic [31:0] more_i [4][LsuLanes],  // cas: new; stay while the request is under way
  // Stages.
  input  logic        compare_i,
  input  logic        write_i,
  input  logic [31:0] old_i [4],             // in both
  output logic [31:0] new_o [4]
);
  logic        cas_q, same_q;
  logic [31:0] val_q [4], cmp_q [4];
  always_ff @(posedge clk_i) begin
    if (pass_i) begin
      cas_q <= is_cas_i;
      for (int k = 0; k < 4; k++) begin
        val_q[k] <= is_cas_i ? more_i[k][lead_i] : data_i[k][lead_i];
        if (is_cas_i) cmp_q[k] <= data_i[k][lead_i];
      end
    end
    if (compare_i) begin
      logic same;
      same = 1'b1;
      for (int k = 0; k < 4; k++) if (old_i[k] != cmp_q[k]) same = 1'b0;
      same_q <= same || !cas_q;
    end
  end

  always_comb begin
    new_o = '{default: 'x};
    if (write_i) begin
      for (int k = 0; k < 4; k++) new_o[k] = same_q ? val_q[k] : old_i[k];
    end
  end

  `WL_ASSERT(StagesApart, !(compare_i && write_i))
endmodule
