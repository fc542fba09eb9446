// Hazards of all warps in every cycle, for HazardScan = 0: one busy bit per register and predicate
// of every warp (docs/microarchitecture.md 5, 6.2, 6.3), but for counted destinations, which have
// range notes. Pending bits for all forms; no slots, no reservation.
module hazards_all
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // Warps whose oldest instruction may be another than in the cycle before, and those without a
  // hazard (meaningful where there is an instruction).
  input  logic [SubWarps-1:0] head_changed_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  need_t               need_i [SubWarps],
  output logic [SubWarps-1:0] free_o,
  output logic                rest_o,         // nothing is pending (15)
  input  logic                issue_i,        // issue of an instruction with lanes and destinations
  input  warp_t               issue_warp_i,
  input  insn_t               issue_insn_i,
  input  fixp_t               fix_pred_i,
  input  regclr_t             fix_clr_i,
  input  vwb_t                var_wr_i,
  input  logic [RangeNotes-1:0] range_valid_i, // range notes
  input  warp_t               range_warp_i [RangeNotes],
  input  reg_t                range_lo_i [RangeNotes],
  input  reg_t                range_hi_i [RangeNotes]
  // verilator lint_on UNUSEDSIGNAL
);
  localparam int unsigned Words = Regs / 32;
  localparam int unsigned WordBits = $clog2(Words);
  logic [31:0] busy_q [SubWarps][Words];
  logic [6:0] pbusy_q [SubWarps];

  function automatic logic is_reg(input logic [7:0] r);
    return r != 8'd255 && 9'(r) < 9'(Regs);
  endfunction

  // Any register of a group busy: a window of two words, shifted to the group's first register.
  // The bit of register 255 is never set; an unused operand has no words.
  function automatic logic group_busy(input logic [31:0] bits [Words], input logic [7:0] base,
                                      input logic [2:0] words);
    logic [WordBits-1:0] i, j;
    logic [3:0] window;
    i = base[5+:WordBits];
    j = i + WordBits'(1);
    window = 4'({(j == '0) ? 3'b0 : bits[j][2:0], bits[i]} >> base[4:0]);
    return words != 3'd0 && 9'(base) < 9'(Regs) &&
           (window[0] || (window[1] && words > 3'd1) || (window[2] && words > 3'd2) ||
            (window[3] && words > 3'd3));
  endfunction

  // The same of a group of any length, and whether one of its registers is in a range note. Groups of
  // up to four words are the rule, and notes the exception: a simulator takes the short way for them.
  function automatic logic long_busy(input logic [31:0] bits [Words], input warp_t w,
                                     input logic [7:0] base, input logic [2:0] code,
                                     input logic [6:0] more);
    reg_t first, last;
    logic hit;
    first = base[RegBits-1:0];
    last = last_reg(base, code, more);
    hit = 1'b0;
    if (code != Words8 && code <= 3'd4) begin
      hit = group_busy(bits, base, code);
    end else begin
      for (int unsigned i = 0; i < Words; i++) begin
        logic [31:0] mask;
        mask = '1;
        if (first[RegBits-1:5] > (RegBits-5)'(i) || last[RegBits-1:5] < (RegBits-5)'(i)) mask = '0;
        if (first[RegBits-1:5] == (RegBits-5)'(i)) mask &= 32'hffff_ffff << first[4:0];
        if (last[RegBits-1:5] == (RegBits-5)'(i)) mask &= 32'hffff_ffff >> ~last[4:0];
        hit = hit || (bits[i] & mask) != '0;
      end
    end
    if (range_valid_i != '0) begin
      for (int unsigned i = 0; i < RangeNotes; i++) begin
        hit = hit || (range_valid_i[i] && range_warp_i[i] == w && range_lo_i[i] <= last &&
                      first <= range_hi_i[i]);
      end
    end
    return hit && code != 3'd0 && base != 8'd255 && 9'(base) < 9'(Regs);
  endfunction

  function automatic logic registers_busy(input logic [31:0] bits [Words], input warp_t w,
                                          input need_t of);
    // verilator lint_off UNUSEDSIGNAL // without the flags
    need_more_t m;
    // verilator lint_on UNUSEDSIGNAL
    m = more_of(of);
    if (MostOperandWords <= 4 && HasCounted == 0) begin  // x has four words
      return group_busy(bits, of.ra, of.na) || group_busy(bits, of.rd, of.nd) ||
             group_busy(bits, of.rb, of.nb) || group_busy(bits, of.rc, of.nc) ||
             (HasX != 0 && group_busy(bits, m.imm, {m.x, 2'b00}));
    end
    return long_busy(bits, w, of.ra, of.na, m.imm[6:0]) ||
           long_busy(bits, w, of.rd, of.nd, m.imm[6:0]) ||
           long_busy(bits, w, of.rb, of.nb, m.imm[6:0]) ||
           long_busy(bits, w, of.rc, of.nc, m.imm[6:0]) ||
           long_busy(bits, w, m.imm, {m.x, 2'b00}, m.imm[6:0]);
  endfunction

  // The comparison is made again only for warps whose instruction or busy bits may have changed.
  logic [SubWarps-1:0] changed_q, free_q;
  always_ff @(posedge clk_i) begin
    free_q <= free_o;
    if (!rst_ni) begin
      changed_q <= '1;
    end else begin
      changed_q <= (SubWarps'(issue_i) << issue_warp_i) |
                   (SubWarps'(fix_clr_i.valid) << fix_clr_i.warp) |
                   (SubWarps'(fix_pred_i.valid) << fix_pred_i.warp) |
                   (SubWarps'(var_wr_i.valid) << var_wr_i.warp);
    end
  end

  always_comb begin
    free_o = free_q;
    for (int unsigned w = 0; w < SubWarps; w++) begin
      if (changed_q[w] || head_changed_i[w]) begin
        free_o[w] = (need_i[w].preds & pbusy_q[w]) == '0 &&
                    !registers_busy(busy_q[w], warp_t'(w), need_i[w]);
      end
    end
  end

  // Predicates that become busy, and those that the fixed pipe and the write-back free.
  logic [6:0] p_set, p_fix, p_var;
  always_comb begin
    p_set = '0;
    if (issue_i) begin
      p_set = pred_bit(issue_insn_i.word.pd, issue_insn_i.info.preds[PredD]) |
              pred_bit(issue_insn_i.word.pq, issue_insn_i.info.preds[PredQ]);
    end
    p_fix = pred_bit(fix_pred_i.pd, fix_pred_i.valid && fix_pred_i.last);
    p_var = pred_bit(var_wr_i.pd, var_wr_i.valid && var_wr_i.last && var_wr_i.has_pred);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned w = 0; w < SubWarps; w++) begin
        for (int unsigned i = 0; i < Words; i++) busy_q[w][i] <= '0;
        pbusy_q[w] <= '0;
      end
    end else begin
      if (issue_i) begin
        for (int unsigned k = 0; k < MostOperandWords; k++) begin
          logic [7:0] r;
          r = group_reg(issue_insn_i.word.rd, offset_t'(k));
          if (words_of(issue_insn_i.info.d_words) > words_t'(k) && is_reg(r)) begin
            busy_q[issue_warp_i][r[5+:WordBits]][r[4:0]] <= 1'b1;
          end
        end
      end
      if (fix_clr_i.valid && is_reg(fix_clr_i.rd)) begin
        busy_q[fix_clr_i.warp][fix_clr_i.rd[5+:WordBits]][fix_clr_i.rd[4:0]] <= 1'b0;
      end
      if (var_wr_i.valid && var_wr_i.has_reg && var_wr_i.last_beat && is_reg(var_wr_i.rd)) begin
        busy_q[var_wr_i.warp][var_wr_i.rd[5+:WordBits]][var_wr_i.rd[4:0]] <= 1'b0;
      end
      if ((p_set | p_fix | p_var) != '0) begin
        for (int unsigned w = 0; w < SubWarps; w++) begin
          pbusy_q[w] <= (pbusy_q[w] | ((issue_warp_i == warp_t'(w)) ? p_set : '0)) &
                        ~(((fix_pred_i.warp == warp_t'(w)) ? p_fix : '0) |
                          ((var_wr_i.warp == warp_t'(w)) ? p_var : '0));
        end
      end
    end
  end

  always_comb begin
    rest_o = range_valid_i == '0;
    for (int unsigned w = 0; w < SubWarps; w++) begin
      if (pbusy_q[w] != '0) rest_o = 1'b0;
      for (int unsigned i = 0; i < Words; i++) if (busy_q[w][i] != '0) rest_o = 1'b0;
    end
  end
endmodule
