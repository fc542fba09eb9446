// One bank of shared memory (docs/microarchitecture.md 11): 32-bit rows, byte writes, one port:
// never read and written in one cycle.
// Read data come the cycle after. Not reset; simulation seeds it (section 15).
module smem_bank
  import config_pkg::*;
#(
  parameter int unsigned Bank = 0,
  localparam int unsigned Rows = SmemBytes / 4 / SmemBanks,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic               clk_i,
`ifdef WL_BOARD
  input  logic               poke_i,     // wdata_i into row board_row_i
  input  logic               peek_i,
  input  logic               hold_i,     // some array is read: no write
  input  logic [RowBits-1:0] board_row_i,
`endif
  input  logic               re_i,
  input  logic               we_i,
  input  logic [RowBits-1:0] row_i,
  input  logic [3:0]         be_i,
  input  logic [31:0]        wdata_i,
  output logic [31:0]        rdata_o
);

  (* no_rw_check *)
  logic [31:0] mem_q [Rows] /*verilator public_flat_rd*/;
  logic [31:0] rdata_q;

  // The one port, for the board's words too.
  logic               re, we;
  logic [RowBits-1:0] row;
  logic [3:0]         be;
`ifdef WL_BOARD
  assign re = re_i || peek_i;
  assign we = (we_i && !hold_i) || poke_i;
  assign row = (peek_i || poke_i) ? board_row_i : row_i;
  assign be = be_i | {4{poke_i}};
`else
  assign {re, we, row, be} = {re_i, we_i, row_i, be_i};
`endif

  always_ff @(posedge clk_i) begin
    if (we) begin
      for (int b = 0; b < 4; b++) begin
        if (be[b]) mem_q[row][8*b +: 8] <= wdata_i[8*b +: 8];
      end
    end
    if (re) rdata_q <= mem_q[row];
  end
  assign rdata_o = rdata_q;

`ifdef WL_JOURNAL
  journal_smem u_journal (
    .clk_i, .valid_i(we_i), .bank_i(Bank), .row_i(32'(row_i)), .bytes_i(32'(be_i)), .data_i(wdata_i)
  );
`ifndef WL_BOARD
  initial begin
    for (int unsigned i = 0; i < Rows; i++) begin
      mem_q[i] = journal_pkg::seed_word(journal_pkg::wl_j_seed(), wl_pkg::SeedSmem,
                                        i * SmemBanks + Bank);
    end
  end
`endif
`else
  logic unused_bank;
  assign unused_bank = Bank[0];
`endif
endmodule
