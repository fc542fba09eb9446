// Reservation: logic of about the size of the units that the FPGA rows do not have yet (commands
// of tensor memory), so that place and route of today shows the room and the clock that they
// will find (docs/fpga.md, Flow; its size is the row `reservation` of fpga/budget.txt). It computes
// nothing: groups in a ring, each with a multiplier, some with a RAM, every register fed by at most
// two LUT levels, neighbours connected with neighbours. All functions map zero to zero and all state
// is zero after configuration: on a board it stands still.
module reservation #(
  parameter int unsigned Groups    = 4,
  parameter int unsigned RamGroups = 4,   // the first ones have a block RAM
  parameter int unsigned Words     = 4
) (
  input  logic clk_i,
  output logic any_o   // so that nothing is trimmed; it need not be connected in the netlist
);
  logic [31:0] link [Groups];
  logic [Groups-1:0] any_q;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [31:0] word_q [Words];
    logic [17:0] a_q, b_q;
    logic [35:0] product, product_q;
    logic [31:0] read;

    // A multiplier between registers of its own.
    assign product = a_q * b_q;
    always_ff @(posedge clk_i) begin
      a_q <= word_q[0][17:0];
      b_q <= word_q[1][31:14];
      product_q <= product;
    end

    if (g < RamGroups) begin : gen_ram
      (* ram_style = "block", no_rw_check *) logic [31:0] mem_q [512];
      logic [8:0] waddr_q, raddr_q;
      logic [31:0] wdata_q, read_q;
      logic we_q;
      always_ff @(posedge clk_i) begin
        we_q <= word_q[2][31];
        waddr_q <= word_q[2][8:0];
        raddr_q <= word_q[2][17:9];
        wdata_q <= product_q[31:0];
        read_q <= mem_q[raddr_q];
        if (we_q) mem_q[waddr_q] <= wdata_q;
      end
      assign read = read_q;
    end else begin : gen_no_ram
      assign read = product_q[33:2];
    end

    // Eight inputs for each bit, in two levels: three LUT4. Bits meet only their neighbours, as in
    // most datapaths.
    for (genvar w = 0; w < Words; w++) begin : gen_word
      logic [31:0] x, y, z;
      assign x = (w == 0) ? link[(g + 1) % Groups] : word_q[w - 1];
      assign y = (w == 1) ? link[(g + 5) % Groups] : word_q[(w + 1) % Words];
      assign z = (w == 2) ? read : {product_q[31:2], product_q[35:34]};
      always_ff @(posedge clk_i) begin
        for (int unsigned i = 0; i < 32; i++) begin
          // Bits without logic trim the size to the budget's row.
          if (w == 3 && i >= 29) word_q[w][i] <= x[i];
          else word_q[w][i] <= (x[i] & y[i] ^ z[i] & x[(i + 1) % 32])
                               ^ (y[(i + 1) % 32] & z[(i + 1) % 32]
                                  ^ word_q[w][(i + 1) % 32] & x[(i + 2) % 32]);
        end
      end
    end
    assign link[g] = word_q[Words-1];
    always_ff @(posedge clk_i) any_q[g] <= word_q[0][0];
  end

  always_ff @(posedge clk_i) any_o <= ^any_q;
endmodule
