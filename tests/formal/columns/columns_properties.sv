// Allocator of tensor memory (docs/microarchitecture.md 24.1). With -DQUEUE the order of the warps, else
// the units. Assumed: instructions come as 6.1 says, one at a time; a CTA that is freed has no
// instruction in T and no warp in the queue; a warp stays in its CTA.
module columns_properties
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
(
  input logic               clk_i,
  input logic               clear_i,
  input logic [CtaBits-1:0] warp_cta_i [Warps],
  input x1_t                x1_i [SubCores],
  input logic [31:0]        x1_a_i [SubCores][Lanes],
  input cta_freed_t         freed_i,
  input unit_t              unit_i,    // the unit, the place and the warps that are watched
  input unit_t              place_i,
  input warp_slot_t         one_i,
  input warp_slot_t         two_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [CtaBits-1:0] cta_q [Warps];
  unit_t              unit_q, place_q;
  warp_slot_t         one_q, two_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      cta_q <= warp_cta_i;
      unit_q <= unit_i;
      place_q <= place_i;
      one_q <= one_i;
      two_q <= two_i;
    end
  end

  logic             resolve, waits, rest;
  logic [Warps-1:0] wake;
  unit_t            base [Warps];
  columns_t         units;
  trap_t            trap;
  columns dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .warp_cta_i(cta_q), .x1_i, .x1_a_i, .freed_i,
    .resolve_o(resolve), .waits_o(waits), .wake_o(wake), .base_o(base), .columns_o(units),
    .trap_o(trap), .rest_o(rest)
  );

  logic mine, foreign_freed;
  assign mine = x1_i[0].valid && is_columns(x1_i[0].info);
  always_comb begin
    foreign_freed = !(dut.command.valid && dut.command.cta == freed_i.cta);
    for (int unsigned w = 0; w < Warps; w++) begin
      if (dut.queued_q[w] && cta_q[w] == freed_i.cta) foreign_freed = 1'b0;
    end
  end
  always @(posedge clk_i) begin
    assume (!mine || $onehot(x1_i[0].mask));
    assume (!mine || 32'(x1_i[0].step) <= 32'(x1_i[0].info.op == 8'(TmemDealloc)));
    assume (!mine || x1_i[0].last == (32'(x1_i[0].step) == 32'(x1_i[0].info.op == 8'(TmemDealloc))));
    assume (!freed_i.valid || foreign_freed);
  end

`ifndef QUEUE
  // To whom the watched unit belongs; the units of the watched place.
  logic               owned_q;
  logic [CtaBits-1:0] owner_q;
  logic               free;
  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      owned_q <= 1'b0;
    end else begin
      if (dut.got && dut.units[unit_q]) begin
        owned_q <= 1'b1;
        owner_q <= dut.command.cta;
      end
      if (dut.dealloc && dut.units[unit_q]) owned_q <= 1'b0;
      if (freed_i.valid && owned_q && owner_q == freed_i.cta) owned_q <= 1'b0;
    end
  end
  always_comb begin
    free = 32'(place_q) + dut.command.number / 32 <= Units;
    for (int unsigned u = 0; u < Units; u++) begin
      if (u >= 32'(place_q) && u < 32'(place_q) + dut.command.number / 32 && dut.used_q[u]) begin
        free = 1'b0;
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_n) begin
      a_state: assert (units.used[unit_q] == owned_q && (!owned_q || units.cta[unit_q] == owner_q));
      if (dut.got && dut.units[unit_q]) a_unshared: assert (!owned_q);
      if (dut.got && dut.units[unit_q]) begin
        a_place: assert (unit_q >= dut.at && 32'(unit_q) < 32'(dut.at) + dut.command.number / 32);
      end
      if (dut.dealloc && dut.units[unit_q]) a_own: assert (owned_q && owner_q == dut.command.cta);
      if (dut.alloc && !dut.waiting && free) a_lowest: assert (dut.got && dut.at <= place_q);
      if (rest) a_rest: assert (!owned_q);
      cover (dut.got && unit_q == unit_t'(2) && dut.command.number == 32'd64 && dut.used_q[0]);
      cover (dut.dealloc && dut.command.number == 32'd64 && unit_q == unit_t'(3) && owned_q);
      cover (trap.valid && trap.cause == TrapTmemDealloc && owned_q);
    end
  end
`else
  // Where the watched warps stand in the queue.
  warp_slot_t place_one_q, place_two_q;
  logic       changes_q;
  function automatic warp_slot_t ahead(input warp_slot_t place);   // of it in the queue
    return place - dut.head_q;
  endfunction
  warp_slot_t length;
  assign length = dut.tail_q - dut.head_q;
  always_ff @(posedge clk_i) begin
    if (dut.enter && dut.command.warp == one_q) place_one_q <= dut.tail_q;
    if (dut.enter && dut.command.warp == two_q) place_two_q <= dut.tail_q;
    changes_q <= rst_n && !clear_i && (dut.dealloc || dut.leave || freed_i.valid);
  end
  always @(posedge clk_i) begin
    if (rst_n) begin
      // The first of two.
      if (one_q != two_q && dut.queued_q[one_q] && dut.queued_q[two_q] &&
          ahead(place_one_q) < ahead(place_two_q)) begin
        a_order: assert (!(dut.got && dut.command.warp == two_q));
      end
      if (dut.queued_q[one_q] && dut.got) a_overtakes: assert (dut.leave);
      if (changes_q && dut.queued_q[one_q] && place_one_q == dut.head_q) a_wakes: assert (wake[one_q]);
      if (wake[one_q]) a_woken: assert (dut.queued_q[one_q] && place_one_q == dut.head_q);
      if (waits) a_stands: assert (dut.enter || dut.queued_q[dut.command.warp]);
      cover (dut.leave && $countones(dut.queued_q) == 3);

      // Why: the ring has each waiting warp once.
      assert (32'($countones(dut.queued_q)) % Warps == 32'(length));
      if (dut.queued_q[one_q]) begin
        assert (ahead(place_one_q) < length || length == '0);
        for (int unsigned p = 0; p < Warps; p++) begin
          if (ahead(warp_slot_t'(p)) < length || length == '0) begin
            assert ((dut.queue_q[p] == one_q) == (warp_slot_t'(p) == place_one_q));
          end
        end
      end
      if (dut.queued_q[two_q]) begin
        assert (ahead(place_two_q) < length || length == '0);
        assert (dut.queue_q[place_two_q] == two_q);
      end
      for (int unsigned p = 0; p < Warps; p++) begin
        if (dut.waiting && (ahead(warp_slot_t'(p)) < length || length == '0)) begin
          assert (dut.queued_q[dut.queue_q[p]]);
        end
      end
    end
  end
`endif
endmodule
