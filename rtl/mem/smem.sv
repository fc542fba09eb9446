// Shared memory (docs/microarchitecture.md 11, 11b): the banks, and one of two controllers of the
// lane port, each with its crossbars and atomics: smem_wide for simulated rows, smem_narrow for
// FPGA rows. Units that move chunks of 16 bytes use the chunk port, where a row has such units.
`include "cells/assert.svh"

module smem
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
#(
  parameter int unsigned Chunks = 0,   // requesters of the chunk port
  localparam int unsigned Presenters = (Chunks == 0) ? 1 : Chunks
) (
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
  // verilator lint_off UNUSEDSIGNAL // with Atom128
  input  logic [31:0] more_i  [4][LsuLanes],   // words 4 to 7 of a cas, one cycle after it
  // verilator lint_on UNUSEDSIGNAL
  output logic        rsp_valid_o,
  output smem_rsp_t   rsp_o,
  output logic [31:0] rdata_o [4][LsuLanes],
  // mbarriers (21.2).
  input  logic         start_i,          // of a launch
  output logic         mbar_complete_o,  // a phase is complete
  output mbar_gen_t    mbar_gen_o,       // phases completed
  output mbar_misuse_t mbar_misuse_o,    // of the request that is delivered
  // Chunk port.
  // verilator lint_off UNUSEDSIGNAL // without requesters
  input  logic                  chunk_stall_i,  // disturbance (17)
  input  chunk_req_t            chunk_i [Presenters],
  // verilator lint_on UNUSEDSIGNAL
  output logic [Presenters-1:0] chunk_grant_o,
  output chunk_rsp_t            chunk_rsp_o
);
  localparam int unsigned RowBits = SmemRowBits;

  // Of the banks, and of them what the lane port asks for.
  logic [SmemBanks-1:0] re, we, lane_re, lane_we;
  logic [RowBits-1:0]   row   [SmemBanks], lane_row   [SmemBanks];
  logic [3:0]           be    [SmemBanks], lane_be    [SmemBanks];
  logic [31:0]          wdata [SmemBanks], lane_wdata [SmemBanks];
  logic [31:0]          rdata [SmemBanks];

  // Lane port: a pass of an atomic is under way; none may start.
  logic atomic, hold, rest_lanes;

  localparam int unsigned BankBits = $clog2(SmemBanks);
  logic poke, peek;
  logic [BankBits-1:0] peek_bank;
  logic [RowBits-1:0] board_row;
  assign poke = poke_i.valid[3'(wl_pkg::ArraySmem)];
  assign peek = peek_i.valid && peek_i.array == 3'(wl_pkg::ArraySmem);
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

  mbar_act_t mbar_act;
  mbar_events u_mbar_events (
    .clk_i, .rst_ni, .start_i, .act_i(mbar_act), .deliver_i(rsp_valid_o),
    .complete_o(mbar_complete_o), .gen_o(mbar_gen_o), .misuse_o(mbar_misuse_o)
  );

  if (SmemWide == 1) begin : gen_wide
    logic [31:0] x_data [SmemBanks];
    assign peek_data_o = rdata[peek_bank];
    for (genvar b = 0; b < SmemBanks; b++) begin : gen_poke
      assign lane_wdata[b] = poke ? poke_i.data : x_data[b];
    end
    smem_wide u_ctl (
      .mbar_gen_i(mbar_gen_o), .mbar_act_o(mbar_act),
      .rest_o(rest_lanes), .hold_i(hold), .atomic_o(atomic),
      .clk_i, .rst_ni, .stall_i, .req_valid_i, .req_ready_o, .pass_o, .req_i, .addr_i, .wdata_i,
      .more_i, .rsp_valid_o, .rsp_o, .rdata_o, .bank_re_o(lane_re), .bank_we_o(lane_we),
      .bank_row_o(lane_row), .bank_be_o(lane_be), .bank_wdata_o(x_data), .bank_rdata_i(rdata)
    );
  end else begin : gen_narrow
    smem_narrow u_ctl (
      .mbar_gen_i(mbar_gen_o), .mbar_act_o(mbar_act),
      .poke_i(poke), .poke_data_i(poke_i.data), .peek_i(peek), .peek_bank_i(peek_bank),
      .peek_data_o,
      .rest_o(rest_lanes), .hold_i(hold), .atomic_o(atomic),
      .clk_i, .rst_ni, .stall_i, .req_valid_i, .req_ready_o, .pass_o, .req_i, .addr_i, .wdata_i,
      .rsp_valid_o, .rsp_o, .rdata_o, .bank_re_o(lane_re), .bank_we_o(lane_we),
      .bank_row_o(lane_row), .bank_be_o(lane_be), .bank_wdata_o(lane_wdata), .bank_rdata_i(rdata)
    );
  end

  // ---- The two ports at the banks: never both in a cycle.
  if (Chunks == 0) begin : gen_lanes
    assign {re, we} = {lane_re, lane_we};
    assign row = lane_row;
    assign be = lane_be;
    assign wdata = lane_wdata;
    assign hold = 1'b0;
    assign rest_o = rest_lanes;
    assign chunk_grant_o = '0;
    assign chunk_rsp_o = '0;
    logic unused_atomic;
    assign unused_atomic = atomic;
  end else begin : gen_chunk
    logic                 access, rest_chunk;
    logic [SmemBanks-1:0] chunk_re, chunk_we;
    logic [RowBits-1:0]   chunk_row   [SmemBanks];
    logic [3:0]           chunk_be    [SmemBanks];
    logic [31:0]          chunk_wdata [SmemBanks];
    chunk #(.Requesters(Chunks)) u_chunk (
      .clk_i, .rst_ni, .stall_i(chunk_stall_i), .req_i(chunk_i), .grant_o(chunk_grant_o),
      .rsp_o(chunk_rsp_o), .rest_o(rest_chunk),
      .pass_i(pass_o), .atomic_i(atomic), .hold_o(hold),
      .access_o(access), .bank_re_o(chunk_re), .bank_we_o(chunk_we), .bank_row_o(chunk_row),
      .bank_be_o(chunk_be), .bank_wdata_o(chunk_wdata), .bank_rdata_i(rdata)
    );
    assign rest_o = rest_lanes && rest_chunk;
    assign re = lane_re | chunk_re;
    assign we = lane_we | chunk_we;
    for (genvar b = 0; b < SmemBanks; b++) begin : gen_port
      assign row[b] = access ? chunk_row[b] : lane_row[b];
      assign be[b] = access ? chunk_be[b] : lane_be[b];
      assign wdata[b] = access ? chunk_wdata[b] : lane_wdata[b];
    end
    `WL_ASSERT(OnePortOnly, !access || (lane_re | lane_we) == '0)
  end

  if (SmemWide != SmemBankAtoms) begin : gen_unknown
    $error("SmemWide and SmemBankAtoms: both or none");
  end
  if (Atom128 != 0 && (SmemWide == 0 || LsuWords != 4)) begin : gen_narrow_quad
    $error("Atom128 needs SmemWide = 1 and LsuWords = 4");
  end
  if (SmemSerialStep != 6) begin : gen_step
    $error("the serial unit of smem_narrow has six stages");
  end
endmodule
