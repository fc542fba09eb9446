// Register file: page maps, bank controller, lane slices (docs/microarchitecture.md 6.1, 6.3).
// The controller is the only writer of the banks and emits their journal records. The fixed pipe
// and the variable write-back never write one bank in the same cycle (writeback.sv).
module regfile
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic                clk_i,
  // verilator lint_off UNUSEDSIGNAL // with several sub-cores only
  input  sub_t                sub_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic                page_we_i,
  input  warp_t               page_warp_i,
  input  logic [4:0]          page_entry_i,
  input  logic [PageBits-1:0] page_value_i,
  // Reads of a slot: up to three registers of one warp; equal or in different banks.
  input  logic [2:0]          read_i,
  input  warp_t               read_warp_i,
  input  logic [2:0][7:0]     read_reg_i,
  input  logic [BeatBits-1:0] read_beat_i,
  // Some operand of the slot is a constant: a bank that is not read gives zero.
  input  logic                zero_i,
  output logic [1:0]          zero_bank_o,
  // Operand registers: what the slot of the cycle before loads; value_i is zero beside a register.
  input  logic [2:0]          load_i,
  input  logic [1:0]          bank_i [3],
  input  logic [31:0]         value_i [3],
  output logic [31:0]         a_o [Lanes],
  output logic [31:0]         b_o [Lanes],
  output logic [31:0]         c_o [Lanes],
  // Writes.
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  fix_t                fix_i,
  input  logic [31:0]         fix_data_i [Lanes],
  input  vwb_t                var_wr_i,
  input  logic [31:0]         var_data_i [Lanes]
  // verilator lint_on UNUSEDSIGNAL
);
  // Entries beyond MaxRegs are never read: such registers trap at issue.
  localparam int unsigned EntryBits = $clog2((MaxRegs + 7) / 8);
  logic [PageBits-1:0] page_q [SubWarps << EntryBits];
  always_ff @(posedge clk_i) begin
    if (page_we_i && 6'(page_entry_i) < 6'(1 << EntryBits)) begin
      page_q[{page_warp_i, page_entry_i[EntryBits-1:0]}] <= page_value_i;
    end
  end
  // verilator lint_off UNUSEDSIGNAL // the page of a register is all that is asked for
  function automatic logic [WarpBits+EntryBits-1:0] entry_of(input warp_t warp,
                                                             input logic [7:0] register);
    return {warp, register[3+:EntryBits]};
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  function automatic logic [RfRowBits-1:0] row_of(input logic [PageBits-1:0] page,
                                                  input logic half,
                                                  input logic [BeatBits-1:0] beat);
    return RfRowBits'({page, half}) * RfRowBits'(Beats) + RfRowBits'(beat);
  endfunction
  function automatic logic [1:0] bank_of(input logic [1:0] reg_low,
                                         input logic [1:0] warp_low);
    return reg_low + warp_low;
  endfunction

  logic [3:0] re;
  logic [RfRowBits-1:0] rrow [4];
  always_comb begin
    re = '0;
    for (int unsigned b = 0; b < 4; b++) rrow[b] = '0;
    for (int unsigned p = 0; p < 3; p++) begin
      if (read_i[p]) begin
        re[bank_of(read_reg_i[p][1:0], warp_bank(read_warp_i, sub_i))] = 1'b1;
        rrow[bank_of(read_reg_i[p][1:0], warp_bank(read_warp_i, sub_i))] =
            row_of(page_q[entry_of(read_warp_i, read_reg_i[p])], read_reg_i[p][2], read_beat_i);
      end
    end
  end

  // Two reads at most beside a constant.
  logic [3:0] zero;
  assign zero_bank_o = !re[0] ? 2'd0 : !re[1] ? 2'd1 : 2'd2;
  assign zero = 4'(zero_i) << zero_bank_o;

  logic fix_we, var_we;
  logic [1:0] fix_bank, var_bank;
  logic [RfRowBits-1:0] fix_row, var_row, wrow [4];
  logic [3:0] we_fix, we_var;
  always_comb begin
    fix_we = fix_i.valid && fix_i.has_reg;
    var_we = var_wr_i.valid && var_wr_i.has_reg && var_wr_i.rd != 8'd255;
    fix_bank = bank_of(fix_i.rd[1:0], warp_bank(fix_i.warp, sub_i));
    var_bank = bank_of(var_wr_i.rd[1:0], warp_bank(var_wr_i.warp, sub_i));
    fix_row = row_of(page_q[entry_of(fix_i.warp, fix_i.rd)], fix_i.rd[2], fix_i.beat);
    var_row = row_of(page_q[entry_of(var_wr_i.warp, var_wr_i.rd)], var_wr_i.rd[2], var_wr_i.beat);
    we_fix = 4'(fix_we) << fix_bank;
    we_var = 4'(var_we) << var_bank;
    for (int unsigned b = 0; b < 4; b++) wrow[b] = we_fix[b] ? fix_row : var_row;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    rf_lane u_lane (
      .clk_i, .re_i(re), .rrow_i(rrow),
      .we_i((fix_i.mask[l] ? we_fix : 4'b0) | (var_wr_i.mask[l] ? we_var : 4'b0)),
      .wvar_i(we_var), .wrow_i(wrow), .fix_i(fix_data_i[l]), .var_i(var_data_i[l]),
      .zero_i(zero), .load_i, .bank_i, .value_i,
      .a_o(a_o[l]), .b_o(b_o[l]), .c_o(c_o[l])
    );
  end

`ifdef WL_JOURNAL
  function automatic logic [journal_pkg::LaneDataBits-1:0] row_data(
      input logic [Lanes-1:0] mask, input logic [31:0] data [Lanes]);
    logic [journal_pkg::LaneDataBits-1:0] v;
    v = '0;
    for (int unsigned l = 0; l < Lanes; l++) if (mask[l]) v[32*l+:32] = data[l];
    return v;
  endfunction
  always_ff @(posedge clk_i) begin
    if (fix_we) begin
      journal_pkg::wl_j_rf(32'({sub_i, fix_bank}), 32'(fix_row), 32'(fix_i.mask),
                           row_data(fix_i.mask, fix_data_i));
    end
    if (var_we) begin
      journal_pkg::wl_j_rf(32'({sub_i, var_bank}), 32'(var_row), 32'(var_wr_i.mask),
                           row_data(var_wr_i.mask, var_data_i));
    end
  end
`endif
endmodule
