// Special register values of two lanes (docs/microarchitecture.md 6.2), for the configurations with
// that many slow lanes: choices in trees of multiplexers, each value as wide as docs/isa.md allows
// it in the launch block. Combinational; sreg.sv keeps the result and adds the thread index, for
// which it is zero here.
module sreg_pair
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  // verilator lint_off UNUSEDSIGNAL // of wire structs and words a unit reads what it needs
  input  issue_t             insn_i,
  input  logic [63:0]        issued_i,
  input  logic [31:0]        lb_i [LaunchBlockWords],
  input  logic [31:0]        cta_x_i [Ctas],
  input  logic [31:0]        cta_y_i [Ctas],
  input  logic [31:0]        cta_z_i [Ctas],
  // verilator lint_on UNUSEDSIGNAL
  input  logic [CtaBits-1:0] cta_i,
  input  bar_result_t        bar_i,
  input  logic [3:0]         pair_i,   // lanes 2 pair and 2 pair + 1
  output logic [2:0]         tid_o,    // x, y, z of the thread index: value_o is zero
  output logic [31:0]        value_o [2]
);
  localparam int unsigned NsQuotient = NsNum / NsDen;
  localparam int unsigned Choices = 1 << CtaBits;
  logic [7:0] id;
  logic       is_s2r;
  assign id = insn_i.insn.word.imm[7:0];
  assign is_s2r = insn_i.insn.info.unit == UnitAlu && insn_i.insn.info.op == AluS2r;

  // Values of 32 bits.
  logic [63:0] timer;
  logic [31:0] ctaid_x, wide;
  logic [31:0] cta_x [Choices];
  logic [31:0] wide_x [8];
  logic [2:0]  wide_sel;
  logic        is_timer;
  assign timer = issued_i * 64'(NsQuotient);
  assign is_timer = id == SregGlobaltimerLo || id == SregGlobaltimerHi;
  always_comb for (int unsigned c = 0; c < Choices; c++) cta_x[c] = (c < Ctas) ? cta_x_i[c] : '0;
  mux_tree #(.Width(32), .Bits(CtaBits)) u_cta_x (.sel_i(cta_i), .x_i(cta_x), .y_o(ctaid_x));
  always_comb begin
    wide_x = '{ctaid_x, lb_i[LaunchNctaidX], lb_i[LaunchGridid], lb_i[LaunchGridid+1],
               is_timer ? timer[31:0] : issued_i[31:0],
               is_timer ? timer[63:32] : issued_i[63:32],
               insn_i.exec, {4'b0, insn_i.insn.pc} + 32'd1};
    wide_sel = 3'd0;
    if (insn_i.insn.info.unit == UnitCtl) begin
      wide_sel = 3'd7;
    end else if (!is_s2r) begin
      wide_sel = 3'd6;
    end else begin
      unique case (id)
        SregNctaidX: wide_sel = 3'd1;
        SregGrididLo: wide_sel = 3'd2;
        SregGrididHi: wide_sel = 3'd3;
        SregClockLo, SregGlobaltimerLo: wide_sel = 3'd4;
        SregClockHi, SregGlobaltimerHi: wide_sel = 3'd5;
        default: ;
      endcase
    end
  end
  mux_tree #(.Width(32), .Bits(3)) u_wide (.sel_i(wide_sel), .x_i(wide_x), .y_o(wide));

  // Values of at most 16 bits: y and z of the CTA, sizes, what is not in the launch block.
  logic [15:0] yz, narrow, other;
  logic [15:0] cta_yz [2 * Choices];
  logic [15:0] narrow_x [8];
  logic [2:0]  narrow_sel;
  always_comb begin
    for (int unsigned c = 0; c < Choices; c++) begin
      cta_yz[c] = (c < Ctas) ? cta_y_i[c][15:0] : '0;
      cta_yz[Choices+c] = (c < Ctas) ? cta_z_i[c][15:0] : '0;
    end
  end
  mux_tree #(.Width(16), .Bits(CtaBits + 1)) u_yz (
    .sel_i({id == SregCtaidZ, cta_i}), .x_i(cta_yz), .y_o(yz)
  );
  always_comb begin
    other = '0;
    if (insn_i.insn.info.unit == UnitBar) begin
      if (insn_i.insn.info.op == BarPopc) other = 16'(bar_i.popc);
      else other = 16'((insn_i.insn.info.op == BarAnd) ? bar_i.all : bar_i.any);
    end else begin
      unique case (id)
        SregWarpid: other = 16'(insn_i.warp);
        SregNwarpid: other = 16'(Warps);
        SregSmid: other = 16'(Smid);
        SregNsmid, SregNclusteridOne: other = 16'd1;
        default: ;
      endcase
    end
    // Each pair has a word of 16 bits.
    narrow_x = '{lb_i[LaunchNctaidY][15:0], 16'(lb_i[LaunchNtidX][10:0]),
                 lb_i[LaunchNctaidZ][15:0], 16'(lb_i[LaunchNtidY][10:0]),
                 lb_i[LaunchDynamicSmem][15:0], other,
                 lb_i[LaunchSmemBytes][15:0], 16'(lb_i[LaunchNtidZ][10:0])};
    narrow_sel = 3'd5;
    if (is_s2r) begin
      unique case (id)
        SregNctaidY: narrow_sel = 3'd0;
        SregNtidX: narrow_sel = 3'd1;
        SregNctaidZ: narrow_sel = 3'd2;
        SregNtidY: narrow_sel = 3'd3;
        SregDynamicSmem: narrow_sel = 3'd4;
        SregTotalSmem, SregAggrSmem: narrow_sel = 3'd6;
        SregNtidZ: narrow_sel = 3'd7;
        default: ;
      endcase
    end
  end
  mux_tree #(.Width(16), .Bits(3)) u_narrow (.sel_i(narrow_sel), .x_i(narrow_x), .y_o(narrow));

  // Which of them; a lane's index or number; or a mask of lanes.
  logic       is_tid, is_mask, is_wide, is_yz, is_lane;
  logic [1:0] low_sel;
  assign is_tid = is_s2r && id <= SregTidZ;
  assign is_lane = is_tid || (is_s2r && id == SregLaneid);
  assign is_mask = is_s2r && id >= SregLanemaskEq && id <= SregLanemaskGt;
  assign is_wide = insn_i.insn.info.unit == UnitCtl ||
                   (insn_i.insn.info.unit == UnitAlu && !is_s2r) ||
                   (is_s2r && (wide_sel != 3'd0 || id == SregCtaidX));
  assign is_yz = is_s2r && (id == SregCtaidY || id == SregCtaidZ);
  assign low_sel = is_lane ? 2'd3 : is_yz ? 2'd1 : is_wide ? 2'd0 : 2'd2;
  always_comb for (int unsigned k = 0; k < 3; k++) tid_o[k] = is_tid && id[1:0] == 2'(k);

  // Masks: below the lane, the lane, or above it. With pair number k, pairs below k and k itself.
  logic [15:0] under, at;
  logic        take_below, take_at, take_above;
  assign take_below = is_mask && (id == SregLanemaskLe || id == SregLanemaskLt);
  assign take_at = is_mask && (id == SregLanemaskEq || id == SregLanemaskLe ||
                               id == SregLanemaskGe);
  assign take_above = is_mask && (id == SregLanemaskGe || id == SregLanemaskGt);
  always_comb begin
    for (int unsigned j = 0; j < 16; j++) begin
      under[j] = 1'((16'hfffe << j) >> pair_i);  // a table of one LUT4
      at[j] = 4'(j) == pair_i;
    end
  end

  for (genvar l = 0; l < 2; l++) begin : gen_lane
    logic [10:0] low_x [4];
    logic [10:0] low;
    logic [15:0] low16;
    assign low_x = '{wide[10:0], yz[10:0], narrow[10:0],
                     {6'd0, pair_i, l == 1} & {11{!is_tid}}};
    mux_tree #(.Width(11), .Bits(2)) u_low (.sel_i(low_sel), .x_i(low_x), .y_o(low));
    assign low16 = {low_sel[1] ? narrow[15:11] & {5{!low_sel[0]}} :
                    low_sel[0] ? yz[15:11] : wide[15:11], low};
    always_comb begin
      for (int unsigned j = 0; j < 32; j++) begin
        logic u, below, here;
        // The lane is 2 k + l: its own bit is the one of its pair with that parity.
        here = (j % 2 == l) && at[j/2];
        below = under[j/2] || (l == 1 && j % 2 == 0 && at[j/2]);
        u = (j < 16) ? low16[j%16] && !is_mask : wide[j] && is_wide;
        value_o[l][j] = u || (here ? take_at : below ? take_below : take_above);
      end
    end
  end
endmodule
