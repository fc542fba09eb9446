// The memory of docs/microarchitecture.md 13 in core time (docs/fpga.md 2), at the order point's
// channels: AR and AW always ready, an answer Latency core cycles after its request. The requests of
// a tick go to the memory port word by word in the bridge cycles after it, read first (the order point
// has no two requests of one sector under way); behind_o keeps the core's clock shut until they are
// taken, and until the answer of the coming core cycle is there. The memory may take as long as it
// likes. Words, not sectors: 256 wires each way between the core, 64 block RAMs and back are a
// twentieth of all wire of a board.
module memory_shim #(
  parameter int unsigned Latency = 16,  // at least 3
  parameter int unsigned IdBits = 3     // at most 2^IdBits reads under way
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              clear_i,   // core in reset: ask nothing, forget answers (only when idle_o)
  input  logic              tick_i,    // the core's cycle ends with this bridge cycle
  output logic              behind_o,  // no tick in the coming cycle
  output logic              idle_o,    // nothing to do or to wait for at the memory port
  // Core.
  input  logic              ar_valid_i,
  input  logic [IdBits-1:0] ar_id_i,
  input  logic [63:5]       ar_addr_i,
  output logic              r_valid_o,
  output logic [IdBits-1:0] r_id_o,
  output logic [255:0]      r_data_o,
  input  logic              aw_valid_i,
  input  logic [IdBits-1:0] aw_id_i,
  input  logic [63:5]       aw_addr_i,
  input  logic [255:0]      w_data_i,
  input  logic [31:0]       w_strb_i,
  output logic              b_valid_o,
  output logic [IdBits-1:0] b_id_o,
  // Memory port, a word at a time: answers of reads in order.
  output logic              mem_valid_o,
  output logic              mem_write_o,
  output logic [63:2]       mem_addr_o,
  output logic [31:0]       mem_data_o,
  output logic [3:0]        mem_strb_o,
  input  logic              mem_ready_i,
  input  logic              rsp_valid_i,
  input  logic [31:0]       rsp_data_i
);
  localparam int unsigned Depth = 2 ** IdBits;

  // Requests of the last tick.
  logic         read_q, write_q;
  logic [63:5]  raddr_q, waddr_q;
  logic [255:0] wdata_q;
  logic [31:0]  wstrb_q;
  logic [2:0]   ask_q;         // word of the request that is sent
  logic [2:0]   come_q;        // word of the answer that comes
  logic         word_sent, sent, read_sent, come;

  assign mem_valid_o = read_q || write_q;
  assign mem_write_o = !read_q;
  assign mem_addr_o = {read_q ? raddr_q : waddr_q, ask_q};
  assign mem_data_o = wdata_q[31:0];  // shifts down by words
  assign mem_strb_o = wstrb_q[3:0];
  assign word_sent = mem_valid_o && mem_ready_i;
  assign sent = word_sent && &ask_q;
  assign read_sent = read_q && sent;
  assign come = rsp_valid_i && &come_q;

  // Core cycles since acceptance: entry i is visible in the (i + 1)th cycle after it.
  logic [Latency-1:0] rvalid_q, bvalid_q;
  logic [IdBits-1:0]  rid_q [Latency];
  logic [IdBits-1:0]  bid_q [Latency];

  // Data of reads, in order; the one of this core cycle has left it. No word is read in the cycle in
  // which it is written.
  logic [IdBits-1:0] put_q, get_q;
  logic [IdBits:0]   held_q;   // in the FIFO
  logic [IdBits:0]   awaited_q;  // at the memory
  logic              ar, aw, pop, need, there, more;

  assign ar = ar_valid_i && !clear_i;
  assign aw = aw_valid_i && !clear_i;
  assign pop = tick_i && rvalid_q[Latency-2];
  assign need = tick_i ? rvalid_q[Latency-3] : rvalid_q[Latency-2];
  assign there = pop ? held_q > (IdBits + 1)'(1) : held_q != '0;
  assign more = (read_q && write_q) || (mem_valid_o && !sent);
  assign behind_o = (tick_i && (ar || aw)) || more || (need && !there);
  assign idle_o = !mem_valid_o && awaited_q == '0;

  assign r_valid_o = rvalid_q[Latency-1];
  assign r_id_o = rid_q[Latency-1];
  assign b_valid_o = bvalid_q[Latency-1];
  assign b_id_o = bid_q[Latency-1];

  for (genvar w = 0; w < 8; w++) begin : gen_word
    (* ram_style = "block", no_rw_check *) logic [31:0] fifo_q [Depth];
    logic [31:0] rdata_q;
    always_ff @(posedge clk_i) begin
      if (rsp_valid_i && come_q == 3'(w)) fifo_q[put_q] <= rsp_data_i;
      if (pop) rdata_q <= fifo_q[get_q];
    end
    assign r_data_o[32*w+:32] = rdata_q;
  end

  always_ff @(posedge clk_i) begin
    if (read_sent) read_q <= 1'b0;
    if (sent && !read_q) write_q <= 1'b0;
    if (word_sent) ask_q <= ask_q + 3'd1;
    if (word_sent && !read_q) begin
      wdata_q <= {32'd0, wdata_q[255:32]};
      wstrb_q <= {4'd0, wstrb_q[31:4]};
    end
    if (tick_i) begin  // only when nothing is to be sent any more
      read_q <= ar;
      write_q <= aw;
      raddr_q <= ar_addr_i;
      waddr_q <= aw_addr_i;
      wdata_q <= w_data_i;
      wstrb_q <= w_strb_i;
      rvalid_q <= {rvalid_q[Latency-2:0], ar};
      bvalid_q <= {bvalid_q[Latency-2:0], aw};
      rid_q[0] <= ar_id_i;
      bid_q[0] <= aw_id_i;
      for (int unsigned i = 1; i < Latency; i++) begin
        rid_q[i] <= rid_q[i-1];
        bid_q[i] <= bid_q[i-1];
      end
    end
    if (rsp_valid_i) come_q <= come_q + 3'd1;
    put_q <= put_q + IdBits'(come);
    get_q <= get_q + IdBits'(pop);
    held_q <= held_q + (IdBits + 1)'(come) - (IdBits + 1)'(pop);
    awaited_q <= awaited_q + (IdBits + 1)'(read_sent) - (IdBits + 1)'(come);
    if (clear_i || !rst_ni) begin
      rvalid_q <= '0;
      bvalid_q <= '0;
      put_q <= '0;
      get_q <= '0;
      held_q <= '0;
    end
    if (!rst_ni) begin
      read_q <= 1'b0;
      write_q <= 1'b0;
      awaited_q <= '0;
      ask_q <= '0;
      come_q <= '0;
    end
  end
endmodule
