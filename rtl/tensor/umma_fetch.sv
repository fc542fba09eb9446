// Products in tensor memory: fetch of the operands through the chunk port (docs/microarchitecture.md
// 25.3, 25.4, 26.2, 26.3, 26.7). Asks for the halves of the command at `walk`, pass by pass: the rows of
// A, then the blocks of B. umma_answer.sv has the answers, umma_read.sv reads A in tensor memory.
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
  input  logic         oldest_i,        // it is the oldest one
  input  logic         d_read_i,        // D is read in this cycle
  output logic         room_o,          // scales may be read in it
  input  logic         scales_i,        // they are
  output umma_read_t   read_o,          // rows of tensor memory
  output umma_take_t   take_o,
  output logic         fetched_o,       // all is asked for
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
  output umma_piece_t  piece_o,         // ByChunk: of a chunk
  output logic         rest_o
);
  // ---- Where the fetch is.
  logic      on_b_q;
  logic [1:0] half_q;
  pass_t     pass_q;
  logic [4:0] unit_q;                 // of A in the pass; block of B
  logic [7:0] left_q;                 // chunks of the half still to come
  logic      a_put_q, b_put_q;
  umma_at_t  a_at_q, a_line_q;        // first chunk of the unit; MN-major: of its first column of patterns
  umma_at_t  b_at_q, b_line_q;
  logic [1:0] a_free_q, a_full_q, b_free_q, b_full_q;   // neither: FILLS

  // ---- Rows of tensor memory.
  logic copies, shifts, gathers, gathered, taken_full, rest_gather;
  assign copies = info_i.code == CodeCp;
  assign shifts = info_i.code == CodeShift;
  assign gathers = shifts || info_i.ta;
  umma_read u_read (
    .clk_i, .rst_ni, .wants_i(walks_i && oldest_i && gathers && !on_b_q && !a_full_q[a_put_q]),
    .info_i, .pass_i(pass_q), .buffer_i(a_put_q), .d_read_i, .room_o, .scales_i, .read_o,
    .last_o(gathered), .take_o, .full_o(taken_full), .rest_o(rest_gather)
  );

  // ---- The rows of a copy: units of eight lanes of the quarters, of one lane one (26.7).
  logic       one_lane;
  logic [1:0] quarter, lanes8;        // lanes8: the lanes of the quarter
  logic [4:0] copied;                 // number of the unit in the operand
  assign one_lane = copies && info_i.shape == 3'd1;
  assign quarter = (SubCores == 1) ? 2'(pass_q) : one_lane ? unit_q[1:0] : unit_q[3:2];
  assign lanes8 = one_lane ? info_i.first_lane[4:3] : unit_q[1:0];
  always_comb begin
    unique case (info_i.shape)
      3'd0, 3'd2: copied = {1'b0, quarter, lanes8};
      3'd3:       copied = {2'b0, quarter[0], lanes8};
      3'd4:       copied = {2'b0, quarter[1], lanes8};
      3'd5:       copied = {3'b0, lanes8};
      default:    copied = '0;
    endcase
  end

  // ---- The request: the chunks of a half, of each quad the row that the lowest one needs.
  logic          asks;
  umma_operand_t op;
  umma_at_t      at, line;
  logic [4:0]    number, units;       // of the unit in the operand; of those of A in a pass, the last
  logic [7:0]    served, left;
  umma_quad_t    quad [8];
  umma_size_e    size;
  assign units = one_lane ? 5'(SubCores - 1) :
                            5'((info_i.tall || copies ? RowUnits : RowUnits / 2) - 1);
  assign left = one_lane ? left_q & (8'd1 << info_i.first_lane[2:0]) : left_q;
  assign size = size_of(info_i.code);
  assign asks = walks_i && (on_b_q ? !b_full_q[b_put_q] : !gathers && !a_full_q[a_put_q]);
  // Chunk n of the half; step: from half to half.
  function automatic umma_at_t place_of(input logic [2:0] n, input umma_at_t first, input umma_at_t step,
                                        input logic across, input logic [2:0] offset,
                                        input logic [2:0] swizzle);
    umma_at_t x;
    if (one_lane) x = first + (umma_at_t'(quarter) << width_of(swizzle));
    else if (across && size == SizeWord) x = first + umma_at_t'({n[1:0], 2'b0, n[2]});
    else x = first + (umma_at_t'(n) << width_of(swizzle));
    if (half_q[0]) x = x + step;
    if (half_q[1]) x = x + (step << 1);
    return swizzled(x, offset, swizzle);
  endfunction
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
      number = on_b_q ? unit_q : copies ? copied :
               5'(32'(pass_q) * (32'(units) + 1) + 32'(unit_q));
      at = on_b_q ? b_at_q : a_at_q;
      line = on_b_q ? b_line_q : a_line_q;
      if (number == '0) {at, line} = {op.start, op.start};
      if (copies && info_i.shape == 3'd4 && number == 5'd4) at = op.start + (op.sbo << 2);
      step = (op.swizzle == '0) ? op.lbo : op.across ? op.sbo : umma_at_t'(1);
      served = '0;
      if (Quads == 1) begin             // chunks lie in different rows: one a request
        served = 8'(cells_pkg::lowest(64'(left)));
        x = place_of(3'(cells_pkg::number(64'(served))), at, step, op.across, op.offset, op.swizzle);
        chunk_o.quad[0].valid = 1'b1;
        chunk_o.quad[0].row = SmemRowBits'(x);
      end else for (int unsigned n = 0; n < 8; n++) begin
        if (left[n]) begin
          x = place_of(3'(n), at, step, op.across, op.offset, op.swizzle);
          quad[n] = umma_quad_t'(x);
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
  logic last_request, last_half, last_unit, last_block, last_pass;
  logic moves, full_width;            // MN-major: the next unit has other chunks, in other patterns
  assign last_request = served == left;
  assign last_half = half_q == ((op.across && size == SizeByte) ? 2'd3 :
                                (copies && info_i.short_k) ? 2'd0 : 2'd1);
  assign last_unit = on_b_q || unit_q == units;          // of its buffer
  assign last_block = on_b_q ? unit_q == info_i.last_block : copies && last_unit;   // of the pass
  assign last_pass = 32'(pass_q) == Passes - 1;
  assign fetched_o = (gathered && shifts) ||
                     grant_i && last_request && last_half && last_block && last_pass;
  always_comb begin
    logic [2:0] v;                    // the unit's last chunk of rows
    {moves, full_width, v} = 'x;
    if (asks) begin
      moves = size != SizeByte || number[0];
      v = (size == SizeWord) ? {number[1:0], 1'b1} : (size == SizeByte) ? number[3:1] : number[2:0];
      unique case (width_of(op.swizzle))
        2'd0:    full_width = 1'b1;
        2'd1:    full_width = v[0];
        2'd2:    full_width = v[1:0] == '1;
        default: full_width = v == '1;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      on_b_q <= 1'b0;
      half_q <= '0;
      pass_q <= '0;
      unit_q <= '0;
      left_q <= '1;
      a_put_q <= 1'b0;
      b_put_q <= 1'b0;
    end else if (gathered) begin
      a_put_q <= !a_put_q;
      on_b_q <= !shifts;
    end else if (grant_i) begin
      left_q <= last_request ? '1 : left_q & ~served;
      if (last_request) begin
        half_q <= last_half ? '0 : half_q + 2'd1;
        if (last_half) begin
          unit_q <= (on_b_q ? last_block : last_unit) ? '0 : unit_q + 5'd1;
          if (on_b_q) b_put_q <= !b_put_q;
          else if (last_unit) a_put_q <= !a_put_q;
          on_b_q <= on_b_q ? !last_block : last_unit && !copies;
          if (last_block) pass_q <= last_pass ? '0 : pass_q + pass_t'(1);
        end
      end
    end
    if (grant_i && last_request && last_half) begin
      umma_at_t next, next_line;
      next_line = line;
      next = at + op.sbo;
      if (op.across && !moves) begin
        next = at;
      end else if (op.across && op.swizzle != '0) begin
        if (full_width) next_line = line + op.lbo;
        next = full_width ? next_line : at + umma_at_t'((size == SizeWord) ? 2 : 1);
      end
      if (on_b_q) {b_at_q, b_line_q} <= {next, next_line};
      else {a_at_q, a_line_q} <= {next, next_line};
    end
  end

  // Sub-core and unit in it; of M = 64 two of its four.
  row_unit_t place;
  if (SubCores == 1) begin : gen_one
    assign place = copies ? row_unit_t'(lanes8) : row_unit_t'(unit_q);
  end else begin : gen_four
    assign place = copies ? {quarter, lanes8} : info_i.tall ? row_unit_t'(unit_q) :
                                                {unit_q[2:1], 1'b0, unit_q[0]};
  end

  // ---- Answers, two cycles after their grants.
  umma_note_t note;
  logic       waits, answers;
  logic [1:0] a_filled, b_filled;
  always_comb begin
    note = 'x;
    note.valid = grant_i;
    if (grant_i) begin
      note.served = served;
      {note.across, note.neg, note.format, note.size} = {op.across, op.neg, op.format, size};
      note.upper = number[0];
      note.half = half_q;
      note.last = last_request && (half_q[0] || !op.across || size != SizeByte);
      note.fills = last_request && last_half && last_unit;
      {note.b, note.buffer, note.unit} = {on_b_q, on_b_q ? b_put_q : a_put_q, place};
    end
  end
  umma_answer u_answer (
    .clk_i, .rst_ni, .note_i(note), .quad_i(quad), .rsp_i, .waits_o(waits), .answers_o(answers),
    .a_full_o(a_filled), .b_full_o(b_filled), .fill_o, .data_o, .piece_o
  );

  // ---- Buffers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {a_free_q, b_free_q} <= '1;
      {a_full_q, b_full_q} <= '0;
    end else if (walks_i || take_o.valid != '0 || waits || answers || a_free_i || b_free_i) begin
      if (grant_i && on_b_q) b_free_q[b_put_q] <= 1'b0;
      if ((grant_i && !on_b_q) || read_o.valid != '0) a_free_q[a_put_q] <= 1'b0;
      if (taken_full) a_full_q[take_o.buffer] <= 1'b1;
      for (int unsigned i = 0; i < 2; i++) begin
        if (answers && a_filled[i]) a_full_q[i] <= 1'b1;
        if (answers && b_filled[i]) b_full_q[i] <= 1'b1;
      end
      if (a_free_i) {a_free_q[a_buffer_i], a_full_q[a_buffer_i]} <= 2'b10;
      if (b_free_i) {b_free_q[b_buffer_i], b_full_q[b_buffer_i]} <= 2'b10;
    end
  end
  assign a_full_o = a_full_q;
  assign b_full_o = b_full_q;
  assign rest_o = rest_gather && {a_free_q, b_free_q} == '1 && left_q == '1 && !on_b_q && half_q == '0 &&
                  pass_q == '0 && unit_q == '0;

  `WL_ASSERT(GrantsAsked, !grant_i || asks)
  `WL_ASSERT(ServesSome, !asks || (served != '0 && (served & ~left) == '0))
  `WL_ASSERT(AnswersCome, answers == (rsp_i.valid && rsp_i.requester == ChunkNumberBits'(ChunkUmma)))
  `WL_ASSERT(FreesFull, (!a_free_i || a_full_q[a_buffer_i]) && (!b_free_i || b_full_q[b_buffer_i]))
  `WL_ASSERT(OneState, (a_free_q & a_full_q) == '0 && (b_free_q & b_full_q) == '0)
endmodule
