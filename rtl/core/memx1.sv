// X1 of the one sub-core that issued to the shared LSU, and to the shared constant loads
// (docs/microarchitecture.md 5, 6.1): in a cycle at most one sub-core has an X1 for each of the
// two. With one sub-core wires only.
module memx1
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  x1_t         x1_i [SubCores],
  input  logic [31:0] x1_a_i [SubCores][Lanes],
  input  logic [31:0] x1_b_i [SubCores][Lanes],
  input  logic [31:0] x1_c_i [SubCores][Lanes],
  output x1_t         lsu_x1_o,
  output logic [31:0] lsu_a_o [Lanes],
  output logic [31:0] lsu_b_o [Lanes],
  output logic [31:0] lsu_c_o [Lanes],
  output x1_t         ldc_x1_o,
  output logic [31:0] ldc_a_o [Lanes]
);
  // Whose they are; if nobody's, any: the units look at the X1 only if it is theirs.
  sub_t lsu, ldc;
  always_comb begin
    lsu = '0;
    ldc = '0;
    for (int unsigned k = 1; k < SubCores; k++) begin
      if (x1_i[k].valid && x1_i[k].info.unit == UnitLsu) lsu = sub_t'(k);
      if (x1_i[k].valid && x1_i[k].info.unit == UnitLdc) ldc = sub_t'(k);
    end
  end
  assign lsu_x1_o = x1_i[lsu];
  assign lsu_a_o = x1_a_i[lsu];
  assign lsu_b_o = x1_b_i[lsu];
  assign lsu_c_o = x1_c_i[lsu];
  assign ldc_x1_o = x1_i[ldc];
  assign ldc_a_o = x1_a_i[ldc];
endmodule
