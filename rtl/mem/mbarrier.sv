// One operation on one mbarrier (docs/microarchitecture.md 21.1, 21.2), in four successive cycles like
// those of exec/atomic_alu: step 0 takes the low word of the object, step 1 the high word, step 2
// decides on misuse and the end of the phase, step 3 gives the new object. Used by both controllers of
// shared memory. Every sum is short: three adders that take no word of another one in their cycle.
module mbarrier (
  input  logic             clk_i,
  input  logic [3:0]       step_i,      // one-hot; zero: nothing is done, the results are anything
  input  wl_pkg::mbar_op_e op_i,        // stable in the four steps
  input  logic [31:0]      old_i,       // low word in step 0, high word in step 1
  input  logic [31:0]      val_i,       // operand b in steps 0 and 1
  // Step 3.
  output logic [63:0]      new_o,
  output logic             misuse_o,    // nothing is to be written
  output logic             complete_o   // the phase is
);
  import wl_pkg::*;

  localparam int unsigned CountBits = 20;          // of P and E
  typedef logic [CountBits-1:0] count_t;

  // What the operations do with the counts.
  logic init, more;          // more: b arrivals are added
  logic by_b, by_one;        // b arrivals, one arrival
  logic drop, add, sub;      // the later phases expect fewer too; X + b, X - b
  always_comb begin
    init = op_i == MbarInit;
    more = op_i == MbarInc;
    by_b = op_i == MbarArrive || op_i == MbarDrop;
    by_one = op_i == MbarArrivetx || op_i == MbarDroptx;
    drop = op_i == MbarDrop || op_i == MbarDroptx;
    add = op_i == MbarExpect || op_i == MbarArrivetx || op_i == MbarDroptx;
    sub = op_i == MbarComplete;
  end

  // P and E less the arrivals: bit 20 tells that there were not as many. INIT: b. INC: the sum, and bit
  // 20 tells that it is too large.
  function automatic logic [CountBits:0] less(input count_t count, input count_t b, input logic is_init,
                                              input logic adds, input logic use_b,
                                              input logic use_one);
    count_t base, other;
    logic   minus;
    minus = !is_init && !adds;
    base = count & {CountBits{!is_init}};
    other = (b & {CountBits{use_b || !minus}}) ^ {CountBits{minus}};
    other[0] ^= use_one;
    return {minus, base} + {1'b0, other} + (CountBits+1)'(minus);
  endfunction

  // X is summed with its sign twice: low 12 bits in step 0, the others in step 1.
  localparam int unsigned LowBits = 12, HighBits = 10;
  count_t              p_q, e_q;
  logic [LowBits-1:0]  x_low_q;
  logic [HighBits-1:0] x_high_q;
  logic                carry_q, phase_q;
  logic                few_p_q, few_e_q;   // P, E below the arrivals; or P beyond 2^20 - 1
  logic                b_bad_q;            // b beyond 2^20 - 1, or 0 for INIT
  logic                misuse_q, complete_q;

  logic [CountBits:0]  p, e;
  logic [LowBits:0]    x_low;
  logic [HighBits-1:0] x_high;
  always_comb begin
    {p, x_low} = 'x;
    if (step_i[0]) begin
      p = less(old_i[19:0], val_i[19:0], init, more, by_b, by_one);
      x_low = {1'b0, old_i[31:20] & {LowBits{!init}}}
              + {1'b0, (val_i[11:0] & {LowBits{add || sub}}) ^ {LowBits{sub}}} + (LowBits+1)'(sub);
    end
    {e, x_high} = 'x;
    if (step_i[1]) begin
      e = less(old_i[20:1], val_i[19:0], init, 1'b0, by_b && drop, by_one && drop);
      x_high = {{2{old_i[29]}}, old_i[28:21]} & {HighBits{!init}};
      x_high = x_high + (({2'b0, val_i[19:12]} & {HighBits{add || sub}}) ^ {HighBits{sub}})
               + HighBits'(carry_q);
    end
  end

  logic low_zero, over, misuse, complete;
  always_comb begin
    {low_zero, over, misuse, complete} = 'x;
    if (step_i[2]) begin
      // X without its two upper bits, which tell where it left its range.
      low_zero = {x_high_q[HighBits-3:0], x_low_q} == '0;
      over = (add && x_high_q[HighBits-1:HighBits-2] == 2'b01) ||
             (sub && x_high_q[HighBits-1] && (!x_high_q[HighBits-2] || low_zero));
      misuse = b_bad_q || few_p_q || few_e_q || over;
      complete = !init && !misuse && p_q == '0 && low_zero && x_high_q[HighBits-1:HighBits-2] == '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_i[0]) begin
      p_q <= p[CountBits-1:0];
      few_p_q <= p[CountBits];
      {carry_q, x_low_q} <= x_low;
      b_bad_q <= val_i[31:20] != '0 || (init && val_i[19:0] == '0);
    end
    if (step_i[1]) begin
      e_q <= e[CountBits-1:0];
      few_e_q <= e[CountBits];
      x_high_q <= x_high;
      phase_q <= old_i[0] && !init;
    end
    if (step_i[2]) begin
      misuse_q <= misuse;
      complete_q <= complete;
    end
  end

  always_comb begin
    new_o = 'x;
    if (step_i[3]) begin
      new_o = {2'b00, x_high_q[HighBits-2:0], e_q, phase_q ^ complete_q,
               x_low_q, complete_q ? e_q : p_q};
    end
  end
  assign misuse_o = step_i[3] && misuse_q;
  assign complete_o = step_i[3] && complete_q;
endmodule
