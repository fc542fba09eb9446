// Stand-ins for the data path of the atomic unit in the proof of the order point: the values that
// atomics write are not looked at there (tests/rtl/orderpoint and the lockstep runs do).
module atomic_alu (
  input  logic              clk_i,
  input  logic [2:0]        step_i,
  input  wl_pkg::atom_op_e  op_i,
  input  wl_pkg::mem_type_e type_i,
  input  logic              flush_i,
  input  logic [31:0]       old_i,
  input  logic [31:0]       val_i,
  input  logic [31:0]       cmp_i,
  output logic [31:0]       new_o
);
  assign new_o = '0;
endmodule

module word_mux #(
  parameter int unsigned Words = 8,
  parameter int unsigned Width = 32
) (
  input  logic                     en_i,
  input  logic [$clog2(Words)-1:0] at_i,
  input  logic [Width-1:0]         x_i [Words],
  output logic [Width-1:0]         y_o
);
  assign y_o = x_i[at_i];
endmodule
