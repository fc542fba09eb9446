// Instructions of the copy engine for its proof: one at a time from issue to T. Its words come in X1 of
// two steps, in lane 0 of the only sub-core, any time after each other.
module copy_driver
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
#(
  parameter logic [63:0] Base = '0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        issues_i,
  input  logic        step_i,      // the next step comes
  input  logic [1:0]  kind_i,      // 0: LOAD, 1: STORE, 2: RED
  input  logic        warp_i,
  input  logic [7:0]  g_i,         // from Base on
  input  logic [7:0]  s_i,
  input  logic [7:0]  k_i,
  input  logic [7:0]  m_i,
  output logic        way_o,       // past issue, not past T
  output logic        second_o,    // the first step has come
  output logic        t_o,
  output logic [1:0]  kind_o,
  output logic        warp_o,
  output logic [7:0]  g_o,
  output logic [7:0]  s_o,
  output logic [7:0]  k_o,
  output logic [7:0]  m_o,
  output x1_t         x1_o [1],
  output logic [31:0] a_o [1][Lanes],
  output logic [31:0] b_o [1][Lanes],
  output logic [31:0] c_o [1][Lanes]
);
  logic steps;
  assign steps = step_i && way_o && !t_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {way_o, second_o, t_o} <= '0;
    else begin
      way_o <= issues_i || (way_o && !t_o);
      if (issues_i) second_o <= 1'b0;
      else if (steps) second_o <= 1'b1;
      t_o <= steps && second_o;
    end
    if (issues_i) begin
      kind_o <= kind_i;
      warp_o <= warp_i;
      g_o <= g_i;
      s_o <= s_i;
      k_o <= k_i;
      m_o <= m_i;
    end
  end
  always_comb begin
    x1_o[0] = '0;
    x1_o[0].valid = steps;
    x1_o[0].last = second_o;
    x1_o[0].step[0] = second_o;
    x1_o[0].mask[0] = 1'b1;
    x1_o[0].warp = warp_t'(warp_o);
    x1_o[0].info.unit = UnitCopy;
    x1_o[0].info.kind = (kind_o == 2'd0) ? MemKindBload : (kind_o == 2'd1) ? MemKindBstore : MemKindBred;
    for (int unsigned l = 0; l < Lanes; l++) {a_o[0][l], b_o[0][l], c_o[0][l]} = '0;
    if (second_o) begin
      a_o[0][0] = 32'(k_o);
      b_o[0][0] = 32'(m_o);
    end else begin
      {b_o[0][0], a_o[0][0]} = Base + 64'(g_o);
      c_o[0][0] = 32'(s_o);
    end
  end
endmodule
