// Products in tensor memory: judgement of a command in T (docs/microarchitecture.md 25.2): its first
// fault, or what its entry keeps of its words. Combinational.
module umma_judge
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  umma_command_t command_i,
  input  logic [31:0]   smem_bytes_i,
  input  columns_t      columns_i,      // of the allocator
  output logic          take_o,         // no fault
  output umma_info_t    info_o,
  output trap_t         trap_o
);
  // ---- Descriptors of shared memory.
  // verilator lint_off UNUSEDSIGNAL // bits 60:53 are not looked at
  function automatic logic reserved(input logic [63:0] d, input logic across);
    return d[15:14] != '0 || d[31:30] != '0 || d[48:46] != 3'd1 ||
           (d[63:61] == '0 && d[51:49] != '0) || d[52] ||
           d[63:61] inside {3'd3, 3'd5, 3'd7} || (d[63:61] == 3'd1 && across);
  endfunction
  // Where an operand of `last` + 1 units of eight rows ends, bytes / 16.
  function automatic logic [21:0] end_of(input logic [63:0] d, input logic across,
                                         input logic [4:0] last);
    logic [21:0] start, lbo, sbo, y;
    logic [1:0]  width;
    logic [4:0]  q;
    {start, lbo, sbo} = {22'(d[13:0]), 22'(d[29:16]), 22'(d[45:32])};
    width = width_of(d[63:61]);
    q = last >> width;
    y = start + (22'd7 << width);
    if (across && d[63:61] != '0) begin
      y = y + ((q == '0) ? 22'(last) : (22'd1 << width) - 22'd1) + 22'(q) * lbo + sbo;
    end else begin
      y = y + 22'(last) * sbo + ((d[63:61] == '0) ? lbo : 22'd1);
    end
    return (d[63:61] == '0) ? y + 22'd1 : {y[21:3] + 19'd1, 3'd0};
  endfunction
  function automatic umma_operand_t operand_of(input logic [63:0] d, input umma_at_t base,
                                               input logic across, input logic neg);
    return '{start: umma_at_t'(d[13:0]) + base, lbo: umma_at_t'(d[29:16]),
             sbo: umma_at_t'(d[45:32]), offset: d[51:49], swizzle: d[63:61], across: across,
             neg: neg};
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // ---- Faults, in the order of the tables.
  logic [63:0] a, b;
  // verilator lint_off UNUSEDSIGNAL // the selector of a sparse A
  logic [31:0] d, i;
  // verilator lint_on UNUSEDSIGNAL
  logic [21:0] end_a, end_b;
  logic [6:0]  fault;
  logic [1:0]  commit;
  logic [63:0] mbar;
  assign take_o = command_i.valid && fault == '0 && commit == '0;
  always_comb begin
    logic [16:0] after;
    {fault, commit} = '0;
    {a, b, d, i, end_a, end_b, mbar, after} = 'x;
    if (command_i.valid && command_i.commit) begin
      mbar = {command_i.generic ? command_i.a[1] : 32'd0, command_i.a[0]};
      commit[0] = mbar[2:0] != '0;
      commit[1] = (command_i.generic && command_i.a[1] != 32'h0001_0000) ||
                  33'(mbar[31:0]) + 33'd8 > 33'(smem_bytes_i);
    end else if (command_i.valid) begin
      a = {command_i.a[1], command_i.a[0]};
      b = {command_i.a[3], command_i.a[2]};
      d = command_i.b[0];
      i = command_i.b[1];
      end_a = end_of(a, i[15], (i[28:24] == 5'd8) ? 5'd15 : 5'd7);
      end_b = end_of(b, i[16], i[21:17] - 5'd1);
      after = 17'(d[15:0]) + {8'd0, i[22:17], 3'd0};
      fault[0] = {i[2], i[3], i[6], i[23], i[29]} != '0 || i[5] || i[9:8] != '0 ||
                 i[12:10] != i[9:7] || (!i[4] && i[7]) || i[22:17] == '0 || i[22:17] > 6'd32 ||
                 (i[28:24] != 5'd4 && i[28:24] != 5'd8) || i[31:30] != '0;
      fault[1] = reserved(a, i[15]);
      fault[2] = reserved(b, i[16]);
      fault[3] = 32'({end_a, 4'd0}) > smem_bytes_i;
      fault[4] = 32'({end_b, 4'd0}) > smem_bytes_i;
      fault[5] = d[31:21] != '0 || d[19:16] != '0 || (d[20] && i[28:24] != 5'd4);
      fault[6] = after > 17'(TmemColumns);
      for (int unsigned u = 0; u < Units; u++) begin
        if (17'(32 * u) < after && u >= 32'(d[15:5]) &&
            !(columns_i.used[u] && columns_i.cta[u] == command_i.cta)) fault[6] = 1'b1;
      end
    end
  end

  // ---- The first one, or the entry.
  always_comb begin
    logic ended;
    trap_o = 'x;
    trap_o.valid = fault != '0 || commit != '0;
    ended = 1'b0;
    if (trap_o.valid) begin
      trap_o.warp = command_i.warp;
      trap_o.lane = command_i.lane;
      trap_o.pc = command_i.pc;
      if (command_i.commit) begin
        trap_o.cause = commit[0] ? TrapMisaligned : TrapOutOfBounds;
        trap_o.addr = mbar;
      end else begin
        ended = fault[4:0] != '0;
        trap_o.cause = ended ? TrapTensorDescriptor : fault[5] ? TrapTmemLanes : TrapTmemRange;
        trap_o.addr = fault[0] ? 64'(i) : fault[1] ? a : fault[2] ? b :
                      fault[3] ? 64'({end_a, 4'd0}) - 64'd1 :
                      fault[4] ? 64'({end_b, 4'd0}) - 64'd1 : 64'(d);
      end
    end
  end
  always_comb begin
    info_o = 'x;
    if (take_o) begin
      info_o = '0;
      info_o.commit = command_i.commit;
      info_o.warp = command_i.warp;
      info_o.lane = command_i.lane;
      info_o.pc = command_i.pc;
      info_o.mbar = {command_i.base, 4'd0} + umma_byte_t'(mbar[UmmaSmemBits-1:0]);
      if (!command_i.commit) begin
        info_o.a = operand_of(a, command_i.base, i[15], i[13]);
        info_o.b = operand_of(b, command_i.base, i[16], i[14]);
        info_o.tall = i[28:24] == 5'd8;
        info_o.high = d[20];
        info_o.last_block = i[21:17] - 5'd1;
        info_o.read = command_i.read;
        info_o.half = !i[4];
        info_o.bf16 = i[7];
        info_o.scale = command_i.scale;
        info_o.column = column_t'(d[15:0]);
        for (int unsigned q = 0; q < 4; q++) begin
          info_o.off[q] = command_i.off[q];
          if (!info_o.tall) info_o.off[q] |= info_o.high ? 32'h0000_ffff : 32'hffff_0000;
        end
      end
    end
  end
endmodule
