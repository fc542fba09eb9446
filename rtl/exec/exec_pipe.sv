// Fixed pipe (docs/microarchitecture.md 6.2): operands in X1, results LatFixed = 6 cycles later in
// W, for units ALU, MUL, FPU, and values that pass through: special registers, CALL links, results
// of released barriers. Slow forms have lanes of their own, SlowLanes of them, and only the first
// FpLanes lanes add and multiply f32: these take the beat's lanes of the part, and every lane takes
// the result of its place in a part, whichever part it is.
// The side band (warp, register, mask) is delayed by operands. Lanes outside the mask: any value.
module exec_pipe
  import config_pkg::Lanes;
  import config_pkg::FpLanes;
  import config_pkg::SlowLanes;
  import sm_pkg::*;
  import exec_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  x1_t              x1_i,
  input  logic [31:0]      x1_a_i [Lanes],
  input  logic [31:0]      x1_b_i [Lanes],
  input  logic [31:0]      x1_c_i [Lanes],
  input  logic [Lanes-1:0] x1_ps_i,
  input  logic [Lanes-1:0] x1_pt_i,
  input  logic [31:0]      x1_sreg_i [SlowLanes],
  output logic [31:0]      w_data_o [Lanes],
  output logic [Lanes-1:0] w_p_o,
  output logic [Lanes-1:0] w_q_o
);
  if (wl_pkg::LatFixed != 6) begin : gen_latency
    $error("exec_pipe has six stages");
  end
  if (SlowLanes > FpLanes) begin : gen_lanes
    $error("a slow part lies within an f32 part");
  end

  logic active, is_link, field_imm;
  logic [5:0] slow;  // bit k: stage k holds a form of the slow lanes
  logic [5:1] slow_q;
  logic [15:0] field;
  logic [31:0] link;
  prep_t prep;
  ctl_t c0, c1_q, c2_q, c3_q, c4_q, c5_q;
  exec_decode u_decode (
    .x1_i, .active_o(active), .link_o(is_link), .prep_o(prep), .ctl_o(c0),
    .field_imm_o(field_imm), .field_o(field)
  );
  assign link = x1_sreg_i[0] & {32{is_link}};
  assign slow = {slow_q, active && c0.grp >= GrpField};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) slow_q <= '0;
    else slow_q <= slow[4:0];
  end

  always_ff @(posedge clk_i) begin
    c1_q <= c0;
    c2_q <= c1_q;
    c3_q <= c2_q;
    c4_q <= c3_q;
    c5_q <= c4_q;
  end

  // Operands of lanes that serve several lanes of the beat: of the f32 part; for slow forms those
  // of the same lanes of FpLanes, for other forms their own. A slow lane chooses again among them.
  localparam int unsigned SlowPerFp = FpLanes / SlowLanes;
  if (SlowParts > 1 || FpParts > 1) begin : gen_shared
    logic [31:0] a [FpLanes];
    logic [31:0] b [FpLanes];
    logic [31:0] c [FpLanes];
    logic [PartBits-1:0] part;
    assign part = x1_i.info.slow ? PartBits'(32'(x1_i.part) / SlowPerFp) : x1_i.part;
    always_comb begin
      for (int unsigned k = 0; k < FpLanes; k++) begin
        a[k] = x1_a_i[k];
        b[k] = x1_b_i[k];
        c[k] = x1_c_i[k];
        for (int unsigned p = 1; p < FpParts; p++) begin
          if (part == PartBits'(p)) begin
            a[k] = x1_a_i[p*FpLanes+k];
            b[k] = x1_b_i[p*FpLanes+k];
            c[k] = x1_c_i[p*FpLanes+k];
          end
        end
      end
    end
  end

  // Slow lanes apart, unless there is one for every lane: those are then inside of the lanes.
  logic [31:0] slow5 [SlowLanes];
  for (genvar k = 0; k < SlowLanes; k++) begin : gen_slow
    if (SlowParts == 1) begin : gen_inside
      assign slow5[k] = '0;
    end else begin : gen_apart
      logic [31:0] a, b, c;
      always_comb begin
        a = gen_shared.a[k];
        b = gen_shared.b[k];
        c = gen_shared.c[k];
        for (int unsigned p = 1; p < SlowPerFp; p++) begin
          if (32'(x1_i.part) % SlowPerFp == p) begin
            a = gen_shared.a[p*SlowLanes+k];
            b = gen_shared.b[p*SlowLanes+k];
            c = gen_shared.c[p*SlowLanes+k];
          end
        end
      end
      slow_lane u_lane (
        .clk_i, .rst_ni, .slow_i(slow), .a_i(a), .b_i(b), .c_i(c), .sreg_i(x1_sreg_i[k]),
        .field_imm_i(field_imm), .field_i(field),
        .c0_i(c0), .c1_i(c1_q), .c2_i(c2_q), .c3_i(c3_q), .c4_i(c4_q), .r5_o(slow5[k])
      );
    end
  end

  // Results of f32 arithmetic for the lanes that do not have it.
  logic [31:0] fp5 [FpLanes];
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [31:0] a, b, c;
    // verilator lint_off UNUSEDSIGNAL // of lanes without f32 arithmetic, and if all have it
    logic [31:0] fp5_out;
    // verilator lint_on UNUSEDSIGNAL
    logic en;
    if (FpParts == 1 || l >= FpLanes) begin : gen_own
      assign a = x1_a_i[l];
      assign b = x1_b_i[l];
      assign c = x1_c_i[l];
      assign en = active && x1_i.mask[l];
    end else begin : gen_several
      logic any;
      assign a = gen_shared.a[l];
      assign b = gen_shared.b[l];
      assign c = gen_shared.c[l];
      always_comb begin
        any = 1'b0;
        for (int unsigned p = 0; p < FpParts; p++) any |= x1_i.mask[p*FpLanes+l];
      end
      assign en = active && any;
    end
    if (l < FpLanes) begin : gen_fp5
      assign fp5[l] = (FpParts == 1) ? '0 : fp5_out;
    end
    exec_lane #(.WithSlow(SlowParts == 1), .WithFp(l < FpLanes)) u_lane (
      .clk_i, .rst_ni, .en_i(en), .prep_i(prep), .link_i(link),
      .slow_i(slow), .sreg_i(x1_sreg_i[l%SlowLanes]), .field_imm_i(field_imm), .field_i(field),
      .c0_i(c0), .c1_i(c1_q), .c2_i(c2_q), .c3_i(c3_q), .c4_i(c4_q), .c5_i(c5_q),
      .a_i(a), .b_i(b), .c_i(c),
      .ps_i(x1_ps_i[l]), .pt_i(x1_pt_i[l]), .slow5_i(slow5[l%SlowLanes]),
      .fp5_i((l < FpLanes) ? '0 : fp5[l%FpLanes]), .fp5_o(fp5_out),
      .data_o(w_data_o[l]), .p_o(w_p_o[l]), .q_o(w_q_o[l])
    );
  end
endmodule
