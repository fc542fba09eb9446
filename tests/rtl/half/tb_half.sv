// Bench top of the parts of a slow lane that take narrow numbers: halves, packed integers, formats. The
// stages go along as in slow_lane; an operation enters in each cycle in which valid_i is 1 (s1), and its
// result is there four cycles later (s5). What one of them leaves after others would show in theirs.
module tb_half
  import exec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [4:0]  grp_i,
  input  logic [1:0]  op_i,
  input  logic [3:0]  fmt_i,
  input  logic [1:0]  rnd_i,
  input  logic [3:0]  cmp_i,
  input  logic        ftz_i,
  input  logic        sat_i,
  input  logic        relu_i,
  input  logic        oob_i,
  input  logic        xorsign_i,
  input  logic        nan_i,
  input  logic        neg_a_i,
  input  logic        neg_b_i,
  input  logic        neg_c_i,
  input  logic        sgn_i,
  input  logic        bytes_i,
  input  logic        random_i,
  input  logic        wide_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  output logic        valid_o,
  output logic [31:0] d_o
);
  ctl_t c1, c2_q, c3_q, c4_q;
  always_comb begin
    c1 = '0;
    c1.grp = grp_e'(grp_i);
    c1.op = op_i;
    c1.fmt = wl_pkg::format_e'(fmt_i);
    c1.rnd = rnd_i;
    c1.cmp = cmp_i;
    c1.ftz = ftz_i;
    c1.sat = sat_i;
    c1.relu = relu_i;
    c1.oob = oob_i;
    c1.xorsign = xorsign_i;
    c1.nan = nan_i;
    c1.neg_a = neg_a_i;
    c1.neg_b = neg_b_i;
    c1.neg_c = neg_c_i;
    c1.sgn = sgn_i;
    c1.bytes = bytes_i;
    c1.random = random_i;
    c1.wide = wide_i;
  end
  logic [5:2] valid_q;
  always_ff @(posedge clk_i) begin
    {c4_q, c3_q, c2_q} <= {c3_q, c2_q, c1};
    valid_q <= rst_ni ? {valid_q[4:2], valid_i} : '0;
  end

  logic        busy;
  logic [31:0] half5, packed4, format4;
  assign busy = valid_i || valid_q != '0;
  half_lane u_half (
    .clk_i, .rst_ni, .busy_i(busy),
    .en1_i(valid_i && c1.grp == GrpHalf), .en2_i(valid_q[2] && c2_q.grp == GrpHalf),
    .en3_i(valid_q[3] && c3_q.grp == GrpHalf), .en4_i(valid_q[4] && c4_q.grp == GrpHalf),
    .c1_i(c1), .c2_i(c2_q), .c3_i(c3_q), .c4_i(c4_q), .a1_i(a_i), .b1_i(b_i), .c1_word_i(c_i),
    .r5_o(half5)
  );
  packed_lane u_packed (
    .clk_i, .busy_i(busy),
    .en1_i(valid_i && c1.grp == GrpPacked), .en2_i(valid_q[2] && c2_q.grp == GrpPacked),
    .en3_i(valid_q[3] && c3_q.grp == GrpPacked), .c1_i(c1), .a1_i(a_i), .b1_i(b_i), .r4_o(packed4)
  );
  format_lane u_format (
    .clk_i, .busy_i(busy),
    .en1_i(valid_i && c1.grp == GrpFormat), .en2_i(valid_q[2] && c2_q.grp == GrpFormat),
    .en3_i(valid_q[3] && c3_q.grp == GrpFormat), .c1_i(c1),
    .c2_i(c2_q), .c3_i(c3_q), .c4_i(c4_q),
    .a1_i(a_i), .b1_i(b_i), .random1_i(c_i), .r4_o(format4)
  );
  logic [31:0] other5_q;
  always_ff @(posedge clk_i) if (busy) other5_q <= packed4 | format4;
  assign valid_o = valid_q[5];
  assign d_o = other5_q | half5;
endmodule
