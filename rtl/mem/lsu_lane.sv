// Storage and address stage of the LSU for the lanes of one column (docs/microarchitecture.md 10):
// row = slot and, where there are fewer columns than 32 lanes, the lane's part of the warp. X1 of
// an address forms the effective address, its class and its faults. Which lanes share a packet is
// the coalescer's business.
module lsu_lane
  import wl_pkg::*;
#(
  parameter int unsigned Rows = 16,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic               clk_i,
  // X1: words of the operand list that arrive with this step.
  input  logic               fill_i,
  input  logic [RowBits-1:0] fill_row_i,
  input  logic               fill_first_i,   // step 0: completes the address
  input  logic               fill_wide_i,    // 64-bit address
  input  logic [31:0]        fill_a_i,
  input  logic [31:0]        fill_b_i,
  input  logic [31:0]        fill_c_i,
  input  logic [31:0]        fill_imm_i,
  input  mem_space_e         fill_space_i,
  input  logic               fill_atom_i,
  input  logic [3:0]         fill_low_i,     // access bytes - 1
  input  logic [63:0]        mem_base_i,
  // Highest legal address of each class; bit 64 (32): negative, none is legal.
  input  logic [64:0]        g_top_i,
  input  logic [32:0]        s_top_i,
  input  logic [32:0]        l_top_i,
  output logic               is_g_o,
  output logic               is_s_o,
  output logic               is_l_o,
  output logic [3:0]         cause_o,        // 0: no fault
  output logic [63:0]        ea_o,
  // Processor: address and operand words of a row.
  input  logic               proc_i,
  input  logic [RowBits-1:0] proc_row_i,
  output logic [63:0]        proc_ea_o,
  output logic [31:0]        proc_data_o [4],
  // Packet response: low address bits of a row, then its words.
  input  logic               rsp_i,
  input  logic [RowBits-1:0] rsp_row_i,
  output logic [4:0]         rsp_low_o,
  input  logic               rsp_we_i,
  input  logic [3:0]         rsp_words_i,
  input  logic [31:0]        rsp_data_i [4],
  // Shared memory results.
  input  logic               smem_we_i,
  input  logic [RowBits-1:0] smem_row_i,
  input  logic [31:0]        smem_data_i [4],
  // Write-back.
  input  logic               wb_i,
  input  logic [RowBits-1:0] wb_row_i,
  input  logic               wb_smem_i,      // the lane's result came from shared memory
  input  logic [1:0]         wb_word_i,
  output logic [31:0]        wb_data_o
);

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif
  localparam logic [31:0] WindowShared = 32'h00010000;
  localparam logic [31:0] WindowLocal = 32'h00020000;

  // ---- X1
  always_comb begin
    logic [63:0] imm, at, top;
    logic        none, over;
    is_g_o = 1'b0;
    is_s_o = 1'b0;
    is_l_o = 1'b0;
    cause_o = '0;
    ea_o = '0;
    imm = '0;
    at = '0;
    top = '0;
    none = 1'b0;
    over = 1'b0;
    if (fill_i && fill_first_i) begin
      imm = {{32{fill_imm_i[31]}}, fill_imm_i};
      ea_o = {fill_wide_i ? fill_b_i : 32'h0, fill_a_i} + imm;
      if (!fill_wide_i) ea_o[63:32] = '0;
      unique case (fill_space_i)
        MemSpaceShared: is_s_o = 1'b1;
        MemSpaceLocal:  is_l_o = 1'b1;
        MemSpaceGen: begin
          is_s_o = ea_o[63:32] == WindowShared;
          is_l_o = ea_o[63:32] == WindowLocal;
          is_g_o = !is_s_o && !is_l_o;
        end
        default: is_g_o = 1'b1;
      endcase
      // One comparator: the address within its class against the last legal one.
      at = ea_o;
      {none, top} = g_top_i;
      if (is_s_o) begin
        at = {40'h0, ea_o[23:0]};
        {none, top} = {s_top_i[32], 32'h0, s_top_i[31:0]};
      end else if (is_l_o) begin
        at = {32'h0, ea_o[31:0]};
        {none, top} = {l_top_i[32], 32'h0, l_top_i[31:0]};
      end
      over = none || at > top;
      if ((ea_o[3:0] & fill_low_i) != '0) begin
        cause_o = 4'(TrapMisaligned);
      end else if (is_l_o) begin
        if (fill_atom_i) cause_o = 4'(TrapOutOfBounds);
        else if (over) cause_o = 4'(TrapStack);
      end else if (over || (is_s_o && ea_o[31:24] != '0) || (is_g_o && ea_o < mem_base_i)) begin
        cause_o = 4'(TrapOutOfBounds);
      end
    end
  end

  // Operand word k after the address, and the step in which it comes.
  logic [31:0] word [4];
  logic [3:0]  word_we;
  always_comb begin
    word_we = '0;
    for (int k = 0; k < 4; k++) word[k] = '0;
    if (fill_i || Always) begin
      word[0] = fill_wide_i ? fill_c_i : fill_b_i;
      word[1] = fill_wide_i ? fill_a_i : fill_c_i;
      word[2] = fill_wide_i ? fill_b_i : fill_a_i;
      word[3] = fill_wide_i ? fill_c_i : fill_b_i;
      word_we[0] = fill_i && fill_first_i;
      word_we[1] = fill_i && (fill_first_i ^ fill_wide_i);
      word_we[2] = fill_i && !fill_first_i;
      word_we[3] = fill_i && !fill_first_i;
    end
  end

  // ---- Memories
  logic [63:0] ea_q  [Rows];
  logic [4:0]  low_q [Rows];
  always_ff @(posedge clk_i) begin
    if (fill_i && fill_first_i) begin
      ea_q[fill_row_i] <= ea_o;
      low_q[fill_row_i] <= ea_o[4:0];
    end
  end
  always_comb begin
    proc_ea_o = '0;
    if (proc_i || Always) proc_ea_o = ea_q[proc_row_i];
    rsp_low_o = '0;
    if (rsp_i || Always) rsp_low_o = low_q[rsp_row_i];
  end

  logic [31:0] wb_port [4], wb_smem [4];
  for (genvar k = 0; k < 4; k++) begin : gen_word
    logic [31:0] data_q [Rows];
    logic [31:0] port_q [Rows];   // results of packets
    logic [31:0] smem_q [Rows];   // results of shared memory
    always_ff @(posedge clk_i) begin
      if (word_we[k]) data_q[fill_row_i] <= word[k];
    end
    always_ff @(posedge clk_i) begin
      if (rsp_we_i && rsp_words_i[k]) port_q[rsp_row_i] <= rsp_data_i[k];
    end
    always_ff @(posedge clk_i) begin
      if (smem_we_i) smem_q[smem_row_i] <= smem_data_i[k];
    end
    always_comb begin
      proc_data_o[k] = '0;
      if (proc_i || Always) proc_data_o[k] = data_q[proc_row_i];
      wb_port[k] = '0;
      wb_smem[k] = '0;
      if (wb_i || Always) begin
        wb_port[k] = port_q[wb_row_i];
        wb_smem[k] = smem_q[wb_row_i];
      end
    end
  end
  always_comb begin
    wb_data_o = '0;
    if (wb_i || Always) wb_data_o = wb_smem_i ? wb_smem[wb_word_i] : wb_port[wb_word_i];
  end
endmodule
