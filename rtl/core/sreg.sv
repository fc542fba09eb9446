// Special register values of the lanes of a part, and what leaves through the fixed pipe in the
// same way: active mask, call link, results of released barriers (docs/microarchitecture.md 6.2,
// 7.4). The thread index of the first lane comes from the reciprocals of the launch block,
// that of the following lanes by counting on. Registered: input in a + 1, output in X1; with two
// slow lanes (gen_pair) the thread index is made in a, a + 1 and X1.
module sreg
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic                clk_i,
  // verilator lint_off UNUSEDSIGNAL // with several sub-cores only
  input  sub_t                sub_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic                en_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  issue_t              insn_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [BeatBits-1:0] beat_i,
  input  logic [PartBits-1:0] part_i,
  input  logic [63:0]         issued_i,     // cycle of issue
  input  logic [31:0]         lb_i [LaunchBlockWords],
  // verilator lint_off UNUSEDSIGNAL // the one or the other
  input  logic [4:0]          warp_index_i,
  // In a, of what will be in a + 1.
  input  logic                next_i,
  input  logic [4:0]          next_index_i,
  input  logic [BeatBits-1:0] next_beat_i,
  input  logic [PartBits-1:0] next_part_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [CtaBits-1:0]  cta_i,
  input  logic [31:0]         cta_x_i [Ctas],
  input  logic [31:0]         cta_y_i [Ctas],
  input  logic [31:0]         cta_z_i [Ctas],
  input  bar_result_t         bar_i,
  // verilator lint_off UNUSEDSIGNAL // PmCounters = 1 only
  input  logic [63:0]         pm_i [8],     // monitors as visible in X1
  // verilator lint_on UNUSEDSIGNAL
  output logic [31:0]         value_o [SlowLanes]
);
  // First lane of the part.
  // verilator lint_off UNUSEDSIGNAL // bit 0: gen_lanes only
  logic [4:0] lane0;
  // verilator lint_on UNUSEDSIGNAL
  assign lane0 = 5'(beat_i) * 5'(Lanes) + 5'(part_i) * 5'(SlowLanes);
  logic [10:0] ntid_x, ntid_y;
  assign ntid_x = lb_i[LaunchNtidX][10:0];
  assign ntid_y = lb_i[LaunchNtidY][10:0];

  if (SubCores == 1 && SlowLanes == 2 && SlowParts > 1 && SmemBytes < 65536 && Ctas > 2 &&
      PmCounters == 0) begin : gen_pair
    // Thread index of the first lane (section 6.2): in a z, in a + 1 the place in the plane and y,
    // in X1 x. An instruction in flight keeps its warp's index and the launch block.
    logic [9:0]  q1_q, z1_q, y2_q, z2_q;
    logic [10:0] area1_q, rest2_q;
    logic [2:0]  sel2_q;  // x, y, z wanted
    logic [2:0]  is_tid;
    always_ff @(posedge clk_i) begin
      if (next_i) begin
        logic [9:0] q;
        q = {next_index_i, 5'(next_beat_i) * 5'(Lanes) + 5'(next_part_i) * 5'(SlowLanes)};
        q1_q <= q;
        z1_q <= 10'((31'(q) * 31'(lb_i[LaunchRecipXy][20:0])) >> 20);
        area1_q <= ntid_x * ntid_y;
      end
      if (en_i) begin
        logic [10:0] rest;
        rest = 11'(q1_q) - 11'(z1_q) * area1_q;
        rest2_q <= rest;
        y2_q <= 10'((32'(rest) * 32'(lb_i[LaunchRecipX][20:0])) >> 20);
        z2_q <= z1_q;
        sel2_q <= is_tid;
      end
    end

    logic [31:0] value [2];
    logic [31:0] value2_q [2];
    logic [10:0] x;
    logic [10:0] tid [2];
    logic        x_ends, y_ends;
    always_comb begin
      x = rest2_q - 11'(y2_q) * ntid_x;
      x_ends = x + 11'd1 == ntid_x;
      y_ends = 11'(y2_q) + 11'd1 == ntid_y;
      tid[0] = (x & {11{sel2_q[0]}}) | (11'(y2_q) & {11{sel2_q[1]}}) |
               (11'(z2_q) & {11{sel2_q[2]}});
      tid[1] = ((x + 11'd1) & {11{sel2_q[0] && !x_ends}}) |
               ((11'(y2_q) + 11'(x_ends)) & {11{sel2_q[1] && !(x_ends && y_ends)}}) |
               ((11'(z2_q) + 11'(x_ends && y_ends)) & {11{sel2_q[2]}});
      for (int unsigned l = 0; l < 2; l++) value_o[l] = value2_q[l] | 32'(tid[l]);
    end

    sreg_pair u_pair (
      .insn_i, .issued_i, .lb_i, .cta_x_i, .cta_y_i, .cta_z_i, .cta_i, .bar_i,
      .pair_i(lane0[4:1]), .tid_o(is_tid), .value_o(value)
    );
    always_ff @(posedge clk_i) if (en_i) value2_q <= value;
  end else begin : gen_lanes
    // Thread index of the first lane (section 6.2).
    logic [9:0] q, z, y;
    logic [10:0] q2, x;
    always_comb begin
      q = {warp_index_i, lane0};
      z = 10'((31'(q) * 31'(lb_i[LaunchRecipXy][20:0])) >> 20);
      q2 = 11'(q) - 11'(z) * (ntid_x * ntid_y);
      y = 10'((32'(q2) * 32'(lb_i[LaunchRecipX][20:0])) >> 20);
      x = q2 - 11'(y) * ntid_x;
    end

    localparam int unsigned NsQuotient = NsNum / NsDen;
    logic [7:0] id;
    logic is_s2r, is_tid, is_lane;
    logic [31:0] uniform_value;
    assign id = insn_i.insn.word.imm[7:0];
    assign is_s2r = insn_i.insn.info.unit == UnitAlu && insn_i.insn.info.op == AluS2r;
    assign is_tid = is_s2r && id <= SregTidZ;
    assign is_lane = is_s2r && (id == SregLaneid || (id >= SregLanemaskEq && id <= SregLanemaskGt));

    // A coordinate of the CTA.
    logic [31:0] ctaid;
    assign ctaid = (id == SregCtaidX) ? cta_x_i[cta_i] :
                   (id == SregCtaidY) ? cta_y_i[cta_i] : cta_z_i[cta_i];

    // Monitors: their ids follow each other, low words at even distances.
    logic        is_pm;
    logic [31:0] pm_value;
    if (PmCounters != 0) begin : gen_pm
      logic [3:0] word;
      assign word = 4'(id - SregPm0Lo);
      assign is_pm = id >= SregPm0Lo && id <= SregPm7Hi;
      assign pm_value = word[0] ? pm_i[word[3:1]][63:32] : pm_i[word[3:1]][31:0];
    end else begin : gen_no_pm
      assign is_pm = 1'b0;
      assign pm_value = '0;
    end

    always_comb begin
      uniform_value = '0;
      if (insn_i.insn.info.unit == UnitCtl) begin
        uniform_value = {4'b0, insn_i.insn.pc} + 32'd1;
      end else if (insn_i.insn.info.unit == UnitBar) begin
        if (insn_i.insn.info.op == BarPopc) uniform_value = 32'(bar_i.popc);
        else uniform_value = 32'((insn_i.insn.info.op == BarAnd) ? bar_i.all : bar_i.any);
      end else if (!is_s2r) begin
        uniform_value = insn_i.exec;
      end else begin
        unique case (id)
          SregNtidX: uniform_value = lb_i[LaunchNtidX];
          SregNtidY: uniform_value = lb_i[LaunchNtidY];
          SregNtidZ: uniform_value = lb_i[LaunchNtidZ];
          SregCtaidX, SregCtaidY, SregCtaidZ: uniform_value = ctaid;
          SregNctaidX: uniform_value = lb_i[LaunchNctaidX];
          SregNctaidY: uniform_value = lb_i[LaunchNctaidY];
          SregNctaidZ: uniform_value = lb_i[LaunchNctaidZ];
          SregWarpid: uniform_value = 32'(slot_of(insn_i.warp, sub_i));
          SregNwarpid: uniform_value = Warps;
          SregSmid: uniform_value = Smid;
          SregNsmid: uniform_value = 32'd1;
          SregGrididLo: uniform_value = lb_i[LaunchGridid];
          SregGrididHi: uniform_value = lb_i[LaunchGridid+1];
          SregClockLo: uniform_value = issued_i[31:0];
          SregClockHi: uniform_value = issued_i[63:32];
          SregGlobaltimerLo: uniform_value = 32'(issued_i * 64'(NsQuotient));
          SregGlobaltimerHi: uniform_value = 32'((issued_i * 64'(NsQuotient)) >> 32);
          SregDynamicSmem: uniform_value = lb_i[LaunchDynamicSmem];
          SregTotalSmem, SregAggrSmem: uniform_value = lb_i[LaunchSmemBytes];
          SregNclusteridOne: uniform_value = 32'd1;
          default: uniform_value = is_pm ? pm_value : '0;
        endcase
      end
    end

    function automatic logic [31:0] lane_value(input logic [7:0] sel, input logic [4:0] lane);
      logic [31:0] below;
      below = (32'd1 << lane) - 32'd1;
      unique case (sel)
        SregLaneid: return 32'(lane);
        SregLanemaskEq: return 32'd1 << lane;
        SregLanemaskLe: return below | (32'd1 << lane);
        SregLanemaskLt: return below;
        SregLanemaskGe: return ~below;
        default: return ~below & ~(32'd1 << lane);
      endcase
    endfunction

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        if (is_tid) begin
          logic [10:0] tx, ty, tz;
          tx = x;
          ty = 11'(y);
          tz = 11'(z);
          for (int unsigned l = 0; l < SlowLanes; l++) begin
            value_o[l] <= {21'b0, (id == SregTidX) ? tx : (id == SregTidY) ? ty : tz};
            tx += 11'd1;
            if (tx == ntid_x) begin
              tx = '0;
              ty += 11'd1;
              if (ty == ntid_y) begin
                ty = '0;
                tz += 11'd1;
              end
            end
          end
        end else if (is_lane) begin
          for (int unsigned l = 0; l < SlowLanes; l++) begin
            value_o[l] <= lane_value(id, lane0 + 5'(l));
          end
        end else begin
          for (int unsigned l = 0; l < SlowLanes; l++) value_o[l] <= uniform_value;
        end
      end
    end
  end
endmodule
