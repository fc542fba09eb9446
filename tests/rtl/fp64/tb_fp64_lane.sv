// Bench top of a lane of 64-bit floating point: stage 1 and the bits of the stages as the unit has
// them. A number enters in each cycle in which valid_i and move_i are 1.
module tb_fp64_lane
  import fp64_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       move_i,
  input  logic       valid_i,
  input  logic       negate_i,
  input  logic       product_i,
  input  logic [1:0] rnd_i,
  input  f64_t       x_i,
  input  f64_t       y_i,
  input  f64_t       z_i,
  output logic       valid_o,
  output f64_t       d_o
);
  logic [8:1] valid_q;
  fp64_kind_t kind_q;
  f64_t       x_q, y_q, z_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else if (move_i) valid_q <= {valid_q[7:1], valid_i};
    if (move_i) begin
      kind_q <= '{negate: negate_i, product: product_i, rnd: rnd_i};
      {x_q, y_q, z_q} <= {x_i, y_i, z_i};
    end
  end
  fp64_lane dut (
    .clk_i, .en_i({7{move_i}} & valid_q[7:1]), .kind_i(kind_q), .x_i(x_q), .y_i(y_q), .z_i(z_q),
    .d_o
  );
  assign valid_o = valid_q[8];
endmodule
