// Arbitration of the SM port (docs/microarchitecture.md 13): who is granted, that the packet is the
// granted requester's, that the wait is bounded in cycles in which the order point takes a packet,
// and the count behind `unacked`. Assumed, from sections 3, 4, 12 and 13: DISP, ICACHE and LDC only
// load whole sectors with tags below 16, COPY (23) has tags below 64, all sectors lie in one block of
// 4 GiB; a response answers a packet under way, and not more than OpTable + 1 packets are under way. A
// request may change until it is granted, as COPY's does (23.3).
module smport_properties
  import wl_pkg::*;
  import config_pkg::*;
(
  input logic             clk_i,
  input logic             stall_i,
  input logic [Ports-1:0] valid_i,
  input packet_t          req_i [Ports],
  input logic             op_ready_i,
  input logic             rsp_valid_i,
  input response_t        rsp_i,
  input logic [2:0]       watched_i
);
  // Lost to fixed priority AgeLimit times, then once to each other requester that was as old.
  // (Requester 0 is never as old as others that lose: they lose to it.)
  localparam int unsigned Bound = AgeLimit + Ports - 2;
  localparam logic [2:0] OpSt = 3'd1;
  localparam logic [2:0] OpRed = 3'd3;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Ports-1:0] grant;
  logic             op_valid, unacked_zero;
  packet_t          op_packet;
  smport dut (
    .clk_i, .rst_ni(rst_n), .sm_i('0), .stall_i, .req_valid_i(valid_i), .req_i, .req_grant_o(grant),
    .op_valid_o(op_valid), .op_packet_o(op_packet), .op_ready_i, .rsp_valid_i, .rsp_i,
    .unacked_zero_o(unacked_zero)
  );

  // The requester watched.
  logic [2:0] watched_q;
  logic [4:0] waited_q;   // grants to others since it presents
  logic       here, won;
  packet_t    packet;
  assign here = valid_i[watched_q];
  assign won = grant[watched_q];
  assign packet = req_i[watched_q];
  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watched_i;
    if (!rst_n || !here || won) waited_q <= '0;
    else if (op_ready_i && !stall_i) waited_q <= waited_q + 5'd1;
  end

  // Losses as the text counts them.
  logic [3:0] count_q [Ports];
  for (genvar i = 0; i < Ports; i++) begin : gen_count
    always_ff @(posedge clk_i) begin
      if (!rst_n || !valid_i[i] || grant[i]) count_q[i] <= '0;
      else if (grant != '0 && count_q[i] != '1) count_q[i] <= count_q[i] + 4'd1;
    end
  end

  // Packets under way, and those that `unacked` counts.
  logic [7:0] under_q, stores_q;
  logic up, down, store_up, store_down;
  assign up = op_valid && rst_n;
  assign down = rsp_valid_i;
  assign store_up = up && (op_packet.op == OpSt || op_packet.op == OpRed);
  assign store_down = down && (rsp_i.op == OpSt || rsp_i.op == OpRed);
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      under_q <= '0;
      stores_q <= '0;
    end else begin
      under_q <= under_q + 8'(up) - 8'(down);
      stores_q <= stores_q + 8'(store_up) - 8'(store_down);
    end
  end

  always @(posedge clk_i) begin
    assume (32'(watched_i) < Ports);
    for (int unsigned i = 0; i < Ports; i++) begin
      assume (req_i[i].sector[58:27] == req_i[ReqDisp].sector[58:27]);
      assume (i == ReqLsu || i == ReqCopy || (req_i[i].op == '0 && req_i[i].atom == '0 && req_i[i].atype == '0 &&
                           req_i[i].mask == '1 && req_i[i].tag[15:4] == '0));
      assume (i != ReqCopy || req_i[i].tag[15:6] == '0);
      // The unit number is what the requester's place says (section 13).
      assume (req_i[i].unit == ((i == ReqDisp) ? FromDisp : (i == ReqLsu) ? FromLsu :
                                (i == ReqLdc) ? FromLdc :
                                (i == ReqCopy) ? FromCopy : FromIcache));
    end
    if (under_q == '0) assume (!rsp_valid_i);
    if (stores_q == '0) assume (!store_down);
    if (stores_q == under_q) assume (!rsp_valid_i || store_down);
    if (under_q > 8'(OpTable)) assume (!op_ready_i || rsp_valid_i);
    if (rst_n) begin
      a_one: assert ((grant & (grant - Ports'(1))) == '0 && (grant & ~valid_i) == '0);
      a_busy: assert ((grant != '0) == (valid_i != '0 && op_ready_i && !stall_i));
      a_valid: assert (op_valid == (grant != '0));
      if (won) begin
        a_head: assert (op_packet.op == packet.op && op_packet.atom == packet.atom &&
                        op_packet.atype == packet.atype && op_packet.unit == packet.unit);
        a_place: assert (op_packet.sector == packet.sector && op_packet.mask == packet.mask &&
                         op_packet.tag == packet.tag);
        a_data: assert (op_packet.op == '0 || op_packet.data == packet.data);
      end
      // The text's choice: the largest count of AgeLimit and more, else the lowest number.
      for (int unsigned i = 0; i < Ports; i++) begin
        for (int unsigned j = 0; j < Ports; j++) begin
          if (i != j && grant[i] && valid_i[j]) begin
            if (count_q[i] >= 4'(AgeLimit) || count_q[j] >= 4'(AgeLimit)) begin
              assert (count_q[i] > count_q[j] || (count_q[i] == count_q[j] && i < j));
            end else begin
              assert (i < j);
            end
          end
        end
      end
      a_bounded: assert (32'(waited_q) <= Bound);
`ifdef INDUCTION
      // Why: a grant takes the oldest of those that are AgeLimit old and more, so that each further
      // loss is one of one requester less.
      for (int unsigned m = 0; m <= Ports; m++) begin
        int unsigned older;
        older = 0;
        for (int unsigned i = 0; i < Ports; i++) older += 32'(32'(count_q[i]) >= AgeLimit + m);
        assert (older + m < Ports || older == 0);
      end
      for (int unsigned i = 0; i < Ports; i++) begin
        assert (dut.u_arbiter.lost_q[i] == count_q[i]);
        for (int unsigned j = 0; j < i; j++) begin
          assert (dut.u_arbiter.older_q[i][j] == (count_q[i] >= 4'(AgeLimit) && count_q[i] > count_q[j]));
        end
      end
      a_waited: assert (waited_q == 5'(count_q[watched_q]) && 32'(watched_q) < Ports);
      a_under: assert (dut.unacked_q == stores_q && stores_q <= under_q &&
                       32'(under_q) <= OpTable + 1);
`endif
      a_unacked: assert (unacked_zero == (stores_q == '0));
      c_bound: cover (32'(waited_q) == Bound && won);
      c_copy: cover (grant[ReqCopy] && op_packet.op == OpSt && stores_q != '0);
      c_last: cover (grant[ReqLsu] && valid_i == '1);
      c_full: cover (under_q == 8'd9 && stores_q == 8'd3 && rsp_valid_i);
      c_packet: cover (won && watched_q == 3'd1 && packet.tag == 16'd1 && valid_i == '1);
    end
  end
endmodule
