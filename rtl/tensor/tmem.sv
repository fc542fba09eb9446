// Tensor memory of a sub-core (docs/microarchitecture.md 24.2; option Tmem): its quarters, stores,
// loads to the result queue. Here: the memories, and the wires between the parts. Which columns a CTA
// has is the allocator's (columns.sv).
`include "cells/assert.svh"

module tmem
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  sub_t               sub_i,
  input  logic               clear_i,
  input  issue_t             issue_i,
  input  x1_t                x1_i,
  input  logic [31:0]        x1_a_i [Lanes],
  input  logic [CtaBits-1:0] warp_cta_i [SubWarps],
  input  logic [4:0]         warp_index_i [SubWarps],  // in the CTA
  input  columns_t           columns_i,                // of the allocator
  // verilator lint_off UNUSEDSIGNAL // the part for this array
  input  poke_t              poke_i,
  input  peek_t              peek_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [31:0]        peek_data_o,
  output logic               ready_o,        // a load can issue
  output logic               rest_o,         // (15)
  output trap_t              trap_o,
  // Products (25.6): a row that is read comes in the next cycle; a row is written where no store of
  // this cycle (store_o) writes its quarter.
  input  logic               umma_read_i,
  input  quarter_t           umma_quarter_i,
  input  tmem_row_t          umma_row_i,
  output logic [Lanes-1:0][31:0] umma_data_o [Quarters],
  output tmem_write_t        store_o,
  input  tmem_write_t        umma_write_i,
  input  logic [31:0]        umma_write_data_i [Lanes],
  // Result queue (6.5).
  output vwb_t               result_o,
  output logic [Lanes-1:0][31:0] result_data_o,
  input  logic               result_taken_i
);
  logic        rst_n;
  tmem_place_t place;
  assign rst_n = rst_ni && !clear_i;
  tmem_judge u_judge (
    .clk_i, .rst_ni(rst_n), .sub_i, .x1_i, .a_i(x1_a_i[0]), .warp_cta_i, .warp_index_i,
    .columns_i, .place_o(place), .trap_o
  );

  tmem_write_t write;
  logic [31:0] write_data [Lanes];
  tmem_store u_store (
    .clk_i, .rst_ni(rst_n), .x1_i, .x1_a_i, .place_i(place), .write_o(write), .data_o(write_data)
  );

  logic        read;
  quarter_t    quarter;
  tmem_row_t   row;
  logic [Lanes-1:0][31:0] data [Quarters];
  tmem_load u_load (
    .clk_i, .rst_ni(rst_n), .issue_i, .place_i(place), .ready_o, .rest_o,
    .umma_read_i, .umma_quarter_i,
    .read_o(read), .quarter_o(quarter), .row_o(row), .data_i(data),
    .result_o, .result_data_o, .result_taken_i
  );

  // Board (docs/fpga.md 6): a poke writes one lane of a row, a peek reads a row. Slice: quarter, lane.
  localparam int unsigned LaneBits = $clog2(Lanes);
  logic        poke, peek;
  tmem_write_t put;
  assign poke = poke_i.valid[3'(wl_pkg::ArrayTmem)];
  assign peek = peek_i.valid && peek_i.array == 3'(wl_pkg::ArrayTmem);
  always_comb begin
    put = write;
    if (peek_i.valid) put.valid = 1'b0;
    if (poke) begin
      put.valid = 1'b1;
      put.quarter = quarter_t'(32'(poke_i.slice) / Lanes);
      put.row = tmem_row_t'(poke_i.row);
      put.mask = Lanes'(1) << poke_i.slice[LaneBits-1:0];
    end
  end
  assign peek_data_o = data[quarter_t'(32'(peek_i.slice) / Lanes)][peek_i.slice[LaneBits-1:0]];

  assign umma_data_o = data;
  assign store_o = write;
  for (genvar q = 0; q < int'(Quarters); q++) begin : gen_quarter
    logic        stores, sums, loads, reads;   // a store or poke, a row of D; a load, a row of D
    logic        any_read, shown;              // shown: something was read in the cycle before
    tmem_row_t   write_row;
    logic [Lanes-1:0] mask;
    logic [31:0] write_word [Lanes];
    logic [Lanes-1:0][31:0] ram_data;
    assign stores = put.valid && put.quarter == quarter_t'(q);
    assign sums = Umma != 0 && umma_write_i.valid && umma_write_i.quarter == quarter_t'(q) &&
                  !peek_i.valid;
    assign loads = read && quarter == quarter_t'(q);
    assign reads = Umma != 0 && umma_read_i && umma_quarter_i == quarter_t'(q);
    always_comb begin
      write_row = 'x;
      mask = 'x;
      write_word = '{default: 'x};
      if (stores) begin
        write_row = put.row;
        mask = put.mask;
        write_word = write_data;
        if (poke) write_word = '{default: poke_i.data};
      end else if (sums) begin
        write_row = umma_write_i.row;
        mask = umma_write_i.mask;
        write_word = umma_write_data_i;
      end
    end
    tmem_ram #(.Lanes(Lanes), .Rows(TmemRows)) u_ram (
      .clk_i, .write_i(stores || sums), .write_row_i(write_row), .mask_i(mask), .data_i(write_word),
      .read_i(any_read), .read_row_i(peek ? tmem_row_t'(peek_i.row) : reads ? umma_row_i : row),
      .data_o(ram_data)
    );
    assign any_read = peek || loads || reads;
    // Without products a load may look at its row later.
    if (Umma != 0) begin : gen_shown
      logic read_q;
      always_ff @(posedge clk_i) read_q <= any_read;
      assign shown = read_q;
    end else begin : gen_stays
      assign shown = 1'b1;
    end
    always_comb begin
      data[q] = 'x;
      if (shown) data[q] = ram_data;
    end
    `WL_ASSERT(OneWrite, !(stores && sums))
    `WL_ASSERT(OneRead, !(loads && reads))
  end

  // Record TMEM: in the cycle of a write, with the number of the quarter in the SM.
  // verilator lint_off UNUSEDSIGNAL // for the journal
  logic [1:0] record_quarter, umma_quarter;
  // verilator lint_on UNUSEDSIGNAL
  assign record_quarter = (SubCores == 1) ? 2'(write.quarter) : 2'(sub_i);
  assign umma_quarter = (SubCores == 1) ? 2'(umma_write_i.quarter) : 2'(sub_i);

  if (SubCores != 1 && SubCores != 4) begin : gen_wrong
    $error("tensor memory: one sub-core, or four");
  end
endmodule
