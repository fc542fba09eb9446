// A test bench with rtl/dpi/warplock_cosim_pkg.sv. The "design" is a log of records (warplock run
// --backend model --log, made numeric by test_sv.sh), one clock per cycle of it. Two of them beside
// each other: the second's options begin with second_, and without second_log there is one.
// +log=FILE +ptx=FILE +dir=FOLDER (x.bin, y.bin) +image: image.hex into it +hash=wrong
// +flip=N: bit 7 of word 4 of record N.
// +trap=N: bit N of {valid, cause, warp, lane, pc, address} of the trap register is wrong.
// +two_state: the functions without X
module cosim_tb (
  input  logic clk_i,
  output logic finish_o
);
  logic first, second;
  cosim_core #(.Option(""))        u_first  (.clk_i, .finish_o(first));
  cosim_core #(.Option("second_")) u_second (.clk_i, .finish_o(second));
  assign finish_o = first && second;
endmodule
