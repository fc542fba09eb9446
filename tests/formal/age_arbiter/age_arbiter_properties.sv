// The arbiter of the SM port and of the write-back: who is picked is what docs/microarchitecture.md 6.3
// says, and the wait of every source is bounded. Sources come and go as they like.
module age_arbiter_properties
  import config_pkg::*;
#(
  localparam int unsigned Sources = `SOURCES
) (
  input logic               clk_i,
  input logic [Sources-1:0] valid_i,
  input logic               taken_i,
  input logic [2:0]         watched_i
);
  // Lost to the fixed order AgeLimit times, then once to each other source that was as old.
  // (Source 0 is never as old as others that lose: they lose to it.)
  localparam int unsigned Bound = wl_pkg::AgeLimit + Sources - 2;
  localparam logic [3:0] Limit = 4'(wl_pkg::AgeLimit);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Sources-1:0] pick, taken;
  age_arbiter #(.Sources(Sources), .Limit(wl_pkg::AgeLimit)) dut (
    .clk_i, .rst_ni(rst_n), .valid_i, .pick_o(pick), .taken_i
  );
  assign taken = pick & {Sources{taken_i}};

  // Losses as the text counts them, and of the source watched the number of others that were taken.
  logic [3:0] count_q [Sources];
  logic [2:0] watched_q;
  logic [4:0] waited_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Sources; i++) begin
      if (!rst_n || !valid_i[i] || taken[i]) count_q[i] <= '0;
      else if (taken != '0 && count_q[i] != '1) count_q[i] <= count_q[i] + 4'd1;
    end
    if (!rst_n) watched_q <= watched_i;
    if (!rst_n || !valid_i[watched_q] || taken[watched_q]) waited_q <= '0;
    else if (taken != '0) waited_q <= waited_q + 5'd1;
  end

  always @(posedge clk_i) begin
    assume (32'(watched_i) < Sources);
    assume (!taken_i || valid_i != '0);
    if (rst_n) begin
      a_one: assert ($onehot0(pick) && (pick & ~valid_i) == '0 && (pick != '0) == (valid_i != '0));
      for (int unsigned i = 0; i < Sources; i++) begin
        for (int unsigned j = 0; j < Sources; j++) begin
          if (i != j && pick[i] && valid_i[j]) begin
            if (count_q[i] >= Limit || count_q[j] >= Limit) begin
              assert (count_q[i] > count_q[j] || (count_q[i] == count_q[j] && i < j));
            end else begin
              assert (i < j);
            end
          end
        end
      end
      a_bounded: assert (32'(waited_q) <= Bound);
      // Why: the oldest of those that are AgeLimit old and more is taken, so that each further loss is
      // one of one source less.
      for (int unsigned m = 0; m <= Sources; m++) begin
        int unsigned older;
        older = 0;
        for (int unsigned i = 0; i < Sources; i++) older += 32'(32'(count_q[i]) >= 32'(Limit) + m);
        assert (older + m < Sources || older == 0);
      end
      for (int unsigned i = 0; i < Sources; i++) begin
        assert (dut.lost_q[i] == count_q[i]);
        for (int unsigned j = 0; j < i; j++) begin
          assert (dut.older_q[i][j] == (count_q[i] >= Limit && count_q[i] > count_q[j]));
        end
      end
      a_waited: assert (waited_q == 5'(count_q[watched_q]) && 32'(watched_q) < Sources);
      c_bound: cover (32'(waited_q) == Bound && taken[watched_q]);
      c_last: cover (taken[Sources-1] && valid_i == '1);
    end
  end
endmodule
