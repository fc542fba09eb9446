// Warp slots of a CTA whose warps must lie in the sub-core that their index names (launch word
// by_index, docs/microarchitecture.md 24): the warp with index i takes the lowest free slot of
// sub-core i mod SubCores. Combinational. Places nothing: the dispatcher does.
module slots_by_index
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic [Warps-1:0] free_i,           // slots without a warp
  input  logic [6:0]       warps_i,          // of the CTA
  output logic             fits_o,           // each sub-core has as many as it needs
  output logic [Warps-1:0] slots_o,          // slots taken, if it fits
  output logic [4:0]       index_o [Warps]   // index of the warp in the slot
);
  localparam int unsigned CountBits = $clog2(SubWarps + 1);
  always_comb begin
    fits_o = 1'b1;
    slots_o = '0;
    index_o = '{default: '0};
    for (int unsigned k = 0; k < SubCores; k++) begin
      logic [CountBits-1:0] passed;
      logic [15:0]          index;  // of the next warp of this sub-core
      passed = '0;
      for (int unsigned w = 0; w < SubWarps; w++) begin
        index = 16'(passed) * 16'(SubCores) + 16'(k);
        index_o[w*SubCores+k] = 5'(index);
        slots_o[w*SubCores+k] = free_i[w*SubCores+k] && index < 16'(warps_i);
        passed += CountBits'(free_i[w*SubCores+k]);
      end
      index = 16'(passed) * 16'(SubCores) + 16'(k);
      if (index < 16'(warps_i)) fits_o = 1'b0;
    end
  end
endmodule
