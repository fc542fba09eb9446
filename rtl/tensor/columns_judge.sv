// Allocator of tensor memory, T (docs/microarchitecture.md 24.1): whether an instruction traps, and
// of which units it speaks: those that an ALLOC would get, those that a DEALLOC gives back.
// Combinational.
module columns_judge
  import wl_pkg::*;
  import config_pkg::TmemColumns;
  import tmem_pkg::*;
  import sm_pkg::trap_t;
(
  // verilator lint_off UNUSEDSIGNAL // the CTA's state comes beside it
  input  columns_command_t command_i,
  // verilator lint_on UNUSEDSIGNAL
  input  units_t           used_i,
  input  units_t           first_i,
  input  units_t           owned_i,    // used by the CTA
  input  logic             may_i,      // of the CTA
  input  most_t            most_i,
  output logic             fits_o,     // ALLOC: units are free
  output unit_t            at_o,       // ALLOC: the first of them
  output units_t           units_o,
  output most_t            number_o,   // of units
  output trap_t            trap_o
);
  typedef logic [Units:0] ones_t;
  localparam logic [10:0] NumUnits = 11'(Units);
  logic  legal;       // a number of columns that can be allocated
  ones_t ones;        // as many ones as units are asked for
  always_comb begin
    legal = 1'b0;
    {number_o, ones} = 'x;
    if (command_i.valid) begin
      ones = '0;
      number_o = '0;
      for (int unsigned k = 0; k < 5; k++) begin
        if ((32 << k) <= TmemColumns && command_i.number == 32'(32 << k)) begin
          legal = 1'b1;
          number_o = most_t'(1 << k);
          ones = ones_t'((1 << (1 << k)) - 1);
        end
      end
    end
  end

  // ALLOC: the lowest place.
  always_comb begin
    fits_o = 1'b0;
    at_o = '0;
    if (command_i.valid && legal) begin
      for (int unsigned u = Units; u-- > 0;) begin
        if (u + 32'(number_o) <= Units && (used_i & units_t'(ones << u)) == '0) begin
          fits_o = 1'b1;
          at_o = unit_t'(u);
        end
      end
    end
  end

  // DEALLOC: the units of one allocation of the CTA, all of them.
  logic [10:0] unit;
  units_t      first, behind;
  logic        whole;
  assign unit = command_i.address[15:5];
  always_comb begin
    units_o = '0;
    {first, behind, whole} = 'x;
    if (command_i.valid) begin
      first = units_t'(1) << unit;
      units_o = (command_i.op == TmemDealloc) ? units_t'(ones) << unit : units_t'(ones) << at_o;
      behind = ~units_t'(ones) & (units_t'(ones) << 1 | units_t'(1));  // the one after them
      behind = behind << unit;
      whole = command_i.address[4:0] == '0 && command_i.address[31:16] == '0 &&
              unit + 11'(number_o) <= NumUnits &&
              (first & owned_i & first_i) != '0 &&
              (units_o & ~first & ~(owned_i & ~first_i)) == '0 &&
              (behind & owned_i & ~first_i) == '0;
    end
  end

  always_comb begin
    trap_o = 'x;
    trap_o.valid = 1'b0;
    if (command_i.valid) begin
      trap_o.warp = command_i.warp;
      trap_o.lane = command_i.lane;
      trap_o.pc = command_i.pc;
      trap_o.addr = 64'(command_i.number);
      if (command_i.op != TmemRelinquish && !legal) begin
        trap_o.valid = 1'b1;
        trap_o.cause = TrapTmemColumns;
      end else if (command_i.op == TmemAlloc && !may_i) begin
        trap_o.valid = 1'b1;
        trap_o.cause = TrapTmemPermit;
      end else if (command_i.op == TmemAlloc && number_o > most_i) begin
        trap_o.valid = 1'b1;
        trap_o.cause = TrapTmemGrows;
      end else if (command_i.op == TmemDealloc && !whole) begin
        trap_o.valid = 1'b1;
        trap_o.cause = TrapTmemDealloc;
        trap_o.addr = 64'(command_i.address);
      end
    end
  end
endmodule
