// Storage and address stage of the LSU for the lanes of one column (docs/microarchitecture.md 10).
// X1 of an address forms the effective address and its class. Only the low 32 bits are kept: device
// memory lies in one block of 4 GiB and the windows are 4 GiB. Which lanes share a packet is the
// coalescer's business.
module lsu_lane
  import wl_pkg::*;
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic               clk_i,
  // X1: words of the operand list that arrive with this step.
  input  logic               fill_i,
  input  logic               fill_act_i,     // a lane of E
  input  logic               fill_address_i, // its address counts
  input  logic [RowBits-1:0] fill_row_i,
  input  logic               fill_first_i,   // step 0: completes the address
  input  logic               fill_wide_i,    // 64-bit address
  input  logic [31:0]        fill_a_i,
  input  logic [31:0]        fill_b_i,
  input  logic [31:0]        fill_c_i,
  input  logic [31:0]        fill_imm_i,
  input  mem_space_e         fill_space_i,
  output class_e             class_o,
  output logic [31:0]        ea_hi_o,        // valid with a 64-bit address
  output logic [31:0]        ea_o,
  // What is kept of an address: in X1, with LsuDelay in the cycle behind it.
  input  logic               keep_i,
  input  logic [RowBits-1:0] keep_row_i,
  input  logic [2:0]         keep_place_i,   // lane among its eight
  input  class_e             keep_class_i,
  input  logic [31:0]        keep_ea_i,
  input  same_t              keep_same_i,    // KeptSame
  input  logic               keep_dest_i,    // a place in shared memory, of a deferred form (22.1)
  input  logic [SmemBits-1:0] keep_dest_at_i,
  input  logic               dest_i,         // it is looked at
  input  logic [RowBits-1:0] dest_row_i,
  output logic [SmemBits-1:0] dest_o,
  // Processor: address and operand words of a row.
  input  logic               proc_i,
  input  logic               proc_data_i,    // operands too
  input  logic [RowBits-1:0] proc_row_i,
  input  logic               proc_late_i,    // LateWords: to be read for the next cycle
  input  logic [RowBits-1:0] proc_next_row_i,  // address
  input  logic [RowBits-1:0] proc_data_row_i,  // words 0, 1
  input  logic [RowBits-1:0] proc_late_row_i,  // words 2, 3
  output class_e             proc_class_o,
  output logic [31:0]        proc_ea_o,
  output same_t              proc_same_o,
  output logic [31:0]        proc_data_o [4],
  // Response: place of a row's access in its sector.
  input  logic               rsp_i,
  input  logic [RowBits-1:0] rsp_row_i,
  output logic               rsp_local_o,
  output logic [4:0]         rsp_low_o,
  // Results, word k in bank k mod LsuWords.
  input  logic [LsuWords-1:0] res_we_i,
  input  logic [ResBits-1:0] res_row_i,
  input  logic               res_smem_i,     // from shared memory
  input  logic [31:0]        res_smem_data_i [LsuWords],
  input  logic [31:0]        res_data_i [LsuWords],
  // Write-back: the row read in one cycle is presented in the next.
  input  logic               wb_read_i,
  input  logic [ResBits-1:0] wb_row_i,
  input  logic               wb_i,
  input  logic [1:0]         wb_word_i,
  input  mem_type_e          wb_type_i,
  output logic [31:0]        wb_data_o,
  output logic [31:0]        wb_bank_o [LsuWords]  // the banks themselves
);

  localparam int unsigned Rows = 1 << RowBits;
  localparam int unsigned BankBits = $clog2(LsuWords);

  // ---- X1. Windows: bit 16 or bit 17 of the upper word is the only one. In which the sum lies is
  // known from the operand but for the carry of the lower words, which chooses.
  typedef struct packed {logic l, s;} window_t;
  // By bits 17:16 and 2:0 of an operand, if bits 15:3 are like bit 2 and the others zero (`plain`).
  function automatic window_t window_of(input logic [4:0] few, input logic [4:0] s_bits,
                                        input logic [4:0] l_bits);
    return '{l: few == l_bits, s: few == s_bits};
  endfunction
  logic [31:0] ea;
  logic        carry, negative, plain;
  window_t     by_carry [4], like, window;  // by carry, negative
  assign window.l = fill_space_i == MemSpaceLocal || (like.l && plain);
  assign window.s = fill_space_i == MemSpaceShared || (like.s && plain);
  always_comb begin
    logic [63:0] sum;
    logic [4:0]  few;
    {ea, ea_hi_o, sum, few} = 'x;
    {carry, negative, plain} = 'x;
    by_carry = '{default: 'x};
    if (fill_act_i && fill_first_i) begin
      negative = fill_imm_i[31];
      sum = {fill_b_i, fill_a_i} + {{32{negative}}, fill_imm_i};
      {ea_hi_o, ea} = sum;
      carry = sum[32] ^ fill_b_i[0] ^ negative;
      few = {fill_b_i[17:16], fill_b_i[2:0]};
      // The same upper word; one less; one more.
      by_carry[0] = window_of(few, 5'b01_000, 5'b10_000);
      by_carry[1] = window_of(few, 5'b01_001, 5'b10_001);
      by_carry[2] = window_of(few, 5'b00_111, 5'b01_111);
      by_carry[3] = by_carry[0];
      // Bits 15:3 like bit 2, bits 31:18 zero, with an address of no given class.
      plain = fill_space_i == MemSpaceGen && fill_b_i[31:18] == '0 &&
              fill_b_i[15:3] == {13{fill_b_i[2]}};
    end
  end
  assign class_o = !fill_address_i ? ClassNone : window.s ? ClassS : window.l ? ClassL : ClassG;
  mux_tree #(.Width(2), .Bits(2)) u_window (
    .sel_i({carry, negative}), .x_i(by_carry), .y_o(like)
  );

  // ---- Memories. The place in the sector is kept once more for responses: in phase L it is the
  // lane's.
  logic [31:0] proc_word;
  class_e      proc_class;
  logic [5:0]  low_q [Rows];
  if (LateWords) begin : gen_late_ea
    // What a step is judged by is read in it: much hangs on it, and a block memory answers late.
    (* ram_style = "block", no_rw_check *) logic [31:0] ea_q [Rows];
    (* ram_style = "distributed" *) logic [1:0] class_q [Rows];
    logic [31:0] read_q;
    always_ff @(posedge clk_i) begin
      if (keep_i) begin
        ea_q[keep_row_i] <= keep_ea_i;
        class_q[keep_row_i] <= keep_class_i;
      end
      if (proc_late_i) read_q <= ea_q[proc_next_row_i];
    end
    assign proc_word = read_q;
    assign proc_class = class_e'(class_q[proc_row_i]);
  end else begin : gen_ea
    logic [33:0] ea_q [Rows];
    always_ff @(posedge clk_i) begin
      if (keep_i) ea_q[keep_row_i] <= {keep_class_i, keep_ea_i};
    end
    assign proc_word = ea_q[proc_row_i][31:0];
    assign proc_class = class_e'(ea_q[proc_row_i][33:32]);
  end
  if (KeptSame) begin : gen_same
    (* ram_style = "distributed" *) same_t same_q [Rows];
    always_ff @(posedge clk_i) begin
      if (keep_i) same_q[keep_row_i] <= keep_same_i;
    end
    assign proc_same_o = same_q[proc_row_i];
  end else begin : gen_no_same
    assign proc_same_o = '0;
  end
  (* ram_style = "distributed" *) logic [SmemBits-1:0] dest_q [Rows];
  always_ff @(posedge clk_i) if (keep_dest_i) dest_q[keep_row_i] <= keep_dest_at_i;
  always_comb begin
    dest_o = 'x;
    if (dest_i) dest_o = dest_q[dest_row_i];
  end
  assign ea_o = ea;
  always_ff @(posedge clk_i) begin
    if (keep_i) begin
      low_q[keep_row_i] <= {keep_class_i == ClassL,
                            (keep_class_i == ClassL) ? keep_place_i : keep_ea_i[4:2],
                            keep_ea_i[1:0]};
    end
  end
  always_comb begin
    proc_ea_o = 'x;
    proc_class_o = class_e'('x);
    if (proc_i) begin
      proc_ea_o = proc_word;
      proc_class_o = proc_class;
    end
    {rsp_local_o, rsp_low_o} = 'x;
    if (rsp_i) {rsp_local_o, rsp_low_o} = low_q[rsp_row_i];
  end

  // Operand words. Where they are read at once: lsu_words.sv.
  if (LateWords) begin : gen_words
    // Word k after the address, and the step in which it comes.
    logic [31:0] word [4];
    logic [3:0]  word_we;
    always_comb begin
      // (of lanes outside E anything is written)
      word_we[0] = fill_i && fill_first_i;
      word_we[1] = fill_i && (fill_first_i ^ fill_wide_i);
      word_we[2] = fill_i && !fill_first_i;
      word_we[3] = fill_i && !fill_first_i;
      word = '{default: 'x};
      if (fill_act_i) begin
        word[0] = fill_wide_i ? fill_c_i : fill_b_i;
        word[1] = fill_wide_i ? fill_a_i : fill_c_i;
        word[2] = fill_wide_i ? fill_b_i : fill_a_i;
        word[3] = word[0];
      end
    end
    for (genvar k = 0; k < 4; k++) begin : gen_word
      (* ram_style = "block", no_rw_check *) logic [31:0] data_q [Rows];
      logic [31:0] read_q;
      always_ff @(posedge clk_i) begin
        if (word_we[k]) data_q[fill_row_i] <= word[k];
        if (proc_late_i) read_q <= data_q[(k > 1) ? proc_late_row_i : proc_data_row_i];
      end
      assign proc_data_o[k] = read_q;
    end
  end else begin : gen_no_words
    assign proc_data_o = '{default: '0};
  end

  // Results. LateExtend: the pair of words comes as memory has it; the access's own word, low byte and
  // second byte are picked on the way into the banks, and a sub-word is filled up behind them. In phase
  // L each part has a row and its one word, the lane's of the pair, is in both banks.
  logic [31:0] bank [LsuWords];
  logic [31:0] come [LsuWords];   // of whichever arrives
  logic [31:0] put [LsuWords];
  always_comb begin
    for (int k = 0; k < int'(LsuWords); k++) come[k] = res_smem_i ? res_smem_data_i[k] : res_data_i[k];
  end
  for (genvar k = 0; k < int'(LsuWords); k++) begin : gen_bank
    (* ram_style = "block", no_rw_check *) logic [31:0] res_q [1 << ResBits];
    logic [31:0] read_q;
    always_ff @(posedge clk_i) begin
      if (res_we_i[k]) res_q[res_row_i] <= put[k];
      if (wb_read_i) read_q <= res_q[wb_row_i];
    end
    assign bank[k] = read_q;
  end
  assign wb_bank_o = bank;
  logic [31:0] word_read;
  always_comb begin
    word_read = 'x;
    if (wb_i) word_read = bank[wb_word_i[BankBits-1:0]];
  end
  if (LateExtend) begin : gen_extend
    logic        odd, fill;
    logic [7:0]  low, high, low_x [8], high_x [4];
    assign odd = rsp_low_o[2] && !res_smem_i;
    always_comb begin
      for (int i = 0; i < 8; i++) low_x[i] = come[i/4][8*(i%4) +: 8];
      for (int i = 0; i < 4; i++) high_x[i] = come[i/2][16*(i%2)+8 +: 8];
    end
    assign put[0] = {odd ? come[1][31:16] : come[0][31:16], high, low};
    assign put[1] = (rsp_local_o && !odd) ? come[0] : come[1];
    mux_tree #(.Width(8), .Bits(3)) u_low (
      .sel_i({odd, rsp_low_o[1:0]}), .x_i(low_x), .y_o(low)
    );
    mux_tree #(.Width(8), .Bits(2)) u_high (
      .sel_i({odd, rsp_low_o[1]}), .x_i(high_x), .y_o(high)
    );
    // The sub-word of an aligned access is a word 0; its upper byte is never that of an odd place.
    logic s8, s16, is_byte, is_sub;
    always_comb begin
      {s8, s16, is_byte, is_sub} = 'x;
      if (wb_i) begin
        s8 = wb_type_i == MemTypeS8;
        s16 = wb_type_i == MemTypeS16;
        is_byte = wb_type_i == MemTypeU8 || s8;
        is_sub = is_byte || wb_type_i == MemTypeU16 || s16;
      end
      fill = (s8 && bank[0][7]) || (s16 && bank[0][15]);
    end
    always_comb begin
      wb_data_o = word_read;
      if (is_byte) wb_data_o[15:8] = {8{fill}};
      if (is_sub) wb_data_o[31:16] = {16{fill}};
    end
  end else begin : gen_whole
    assign put = come;
    assign wb_data_o = word_read;
  end

  logic unused;
  assign unused = ^{keep_same_i, fill_i, fill_row_i, fill_wide_i, fill_c_i, wb_word_i, wb_type_i, proc_late_i,
                    proc_late_row_i, proc_next_row_i, proc_data_row_i, proc_data_i, proc_row_i};
endmodule
