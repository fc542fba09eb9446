// Result queue with several producers (docs/microarchitecture.md 6.5): any word that is taken leaves
// once, unchanged, after the words that were taken before it; nothing else leaves. A word is taken in
// every cycle in which the queue is open and some producer presents. A producer waits for at most
// AgeLimit + P - 2 words of others (P producers). So it is served within a bound of cycles, if the
// queue is closed for at most CLOSED cycles in a row (write-back grants, no stall). Assumed besides:
// a producer presents until its word is taken, and write-back grants only what is presented.
module result_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input logic        clk_i,
  input logic        clear_i,
  input logic        stall_i,
  input vwb_t        in_i [ResultPorts],
  input logic [Lanes-1:0][31:0] in_data_i [ResultPorts],
  input logic        grant_i,
  input logic        mark_i,       // the word taken in this cycle is watched
  input logic [1:0]  watched_i     // the producer whose wait is counted
);
  localparam int unsigned Losses = AgeLimit + ResultPorts - 2;
  localparam int unsigned Bound = Losses + (Losses + 1) * `CLOSED;
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [ResultPorts-1:0] taken, valid;
  vwb_t                   out;
  logic [31:0]            out_data [Lanes];
  logic                   rest;
  result dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .stall_i, .in_i, .in_data_i, .taken_o(taken), .vwb_o(out),
    .vwb_data_o(out_data), .vwb_grant_i(grant_i), .rest_o(rest)
  );
  for (genvar i = 0; i < ResultPorts; i++) begin : gen_port
    assign valid[i] = in_i[i].valid;
  end

  // The word that is taken, and the words in the queue by counting.
  vwb_t        word;
  logic [31:0] first, last;
  logic [3:0]  held_q;
  logic        open;
  assign open = 32'(held_q) < ResultDepth && !stall_i;
  always_comb begin
    word = in_i[0];
    first = in_data_i[0][0];
    last = in_data_i[0][Lanes-1];
    for (int i = 1; i < ResultPorts; i++) begin
      if (taken[i]) begin
        word = in_i[i];
        first = in_data_i[i][0];
        last = in_data_i[i][Lanes-1];
      end
    end
  end

  // One watched word: how many leave before it.
  logic        marked_q;
  vwb_t        want_q;
  logic [31:0] first_q, last_q;
  logic [3:0]  ahead_q;
  // A watched producer: words of others taken while it presents, cycles in which it waits, and cycles
  // in a row in which the queue is closed.
  logic [1:0]  watched_q;
  logic [4:0]  losses_q;
  logic [6:0]  wait_q;
  logic [2:0]  closed_q;
  logic [3:0]  count_q [ResultPorts];
  logic [ResultPorts-1:0] valid_q, taken_q;
  logic        past_q;
  always_ff @(posedge clk_i) begin
    past_q <= rst_n && !clear_i;
    valid_q <= valid;
    taken_q <= taken;
    if (!rst_n) watched_q <= watched_i;
    if (!rst_n || clear_i) begin
      held_q <= '0;
      marked_q <= 1'b0;
    end else begin
      held_q <= held_q + 4'(taken != '0) - 4'(grant_i);
      if (taken != '0 && mark_i && !marked_q) begin
        marked_q <= 1'b1;
        want_q <= word;
        first_q <= first;
        last_q <= last;
        ahead_q <= held_q - 4'(grant_i);
      end else if (marked_q && grant_i) begin
        ahead_q <= ahead_q - 4'd1;
        if (ahead_q == '0) marked_q <= 1'b0;
      end
    end
    if (!rst_n || clear_i || open) closed_q <= '0;
    else closed_q <= closed_q + 3'd1;
    if (!rst_n || clear_i || !valid[watched_q] || taken[watched_q]) begin
      losses_q <= '0;
      wait_q <= '0;
    end else begin
      if (taken != '0) losses_q <= losses_q + 5'd1;
      wait_q <= wait_q + 7'd1;
    end
    for (int i = 0; i < ResultPorts; i++) begin
      if (!rst_n || clear_i || !valid[i] || taken[i]) count_q[i] <= '0;
      else if (taken != '0 && count_q[i] != '1) count_q[i] <= count_q[i] + 4'd1;
    end
  end

  logic some_lost;
  logic [3:0] place;   // of the watched word in the ring
  always_comb begin
    some_lost = 1'b0;
    for (int i = 0; i < ResultPorts; i++) some_lost = some_lost || count_q[i] != '0;
    place = 4'(dut.read_q) + ahead_q;
    if (32'(place) >= ResultDepth) place -= 4'(ResultDepth);
  end

  always @(posedge clk_i) begin
    assume (32'(watched_i) < ResultPorts);
    if (past_q) assume ((valid_q & ~taken_q & ~valid) == '0);
    if (rst_n) begin
      assume (!grant_i || out.valid);
      if (32'(closed_q) >= `CLOSED) assume (open);

      a_one: assert ($onehot0(taken) && (taken & ~valid) == '0);
      a_takes: assert ((taken != '0) == (open && valid != '0));
      a_shown: assert (out.valid == (held_q != '0) && 32'(held_q) <= ResultDepth);
      if (marked_q) a_there: assert (out.valid && ahead_q < held_q);
      if (marked_q && ahead_q == '0) begin
        a_word: assert (out.warp == want_q.warp && out.has_reg == want_q.has_reg &&
                        out.rd == want_q.rd && out.beat == want_q.beat && out.mask == want_q.mask &&
                        out.last_beat == want_q.last_beat && out.last == want_q.last);
        a_data: assert (out_data[0] == first_q && out_data[Lanes-1] == last_q);
      end
      a_losses: assert (32'(losses_q) <= Losses);
      a_wait: assert (32'(wait_q) <= Bound);
      a_rest: assert (rest == (held_q == '0 && !some_lost));

      // Why: the ring is the words in order; each loss is paid by closed cycles.
      assert (32'(dut.count_q) == 32'(held_q) && 32'(dut.read_q) < ResultDepth &&
              32'(dut.write_q) < ResultDepth);
      assert ((32'(dut.read_q) + 32'(held_q)) % ResultDepth == 32'(dut.write_q));
      if (marked_q) begin
        assert (dut.word_q[place] == want_q && dut.data_q[place][0] == first_q &&
                dut.data_q[place][Lanes-1] == last_q);
      end
      assert (32'(closed_q) <= `CLOSED && 32'(watched_q) < ResultPorts);
      assert (32'(wait_q) <= 32'(losses_q) * (`CLOSED + 1) + 32'(closed_q));
      assert (losses_q == 5'(count_q[watched_q]));

      c_full: cover (marked_q && 32'(ahead_q) == ResultDepth - 1 && valid == '1);
      c_losses: cover (32'(losses_q) == Losses && taken[watched_q]);
      c_closed: cover (32'(wait_q) >= Losses + 3 * `CLOSED);
      c_left: cover (marked_q && ahead_q == '0 && grant_i && taken != '0);
    end
  end
endmodule
