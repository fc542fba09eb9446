// Both variants of each cell of rtl/cells give the same results, with the parameters that the RTL
// uses (rtl/files.txt). One job has the multiplexers, others a shifter each: -DMUX, -DSHIFT_INT ...
`ifndef IN
`define IN 2
`define OUT 1
`define BITS 2
`endif
module variants_properties (
  input logic             clk_i,
  input logic             en,
  input logic [`BITS-1:0] amount,
  input logic [`IN-1:0]   x,
  input logic             fill,
  input logic [9:0]       limit,
  input logic [3:0]       sel,
  input logic [255:0]     words
);
  // The register of the last cycle was written.
  logic written = 1'b0;
  always_ff @(posedge clk_i) written <= en;

`ifdef MUX
  logic [15:0] bits [16];
  for (genvar i = 0; i < 16; i++) begin : gen_bits
    assign bits[i] = words[16*i+:16];
  end

  for (genvar n = 1; n < 5; n++) begin : gen_word
    localparam int unsigned Words = 1 << n;
    logic [15:0] x [Words];
    logic [15:0] y, z;
    for (genvar i = 0; i < Words; i++) begin : gen_in
      assign x[i] = bits[i];
    end
    word_mux #(.Words(Words), .Width(16)) u_y (.en_i(en), .at_i(sel[n-1:0]), .x_i(x), .y_o(y));
    word_mux_ecp5 #(.Words(Words), .Width(16)) u_z (.en_i(en), .at_i(sel[n-1:0]), .x_i(x), .y_o(z));
    if (Words != 4) begin : gen_zero
      logic [15:0] v, w;
      word_mux #(.Words(Words), .Width(16), .Zero(1'b1)) u_v (
        .en_i(en), .at_i(sel[n-1:0]), .x_i(x), .y_o(v)
      );
      word_mux_ecp5 #(.Words(Words), .Width(16), .Zero(1'b1)) u_w (
        .en_i(en), .at_i(sel[n-1:0]), .x_i(x), .y_o(w)
      );
      always @(posedge clk_i) assert (v == w && (en || v == '0));
    end
    if (n > 1) begin : gen_tree
      logic [15:0] t, u;
      mux_tree #(.Width(16), .Bits(n)) u_t (.sel_i(sel[n-1:0]), .x_i(x), .y_o(t));
      mux_tree_ecp5 #(.Width(16), .Bits(n)) u_u (.sel_i(sel[n-1:0]), .x_i(x), .y_o(u));
      always @(posedge clk_i) assert (t == u);
    end
    always @(posedge clk_i) if (en) assert (y == z);
  end

  logic [15:0] four [4];
  logic [15:0] a, b;
  for (genvar i = 0; i < 4; i++) begin : gen_four
    assign four[i] = bits[i];
  end
  mux4 #(.Width(16)) u_a (.sel_i(sel[1:0]), .x_i(four), .or_i(bits[4]), .y_o(a));
  mux4_ecp5 #(.Width(16)) u_b (.sel_i(sel[1:0]), .x_i(four), .or_i(bits[4]), .y_o(b));
  always @(posedge clk_i) begin
    assert (a == b);
    cover (en && sel == 4'd5 && a == 16'hffff && bits[4] == 16'h5a5a);
  end
`endif

`ifdef SHIFT
  // int_lane: 63 bits by 0 to 31. fp_align: frames of 2 significands and 3 bits with the lost ones.
  logic [`OUT-1:0] y, z;
  logic y_lost, z_lost;
  shift_right #(.In(`IN), .Out(`OUT), .Bits(`BITS), .Sticky(`SHIFT)) u_y (
    .clk_i, .en_i(en), .zero_i(fill), .amount_i(amount), .x_i(x), .y_o(y), .lost_o(y_lost));
  shift_right_ecp5 #(.In(`IN), .Out(`OUT), .Bits(`BITS), .Sticky(`SHIFT)) u_z (
    .clk_i, .en_i(en), .zero_i(fill), .amount_i(amount), .x_i(x), .y_o(z), .lost_o(z_lost));
  always @(posedge clk_i) begin
    if (written) assert (y == z && y_lost == z_lost);
    cover (written && y == '1);
  end
`endif

`ifdef RAM
  logic [0:0] data [2], y [2], z [2];
  logic [7:0] seen = '0;  // words written, by warp, beat and lane
  assign data[0] = words[0];
  assign data[1] = words[1];
  lane_ram #(.Lanes(2), .Warps(2), .Beats(2), .Width(1)) u_y (
    .clk_i, .write_i(words[3:2]), .wwarp_i(sel[0]), .wbeat_i(sel[1]), .data_i(data),
    .rwarp_i(sel[2]), .rbeat_i(sel[3]), .row_o(y));
  lane_ram_ecp5 #(.Lanes(2), .Warps(2), .Beats(2), .Width(1)) u_z (
    .clk_i, .write_i(words[3:2]), .wwarp_i(sel[0]), .wbeat_i(sel[1]), .data_i(data),
    .rwarp_i(sel[2]), .rbeat_i(sel[3]), .row_o(z));
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < 2; p++) begin
      if (words[2+p]) seen[{sel[0], sel[1], p[0]}] <= 1'b1;
    end
  end
  always @(posedge clk_i) begin
    if (seen[{sel[2], sel[3], 1'b0}]) assert (y[0] == z[0]);
    if (seen[{sel[2], sel[3], 1'b1}]) assert (y[1] == z[1]);
    cover (seen == '1 && y[1] && !y[0]);
  end
`endif

`ifdef TMEM
  logic [0:0] data [2];
  logic [1:0][0:0] y, z;
  logic [7:0] words_seen = '0;                  // words written, by row and lane
  logic [1:0] seen = '0;                       // lanes shown whose words had been written
  assign data[0] = words[0];
  assign data[1] = words[1];
  tmem_ram #(.Lanes(2), .Rows(4), .Width(1)) u_y (
    .clk_i, .write_i(words[4]), .write_row_i(sel[1:0]), .mask_i(words[3:2]), .data_i(data),
    .read_i(en), .read_row_i(sel[3:2]), .data_o(y));
  tmem_ram_ecp5 #(.Lanes(2), .Rows(4), .Width(1)) u_z (
    .clk_i, .write_i(words[4]), .write_row_i(sel[1:0]), .mask_i(words[3:2]), .data_i(data),
    .read_i(en), .read_row_i(sel[3:2]), .data_o(z));
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < 2; p++) begin
      if (words[4] && words[2+p]) words_seen[{sel[1:0], p[0]}] <= 1'b1;
      if (en) seen[p] <= words_seen[{sel[3:2], p[0]}];
    end
  end
  always @(posedge clk_i) begin
    for (int unsigned p = 0; p < 2; p++) if (seen[p]) assert (y[p] == z[p]);
    cover (seen == '1 && y[1] && !y[0]);
  end
`endif

`ifdef PRED
  logic [31:0] y_old, y_data, y_s, y_t, z_old, z_data, z_s, z_t;
  logic [7:0] seen = '0;     // parts written, by part and row
  logic [1:0] s_seen = '0, t_seen = '0;  // the rows shown had been written, by part
  pred_ram #(.Rows(4), .Parts(2)) u_y (
    .clk_i, .we_i(words[1:0]), .at_i(words[3:2]), .data_i(words[63:32]), .old_o(y_old),
    .row_i(words[5:4]), .data_o(y_data), .read_i(en), .s_i(words[7:6]), .t_i(words[9:8]),
    .s_o(y_s), .t_o(y_t));
  pred_ram_ecp5 #(.Rows(4), .Parts(2)) u_z (
    .clk_i, .we_i(words[1:0]), .at_i(words[3:2]), .data_i(words[63:32]), .old_o(z_old),
    .row_i(words[5:4]), .data_o(z_data), .read_i(en), .s_i(words[7:6]), .t_i(words[9:8]),
    .s_o(z_s), .t_o(z_t));
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < 2; p++) begin
      if (words[p]) seen[{p[0], words[3:2]}] <= 1'b1;
      if (en) s_seen[p] <= seen[{p[0], words[7:6]}];
      if (en) t_seen[p] <= seen[{p[0], words[9:8]}];
    end
  end
  always @(posedge clk_i) begin
    if (seen[{1'b0, words[3:2]}]) assert (y_old[5] == z_old[5]);
    if (seen[{1'b1, words[5:4]}]) assert (y_data[20] == z_data[20]);
    if (s_seen[0]) assert (y_s[5] == z_s[5]);
    if (t_seen[1]) assert (y_t[20] == z_t[20]);
    cover (s_seen == '1 && t_seen == '1 && y_s[5] && !y_t[5]);
  end
`endif

`ifdef BANKS
  // A bank is asked for by one of the two writers, as regfile.sv does.
  logic       rrow [4], wrow [4], fix [2], var_word [2], value [3];
  logic       y_a [2], y_b [2], y_c [2], z_a [2], z_b [2], z_c [2];
  logic [1:0] bank [3];
  logic [3:0] we_fix, we_var, re, zero;
  logic [2:0] load;
  assign {re, zero, we_fix} = words[11:0];
  assign we_var = words[15:12] & ~we_fix;
  assign load = words[18:16];
  for (genvar b = 0; b < 4; b++) begin : gen_row
    assign rrow[b] = words[20+b];
    assign wrow[b] = words[24+b];
  end
  for (genvar p = 0; p < 3; p++) begin : gen_operand
    assign bank[p] = words[2*p+28+:2];
    assign value[p] = words[34+p];
  end
  assign {fix[1], fix[0], var_word[1], var_word[0]} = words[40:37];
  register_banks #(.Lanes(2), .Rows(2), .Width(1)) u_y (
    .clk_i, .re_i(re), .rrow_i(rrow), .zero_i(zero), .we_fix_i(we_fix), .we_var_i(we_var),
    .wrow_i(wrow), .fix_mask_i(words[42:41]), .var_mask_i(words[44:43]), .fix_i(fix),
    .var_i(var_word), .load_i(load), .bank_i(bank), .value_i(value), .a_o(y_a), .b_o(y_b),
    .c_o(y_c));
  register_banks_ecp5 #(.Lanes(2), .Rows(2), .Width(1)) u_z (
    .clk_i, .re_i(re), .rrow_i(rrow), .zero_i(zero), .we_fix_i(we_fix), .we_var_i(we_var),
    .wrow_i(wrow), .fix_mask_i(words[42:41]), .var_mask_i(words[44:43]), .fix_i(fix),
    .var_i(var_word), .load_i(load), .bank_i(bank), .value_i(value), .a_o(z_a), .b_o(z_b),
    .c_o(z_c));
  // Lanes whose words were written, by bank and row; of a bank's output register; of an operand.
  logic [1:0] row_seen [8], out_seen [4], seen [3];
  initial begin
    row_seen = '{default: '0};
    out_seen = '{default: '0};
    seen = '{default: '0};
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < 4; b++) begin
      if (zero[b]) out_seen[b] <= '1;
      else if (re[b]) out_seen[b] <= row_seen[{b[1:0], rrow[b]}];
      if (we_fix[b]) row_seen[{b[1:0], wrow[b]}] <= row_seen[{b[1:0], wrow[b]}] | words[42:41];
      if (we_var[b]) row_seen[{b[1:0], wrow[b]}] <= row_seen[{b[1:0], wrow[b]}] | words[44:43];
    end
    for (int unsigned p = 0; p < 3; p++) if (load[p]) seen[p] <= out_seen[bank[p]];
  end
  always @(posedge clk_i) begin
    for (int unsigned l = 0; l < 2; l++) begin
      if (seen[0][l]) assert (y_a[l] == z_a[l]);
      if (seen[1][l]) assert (y_b[l] == z_b[l]);
      if (seen[2][l]) assert (y_c[l] == z_c[l]);
    end
    cover (seen[0] == '1 && seen[1] == '1 && seen[2] == '1 && y_a[0] && !y_b[1] && y_c[1]);
  end
`endif

`ifdef NORMALISE
  logic [`OUT-1:0] y, z;
  logic [9:0] y_left, z_left;
  logic y_lost, z_lost;
  normalise #(.In(`IN), .Out(`OUT), .Bits(`BITS), .LimitBits(10)) u_y (
    .clk_i, .en_i(en), .x_i(x), .inv_i(fill), .limit_i(limit), .y_o(y), .left_o(y_left),
    .lost_o(y_lost));
  normalise_ecp5 #(.In(`IN), .Out(`OUT), .Bits(`BITS), .LimitBits(10)) u_z (
    .clk_i, .en_i(en), .x_i(x), .inv_i(fill), .limit_i(limit), .y_o(z), .left_o(z_left),
    .lost_o(z_lost));
  always @(posedge clk_i) begin
    if (written) begin
      assert (y == z);
      assert (y_left == z_left);
      assert (y_lost == z_lost);
    end
    cover (written && y[`OUT-1] && y_left == 10'd900 && y_lost);
    cover (written && !y[`OUT-1] && y_left == '0 && y != '0);
  end
`endif
endmodule
