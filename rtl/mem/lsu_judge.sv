// LSU: the step whose addresses are judged (docs/microarchitecture.md 10): the one that X1 brings, or
// with LsuDelay the one before, from registers. Addresses are completed and compared with the limits
// of their classes.
module lsu_judge
  import wl_pkg::*;
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] lb_i [LaunchBlockWords],
  // X1.
  input  logic        fill_i,
  input  fill_step_t  step_i,
  input  logic        wide_i,             // 64-bit addresses
  input  class_e      class_i [Cols],
  input  logic [31:0] ea_hi_i [Cols],
  input  logic [31:0] ea_i [Cols],
  input  logic [31:0] dest_i [Cols],      // of a copy
  // The step that is judged.
  output logic        judge_o,
  output fill_step_t  judged_o,
  output class_e      class_o [Cols],
  output logic [63:0] ea_o [Cols],
  output logic [31:0] dest_o [Cols],
  output logic [63:0] last_ea_o [Cols],   // of the lanes that came last, a register
  output logic [31:0] last_dest_o [Cols],
  output logic        bad_o [Cols],       // a lane of E with a fault
  output fault_e      fault_o [Cols],     // counts with bad_o only
  output logic        fault_dest_o [Cols] // it is the destination's
);
  logic [63:0] sum [Cols], ea_q [Cols];
  logic [31:0] dest [Cols], dest_q [Cols];
  always_comb begin
    sum = '{default: 'x};
    dest = '{default: 'x};
    if (fill_i && step_i.copy) dest = dest_i;
    if (fill_i) begin
      for (int i = 0; i < int'(Cols); i++) sum[i] = {ea_hi_i[i] & {32{wide_i}}, ea_i[i]};
    end
  end
  always_ff @(posedge clk_i) begin
    if (fill_i) ea_q <= sum;
    if (fill_i && step_i.copy) dest_q <= dest;
  end
  assign last_ea_o = ea_q;
  assign last_dest_o = dest_q;
  if (LsuDelay == 1) begin : gen_judged
    logic       judge_q;
    fill_step_t step_q;
    class_e     class_q [Cols];
    assign judge_o = judge_q;
    assign judged_o = step_q;
    assign class_o = class_q;
    assign ea_o = ea_q;
    assign dest_o = dest_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) judge_q <= 1'b0;
      else judge_q <= fill_i;
      if (fill_i) begin
        step_q <= step_i;
        class_q <= class_i;
      end
    end
  end else begin : gen_judged
    assign judge_o = fill_i;
    assign judged_o = step_i;
    assign class_o = class_i;
    assign ea_o = sum;
    assign dest_o = dest;
    logic unused_reset;
    assign unused_reset = rst_ni;
  end
  for (genvar c = 0; c < int'(Cols); c++) begin : gen_bounds
    lsu_bounds u_bounds (
      .class_i(class_o[c]), .ea_i(ea_o[c]), .low_i(judged_o.low), .atom_i(judged_o.atom),
      .shared_i(judged_o.shared), .copy_i(judged_o.copy), .dest_i(dest_o[c]),
      .g_base_i({lb_i[LaunchMemBase+1], lb_i[LaunchMemBase]}),
      .g_limit_i({lb_i[LaunchMemLimit+1], lb_i[LaunchMemLimit]}),
      .s_limit_i(lb_i[LaunchSmemBytes]), .l_limit_i(lb_i[LaunchLocalBytes]),
      .bad_o(bad_o[c]), .fault_o(fault_o[c]), .dest_o(fault_dest_o[c])
    );
  end

  logic unused;
  assign unused = ^lb_i[0];
endmodule
