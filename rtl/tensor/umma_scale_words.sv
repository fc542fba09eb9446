// Products in tensor memory: scale words of a sub-core (docs/microarchitecture.md 26.10; option
// TensorScaled), two buffers, each of the 32 rows of A of its quarter and of the eight rows of B of a
// block. The scales of a slice come out of registers in the cycle after its step, as its operands do.
module umma_scale_words
  import config_pkg::*;
  import tensor_pkg::*;
  import umma_pkg::*;
(
  input  logic        clk_i,
  input  umma_scale_t scale_i,
  input  logic [Lanes-1:0][31:0] rows_i,     // with scale_i.take: scale words
  // verilator lint_off UNUSEDSIGNAL // of the step its kind and lanes
  input  umma_step_t  step_i,
  // verilator lint_on UNUSEDSIGNAL
  output scales_t [DotRows-1:0] scales_o
);
  logic [31:0][31:0] a_q [2];
  logic [7:0][31:0]  b_q [2];
  always_ff @(posedge clk_i) begin
    if (scale_i.take) begin
      if (!scale_i.take_b) a_q[scale_i.take_buffer] <= rows_i;
      else b_q[scale_i.take_buffer] <= rows_i[8*scale_i.take_part +: 8];
    end
  end

  scales_t [DotRows-1:0] scales_q;
  always_ff @(posedge clk_i) begin
    if (step_i.valid && (is_small(step_i.kind.kind) || is_grouped(step_i.kind.kind))) begin
      for (int unsigned e = 0; e < DotRows; e++) begin
        scales_q[e] <= '{e4m3: 1'b0, a: {2{8'd127}}, b: {2{8'd127}}};
        if (scale_i.scaled) begin
          scales_q[e].e4m3 <= scale_i.e4m3;
          for (int unsigned g = 0; g < 2; g++) begin
            scales_q[e].a[g] <= a_q[scale_i.buffer][5'(32'(step_i.lane) + e)][8*scale_i.a[g] +: 8];
            scales_q[e].b[g] <= b_q[scale_i.buffer][scale_i.column][8*scale_i.b[g] +: 8];
          end
        end
      end
    end
  end
  assign scales_o = scales_q;
endmodule
