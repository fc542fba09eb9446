// When the core ticks (docs/fpga.md 1): RUN's cycles, single ticks that a command asks for, random
// freezes. en_o is the register that opens the core's clock gate: in a cycle in which it is 1 the
// core's cycle ends with the coming edge. A RUN with StopWhenDone ends after the tick that ends the
// first core cycle in which the launch is over, whatever was frozen before.
module core_clock (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Bridge cycles that a core cycle takes at least, from whatever changes its inputs to its tick: a
  // constant, from 1 on.
  input  logic [3:0]  core_divide_i,
  // Commands.
  input  logic        pause_i,      // no tick of RUN: a command is being executed
  input  logic        single_i,     // one tick, held until en_o is seen
  input  logic        run_i,        // RUN
  input  logic [31:0] cycles_i,
  input  logic        when_done_i,
  input  logic        stop_i,
  input  logic        freeze_i,     // FREEZE
  input  logic [31:0] seed_i,
  input  logic [2:0]  density_i,    // in eighths
  // Shim: no tick in the coming cycle.
  input  logic        behind_i,
  // Core: done or hang, read in ticking cycles.
  input  logic        over_i,
  output logic        en_o,
  output logic        running_o,
  output logic        frozen_o,     // wants to run and does not
  output logic [31:0] run_left_o,
  output logic [31:0] freezes_o     // ticks of RUN that a random freeze put off
);
  logic        en_q, some_q, when_done_q, random_q;
  logic [31:0] left_q, lfsr_q, freezes_q;
  logic [2:0]  density_q;
  logic        over, want, ripe, grant;
  logic [3:0]  age_q;  // cycles in which a tick was wanted since the last one, up to core_divide_i

  assign en_o = en_q;
  assign running_o = some_q;
  assign run_left_o = left_q;
  assign freezes_o = freezes_q;
  assign frozen_o = some_q && (random_q || behind_i);

  assign over = en_q && when_done_q && over_i;
  assign want = some_q && !pause_i && !over;
  // en_q is 1 in the cycle after this one at the earliest, and the tick at the end of that.
  assign ripe = core_divide_i == 4'd1 || (!en_q && 5'(age_q) + 5'd2 >= 5'(core_divide_i));
  assign grant = want && ripe && !behind_i && !random_q;

  always_ff @(posedge clk_i) begin
    en_q <= grant || (single_i && !en_q && ripe && !behind_i && !random_q);
    if (en_q || !(some_q || single_i)) age_q <= '0;
    else if (age_q < core_divide_i) age_q <= age_q + 4'd1;
    if (grant) begin
      left_q <= left_q - 32'd1;
      some_q <= left_q != 32'd1;
    end
    if (over || stop_i) begin
      left_q <= '0;
      some_q <= 1'b0;
    end
    if (run_i) begin
      left_q <= cycles_i;
      some_q <= cycles_i != '0;
      when_done_q <= when_done_i;
    end

    // Galois, x^32 + x^22 + x^2 + x + 1. Its low bits of the coming cycle decide.
    lfsr_q <= {1'b0, lfsr_q[31:1]} ^ (lfsr_q[0] ? 32'h8020_0003 : 32'd0);
    random_q <= lfsr_q[2:0] < density_q;
    if (want && random_q) freezes_q <= freezes_q + 32'd1;
    if (freeze_i) begin
      lfsr_q <= {seed_i[31:1], seed_i[0] || seed_i[31:1] == '0};  // 0 would stay 0
      density_q <= density_i;
    end

    if (!rst_ni) begin
      en_q <= 1'b0;
      age_q <= '0;
      some_q <= 1'b0;
      left_q <= '0;
      when_done_q <= 1'b0;
      lfsr_q <= 32'd1;
      random_q <= 1'b0;
      density_q <= '0;
      freezes_q <= '0;
    end
  end
endmodule
