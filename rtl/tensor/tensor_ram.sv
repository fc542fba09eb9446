// Memory of rows of Lanes words: a row is written at once, Read words of it are read, those from a
// multiple of Read on. They come in the next cycle. Each block RAM has some bits of the words
// that are read in one place, so that its own address chooses among them.
module tensor_ram #(
  parameter int unsigned Rows = 32,
  parameter int unsigned Lanes = 8,
  parameter int unsigned Read = 4,   // a divisor of Lanes, Lanes / Read one of 32
  localparam int unsigned RowBits = $clog2(Rows),
  localparam int unsigned Ways = Lanes / Read,
  localparam int unsigned WayBits = (Ways > 1) ? $clog2(Ways) : 1
) (
  input  logic               clk_i,
  input  logic               write_i,
  input  logic [RowBits-1:0] write_row_i,
  input  logic [31:0]        write_data_i [Lanes],
  input  logic               read_i,
  input  logic [RowBits-1:0] read_row_i,
  // verilator lint_off UNUSEDSIGNAL // with one way
  input  logic [WayBits-1:0] read_way_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [Read-1:0][31:0] data_o
);
  localparam int unsigned Bits = 32 / Ways;
  for (genvar w = 0; w < int'(Read); w++) begin : gen_word
    for (genvar p = 0; p < int'(Ways); p++) begin : gen_part
      // A row is not read while it is written.
      (* ram_style = "block", no_rw_check *) logic [Bits-1:0] mem_q [Rows*Ways];
      logic [Bits-1:0] read_q;
      if (Ways == 1) begin : gen_one
        always_ff @(posedge clk_i) begin
          if (write_i) mem_q[write_row_i] <= write_data_i[w][Bits*p +: Bits];
          if (read_i) read_q <= mem_q[read_row_i];
        end
      end else begin : gen_ways
        always_ff @(posedge clk_i) begin
          if (write_i) begin
            for (int unsigned v = 0; v < Ways; v++) begin
              mem_q[{write_row_i, WayBits'(v)}] <= write_data_i[v*Read+w][Bits*p +: Bits];
            end
          end
          if (read_i) read_q <= mem_q[{read_row_i, read_way_i}];
        end
      end
      assign data_o[w][Bits*p +: Bits] = read_q;
    end
  end
endmodule
