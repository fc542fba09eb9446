// Bench top of the fixed pipe: turns an instruction word and a step number into an X1 token, so that
// the bench (exec_test.cpp) needs no knowledge of the token's layout.
module tb_exec
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  input  logic             released_i,
  input  logic             step_i,
  input  logic [127:0]     word_i,
  // verilator lint_off UNUSEDSIGNAL // as wide as the largest configuration needs
  input  logic [7:0]       part_i,  // part of the beat
  // verilator lint_on UNUSEDSIGNAL
  input  logic [Lanes-1:0] mask_i,
  input  logic [31:0]      a_i [Lanes],
  input  logic [31:0]      b_i [Lanes],
  input  logic [31:0]      c_i [Lanes],
  input  logic [31:0]      sreg_i [SlowLanes],
  input  logic [Lanes-1:0] ps_i,
  input  logic [Lanes-1:0] pt_i,
  output logic [31:0]      data_o [Lanes],
  output logic [Lanes-1:0] p_o,
  output logic [Lanes-1:0] q_o,
  output logic [7:0]       fp_lanes_o  // of the configuration
);
  x1_t x1;
  always_comb begin
    x1 = '0;
    x1.valid = valid_i;
    x1.released = released_i;
    x1.step = $bits(x1.step)'(step_i);
    x1.last_step = 1'b1;
    x1.mask = mask_i;
    x1.part = PartBits'(part_i);
    x1.word = word_i;
    x1.info = form_info(word_i[12:0]);
  end
  assign fp_lanes_o = 8'(FpLanes);
  exec_pipe dut (
    .clk_i, .rst_ni, .x1_i(x1), .x1_a_i(a_i), .x1_b_i(b_i), .x1_c_i(c_i), .x1_ps_i(ps_i),
    .x1_pt_i(pt_i), .x1_sreg_i(sreg_i), .w_data_o(data_o), .w_p_o(p_o), .w_q_o(q_o)
  );
endmodule
