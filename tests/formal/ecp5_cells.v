// The two ECP5 multiplexers that the RTL names itself (rtl/cells/ecp5/mux4.sv, mux_tree.sv), as logic.
module PFUMX(input ALUT, input BLUT, input C0, output Z);
  assign Z = C0 ? ALUT : BLUT;
endmodule
module L6MUX21(input D0, input D1, input SD, output Z);
  assign Z = SD ? D1 : D0;
endmodule
