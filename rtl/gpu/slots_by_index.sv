// Warp slots of a CTA whose warps must lie in the sub-core that their index names (launch word
// by_index, docs/microarchitecture.md 24): the warp with index i takes the lowest free slot of
// sub-core i mod 4. With four sub-cores and tensor memory only. Places nothing: the dispatcher does.
module slots_by_index
  import config_pkg::*;
  import sm_pkg::*;
(
  // verilator lint_off UNUSEDSIGNAL // with four sub-cores only
  input  logic             clk_i,
  input  logic             running_i,        // a launch is in RUN
  input  logic             by_index_i,       // of the launch block, before that
  input  logic [Warps-1:0] free_i,           // slots without a warp
  input  logic [6:0]       warps_i,          // of the CTA
  // verilator lint_on UNUSEDSIGNAL
  output logic             on_o,             // the launch wants it
  output logic             fits_o,           // each sub-core has as many as it needs
  output logic [Warps-1:0] slots_o,          // slots taken, if it fits
  output logic [4:0]       index_o [Warps]   // index of the warp in the slot
);
  localparam int unsigned CountBits = $clog2(SubWarps + 1);
  if (Tmem != 0 && SubCores == 4) begin : gen_four
    logic by_index_q;
    always_ff @(posedge clk_i) if (!running_i) by_index_q <= by_index_i;
    assign on_o = by_index_q;
    always_comb begin
      logic [CountBits-1:0] passed;  // free slots of the sub-core below this one
      logic [15:0]          index;   // of the warp that the next of them gets
      fits_o = 1'b1;
      slots_o = '0;
      index_o = '{default: '0};
      for (int unsigned k = 0; k < 4; k++) begin
        passed = '0;
        for (int unsigned w = 0; w < SubWarps; w++) begin
          index = 16'(passed) * 16'd4 + 16'(k);
          index_o[w*SubCores+k] = 5'(index);
          slots_o[w*SubCores+k] = free_i[w*SubCores+k] && index < 16'(warps_i);
          passed += CountBits'(free_i[w*SubCores+k]);
        end
        index = 16'(passed) * 16'd4 + 16'(k);
        if (index < 16'(warps_i)) fits_o = 1'b0;
      end
    end
  end else begin : gen_others
    assign {on_o, fits_o} = '0;
    assign slots_o = '0;
    assign index_o = '{default: '0};
  end
endmodule
