// Fixed pipe (docs/microarchitecture.md 6.2): operands in X1, results LatFixed = 6 cycles later in
// W, for units ALU, MUL, FPU, and values that pass through: special registers, CALL links, results
// of released barriers. The side band (warp, register, mask) is delayed by operands. Lanes outside
// the mask keep an old value.
module exec_pipe
  import config_pkg::Lanes;
  import sm_pkg::*;
  import exec_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  x1_t              x1_i,
  input  logic [31:0]      x1_a_i [Lanes],
  input  logic [31:0]      x1_b_i [Lanes],
  input  logic [31:0]      x1_c_i [Lanes],
  input  logic [Lanes-1:0] x1_ps_i,
  input  logic [Lanes-1:0] x1_pt_i,
  input  logic [31:0]      x1_sreg_i [Lanes],
  output logic [31:0]      w_data_o [Lanes],
  output logic [Lanes-1:0] w_p_o,
  output logic [Lanes-1:0] w_q_o
);
  if (wl_pkg::LatFixed != 6) begin : gen_latency
    $error("exec_pipe has six stages");
  end

  logic active, field_imm;
  logic [15:0] field;
  ctl_t c0, c1_q, c2_q, c3_q, c4_q, c5_q;
  exec_decode u_decode (
    .x1_i, .active_o(active), .ctl_o(c0), .field_imm_o(field_imm), .field_o(field)
  );

  always_ff @(posedge clk_i) begin
    c1_q <= c0;
    c2_q <= c1_q;
    c3_q <= c2_q;
    c4_q <= c3_q;
    c5_q <= c4_q;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    exec_lane u_lane (
      .clk_i, .rst_ni, .en_i(active && x1_i.mask[l]),
      .c0_i(c0), .c1_i(c1_q), .c2_i(c2_q), .c3_i(c3_q), .c4_i(c4_q), .c5_i(c5_q),
      .field_imm_i(field_imm), .field_i(field),
      .a_i(x1_a_i[l]), .b_i(x1_b_i[l]), .c_i(x1_c_i[l]), .sreg_i(x1_sreg_i[l]),
      .ps_i(x1_ps_i[l]), .pt_i(x1_pt_i[l]),
      .data_o(w_data_o[l]), .p_o(w_p_o[l]), .q_o(w_q_o[l])
    );
  end
endmodule
