// The unit of 64-bit floating point (docs/microarchitecture.md 20), its structs as single ports for
// unit_test.cpp.
module tb_fp64
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  // Issue.
  input  logic        issue_i,
  input  logic        empty_i,
  input  logic        other_i,     // of another unit
  input  logic [7:0]  op_i,
  input  logic [1:0]  rnd_i,
  input  logic        neg_b_i,
  input  logic [7:0]  warp_i,
  input  logic [7:0]  rd_i,
  input  logic [31:0] exec_i,
  // X1.
  input  logic        x1_i,
  input  logic        x1_other_i,
  input  logic        x1_step_i,
  input  logic        x1_last_i,
  input  logic [31:0] x1_a_i [Lanes],
  input  logic [31:0] x1_b_i [Lanes],
  input  logic [31:0] x1_c_i [Lanes],
  output logic        ready_o,
  output logic        rest_o,
  // Results.
  output logic        valid_o,
  output logic [7:0]  warp_o,
  output logic        has_reg_o,
  output logic [7:0]  rd_o,
  output logic        beat_o,
  output logic [31:0] mask_o,
  output logic        last_beat_o,
  output logic        last_o,
  output logic        has_pred_o,
  output logic [31:0] data_o [Lanes],
  input  logic        taken_i,
  // Inside: what lockstep compares.
  output logic [1:0]  used_o,
  output logic [1:0]  full_o,
  output logic        cur_o,
  output logic        done_o,
  output logic [7:0]  lanes_o      // of the configuration
);
  issue_t issue;
  x1_t    x1;
  vwb_t   result;
  always_comb begin
    issue = '0;
    issue.valid = issue_i;
    issue.empty = empty_i;
    issue.warp = warp_t'(warp_i);
    issue.exec = exec_i;
    issue.insn.info.unit = other_i ? UnitFpu : UnitFp64;
    issue.insn.info.op = op_i;
    issue.insn.word.rd = rd_i;
    issue.insn.word.mods.arithmetic.rnd = rnd_i;
    issue.insn.word.mods.arithmetic.neg_b = neg_b_i;
    x1 = '0;
    x1.valid = x1_i;
    x1.info.unit = x1_other_i ? UnitFpu : UnitFp64;
    x1.step[0] = x1_step_i;
    x1.last = x1_last_i;
  end
  logic [Lanes-1:0][31:0] data;
  fp64 dut (
    .clk_i, .rst_ni, .clear_i, .issue_i(issue), .x1_i(x1), .x1_a_i, .x1_b_i, .x1_c_i,
    .ready_o, .rest_o, .result_o(result), .result_data_o(data), .result_taken_i(taken_i)
  );
  for (genvar l = 0; l < Lanes; l++) begin : gen_data
    assign data_o[l] = data[l];
  end
  assign valid_o = result.valid;
  assign warp_o = 8'(result.warp);
  assign has_reg_o = result.has_reg;
  assign rd_o = result.rd;
  assign beat_o = result.beat != '0;
  assign mask_o = result.mask;
  assign last_beat_o = result.last_beat;
  assign last_o = result.last;
  assign has_pred_o = result.has_pred;
  assign used_o = dut.used_q;
  assign full_o = dut.full_q;
  assign cur_o = dut.cur_valid_q;
  assign done_o = dut.done_valid_q;
  assign lanes_o = 8'(Fp64Lanes);
endmodule
