// Words of Lanes * Beats lanes for each of several warps. A row, the lanes of a beat of a warp, is
// written by mask_i and another one read. A memory per physical lane, with the beats of all warps.
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
  input  logic [BeatBits-1:0] wbeat_i,
  input  logic [Width-1:0]    data_i [Lanes],
  input  logic [WarpBits-1:0] rwarp_i,
  input  logic [BeatBits-1:0] rbeat_i,
  output logic [Width-1:0]    row_o [Lanes]
);
  for (genvar p = 0; p < int'(Lanes); p++) begin : gen_column
    logic [Width-1:0] mem_q [Warps*Beats];
    always_ff @(posedge clk_i) begin
      if (write_i[p]) mem_q[32'(wwarp_i)*Beats+32'(wbeat_i)] <= data_i[p];
    end
    assign row_o[p] = mem_q[32'(rwarp_i)*Beats+32'(rbeat_i)];
  end
endmodule
