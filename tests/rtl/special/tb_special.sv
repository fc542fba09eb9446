// Bench top of the special functions of a slow lane. An operation enters in each cycle in which valid_i
// is 1 (s1); its result is there four cycles later, and zero where there is none.
module tb_special
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [1:0]  op_i,
  input  logic [31:0] a_i,
  output logic        valid_o,
  output logic [31:0] d_o
);
  ctl_t c1;
  always_comb begin
    c1 = '0;
    c1.grp = GrpSpecial;
    c1.op = op_i;
  end
  logic [5:2]  valid_q;
  logic [31:0] r4, r5_q;
  special_lane u_special (
    .clk_i, .busy_i(valid_i || valid_q != '0),
    .en1_i(valid_i), .en2_i(valid_q[2]), .en3_i(valid_q[3]),
    .c1_i(c1), .a1_i(a_i), .r4_o(r4)
  );
  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni ? {valid_q[4:2], valid_i} : '0;
    r5_q <= r4;
  end
  assign valid_o = valid_q[5];
  assign d_o = r5_q;
endmodule
