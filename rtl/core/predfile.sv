// Predicate registers: 32 lanes of P0..P6 of every warp (docs/microarchitecture.md 6.2, 6.3).
// Reads are of the state visible in the cycle; the fixed pipe writes pd and pq of a beat, the
// variable write-back pd of a beat. Index 7 is neither read nor written here.
module predfile
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic             clk_i,
  // Guards of all warps, and two reads of one warp.
  input  logic [2:0]       guard_i [Warps],
  output logic [31:0]      guard_o [Warps],
  input  warp_t            warp_i,
  input  logic [2:0]       s_i,
  input  logic [2:0]       t_i,
  output logic [31:0]      s_o,
  output logic [31:0]      t_o,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  fix_t             fix_i,
  input  logic [Lanes-1:0] fix_p_i,
  input  logic [Lanes-1:0] fix_q_i,
  input  vwb_t             var_wr_i
  // verilator lint_on UNUSEDSIGNAL
);
  logic [31:0] pred_q [Warps * 8] /*verilator public_flat_rd*/;

  always_comb begin
    for (int unsigned w = 0; w < Warps; w++) guard_o[w] = pred_q[{WarpBits'(w), guard_i[w]}];
    s_o = pred_q[{warp_i, s_i}];
    t_o = pred_q[{warp_i, t_i}];
  end

  // A beat's lanes in their place among 32.
  function automatic logic [31:0] place(input logic [Lanes-1:0] v, input logic [BeatBits-1:0] b);
    return 32'(v) << (5'(b) * 5'(Lanes));
  endfunction

  logic write_p, write_q, write_v;
  logic [31:0] fix_mask, var_mask, p_value, q_value, v_value;
  always_comb begin
    write_p = fix_i.valid && fix_i.has_p && fix_i.pd != 3'd7;
    write_q = fix_i.valid && fix_i.has_q && fix_i.pq != 3'd7;
    write_v = var_wr_i.valid && var_wr_i.has_pred && var_wr_i.pd != 3'd7;
    fix_mask = place(fix_i.mask, fix_i.beat);
    var_mask = place(var_wr_i.mask, var_wr_i.beat);
    p_value = place(fix_p_i, fix_i.beat) & fix_mask;
    q_value = place(fix_q_i, fix_i.beat) & fix_mask;
    v_value = place(var_wr_i.pval, var_wr_i.beat) & var_mask;
  end

  always_ff @(posedge clk_i) begin
    if (write_p) begin
      pred_q[{fix_i.warp, fix_i.pd}] <= (pred_q[{fix_i.warp, fix_i.pd}] & ~fix_mask) | p_value;
    end
    if (write_q) begin
      pred_q[{fix_i.warp, fix_i.pq}] <= (pred_q[{fix_i.warp, fix_i.pq}] & ~fix_mask) | q_value;
    end
    if (write_v) begin
      pred_q[{var_wr_i.warp, var_wr_i.pd}] <=
          (pred_q[{var_wr_i.warp, var_wr_i.pd}] & ~var_mask) | v_value;
    end
  end

`ifdef WL_JOURNAL
  initial begin
    logic [63:0] seed;
    seed = journal_pkg::wl_j_seed();
    for (int unsigned i = 0; i < Warps * 8; i++) pred_q[i] = journal_pkg::seed_word(seed, 2, i);
  end
  always_ff @(posedge clk_i) begin
    if (write_p) begin
      journal_pkg::wl_j_pred(32'(fix_i.warp), 32'(fix_i.pd), fix_mask, p_value);
    end
    if (write_q) begin
      journal_pkg::wl_j_pred(32'(fix_i.warp), 32'(fix_i.pq), fix_mask, q_value);
    end
    if (write_v) begin
      journal_pkg::wl_j_pred(32'(var_wr_i.warp), 32'(var_wr_i.pd), var_mask, v_value);
    end
  end
`endif
endmodule
