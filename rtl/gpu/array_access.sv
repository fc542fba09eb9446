// Words of arrays, written and read by a board (docs/fpga.md 6): a poke goes to the sub-core that
// has the slice, the word of a peek comes from there and is kept in a register. Without BoardAccess
// all of it is zero.
module array_access
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
#(
  parameter bit BoardAccess = 1'b0
) (
  // verilator lint_off UNUSEDSIGNAL // without BoardAccess
  input  logic        clk_i,
  input  poke_t       poke_i,
  input  peek_t       peek_i,
  // Arrays: the poke of the SM's and of each sub-core's; words that they read.
  output poke_t       sm_poke_o,
  output poke_t [SubCores-1:0] sub_poke_o,
  output peek_t       peek_o,
  input  logic [31:0] peek_rf_i [SubCores],
  input  logic [31:0] peek_pred_i [SubCores],
  input  logic [31:0] peek_xbuf_i [SubCores],
  input  logic [31:0] peek_smem_i,
  input  logic [31:0] peek_tmem_i [SubCores],
  output logic [31:0] peek_data_o
  // verilator lint_on UNUSEDSIGNAL
);
  if (BoardAccess) begin : gen_access
    // verilator lint_off UNUSEDSIGNAL // with one sub-core
    function automatic sub_t sub_of_slice(input logic [2:0] array, input logic [7:0] slice);
      if (SubCores == 1) return '0;
      unique case (array)
        3'(ArrayRf):   return sub_t'(32'(slice) / (4 * Lanes));
        3'(ArrayXbuf): return sub_t'(32'(slice) / 32);
        3'(ArrayTmem): return sub_t'(32'(slice) / (4 * Lanes / SubCores));
        default:       return sub_t'(slice);
      endcase
    endfunction
    // verilator lint_on UNUSEDSIGNAL

    assign {sm_poke_o, peek_o} = {poke_i, peek_i};
    always_comb begin
      for (int unsigned k = 0; k < SubCores; k++) begin
        sub_poke_o[k] = poke_i;
        for (int unsigned i = 0; i < 5; i++) begin
          if (sub_of_slice(3'(i), poke_i.slice) != sub_t'(k)) sub_poke_o[k].valid[i] = 1'b0;
        end
      end
    end

    logic [31:0] word [8];
    logic [31:0] next;
    sub_t        sub;
    assign sub = sub_of_slice(peek_i.array, peek_i.slice);
    always_comb begin
      word = '{default: '0};
      word[ArrayRf] = peek_rf_i[sub];
      word[ArrayPred] = peek_pred_i[sub];
      word[ArraySmem] = peek_smem_i;
      word[ArrayXbuf] = peek_xbuf_i[sub];
      word[ArrayTmem] = peek_tmem_i[sub];
    end
    mux_tree #(.Width(32), .Bits(3)) u_peek (.sel_i(peek_i.array), .x_i(word), .y_o(next));
    always_ff @(posedge clk_i) if (peek_i.valid) peek_data_o <= next;
  end else begin : gen_no_access
    assign {sm_poke_o, sub_poke_o, peek_o, peek_data_o} = '0;
  end
endmodule
