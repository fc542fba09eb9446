// Partners of a row of a sparse A (docs/microarchitecture.md 19.3): of the words of a column of B
// that a slice looks at, those that the row's products take. Combinational.
//
// Words are cut into units: halves of 16 bits, or bytes. An element of 32 bits is two halves, each
// with a partner of its own; two elements of 4 bits are a byte and have one partner. So for all
// elements the partner of the row's unit j is the column's unit 4 * (j / 2) + F(j).
module dot_partner
  import tensor_pkg::*;
(
  input  logic        en_i,                 // else the plain words
  input  logic        bytes_i,              // units are bytes, the upper half of the words idle
  input  places_t     places_i,             // F(0), F(1), ... of the slice
  input  logic [31:0] column_i [2*SliceWords],
  input  slice_words_t plain_i,
  output slice_words_t word_o
);
  always_comb begin
    logic [31:0] from;
    word_o = plain_i;
    from = 'x;
    if (en_i) begin
      for (int unsigned j = 0; j < 2 * SliceWords; j++) begin
        from = column_i[2*(j/2) + 32'(places_i[j][1])];
        word_o[j/2][16*(j%2) +: 16] = places_i[j][0] ? from[31:16] : from[15:0];
      end
      if (bytes_i) begin
        for (int unsigned j = 0; j < 2 * SliceWords; j++) begin
          word_o[j/4][8*(j%4) +: 8] = column_i[j/2][8*places_i[j] +: 8];
        end
      end
    end
  end
endmodule
