// Multipliers and nothing else, as many as the top of this file asks for: the test's design that
// does not fit. wide40: more than a 12k device has (28); wide200: more than an 85k device has (156).
module wide #(
  parameter int unsigned N = 1
) (
  input  logic        clk_i,
  input  logic [17:0] x_i,
  output logic        y_o
);
  logic [17:0] a_q [N + 1];
  logic [35:0] p_q [N];
  logic [N-1:0] y;
  assign a_q[0] = x_i;
  for (genvar i = 0; i < N; i++) begin : gen_mult
    always_ff @(posedge clk_i) begin
      a_q[i + 1] <= a_q[i] ^ p_q[i][17:0];
      p_q[i] <= a_q[i] * {a_q[i][0], a_q[i][17:1]};
    end
    assign y[i] = ^p_q[i][35:18];
  end
  always_ff @(posedge clk_i) y_o <= ^y;
endmodule

module wide40 (
  input  logic        clk_i,
  input  logic [17:0] x_i,
  output logic        y_o
);
  wide #(.N(40)) u_wide (.clk_i, .x_i, .y_o);
endmodule

module wide200 (
  input  logic        clk_i,
  input  logic [17:0] x_i,
  output logic        y_o
);
  wide #(.N(200)) u_wide (.clk_i, .x_i, .y_o);
endmodule
