// When products in tensor memory read it (docs/microarchitecture.md 26.6, 26.10): of any five cycles at most four
// read, so a load of the quarter waits for at most four; a row of A, or of a shift, for at most three.
// Assumed: D is never read in two cycles that follow each other (25.6), scales only where the unit has room.
module umma_read_properties
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input logic       clk_i,
  input logic       wants_i,
  input umma_info_t info_i,
  input pass_t      pass_i,
  input logic       buffer_i,
  input logic       d_read_i,
  input logic       scales_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       room, last, full, rest;
  umma_read_t read;
  umma_take_t take;
  umma_read dut (
    .clk_i, .rst_ni(rst_n), .wants_i, .info_i, .pass_i, .buffer_i, .d_read_i, .room_o(room), .scales_i,
    .read_o(read), .last_o(last), .take_o(take), .full_o(full), .rest_o(rest)
  );

  logic       any, d_q;
  logic [2:0] reads_q;   // cycles in a row in which it reads
  logic [2:0] waits_q;   // cycles in which rows of A wait
  assign any = read.valid != '0 || d_read_i || scales_i;
  always_ff @(posedge clk_i) begin
    d_q <= rst_n && d_read_i;
    if (!rst_n || !any) reads_q <= '0;
    else if (reads_q != '1) reads_q <= reads_q + 3'd1;
    if (!rst_n || !wants_i || read.valid != '0) waits_q <= '0;
    else if (waits_q != '1) waits_q <= waits_q + 3'd1;
  end

  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (!(d_read_i && d_q));
      assume (!scales_i || room);

      a_window: assert (reads_q <= 3'd4);
      a_waits: assert (waits_q <= 3'd3);
      a_alone: assert (32'(read.valid != '0) + 32'(d_read_i) + 32'(scales_i) <= 1);

      c_four: cover (reads_q == 3'd4);
      c_three: cover (waits_q == 3'd3);
      c_all: cover (full);
    end
  end
endmodule
