// SM port: arbitration of the four requesters for the order point's input register, and the count
// of stores that memory has not answered (docs/microarchitecture.md 13). Holds no packet.
module smport (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              stall_i,  // disturbance (17)
  input  logic [3:0]        req_valid_i,   // 0 DISP, 1 ICACHE, 2 LDC, 3 LSU
  input  wl_pkg::packet_t   req_i [4],
  output logic [3:0]        req_grant_o,
  output logic              op_valid_o,
  output wl_pkg::packet_t   op_packet_o,
  input  logic              op_ready_i,
  input  logic              rsp_valid_i,
  input  wl_pkg::response_t rsp_i,
  output logic              unacked_zero_o
);
  import wl_pkg::*;

  localparam logic [2:0] OpSt = 3'd1;
  localparam logic [2:0] OpRed = 3'd3;

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  logic [3:0] lost_q [4];
  logic       any;
  logic [1:0] sel;
  logic       grant;
  logic       up, down;
  logic [7:0] unacked_q;

  always_comb begin
    logic [3:0] best;
    any = 1'b0;
    sel = '0;
    best = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (req_valid_i[i]) begin
        if (!any) begin
          any = 1'b1;
          sel = 2'(i);
          best = lost_q[i];
        end else if (lost_q[i] >= 4'(AgeLimit) && lost_q[i] > best) begin
          // The largest count precedes; a count below AgeLimit only keeps the fixed order.
          sel = 2'(i);
          best = lost_q[i];
        end
      end
    end
    grant = any && op_ready_i && !stall_i;
    for (int unsigned i = 0; i < 4; i++) req_grant_o[i] = grant && sel == 2'(i);
  end

  assign op_valid_o = grant;
  always_comb begin
    op_packet_o = '0;
    if (grant || Always) op_packet_o = req_i[sel];
  end

  assign up = grant && (op_packet_o.op == OpSt || op_packet_o.op == OpRed);
  assign down = rsp_valid_i && (rsp_i.op == OpSt || rsp_i.op == OpRed);
  assign unacked_zero_o = unacked_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      unacked_q <= '0;
      for (int i = 0; i < 4; i++) lost_q[i] <= '0;
    end else begin
      unacked_q <= unacked_q + 8'(up) - 8'(down);
      for (int unsigned i = 0; i < 4; i++) begin
        if (!req_valid_i[i] || (grant && sel == 2'(i))) lost_q[i] <= '0;
        else if (grant && lost_q[i] != '1) lost_q[i] <= lost_q[i] + 4'd1;
      end
    end
  end

  logic unused_rsp;
  assign unused_rsp = ^{rsp_i.unit, rsp_i.tag, rsp_i.data};

`ifdef WL_JOURNAL
  always_ff @(posedge clk_i) begin
    if (rst_ni && grant) begin
      journal_pkg::wl_j_packet(32'(op_packet_o.op), 32'(op_packet_o.atom), 32'(op_packet_o.atype),
                               32'(op_packet_o.unit), 32'(op_packet_o.tag),
                               op_packet_o.sector[31:0], 32'(op_packet_o.sector[58:32]),
                               op_packet_o.mask, op_packet_o.data);
    end
    if (rst_ni && rsp_valid_i) begin
      journal_pkg::wl_j_response(32'(rsp_i.op), 32'(rsp_i.unit), 32'(rsp_i.tag), rsp_i.data);
    end
  end
`endif
endmodule
