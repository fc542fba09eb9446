// Arbiter by age: of the sources that present one is picked. The fixed order counts, the lowest number
// first, but a source that lost Limit times in a row precedes: the largest count of losses first, then
// the lowest number (docs/microarchitecture.md 6.3). A loss is a cycle in which the source presents and
// another one is taken. So a source waits for at most Limit + Sources - 2 others (tests/formal).
`include "cells/assert.svh"

module age_arbiter #(
  parameter int unsigned Sources = 4,
  parameter int unsigned Limit = 8     // at most 15
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [Sources-1:0] valid_i,  // presents
  output logic [Sources-1:0] pick_o,   // one of them, one-hot
  input  logic               taken_i   // it is taken in this cycle
);
  localparam logic [3:0] Old = 4'(Limit);
  localparam logic [3:0] Most = 4'd15;

  logic [3:0]         lost_q [Sources];   // losses in a row, up to Most
  logic [3:0]         risen [Sources];    // after one more
  logic [Sources-1:0] cleared;
  logic [Sources-1:0] older_q [Sources];  // [i][j], j below i: i precedes j
  logic [Sources-1:0] older_d [Sources];

  // Timing: sources present later than counts are there, so which of a pair precedes is a register.
  always_comb begin
    pick_o = valid_i;
    for (int unsigned i = 1; i < Sources; i++) begin
      for (int unsigned j = 0; j < i; j++) begin
        if (older_q[i][j] && valid_i[i]) pick_o[j] = 1'b0;
        if (!older_q[i][j] && valid_i[j]) pick_o[i] = 1'b0;
      end
    end
  end

  // Of two counts that are not cleared both rise or both stay.
  assign cleared = ~valid_i | (pick_o & {Sources{taken_i}});
  always_comb begin
    for (int unsigned i = 0; i < Sources; i++) begin
      risen[i] = (lost_q[i] == Most) ? Most : lost_q[i] + 4'd1;
      older_d[i] = '0;
    end
    for (int unsigned i = 1; i < Sources; i++) begin
      for (int unsigned j = 0; j < i; j++) begin
        older_d[i][j] = !cleared[i] &&
                        (taken_i ? risen[i] >= Old && (cleared[j] || risen[i] > risen[j])
                                 : lost_q[i] >= Old && (cleared[j] || lost_q[i] > lost_q[j]));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    older_q <= older_d;
    for (int unsigned i = 0; i < Sources; i++) begin
      if (cleared[i]) lost_q[i] <= '0;
      else if (taken_i) lost_q[i] <= risen[i];
      if (!rst_ni) begin
        lost_q[i] <= '0;
        older_q[i] <= '0;
      end
    end
  end

  `WL_ASSERT(PicksOne, $onehot0(pick_o) && (pick_o & ~valid_i) == '0 &&
                       (pick_o != '0) == (valid_i != '0))
  `WL_ASSERT(TakesOne, !taken_i || valid_i != '0)
endmodule
