// LSU: what X1 of a beat means for its slot (docs/microarchitecture.md 10): limits of the address
// classes for the lanes, the classes and the lowest fault that the lanes found. The addresses
// themselves are formed and kept in lsu_lane.
module lsu_fill
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import lsu_pkg::*;
(
  input  logic [31:0]     lb_i [LaunchBlockWords],
  input  x1_t             x1_i,
  output logic            fill_o,
  output logic            first_o,
  output logic [Cols-1:0] col_o,        // columns of the beat
  output logic [Cols-1:0] act_o,        // of lanes of E
  output logic [3:0]      low_o,        // access bytes - 1
  output logic            g_zero_o,     // limits as lsu_lane wants them
  output logic [31:0]     g_below_n_o,
  output logic            g_none_o,
  output logic [31:0]     g_top_n_o,
  output logic            s_none_o,
  output logic [31:0]     s_top_n_o,
  output logic            l_none_o,
  output logic [31:0]     l_top_n_o,
  input  class_e          class_i [Cols],
  input  fault_e          fault_i [Cols],
  input  logic [31:0]     ea_hi_i [Cols],
  // Summary of the beat.
  output logic [3:0]      any_g_o,      // groups of eight lanes
  output logic [3:0]      any_l_o,
  output logic            any_s_o,
  output fault_e          fault_o,
  output logic [4:0]      fault_lane_o,
  output logic [31:0]     fault_hi_o
);

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  logic [4:0] lane0, row0;     // first lane of the beat and of its row
  logic [4:0] bytes;
  logic       go;
  assign fill_o = x1_i.valid && x1_i.info.unit == UnitLsu;
  assign first_o = x1_i.step == '0;
  assign go = fill_o && first_o;
  assign lane0 = 5'(32'(x1_i.beat) * Lanes);
  assign row0 = lane0 & ~5'(Cols - 1);
  always_comb begin
    col_o = '0;
    act_o = '0;
    bytes = '0;
    low_o = '0;
    g_zero_o = 1'b0;
    g_below_n_o = '0;
    g_none_o = 1'b0;
    g_top_n_o = '0;
    s_none_o = 1'b0;
    s_top_n_o = '0;
    l_none_o = 1'b0;
    l_top_n_o = '0;
    if (fill_o) begin
      col_o = Cols'((32'hffffffff >> (32 - Lanes)) << lane0[ColBits-1:0]);
      act_o = Cols'(32'(x1_i.mask) << lane0[ColBits-1:0]);
    end
    if (fill_o || Always) begin
      bytes = 5'd1 << size_of(x1_i.info.mtype);
      low_o = 4'(bytes - 5'd1);
      // The limit is at most the end of the block of 4 GiB, where its low word is zero.
      g_top_n_o = lb_i[LaunchMemLimit] - 32'(bytes);
      g_none_o = lb_i[LaunchMemLimit] != '0 && lb_i[LaunchMemLimit][31:5] == '0 &&
                 lb_i[LaunchMemLimit][4:0] < bytes;
      g_zero_o = lb_i[LaunchMemBase] == '0;
      g_below_n_o = -lb_i[LaunchMemBase];       // ~(base - 1)
      {s_none_o, s_top_n_o} = {1'b0, lb_i[LaunchSmemBytes]} - 33'(bytes);
      {l_none_o, l_top_n_o} = {1'b0, lb_i[LaunchLocalBytes]} - 33'(bytes);
      g_top_n_o = ~g_top_n_o;
      s_top_n_o = ~s_top_n_o;
      l_top_n_o = ~l_top_n_o;
    end
  end

  always_comb begin
    logic [Cols-1:0] g, l, s, bad, pick;
    logic [ColBits-1:0] c;
    g = '0;
    l = '0;
    s = '0;
    bad = '0;
    pick = '0;
    c = '0;
    any_g_o = '0;
    any_l_o = '0;
    any_s_o = 1'b0;
    fault_o = FaultNone;
    fault_lane_o = '0;
    fault_hi_o = '0;
    if (go || Always) begin
      for (int i = 0; i < int'(Cols); i++) begin
        g[i] = go && act_o[i] && class_i[i] == ClassG;
        l[i] = go && act_o[i] && class_i[i] == ClassL;
        s[i] = go && act_o[i] && class_i[i] == ClassS;
        bad[i] = go && act_o[i] && fault_i[i] != FaultNone;
      end
      for (int i = 0; i < int'(ColGroups); i++) begin
        any_g_o[i] = |g[8*i +: 8];
        any_l_o[i] = |l[8*i +: 8];
      end
      any_g_o = any_g_o << row0[4:3];
      any_l_o = any_l_o << row0[4:3];
      any_s_o = |s;
      pick = bad & (~bad + Cols'(1));
      if (bad != '0 || Always) begin
        for (int i = 0; i < int'(Cols); i++) begin
          if (pick[i]) begin
            fault_o = fault_e'(fault_o | fault_i[i]);
            fault_hi_o = fault_hi_o | ea_hi_i[i];
            c = c | ColBits'(i);
          end
        end
      end
      fault_lane_o = row0 | 5'(c);
      if (x1_i.info.a_words != 3'd2) fault_hi_o = '0;
    end
  end

  logic unused;
  assign unused = ^{x1_i, lb_i[0], lane0};
endmodule
