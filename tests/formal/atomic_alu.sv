// Stands in for the arithmetic of atomics in proofs that do not look at the values they write (the
// benches of tests/rtl and the lockstep runs do).
module atomic_alu (
  input  logic              clk_i,
  input  logic [3:0]        step_i,
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
