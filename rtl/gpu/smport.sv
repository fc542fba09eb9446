// SM port: arbitration of the requesters for the order point's input register, and the count
// of stores that memory has not answered (docs/microarchitecture.md 13). Holds no packet.
`include "cells/assert.svh"

module smport
  import wl_pkg::*;
  import config_pkg::*;
  import port_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [1:0]       sm_i,          // number of the SM
  input  logic             stall_i,  // disturbance (17)
  input  logic [Ports-1:0] req_valid_i,   // index.def: PORT
  input  packet_t          req_i [Ports],
  output logic [Ports-1:0] req_grant_o,
  output logic             op_valid_o,
  output packet_t          op_packet_o,
  input  logic             op_ready_i,
  input  logic             rsp_valid_i,
  input  response_t        rsp_i,
  output logic             rest_o,        // unacked is 0 (15)
  output logic             unacked_zero_o
);
  localparam int unsigned SmallTag = CopyTagBits;  // no tag but the LSU's is longer
  if (DispTagBits > SmallTag || IcacheTagBits > SmallTag || LdcTagBits > SmallTag) begin : gen_small_tags
    $error("a tag is longer than the copy engine's");
  end
  logic [Ports-1:0] pick;   // one-hot
  logic       grant;
  logic       up, down;
  logic [7:0] unacked_q;
  logic       zero_q;       // it is 0; a register, as the launch's end waits for that

  age_arbiter #(.Sources(Ports), .Limit(AgeLimit)) u_arbiter (
    .clk_i, .rst_ni, .valid_i(req_valid_i), .pick_o(pick), .taken_i(grant)
  );
  assign grant = req_valid_i != '0 && op_ready_i && !stall_i;
  assign req_grant_o = grant ? pick : '0;

  assign op_valid_o = grant;
  logic [PortUnitBits-1:0] unit;
  assign unit = (FromIcache & {PortUnitBits{|pick[ReqIcache+:SubCores]}}) |
                (FromLdc & {PortUnitBits{pick[ReqLdc]}}) | (FromLsu & {PortUnitBits{pick[ReqLsu]}}) |
               (FromCopy & {PortUnitBits{pick[ReqCopy]}});
  // DISP, ICACHE and LDC only read whole sectors, with small tags. Device memory is one block of
  // 4 GiB (section 13): the upper sector bits of all requesters are those of the launch block.
  localparam int unsigned UnitBits = (Copy != 0) ? 3 : 2;
  logic [LowBits-1:0] low_x [1 << UnitBits];  // by unit
  logic [LowBits-1:0] low;
  always_comb begin
    low_x = '{default: '0};
    low_x[UnitBits'(FromDisp)] = req_i[ReqDisp].sector[LowBits-1:0];
    low_x[UnitBits'(FromLdc)] = req_i[ReqLdc].sector[LowBits-1:0];
    low_x[UnitBits'(FromLsu)] = req_i[ReqLsu].sector[LowBits-1:0];
    if (Copy != 0) low_x[UnitBits'(FromCopy)] = req_i[ReqCopy].sector[LowBits-1:0];
    for (int unsigned k = ReqIcache; k < ReqIcache + SubCores; k++) begin
      if (SubCores == 1 || pick[k]) low_x[UnitBits'(FromIcache)] |= req_i[k].sector[LowBits-1:0];
    end
  end
  mux_tree #(.Width(LowBits), .Bits(UnitBits)) u_low (
    .sel_i(unit[UnitBits-1:0]), .x_i(low_x), .y_o(low)
  );
  // The LSU and the copy engine store and have masks, too.
  // verilator lint_off UNUSEDSIGNAL // a part
  packet_t wide;
  // verilator lint_on UNUSEDSIGNAL
  logic    any_wide, is_copy;
  assign is_copy = Copy != 0 && pick[ReqCopy];
  assign any_wide = pick[ReqLsu] || is_copy;
  assign wide = is_copy ? req_i[ReqCopy] : req_i[ReqLsu];
  always_comb begin
    op_packet_o = 'x;
    if (grant) begin
      op_packet_o.sm = sm_i;
      op_packet_o.unit = unit;
      op_packet_o.op = wide.op & {3{any_wide}};
      op_packet_o.atom = wide.atom & {4{any_wide}};
      op_packet_o.atype = wide.atype & {4{any_wide}};
      op_packet_o.mask = wide.mask | {32{~any_wide}};
      op_packet_o.tag = req_i[ReqLsu].tag & {16{pick[ReqLsu]}};
      op_packet_o.sector[58:LowBits] = req_i[ReqDisp].sector[58:LowBits];
      op_packet_o.sector[LowBits-1:0] = low;
      for (int unsigned i = 0; i < Ports; i++) begin
        if (pick[i]) op_packet_o.tag[SmallTag-1:0] |= req_i[i].tag[SmallTag-1:0];
      end
      if (any_wide) op_packet_o.data = wide.data;   // the others only load
    end
  end

  assign up = grant && any_wide && (wide.op == OpSt || wide.op == OpRed);
  assign down = rsp_valid_i && (rsp_i.op == OpSt || rsp_i.op == OpRed);
  assign unacked_zero_o = zero_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      unacked_q <= '0;
      zero_q <= 1'b1;
    end else begin
      unacked_q <= unacked_q + 8'(up) - 8'(down);
      if (up != down) zero_q <= down && unacked_q == 8'd1;
    end
  end

  `WL_ASSERT(GrantsOne, $onehot0(req_grant_o) && (req_grant_o & ~req_valid_i) == '0)
  `WL_ASSERT(UnackedZero, zero_q == (unacked_q == '0))
  `WL_ASSERT(AckHasStore, !down || unacked_q != '0)
  // Whatever the others ask for, the packet is a load of a whole sector.
  `WL_ASSERT(OthersLoad, !grant || any_wide ||
                         (op_packet_o.op == OpLd && op_packet_o.mask == '1))

  logic unused_bits;
  always_comb begin
    unused_bits = ^{rsp_i.sm, rsp_i.unit, rsp_i.tag, rsp_i.data, unit};
    for (int unsigned i = 0; i < Ports; i++) unused_bits ^= ^req_i[i];
  end

  assign rest_o = unacked_q == '0;
endmodule
