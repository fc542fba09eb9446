// Products in tensor memory: fetch of the operands through the chunk port (docs/microarchitecture.md
// 25.3, 25.4). Asks for the halves of the command at `walk`, pass by pass: the rows of A, then the
// blocks of B. The answers are put together to halves, turned if the operand is MN-major, and a half
// that is complete goes to the operands (umma_operands.sv) in the next cycle.
`include "cells/assert.svh"

module umma_fetch
  import config_pkg::*;
  import smem_pkg::*;
  import umma_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,          // without clear
  // The command.
  input  logic         walks_i,
  // verilator lint_off UNUSEDSIGNAL // its operands
  input  umma_info_t   info_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic         fetched_o,       // its last request is granted
  // Chunk port.
  output chunk_req_t   chunk_o,
  input  logic         grant_i,
  // verilator lint_off UNUSEDSIGNAL // data of the quads that were asked for
  input  chunk_rsp_t   rsp_i,
  // verilator lint_on UNUSEDSIGNAL
  // Buffers: those that are FULL; one becomes FREE.
  output logic [1:0]   a_full_o,
  output logic [1:0]   b_full_o,
  input  logic         a_free_i,
  input  logic         a_buffer_i,
  input  logic         b_free_i,
  input  logic         b_buffer_i,
  output umma_fill_t   fill_o,          // a half, in the cycle after its last answer
  output half_t        data_o,
  output logic         rest_o
);
  localparam int unsigned QuadBits = (Quads > 1) ? $clog2(Quads) : 1;
  typedef logic [QuadBits-1:0] quad_t;

  // ---- Where the fetch is.
  logic      on_b_q, half_q;
  pass_t     pass_q;
  logic [4:0] unit_q;                 // of A in the pass; block of B
  logic [7:0] left_q;                 // chunks of the half still to come
  logic      a_put_q, b_put_q;
  umma_at_t  a_at_q, a_line_q;        // first chunk of the unit; MN-major: of its first column of patterns
  umma_at_t  b_at_q, b_line_q;
  logic [1:0] a_free_q, a_full_q, b_free_q, b_full_q;   // neither: FILLS

  // ---- The request: the chunks of a half, of each quad the row that the lowest one needs.
  logic          asks;
  umma_operand_t op;
  umma_at_t      at, line;
  logic [4:0]    units;               // of A in a pass, less one
  logic [4:0]    number;              // of the unit in the operand
  logic [7:0]    served;
  quad_t         quad [8];
  assign units = 5'((info_i.tall ? RowUnits : RowUnits / 2) - 1);
  assign asks = walks_i && (on_b_q ? !b_full_q[b_put_q] : !a_full_q[a_put_q]);
  always_comb begin
    umma_at_t x, step;
    op = 'x;
    {at, line, number, x, step, served} = 'x;
    quad = '{default: 'x};
    chunk_o = 'x;
    chunk_o.valid = asks;
    if (asks) begin
      chunk_o = '0;
      chunk_o.valid = 1'b1;
      op = on_b_q ? info_i.b : info_i.a;
      number = on_b_q ? unit_q : 5'(32'(pass_q) * (32'(units) + 1) + 32'(unit_q));
      at = on_b_q ? b_at_q : a_at_q;
      line = on_b_q ? b_line_q : a_line_q;
      if (number == '0) {at, line} = {op.start, op.start};
      step = (op.swizzle == '0) ? op.lbo : op.across ? op.sbo : umma_at_t'(1);
      served = '0;
      for (int unsigned n = 0; n < 8; n++) begin
        if (left_q[n]) begin
          x = at + (umma_at_t'(n) << width_of(op.swizzle));
          if (half_q) x = x + step;
          x = swizzled(x, op.offset, op.swizzle);
          quad[n] = (Quads > 1) ? quad_t'(x) : '0;
          if (!chunk_o.quad[quad[n]].valid) begin
            chunk_o.quad[quad[n]].valid = 1'b1;
            chunk_o.quad[quad[n]].row = SmemRowBits'(32'(x) / Quads);
          end
          served[n] = chunk_o.quad[quad[n]].row == SmemRowBits'(32'(x) / Quads);
        end
      end
    end
  end

  // ---- The next half, unit, block or pass.
  logic last_request, last_unit, last_block, last_pass, full_width;
  assign last_request = served == left_q;
  assign last_unit = on_b_q || unit_q == units;          // of its buffer
  assign last_block = on_b_q && unit_q == info_i.last_block;
  assign last_pass = 32'(pass_q) == Passes - 1;
  assign fetched_o = grant_i && last_request && half_q && last_block && last_pass;
  always_comb begin                   // the next unit begins another column of patterns
    full_width = 1'bx;
    if (asks) begin
      unique case (width_of(op.swizzle))
        2'd0:    full_width = 1'b1;
        2'd1:    full_width = number[0];
        2'd2:    full_width = number[1:0] == '1;
        default: full_width = number[2:0] == '1;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      on_b_q <= 1'b0;
      half_q <= 1'b0;
      pass_q <= '0;
      unit_q <= '0;
      left_q <= '1;
      a_put_q <= 1'b0;
      b_put_q <= 1'b0;
    end else if (grant_i) begin
      left_q <= last_request ? '1 : left_q & ~served;
      if (last_request) begin
        half_q <= !half_q;
        if (half_q) begin
          unit_q <= (on_b_q ? last_block : last_unit) ? '0 : unit_q + 5'd1;
          if (on_b_q) b_put_q <= !b_put_q;
          else if (last_unit) a_put_q <= !a_put_q;
          on_b_q <= on_b_q ? !last_block : last_unit;
          if (last_block) pass_q <= last_pass ? '0 : pass_q + pass_t'(1);
        end
      end
    end
    if (grant_i && last_request && half_q) begin
      umma_at_t next, next_line;
      next_line = line;
      next = at + op.sbo;
      if (op.across && op.swizzle != '0) begin
        if (full_width) next_line = line + op.lbo;
        next = full_width ? next_line : at + umma_at_t'(1);
      end
      if (on_b_q) {b_at_q, b_line_q} <= {next, next_line};
      else {a_at_q, a_line_q} <= {next, next_line};
    end
  end

  // Sub-core and unit in it; of M = 64 two of its four.
  row_unit_t place;
  if (SubCores == 1) begin : gen_one
    assign place = row_unit_t'(unit_q);
  end else begin : gen_four
    assign place = info_i.tall ? row_unit_t'(unit_q) : {unit_q[2:1], 1'b0, unit_q[0]};
  end

  // ---- Answers, two cycles after their grants.
  typedef struct packed {
    logic       valid;
    logic [7:0] served;
    logic       across;
    logic       neg;
    logic       last;                 // of its half
    logic       fills;                // of its buffer
    umma_fill_t fill;
  } note_t;
  note_t note_q [2];
  quad_t quad_q [2][8];
  umma_fill_t fill_q;
  half_t      data_q;
  always_ff @(posedge clk_i) begin
    note_q[0].valid <= rst_ni && grant_i;
    note_q[1].valid <= rst_ni && note_q[0].valid;
    if (grant_i) begin
      note_q[0].served <= served;
      note_q[0].across <= op.across;
      note_q[0].neg <= op.neg;
      note_q[0].last <= last_request;
      note_q[0].fills <= last_request && half_q && last_unit;
      note_q[0].fill <= '{valid: 1'b1, b: on_b_q, buffer: on_b_q ? b_put_q : a_put_q,
                          unit: place, half: half_q};
      quad_q[0] <= quad;
    end
    if (note_q[0].valid) begin
      note_q[1].served <= note_q[0].served;
      {note_q[1].across, note_q[1].neg} <= {note_q[0].across, note_q[0].neg};
      {note_q[1].last, note_q[1].fills} <= {note_q[0].last, note_q[0].fills};
      note_q[1].fill <= note_q[0].fill;
      quad_q[1] <= quad_q[0];
    end
    fill_q.valid <= rst_ni && note_q[1].valid && note_q[1].last;
    if (note_q[1].valid) begin
      half_t data;
      data = data_q;
      for (int unsigned n = 0; n < 8; n++) begin
        if (note_q[1].served[n]) begin
          logic [127:0] chunk;
          chunk = rsp_i.data[quad_q[1][n]] ^ {8{note_q[1].neg, 15'd0}};
          if (!note_q[1].across) data[n] = chunk;
          else for (int unsigned r = 0; r < 8; r++) data[r][16*n +: 16] = chunk[16*r +: 16];
        end
      end
      data_q <= data;
      {fill_q.b, fill_q.buffer, fill_q.unit, fill_q.half} <=
          {note_q[1].fill.b, note_q[1].fill.buffer, note_q[1].fill.unit, note_q[1].fill.half};
    end
  end
  assign fill_o = fill_q;
  assign data_o = data_q;

  // ---- Buffers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {a_free_q, b_free_q} <= '1;
      {a_full_q, b_full_q} <= '0;
    end else if (walks_i || note_q[0].valid || note_q[1].valid || a_free_i || b_free_i) begin
      if (grant_i && on_b_q) b_free_q[b_put_q] <= 1'b0;
      if (grant_i && !on_b_q) a_free_q[a_put_q] <= 1'b0;
      if (note_q[1].valid && note_q[1].fills) begin
        if (note_q[1].fill.b) b_full_q[note_q[1].fill.buffer] <= 1'b1;
        else a_full_q[note_q[1].fill.buffer] <= 1'b1;
      end
      if (a_free_i) {a_free_q[a_buffer_i], a_full_q[a_buffer_i]} <= 2'b10;
      if (b_free_i) {b_free_q[b_buffer_i], b_full_q[b_buffer_i]} <= 2'b10;
    end
  end
  assign a_full_o = a_full_q;
  assign b_full_o = b_full_q;
  assign rest_o = {a_free_q, b_free_q} == '1 && left_q == '1 && !on_b_q && !half_q &&
                  pass_q == '0 && unit_q == '0;

  `WL_ASSERT(GrantsAsked, !grant_i || asks)
  `WL_ASSERT(ServesSome, !asks || (served != '0 && (served & ~left_q) == '0))
  `WL_ASSERT(AnswersCome, note_q[1].valid == (rsp_i.valid && rsp_i.requester == ChunkNumberBits'(ChunkUmma)))
  `WL_ASSERT(FreesFull, (!a_free_i || a_full_q[a_buffer_i]) && (!b_free_i || b_full_q[b_buffer_i]))
  `WL_ASSERT(OneState, (a_free_q & a_full_q) == '0 && (b_free_q & b_full_q) == '0)
endmodule
