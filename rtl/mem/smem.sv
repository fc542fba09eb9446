// Shared memory (docs/microarchitecture.md 11): the banks, and one of two controllers, each with
// its crossbars and atomics: smem_wide for simulated rows, smem_narrow for FPGA rows.
module smem
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        stall_i,  // disturbance (17)
  // verilator lint_off UNUSEDSIGNAL // what the banks have
  input  poke_t       poke_i,
  input  peek_t       peek_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [31:0] peek_data_o,
  input  logic        req_valid_i,
  output logic        req_ready_o,
  output logic        pass_o,   // a pass starts
  output logic        rest_o,   // no request, no delivery (15)
  input  smem_req_t   req_i,
  input  logic [31:0] addr_i  [LsuLanes],
  input  logic [31:0] wdata_i [4][LsuLanes],
  output logic        rsp_valid_o,
  output smem_rsp_t   rsp_o,
  output logic [31:0] rdata_o [4][LsuLanes]
);
  localparam int unsigned RowBits = $clog2(SmemBytes / 4 / SmemBanks);

  logic [SmemBanks-1:0] re, we;
  logic [RowBits-1:0]   row   [SmemBanks];
  logic [3:0]           be    [SmemBanks];
  logic [31:0]          wdata [SmemBanks];
  logic [31:0]          rdata [SmemBanks];

  localparam int unsigned BankBits = $clog2(SmemBanks);
  logic poke, peek;
  logic [BankBits-1:0] peek_bank;
  logic [RowBits-1:0] board_row;
  assign poke = poke_i.valid[2'(wl_pkg::ArraySmem)];
  assign peek = peek_i.valid && peek_i.array == 2'(wl_pkg::ArraySmem);
  assign peek_bank = peek_i.slice[BankBits-1:0];
  assign board_row = peek_i.valid ? peek_i.row[RowBits-1:0] : poke_i.row[RowBits-1:0];

  for (genvar b = 0; b < SmemBanks; b++) begin : gen_bank
    smem_bank #(.Bank(b)) u_bank (
      .poke_i(poke && poke_i.slice[BankBits-1:0] == BankBits'(b)), .peek_i(peek),
      .hold_i(peek_i.valid), .board_row_i(board_row),
      .clk_i, .re_i(re[b]), .we_i(we[b]), .row_i(row[b]), .be_i(be[b]), .wdata_i(wdata[b]),
      .rdata_o(rdata[b])
    );
  end

  if (SmemWide == 1) begin : gen_wide
    logic [31:0] x_data [SmemBanks];
    assign peek_data_o = rdata[peek_bank];
    for (genvar b = 0; b < SmemBanks; b++) begin : gen_poke
      assign wdata[b] = poke ? poke_i.data : x_data[b];
    end
    smem_wide u_ctl (
      .rest_o,
      .clk_i, .rst_ni, .stall_i, .req_valid_i, .req_ready_o, .pass_o, .req_i, .addr_i, .wdata_i,
      .rsp_valid_o, .rsp_o, .rdata_o, .bank_re_o(re), .bank_we_o(we), .bank_row_o(row),
      .bank_be_o(be), .bank_wdata_o(x_data), .bank_rdata_i(rdata)
    );
  end else begin : gen_narrow
    smem_narrow u_ctl (
      .poke_i(poke), .poke_data_i(poke_i.data), .peek_i(peek), .peek_bank_i(peek_bank), .peek_data_o,
      .rest_o,
      .clk_i, .rst_ni, .stall_i, .req_valid_i, .req_ready_o, .pass_o, .req_i, .addr_i, .wdata_i,
      .rsp_valid_o, .rsp_o, .rdata_o, .bank_re_o(re), .bank_we_o(we), .bank_row_o(row),
      .bank_be_o(be), .bank_wdata_o(wdata), .bank_rdata_i(rdata)
    );
  end

  if (SmemWide != SmemBankAtoms) begin : gen_unknown
    $error("SmemWide and SmemBankAtoms: both or none");
  end
  if (SmemSerialStep != 6) begin : gen_step
    $error("the serial unit of smem_narrow has six stages");
  end
endmodule
