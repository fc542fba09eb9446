// Payload of a frame: one block RAM of 2,048 bytes, a write port and a read port.
module link_buffer (
  input  logic        clk_i,
  input  logic        we_i,
  input  logic [10:0] waddr_i,
  input  logic [7:0]  wdata_i,
  input  logic [10:0] raddr_i,
  output logic [7:0]  rdata_o  // of the address one cycle before
);
  (* ram_style = "block" *) logic [7:0] mem_q [2048];
  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
    rdata_o <= mem_q[raddr_i];
  end
endmodule
