// Stand for lane storage, limits of addresses, the coalescer's gates and a multiplexer in the proof of
// the LSU's ring: classes and faults of lanes, and which lanes a step serves beside the leader, are
// anything at all (bits of data inputs that nothing else reads there).
module lsu_lane
  import wl_pkg::*;
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic               clk_i,
  input  logic               fill_i,
  input  logic               fill_act_i,
  input  logic               fill_address_i,
  input  logic [RowBits-1:0] fill_row_i,
  input  logic               fill_first_i,
  input  logic               fill_second_i,
  input  logic               fill_wide_i,
  input  logic [31:0]        fill_a_i,
  input  logic [31:0]        fill_b_i,
  input  logic [31:0]        fill_c_i,
  input  logic [31:0]        fill_imm_i,
  input  mem_space_e         fill_space_i,
  output class_e             class_o,
  output logic [31:0]        ea_hi_o,
  output logic [31:0]        ea_o,
  input  logic               keep_i,
  input  logic [RowBits-1:0] keep_row_i,
  input  logic [2:0]         keep_place_i,
  input  class_e             keep_class_i,
  input  logic [31:0]        keep_ea_i,
  input  same_t              keep_same_i,
  input  logic               keep_dest_i,
  input  logic [SmemBits-1:0] keep_dest_at_i,
  input  logic               dest_i,
  input  logic [RowBits-1:0] dest_row_i,
  output logic [SmemBits-1:0] dest_o,
  input  logic               proc_i,
  input  logic               proc_data_i,
  input  logic [RowBits-1:0] proc_row_i,
  input  logic               proc_late_i,
  input  logic [RowBits-1:0] proc_next_row_i,
  input  logic [RowBits-1:0] proc_data_row_i,
  input  logic [RowBits-1:0] proc_late_row_i,
  output class_e             proc_class_o,
  output logic [31:0]        proc_ea_o,
  output same_t              proc_same_o,
  output logic [31:0]        proc_data_o [4],
  input  logic               rsp_i,
  input  logic [RowBits-1:0] rsp_row_i,
  output logic               rsp_local_o,
  output logic [4:0]         rsp_low_o,
  input  logic [LsuWords-1:0] res_we_i,
  input  logic [ResBits-1:0] res_row_i,
  input  logic               res_smem_i,
  input  logic [31:0]        res_smem_data_i [LsuWords],
  input  logic [31:0]        res_data_i [LsuWords],
  input  logic               wb_read_i,
  input  logic [ResBits-1:0] wb_row_i,
  input  logic               wb_i,
  input  logic [1:0]         wb_word_i,
  input  logic               wb_single_i,
  input  mem_type_e          wb_type_i,
  output logic [31:0]        wb_data_o,
  output logic [31:0]        wb_bank_o [LsuWords]
);
  assign class_o = fill_act_i ? class_e'(fill_a_i[1:0]) : ClassNone;
  assign proc_same_o = same_t'({3{res_smem_data_i[0][2]}});
  assign dest_o = '0;
  assign ea_hi_o = '0;
  assign ea_o = {30'd0, fill_a_i[3:2]};
  assign proc_class_o = class_e'(res_smem_data_i[0][1:0]);
  assign proc_ea_o = '0;
  always_comb begin
    for (int k = 0; k < 4; k++) proc_data_o[k] = {31'd0, res_smem_data_i[0][2]};
  end
  assign rsp_local_o = 1'b0;
  assign rsp_low_o = '0;
  assign wb_data_o = '0;
  assign wb_bank_o = '{default: '0};
endmodule

module lsu_more
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               fill_i,
  input  logic [1:0]         fill_step_i,
  input  logic               fill_wide_i,
  input  logic [RowBits-1:0] fill_row_i,
  input  logic [31:0]        fill_a_i [Cols],
  input  logic [31:0]        fill_b_i [Cols],
  input  logic [31:0]        fill_c_i [Cols],
  input  logic [RowBits-1:0] row_i,
  input  logic               lead_i,
  input  logic [ColBits-1:0] lead_col_i,
  output logic [31:0]        lead_o [4],
  input  logic               take_i,
  output logic [31:0]        smem_more_o [4][Cols]
);
  assign lead_o = '{default: '0};
  assign smem_more_o = '{default: '0};
endmodule

module lsu_bounds
  import lsu_pkg::*;
(
  input  class_e      class_i,
  input  logic [63:0] ea_i,
  input  logic [3:0]  low_i,
  input  logic        atom_i,
  input  logic        shared_i,
  input  logic        copy_i,
  input  logic [31:0] dest_i,
  input  logic [63:0] g_base_i,
  input  logic [63:0] g_limit_i,
  input  logic [31:0] s_limit_i,
  input  logic [31:0] l_limit_i,
  output logic        bad_o,
  output fault_e      fault_o,
  output logic        dest_o
);
  assign dest_o = 1'b0;
  assign fault_o = fault_e'(ea_i[1:0]);
  assign bad_o = class_i != ClassNone && fault_o != FaultNone;
endmodule

module coalescer
  import wl_pkg::*;
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic         clk_i,
  input  logic         en_i,
  input  logic         out_i,
  input  logic         local_i,
  input  logic         is_load_i,
  input  logic         is_atom_i,
  input  logic         is_cas_i,
  input  logic [2:0]   size_i,
  input  logic [1:0]   part_i,
  input  logic [2:0]   first_i,
  input  lanes_t       pending_i,
  input  lanes_t       lead_i,
  input  logic [GroupBits-1:0] lead_at_i,
  input  logic [31:2]  lead_ea_i,
  input  logic [31:0]  ea_i   [GroupLanes],
  input  same_t        same_i,
  input  logic [31:0]  data_i [GroupLanes][4],
  input  logic [31:0]  more_i [4],
  output lanes_t       served_o,
  output logic [31:0]  mask_o,
  output logic [255:0] data_o
);
  always_comb begin
    for (int i = 0; i < int'(GroupLanes); i++) begin
      served_o[i] = lead_i[i] || (pending_i[i] &&
                                  (KeptSame ? same_i.sector && !is_atom_i : data_i[i][0][0]));
    end
  end
  assign mask_o = '0;
  assign data_o = '0;
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
