// Choice of a word out of eight or so, as shfl chooses a lane of a row (docs/microarchitecture.md
// 9) and shared memory a lane of a beat (11). In gates pairs by the lowest bit of the number,
// enabled by the others: five LUT4 a bit for eight words, two for four.
module word_mux #(
  parameter int unsigned Words = 8,
  parameter int unsigned Width = 32
) (
  input  logic                     en_i,  // result is zero without (simulation only)
  input  logic [$clog2(Words)-1:0] at_i,
  input  logic [Width-1:0]         x_i [Words],
  output logic [Width-1:0]         y_o
);
`ifdef SYNTHESIS
  if (Words == 4) begin : gen_four
    mux_four #(.Width(Width)) u_four (.at_i, .x_i, .y_o);
  end else begin : gen_any
    logic [Width-1:0] part [Words/2];
    for (genvar k = 0; k < Words / 2; k++) begin : gen_pair
      mux_pair #(.Width(Width)) u_pair (
        .en_i(32'(at_i) >> 1 == k), .sel_i(at_i[0]), .a_i(x_i[2*k]), .b_i(x_i[2*k+1]),
        .y_o(part[k])
      );
    end
    always_comb begin
      y_o = '0;
      for (int unsigned k = 0; k < Words / 2; k++) y_o |= part[k];
    end
  end
  logic unused;
  assign unused = en_i;
`else
  always_comb begin
    y_o = '0;
    if (en_i) y_o = x_i[at_i];
  end
`endif
endmodule
