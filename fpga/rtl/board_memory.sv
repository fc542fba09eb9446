// Device memory on the board (docs/fpga.md 2): block RAM of Bytes from Base on, with a request and
// response port that an SDRAM controller can take later, a word of 32 bits at a time. Here a request is
// taken in every cycle and a read is answered three cycles later. Reads outside give zero, writes outside are dropped.
module board_memory #(
  parameter int unsigned Bytes = 131072,
  parameter logic [63:0] Base = 64'h1_0000_0000  // a multiple of Bytes, a power of two
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         valid_i,
  input  logic         write_i,
  input  logic [63:2]  addr_i,
  input  logic [31:0]  data_i,
  input  logic [3:0]   strb_i,
  output logic         ready_o,
  output logic         rsp_valid_o,
  output logic [31:0]  rsp_data_o
);
  localparam int unsigned Rows = Bytes / 4;
  localparam int unsigned RowBits = $clog2(Rows);

  logic                in_range;
  logic                valid_q, write_q, in_range_q, read_q, zero_q;
  logic [RowBits-1:0]  row_q;
  logic [31:0]         data_q, word;
  logic [3:0]          strb_q;

  assign ready_o = 1'b1;
  assign in_range = addr_i[63:2+RowBits] == Base[63:2+RowBits];

  for (genvar b = 0; b < 4; b++) begin : gen_lane
    board_ram #(.Rows(Rows)) u_ram (
      .clk_i, .valid_i(valid_q && in_range_q && (!write_q || strb_q[b])), .write_i(write_q),
      .addr_i(row_q), .data_i(data_q[8*b+:8]), .data_o(word[8*b+:8])
    );
  end

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    write_q <= write_i;
    in_range_q <= in_range;
    row_q <= addr_i[2+:RowBits];
    data_q <= data_i;
    strb_q <= strb_i;
    read_q <= valid_q && !write_q;
    zero_q <= !in_range_q;
    rsp_valid_o <= read_q;
    if (zero_q) rsp_data_o <= '0;
    else rsp_data_o <= word;
    if (!rst_ni) begin
      valid_q <= 1'b0;
      read_q <= 1'b0;
      rsp_valid_o <= 1'b0;
    end
  end
endmodule
