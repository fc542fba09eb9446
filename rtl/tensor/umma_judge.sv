// Products in tensor memory: judgement of a command in T (docs/microarchitecture.md 25.2, 26.1, 26.6 to
// 26.9): its first fault, or what its entry keeps of its words. Combinational.
module umma_judge
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import tensor_pkg::*;
  import tmem_pkg::*;
  import umma_pkg::*;
(
  input  umma_command_t command_i,
  input  logic [31:0]   smem_bytes_i,
  input  columns_t      columns_i,      // of the allocator
  output logic          take_o,         // no fault
  output umma_info_t    info_o,
  output umma_scaling_t scaling_o,      // of a scaled product
  output trap_t         trap_o
);
  // ---- Descriptors of shared memory.
  // verilator lint_off UNUSEDSIGNAL // bits 60:53 are not looked at
  function automatic logic reserved(input logic [63:0] d, input logic across,
                                    input umma_size_e size);
    return d[15:14] != '0 || d[31:30] != '0 || d[48:46] != 3'd1 || d[52] ||
           d[63:61] inside {3'd3, 3'd5, 3'd7} ||
           (across && (d[63:61] == 3'd1) != (size == SizeWord));
  endfunction
  // Where an operand of `last` + 1 units of eight rows ends, bytes / 16. Of a copy: its source, whose
  // units have four rows or whose rows have one chunk.
  function automatic logic [21:0] end_of(input logic [63:0] d, input logic across,
                                         input umma_size_e size, input logic [4:0] last,
                                         input logic four, input logic one_chunk);
    logic [21:0] y, more, pitch;
    logic [1:0]  width;
    logic [5:0]  v, q, count;  // the last chunk of rows; its column of patterns; what is multiplied
    logic [6:0]  rows;         // in the last pattern
    logic        plain;        // no pattern
    plain = d[63:61] == '0;
    width = width_of(d[63:61]);
    v = (size == SizeWord) ? {last, 1'b1} : (size == SizeByte) ? {2'b0, last[4:1]} : {1'b0, last};
    q = v >> width;
    rows = (four ? 7'd3 : 7'd7) << width;
    count = {1'b0, last};
    pitch = 22'(d[45:32]);
    if (across) begin
      more = plain ? 22'(d[29:16]) : 22'(d[45:32]);      // to the next eight of K, with words four
      if (size == SizeByte) more = more + (more << 1);
      if (size == SizeWord) rows = 7'd24;
      count = plain ? v : q;
      if (!plain) pitch = 22'(d[29:16]);
      if (!plain) rows = rows + ((q == '0) ? 7'(v) : (7'd1 << width) - 7'd1);
    end else begin
      more = plain ? 22'(d[29:16]) : 22'd1;
      if (one_chunk) more = '0;
    end
    y = 22'(d[13:0]) + 22'(rows) + more + 22'(count) * pitch;
    return plain ? y + 22'd1 : {y[21:3] + 19'd1, 3'd0};
  endfunction
  // Of a copy's shapes of 128, 4, 128, 64, 64 and 32 rows.
  function automatic logic [4:0] last_of_copy(input logic [2:0] shape);
    unique case (shape)
      3'd0, 3'd2: return 5'd15;
      3'd1:       return 5'd0;
      3'd5:       return 5'd3;
      default:    return 5'd7;
    endcase
  endfunction
  function automatic umma_operand_t operand_of(input logic [63:0] d, input umma_at_t base,
                                               input logic across, input logic neg,
                                               input small_t format);
    return '{start: umma_at_t'(d[13:0]) + base, lbo: umma_at_t'(d[29:16]),
             sbo: umma_at_t'(d[45:32]), offset: d[51:49], swizzle: d[63:61], across: across,
             neg: neg, format: format};
  endfunction
  // ---- Instruction descriptors (25.2, 26.1).
  // The codes that name no type of 8, 6 or 4 bits.
  function automatic logic reserved_narrow(input logic [2:0] narrow);
    return narrow inside {3'd2, 3'd6, 3'd7};
  endfunction
  function automatic logic reserved_i(input umma_code_t code, input logic [31:0] i);
    logic bad;
    bad = {i[2], i[6], i[23], i[29]} != '0 || i[22:17] == '0 || i[22:17] > 6'd32 ||
          (i[28:24] != 5'd4 && i[28:24] != 5'd8) || i[31:30] != '0 || (i[3] && code != CodeI8);
    unique case (code)
      CodeTf32: bad |= i[5:4] != 2'd1 || i[9:7] != 3'd2 || i[12:10] != 3'd2;
      CodeF8:   bad |= i[5] || reserved_narrow(i[9:7]) || reserved_narrow(i[12:10]) ||
                       (i[16] && i[17]);
      CodeI8:   bad |= i[5:4] != 2'd2 || i[9:8] != '0 || i[12:11] != '0 || i[14:13] != '0 ||
                       (i[17] && (i[16] || i[22:17] > 6'd4));
      default:  bad |= i[5] || i[9:8] != '0 || i[12:10] != i[9:7] || (!i[4] && i[7]);
    endcase
    return bad;
  endfunction
  // Of scaled products (26.9).
  function automatic logic reserved_scaled(input logic mx4, input logic b16, input logic [31:0] i);
    logic bad;
    bad = {i[31], i[26:24], i[6], i[3:0]} != '0 || i[28:27] != 2'd1 || i[22:17] == '0 ||
          i[22:17] > 6'd32;
    if (mx4) begin
      bad |= i[9:7] != 3'd1 || i[12:10] != 3'd1 || i[16:15] != '0 || {i[29], i[4]} != '0 ||
             (b16 && {i[30], i[5]} != '0) || (!b16 && !i[23]);
    end else begin
      bad |= reserved_narrow(i[9:7]) || reserved_narrow(i[12:10]) || (i[16] && i[17]) || !i[23];
    end
    return bad;
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // ---- Faults, in the order of the tables.
  logic [63:0] a, b;
  // verilator lint_off UNUSEDSIGNAL // the selector of a sparse A
  logic [31:0] d, i;                  // d: address of what is written
  // verilator lint_on UNUSEDSIGNAL
  logic [21:0] end_a, end_b;
  logic        copies;
  umma_size_e  size;
  // Not to be had; lanes of D, A, scales; columns of D, A, scales.
  logic [12:0] fault;
  logic        scaled, mx4;
  // verilator lint_off UNUSEDSIGNAL // bits 31:30
  logic [31:0] sa, sb;
  // verilator lint_on UNUSEDSIGNAL
  logic        one_chunk;             // CP: a row has one chunk
  logic [1:0]  commit;
  logic [63:0] mbar;
  assign size = size_of(command_i.code);
  assign scaled = TensorScaled != 0 && command_i.scaled;
  assign mx4 = is_mx4(command_i.code);
  assign {sb, sa} = command_i.off[1:0];
  assign take_o = command_i.valid && fault == '0 && commit == '0;
  // Columns that are not there, or not the CTA's.
  function automatic logic outside(input logic [15:0] first, input logic [8:0] count);
    logic [16:0] after;
    logic        bad;
    after = 17'(first) + 17'(count);
    bad = after > 17'(TmemColumns);
    for (int unsigned u = 0; u < Units; u++) begin
      if (17'(32 * u) < after && u >= 32'(first[15:5]) &&
          !(columns_i.used[u] && columns_i.cta[u] == command_i.cta)) bad = 1'b1;
    end
    return bad;
  endfunction
  // One for products and copies: the gates of the sums are there once.
  assign copies = command_i.code == CodeCp;
  always_comb begin
    logic [4:0] last;
    {end_a, last} = 'x;
    if (command_i.valid && (copies || is_product(command_i.code))) begin
      last = (command_i.b[1][28:24] == 5'd8) ? 5'd15 : 5'd7;
      if (copies) last = last_of_copy(command_i.imm[2:0]);
      end_a = end_of({command_i.a[1], command_i.a[0]}, !copies && command_i.b[1][15], size, last,
                     copies && command_i.imm[2:0] == 3'd1, copies && command_i.imm[2:1] != '0);
    end
  end
  always_comb begin
    {fault, commit} = '0;
    {a, b, d, i, end_b, mbar, one_chunk} = 'x;
    if (command_i.valid && command_i.code == CodeCommit) begin
      mbar = {command_i.generic ? command_i.a[1] : 32'd0, command_i.a[0]};
      commit[0] = mbar[2:0] != '0;
      commit[1] = (command_i.generic && command_i.a[1] != 32'h0001_0000) ||
                  33'(mbar[31:0]) + 33'd8 > 33'(smem_bytes_i);
    end else if (command_i.valid && command_i.code == CodeCp) begin
      a = {command_i.a[1], command_i.a[0]};
      d = command_i.a[2];
      one_chunk = command_i.imm[2:1] != '0;
      fault[0] = command_i.imm[2:1] == '1 || command_i.imm[4:3] == '1;
      fault[1] = reserved(a, 1'b0, size);
      fault[3] = 32'({end_a, 4'd0}) > smem_bytes_i;
      fault[5] = d[31:21] != '0 || (d[20:16] != '0 && command_i.imm[2:0] != 3'd1);
      fault[9] = outside(d[15:0], one_chunk ? 9'd4 : 9'd8);
    end else if (command_i.valid && command_i.code == CodeShift) begin
      d = command_i.a[0];
      fault[5] = d[31:23] != '0 || d[20:16] != '0;
      fault[9] = outside(d[15:0], 9'd8);
    end else if (command_i.valid) begin
      a = {command_i.a[1], command_i.a[0]};
      b = {command_i.a[3], command_i.a[2]};
      d = command_i.b[0];
      i = command_i.b[1];
      end_b = end_of(b, i[16], size, i[21:17] - 5'd1, 1'b0, 1'b0);
      fault[0] = (scaled ? reserved_scaled(mx4, command_i.b16, i) :
                           reserved_i(command_i.code, i)) || (command_i.ta && i[15]);
      fault[1] = !command_i.ta && reserved(a, i[15], size);
      fault[2] = reserved(b, i[16], size);
      fault[3] = !command_i.ta && 32'({end_a, 4'd0}) > smem_bytes_i;
      fault[4] = 32'({end_b, 4'd0}) > smem_bytes_i;
      fault[5] = d[31:21] != '0 || d[19:16] != '0 || (d[20] && i[28:24] != 5'd4);
      fault[6] = command_i.ta && a[31:16] != d[31:16];
      fault[9] = outside(d[15:0], {i[22:17], 3'd0});
      fault[10] = command_i.ta && outside(a[15:0], 9'd8);
      if (scaled) begin
        fault[7] = sa[29:16] != '0;
        fault[8] = sb[29:16] != '0;
        fault[11] = outside(sa[15:0], 9'd4);
        fault[12] = outside(sb[15:0], {5'd0, 4'((i[22:17] + 6'd3) >> 2)});
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
      if (command_i.code == CodeCommit) begin
        trap_o.cause = commit[0] ? TrapMisaligned : TrapOutOfBounds;
        trap_o.addr = mbar;
      end else begin
        ended = fault[4:0] != '0;
        trap_o.cause = ended ? TrapTensorDescriptor : (fault[8:5] != '0) ? TrapTmemLanes :
                                                                           TrapTmemRange;
        trap_o.addr = fault[0] ? (command_i.code == CodeCp ? 64'(command_i.imm) : 64'(i)) :
                      fault[1] ? a : fault[2] ? b :
                      (fault[4:3] != '0) ? 64'({(fault[3] ? end_a : end_b) - 22'd1, 4'hf}) :
                      fault[5] ? 64'(d) :
                      fault[6] ? 64'(a[31:0]) : fault[7] ? 64'(sa) : fault[8] ? 64'(sb) :
                      fault[9] ? 64'(d) : fault[10] ? 64'(a[31:0]) : fault[11] ? 64'(sa) : 64'(sb);
      end
    end
  end
  always_comb begin
    info_o = 'x;
    if (take_o) begin
      info_o = '0;
      info_o.code = command_i.code;
      info_o.warp = command_i.warp;
      info_o.lane = command_i.lane;
      info_o.pc = command_i.pc;
      info_o.mbar = {command_i.base, 4'd0} + umma_byte_t'(mbar[UmmaSmemBits-1:0]);
      info_o.column = column_t'(d[15:0]);
      info_o.from = (command_i.code == CodeShift) ? column_t'(d[15:0]) : column_t'(a[15:0]);
      if (command_i.code == CodeCp) begin
        info_o.a = operand_of(a, command_i.base, 1'b0, 1'b0,
                              command_i.imm[3] ? SmallE2m3 : command_i.imm[4] ? SmallE2m1 :
                                                                                SmallE4m3);
        info_o.shape = command_i.imm[2:0];
        info_o.short_k = one_chunk;
        info_o.first_lane = d[20:16];
        if (command_i.imm[2:0] == 3'd1) info_o.off = {4{~(32'd1 << d[20:16])}};
      end else if (command_i.code == CodeShift) begin
        info_o.quarter = d[22:21];
        info_o.off = {4{32'h8000_0000}};
      end else if (command_i.code != CodeCommit) begin
        info_o.ta = command_i.ta;
        info_o.a = operand_of(a, command_i.base, i[15], i[13], mx4 ? SmallPair : i[9:7]);
        info_o.b = operand_of(b, command_i.base, i[16], i[14], mx4 ? SmallPair : i[12:10]);
        info_o.tall = i[28:24] == 5'd8;
        info_o.high = d[20];
        info_o.last_block = i[21:17] - 5'd1;
        info_o.read = command_i.read;
        info_o.half = i[5:4] == '0 && !scaled;
        info_o.scaled = scaled;
        info_o.bf16 = i[7];
        info_o.sat = i[3];
        info_o.scale = command_i.scale;
        for (int unsigned q = 0; q < 4; q++) begin
          info_o.off[q] = scaled ? '0 : command_i.off[q];
          if (!info_o.tall) info_o.off[q] |= info_o.high ? 32'h0000_ffff : 32'hffff_0000;
        end
      end
    end
  end
  // Of one without scales nothing.
  always_comb begin
    scaling_o = 'x;
    if (TensorScaled == 0) scaling_o = '0;
    else if (take_o && scaled) begin
      scaling_o = '{a: column_t'(sa[15:0]), b: column_t'(sb[15:0]), id_a: i[30:29], id_b: i[5:4],
                    b16: mx4 && command_i.b16, e4m3: !i[23]};
    end
  end
endmodule
