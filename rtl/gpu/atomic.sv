// Atomic unit of the order point (docs/microarchitecture.md 13).
// Takes one table row at a time and works through its elements in ascending order, AtomStep cycles
// each. Does not touch memory: the order point reads before and writes after it.
module atomic #(
  parameter int unsigned Rows = 8,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // A row in state ATOM; taken when the unit is idle.
  input  logic                req_valid_i,
  input  logic [RowBits-1:0]  req_row_i,
  input  wl_pkg::atom_op_e    req_op_i,
  input  wl_pkg::mem_type_e   req_type_i,
  input  logic [31:0]         req_mask_i,
  input  logic [255:0]        req_old_i,
  input  logic [255:0]        req_data_i,
  output logic                idle_o,
  // In this cycle the row becomes WREQ with data_o.
  output logic                done_o,
  output logic [RowBits-1:0]  row_o,
  output logic [255:0]        data_o
);
  import wl_pkg::*;

  localparam int unsigned StepBits = $clog2(AtomStep);

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  logic                busy_q;
  logic [StepBits-1:0] step_q;
  logic [RowBits-1:0]  row_q;
  atom_op_e            op_q;
  mem_type_e           type_q;
  logic [7:0]          left_q;          // words in which an element starts, still to do
  logic [31:0]         word_q [8];      // old data, replaced by new values element by element
  logic [31:0]         arg_q  [8];

  logic        wide;
  logic        is_cas;
  logic        act;
  logic [2:0]  at;       // word of the element
  logic [2:0]  arg_at;
  logic [7:0]  rest;
  logic [63:0] old, val, cmp, res;

  always_comb begin
    wide = type_q == MemTypeB64 || type_q == MemTypeU64 || type_q == MemTypeS64;
    is_cas = op_q == AtomCas;
    act = busy_q && step_q == StepBits'(AtomStep - 1);
    rest = left_q & (left_q - 8'd1);
    at = '0;
    for (int i = 7; i >= 0; i--) begin
      if (left_q[i]) at = 3'(i);
    end
    // cas: new value at (address mod 16) in the lower half, compare value in the upper half
    arg_at = {at[2] & ~is_cas, at[1:0]};
    old = '0;
    val = '0;
    cmp = '0;
    if (act || Always) begin
      old = {word_q[at | 3'd1], word_q[at]};
      val = {arg_q[arg_at | 3'd1], arg_q[arg_at]};
      cmp = {arg_q[{1'b1, at[1:0]} | 3'd1], arg_q[{1'b1, at[1:0]}]};
      if (!wide) begin
        old[63:32] = '0;
        val[63:32] = '0;
        cmp[63:32] = '0;
      end
    end
  end

  atomic_alu u_alu (
    .en_i(act), .op_i(op_q), .type_i(type_q), .flush_i(1'b1), .old_i(old), .val_i(val), .cmp_i(cmp),
    .new_o(res)
  );

  assign idle_o = !busy_q;
  assign done_o = act && rest == '0;
  assign row_o = row_q;

  always_comb begin
    data_o = '0;
    if (done_o || Always) begin
      for (int i = 0; i < 8; i++) begin
        data_o[32*i +: 32] = word_q[i];
        if (at == 3'(i)) data_o[32*i +: 32] = res[31:0];
        if (wide && (at | 3'd1) == 3'(i)) data_o[32*i +: 32] = res[63:32];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
    end else if (!busy_q) begin
      if (req_valid_i) begin
        busy_q <= 1'b1;
        step_q <= StepBits'(1);
        row_q <= req_row_i;
        op_q <= req_op_i;
        type_q <= req_type_i;
        for (int i = 0; i < 8; i++) begin
          // 64-bit elements start in even words.
          left_q[i] <= req_mask_i[4*i] && !(i[0] && (req_type_i == MemTypeB64 ||
                       req_type_i == MemTypeU64 || req_type_i == MemTypeS64));
          word_q[i] <= req_old_i[32*i +: 32];
          arg_q[i] <= req_data_i[32*i +: 32];
        end
      end
    end else begin
      step_q <= step_q + StepBits'(1);
      if (act) begin
        step_q <= '0;
        left_q <= rest;
        word_q[at] <= res[31:0];
        if (wide) word_q[at | 3'd1] <= res[63:32];
        if (rest == '0) busy_q <= 1'b0;
      end
    end
  end
endmodule
