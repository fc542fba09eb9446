// Products in tensor memory: what the chunk port answers (docs/microarchitecture.md 25.4, 26.1 to 26.3),
// two cycles after its grant. Chunks of elements of 6 and 4 bits become bytes, signs are inverted,
// chunks of an MN-major operand are turned: in the buffers a row of an operand has 32 bytes of K. Of
// them 16, of eight rows, go to the operands (umma_operands.sv) in the next cycle.
module umma_answer
  import config_pkg::*;
  import smem_pkg::*;
  import tensor_pkg::*;
  import umma_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,          // without clear
  input  umma_note_t   note_i,          // a request is granted in this cycle
  input  umma_quad_t   quad_i [8],      // of its chunks
  // verilator lint_off UNUSEDSIGNAL // data of the quads that were asked for
  input  chunk_rsp_t   rsp_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic         waits_o,         // an answer is still to come, not in this cycle
  output logic         answers_o,       // one comes in this cycle
  output logic [1:0]   a_full_o,        // with it a buffer is FULL
  output logic [1:0]   b_full_o,
  output umma_fill_t   fill_o,          // a half, in the cycle after its last answer
  output half_t        data_o,          // ByChunk: of each answer its chunk, data_o[0]
  output umma_piece_t  piece_o
);
  umma_note_t note_q [2];
  // verilator lint_off UNUSEDSIGNAL // ByChunk: there is one quad
  umma_quad_t quad_q [2][8];
  // verilator lint_on UNUSEDSIGNAL
  always_ff @(posedge clk_i) begin
    if (note_i.valid) begin
      note_q[0] <= note_i;
      quad_q[0] <= quad_i;
    end
    if (note_q[0].valid) begin
      note_q[1] <= note_q[0];
      quad_q[1] <= quad_q[0];
    end
    note_q[0].valid <= rst_ni && note_i.valid;
    note_q[1].valid <= rst_ni && note_q[0].valid;
  end
  assign waits_o = note_q[0].valid;
  assign answers_o = note_q[1].valid;
  always_comb begin
    {a_full_o, b_full_o} = '0;
    if (note_q[1].valid && note_q[1].fills) begin
      if (note_q[1].b) b_full_o[note_q[1].buffer] = 1'b1;
      else a_full_o[note_q[1].buffer] = 1'b1;
    end
  end

  // Bytes of a chunk; the bits that are signs.
  function automatic logic [127:0] bytes_of(input logic [127:0] chunk, input small_t format);
    logic [127:0] bytes;
    bytes = chunk;
    for (int unsigned n = 0; n < 16; n++) begin
      if (format == SmallE2m3 || format == SmallE3m2) bytes[8*n +: 8] = {2'b0, chunk[6*n +: 6]};
      if (format == SmallE2m1) bytes[8*n +: 8] = {2'b0, chunk[4*n +: 4], 2'b0};
    end
    return bytes;
  endfunction

  // Bytes and signs of one.
  function automatic logic [127:0] elements_of(input logic [127:0] x);
    logic [127:0] chunk;
    chunk = x;
    if (note_q[1].size == SizeByte) chunk = bytes_of(chunk, note_q[1].format);
    if (note_q[1].neg) chunk ^= signs_of(note_q[1].size, note_q[1].format);
    return chunk;
  endfunction

  umma_fill_t fill_q;
  always_ff @(posedge clk_i) begin
    fill_q.valid <= rst_ni && note_q[1].valid && (ByChunk || note_q[1].last);
    if (note_q[1].valid) begin
      fill_q.b <= note_q[1].b;
      fill_q.buffer <= note_q[1].buffer;
      fill_q.unit <= note_q[1].unit;
      fill_q.half <= (note_q[1].across && note_q[1].size == SizeByte) ? note_q[1].half[1] :
                                                                        note_q[1].half[0];
    end
  end
  assign fill_o = fill_q;

  if (ByChunk) begin : gen_piece
    logic [127:0] data_q;
    umma_piece_t  piece_q;
    always_ff @(posedge clk_i) if (note_q[1].valid) begin
      data_q <= elements_of(rsp_i.data[0]);
      piece_q <= '{number: 3'(cells_pkg::number(64'(note_q[1].served))), across: note_q[1].across,
                   size: note_q[1].size, upper: note_q[1].upper, second: note_q[1].half[0]};
    end
    assign data_o = {896'bx, data_q};
    assign piece_o = piece_q;
  end else begin : gen_half
    half_t data_q;
    always_ff @(posedge clk_i) if (note_q[1].valid) begin
      half_t data;
      data = data_q;
      for (int unsigned n = 0; n < 8; n++) begin
        if (note_q[1].served[n]) begin
          logic [127:0] chunk;
          chunk = elements_of(rsp_i.data[quad_q[1][n]]);
          if (!note_q[1].across) begin
            data[n] = chunk;
          end else begin
            unique case (note_q[1].size)
              SizeHalf: for (int unsigned r = 0; r < 8; r++) data[r][16*n +: 16] = chunk[16*r +: 16];
              SizeWord: begin
                for (int unsigned r = 0; r < 4; r++) begin
                  data[4*(n/4)+r][32*(n%4) +: 32] = chunk[32*r +: 32];
                end
              end
              default: begin
                logic [63:0] rows;
                rows = note_q[1].upper ? chunk[127:64] : chunk[63:0];
                for (int unsigned r = 0; r < 8; r++) begin
                  if (note_q[1].half[0]) data[r][64+8*n +: 8] = rows[8*r +: 8];
                  else data[r][8*n +: 8] = rows[8*r +: 8];
                end
              end
            endcase
          end
        end
      end
      data_q <= data;
    end
    assign data_o = data_q;
    assign piece_o = 'x;
  end

  if (Umma != 0 && ByChunk && smem_pkg::Quads != 1) begin : gen_quads
    $error("with one row of the engine shared memory has four banks");
  end
endmodule
