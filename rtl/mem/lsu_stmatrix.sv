// LSU: the requests of a matrix store (docs/microarchitecture.md 10.1). All lanes store a register or
// a piece of it, each to the row of another lane: what changes from request to request is the lane
// (below 32 lanes a beat), the register and the piece. The rows' addresses come from the columns of
// lane storage that hold them.
`include "cells/assert.svh"

module lsu_stmatrix
  import wl_pkg::*;
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               start_i,      // the slot's first request comes in the next cycle
  input  logic               step_i,       // its request is taken
  input  slot_t              slot_i,
  input  matrix_e            matrix_i,
  input  logic [1:0]         last_word_i,  // last register of a lane
  output logic               last_o,       // the request at work is the last
  output mem_type_e          type_o,       // of the stores
  output logic [4:0]         lane0_o,      // first lane of its LSU beat
  output logic [Cols-1:0]    mask_o,
  // What the next request reads of lane storage (LateWords).
  output logic [RowBits-1:0] next_ea_row_o,
  output logic [RowBits-1:0] next_data_row_o,
  // Lane storage, for the request at work.
  input  logic               en_i,
  input  logic [31:0]        ea_i [Cols],
  input  logic [31:0]        data_i [Cols][4],
  output logic [31:0]        ea_o [Cols],
  output logic [31:0]        data_o [Cols]
);
  localparam logic [5:0] Beat = 6'(LsuLanes);
  typedef struct packed {
    logic [4:0] lane;
    logic [1:0] word;
    logic [1:0] piece;
  } place_t;
  place_t at_q, next;

  // The address lane of the row into which a lane stores, and where in the row.
  function automatic logic [4:0] row_lane(input matrix_e matrix, input place_t at);
    if (matrix == MatrixB16) return {at.word, at.lane[4:2]};
    return {at.word, at.lane[1:0], at.piece[0]};
  endfunction
  function automatic logic [3:0] row_byte(input matrix_e matrix, input logic [4:0] lane,
                                          input logic second);
    unique case (matrix)
      MatrixB16t: return {lane[4:2], 1'b0};
      MatrixB8s:  return {second, lane[4:2]};
      default:    return {lane[1:0], 2'b0};
    endcase
  endfunction

  logic       by_lane;      // a request is of one lane
  logic [1:0] last_piece;
  logic [5:0] after;        // the lane after those of the request
  always_comb begin
    by_lane = LsuLanes < 32 && matrix_i != MatrixB16;
    unique case (matrix_i)
      MatrixB16t: {type_o, last_piece} = {MemTypeB16, 2'd1};
      MatrixB8s:  {type_o, last_piece} = {MemTypeB8, 2'd3};
      default:    {type_o, last_piece} = {MemTypeB32, 2'd0};
    endcase
    after = 6'(at_q.lane) + (by_lane ? 6'd1 : Beat);
    next = at_q;
    last_o = 1'b0;
    if (start_i) begin
      next = '0;
    end else if (at_q.piece != last_piece) begin
      next.piece = at_q.piece + 2'd1;
    end else begin
      next.piece = '0;
      next.word = at_q.word + 2'd1;
      if (at_q.word == last_word_i) begin
        next.word = '0;
        next.lane = after[4:0];
        last_o = after[5];
      end
    end
  end
  always_ff @(posedge clk_i) if (start_i || step_i) at_q <= next;

  assign lane0_o = at_q.lane & ~5'(Beat - 6'd1);
  assign next_ea_row_o = row_of(slot_i, row_lane(matrix_i, next));
  assign next_data_row_o = row_of(slot_i, next.lane);

  always_comb begin
    place_t             at;
    logic [ColBits-1:0] from;
    mask_o = by_lane ? Cols'(1) << at_q.lane[ColBits-1:0] : '1;
    {at, from} = 'x;
    ea_o = '{default: 'x};
    data_o = '{default: 'x};
    if (en_i) begin
      for (int unsigned i = 0; i < Cols; i++) begin
        at = at_q;
        if (!by_lane) at.lane = lane0_o | 5'(i);
        from = ColBits'(row_lane(matrix_i, at));
        ea_o[i] = {ea_i[from][31:4], row_byte(matrix_i, at.lane, at.piece[1])};
        data_o[i] = data_i[i][at_q.word];
        unique case (matrix_i)
          MatrixB16t: data_o[i] = at_q.piece[0] ? {16'h0, data_o[i][31:16]} : data_o[i];
          MatrixB8s:  data_o[i] = data_o[i] >> {at_q.piece, 3'b0};
          default: ;
        endcase
      end
    end
  end

  `WL_ASSERT(KindOfStore, !en_i || matrix_i == MatrixB16 || matrix_i == MatrixB16t ||
                          (matrix_i == MatrixB8s && MatrixBytes != 0))
endmodule
