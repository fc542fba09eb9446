// Stands in for the serial unit's arithmetic in the proof of shared memory: values of atomics are
// not looked at there.
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
