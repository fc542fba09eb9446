// Small blocks that synthesis makes each kind of ECP5 cell of that the core's netlist has
// (tests/fpga/cells/README.md): multipliers, block RAMs, distributed RAM, carry chains,
// registers. The bench runs this text and its netlist in parallel. Memories start with contents that a
// formula gives.
// verilator lint_off DECLFILENAME // small blocks in one file

// 512 x 36 with an enable for each 9 bits, a port for reads and one for writes.
module cells_ram_wide #(
  parameter int Clear = 0 // the reset clears what is read
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        re_i,
  input  logic [8:0]  raddr_i,
  output logic [35:0] rdata_o,
  input  logic [3:0]  we_i,
  input  logic [8:0]  waddr_i,
  input  logic [35:0] wdata_i
);
  (* no_rw_check, ram_style = "block" *) logic [35:0] mem_q [512];
  initial begin
    for (int i = 0; i < 512; i++) mem_q[i] = {4'(i), 32'(i) * 32'h9e37_79b9};
  end
  always_ff @(posedge clk_i) begin
    for (int b = 0; b < 4; b++) if (we_i[b]) mem_q[waddr_i][9*b+:9] <= wdata_i[9*b+:9];
    if (Clear != 0 && rst_i) rdata_o <= '0;
    else if (re_i) rdata_o <= mem_q[raddr_i];
  end
endmodule

// 512 x 32, written whole, of which a part is read.
module cells_ram_ways #(
  parameter int Ways = 4,
  localparam int Bits = 32 / Ways,
  localparam int WayBits = $clog2(Ways)
) (
  input  logic        clk_i,
  input  logic        re_i,
  input  logic [8:0]  raddr_i,
  input  logic [WayBits-1:0] way_i,
  output logic [Bits-1:0]    rdata_o,
  input  logic        we_i,
  input  logic [8:0]  waddr_i,
  input  logic [31:0] wdata_i
);
  (* no_rw_check, ram_style = "block" *) logic [Bits-1:0] mem_q [512*Ways];
  initial begin
    mem_q = '{default: Bits'(5)};
    // slang unrolls 4,000 turns at most.
    for (int i = 0; i < 2000; i++) if (i < 512 * Ways) mem_q[i] = Bits'(i * 37 + (i >> 6));
  end
  always_ff @(posedge clk_i) begin
    if (we_i) begin
      for (int v = 0; v < Ways; v++) mem_q[{waddr_i, WayBits'(v)}] <= wdata_i[Bits*v+:Bits];
    end
    if (re_i) rdata_o <= mem_q[{raddr_i, way_i}];
  end
endmodule

// 1,024 x 32, a port for reads, whose reset clears what is read, and one for writes.
module cells_ram_deep (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        re_i,
  input  logic [9:0]  raddr_i,
  output logic [31:0] rdata_o,
  input  logic        we_i,
  input  logic [9:0]  waddr_i,
  input  logic [31:0] wdata_i
);
  (* no_rw_check, ram_style = "block" *) logic [31:0] mem_q [1024];
  initial begin
    for (int i = 0; i < 1024; i++) mem_q[i] = 32'(i) * 32'h27d4_eb2f;
  end
  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
    if (rst_i) rdata_o <= '0;
    else if (re_i) rdata_o <= mem_q[raddr_i];
  end
endmodule

// 2,048 x 32 with byte enables, one port for both, as a bank of shared memory.
module cells_ram_port (
  input  logic        clk_i,
  input  logic        re_i,
  input  logic        we_i,
  input  logic [10:0] row_i,
  input  logic [3:0]  be_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o
);
  (* no_rw_check, ram_style = "block" *) logic [31:0] mem_q [2048];
  initial begin
    for (int i = 0; i < 2048; i++) mem_q[i] = 32'(i) * 32'h85eb_ca6b;
  end
  always_ff @(posedge clk_i) begin
    if (we_i) begin
      for (int b = 0; b < 4; b++) if (be_i[b]) mem_q[row_i][8*b+:8] <= wdata_i[8*b+:8];
    end
    if (re_i) rdata_o <= mem_q[row_i];
  end
endmodule

// 512 x 36 that nobody writes.
module cells_rom (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        re_i,
  input  logic [8:0]  raddr_i,
  output logic [35:0] rdata_o
);
  (* ram_style = "block" *) logic [35:0] mem_q [512];
  initial begin
    for (int i = 0; i < 512; i++) mem_q[i] = {4'(i >> 3), 32'(i + 1) * 32'hc2b2_ae35};
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) rdata_o <= '0;
    else if (re_i) rdata_o <= mem_q[raddr_i];
  end
endmodule

// 32 x 8 distributed.
module cells_ram_small (
  input  logic       clk_i,
  input  logic       we_i,
  input  logic [4:0] waddr_i,
  input  logic [7:0] wdata_i,
  input  logic [4:0] raddr_i,
  output logic [7:0] rdata_o
);
  (* ram_style = "distributed" *) logic [7:0] mem_q [32];
  initial begin
    for (int i = 0; i < 32; i++) mem_q[i] = 8'(i * 37 + 11);
  end
  always_ff @(posedge clk_i) if (we_i) mem_q[waddr_i] <= wdata_i;
  assign rdata_o = mem_q[raddr_i];
endmodule

module cells (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        re_i,
  input  logic [8:0]  raddr_i,
  input  logic [3:0]  we_i,
  input  logic [8:0]  waddr_i,
  input  logic [35:0] wdata_i,
  input  logic        port_re_i,
  input  logic        port_we_i,
  input  logic [10:0] row_i,
  input  logic [17:0] a_i,
  input  logic [17:0] b_i,
  output logic [35:0] wide_o,
  output logic [35:0] clear_o,
  output logic [27:0] ways_o,
  output logic [31:0] deep_o,
  output logic [31:0] port_o,
  output logic [35:0] rom_o,
  output logic [7:0]  small_o,
  output logic [35:0] unsigned_o,
  output logic [35:0] signed_o,
  output logic [63:0] product_o,
  output logic [18:0] sum_o,
  output logic [17:0] difference_o,
  output logic        less_o,
  output logic [4:0]  wide_logic_o,
  output logic [8:0]  ff_o
);
  cells_ram_wide u_wide (
    .clk_i, .rst_i, .re_i, .raddr_i, .rdata_o(wide_o), .we_i, .waddr_i, .wdata_i
  );
  cells_ram_wide #(.Clear(1)) u_clear (
    .clk_i, .rst_i, .re_i, .raddr_i, .rdata_o(clear_o), .we_i, .waddr_i, .wdata_i
  );
  cells_ram_ways #(.Ways(2)) u_ways2 (
    .clk_i, .re_i, .raddr_i, .way_i(a_i[0]), .rdata_o(ways_o[27:12]), .we_i(we_i != '0), .waddr_i,
    .wdata_i(wdata_i[31:0])
  );
  cells_ram_ways u_ways4 (
    .clk_i, .re_i, .raddr_i, .way_i(a_i[1:0]), .rdata_o(ways_o[11:4]), .we_i(we_i != '0), .waddr_i,
    .wdata_i(wdata_i[31:0])
  );
  cells_ram_ways #(.Ways(8)) u_ways8 (
    .clk_i, .re_i, .raddr_i, .way_i(a_i[2:0]), .rdata_o(ways_o[3:0]), .we_i(we_i != '0), .waddr_i,
    .wdata_i(wdata_i[31:0])
  );
  cells_ram_deep u_deep (
    .clk_i, .rst_i, .re_i, .raddr_i({raddr_i, a_i[2]}), .rdata_o(deep_o), .we_i(we_i != '0),
    .waddr_i({waddr_i, b_i[2]}), .wdata_i(wdata_i[31:0])
  );
  cells_ram_port u_port (
    .clk_i, .re_i(port_re_i), .we_i(port_we_i), .row_i, .be_i(we_i), .wdata_i(wdata_i[31:0]),
    .rdata_o(port_o)
  );
  cells_rom u_rom (.clk_i, .rst_i, .re_i, .raddr_i, .rdata_o(rom_o));
  cells_ram_small u_small (
    .clk_i, .we_i(we_i[0]), .waddr_i(waddr_i[4:0]), .wdata_i(wdata_i[7:0]), .raddr_i(raddr_i[4:0]),
    .rdata_o(small_o)
  );

  assign unsigned_o = 36'(a_i) * 36'(b_i);
  assign signed_o = 36'($signed(a_i)) * 36'($signed(b_i));
  // Wider than a cell: the parts have one signed operand, both or none.
  assign product_o = 64'($signed({a_i, wdata_i[13:0]})) * 64'($signed({b_i, wdata_i[27:14]}));
  assign sum_o = 19'(a_i) + 19'(b_i);
  assign difference_o = a_i - b_i;
  assign less_o = a_i < b_i;

  // Functions of many inputs: tables with their multiplexers.
  assign wide_logic_o[0] = wdata_i[a_i[4:0]];
  assign wide_logic_o[1] = b_i[3] ? ^a_i[5:0] : &b_i[16:10];
  assign wide_logic_o[2] = a_i[7:0] == b_i[7:0];
  assign wide_logic_o[3] = raddr_i[8] ? wdata_i[{1'b0, a_i[3:0]}] : wdata_i[{1'b1, b_i[3:0]}];

  localparam logic [127:0] Table = 128'h9d2c_5680_4e37_19ab_c2b2_ae35_71f3_860e;
  assign wide_logic_o[4] = Table[b_i[6:0]];

  // Registers: plain, with enable, with a reset to 0 and to 1, each with and without an enable, and
  // with an inverted enable.
  logic d;
  assign d = a_i[0] ^ b_i[0];
  always_ff @(posedge clk_i) begin
    ff_o[0] <= d;
    if (re_i) ff_o[1] <= d;
    if (rst_i) ff_o[2] <= 1'b0;
    else ff_o[2] <= d;
    if (rst_i) ff_o[3] <= 1'b1;
    else ff_o[3] <= d;
    if (rst_i) ff_o[4] <= 1'b0;
    else if (re_i) ff_o[4] <= d;
    if (rst_i) ff_o[5] <= 1'b1;
    else if (re_i) ff_o[5] <= d;
    if (rst_i) ff_o[6] <= 1'b0;
    else if (!port_re_i) ff_o[6] <= d;
    if (!port_re_i) ff_o[7] <= d;
    if (rst_i) ff_o[8] <= 1'b1;
    else if (!port_re_i) ff_o[8] <= d;
  end
endmodule
// verilator lint_on DECLFILENAME
