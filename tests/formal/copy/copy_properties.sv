// Copy engine (docs/microarchitecture.md 23): the order of ends, what was moved when a command ends or a
// signal is offered, places and order of chunks and sectors, groups. Assumed: one instruction at a time
// between issue and T, issued while entry `put` is free (5); the SM port answers what it granted, in any
// order; the chunk port answers a load two cycles after its grant (11b); a signal is delivered once,
// three cycles after it was taken or later (11); a warp that asks closes no group meanwhile (23.4).
// Addresses lie in small windows. Not here: data (bench rtl/copy_*).
module copy_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import port_pkg::*;
  import smem_pkg::*;
  import copy_pkg::*;
(
  input logic       clk_i,
  input logic       clear_i,
  input logic       issue_i,
  input logic       step_i,          // the next step of X1 comes
  input logic [1:0] kind_i,
  input logic       warp_i,
  input logic [7:0] g_i,             // from Base on
  input logic [7:0] s_i,
  input logic [7:0] k_i,
  input logic [7:0] m_i,
  input logic [1:0] commit_i,
  input logic       ask_i,
  input logic       ask_warp_i,
  input logic       bulk_i,
  input logic [1:0] most_i,
  input logic       reads_i,
  input logic       req_grant_i,
  input logic       rsp_i,
  input logic       rsp_load_i,
  input logic       rsp_at_i,
  input logic       chunk_grant_i,
  input logic       signal_taken_i,
  input logic       delivered_i,
  input logic       misuse_i
);
  localparam logic [63:0] Base = 64'h0000_0001_0000_0000;
  localparam int unsigned Bytes = 96;          // of both windows

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // ---- The instruction on its way.
  logic       way_q, second_q, t_q, warp_q, issues, put_free, resolve;
  logic [1:0] kind_q;
  logic [7:0] g_q, s_q, k_q, m_q;
  x1_t         x1 [1];
  logic [31:0] a [1][Lanes], b [1][Lanes], c [1][Lanes];
  logic [31:0] lb [LaunchBlockWords];
  logic [CtaBits-1:0] cta [Warps];
  copy_ask_t   ask [1];
  assign issues = issue_i && !way_q && put_free;
  copy_driver #(.Base(Base)) u_driver (
    .clk_i, .rst_ni(rst_n && !clear_i), .issues_i(issues), .step_i, .kind_i, .warp_i, .g_i, .s_i, .k_i,
    .m_i, .way_o(way_q), .second_o(second_q), .t_o(t_q), .kind_o(kind_q), .warp_o(warp_q), .g_o(g_q),
    .s_o(s_q), .k_o(k_q), .m_o(m_q), .x1_o(x1), .a_o(a), .b_o(b), .c_o(c)
  );
  always_comb begin
    for (int unsigned i = 0; i < LaunchBlockWords; i++) lb[i] = '0;
    {lb[LaunchMemBase+1], lb[LaunchMemBase]} = Base;
    {lb[LaunchMemLimit+1], lb[LaunchMemLimit]} = Base + 64'(Bytes);
    lb[LaunchSmemUnits] = 32'd1;
    lb[LaunchSmemBytes] = 32'(Bytes);
    for (int unsigned w = 0; w < Warps; w++) cta[w] = CtaBits'(w);
    ask[0] = '{valid: ask_i, bulk: bulk_i, read: reads_i, warp: warp_t'(ask_warp_i), most: 6'(most_i)};
  end

  logic         left, req_valid, rest;
  packet_t      req;
  response_t    rsp;
  chunk_req_t   chunk;
  chunk_rsp_t   answer;
  copy_signal_t signal;
  logic         freed, refused;    // an entry is freed; an instruction with a fault is in T
  logic [Warps-1:0] busy, wake;
  trap_t        trap;
  logic [1:0]   asked_q;     // loads at the chunk port, one and two cycles ago
  logic [1:0][ChunkTagBits-1:0] asked_tag_q;
  copy dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .lb_i(lb), .warp_cta_i(cta),
    .x1_i(x1), .x1_a_i(a), .x1_b_i(b), .x1_c_i(c), .put_free_o(put_free), .resolve_o(resolve),
    .commit_i, .ask_i(ask), .left_o(left),
    .req_valid_o(req_valid), .req_o(req), .req_grant_i, .rsp_valid_i(rsp_i), .rsp_i(rsp),
    .chunk_o(chunk), .chunk_grant_i, .chunk_rsp_i(answer),
    .signal_o(signal), .signal_taken_i, .delivered_i, .misuse_i,
    .busy_o(busy), .wake_o(wake), .trap_o(trap), .rest_o(rest)
  );
  assign freed = dut.free;
  assign refused = dut.bad;
  always_comb begin
    rsp = '0;
    rsp.op = rsp_load_i ? OpLd : OpSt;
    rsp.unit = FromCopy;
    rsp.tag = 16'(rsp_at_i);
    answer = '0;
    answer.valid = asked_q[1];
    answer.requester = ChunkNumberBits'(ChunkCopy);
    answer.tag = asked_tag_q[1];
  end
  always_ff @(posedge clk_i) begin
    asked_q <= {rst_n && asked_q[0], rst_n && chunk_grant_i && !chunk.store};
    asked_tag_q <= {asked_tag_q[0], chunk.tag};
  end

  // ---- Commands, by entry: chunks that are still to be asked for, to come from shared memory, to go
  // (granted as a store, or in a packet).
  typedef logic [3:0] count_t;
  logic   put_q, fin_q;
  logic [1:0] used_q, load_q, whose_q, signalled_q;
  count_t [1:0] from_q, at_q, chunks_q;  // global and shared address / 16, from the windows on
  logic [1:0][4:0] mbar_q;                     // offset / 8
  count_t [1:0] ask_q, come_q, go_q;
  logic [1:0][2:0] acks_q;
  logic [1:0][5:0] age_q;
  logic       fault, take;
  assign fault = g_q[3:0] != '0 || s_q[3:0] != '0 || (kind_q == '0 && m_q[2:0] != '0) || k_q == '0 ||
                 k_q[3:0] != '0 || 9'(g_q) + 9'(k_q) > 9'(Bytes) || 9'(s_q) + 9'(k_q) > 9'(Bytes) ||
                 (kind_q == '0 && 9'(m_q) + 9'd8 > 9'(Bytes));
  assign take = t_q && !fault;

  // Which of them walks, which drains: the oldest with something to do.
  logic walk, drain;
  assign walk = (used_q[fin_q] && ask_q[fin_q] != '0) ? fin_q : !fin_q;
  assign drain = (used_q[fin_q] && go_q[fin_q] != '0) ? fin_q : !fin_q;
  // Place of the next chunk, chunks of its sector from there on, and of the present request.
  count_t walk_at, drain_at, walk_of, drain_of, halves;
  assign walk_at = from_q[walk] + chunks_q[walk] - ask_q[walk];
  assign drain_at = from_q[drain] + chunks_q[drain] - go_q[drain];
  assign walk_of = (walk_at[0] || ask_q[walk] == count_t'(1)) ? count_t'(1) : count_t'(2);
  assign drain_of = (drain_at[0] || go_q[drain] == count_t'(1)) ? count_t'(1) : count_t'(2);
  chunk_at_t  chunk_at;                        // first chunk of the request
  logic [1:0] quads;
  always_comb begin
    quads = '0;
    for (int unsigned q = 0; q < Quads; q++) quads[q] = chunk.quad[q].valid;
    halves = count_t'($countones(quads));
    chunk_at = chunk.store
        ? chunk_at_t'({whose_q[drain], 2'd0, at_q[drain] + chunks_q[drain] - go_q[drain]})
        : chunk_at_t'({whose_q[walk], 2'd0, at_q[walk] + chunks_q[walk] - ask_q[walk]});
  end
  logic sends, loads, stores, reads;           // granted
  assign sends = req_grant_i && req.op != OpLd;
  assign loads = req_grant_i && req.op == OpLd;
  assign stores = chunk_grant_i && chunk.store;
  assign reads = chunk_grant_i && !chunk.store;
  // Whose answers come, and how many chunks they bring.
  logic [1:0] read_by_q;
  count_t [1:0] read_count_q;
  logic       read_end;
  assign read_end = asked_q[1] && come_q[read_by_q[1]] == read_count_q[1];
  always_ff @(posedge clk_i) begin
    read_by_q <= {read_by_q[0], walk};
    read_count_q[0] <= halves;
    read_count_q[1] <= read_count_q[0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      {put_q, fin_q, used_q, signalled_q} <= '0;
      acks_q <= '0;
    end else begin
      for (int unsigned i = 0; i < 2; i++) begin
        if (used_q[i]) begin
          if ((loads || reads) && walk == 1'(i)) ask_q[i] <= ask_q[i] - (loads ? walk_of : halves);
          if ((sends || stores) && drain == 1'(i)) go_q[i] <= go_q[i] - (sends ? drain_of : halves);
          if (asked_q[1] && read_by_q[1] == 1'(i)) come_q[i] <= come_q[i] - read_count_q[1];
          acks_q[i] <= acks_q[i] + 3'(sends && drain == 1'(i)) -
                       3'(rsp_i && !rsp_load_i && rsp_at_i == 1'(i));
          if (commit_i[whose_q[i]] && !load_q[i] && age_q[i] != '1) age_q[i] <= age_q[i] + 6'd1;
        end
      end
      if (signal_taken_i) signalled_q[fin_q] <= 1'b1;
      if (freed) begin
        used_q[fin_q] <= 1'b0;
        fin_q <= !fin_q;
      end
      if (take) begin
        used_q[put_q] <= 1'b1;
        put_q <= !put_q;
        load_q[put_q] <= kind_q == '0;
        whose_q[put_q] <= warp_q;
        from_q[put_q] <= g_q[7:4];
        at_q[put_q] <= s_q[7:4];
        chunks_q[put_q] <= k_q[7:4];
        ask_q[put_q] <= k_q[7:4];
        come_q[put_q] <= k_q[7:4];
        go_q[put_q] <= k_q[7:4];
        mbar_q[put_q] <= m_q[7:3];
        acks_q[put_q] <= '0;
        age_q[put_q] <= '0;
        signalled_q[put_q] <= 1'b0;
      end
    end
  end

  // ---- Rows that wait for a sector; a signal on its way; the question of the last cycle.
  logic [1:0] pending_q;
  logic [2:0] taken_q;       // one, two, three cycles ago or more
  logic       asks_q, ask_warp_q, bulk_q, reads_q, should_left;
  logic [1:0] most_q;
  logic [Warps-1:0] should_busy, should_wake;
  always_ff @(posedge clk_i) begin
    if (!rst_n) pending_q <= '0;
    else begin
      if (rsp_i && rsp_load_i) pending_q[rsp_at_i] <= 1'b0;
      if (loads) pending_q[req.tag[0]] <= 1'b1;
    end
    taken_q <= {rst_n && (taken_q[1] || taken_q[2]) && !delivered_i, rst_n && taken_q[0],
                rst_n && signal_taken_i};
    asks_q <= rst_n && ask_i;
    {ask_warp_q, bulk_q, most_q, reads_q} <= {ask_warp_i, bulk_i, most_i, reads_i};
  end
  always_comb begin
    should_left = 1'b0;
    should_busy = '0;
    should_wake = '0;
    for (int unsigned i = 0; i < 2; i++) begin
      if (used_q[i]) should_busy[whose_q[i]] = 1'b1;
      if (bulk_q && used_q[i] && !load_q[i] && whose_q[i] == ask_warp_q && age_q[i] > 6'(most_q) &&
          !(reads_q && come_q[i] == '0)) should_left = 1'b1;
    end
    if (read_end) should_wake[whose_q[read_by_q[1]]] = 1'b1;
    if (freed && !load_q[fin_q]) should_wake[whose_q[fin_q]] = 1'b1;
  end

  always @(posedge clk_i) begin
    assume (kind_i != 2'd3);
    assume (!clear_i || (rest && !way_q && !issues && asked_q == '0 && taken_q == '0));
    assume (!req_grant_i || req_valid);
    assume (!chunk_grant_i || chunk.valid);
    assume (!signal_taken_i || signal.valid);
    assume (!delivered_i || taken_q[2]);
    if (rsp_i) assume (rsp_load_i ? pending_q[rsp_at_i] : acks_q[rsp_at_i] != '0);
    if (ask_i) assume (!commit_i[ask_warp_i] && !(way_q && warp_q == ask_warp_i));
    if (asks_q) assume (!commit_i[ask_warp_q]);
    if (rst_n) begin
      a_open: assert (put_free == !used_q[put_q] && rest == (used_q == '0));
      a_way: assert (resolve == t_q && refused == (t_q && fault));
      a_busy: assert (busy == should_busy);
      // Ends: the oldest, when all of it was moved and answered.
      if (freed) begin
        a_oldest: assert (used_q[fin_q] && dut.info[dut.fin].warp == warp_slot_t'(whose_q[fin_q]) &&
                          go_q[fin_q] == '0);
        a_answered: assert (load_q[fin_q] ? delivered_i : acks_q[fin_q] == '0);
      end
      a_ends: assert (freed || !(used_q[fin_q] && !load_q[fin_q] && go_q[fin_q] == '0 &&
                                 acks_q[fin_q] == '0));
      a_delivered: assert (freed || !delivered_i);
      a_trap: assert (trap.valid == ((t_q && fault) || (delivered_i && misuse_i)));
      // A signal: after the last chunk, once.
      a_signal: assert (signal.valid == (used_q[fin_q] && load_q[fin_q] && go_q[fin_q] == '0 &&
                                         !signalled_q[fin_q]));
      if (signal.valid) begin
        a_mbar: assert (signal.at == {21'd0, whose_q[fin_q], 2'd0, mbar_q[fin_q], 3'd0} &&
                        signal.bytes == {24'd0, chunks_q[fin_q], 4'd0});
      end
      // What is asked for and what goes: the next of the oldest command that has some left.
      if (req_valid && req.op == OpLd) begin
        a_load: assert (used_q[walk] && load_q[walk] && ask_q[walk] != '0 &&
                        req.sector == Base[63:5] + 59'(walk_at[3:1]));
        a_row: assert (!pending_q[req.tag[0]] && req.tag[15:1] == '0);
      end
      if (req_valid && req.op != OpLd) begin
        a_send: assert (used_q[drain] && !load_q[drain] && go_q[drain] != '0 && req.tag == 16'(drain) &&
                        req.sector == Base[63:5] + 59'(drain_at[3:1]));
        a_come: assert (chunks_q[drain] - come_q[drain] >= chunks_q[drain] - go_q[drain] + drain_of);
      end
      if (chunk.valid) begin
        a_chunk: assert (chunk.store ? used_q[drain] && load_q[drain] && go_q[drain] != '0
                                     : used_q[walk] && !load_q[walk] && ask_q[walk] != '0);
        a_halves: assert (halves == (!Pair ? count_t'(1) : chunk.store ? drain_of : walk_of));
        a_place: assert (quads[32'(chunk_at)%Quads] &&
                         chunk.quad[32'(chunk_at)%Quads].row == SmemRowBits'(32'(chunk_at) / Quads));
      end
      // Groups.
      if (asks_q) a_left: assert (left == should_left);
      a_wake: assert (wake == should_wake);
      c_load: cover (freed && load_q[fin_q] && chunks_q[fin_q] == 4'd3);
      c_store: cover (freed && !load_q[fin_q] && chunks_q[fin_q] == 4'd3);
      c_both: cover (signal.valid && used_q == '1 && load_q == '1 && go_q[!fin_q] == '0);
      c_left: cover (asks_q && left && most_q == 2'd1);
      c_read: cover (asks_q && bulk_q && !left && reads_q && used_q[fin_q] && age_q[fin_q] > 6'(most_q) &&
                     whose_q[fin_q] == ask_warp_q && !load_q[fin_q]);
    end
  end

  // ---- Why it holds: the unit's state is that of the commands above.
  // Rows, the oldest first; chunks of a command from the row on; where these begin.
  logic       tail, drains, walks;             // drains, walks: between two halves
  entry_t     walk_now;
  logic [1:0] busy_rows, ready_rows;
  row_t [1:0] row;
  count_t [1:0] many, rest_of, place, in_rows;
  count_t     left_walk;
  assign tail = dut.u_rows.tail_q;
  assign drains = dut.u_drain.second_q;
  assign walks = dut.u_walk.second_q;
  assign walk_now = (used_q[walk] && ask_q[walk] != '0) ? walk : put_q;
  assign left_walk = ask_q[walk] + count_t'(walks);
  always_comb begin
    for (int unsigned r = 0; r < 2; r++) begin
      row[r] = row_t'(dut.u_rows.u_row.gen_lane[0].mem_q[tail^1'(r)]);
      busy_rows[r] = dut.u_rows.busy_q[tail^1'(r)];
      ready_rows[r] = dut.u_rows.ready_q[tail^1'(r)];
      many[r] = busy_rows[r] ? count_t'($countones(row[r].halves)) : '0;
      in_rows[r] = '0;
    end
    rest_of[0] = go_q[row[0].entry] + count_t'(drains);
    rest_of[1] = (row[1].entry == row[0].entry) ? rest_of[0] - many[0] : go_q[row[1].entry];
    for (int unsigned r = 0; r < 2; r++) begin
      place[r] = from_q[row[r].entry] + chunks_q[row[r].entry] - rest_of[r];
      if (busy_rows[r]) in_rows[row[r].entry] += many[r];
    end
  end
  function automatic chunk_at_t chunk_of(input logic warp, input count_t chunk);
    return chunk_at_t'({warp, 2'd0, chunk});
  endfunction
  // The pipe of reads at the chunk port: a request is the row's last one (final), or the second follows.
  logic [1:0] final_q;
  entry_t [1:0] pipe_entry;
  place_t [1:0] pipe_place;
  logic [1:0] pipe_last, pipe_valid;
  assign pipe_valid = {dut.u_rows.answered_q.valid, dut.u_rows.asked_q.valid};
  assign final_q = {dut.u_rows.answered_q.final_f, dut.u_rows.asked_q.final_f};
  assign pipe_last = {dut.u_rows.answered_q.last, dut.u_rows.asked_q.last};
  assign pipe_entry = {dut.u_rows.answered_q.entry, dut.u_rows.asked_q.entry};
  assign pipe_place = {dut.u_rows.answered_q.place, dut.u_rows.asked_q.place};
  always @(posedge clk_i) begin
    if (rst_n) begin
      assert (dut.u_queue.put_q == put_q && dut.u_queue.fin_q == fin_q && dut.u_queue.used_q == used_q);
      assert ((put_q == fin_q) == (used_q == '0 || used_q == '1) && (used_q == '0 || used_q[fin_q]));
      for (int unsigned i = 0; i < 2; i++) begin
        if (!used_q[i]) assert (acks_q[i] == '0);
        if (used_q[i]) begin
          assert (is_load(dut.u_queue.info_q[i].kind) == load_q[i]);
          assert (dut.u_queue.info_q[i].kind >= MemKindBload && dut.u_queue.info_q[i].kind <= MemKindBred);
          assert (dut.u_queue.info_q[i].warp == warp_slot_t'(whose_q[i]));
          assert (dut.u_queue.info_q[i].g == global_at_t'(from_q[i]));
          assert (dut.u_queue.info_q[i].s == chunk_of(whose_q[i], at_q[i]));
          assert (dut.u_queue.info_q[i].chunks == chunk_count_t'(chunks_q[i]));
          if (load_q[i]) assert (dut.u_queue.info_q[i].m[SmemBits-1:0] == {whose_q[i], 2'd0, mbar_q[i], 3'd0});
          assert (chunks_q[i] != '0 && 5'(from_q[i]) + 5'(chunks_q[i]) <= 5'd6 &&
                  5'(at_q[i]) + 5'(chunks_q[i]) <= 5'd6);
          assert (dut.u_queue.walked_q[i] == (ask_q[i] == '0));
          assert (dut.u_queue.drained_q[i] == (go_q[i] == '0));
          assert (dut.u_queue.read_q[i] == (!load_q[i] && come_q[i] == '0));
          assert (dut.u_queue.signalled_q[i] == signalled_q[i]);
          assert (dut.u_queue.acks_q[i] == 8'(acks_q[i]));
          assert (count_t'(acks_q[i]) <= chunks_q[i] - go_q[i] && (!load_q[i] || acks_q[i] == '0));
          assert (ask_q[i] <= go_q[i] && go_q[i] <= chunks_q[i]);
          assert (go_q[i] + count_t'(drains && row[0].entry == 1'(i)) ==
                  ask_q[i] + in_rows[i] + count_t'(walks && walk == 1'(i)));
          assert (come_q[i] == (load_q[i] ? chunks_q[i] : ask_q[i] +
                  ((asked_q[0] && read_by_q[0] == 1'(i)) ? read_count_q[0] : '0) +
                  ((asked_q[1] && read_by_q[1] == 1'(i)) ? read_count_q[1] : '0)));
          assert (signalled_q[i] == (taken_q != '0 && fin_q == 1'(i)));
          if (!load_q[i]) assert (dut.u_groups.age_q[i] == age_q[i]);
          if (asks_q) assert (dut.u_groups.gen_ask[0].old_q[i] ==
                              (bulk_q && !load_q[i] && whose_q[i] == ask_warp_q && age_q[i] > 6'(most_q)));
        end
      end
      if (asks_q) assert (dut.u_groups.gen_ask[0].reads_q == reads_q);
      if (used_q == '1) begin
        assert (ask_q[fin_q] == '0 || ask_q[!fin_q] == chunks_q[!fin_q]);
        assert (go_q[fin_q] == '0 || go_q[!fin_q] == chunks_q[!fin_q]);
      end
      assert ($onehot0(taken_q));
      if (taken_q != '0) assert (used_q[fin_q] && load_q[fin_q] && go_q[fin_q] == '0);
      // Instruction.
      assert ((!way_q || !used_q[put_q]) && (!t_q || (way_q && second_q)));
      assert (dut.u_words.command_q.valid == t_q);
      if (way_q) assert (kind_q != 2'd3);
      if (way_q && second_q) assert (dut.u_words.command_q.g == Base + 64'(g_q) &&
                                     dut.u_words.command_q.s == 32'(s_q));
      if (t_q) begin
        assert (dut.u_words.command_q.k == 32'(k_q) && dut.u_words.command_q.m == 32'(m_q));
        assert (dut.u_words.command_q.kind == ((kind_q == 2'd0) ? MemKindBload :
                                               (kind_q == 2'd1) ? MemKindBstore : MemKindBred));
        assert (dut.u_words.command_q.warp == warp_slot_t'(warp_q) &&
                dut.u_words.command_q.base == {warp_q, 10'd0});
      end
      // Walk.
      assert (dut.u_walk.walk_q == walk_now);
      if (used_q[walk] && ask_q[walk] != '0) begin
        assert (dut.u_walk.first_q == (left_walk == chunks_q[walk]));
        if (!dut.u_walk.first_q) begin
          assert (dut.u_walk.left_q == chunk_count_t'(left_walk));
          assert (dut.u_walk.g_q == global_at_t'(from_q[walk] + chunks_q[walk] - left_walk) &&
                  !dut.u_walk.g_q[0]);
          assert (dut.u_walk.s_q == chunk_of(whose_q[walk], at_q[walk] + chunks_q[walk] - left_walk));
        end
        if (walks) assert (!Pair && !load_q[walk] && walk_at[0] && !busy_rows[tail^dut.u_rows.head_q]);
      end else assert (dut.u_walk.first_q && !walks);
      // Rows.
      assert ((dut.u_rows.head_q == tail) == (busy_rows == '0 || busy_rows == '1));
      assert (busy_rows == '0 || busy_rows[0]);
      if (drains) assert (!Pair && ready_rows[0] && row[0].halves == '1 && load_q[row[0].entry]);
      for (int unsigned r = 0; r < 2; r++) begin
        assert (busy_rows[r] || !ready_rows[r]);
        if (!busy_rows[r]) assert (!pending_q[tail^1'(r)]);
        if (busy_rows[r]) begin
          assert (used_q[row[r].entry] && rest_of[r] != '0 && rest_of[r] <= chunks_q[row[r].entry]);
          assert (row[r].halves == ((place[r][0]) ? 2'b10 : (rest_of[r] == count_t'(1)) ? 2'b01 : 2'b11));
          assert (row[r].last == (rest_of[r] == many[r]));
          assert (row[r].at == chunk_of(whose_q[row[r].entry], at_q[row[r].entry] +
                  chunks_q[row[r].entry] - rest_of[r]) - chunk_at_t'(place[r][0]));
          assert (row[r].sector == 27'(place[r][3:1]));
          assert (pending_q[tail^1'(r)] == (load_q[row[r].entry] && !ready_rows[r]));
          assert (load_q[row[r].entry] || ready_rows[r] !=
                  ((pipe_valid[0] && final_q[0] && pipe_place[0] == (tail^1'(r))) ||
                   (pipe_valid[1] && final_q[1] && pipe_place[1] == (tail^1'(r)))));
        end
      end
      if (busy_rows[0]) assert (row[0].entry == drain);
      if (busy_rows[1]) assert (row[1].entry == (row[0].last ? !fin_q : row[0].entry));
      if (busy_rows[1] && row[0].last) assert (row[0].entry == fin_q);
      if (busy_rows == '1 && ready_rows == 2'b10) assert (load_q[row[0].entry] || load_q[row[1].entry]);
      // Pipe.
      assert (pipe_valid == asked_q);
      for (int unsigned x = 0; x < 2; x++) begin
        if (asked_q[x]) begin
          assert (read_by_q[x] == pipe_entry[x] && asked_tag_q[x] == ChunkTagBits'(pipe_place[x]));
          assert (used_q[read_by_q[x]] && !load_q[read_by_q[x]]);
          if (final_q[x]) assert (busy_rows[tail^pipe_place[x]] && !ready_rows[tail^pipe_place[x]] &&
                                  row[tail^pipe_place[x]].entry == pipe_entry[x] &&
                                  row[tail^pipe_place[x]].last == pipe_last[x]);
          assert (read_count_q[x] == count_t'(1) || (Pair && read_count_q[x] == count_t'(2)));
          if (Pair) assert (final_q[x] && read_count_q[x] == many[tail^pipe_place[x]]);
        end
      end
      if (asked_q[0] && !final_q[0]) assert (walks && pipe_place[0] == dut.u_rows.head_q && pipe_entry[0] == walk);
      if (asked_q[1] && !final_q[1] && asked_q[0]) begin
        assert (final_q[0] && pipe_place[0] == pipe_place[1] && pipe_entry[0] == pipe_entry[1] &&
                row[tail^pipe_place[0]].halves == '1);
      end
      if (asked_q[1] && !final_q[1] && !asked_q[0]) begin
        assert (walks && pipe_place[1] == dut.u_rows.head_q && pipe_entry[1] == walk);
      end
      if (asked_q == '1 && final_q == '1) assert (pipe_place[0] != pipe_place[1] && pipe_place[1] == tail);
    end
  end
endmodule
