// Special register values of the lanes of a part, and what leaves through the fixed pipe in the
// same way: active mask, call link, results of released barriers (docs/microarchitecture.md 6.2,
// 7.4). Registered: input in a + 1, output in X1. With one slow lane the thread index is made in
// three cycles (thread_index.sv), with more in a + 1 from the launch block's reciprocals.
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
  // verilator lint_off UNUSEDSIGNAL // PmCounters = 1 only; Tmem = 1 only
  input  tmem_pkg::unit_t     columns_i,    // first unit of columns of the warp's last allocation (24.1)
  input  logic [63:0]         pm_i [8],     // monitors as visible in X1
  // verilator lint_on UNUSEDSIGNAL
  output logic [31:0]         value_o [SlowLanes]
);
  // First lane of the part.
  logic [4:0] lane0;
  assign lane0 = 5'(beat_i) * 5'(Lanes) + 5'(part_i) * 5'(SlowLanes);

  // With one slow lane: the thread index in three cycles, or'ed in X1.
  localparam bit Staged = SlowLanes == 1;
  logic [2:0]  is_tid;             // x, y, z of the thread index
  logic [31:0] value_q [SlowLanes];
  if (Staged) begin : gen_staged
    logic [10:0] tid;
    thread_index u_index (
      .clk_i, .lb_i, .next_i, .next_index_i, .next_beat_i, .next_part_i, .en_i, .sel_i(is_tid),
      .tid_o(tid)
    );
    assign value_o[0] = value_q[0] | 32'(tid);
  end else begin : gen_at_once
    assign value_o = value_q;
  end

  localparam int unsigned NsQuotient = NsNum / NsDen;
  logic [7:0] id;
  logic is_s2r, is_lane;
  logic [31:0] uniform_value;
  assign id = insn_i.insn.word.imm[7:0];
  assign is_s2r = insn_i.insn.info.unit == UnitAlu && insn_i.insn.info.op == AluS2r;
  always_comb begin
    for (int unsigned k = 0; k < 3; k++) is_tid[k] = is_s2r && id == 8'(SregTidX) + 8'(k);
  end
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
        SregTmemBase: uniform_value = (Tmem != 0) ? 32'(columns_i) << 5 : '0;
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

  // Thread index of the first lane, unless it is staged.
  logic [10:0] ntid_x, ntid_y, x, y, z;
  if (Staged) begin : gen_no_index
    assign {ntid_x, ntid_y, x, y, z} = '0;
  end else begin : gen_index
    logic [9:0] q;
    assign ntid_x = lb_i[LaunchNtidX][10:0];
    assign ntid_y = lb_i[LaunchNtidY][10:0];
    assign q = {warp_index_i, lane0};
    always_comb begin
      logic [10:0] rest;
      z = 11'(10'((31'(q) * 31'(lb_i[LaunchRecipXy][20:0])) >> 20));
      rest = 11'(q) - z * (ntid_x * ntid_y);
      y = 11'(10'((32'(rest) * 32'(lb_i[LaunchRecipX][20:0])) >> 20));
      x = rest - y * ntid_x;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      logic [31:0] value [SlowLanes];
      value = value_q;
      if (is_tid != '0 && !Staged) begin
        logic [10:0] tx, ty, tz;
        tx = x;
        ty = y;
        tz = z;
        for (int unsigned l = 0; l < SlowLanes; l++) begin
          value[l] = {21'b0, is_tid[0] ? tx : is_tid[1] ? ty : tz};
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
          value[l] = lane_value(id, lane0 + 5'(l));
        end
      end else begin
        // Zero for a thread index that is staged.
        for (int unsigned l = 0; l < SlowLanes; l++) value[l] = uniform_value;
      end
      value_q <= value;
    end
  end
endmodule
