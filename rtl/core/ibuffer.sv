// Instruction buffers (docs/microarchitecture.md 4): IbDepth decoded instructions per warp, and
// places for the tokens on their way to them. Whole instructions lie in a memory that is read for
// one warp; per warp stands the part that issue compares (with HazardScan in a memory read for the
// scanned warp).
`include "cells/assert.svh"
module ibuffer
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
  import operand_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [SubWarps-1:0] kill_i,          // buffers that are emptied: arrives late
  // Tokens: chosen in F1, in F2, missed in F2; killed or not.
  input  logic [SubWarps-1:0] token_i,
  input  logic [SubWarps-1:0] f2_i,
  input  logic [SubWarps-1:0] miss_i,
  // The instruction in D2, killed or not.
  input  logic [SubWarps-1:0] push_i,
  input  warp_t               push_warp_i,
  input  insn_t               push_insn_i,
  // verilator lint_off UNUSEDSIGNAL // HazardScan = 1: the flags only
  input  need_t               push_need_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic                pop_i,
  input  warp_t               head_warp_i,     // warp whose oldest instruction is read, and popped
  output logic [SubWarps-1:0] room_o,          // there is a place for another token
  output logic [SubWarps-1:0] head_valid_o,
  output logic [SubWarps-1:0] head_changed_o,  // pushed, popped or emptied in the cycle before
  output need_t               need_o [SubWarps],  // HazardScan = 1: trap, unit and tbuf flags only
  // verilator lint_off UNUSEDSIGNAL // HazardScan = 1 only
  input  warp_t               scan_warp_i,     // warp whose needs are read
  // verilator lint_on UNUSEDSIGNAL
  output scan_need_t          need_scan_o,
  output insn_t               head_o
);
  localparam int unsigned PtrBits = $clog2(IbDepth);
  localparam int unsigned CountBits = $clog2(IbDepth + 1);
  localparam int unsigned IbBits = $clog2(SubWarps * IbDepth);
  typedef logic [PtrBits-1:0] ptr_t;
  typedef logic [CountBits-1:0] count_t;
  insn_t ib_q [SubWarps * IbDepth];
  ptr_t read_q [SubWarps];
  ptr_t write_q [SubWarps];
  count_t count_q [SubWarps];     // entries
  count_t occupied_q [SubWarps];  // entries and tokens
  logic [SubWarps-1:0] room_q, head_valid_q, head_changed_q;
  assign room_o = room_q;
  assign head_valid_o = head_valid_q;
  assign head_changed_o = head_changed_q;

  function automatic logic [IbBits-1:0] entry(input warp_t w, input ptr_t p);
    return IbBits'(w) * IbBits'(IbDepth) + IbBits'(p);
  endfunction
  function automatic ptr_t next_ptr(input ptr_t p);
    return (p == ptr_t'(IbDepth - 1)) ? '0 : p + ptr_t'(1);
  endfunction

  logic push;
  logic [IbBits-1:0] push_entry;
  assign push = push_i != '0;
  assign push_entry = entry(push_warp_i, write_q[push_warp_i]);
  assign head_o = ib_q[entry(head_warp_i, read_q[head_warp_i])];
  always_ff @(posedge clk_i) begin
    if (push) ib_q[push_entry] <= push_insn_i;
  end

  // Needs: of all heads at once, or flags of all heads and the rest of one.
  if (HazardScan == 0) begin : gen_need
    for (genvar w = 0; w < SubWarps; w++) begin : gen_warp
      need_t need_q [IbDepth];
      assign need_o[w] = need_q[read_q[w]];
      always_ff @(posedge clk_i) begin
        if (push_i[w]) need_q[write_q[w]] <= push_need_i;
      end
    end
    assign need_scan_o = '0;
  end else begin : gen_scan
    // verilator lint_off UNUSEDSIGNAL // the flags are used
    need_more_t push_more;
    // verilator lint_on UNUSEDSIGNAL
    assign push_more = more_of(push_need_i);
    scan_need_t need_q [SubWarps * IbDepth];
    assign need_scan_o = need_q[entry(scan_warp_i, read_q[scan_warp_i])];
    always_ff @(posedge clk_i) begin
      if (push) need_q[push_entry] <= scan_of(push_need_i);
    end
    // Of more the flags: fp64 (with the unit only), those of the other units, notes, counted.
    typedef struct packed {
      logic fp64, trap, lsu, ldc, sync, copy, returns, waits, tbuf, probe, tensor, counted;
      logic columns, tload, notes, umma;
    } flags_t;
    localparam int unsigned FlagBits = $bits(flags_t) - (Fp64 != 0 ? 0 : 1);
    for (genvar w = 0; w < SubWarps; w++) begin : gen_warp
      // Two entries: smaller than a memory.
      (* ram_style = "logic" *) logic [FlagBits-1:0] flags_q [IbDepth];
      flags_t flags;
      assign flags = flags_t'(flags_q[read_q[w]]);
      always_comb begin
        need_o[w] = '0;
        need_o[w].trap = flags.trap;
        need_o[w].lsu = flags.lsu;
        need_o[w].ldc = flags.ldc;
        need_o[w].sync = flags.sync;
        need_o[w].copy = flags.copy;
        need_o[w].returns = flags.returns;
        need_o[w].waits = flags.waits;
        need_o[w].tbuf = flags.tbuf;
        if (HasMore != 0) begin
          need_o[w].more = MoreBits'(need_more_t'{
              fp64: flags.fp64, probe: flags.probe, tensor: flags.tensor, columns: flags.columns,
              tload: flags.tload, umma: flags.umma, notes: flags.notes, counted: flags.counted, x: 1'b0, imm: '0});
        end
      end
      always_ff @(posedge clk_i) begin
        if (push_i[w]) begin
          flags_q[write_q[w]] <= FlagBits'(flags_t'{
              fp64: push_more.fp64, trap: push_need_i.trap, lsu: push_need_i.lsu,
              ldc: push_need_i.ldc, sync: push_need_i.sync, copy: push_need_i.copy,
              returns: push_need_i.returns, waits: push_need_i.waits, tbuf: push_need_i.tbuf,
              probe: push_more.probe, tensor: push_more.tensor, counted: push_more.counted,
              columns: push_more.columns, tload: push_more.tload, notes: push_more.notes,
              umma: push_more.umma});
        end
      end
    end
  end

  // Events of each warp, so that only warps with one are touched.
  // Timing: whether F2 missed arrives late.
  // Each array is written as a whole: a simulator keeps one pending write of it, not one per warp.
  logic [SubWarps-1:0] pop, touched;
  assign pop = pop_i ? SubWarps'(1) << head_warp_i : '0;
  assign touched = token_i | f2_i | push_i | pop | kill_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_valid_q <= '0;
      head_changed_q <= '1;
      room_q <= '1;
      read_q <= '{default: '0};
      write_q <= '{default: '0};
      count_q <= '{default: '0};
      occupied_q <= '{default: '0};
    end else begin
      ptr_t read [SubWarps], write [SubWarps];
      count_t count [SubWarps], occupied [SubWarps];
      read = read_q;
      write = write_q;
      count = count_q;
      occupied = occupied_q;
      head_changed_q <= push_i | pop | kill_i;
      for (int unsigned w = 0; w < SubWarps; w++) begin
        if (touched[w]) begin
          if (kill_i[w]) begin
            read[w] = '0;
            write[w] = '0;
            count[w] = '0;
            occupied[w] = '0;
            head_valid_q[w] <= 1'b0;
            room_q[w] <= 1'b1;
          end else begin
            count[w] = count_q[w] + count_t'(push_i[w]) - count_t'(pop[w]);
            // A warp that missed is not fetched for.
            occupied[w] = miss_i[w] ? occupied_q[w] - count_t'(pop[w]) - count_t'(1) :
                          occupied_q[w] - count_t'(pop[w]) + count_t'(token_i[w]);
            head_valid_q[w] <= count[w] != '0;
            room_q[w] <= occupied[w] < count_t'(IbDepth);
            if (push_i[w]) write[w] = next_ptr(write_q[w]);
            if (pop[w]) read[w] = next_ptr(read_q[w]);
          end
        end
      end
      read_q <= read;
      write_q <= write;
      count_q <= count;
      occupied_q <= occupied;
    end
  end

  `WL_ASSERT(PopsAnEntry, !pop_i || head_valid_q[head_warp_i])
  `WL_ASSERT(PushHasRoom, !push || count_q[push_warp_i] < count_t'(IbDepth) || kill_i[push_warp_i])
  `WL_ASSERT(OnePush, $onehot0(push_i))
endmodule
