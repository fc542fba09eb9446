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
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  poke_t               poke_i,
  input  peek_t               peek_i,
  output logic [31:0]         peek_data_o,
  // Writes.
  input  fix_t                fix_i,
  input  logic [31:0]         fix_data_i [Lanes],
  input  vwb_t                var_wr_i,
  input  logic [31:0]         var_data_i [Lanes]
  // verilator lint_on UNUSEDSIGNAL
);
  // Entries beyond MaxRegs are never read: such registers trap at issue.
  localparam int unsigned EntryBits = $clog2((MaxRegs + 7) / 8);
  localparam int unsigned Entries = 1 << EntryBits;
  typedef logic [PageBits-1:0] page_t;
  // verilator lint_off UNUSEDSIGNAL // the page of a register is all that is asked for
  function automatic logic [EntryBits-1:0] entry_of(input logic [7:0] register);
    return register[3+:EntryBits];
  endfunction
  // verilator lint_on UNUSEDSIGNAL
  page_t read_page [3];
  page_t fix_page, var_page;
  page_t page_q [SubWarps << EntryBits];
  // A page comes from the dispatcher's other end of the core: kept for a cycle, written in the next.
  // The first instruction of its warp is long behind.
  logic       map_we_q;
  warp_t      map_warp_q;
  logic [4:0] map_entry_q;
  page_t      map_page_q;
  always_ff @(posedge clk_i) begin
    map_we_q <= page_we_i;
    if (page_we_i) {map_warp_q, map_entry_q, map_page_q} <= {page_warp_i, page_entry_i, page_value_i};
    if (map_we_q && 6'(map_entry_q) < 6'(Entries)) begin
      page_q[{map_warp_q, map_entry_q[EntryBits-1:0]}] <= map_page_q;
    end
  end
  assign fix_page = page_q[{fix_i.warp, entry_of(fix_i.rd)}];
  assign var_page = page_q[{var_wr_i.warp, entry_of(var_wr_i.rd)}];
  if (Beats > 1 && Entries == 8) begin : gen_rows
    // Again as a row per warp, so that one port serves the three reads. The pages of a warp come
    // one after another, and long before its first instruction: the row is written with all so far.
    logic [7:0][PageBits-1:0] row_q [SubWarps];
    logic [7:0][PageBits-1:0] pages_q, pages;
    logic [PageBits-1:0]      page_x [8];
    logic                     we_q;
    warp_t                    warp_q;
    always_ff @(posedge clk_i) begin
      we_q <= map_we_q;
      if (map_we_q) begin
        warp_q <= map_warp_q;
        for (int unsigned e = 0; e < 8; e++) begin
          if (map_entry_q == 5'(e)) pages_q[e] <= map_page_q;
        end
      end
      if (we_q) row_q[warp_q] <= pages_q;
    end
    assign pages = row_q[read_warp_i];
    always_comb for (int unsigned e = 0; e < 8; e++) page_x[e] = pages[e];
    for (genvar p = 0; p < 3; p++) begin : gen_read
      mux_tree #(.Width(PageBits), .Bits(3)) u_page (
        .sel_i(3'(entry_of(read_reg_i[p]))), .x_i(page_x), .y_o(read_page[p])
      );
    end
  end else begin : gen_flat
    for (genvar p = 0; p < 3; p++) begin : gen_read
      assign read_page[p] = page_q[{read_warp_i, entry_of(read_reg_i[p])}];
    end
  end

  function automatic logic [RfRowBits-1:0] row_of(input logic [PageBits-1:0] page,
                                                  input logic half,
                                                  input logic [BeatBits-1:0] beat);
    return RfRowBits'({page, half}) * RfRowBits'(Beats) + RfRowBits'(beat);
  endfunction
  function automatic logic [1:0] bank_of(input logic [1:0] reg_low,
                                         input logic [1:0] warp_low);
    return reg_low + warp_low;
  endfunction

  // Board: a poke writes as the variable write-back does, whose word it is already; a peek reads as
  // operand a. Slice: bank, lane.
  localparam int unsigned LaneBits = $clog2(Lanes);
  logic poke, peek, hold;
  logic [1:0] poke_bank, peek_bank;
  logic [LaneBits-1:0] poke_lane;
  logic [RfRowBits-1:0] poke_row, peek_row;
  assign poke = poke_i.valid[3'(wl_pkg::ArrayRf)];
  assign {poke_bank, poke_lane} = poke_i.slice[LaneBits+1:0];
  assign poke_row = poke_i.row[RfRowBits-1:0];
  assign hold = peek_i.valid;
  assign peek = hold && peek_i.array == 3'(wl_pkg::ArrayRf);
  assign peek_bank = peek_i.slice[LaneBits+:2];
  assign peek_row = peek_i.row[RfRowBits-1:0];
  if (Lanes == 8) begin : gen_peek
    mux_tree #(.Width(32), .Bits(3)) u_lane (
      .sel_i(peek_i.slice[2:0]), .x_i(a_o), .y_o(peek_data_o)
    );
  end else begin : gen_peek_any
    assign peek_data_o = a_o[peek_i.slice[LaneBits-1:0]];
  end

  // Where two operands are the same register, either gives the row; a bank that is not read has
  // any.
  logic [3:0] re;
  logic [RfRowBits-1:0] rrow [4];
  logic [2:0][3:0] in_bank;
  always_comb begin
    for (int unsigned p = 0; p < 3; p++) begin
      in_bank[p] = 4'(read_i[p]) << bank_of(read_reg_i[p][1:0], warp_bank(read_warp_i, sub_i));
    end
    if (peek) in_bank = {8'b0, 4'b1 << peek_bank};
    re = in_bank[0] | in_bank[1] | in_bank[2];
    for (int unsigned b = 0; b < 4; b++) begin
      rrow[b] = peek ? peek_row : row_of(read_page[0], read_reg_i[0][2], read_beat_i);
      if (in_bank[1][b]) rrow[b] = row_of(read_page[1], read_reg_i[1][2], read_beat_i);
      if (in_bank[2][b]) rrow[b] = row_of(read_page[2], read_reg_i[2][2], read_beat_i);
    end
  end

  // Two reads at most beside a constant.
  logic [3:0] zero;
  assign zero_bank_o = !re[0] ? 2'd0 : !re[1] ? 2'd1 : 2'd2;
  assign zero = 4'(zero_i && !peek) << zero_bank_o;

  logic fix_we, var_we;
  logic [1:0] fix_bank, var_bank;
  logic [RfRowBits-1:0] fix_row, var_row, wrow [4];
  logic [3:0] we_fix, we_var;
  logic [Lanes-1:0] var_mask;
  always_comb begin
    fix_we = fix_i.valid && fix_i.has_reg;
    var_we = var_wr_i.valid && var_wr_i.has_reg && var_wr_i.rd != 8'd255;
    fix_bank = bank_of(fix_i.rd[1:0], warp_bank(fix_i.warp, sub_i));
    var_bank = bank_of(var_wr_i.rd[1:0], warp_bank(var_wr_i.warp, sub_i));
    fix_row = row_of(fix_page, fix_i.rd[2], fix_i.beat);
    var_row = row_of(var_page, var_wr_i.rd[2], var_wr_i.beat);
    we_fix = 4'(fix_we && !hold) << fix_bank;
    we_var = poke ? 4'b1 << poke_bank : 4'(var_we && !hold) << var_bank;
    var_mask = poke ? Lanes'(1) << poke_lane : var_wr_i.mask;
    for (int unsigned b = 0; b < 4; b++) wrow[b] = we_fix[b] ? fix_row : poke ? poke_row : var_row;
  end

  // What operand a loads.
  logic [2:0] load;
  logic [1:0] bank [3];
  always_comb begin
    load = load_i;
    bank = bank_i;
    if (peek) begin
      load[0] = 1'b1;
      bank[0] = peek_bank;
    end
  end

  register_banks #(.Lanes(Lanes), .Rows(RfRows)) u_banks (
    .clk_i, .re_i(re), .rrow_i(rrow), .zero_i(zero),
    .we_fix_i(we_fix), .we_var_i(we_var), .wrow_i(wrow),
    .fix_mask_i(fix_i.mask), .var_mask_i(var_mask), .fix_i(fix_data_i), .var_i(var_data_i),
    .load_i(load), .bank_i(bank), .value_i, .a_o, .b_o, .c_o
  );
endmodule
