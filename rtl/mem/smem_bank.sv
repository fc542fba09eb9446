// One bank of shared memory (docs/microarchitecture.md 11): 32-bit rows, byte writes, one port:
// never read and written in one cycle.
// Read data come the cycle after. Not reset; simulation seeds it (section 15, rtl/dpi/memory_seeds.sv).
module smem_bank
  import config_pkg::*;
#(
  parameter int unsigned Bank = 0,
  localparam int unsigned Rows = SmemBytes / 4 / SmemBanks,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic               clk_i,
  input  logic               poke_i,     // wdata_i into row board_row_i
  input  logic               peek_i,
  input  logic               hold_i,     // some array is read: no write
  input  logic [RowBits-1:0] board_row_i,
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
  assign re = re_i || peek_i;
  assign we = (we_i && !hold_i) || poke_i;
  assign row = (peek_i || poke_i) ? board_row_i : row_i;
  assign be = be_i | {4{poke_i}};

  always_ff @(posedge clk_i) begin
    if (we) begin
      for (int b = 0; b < 4; b++) begin
        if (be[b]) mem_q[row][8*b +: 8] <= wdata_i[8*b +: 8];
      end
    end
    if (re) rdata_q <= mem_q[row];
  end
  assign rdata_o = rdata_q;

  logic unused_bank;  // for the journal
  assign unused_bank = Bank[0];
endmodule
