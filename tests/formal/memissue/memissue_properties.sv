// Turns of the shared LSU, constant loads, copy engine, allocator of tensor memory and products in it
// (docs/microarchitecture.md 5, "Open units"), compared with the text's own state: lsu_turn, ldc_turn,
// copy_turn, column_turn, umma_turn, lsu_left, copy_way, column_way, umma_way and each sub-core's is_left. Proved: who is
// open, that a turn is kept until its sub-core could issue and then passes on, and that it comes back
// after at most SubCores - 1 such chances of the others. Nothing about what is chosen at X1.
module memissue_properties
  import config_pkg::*;
  import sm_pkg::*;
(
  input logic                clk_i,
  input logic                clear_i,
  input logic                lsu_ready_i,
  input logic                ldc_ready_i,
  input logic                copy_ready_i,
  input logic                copy_wants_i,  // the sub-core that may issues a form of the copy engine
  input logic                copy_ends_i,   // T of one, if there is one
  input logic                columns_want_i, // the same of the allocator
  input logic                columns_end_i,
  input logic                umma_ready_i,   // of the products, as of the copy engine
  input logic                umma_wants_i,
  input logic                umma_ends_i,
  input logic                lsu_wants_i,   // the sub-core that may issues a form of the LSU
  input logic [2:0]          slots_i [SubCores],
  input logic [SubCores-1:0] others_i,      // issues something else
  input logic [SubCores-1:0] vwb_stall_i,
  input sub_t                watched_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // Each sub-core's is_left, by rule: n at issue, else down to 0. n is at least 1.
  logic [2:0] left_q [SubCores];
  logic [SubCores-1:0] slots_free, may, lsu_issue, lsu_open, ldc_open;
  logic [SubCores-1:0] copy_issue, copy_open;
  logic [SubCores-1:0] columns_issue, columns_open;
  logic                column_way_q, columns_end;
  logic [SubCores-1:0] umma_issue, umma_open;
  logic                umma_way_q, umma_end, umma_available;
  logic                copy_way_q, copy_end;   // the text's copy_way; T of its instruction
  sub_t lsu_turn, ldc_turn;
  always_comb begin
    for (int unsigned k = 0; k < SubCores; k++) begin
      slots_free[k] = left_q[k] <= 3'd1;
      may[k] = slots_free[k] && !vwb_stall_i[k];
      lsu_issue[k] = may[k] && lsu_open[k] && lsu_wants_i && !clear_i;
      copy_issue[k] = may[k] && copy_open[k] && copy_wants_i && !lsu_issue[k] && !clear_i;
      columns_issue[k] = may[k] && columns_open[k] && columns_want_i && !lsu_issue[k] &&
                         !copy_issue[k] && !clear_i;
      umma_issue[k] = may[k] && umma_open[k] && umma_wants_i && !lsu_issue[k] && !copy_issue[k] &&
                      !columns_issue[k] && !clear_i;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < SubCores; k++) begin
      if (!rst_n || clear_i) left_q[k] <= '0;
      else if (lsu_issue[k] || copy_issue[k] || columns_issue[k] || umma_issue[k] || (may[k] && others_i[k])) left_q[k] <= slots_i[k];
      else if (left_q[k] != '0) left_q[k] <= left_q[k] - 3'd1;
    end
  end

  memissue dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .lsu_ready_i, .ldc_ready_i,
    .lsu_issue_i(lsu_issue), .slots_free_i(slots_free), .vwb_stall_i,
    .copy_ready_i, .copy_issue_i(copy_issue != '0), .copy_end_i(copy_end), .copy_open_o(copy_open),
    .columns_issue_i(columns_issue != '0), .columns_end_i(columns_end), .columns_open_o(columns_open),
    .umma_ready_i, .umma_issue_i(umma_issue != '0), .umma_end_i(umma_end), .umma_open_o(umma_open),
    .rest_o(), .lsu_open_o(lsu_open), .ldc_open_o(ldc_open), .lsu_turn_o(lsu_turn),
    .ldc_turn_o(ldc_turn)
  );

  // The text's own state.
  sub_t       turn_q, ldc_turn_q, copy_turn_q, column_turn_q, umma_turn_q;
  logic [2:0] lsu_left_q;
  logic       available, copy_available;
  assign available = lsu_ready_i && lsu_left_q <= 3'd1;
  assign copy_available = copy_ready_i && !copy_way_q;
  assign copy_end = copy_way_q && copy_ends_i;
  assign columns_end = column_way_q && columns_end_i;
  assign umma_available = umma_ready_i && !umma_way_q;
  assign umma_end = umma_way_q && umma_ends_i;
  function automatic sub_t next(input sub_t k);
    return sub_t'((32'(k) + 1) % SubCores);
  endfunction
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      turn_q <= '0;
      ldc_turn_q <= '0;
      copy_turn_q <= '0;
      column_turn_q <= '0;
      umma_turn_q <= '0;
      umma_way_q <= 1'b0;
      column_way_q <= 1'b0;
      copy_way_q <= 1'b0;
      lsu_left_q <= '0;
    end else begin
      if (available && may[turn_q]) turn_q <= next(turn_q);
      if (ldc_ready_i && may[ldc_turn_q]) ldc_turn_q <= next(ldc_turn_q);
      if (copy_available && may[copy_turn_q]) copy_turn_q <= next(copy_turn_q);
      if (copy_issue != '0) copy_way_q <= 1'b1;
      else if (copy_end) copy_way_q <= 1'b0;
      if (umma_available && may[umma_turn_q]) umma_turn_q <= next(umma_turn_q);
      if (umma_issue != '0) umma_way_q <= 1'b1;
      else if (umma_end) umma_way_q <= 1'b0;
      if (!column_way_q && may[column_turn_q]) column_turn_q <= next(column_turn_q);
      if (columns_issue != '0) column_way_q <= 1'b1;
      else if (columns_end) column_way_q <= 1'b0;
      if (lsu_issue != '0) lsu_left_q <= slots_i[turn_q];
      else if (lsu_left_q != '0) lsu_left_q <= lsu_left_q - 3'd1;
    end
  end

  // Chances that the others had since the watched sub-core had its last one: one for each of them
  // before it comes again, and one more when its own last one has just gone by.
  sub_t watched_q;
  logic [3:0] lsu_wait_q, ldc_wait_q, copy_wait_q;
  logic lsu_chance, ldc_chance, copy_chance;
  assign lsu_chance = available && may[turn_q];
  assign ldc_chance = ldc_ready_i && may[ldc_turn_q];
  assign copy_chance = copy_available && may[copy_turn_q];
  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watched_i;
    if (!rst_n || clear_i) lsu_wait_q <= '0;
    else if (lsu_chance) lsu_wait_q <= (lsu_open[watched_q]) ? '0 : lsu_wait_q + 4'd1;
    if (!rst_n || clear_i) ldc_wait_q <= '0;
    else if (ldc_chance) ldc_wait_q <= (ldc_open[watched_q]) ? '0 : ldc_wait_q + 4'd1;
    if (!rst_n || clear_i) copy_wait_q <= '0;
    else if (copy_chance) copy_wait_q <= (copy_open[watched_q]) ? '0 : copy_wait_q + 4'd1;
  end

  always @(posedge clk_i) begin
    for (int unsigned k = 0; k < SubCores; k++) assume (slots_i[k] != '0);
    assume (32'(watched_i) < SubCores);
    if (rst_n) begin
      a_open: assert (lsu_open == (available ? SubCores'(1) << turn_q : '0));
      a_ldc_open: assert (ldc_open == (ldc_ready_i ? SubCores'(1) << ldc_turn_q : '0));
      a_copy_open: assert (copy_open == (copy_available ? SubCores'(1) << copy_turn_q : '0));
      a_columns_open: assert (columns_open == (column_way_q ? '0 : SubCores'(1) << column_turn_q));
      a_umma_open: assert (umma_open == (umma_available ? SubCores'(1) << umma_turn_q : '0));
      a_turn: assert (lsu_turn == turn_q && ldc_turn == ldc_turn_q);
      a_lsu_bounded: assert (lsu_wait_q <= 4'(SubCores - 1));
      a_ldc_bounded: assert (ldc_wait_q <= 4'(SubCores - 1));
      a_copy_bounded: assert (copy_wait_q <= 4'(SubCores - 1));
      a_one_copy: assert (copy_issue == '0 || !copy_way_q);
      a_one_columns: assert (columns_issue == '0 || !column_way_q);
      a_one_umma: assert (umma_issue == '0 || !umma_way_q);
      a_one_issue: assert ((lsu_issue & (lsu_issue - SubCores'(1))) == '0);
      c_last_turn: cover (turn_q == sub_t'(SubCores - 1) && lsu_issue != '0);
      c_waits: cover (lsu_wait_q == 4'(SubCores - 1) && lsu_issue[watched_q]);
      c_ldc_waits: cover (ldc_wait_q == 4'(SubCores - 1) && ldc_open[watched_q]);
      c_copy_waits: cover (copy_wait_q == 4'(SubCores - 1) && copy_issue[watched_q]);
      c_copy_again: cover (copy_ready_i && copy_way_q && may[copy_turn_q]);
      c_columns: cover (column_way_q && may[column_turn_q] && columns_end);
      c_umma: cover (umma_way_q && may[umma_turn_q] && umma_end);
      c_reads: cover (lsu_left_q > 3'd2 && lsu_ready_i && turn_q == watched_q);
      c_kept: cover (available && slots_free[turn_q] && vwb_stall_i[turn_q]);
    end
  end
endmodule
