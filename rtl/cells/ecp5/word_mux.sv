// One of several words. Without en_i the result may be anything, with Zero it is zero (not with four
// words). Four words: two LUT4 per bit.
// Others: pairs by the lowest bit of the number, enabled by the other bits; five LUT4 per bit for
// eight words.
module word_mux #(
  parameter int unsigned Words = 8,
  parameter int unsigned Width = 32,
  parameter bit Zero = 1'b0
) (
  input  logic                     en_i,
  input  logic [$clog2(Words)-1:0] at_i,
  input  logic [Width-1:0]         x_i [Words],
  output logic [Width-1:0]         y_o
);
  if (Words == 4 && Zero) begin : gen_unknown
    $error("word_mux: no zero with four words");
  end
  if (Words == 4) begin : gen_four
    // The first LUT gives one of two words or, where neither is meant, the lower bit of the number.
    // By that bit the second LUT chooses among the other two words.
    logic [Width-1:0] low;
    word_mux_low #(.Width(Width)) u_low (.at_i, .a_i(x_i[0]), .b_i(x_i[1]), .y_o(low));
    always_comb begin
      for (int unsigned i = 0; i < Width; i++) begin
        y_o[i] = at_i[1] ? (low[i] ? x_i[3][i] : x_i[2][i]) : low[i];
      end
    end
  end else begin : gen_pairs
    logic [Width-1:0] part [Words/2];
    for (genvar k = 0; k < Words / 2; k++) begin : gen_pair
      word_mux_pair #(.Width(Width)) u_pair (
        .en_i(32'(at_i) >> 1 == k && (en_i || !Zero)), .sel_i(at_i[0]), .a_i(x_i[2*k]), .b_i(x_i[2*k+1]),
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
endmodule

// verilator lint_off DECLFILENAME // modules of their own: the mapping keeps their LUTs apart
// a or b where at is 0 or 1, else the lower bit of at in every place.
module word_mux_low #(
  parameter int unsigned Width = 32
) (
  input  logic [1:0]       at_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] y_o
);
  assign y_o = at_i[1] ? {Width{at_i[0]}} : at_i[0] ? b_i : a_i;
endmodule

// One of two words or zero.
module word_mux_pair #(
  parameter int unsigned Width = 32
) (
  input  logic             en_i,
  input  logic             sel_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] y_o
);
  assign y_o = (sel_i ? b_i : a_i) & {Width{en_i}};
endmodule
// verilator lint_on DECLFILENAME
