// Assertions at handshakes and invariants. `WL_ASSERT(Name, condition)` stands among the items of a
// module that has clk_i and rst_ni: the condition holds at every clock edge outside reset.
// `WL_ASSERT_ON(Name, reset_n, condition)` has another reset, active low. Verilator checks them when it
// is started with --assert (test builds); in other builds and in synthesis they are nothing. Proofs
// have properties of their own (tests/formal).
`ifndef WL_ASSERT_SVH
`define WL_ASSERT_SVH
`ifdef FORMAL
`define WL_ASSERT_ON(Name, Reset_n, Condition)
`define WL_ASSERT_HELD(Name, Valid, Taken, Data)
`else
`define WL_ASSERT_ON(Name, Reset_n, Condition) \
  always_ff @(posedge clk_i) begin \
    if (Reset_n) Name: assert (Condition) else $error(`"assertion Name`"); \
  end
// What is offered stays, unchanged, until it is taken.
`define WL_ASSERT_HELD(Name, Valid, Taken, Data) \
  if (1) begin : gen_``Name \
    logic was_held_q; \
    logic [$bits(Data)-1:0] was_data_q; \
    always_ff @(posedge clk_i) begin \
      was_held_q <= rst_ni && (Valid) && !(Taken); \
      was_data_q <= (Data); \
    end \
    `WL_ASSERT(Name, !was_held_q || ((Valid) && (Data) == was_data_q)) \
  end
`endif
`define WL_ASSERT(Name, Condition) `WL_ASSERT_ON(Name, rst_ni, Condition)
`endif
