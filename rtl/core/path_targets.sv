// Target buffer (docs/microarchitecture.md 7.2): one 32-bit operand per lane of the one register
// control instruction that is past issue, and the comparison of all lanes with one value. A barrier
// number and count are kept as the row key they will become, with one bit that tells a bad pair.
module path_targets
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        take_i,     // at issue
  input  warp_t       take_warp_i,
  input  logic        drop_i,     // resolved without a split, or split
  output logic        free_o,
  output warp_t       owner_o,
  input  x1_t         x1_i,
  input  logic [31:0] x1_a_i [Lanes],
  input  logic [31:0] x1_b_i [Lanes],
  input  logic [31:0] x1_c_i [Lanes],
  input  logic        look_i,     // the results below are used
  input  logic [4:0]  lane_i,
  output logic [31:0] value_o,    // of lane_i
  input  logic [31:0] ref_i,
  output logic [31:0] equal_o,    // lanes whose value is ref_i
  output logic [31:0] bad_o,      // lanes with an illegal barrier operand
  output logic [31:0] member_o    // lanes whose value, as a mask, contains the lane itself
);
  logic        busy_q;
  warp_t       owner_q;
  logic [31:0] value [32];
  logic [31:0] bad_q;

  assign free_o = !busy_q;
  assign owner_o = owner_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (take_i) busy_q <= 1'b1;
    else if (drop_i) busy_q <= 1'b0;
    if (take_i) owner_q <= take_warp_i;
  end

  logic is_ctl, is_bar, is_sync, is_sleep, write;
  assign is_ctl = x1_i.info.unit == UnitCtl && x1_i.info.a_words != 3'd0;
  assign is_bar = x1_i.info.unit == UnitBar && x1_i.info.a_words != 3'd0 && !x1_i.released;
  assign is_sync = x1_i.info.unit == UnitSync && x1_i.info.c_words != 3'd0 && x1_i.arrival;
  assign is_sleep = x1_i.info.op == CtlSleep;
  assign write = x1_i.valid && (is_ctl || is_bar || is_sync);

  // One operand per physical lane and cycle, as it will be kept.
  logic [31:0]      arrived [Lanes];
  logic [Lanes-1:0] bad;
  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) begin
      arrived[p] = '0;
      bad[p] = 1'b0;
      if (write) begin
        if (is_bar) arrived[p] = {22'd0, x1_b_i[p][10:5], x1_a_i[p][3:0]};
        else if (is_sync) arrived[p] = x1_c_i[p];
        else arrived[p] = x1_a_i[p] & {{4{is_sleep}}, 28'hfff_ffff};
        bad[p] = x1_a_i[p][31:4] != '0 || x1_b_i[p][4:0] != '0 || x1_b_i[p] > 32'd1024;
      end
    end
  end

  for (genvar l = 0; l < 32; l++) begin : gen_lane
    logic [31:0] q;
    always_ff @(posedge clk_i) begin
      if (write && BeatBits'(l / Lanes) == x1_i.beat && x1_i.mask[l%Lanes]) begin
        q <= arrived[l%Lanes];
        bad_q[l] <= bad[l%Lanes];
      end
    end
    assign value[l] = q;
  end

  always_comb begin
    value_o = '0;
    equal_o = '0;
    member_o = '0;
    if (look_i) begin
      value_o = value[lane_i];
      for (int unsigned l = 0; l < 32; l++) begin
        equal_o[l] = value[l] == ref_i;
        member_o[l] = value[l][l];
      end
    end
  end
  assign bad_o = bad_q;

  logic unused_x1;
  assign unused_x1 = ^{x1_i.last_step, x1_i.last, x1_i.step, x1_i.slot, x1_i.warp, x1_i.pc,
                       x1_i.word};
endmodule
