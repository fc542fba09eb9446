// Warp exchange: redux (docs/microarchitecture.md 9). Takes groups of ReduxLanes lanes out of the rows of the
// exchange buffer. With several beats a group is read a cycle before it counts: the first in the cycle
// of the last operands, and so not from the row that is then written.
module warp_redux
  import config_pkg::*;
  import warp_pkg::*;
(
  input  logic        clk_i,
  input  logic        redux_i,         // the operation is redux
  input  logic [7:0]  op_i,
  input  logic        operands_i,      // operands are awaited
  // verilator lint_off UNUSEDSIGNAL // with several beats only
  input  logic        operands_end_i,  // the last ones come
  input  logic        compute_end_i,
  input  logic [31:0] exec_i,          // lanes with operands
  // verilator lint_on UNUSEDSIGNAL
  input  logic        compute_i,
  input  logic [31:0] row_i [Lanes],
  input  row_mask_t   members_i,       // participants of the row
  output beat_t       next_row_o,      // several beats: the row to be read next
  output logic [31:0] result_o
);
  localparam int unsigned Groups = 32 / ReduxLanes;
  localparam int unsigned RowGroups = Lanes / ReduxLanes;
  localparam int unsigned PosBits = (Groups == 1) ? 1 : $clog2(Groups);
  typedef logic [PosBits-1:0] pos_t;   // group of ReduxLanes lanes
  logic                  read;
  logic [31:0]           x [ReduxLanes];
  logic [ReduxLanes-1:0] members;
  if (Beats == 1) begin : gen_one
    assign read = compute_i && redux_i;
    assign x = row_i;
    assign members = members_i;
    assign next_row_o = '0;
  end else begin : gen_group
    pos_t  pos, pos_q;
    // The row after the last one that operands come to, known before they come.
    beat_t after_q, last_beat;
    always_comb begin
      last_beat = '0;
      for (int unsigned b = 0; b < Beats; b++) if (exec_i[b*Lanes+:Lanes] != '0) last_beat = beat_t'(b);
    end
    always_ff @(posedge clk_i) begin
      after_q <= last_beat + beat_t'(1);
      pos_q <= pos + pos_t'(1);
    end
    assign pos = compute_i ? pos_q : pos_t'(32'(after_q) * RowGroups);
    assign read = redux_i && (operands_end_i || (compute_i && !compute_end_i));
    assign next_row_o = beat_t'(32'(pos + pos_t'(read)) / RowGroups);
    for (genvar i = 0; i < int'(ReduxLanes); i++) begin : gen_lane
      logic [31:0] column [RowGroups];
      for (genvar g = 0; g < int'(RowGroups); g++) begin : gen_column
        assign column[g] = row_i[g*ReduxLanes+i];
      end
      word_mux #(.Words(RowGroups)) u_x (
        .en_i(read), .at_i(pos[$clog2(RowGroups)-1:0]), .x_i(column), .y_o(x[i])
      );
      assign members[i] = members_i[32'(pos) % RowGroups * ReduxLanes + i];
    end
  end
  warp_reduce u_reduce (
    .clk_i, .en_i(read), .clear_i(operands_i), .op_i(op_i), .mask_i(members), .x_i(x), .result_o
  );
endmodule
