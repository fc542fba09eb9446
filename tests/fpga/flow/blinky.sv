module blinky (input logic clk_25mhz, input logic [3:0] btn, output logic [7:0] led);
  logic [31:0] c_q, s_q;
  logic [35:0] p_q;
  logic [17:0] m_q [512];
  logic [17:0] r_q;
  always_ff @(posedge clk_25mhz) begin
    c_q <= c_q + 32'(btn) + 32'd1;
    s_q <= {s_q[30:0], s_q[31] ^ c_q[7]} ^ (btn[0] ? c_q : '0);
    p_q <= s_q[17:0] * c_q[31:14];
    r_q <= m_q[c_q[8:0]];
    if (btn[1]) m_q[s_q[8:0]] <= p_q[17:0];
    led <= p_q[35:28] ^ r_q[7:0] ^ s_q[31:24];
  end
endmodule
