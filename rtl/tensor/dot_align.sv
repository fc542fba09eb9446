// Terms of the tensor unit's engine, cut to Kept bits after the point of the largest exponent
// (docs/microarchitecture.md 19.2, 4): a register of each and of C. One row of the engine has the
// cells that an FPGA shifts with.
module dot_align
  import config_pkg::*;
  import tensor_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      en_i,
  input  logic                      float_i,
  input  exponent_t                 largest_i,
  // verilator lint_off UNUSEDSIGNAL // the sign is dealt with in the sum
  input  term_t [DotTerms-1:0]      term_i,
  // verilator lint_on UNUSEDSIGNAL
  input  exponent_t                 c_exponent_i,
  input  addend_t                   c_value_i,
  output dot_stage_pkg::values_t    value_o,
  output addend_t                   c_value_o
);
  // A significand has 20 bits after its point. A zero is cut to zero by any amount, an integer by
  // none.
  if (DotRows == 1) begin : gen_cells
    for (genvar k = 0; k < int'(DotTerms); k++) begin : gen_term
      exponent_t   shift;
      logic [26:0] value;
      logic        ext_q;
      // verilator lint_off UNUSEDSIGNAL // cut toward zero: nobody asks
      logic        lost;
      // verilator lint_on UNUSEDSIGNAL
      assign shift = largest_i - term_i[k].exponent;
      shift_right #(.In(27), .Out(27), .Bits(5)) u_shift (
        .clk_i, .en_i, .zero_i(shift[8:5] != '0), .amount_i(shift[4:0]),
        .x_i({term_i[k].value, 5'd0}), .y_o(value), .lost_o(lost)
      );
      always_ff @(posedge clk_i) if (en_i) ext_q <= !float_i && term_i[k].value[21];
      assign value_o[k] = {{5{ext_q}}, value};
    end
    exponent_t c_shift;
    // verilator lint_off UNUSEDSIGNAL // likewise
    logic      c_lost;
    // verilator lint_on UNUSEDSIGNAL
    assign c_shift = largest_i - c_exponent_i;
    shift_right #(.In(37), .Out(37), .Bits(5)) u_shift_c (
      .clk_i, .en_i, .zero_i(c_shift[8:5] != '0), .amount_i(c_shift[4:0]), .x_i(c_value_i),
      .y_o(c_value_o), .lost_o(c_lost)
    );
  end else begin : gen_rows
    dot_stage_pkg::values_t value_q;
    addend_t                c_value_q;
    always_ff @(posedge clk_i) begin
      if (en_i) begin
        exponent_t shift;
        value_q <= dot_stage_pkg::aligned_of(float_i, largest_i, term_i);
        shift = largest_i - c_exponent_i;
        c_value_q <= (shift[8:5] != '0) ? '0 : c_value_i >> shift[4:0];
      end
    end
    assign {value_o, c_value_o} = {value_q, c_value_q};
  end
endmodule
