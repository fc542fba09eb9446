// Bench of the core as a board has it: the arrays are written and read through poke and peek, and the
// records become signatures (fpga/rtl/record_signatures.sv).
module core_bench
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       start_i,
  input  logic [63:0]                launch_addr_i,
  input  logic [wl_pkg::NumStalls-1:0] stall_i,
  output logic                       done_o,
  output logic                       hang_o,
  output trap_t                      trap_o,
  output logic [63:0]                cycle_o,
  output logic                       ar_valid_o,
  input  logic                       ar_ready_i,
  output logic [$clog2(OpTable)-1:0] ar_id_o,
  output logic [63:0]                ar_addr_o,
  input  logic                       r_valid_i,
  input  logic [$clog2(OpTable)-1:0] r_id_i,
  input  logic [255:0]               r_data_i,
  output logic                       aw_valid_o,
  input  logic                       aw_ready_i,
  output logic [$clog2(OpTable)-1:0] aw_id_o,
  output logic [63:0]                aw_addr_o,
  output logic [255:0]               w_data_o,
  output logic [31:0]                w_strb_o,
  input  logic                       b_valid_i,
  input  logic [$clog2(OpTable)-1:0] b_id_i,
  input  poke_t                      poke_i,
  input  peek_t                      peek_i,
  output logic [31:0]                peek_data_o,
  output logic [link_pkg::NumSignatures-1:0][31:0] digest_o
);
  gpu_top #(.BoardAccess(1'b1)) u_gpu (.*);
  record_signatures u_signatures (.clk_i, .digest_o);
endmodule
