// Hazards of all warps in every cycle (docs/microarchitecture.md 5, HazardScan = 0): for any warp,
// register and predicate an instruction is free exactly if nothing that it reads or writes is still
// to be written, so that none issues over a pending word. Ends of instructions come in any order.
// Not here: counts of instructions in flight, and who says when a word is written (6.2, 6.3).
// The step of the induction (STEP) begins in any state in which all of this holds; the base job
// begins at reset.
`ifdef STEP
`define HOLDS(x) begin if (first_q) assume (x); else assert (x); end
`else
`define HOLDS(x) assert (x);
`endif
module hazards_all_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
(
  input logic                clk_i,
  input logic [SubWarps-1:0] head_changed_i,
  input need_t               need_i [SubWarps],
  input logic                issue_i,
  input warp_t               issue_warp_i,
  input insn_t               issue_insn_i,
  input fixp_t               fix_pred_i,
  input regclr_t             fix_clr_i,
  input vwb_t                var_wr_i,
  input warp_t               w_i,
  input logic [7:0]          r_i,
  input logic [2:0]          p_i
);
`ifdef STEP
  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;
  logic rst_n;
  assign rst_n = 1'b1;
`else
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
`endif
  logic [SubWarps-1:0] free;
  hazards_all dut (
    .clk_i, .rst_ni(rst_n), .head_changed_i, .need_i, .free_o(free), .issue_i, .issue_warp_i,
    .issue_insn_i, .fix_pred_i, .fix_clr_i, .var_wr_i,
    // Counted destinations and groups of eight words and more: hazards_ranges.
    .range_valid_i('0), .range_warp_i('{default: '0}), .range_lo_i('{default: '0}),
    .range_hi_i('{default: '0})
  );

  // The watched word and predicate: any.
  warp_t      w_q;
  logic [7:0] r_q;
  logic [2:0] p_q;
  logic       reg_q, pred_q;    // still to be written
  need_t      head_q, head;
  logic       changed;
  assign head = need_i[w_q];
  assign changed = head_changed_i[w_q];

  // Register r is one of n words from base on (section 0).
  function automatic logic in_group(input logic [7:0] r, input logic [7:0] base,
                                    input logic [2:0] n);
    return base != 8'd255 && r != 8'd255 && r >= base && 9'(r) < 9'(base) + 9'(n);
  endfunction
  logic set_reg, clr_reg, set_pred, clr_pred, mine;
  assign mine = issue_i && issue_warp_i == w_q;
  assign set_reg = mine && in_group(r_q, issue_insn_i.word.rd, issue_insn_i.info.d_words);
  assign clr_reg = (fix_clr_i.valid && fix_clr_i.warp == w_q && fix_clr_i.rd == r_q) ||
                   (var_wr_i.valid && var_wr_i.has_reg && var_wr_i.last_beat &&
                    var_wr_i.warp == w_q && var_wr_i.rd == r_q);
  assign set_pred = mine && ((issue_insn_i.info.preds[PredD] && issue_insn_i.word.pd == p_q) ||
                             (issue_insn_i.info.preds[PredQ] && issue_insn_i.word.pq == p_q));
  assign clr_pred = (fix_pred_i.valid && fix_pred_i.last && fix_pred_i.warp == w_q &&
                     fix_pred_i.pd == p_q) ||
                    (var_wr_i.valid && var_wr_i.has_pred && var_wr_i.last &&
                     var_wr_i.warp == w_q && var_wr_i.pd == p_q);
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      w_q <= w_i;
      r_q <= r_i;
      p_q <= p_i;
    end
    if (!rst_n) reg_q <= 1'b0;
    else reg_q <= (reg_q || set_reg) && !clr_reg;
    if (!rst_n) pred_q <= 1'b0;
    else pred_q <= (pred_q || set_pred) && !clr_pred;
    head_q <= head;
  end

  logic needs_reg, needs_pred, hit_reg, hit_pred;
  need_more_t head_more;   // operand x
  assign head_more = more_of(head);
  assign needs_reg = in_group(r_q, head.rd, head.nd) || in_group(r_q, head.ra, head.na) ||
                     in_group(r_q, head.rb, head.nb) || in_group(r_q, head.rc, head.nc) ||
                     in_group(r_q, head_more.imm, {head_more.x, 2'b00});
  assign needs_pred = head.preds[p_q];
  assign hit_reg = reg_q && needs_reg;
  assign hit_pred = pred_q && needs_pred;

  // A hazard of some register or predicate, from the unit's own bits.
  function automatic logic some_hazard(input need_t n, input logic [31:0] lo,
                                       input logic [31:0] hi, input logic [6:0] preds);
    logic [4:0][7:0] base;
    logic [4:0][2:0] words;
    need_more_t m;
    logic found;
    m = more_of(n);
    base = {n.rd, n.ra, n.rb, n.rc, m.imm};
    words = {n.nd, n.na, n.nb, n.nc, {m.x, 2'b00}};
    found = (preds & n.preds) != '0;
    for (int o = 0; o < 5; o++) begin
      for (int k = 0; k < 4; k++) begin
        logic [8:0] r;
        r = 9'(base[o]) + 9'(k);
        if (3'(k) < words[o] && r < 9'd64 && (r[5] ? hi[r[4:0]] : lo[r[4:0]])) found = 1'b1;
      end
    end
    return found;
  endfunction

  always @(posedge clk_i) begin
    assume (32'(w_i) < SubWarps && r_i < 8'd64 && p_i < 3'd7);
    for (int unsigned w = 0; w < SubWarps; w++) begin
      assume (need_i[w].nd <= 3'd4 && need_i[w].na <= 3'd4 && need_i[w].nb <= 3'd4 &&
              need_i[w].nc <= 3'd4);
      assume (need_i[w].nd != Words8 && need_i[w].na != Words8 && need_i[w].nb != Words8 &&
              need_i[w].nc != Words8);
    end
    if (rst_n) begin
      // 4: the head stays until it is popped or flushed.
      assume (changed || head == head_q);
      // 5: what issues is the hazard-free head; its destinations are among its needs.
      if (mine) begin
        assume (free[w_q] && issue_insn_i.word.rd == head.rd && issue_insn_i.info.d_words == head.nd);
        assume (!set_pred || needs_pred);
      end
      // 6.2, 6.3: a write ends what was pending.
      assume (!clr_reg || reg_q);
      assume (!clr_pred || pred_q);

      `HOLDS(!free[w_q] || !hit_reg)
      `HOLDS(!free[w_q] || !hit_pred)
      `HOLDS(!mine || !(set_reg && reg_q) && !(set_pred && pred_q))
      `HOLDS(free[w_q] == !some_hazard(head, dut.busy_q[w_q][0], dut.busy_q[w_q][1],
                                                  dut.pbusy_q[w_q]))
      `HOLDS((r_q[5] ? dut.busy_q[w_q][1][r_q[4:0]] : dut.busy_q[w_q][0][r_q[4:0]]) ==
                     reg_q)
      `HOLDS(dut.pbusy_q[w_q][p_q] == pred_q)
      `HOLDS(32'(w_q) < SubWarps && r_q < 8'd64 && p_q < 3'd7)
      `HOLDS(dut.changed_q[w_q] || dut.free_q[w_q] ==
                      !some_hazard(head_q, dut.busy_q[w_q][0], dut.busy_q[w_q][1],
                                   dut.pbusy_q[w_q]))
      c_reg: cover (hit_reg && in_group(r_q, head.rc, head.nc) && r_q == 8'd33 &&
                    head.rc == 8'd30);
      c_freed: cover (mine && !changed && needs_reg && issue_insn_i.info.d_words == 3'd4);
      c_pred: cover (hit_pred && !hit_reg && !free[w_q]);
    end
  end
endmodule
