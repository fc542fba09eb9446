// Core clock, gate and memory shim with both sides at the ports, and a counter on the gated clock as
// the core: for shim_tb.cpp and clock_tb.cpp.
module shim_top (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [3:0]   core_divide_i,
  input  logic         pause_i,
  input  logic         single_i,
  input  logic         run_i,
  input  logic [31:0]  cycles_i,
  input  logic         when_done_i,
  input  logic         stop_i,
  input  logic         freeze_i,
  input  logic [31:0]  seed_i,
  input  logic [2:0]   density_i,
  input  logic [31:0]  over_at_i,    // the core is over from this count on
  output logic         tick_o,
  output logic         running_o,
  output logic [31:0]  run_left_o,
  output logic [31:0]  freezes_o,
  output logic [31:0]  count_o,
  output logic [31:0]  noise_o,
  output logic         idle_o,
  input  logic         clear_i,
  input  logic         ar_valid_i,
  input  logic [2:0]   ar_id_i,
  input  logic [58:0]  ar_addr_i,
  output logic         r_valid_o,
  output logic [2:0]   r_id_o,
  output logic [255:0] r_data_o,
  input  logic         aw_valid_i,
  input  logic [2:0]   aw_id_i,
  input  logic [58:0]  aw_addr_i,
  input  logic [255:0] w_data_i,
  input  logic [31:0]  w_strb_i,
  output logic         b_valid_o,
  output logic [2:0]   b_id_o,
  output logic         mem_valid_o,
  output logic         mem_write_o,
  output logic [61:0]  mem_addr_o,
  output logic [31:0]  mem_data_o,
  output logic [3:0]   mem_strb_o,
  input  logic         mem_ready_i,
  input  logic         rsp_valid_i,
  input  logic [31:0]  rsp_data_i
);
  logic clk, core_clk, tick, behind, unused_frozen;
  clock_gate u_clk (.clk_i, .en_i(1'b1), .clk_o(clk));
  clock_gate u_core_clk (.clk_i, .en_i(tick), .clk_o(core_clk));

  // The core: a counter and a noise that follows it.
  logic [31:0] count_q, noise_q;
  always_ff @(posedge core_clk) begin
    if (clear_i) begin
      count_q <= '0;
      noise_q <= 32'd1;
    end else begin
      count_q <= count_q + 32'd1;
      noise_q <= {noise_q[30:0], noise_q[31] ^ noise_q[21] ^ noise_q[1] ^ noise_q[0]} ^ count_q;
    end
  end
  assign count_o = count_q;
  assign noise_o = noise_q;
  assign tick_o = tick;

  core_clock u_core_clock (
    .clk_i(clk), .rst_ni, .core_divide_i, .pause_i, .single_i, .run_i, .cycles_i, .when_done_i, .stop_i, .freeze_i,
    .seed_i, .density_i, .behind_i(behind), .over_i(count_q >= over_at_i), .en_o(tick), .running_o,
    .frozen_o(unused_frozen), .run_left_o, .freezes_o
  );
  memory_shim #(.Latency(16), .IdBits(3)) u_shim (
    .clk_i(clk), .rst_ni, .clear_i, .tick_i(tick), .behind_o(behind), .idle_o,
    .ar_valid_i, .ar_id_i, .ar_addr_i, .r_valid_o, .r_id_o, .r_data_o,
    .aw_valid_i, .aw_id_i, .aw_addr_i, .w_data_i, .w_strb_i, .b_valid_o, .b_id_o,
    .mem_valid_o, .mem_write_o, .mem_addr_o, .mem_data_o, .mem_strb_o, .mem_ready_i,
    .rsp_valid_i, .rsp_data_i
  );
endmodule
