// Predicate registers: 32 lanes of P0..P6 of every warp (docs/microarchitecture.md 6.2, 6.3).
// The guard is read of the state visible in the cycle, s and t come with the next edge. One write
// of one beat per cycle: the fixed pipe's, or that of the variable write-back, which is not granted
// beside it. Index 7 is neither read nor written here.
module predfile
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic             clk_i,
  // verilator lint_off UNUSEDSIGNAL // for the journal
  input  sub_t             sub_i,
  // verilator lint_on UNUSEDSIGNAL
  input  warp_t            warp_i,
  input  logic [2:0]       guard_i,
  output logic [31:0]      guard_o,
  input  logic             read_i,   // s and t of the warp, visible from the next cycle on
  input  logic [2:0]       s_i,
  input  logic [2:0]       t_i,
  output logic [31:0]      s_o,
  output logic [31:0]      t_o,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  fixp_t            fix_pred_i,
  input  logic [Lanes-1:0] fix_p_i,
  input  logic [Lanes-1:0] fix_q_i,
  input  poke_t            poke_i,
  input  peek_t            peek_i,
  output logic [31:0]      peek_data_o,
  input  vwb_t             var_wr_i
  // verilator lint_on UNUSEDSIGNAL
);
  // The write: lanes of a beat, merged with what the beat holds.
  logic [Lanes-1:0] q_late_q;  // q of the cycle before
  always_ff @(posedge clk_i) if (fix_pred_i.valid) q_late_q <= fix_q_i;

  // Board: a poke writes all beats of a row, a peek reads what a write would merge with.
  localparam int unsigned RowBits = WarpBits + 3;
  logic poke, hold;
  logic [RowBits-1:0] board_row, at;
  logic [31:0] poke_data;
  assign poke = poke_i.valid[3'(wl_pkg::ArrayPred)];
  assign hold = peek_i.valid;
  assign board_row = hold ? peek_i.row[RowBits-1:0] : poke_i.row[RowBits-1:0];
  assign poke_data = poke_i.data;

  logic write_v, write;
  warp_t warp;
  logic [2:0] pd;
  logic [BeatBits-1:0] beat;
  logic [Lanes-1:0] mask, value, merged;
  logic [31:0] old;
  always_comb begin
    write_v = var_wr_i.valid && var_wr_i.has_pred && var_wr_i.pd != 3'd7;
    write = fix_pred_i.valid || write_v;
    warp = fix_pred_i.valid ? fix_pred_i.warp : var_wr_i.warp;
    pd = fix_pred_i.valid ? fix_pred_i.pd : var_wr_i.pd;
    beat = fix_pred_i.valid ? fix_pred_i.beat : var_wr_i.beat;
    mask = fix_pred_i.valid ? fix_pred_i.mask : var_wr_i.mask;
    value = !fix_pred_i.valid ? var_wr_i.pval : !fix_pred_i.q ? fix_p_i :
            fix_pred_i.late ? q_late_q : fix_q_i;
  end
  assign at = (poke || hold) ? board_row : {warp, pd};
  assign peek_data_o = old;
  assign merged = (Lanes'(old >> (5'(beat) * 5'(Lanes))) & ~mask) | (value & mask);

  // No writer of a predicate is in flight when an instruction that reads it issues.
  logic [Beats-1:0] we;
  always_comb begin
    for (int unsigned b = 0; b < Beats; b++) begin
      we[b] = poke || (write && !hold && (Beats == 1 || beat == BeatBits'(b)));
    end
  end
  pred_ram #(.Rows(SubWarps * 8), .Parts(Beats)) u_ram (
    .clk_i, .we_i(we), .at_i(at), .data_i(poke ? poke_data : {Beats{merged}}), .old_o(old),
    .row_i({warp_i, guard_i}), .data_o(guard_o), .read_i, .s_i({warp_i, s_i}),
    .t_i({warp_i, t_i}), .s_o, .t_o
  );
endmodule
