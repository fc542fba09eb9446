// Operands (docs/microarchitecture.md 5, 6.1, 6.2): from the read slots of an instruction
// (read_slots.sv) over the banks (regfile.sv) to X1; the resolve event; writes of the fixed pipe
// in W (fixed_band.sv). Slot cycle a, bank output a + 1, X1 a + 2, resolve a + 3, W a + 2 + LatFixed.
module operands
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  sub_t                sub_i,
  input  logic                clear_i,
  input  logic [63:0]         cycle_i,
  input  logic [31:0]         lb_i [LaunchBlockWords],
  input  logic [CtaBits-1:0]  warp_cta_i [SubWarps],
  input  logic [4:0]          warp_index_i [SubWarps],
  input  logic [31:0]         cta_x_i [Ctas],
  input  logic [31:0]         cta_y_i [Ctas],
  input  logic [31:0]         cta_z_i [Ctas],
  input  logic                page_we_i,
  input  warp_t               page_warp_i,
  input  logic [4:0]          page_entry_i,
  input  logic [PageBits-1:0] page_value_i,
  input  issue_t              issue_i,
  input  step_from_t [2:0]    issue_from_i,  // IssueAhead = 1: operands of its first step
  input  logic [31:0]         issue_ps_i,
  input  logic [31:0]         issue_pt_i,
  input  logic [SlotBits-1:0] lsu_slot_i,
  input  bar_result_t         bar_result_i [SubWarps],
  input  logic [63:0]         pm_next_i [8],
  input  tmem_pkg::unit_t     columns_i [SubWarps],  // last allocation of tensor memory
  output x1_t                 x1_o,
  output logic [31:0]         x1_a_o [Lanes],
  output logic [31:0]         x1_b_o [Lanes],
  output logic [31:0]         x1_c_o [Lanes],
  output logic [Lanes-1:0]    x1_ps_o,
  output logic [Lanes-1:0]    x1_pt_o,
  output logic [31:0]         x1_sreg_o [SlowLanes],
  output resolve_t            resolve_next_o,  // in the next cycle
  output resolve_t            resolve_o,
  output logic                rest_o,        // is_left is 0 (15)
  output logic                slots_free_o,  // the last read slot, or none: is_left <= 1 (5)
  output fix_t                fix_o,
  output fixp_t               fix_pred_o,
  output regclr_t             fix_clr_o,
  output finish_t             finish_fix_o,
  output inpipe_t             inpipe_o [PipeStages],
  input  logic [31:0]         fix_data_i [Lanes],
  input  poke_t               poke_i,
  input  peek_t               peek_i,
  output logic [31:0]         peek_data_o,
  input  vwb_t                var_wr_i,
  input  logic [31:0]         var_data_i [Lanes]
);
  logic rst_n;
  assign rst_n = rst_ni && !clear_i;

  function automatic logic [Lanes-1:0] beat_lanes(input logic [31:0] v,
                                                  input logic [BeatBits-1:0] b);
    return Lanes'(v >> (5'(b) * 5'(Lanes)));
  endfunction

  // a: the read slots.
  // verilator lint_off UNUSEDSIGNAL // with IssueAhead all of it
  slot_t slot;
  // verilator lint_on UNUSEDSIGNAL
  issue_t slot_issue;
  logic [63:0] slot_issued_at;
  logic [2:0][7:0] regs;
  logic [2:0] take, read;
  read_slots u_slots (
    .clk_i, .rst_ni(rst_n), .cycle_i, .issue_i, .issue_from_i, .lsu_slot_i,
    .slot_o(slot), .issue_o(slot_issue), .issued_at_o(slot_issued_at),
    .regs_o(regs), .take_o(take), .slots_free_o
  );
  always_comb begin
    for (int unsigned p = 0; p < 3; p++) read[p] = take[p] && regs[p] != 8'd255;
  end

  // a + 1: bank outputs go to the operand registers, constants too.
  logic s1_deliver_q, s1_x1_q, s1_resolve_q, s1_last_step_q, s1_last_q;
  operand_step_t s1_step_q;
  issue_t s1_q;
  logic [31:0] s1_ps_q, s1_pt_q;
  logic [63:0] s1_issued_q;
  logic [SlotBits-1:0] s1_slot_q;
  logic [BeatBits-1:0] s1_beat_q;
  logic [PartBits-1:0] s1_part_q;
  logic s1_last_beat_q;
  logic [2:0] s1_load_q;
  logic [1:0] s1_bank_q [3];
  logic [31:0] s1_value [3];
  logic [31:0] s1_b_q, s1_c_q;  // constants, zero beside a register
  logic sign_word;              // PAIR: the sign of an immediate b in step 1
  assign sign_word = slot.step != '0 && slot_issue.insn.info.unit == UnitAlu;
  logic zero;  // a constant among what the slot takes, and the bank that stands for it
  logic [1:0] zero_bank;
  assign zero = (take & ~read) != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      s1_deliver_q <= 1'b0;
      s1_x1_q <= 1'b0;
      s1_resolve_q <= 1'b0;
      s1_load_q <= '0;
    end else begin
      s1_deliver_q <= slot.valid && slot.step_end;
      // Forms with a single slot deliver nothing, but warpsync, whose exchange counts from X1.
      s1_x1_q <= slot.valid && slot.step_end &&
                 (!slot.single || slot_issue.insn.info.unit == UnitSync);
      s1_resolve_q <= slot.valid && slot.last && slot_issue.ctl;
      s1_load_q <= take;
    end
    if (slot.valid) begin
      s1_q <= slot_issue;
      s1_ps_q <= issue_ps_i;
      s1_pt_q <= issue_pt_i;
      s1_issued_q <= slot_issued_at;
      s1_slot_q <= slot.lsu_slot;
      s1_beat_q <= slot.beat;
      s1_step_q <= slot.step;
      s1_part_q <= slot.part;
      s1_last_step_q <= slot.steps_end && slot.last_part;
      s1_last_q <= slot.steps_end && slot.final_part;
      s1_last_beat_q <= slot.final_part;
      if (regs[1] != 8'd255 || slot_issue.insn.info.imm != ImmB) s1_b_q <= '0;
      else s1_b_q <= sign_word ? {32{slot_issue.insn.word.imm[31]}} : slot_issue.insn.word.imm;
      if (regs[2] != 8'd255 || slot_issue.insn.info.imm != ImmC) s1_c_q <= '0;
      else s1_c_q <= slot_issue.insn.word.imm;
      for (int unsigned p = 0; p < 3; p++) begin
        s1_bank_q[p] <= (regs[p] == 8'd255) ? zero_bank :
                         regs[p][1:0] + warp_bank(slot_issue.warp, sub_i);
      end
    end
  end
  assign s1_value[0] = '0;
  assign s1_value[1] = s1_b_q;
  assign s1_value[2] = s1_c_q;

  regfile u_regfile (
    .poke_i, .peek_i, .peek_data_o,
    .clk_i, .sub_i, .page_we_i, .page_warp_i, .page_entry_i, .page_value_i,
    .read_i(read), .read_warp_i(slot_issue.warp), .read_reg_i(regs), .read_beat_i(slot.beat),
    .zero_i(zero), .zero_bank_o(zero_bank),
    .load_i(s1_load_q), .bank_i(s1_bank_q), .value_i(s1_value),
    .a_o(x1_a_o), .b_o(x1_b_o), .c_o(x1_c_o),
    .fix_i(fix_o), .fix_data_i, .var_wr_i, .var_data_i
  );

  // Values that do not come from registers.
  logic s1_sreg;
  logic [CtaBits-1:0] s1_cta;
  assign s1_cta = warp_cta_i[s1_q.warp];
  assign s1_sreg = s1_deliver_q && (s1_q.insn.info.unit == UnitCtl ||
                                    s1_q.insn.info.unit == UnitBar ||
                                    (s1_q.insn.info.unit == UnitAlu &&
                                     (s1_q.insn.info.op == AluS2r ||
                                      s1_q.insn.info.op == AluActmask)));
  sreg u_sreg (
    .clk_i, .sub_i, .en_i(s1_sreg), .insn_i(s1_q), .beat_i(s1_beat_q), .part_i(s1_part_q),
    .issued_i(s1_issued_q), .lb_i,
    .warp_index_i(warp_index_i[s1_q.warp]), .next_i(slot.valid),
    .next_index_i(warp_index_i[slot_issue.warp]), .next_beat_i(slot.beat), .next_part_i(slot.part),
    .cta_i(s1_cta), .cta_x_i, .cta_y_i, .cta_z_i, .value_o(x1_sreg_o),
    .bar_i(bar_result_i[s1_q.warp]), .pm_i(pm_next_i), .columns_i(columns_i[s1_q.warp])
  );

  // X1.
  logic [Lanes-1:0] s1_lanes;  // of the part
  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (MaxParts == 1 || s1_q.insn.last_part == '0) begin
        s1_lanes[l] = 1'b1;
      end else if (s1_q.insn.last_part == PartBits'(FpParts - 1)) begin
        s1_lanes[l] = s1_part_q == PartBits'(l / FpLanes);
      end else if (s1_q.insn.last_part == PartBits'(LsuParts - 1)) begin
        s1_lanes[l] = s1_part_q == PartBits'(l / LsuLanes);
      end else if (HasLane != 0 && s1_q.insn.last_part == PartBits'(LaneParts - 1)) begin
        s1_lanes[l] = s1_part_q == PartBits'(l);
      end else begin
        s1_lanes[l] = s1_part_q == PartBits'(l / SlowLanes);
      end
    end
  end
  logic x1_valid_q, x1_resolve_q;
  // verilator lint_off UNDRIVEN // its valid bit is a register of its own
  x1_t x1_q;
  // verilator lint_on UNDRIVEN
  // verilator lint_off UNUSEDSIGNAL // the resolve event takes a part
  issue_t x1_insn_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] x1_psrc_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      x1_valid_q <= 1'b0;
      x1_resolve_q <= 1'b0;
    end else begin
      x1_valid_q <= s1_x1_q;
      x1_resolve_q <= s1_resolve_q;
    end
    if (s1_x1_q) begin
      x1_q.arrival <= s1_q.ctl && s1_q.insn.info.unit == UnitSync;
      x1_q.released <= s1_q.released;
      x1_q.last_step <= s1_last_step_q;
      x1_q.last <= s1_last_q;
      x1_q.step <= $bits(x1_q.step)'(s1_step_q);
      x1_q.beat <= s1_beat_q;
      x1_q.part <= s1_part_q;
      x1_q.mask <= beat_lanes(s1_q.exec, s1_beat_q) & s1_lanes;
      x1_q.slot <= s1_slot_q;
      x1_q.warp <= s1_q.warp;
      x1_q.pc <= s1_q.insn.pc;
      x1_q.info <= s1_q.insn.info;
      x1_q.word <= s1_q.insn.word;
      x1_ps_o <= beat_lanes(s1_ps_q, s1_beat_q);
      x1_pt_o <= beat_lanes(s1_pt_q, s1_beat_q);
    end
    if (!rst_n) x1_q.info.unit <= UnitCtl;  // so that exec_decode sees no operation that its unit lacks
    if (s1_resolve_q) begin
      x1_insn_q <= s1_q;
      x1_psrc_q <= s1_ps_q;
    end
  end
  always_comb begin
    x1_o = x1_q;
    x1_o.valid = x1_valid_q;
  end

  logic t_valid_q;  // T
  resolve_t t_q;
  always_ff @(posedge clk_i) begin
    t_valid_q <= rst_n && x1_resolve_q;
    if (x1_resolve_q) t_q <= resolve_next_o;
  end
  always_comb begin
    {resolve_next_o.valid, resolve_next_o.arrives} = {x1_resolve_q, x1_insn_q.arrives};
    resolve_next_o.warp = x1_insn_q.warp;
    {resolve_next_o.path, resolve_next_o.exec} = {x1_insn_q.path, x1_insn_q.exec};
    resolve_next_o.psrc = x1_psrc_q;
    resolve_next_o.insn = x1_insn_q.insn;
    resolve_o = t_q;
    resolve_o.valid = t_valid_q;
  end

  // The side band of the fixed pipe, from X1 to W.
  logic x1_last_beat_q, x1_p_q, x1_q_q, x1_fixed_q, x1_reg_q, s1_fixed_q, s1_reg_q;
  logic [7:0] x1_rd_q, s1_rd_q, s0_rd;
  assign s0_rd = group_reg(slot_issue.insn.word.rd, offset_t'(slot.step));
  always_ff @(posedge clk_i) begin
    if (slot.valid) begin
      s1_fixed_q <= form_fixed(slot_issue.insn.info, slot_issue.released);
      s1_rd_q <= s0_rd;
      s1_reg_q <= slot_issue.insn.info.d_words > 3'(slot.step) && s0_rd != 8'd255;
    end
    if (s1_x1_q) begin
      x1_last_beat_q <= s1_last_beat_q;
      x1_fixed_q <= s1_fixed_q;
      x1_rd_q <= s1_rd_q;
      x1_reg_q <= s1_reg_q;
      x1_p_q <= s1_last_step_q && writes_p(s1_q.insn);
      x1_q_q <= s1_last_step_q && writes_q(s1_q.insn);
    end
  end
  band_t band;
  always_comb begin
    band.fix.valid = x1_valid_q && x1_fixed_q;
    band.fix.rd = x1_rd_q;
    band.reg_any = x1_reg_q;
    band.fix.has_reg = x1_reg_q && (MaxParts == 1 || x1_q.mask != '0);
    band.fix.warp = x1_q.warp;
    band.fix.beat = x1_q.beat;
    band.fix.mask = x1_q.mask;
    band.last_beat = x1_last_beat_q;
    band.last = x1_q.last;
    band.p = x1_p_q;
    band.q = x1_q_q;
    band.pd = x1_q.word.pd;
    band.pq = x1_q.word.pq;
  end
  fixed_band u_band (
    .clk_i, .rst_ni(rst_n), .band_i(band), .fix_o, .fix_pred_o, .fix_clr_o, .finish_fix_o
  );

  if (HazardScan != 0) begin : gen_inpipe
    inpipe u_inpipe (
      .clk_i, .rst_ni(rst_n), .issue_i, .slot_i(slot), .slot_issue_i(slot_issue),
      .fix_pred_i(fix_pred_o),
      .s1_valid_i(s1_x1_q && s1_fixed_q), .s1_reg_i(s1_reg_q), .s1_warp_i(s1_q.warp),
      .s1_rd_i(s1_rd_q), .inpipe_o
    );
  end else begin : gen_no_inpipe
    always_comb for (int unsigned i = 0; i < PipeStages; i++) inpipe_o[i] = '0;
  end

  // Nor has one without lanes issued in the cycle before, for which nothing is read.
  logic empty_q;
  always_ff @(posedge clk_i) empty_q <= rst_n && issue_i.valid && issue_i.empty;
  assign rest_o = !slot.valid && !empty_q;
endmodule
