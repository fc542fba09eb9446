// Predicate registers: 32 lanes of P0..P6 of every warp (docs/microarchitecture.md 6.2, 6.3).
// The guard is read of the state visible in the cycle, s and t come with the next edge. One write
// of one beat per cycle: the fixed pipe's, or that of the variable write-back, which is not granted
// beside it. Index 7 is neither read nor written here.
module predfile
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic             clk_i,
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
  input  vwb_t             var_wr_i
  // verilator lint_on UNUSEDSIGNAL
);
  // No writer of a predicate is in flight when an instruction that reads it issues.
  (* no_rw_check *) logic [31:0] pred_q [Warps * 8] /*verilator public_flat_rd*/;

`ifdef SYNTHESIS
  // Registered reads fit a block RAM, which the other two ports do not.
  (* no_rw_check *) logic [31:0] copy_q [Warps * 8];
`define WL_PRED_COPY copy_q
`else
`define WL_PRED_COPY pred_q
`endif
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      s_o <= `WL_PRED_COPY[{warp_i, s_i}];
      t_o <= `WL_PRED_COPY[{warp_i, t_i}];
    end
  end

  // The write: lanes of a beat, merged with what the beat holds.
  logic [Lanes-1:0] q_late_q;  // q of the cycle before
  always_ff @(posedge clk_i) if (fix_pred_i.valid) q_late_q <= fix_q_i;

  logic write_v, write;
  warp_t warp;
  logic [2:0] pd;
  logic [BeatBits-1:0] beat;
  logic [Lanes-1:0] mask, value, merged;
  logic [Lanes-1:0] old;  // of the beat
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
  assign merged = (old & ~mask) | (value & mask);

  // Each beat's lanes are a memory of their own, with the same row.
  for (genvar b = 0; b < Beats; b++) begin : gen_beat
    always_ff @(posedge clk_i) begin
      if (write && (Beats == 1 || beat == BeatBits'(b))) begin
        pred_q[{warp, pd}][b*Lanes+:Lanes] <= merged;
`ifdef SYNTHESIS
        copy_q[{warp, pd}][b*Lanes+:Lanes] <= merged;
`endif
      end
    end
  end

  // Reads in the cycle. With several beats from memories of 16 rows, so that the choice of the row
  // and of the beat is one tree; they hold what pred_q does, which is then for the comparison only.
  localparam int unsigned Banks = Warps / 2;
  localparam int unsigned BankBits = $clog2(Banks);
  if (Beats > 1) begin : gen_banks
    logic [3:0]          row;
    logic [BankBits-1:0] bank;
    logic [31:0]         guard_x [Banks];
    logic [Lanes-1:0]    old_x [Banks*Beats];
    assign {bank, row} = {warp, pd};
    for (genvar k = 0; k < Banks; k++) begin : gen_bank
      for (genvar b = 0; b < Beats; b++) begin : gen_mem
        (* no_rw_check *) logic [Lanes-1:0] mem_q [16];
        always_ff @(posedge clk_i) begin
          if (write && beat == BeatBits'(b) && bank == BankBits'(k)) mem_q[row] <= merged;
        end
        assign guard_x[k][b*Lanes+:Lanes] = mem_q[{warp_i[0], guard_i}];
        assign old_x[b*Banks+k] = mem_q[row];
`ifdef WL_JOURNAL
        initial begin
          logic [63:0] seed;
          seed = journal_pkg::wl_j_seed();
          for (int unsigned i = 0; i < 16; i++) begin
            mem_q[i] = Lanes'(journal_pkg::seed_word(seed, wl_pkg::SeedPred, k * 16 + i) >>
                              (b * Lanes));
          end
        end
`endif
      end
    end
    mux_tree #(.Width(32), .Bits(BankBits)) u_guard (
      .sel_i(warp_i[WarpBits-1:1]), .x_i(guard_x), .y_o(guard_o)
    );
    mux_tree #(.Width(Lanes), .Bits(BankBits + BeatBits)) u_old (
      .sel_i({beat, bank}), .x_i(old_x), .y_o(old)
    );
  end else begin : gen_flat
    assign guard_o = pred_q[{warp_i, guard_i}];
    assign old = pred_q[{warp, pd}];
  end

`ifdef WL_JOURNAL
  initial begin
    logic [63:0] seed;
    seed = journal_pkg::wl_j_seed();
    for (int unsigned i = 0; i < Warps * 8; i++) begin
      pred_q[i] = journal_pkg::seed_word(seed, wl_pkg::SeedPred, i);
    end
  end
  // A beat's lanes in their place among 32.
  function automatic logic [31:0] place(input logic [Lanes-1:0] v, input logic [BeatBits-1:0] b);
    return 32'(v) << (5'(b) * 5'(Lanes));
  endfunction
  always_ff @(posedge clk_i) begin
    if (write) begin
      journal_pkg::wl_j_pred(32'(warp), 32'(pd), place(mask, beat), place(value & mask, beat));
    end
  end
`endif
endmodule
