// Words of Lanes * Beats lanes for each of several warps. A row, the lanes of a beat of a warp, is
// written by mask_i and another one read. A memory per lane: the words of the warp that is read
// change with it, the row is chosen among them.
module lane_ram #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned Warps = 8,
  parameter int unsigned Beats = 4,
  parameter int unsigned Width = 32,
  localparam int unsigned WarpBits = (Warps > 1) ? $clog2(Warps) : 1,
  localparam int unsigned BeatBits = (Beats > 1) ? $clog2(Beats) : 1
) (
  input  logic                clk_i,
  input  logic [Lanes-1:0]    write_i,
  input  logic [WarpBits-1:0] wwarp_i,
  // verilator lint_off UNUSEDSIGNAL // one beat: always zero
  input  logic [BeatBits-1:0] wbeat_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [Width-1:0]    data_i [Lanes],
  input  logic [WarpBits-1:0] rwarp_i,
  input  logic [BeatBits-1:0] rbeat_i,
  output logic [Width-1:0]    row_o [Lanes]
);
  logic [Width-1:0] words [Lanes*Beats];
  for (genvar l = 0; l < int'(Lanes * Beats); l++) begin : gen_lane
    logic [Width-1:0] mem_q [Warps] /*verilator public_flat_rd*/;
    always_ff @(posedge clk_i) begin
      if (write_i[l%Lanes] && wbeat_i == BeatBits'(l / Lanes)) mem_q[wwarp_i] <= data_i[l%Lanes];
    end
    assign words[l] = mem_q[rwarp_i];
  end
  always_comb begin
    for (int unsigned p = 0; p < Lanes; p++) row_o[p] = words[32'(rbeat_i)*Lanes+p];
  end
endmodule
