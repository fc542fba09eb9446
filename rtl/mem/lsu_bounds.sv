// Fault of one lane's address (docs/microarchitecture.md 10): its alignment, and the limits of its
// class. An aligned access ends beyond a limit iff it is not below the last multiple of its size that
// the limit has. A copy's destination in shared memory is judged beside its source.
module lsu_bounds
  import lsu_pkg::*;
(
  input  class_e      class_i,
  input  logic [63:0] ea_i,
  input  logic [3:0]  low_i,     // access bytes - 1
  input  logic        atom_i,
  input  logic        shared_i,  // shared memory only
  input  logic        copy_i,    // has a destination
  input  logic [31:0] dest_i,
  input  logic [63:0] g_base_i,
  input  logic [63:0] g_limit_i,
  input  logic [31:0] s_limit_i,
  input  logic [31:0] l_limit_i,
  output logic        bad_o,     // a lane of E with a fault
  output fault_e      fault_o,   // counts with bad_o only
  output logic        dest_o     // the fault is the destination's; counts with bad_o only
);
  logic misaligned, over, dest_misaligned;
  // What is wrong with an address of each class, chosen by the class, which may come late.
  logic by_class [4];
  always_comb begin
    logic [63:0] multiple;
    logic [31:0] offset;
    logic        offset_over;
    {misaligned, over, dest_misaligned, offset_over} = 'x;
    {multiple, offset} = 'x;
    by_class = '{default: 'x};
    by_class[ClassNone] = 1'b0;
    if (class_i != ClassNone) begin
      // Of a limit those bits that a multiple of the size has.
      multiple = {{60{1'b1}}, ~low_i};
      misaligned = (ea_i[3:0] & low_i) != '0;
      dest_misaligned = copy_i && (dest_i[3:0] & low_i) != '0;
      over = ea_i < g_base_i || ea_i >= (g_limit_i & multiple);
      offset = copy_i ? dest_i : ea_i[31:0];
      offset_over = offset >= (s_limit_i & multiple[31:0]);
      by_class[ClassG] = misaligned || shared_i || over || dest_misaligned || (copy_i && offset_over);
      by_class[ClassS] = misaligned || offset_over;
      by_class[ClassL] = misaligned || atom_i || shared_i ||
                          ea_i[31:0] >= (l_limit_i & multiple[31:0]);
    end
    dest_o = copy_i && !misaligned && !over;
    fault_o = (misaligned || (dest_o && dest_misaligned)) ? FaultMisaligned
              : (class_i == ClassL && !atom_i && !shared_i) ? FaultStack : FaultBounds;
  end
  mux_tree #(.Width(1), .Bits(2)) u_bad (.sel_i(class_i), .x_i(by_class), .y_o(bad_o));
endmodule
