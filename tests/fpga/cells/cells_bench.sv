// Bench of the cell models (README.md): the blocks of cells.sv and their netlist in parallel, with the same
// random inputs in every cycle. A word is never read while it is written (fpga/sim/DP16KD.v).
module cells_bench (
  input  logic         clk_i,
  input  logic         first_i,     // the first cycles: reset, and everything is read once
  input  logic         first_port_i,
  output logic [14:0]  wrong_o,     // by output, in the order of `Names` of the program
  output logic [395:0] seen_o       // the outputs of the RTL, for what they have been
);
  logic        rst, re, port_re, port_we;
  logic [8:0]  raddr, waddr;
  logic [3:0]  we;
  logic [35:0] wdata;
  logic [10:0] row;
  logic [17:0] a, b;
  always_ff @(posedge clk_i) begin
    automatic logic [31:0] r = $urandom;
    automatic logic [8:0] next_raddr = r[29] ? {5'h0, r[3:0]} : r[8:0];
    automatic logic [8:0] next_waddr = r[29] ? {5'h0, r[12:9]} : r[17:9];
    automatic logic [3:0] next_we = r[21:18];
    rst <= first_i || r[28:25] == 4'h0;
    re <= first_i || (r[23] && !(next_raddr == next_waddr && next_we != '0));
    raddr <= next_raddr;
    waddr <= next_waddr;
    we <= first_i ? '0 : next_we;
    wdata <= {4'($urandom), $urandom};
    port_re <= first_i ? first_port_i : r[24];
    port_we <= !first_i && !r[24] && r[22];
    row <= r[30] ? {7'h0, r[3:0]} : 11'($urandom);
    a <= r[31] ? 18'($urandom) : {18{r[0]}} ^ (18'h1 << r[5:1]);
    b <= r[31] ? 18'($urandom) : {18{r[6]}} ^ (18'h1 << r[11:7]);
  end

  // What the cells with one port show after a write of some bytes only is not what the text says:
  // bytes that are not written are read (README.md). It is not looked at until the next read.
  logic port_known_q;
  always_ff @(posedge clk_i) begin
    if (port_re) port_known_q <= 1'b1;
    else if (port_we && we != 4'h0 && we != 4'hf) port_known_q <= 1'b0;
  end

  logic [35:0] wide [2], clear [2], rom [2], unsigned_p [2], signed_p [2];
  logic [63:0] product [2];
  logic [31:0] port [2], deep [2];
  logic [7:0]  small_w [2];
  logic [27:0] ways [2];
  logic [18:0] sum [2];
  logic [17:0] difference [2];
  logic        less [2];
  logic [4:0]  wide_logic [2];
  logic [8:0]  ff [2];
  cells u_rtl (
    .clk_i, .rst_i(rst), .re_i(re), .raddr_i(raddr), .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
    .port_re_i(port_re), .port_we_i(port_we), .row_i(row), .a_i(a), .b_i(b),
    .wide_o(wide[0]), .clear_o(clear[0]), .ways_o(ways[0]), .deep_o(deep[0]),
    .port_o(port[0]), .rom_o(rom[0]), .small_o(small_w[0]),
    .unsigned_o(unsigned_p[0]), .signed_o(signed_p[0]), .product_o(product[0]), .sum_o(sum[0]),
    .difference_o(difference[0]), .less_o(less[0]), .wide_logic_o(wide_logic[0]), .ff_o(ff[0])
  );
  cells_gates u_gates (
    .clk_i, .rst_i(rst), .re_i(re), .raddr_i(raddr), .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
    .port_re_i(port_re), .port_we_i(port_we), .row_i(row), .a_i(a), .b_i(b),
    .wide_o(wide[1]), .clear_o(clear[1]), .ways_o(ways[1]), .deep_o(deep[1]),
    .port_o(port[1]), .rom_o(rom[1]), .small_o(small_w[1]),
    .unsigned_o(unsigned_p[1]), .signed_o(signed_p[1]), .product_o(product[1]), .sum_o(sum[1]),
    .difference_o(difference[1]), .less_o(less[1]), .wide_logic_o(wide_logic[1]), .ff_o(ff[1])
  );
  assign wrong_o = {
    deep[0] != deep[1], ways[0] != ways[1], ff[0] != ff[1], wide_logic[0] != wide_logic[1], less[0] != less[1],
    difference[0] != difference[1], sum[0] != sum[1], product[0] != product[1],
    signed_p[0] != signed_p[1],
    unsigned_p[0] != unsigned_p[1], small_w[0] != small_w[1], rom[0] != rom[1],
    port_known_q && port[0] != port[1], clear[0] != clear[1], wide[0] != wide[1]};
  assign seen_o = {
    deep[0], ways[0], ff[0], wide_logic[0], less[0], difference[0], sum[0], product[0], signed_p[0], unsigned_p[0],
    small_w[0], rom[0], port[0], clear[0], wide[0]};
endmodule
