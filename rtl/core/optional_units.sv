// Units of a sub-core that only some configurations have (docs/microarchitecture.md 0): the probe
// (18), the tensor unit (19), 64-bit floating point (20), tensor memory (24), and the result queue
// (6.5) for units that keep no results themselves. A configuration without a unit gets the outputs of a
// unit that is at rest and never ready.
module optional_units
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import tensor_pkg::*;
  import umma_pkg::*;
(
  // verilator lint_off UNUSEDSIGNAL // of each what the units of the configuration need
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  sub_t                  sub_i,
  input  logic [NumStalls-1:0]  stall_i,         // disturbance (17)
  input  logic                  clear_i,
  input  logic [31:0]           lb_i [LaunchBlockWords],
  input  logic [CtaBits-1:0]    warp_cta_i [SubWarps],
  input  logic [4:0]            warp_index_i [SubWarps],
  input  issue_t                issue_i,
  input  x1_t                   x1_i,
  input  logic [31:0]           x1_a_i [Lanes],
  input  logic [31:0]           x1_b_i [Lanes],
  input  logic [31:0]           x1_c_i [Lanes],
  // Chunk port of shared memory.
  output chunk_req_t            chunk_o [ChunkPorts],
  input  logic [ChunkPorts-1:0] chunk_grant_i,
  input  chunk_rsp_t            chunk_rsp_i,
  // Probe.
  output logic                  probe_ready_o,
  output finish_t               probe_finish_o,
  output trap_t                 probe_trap_o,
  // Tensor unit.
  output logic                  tensor_ready_o,
  // 64-bit floating point.
  output logic                  fp64_ready_o,
  // Tensor memory: columns of the CTAs.
  input  tmem_pkg::columns_t    columns_i,
  output logic                  tmem_ready_o,
  output trap_t                 tmem_trap_o,
  // Products in tensor memory (25): the part of the sub-core.
  input  umma_lanes_t           umma_i,
  input  umma_step_t            umma_step_i,
  input  slice_words_t [DotRows-1:0] umma_a_i,
  input  logic [Lanes-1:0][31:0] umma_put_i,     // a row that is placed
  output logic [Lanes-1:0][31:0] umma_rows_o,    // rows of A
  output umma_state_t           umma_o,
  output logic                  umma_could_o,    // the pipe could move
  output logic                  umma_takes_o,    // a set is taken
  // Board: words of tensor memory.
  input  poke_t                 poke_i,
  input  peek_t                 peek_i,
  output logic [31:0]           peek_tmem_o,
  // Result queue.
  output vwb_t                  result_o,
  output logic [31:0]           result_data_o [Lanes],
  input  logic                  result_grant_i,
  output logic [RestUnits-1:0]  rest_o           // of record REST (15): 1 of other units
  // verilator lint_on UNUSEDSIGNAL
);
  // Producers of the result queue: words that they present.
  vwb_t                   word [ResultPorts];
  logic [Lanes-1:0][31:0] data [ResultPorts];
  // verilator lint_off UNUSEDSIGNAL // without a producer
  logic [ResultPorts-1:0] taken;
  // verilator lint_on UNUSEDSIGNAL
  logic                   rest_probe, rest_tensor, rest_fp64, rest_tmem, rest_result;
  assign rest_o = ~((RestUnits'(!rest_probe) << RestProbe) |
                    (RestUnits'(!rest_tensor) << RestTensor) |
                    (RestUnits'(!rest_fp64) << RestFp64) |
                    (RestUnits'(!rest_tmem) << RestTmem) |
                    (RestUnits'(!rest_result) << RestResult));

  if (Probe != 0) begin : gen_probe
    assign chunk_o[ChunkCopy] = '0;   // the SM's
    assign chunk_o[ChunkUmma] = '0;
    probe u_probe (
      .clk_i, .rst_ni, .sub_i, .clear_i, .issue_i, .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
      .smem_units_i(lb_i[LaunchSmemUnits]), .smem_bytes_i(lb_i[LaunchSmemBytes]), .warp_cta_i,
      .ready_o(probe_ready_o), .rest_o(rest_probe),
      .result_o(word[ResultProbe]), .result_data_o(data[ResultProbe]),
      .result_taken_i(taken[ResultProbe]),
      .load_o(chunk_o[ChunkProbeLoad]), .store_o(chunk_o[ChunkProbeStore]),
      .load_grant_i(chunk_grant_i[ChunkProbeLoad]), .store_grant_i(chunk_grant_i[ChunkProbeStore]),
      .rsp_i(chunk_rsp_i), .finish_o(probe_finish_o), .trap_o(probe_trap_o)
    );
  end else begin : gen_no_probe
    assign chunk_o = '{default: '0};
    assign {probe_ready_o, probe_finish_o, probe_trap_o} = '0;
    assign rest_probe = 1'b1;
    if (ResultProbe < ResultPorts) begin : gen_no_words  // its number is one of others' numbers
      assign word[ResultProbe] = '0;
      assign data[ResultProbe] = '0;
    end
  end

  // Between the tensor unit, tensor memory and the port of products.
  // verilator lint_off UNUSEDSIGNAL // without one of the three
  logic                     stage, in_pipe, blocked, drain, row_valid, read;
  logic [DotRows-1:0][31:0] addend;
  scales_t [DotRows-1:0]    scales;
  umma_row_t                row;
  logic [31:0]              row_data [Lanes];
  tmem_pkg::quarter_t       read_quarter;
  tmem_pkg::tmem_row_t      read_row;
  logic [Lanes-1:0][31:0]   read_data [tmem_pkg::Quarters];
  tmem_pkg::tmem_write_t    store, sums;
  logic [31:0]              sums_data [Lanes];
  // verilator lint_on UNUSEDSIGNAL
  assign umma_o.busy = in_pipe || drain;
  assign umma_o.blocked = blocked;
  if (Umma != 0) begin : gen_umma
    umma_port u_umma (
      .clk_i, .rst_ni(rst_ni && !clear_i), .step_i(umma_step_i), .off_i(umma_i.off), .sub_i,
      .gather_i(umma_i.read), .put_i(umma_i.put), .put_data_i(umma_put_i), .rows_o(umma_rows_o),
      .stage_i(stage), .c_o(addend), .row_valid_i(row_valid), .row_i(row), .row_data_i(row_data),
      .blocked_o(blocked), .drain_o(drain), .read_o(read), .quarter_o(read_quarter),
      .read_row_o(read_row), .data_i(read_data), .store_i(store), .write_o(sums),
      .write_data_o(sums_data)
    );
  end else begin : gen_no_umma
    assign {addend, blocked, drain, read, read_quarter, read_row, sums, umma_rows_o} = '0;
    assign sums_data = '{default: '0};
  end

  if (TensorScaled != 0) begin : gen_scales
    umma_scale_words u_words (
      .clk_i, .scale_i(umma_i.scale), .rows_i(umma_rows_o), .step_i(umma_step_i), .scales_o(scales)
    );
  end else begin : gen_no_scales
    assign scales = '0;
  end

  if (Tensor != 0) begin : gen_tensor
    tensor u_tensor (
      .clk_i, .rst_ni, .sub_i, .clear_i, .issue_i, .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
      .ready_o(tensor_ready_o), .rest_o(rest_tensor),
      .umma_on_i(umma_i.on), .umma_move_i(umma_i.move), .umma_hold_i(umma_i.hold),
      .umma_i(umma_step_i), .umma_a_i, .umma_b_i(umma_i.b), .umma_c_i(addend), .umma_scales_i(scales),
      .umma_stage_o(stage), .umma_busy_o(in_pipe), .blocked_i(blocked), .could_o(umma_could_o),
      .cur_o(umma_o.cur), .takes_o(umma_takes_o), .next_o(umma_o.next), .row_valid_o(row_valid),
      .row_o(row), .row_data_o(row_data),
      .result_o(word[ResultTensor]), .result_data_o(data[ResultTensor]),
      .result_taken_i(taken[ResultTensor])
    );
  end else begin : gen_no_tensor
    assign word[ResultTensor] = '0;
    assign data[ResultTensor] = '0;
    assign tensor_ready_o = 1'b0;
    assign rest_tensor = 1'b1;
    assign {stage, in_pipe, row_valid, row, umma_could_o, umma_takes_o, umma_o.cur, umma_o.next} = '0;
    assign row_data = '{default: '0};
  end

  if (Fp64 != 0) begin : gen_fp64
    fp64 u_fp64 (
      .clk_i, .rst_ni, .clear_i, .issue_i, .x1_i, .x1_a_i, .x1_b_i, .x1_c_i,
      .ready_o(fp64_ready_o), .rest_o(rest_fp64),
      .result_o(word[ResultFp64]), .result_data_o(data[ResultFp64]),
      .result_taken_i(taken[ResultFp64])
    );
  end else begin : gen_no_fp64
    if (ResultFp64 < ResultPorts) begin : gen_no_words
      assign word[ResultFp64] = '0;
      assign data[ResultFp64] = '0;
    end
    assign fp64_ready_o = 1'b0;
    assign rest_fp64 = 1'b1;
  end

  if (Tmem != 0) begin : gen_tmem
    tmem u_tmem (
      .clk_i, .rst_ni, .sub_i, .clear_i, .issue_i, .x1_i, .x1_a_i, .warp_cta_i, .warp_index_i,
      .columns_i, .poke_i, .peek_i, .peek_data_o(peek_tmem_o),
      .ready_o(tmem_ready_o), .rest_o(rest_tmem), .trap_o(tmem_trap_o),
      .umma_read_i(read), .umma_quarter_i(read_quarter), .umma_row_i(read_row),
      .umma_data_o(read_data), .store_o(store), .umma_write_i(sums), .umma_write_data_i(sums_data),
      .result_o(word[ResultTmem]), .result_data_o(data[ResultTmem]),
      .result_taken_i(taken[ResultTmem])
    );
  end else begin : gen_no_tmem
    assign {tmem_ready_o, tmem_trap_o, peek_tmem_o, store} = '0;
    assign read_data = '{default: '0};
    assign rest_tmem = 1'b1;
  end

  if (HasResult != 0) begin : gen_result
    result u_result (
      .clk_i, .rst_ni, .clear_i, .stall_i(stall_i[StallAtResult]), .in_i(word), .in_data_i(data),
      .taken_o(taken), .vwb_o(result_o), .vwb_data_o(result_data_o),
      .vwb_grant_i(result_grant_i), .rest_o(rest_result)
    );
  end else begin : gen_no_result
    assign result_o = '0;
    assign result_data_o = '{default: '0};
    assign taken = '0;
    assign rest_result = 1'b1;
    logic unused_words;
    always_comb begin
      unused_words = 1'b0;
      for (int unsigned i = 0; i < ResultPorts; i++) begin
        unused_words ^= ^word[i];
        for (int unsigned l = 0; l < Lanes; l++) unused_words ^= ^data[i][l];
      end
    end
  end
endmodule
