// Fetch: F1, F2, instruction cache, miss unit and instruction buffers (docs/microarchitecture.md 4;
// D1 and D2 in decode.sv). Keeps whole instructions in a memory read for one warp, and per warp the
// part that issue compares. No prefetch of lines, no branch prediction.
module fetch
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             stall_i,  // disturbance (17)
  input  logic             clear_i,
  input  logic             invalidate_i,
  input  pc_t              entry_pc_i,
  input  logic [31:0]      code_words_i,
  input  logic [58:0]      code_sector_i,  // of instruction 0
  input  logic [Warps-1:0] warp_valid_i,
  input  logic [Warps-1:0] warp_start_i,
  input  logic [Warps-1:0] run_i,
  input  logic             trap_pending_i,
  input  logic [Warps-1:0] flush_i,
  input  setpc_t           setpc_resolve_i,
  input  setpc_t           setpc_engine_i,
  input  logic             pop_valid_i,
  input  warp_t            head_warp_i,  // warp whose oldest instruction is read, and popped
  output logic [Warps-1:0] head_valid_o,
  output logic [Warps-1:0] head_changed_o,  // pushed, popped or flushed in the cycle before
  output need_t            need_o [Warps],
  output insn_t            head_o,
  output logic             idle_o,
  output logic             req_valid_o,
  output packet_t          req_o,
  input  logic             req_grant_i,
  input  logic             rsp_valid_i,
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  response_t        rsp_i
  // verilator lint_on UNUSEDSIGNAL
);
  localparam int unsigned Lines = IcacheBytes / 64;
  localparam int unsigned LineBits = $clog2(Lines);
  localparam int unsigned TagBits = 26 - LineBits;
  localparam int unsigned PtrBits = $clog2(IbDepth);
  localparam int unsigned CountBits = $clog2(IbDepth + 1);
  typedef logic [PtrBits-1:0] ptr_t;
  typedef logic [CountBits-1:0] count_t;

  logic rst_n;
  assign rst_n = rst_ni && !clear_i;
  logic [Warps-1:0] kill;
  assign kill = flush_i | warp_start_i;

  pc_t fpc_q [Warps];
  logic [Warps-1:0] miss_wait_q, room_q;
  count_t occupied_q [Warps];  // entries and tokens
  warp_t last_q;

  // F1: choose a warp.
  logic [Warps-1:0] eligible;
  logic f1_valid, f1_taken;
  warp_t f1_warp;
  pc_t f1_pc;
  assign eligible = (trap_pending_i || stall_i) ? '0 : warp_valid_i & run_i & ~miss_wait_q & room_q;
  assign f1_valid = eligible != '0;
  assign f1_warp = next_warp(eligible, last_q);
  assign f1_pc = fpc_q[f1_warp];

  // F2: look up.
  logic f2_valid_q, f2_oob_q, f2_live, f2_hit, f2_miss, f2_go, miss_start;
  warp_t f2_warp_q;
  pc_t f2_pc_q;
  logic [Lines-1:0] line_valid_q;
  logic [TagBits-1:0] line_tag_q [Lines];
  logic [LineBits-1:0] f2_line;
  assign f2_line = f2_pc_q[2+:LineBits];
  assign f2_live = f2_valid_q && !kill[f2_warp_q];
  assign f2_hit = line_valid_q[f2_line] && line_tag_q[f2_line] == f2_pc_q[27-:TagBits];
  assign f2_go = f2_live && (f2_oob_q || f2_hit);
  assign f2_miss = f2_live && !f2_oob_q && !f2_hit;
  assign f1_taken = f1_valid && !kill[f1_warp] && !(f2_miss && f2_warp_q == f1_warp);

  // Miss unit and pin.
  logic mu_valid_q, pin_valid_q;
  logic [25:0] mu_line_q;
  warp_t mu_warp_q, pin_warp_q;
  logic [1:0] mu_sent_q;
  logic mu_got_q;
  logic rsp_mine, mu_done;
  logic [LineBits-1:0] mu_index;
  assign mu_index = mu_line_q[LineBits-1:0];
  assign rsp_mine = rsp_valid_i && rsp_i.unit == 2'd1;
  assign mu_done = rsp_mine && mu_got_q;
  assign miss_start = f2_miss && !mu_valid_q && !pin_valid_q;
  assign idle_o = !mu_valid_q;

  assign req_valid_o = mu_valid_q && !mu_sent_q[1];
  always_comb begin
    req_o = '0;
    req_o.sector = code_sector_i + 59'({mu_line_q, mu_sent_q[0]});
    req_o.mask = '1;
    req_o.unit = 2'd1;
    req_o.tag = 16'(mu_sent_q);
  end

  // Data rows of 32 bytes, two instructions each; read in F1, delivered in F2.
  logic [127:0] even_q [2 * Lines];
  logic [127:0] odd_q [2 * Lines];
  logic [LineBits:0] read_row, write_row;
  logic [127:0] even_read_q, odd_read_q, fresh_q, f2_word;
  logic f2_fresh_q;
  assign read_row = f1_pc[LineBits+1:1];
  assign write_row = {mu_index, rsp_i.tag[0]};
  always_ff @(posedge clk_i) begin
    if (rsp_mine) begin
      even_q[write_row] <= rsp_i.data[127:0];
      odd_q[write_row] <= rsp_i.data[255:128];
    end
    if (f1_valid && !f1_pc[0]) even_read_q <= even_q[read_row];
    if (f1_valid && f1_pc[0]) odd_read_q <= odd_q[read_row];
    // A row written in this cycle is read as written: its line is valid from the next cycle on.
    f2_fresh_q <= rsp_mine && write_row == read_row;
    if (rsp_mine) fresh_q <= f1_pc[0] ? rsp_i.data[255:128] : rsp_i.data[127:0];
  end
  assign f2_word = f2_fresh_q ? fresh_q : f2_pc_q[0] ? odd_read_q : even_read_q;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      f2_valid_q <= 1'b0;
      last_q <= warp_t'(Warps - 1);
      mu_valid_q <= 1'b0;
      mu_sent_q <= '0;
      mu_got_q <= 1'b0;
      pin_valid_q <= 1'b0;
      line_valid_q <= '0;
    end else begin
      f2_valid_q <= f1_taken;
      if (f1_valid) last_q <= f1_warp;
      if (mu_done) begin
        mu_valid_q <= 1'b0;
        pin_valid_q <= miss_wait_q[mu_warp_q] && !kill[mu_warp_q];
        line_valid_q[mu_index] <= 1'b1;
      end else if (pin_valid_q && (kill[pin_warp_q] || (f2_go && f2_warp_q == pin_warp_q) ||
                                   !warp_valid_i[pin_warp_q] || !run_i[pin_warp_q])) begin
        pin_valid_q <= 1'b0;
      end
      if (rsp_mine) mu_got_q <= 1'b1;
      if (req_valid_o && req_grant_i) mu_sent_q <= mu_sent_q + 2'd1;
      if (miss_start) begin
        mu_valid_q <= 1'b1;
        mu_sent_q <= '0;
        mu_got_q <= 1'b0;
        line_valid_q[f2_line] <= 1'b0;
      end
      if (invalidate_i) line_valid_q <= '0;
    end
    if (mu_done) begin
      line_tag_q[mu_index] <= mu_line_q[25-:TagBits];
      pin_warp_q <= mu_warp_q;
    end
    if (miss_start) begin
      mu_line_q <= f2_pc_q[27:2];
      mu_warp_q <= f2_warp_q;
    end
    if (f1_taken) begin
      f2_warp_q <= f1_warp;
      f2_pc_q <= f1_pc;
      f2_oob_q <= {4'b0, f1_pc} >= code_words_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (f1_valid) fpc_q[f1_warp] <= f1_pc + 28'd1;
    if (f2_miss) fpc_q[f2_warp_q] <= f2_pc_q;
    if (setpc_resolve_i.valid) fpc_q[setpc_resolve_i.warp] <= setpc_resolve_i.pc;
    if (setpc_engine_i.valid) fpc_q[setpc_engine_i.warp] <= setpc_engine_i.pc;
    if (warp_start_i != '0) begin
      for (int unsigned w = 0; w < Warps; w++) if (warp_start_i[w]) fpc_q[w] <= entry_pc_i;
    end
  end

  // Decode and instruction buffers.
  logic push;
  warp_t push_warp;
  insn_t push_insn;
  need_t push_need;
  decode u_decode (
    .clk_i, .rst_ni(rst_n), .kill_i(kill),
    .valid_i(f2_go), .warp_i(f2_warp_q), .pc_i(f2_pc_q), .oob_i(f2_oob_q), .word_i(f2_word),
    .push_o(push), .push_warp_o(push_warp), .insn_o(push_insn), .need_o(push_need)
  );

  insn_t ib_q [Warps * IbDepth];
  ptr_t read_q [Warps];
  ptr_t write_q [Warps];
  count_t count_q [Warps];
  logic [Warps-1:0] head_valid_q, head_changed_q;
  localparam int unsigned IbBits = $clog2(Warps * IbDepth);

  function automatic logic [IbBits-1:0] entry(input warp_t w, input ptr_t p);
    return IbBits'(w) * IbBits'(IbDepth) + IbBits'(p);
  endfunction
  function automatic ptr_t next_ptr(input ptr_t p);
    return (p == ptr_t'(IbDepth - 1)) ? '0 : p + ptr_t'(1);
  endfunction

  // Events of each warp, so that only warps with one are touched.
  logic [Warps-1:0] f1_bit, miss_bit, push_bit, pop_bit, touched;
  always_comb begin
    f1_bit = Warps'(f1_taken) << f1_warp;
    miss_bit = Warps'(f2_miss) << f2_warp_q;
    push_bit = Warps'(push) << push_warp;
    pop_bit = Warps'(pop_valid_i) << head_warp_i;
    touched = f1_bit | miss_bit | push_bit | pop_bit | kill;
  end

  assign head_valid_o = head_valid_q;
  assign head_changed_o = head_changed_q;
  assign head_o = ib_q[entry(head_warp_i, read_q[head_warp_i])];
  for (genvar w = 0; w < Warps; w++) begin : gen_need
    need_t need_q [IbDepth];
    assign need_o[w] = need_q[read_q[w]];
    always_ff @(posedge clk_i) begin
      if (push_bit[w]) need_q[write_q[w]] <= push_need;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      head_valid_q <= '0;
      head_changed_q <= '1;
      room_q <= '1;
      miss_wait_q <= '0;
      for (int unsigned w = 0; w < Warps; w++) begin
        read_q[w] <= '0;
        write_q[w] <= '0;
        count_q[w] <= '0;
        occupied_q[w] <= '0;
      end
    end else begin
      head_changed_q <= push_bit | pop_bit | kill;
      for (int unsigned w = 0; w < Warps; w++) begin
        if (touched[w]) begin
          if (kill[w]) begin
            read_q[w] <= '0;
            write_q[w] <= '0;
            count_q[w] <= '0;
            occupied_q[w] <= '0;
            head_valid_q[w] <= 1'b0;
            room_q[w] <= 1'b1;
          end else begin
            count_t count, occupied;
            count = count_q[w] + count_t'(push_bit[w]) - count_t'(pop_bit[w]);
            occupied = occupied_q[w] + count_t'(f1_bit[w]) - count_t'(pop_bit[w]) -
                       count_t'(miss_bit[w]);
            count_q[w] <= count;
            occupied_q[w] <= occupied;
            head_valid_q[w] <= count != '0;
            room_q[w] <= occupied < count_t'(IbDepth);
            if (push_bit[w]) write_q[w] <= next_ptr(write_q[w]);
            if (pop_bit[w]) read_q[w] <= next_ptr(read_q[w]);
          end
        end
      end
      miss_wait_q <= ((miss_wait_q & ~(Warps'(mu_done) << mu_warp_q)) |
                      (Warps'(miss_start) << f2_warp_q)) & ~kill;
    end
    if (push) begin
      ib_q[entry(push_warp, write_q[push_warp])] <= push_insn;
    end
  end
endmodule
