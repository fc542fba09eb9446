// One lane of the constant cache (docs/microarchitecture.md 12): offset and faults at X1, the
// offsets of its beats, its results. With several beats results come word by word.
module ccache_lane
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import gates_pkg::Always;
#(
  parameter int unsigned OffBits = 17   // of an offset without a fault
) (
  input  logic                clk_i,
  // X1 of a beat.
  input  logic                x1_i,
  input  logic [BeatBits-1:0] x1_beat_i,
  input  logic [31:0]         x1_a_i,
  input  logic [31:0]         imm_i,        // sign-extended
  input  logic [3:0]          base_i,       // low bits of the bank's base
  input  logic [3:0]          low_i,        // access bytes - 1
  input  logic                none_i,       // no offset is legal
  input  logic [31:0]         top_i,        // highest legal offset
  output logic [31:0]         off_o,
  output logic                mis_o,
  output logic                rng_o,
  // Pass: offset of a beat.
  input  logic                pass_i,
  input  logic [BeatBits-1:0] beat_i,
  output logic [OffBits-1:0]  pass_off_o,
  // Results.
  input  logic                store_i,
  input  logic [BeatBits-1:0] store_beat_i,
  input  logic [1:0]          store_word_i,
  input  logic [31:0]         store_data_i [4],   // Beats > 1: the word is the first
  input  logic                wb_i,
  input  logic [BeatBits-1:0] wb_beat_i,
  input  logic [1:0]          wb_word_i,
  output logic [31:0]         wb_data_o
);

  logic [OffBits-1:0] off_q [Beats];
  always_comb begin
    off_o = '0;
    mis_o = 1'b0;
    rng_o = 1'b0;
    if (x1_i || Always) begin
      off_o = x1_a_i + imm_i;
      mis_o = ((base_i + off_o[3:0]) & low_i) != '0;
      rng_o = none_i || off_o[OffBits-1:0] > top_i[OffBits-1:0] || (off_o >> OffBits) != '0;
    end
  end
  always_comb begin
    pass_off_o = '0;
    if (pass_i || Always) pass_off_o = off_q[beat_i];
  end
  always_ff @(posedge clk_i) begin
    if (x1_i) off_q[x1_beat_i] <= off_o[OffBits-1:0];
  end

  if (Beats > 1) begin : gen_serial
    logic [31:0] res_q [Beats * 4];
    always_ff @(posedge clk_i) begin
      if (store_i) res_q[{store_beat_i, store_word_i}] <= store_data_i[0];
    end
    always_comb begin
      wb_data_o = '0;
      if (wb_i || Always) wb_data_o = res_q[{wb_beat_i, wb_word_i}];
    end
    logic unused;
    assign unused = ^{store_data_i[1], store_data_i[2], store_data_i[3], top_i};
  end else begin : gen_once
    logic [31:0] res_q [4];
    always_ff @(posedge clk_i) begin
      if (store_i) res_q <= store_data_i;
    end
    always_comb begin
      wb_data_o = '0;
      if (wb_i || Always) wb_data_o = res_q[wb_word_i];
    end
    logic unused;
    assign unused = ^{store_beat_i, store_word_i, wb_beat_i};
  end
endmodule
