// C as a term of a sum of the tensor unit (docs/microarchitecture.md 19.2): sign, exponent and
// significand, or the integer. Combinational.
module dot_addend
  import wl_pkg::*;
  import tensor_pkg::*;
(
  input  logic        en_i,
  // verilator lint_off UNUSEDSIGNAL // of the kind, what C needs
  input  dot_kind_t   kind_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0] c_i,
  output logic        neg_o,
  output logic        ext_o,       // of an integer: the bits above the value
  output exponent_t   exponent_o,  // of an integer 0
  output addend_t     value_o,
  output logic        some_o,      // not zero: it has an exponent
  output logic        nan_o,
  output logic        inf_o
);
  always_comb begin
    logic [7:0]  e;
    logic [22:0] f;
    logic        top;
    {e, f, top} = 'x;
    {neg_o, ext_o, exponent_o, value_o, some_o, nan_o, inf_o} = 'x;
    if (en_i) begin
      if (kind_i.half) begin
        {neg_o, e, f} = {c_i[15], 3'b0, c_i[14:0], 13'h0};
        top = e[4:0] == '1;
      end else begin
        {neg_o, e, f} = c_i;
        top = e == '1;
      end
      some_o = e != '0 || f != '0;
      nan_o = top && f != '0;
      inf_o = top && f == '0;
      exponent_o = 9'({e[7:1], e[0] || e == '0}) + bias_of(kind_i.kind) -
                   (kind_i.half ? 9'd15 : 9'd127);
      value_o = addend_t'({e != '0, f}) << (ProfileF16F32Kept - 23);
      ext_o = 1'b0;
      if (!is_float(kind_i.kind)) begin
        {neg_o, ext_o, exponent_o} = {1'b0, c_i[31], 9'd0};
        value_o = {c_i, {IntegerUp{1'b0}}};
      end
    end
  end
endmodule
