// LSU: what X1 of an LSU beat means for its slot (docs/microarchitecture.md 10): which lanes
// it is of, and, of the step that is judged (with LsuDelay that of the cycle before), the classes and
// the lowest fault that the lanes found. The addresses themselves are formed and kept in lsu_lane.
module lsu_fill
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import lsu_pkg::*;
  import cells_pkg::*;
(
  input  x1_t             x1_i,
  output logic            fill_o,
  output logic            first_o,
  output logic [4:0]      lane0_o,      // first lane of the LSU beat
  output logic [Cols-1:0] act_o,        // columns of lanes of E
  output logic [Cols-1:0] address_o,    // of those whose address counts
  output logic [3:0]      low_o,        // access bytes - 1
  // The step that is judged.
  input  logic            go_i,         // completes addresses
  input  logic [4:0]      judged_lane0_i,
  input  class_e          class_i [Cols],
  input  logic            bad_i [Cols],  // a lane of E with a fault
  input  fault_e          fault_i [Cols],
  input  logic            fault_dest_i [Cols],
  // Summary of the LSU beat.
  output groups_t         any_g_o,
  output groups_t         any_l_o,
  output beats_t          any_s_o,
  output fault_e          fault_o,
  output logic [4:0]      fault_lane_o,
  output logic            fault_dest_o,  // it is of the destination; counts with a fault only
  output logic [Cols-1:0] pick_o         // the column that it is of; counts with a fault only
);

  assign fill_o = x1_i.valid && x1_i.info.unit == UnitLsu;
  assign first_o = x1_i.step == '0;
  if (LsuParts > 1) begin : gen_parts
    assign lane0_o = 5'(32'(x1_i.beat) * Lanes + 32'(x1_i.part) % LsuParts * LsuLanes);
  end else begin : gen_whole
    assign lane0_o = 5'(32'(x1_i.beat) * Lanes);
  end
  always_comb begin
    logic [5:0] rows;   // of a matrix load or store: so many address lanes
    act_o = '0;
    address_o = '0;
    low_o = 'x;
    rows = 'x;
    if (fill_o) begin
      act_o = Cols'(x1_i.mask >> (32'(lane0_o) % Lanes));
      low_o = 4'((5'd1 << size_of(x1_i.info.mtype)) - 5'd1);
      address_o = act_o;
      if (form_matrix(x1_i.info) != MatrixNone) begin
        // Matrices of 8 or 16 rows.
        rows = 6'(form_matrices(x1_i.info)) <<
               (matrix_rows(form_matrix(x1_i.info)) == 5'd16 ? 4 : 3);
        for (int i = 0; i < int'(Cols); i++) begin
          if (6'(lane0_o) + 6'(i) >= rows) address_o[i] = 1'b0;
        end
      end
    end
  end

  always_comb begin
    logic [Cols-1:0] g, l, s, bad;
    logic [ColBits-1:0] c;
    logic here;
    {here, g, l, s, bad, c} = 'x;
    {pick_o, any_g_o, any_l_o, any_s_o, fault_lane_o, fault_dest_o} = 'x;
    fault_o = FaultNone;
    if (go_i) begin
      for (int i = 0; i < int'(Cols); i++) begin
        g[i] = class_i[i] == ClassG;
        l[i] = class_i[i] == ClassL;
        s[i] = class_i[i] == ClassS;
        bad[i] = bad_i[i];
      end
      // The classes come late: not shifted, but selected by the LSU beat's groups.
      for (int i = 0; i < int'(Groups); i++) begin
        here = i / int'(ColGroups) == 32'(judged_lane0_i) / int'(LsuLanes);
        any_g_o[i] = here && g[int'(GroupLanes)*(i % int'(ColGroups)) +: int'(GroupLanes)] != '0;
        any_l_o[i] = here && l[int'(GroupLanes)*(i % int'(ColGroups)) +: int'(GroupLanes)] != '0;
      end
      for (int i = 0; i < int'(LsuBeats); i++) begin
        any_s_o[i] = i == 32'(judged_lane0_i) / int'(LsuLanes) && s != '0;
      end
      // Of no fault the last lane is picked: it counts only with a fault.
      pick_o = Cols'(lowest(64'(bad)));
      pick_o[Cols-1] = (bad << 1) == '0;
      if (bad != '0) begin
        c = '0;
        fault_dest_o = 1'b0;
        for (int i = 0; i < int'(Cols); i++) begin
          if (pick_o[i]) begin
            fault_o = fault_e'(fault_o | fault_i[i]);
            fault_dest_o = fault_dest_o || fault_dest_i[i];
            c = c | ColBits'(i);
          end
        end
      end
      fault_lane_o = judged_lane0_i | 5'(c);
    end
  end

  logic unused;
  assign unused = ^x1_i;
endmodule
