// The bridge (docs/fpga.md 1): link, commands, the core's clock enable, memory shim and board memory.
// All of it runs on the board's clock, which never stops. The core's outputs are used as they are:
// they stand still between ticks. board.sv puts it next to the core.
module bridge
  import link_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
#(
  parameter int unsigned ClockKhz = 50000,
  parameter int unsigned Baud = LinkBaud,
  parameter logic [63:0] BitstreamHash = 64'd0
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [3:0]                     core_divide_i,  // CoreDivide, a constant from 1 on
  input  logic                           rx_i,
  output logic                           tx_o,
  output logic                           active_o,    // a command or a run is under way
  output logic [7:0]                     led_o,
  // Core.
  output logic                           tick_o,      // enable of the core's clock
  output logic                           core_rst_no,
  output logic                           start_o,
  output logic [63:0]                    launch_addr_o,
  output logic [4:0]                     poke_o,      // by array
  output logic                           peek_o,
  output logic [2:0]                     array_o,
  output logic [7:0]                     slice_o,
  output logic [15:0]                    row_o,
  output logic [31:0]                    data_o,
  input  logic [31:0]                    peek_i,
  input  logic [NumSignatures-1:0][31:0] digest_i,
  input  logic                           done_i,
  input  logic                           hang_i,
  input  trap_t                          trap_i,
  input  logic [63:0]                    cycle_i,
  input  logic                           ar_valid_i,
  input  logic [$clog2(OpTable)-1:0]     ar_id_i,
  input  logic [63:0]                    ar_addr_i,
  output logic                           r_valid_o,
  output logic [$clog2(OpTable)-1:0]     r_id_o,
  output logic [255:0]                   r_data_o,
  input  logic                           aw_valid_i,
  input  logic [$clog2(OpTable)-1:0]     aw_id_i,
  input  logic [63:0]                    aw_addr_i,
  input  logic [255:0]                   w_data_i,
  input  logic [31:0]                    w_strb_i,
  output logic                           b_valid_o,
  output logic [$clog2(OpTable)-1:0]     b_id_o
);
  localparam logic [63:0] MemBase = 64'h1_0000_0000;  // docs/fpga.md 2
  localparam int unsigned MemBits = $clog2(BoardMemBytes);

  // Link and commands.
  logic        heard, frame, busy, sending, send, tx_we;
  logic [7:0]  rx_type, rx_seq, rx_data, tx_data, send_type, send_seq, cmd_type, error;
  logic [10:0] rx_len, rx_addr, tx_addr, cmd_len;
  logic [31:0] a, b, c, word;
  logic [15:0] count;
  logic [5:0]  index;
  logic        crc_clear, crc_valid, crc_busy;
  logic [31:0] crc;
  logic        tick, single, run, stop, freeze, running, frozen, behind, shim_idle;
  logic        started, lost, session, led_on, silent;
  logic [7:0]  led;
  logic [2:0]  seconds;
  logic [31:0] run_left, freezes;
  // Of the core, for commands, responses and LEDs, which look long after the tick; core_clock cannot
  // wait.
  logic        done_q, hang_q;

  // Memory port.
  logic         host, host_valid, host_write, rsp_valid, mem_ready;
  logic         shim_valid, shim_write;
  logic [63:2]  shim_addr;
  logic [31:0]  shim_data, rsp_data, host_word;
  logic [3:0]   shim_strb;

  link #(.ClockKhz(ClockKhz), .Baud(Baud)) u_link (
    .clk_i, .rst_ni, .rx_i, .tx_o,
    .heard_o(heard), .frame_o(frame), .type_o(rx_type), .seq_o(rx_seq), .len_o(rx_len),
    .busy_i(busy), .rx_addr_i(rx_addr), .rx_data_o(rx_data),
    .tx_we_i(tx_we), .tx_addr_i(tx_addr), .tx_data_i(tx_data),
    .send_i(send), .type_i(send_type), .seq_i(send_seq), .sending_o(sending)
  );

  command u_command (
    .clk_i, .rst_ni,
    .frame_i(frame), .type_i(rx_type), .seq_i(rx_seq), .len_i(rx_len), .busy_o(busy),
    .rx_addr_o(rx_addr), .rx_data_i(rx_data),
    .tx_we_o(tx_we), .tx_addr_o(tx_addr), .tx_data_o(tx_data),
    .send_o(send), .send_type_o(send_type), .send_seq_o(send_seq), .tx_busy_i(sending),
    .type_o(cmd_type), .len_o(cmd_len), .a_o(a), .b_o(b), .c_o(c),
    .error_i(error), .count_i(count), .index_o(index), .word_i(word),
    .crc_clear_o(crc_clear), .crc_valid_o(crc_valid), .crc_busy_i(crc_busy),
    .tick_i(tick), .single_o(single), .run_o(run), .stop_o(stop), .freeze_o(freeze),
    .shim_idle_i(shim_idle), .core_rst_no, .start_o, .poke_o, .peek_o,
    .started_o(started), .lost_o(lost),
    .host_o(host), .mem_valid_o(host_valid), .mem_write_o(host_write), .mem_ready_i(mem_ready),
    .rsp_valid_i(rsp_valid), .rsp_word_i(rsp_data), .mem_word_o(host_word),
    .session_o(session), .led_on_o(led_on), .led_o(led)
  );
  assign launch_addr_o = {b, a};
  assign array_o = a[2:0];
  assign slice_o = a[23:16];
  assign row_o = b[15:0];
  assign data_o = c;

  command_check u_check (
    .clk_i, .type_i(cmd_type), .len_i(cmd_len), .a_i(a), .b_i(b), .c_i(c[15:0]),
    .running_i(running), .busy_i(started && !done_q), .lost_i(lost),
    .error_o(error), .count_o(count)
  );

  response_words #(.ClockKhz(ClockKhz), .BitstreamHash(BitstreamHash)) u_words (
    .core_divide_i, .index_i(index), .flags_i({2'd0, frozen, lost, trap_i.valid, hang_q, done_q, running}),
    .cause_i(8'(trap_i.cause)), .warp_i(8'(trap_i.warp)), .lane_i(8'(trap_i.lane)),
    .pc_i(32'(trap_i.pc)), .addr_i(trap_i.addr), .cycle_i, .run_left_i(run_left),
    .freezes_i(freezes), .memory_i(host_word), .crc_i(~crc), .peek_i, .digest_i, .word_o(word)
  );

  crc32 #(.Bits(4)) u_crc (
    .clk_i, .clear_i(crc_clear), .valid_i(crc_valid), .byte_i(host_word[7:0]),
    .busy_o(crc_busy), .crc_o(crc)
  );

  core_clock u_core_clock (
    .clk_i, .rst_ni, .core_divide_i, .pause_i(busy), .single_i(single), .run_i(run), .cycles_i(a),
    .when_done_i(b[0]), .stop_i(stop || silent), .freeze_i(freeze), .seed_i(a),
    .density_i(b[2:0]), .behind_i(behind), .over_i(done_i || hang_i),
    .en_o(tick), .running_o(running), .frozen_o(frozen), .run_left_o(run_left),
    .freezes_o(freezes)
  );
  assign tick_o = tick;

  memory_shim #(.Latency(MemLatency), .IdBits($clog2(OpTable))) u_shim (
    .clk_i, .rst_ni, .clear_i(!core_rst_no), .tick_i(tick), .behind_o(behind), .idle_o(shim_idle),
    .ar_valid_i, .ar_id_i, .ar_addr_i(ar_addr_i[63:5]), .r_valid_o, .r_id_o, .r_data_o,
    .aw_valid_i, .aw_id_i, .aw_addr_i(aw_addr_i[63:5]), .w_data_i, .w_strb_i, .b_valid_o, .b_id_o,
    .mem_valid_o(shim_valid), .mem_write_o(shim_write), .mem_addr_o(shim_addr),
    .mem_data_o(shim_data), .mem_strb_o(shim_strb), .mem_ready_i(mem_ready && !host),
    .rsp_valid_i(rsp_valid && !host), .rsp_data_i(rsp_data)
  );
  logic unused_addr;
  assign unused_addr = ^{ar_addr_i[4:0], aw_addr_i[4:0]};

  // The host's word or the shim's: never both want the memory (command.sv).
  board_memory #(.Bytes(BoardMemBytes), .Base(MemBase)) u_memory (
    .clk_i, .rst_ni,
    .valid_i(host ? host_valid : shim_valid), .write_i(host ? host_write : shim_write),
    .addr_i(host ? {MemBase[63:MemBits], a[MemBits-1:2]} : shim_addr),
    .data_i(host ? c : shim_data), .strb_i(host ? 4'hF : shim_strb),
    .ready_o(mem_ready), .rsp_valid_o(rsp_valid), .rsp_data_o(rsp_data)
  );

  board_time #(.ClockKhz(ClockKhz)) u_time (
    .clk_i, .rst_ni, .heard_i(heard), .silent_o(silent), .seconds_o(seconds)
  );

  assign active_o = running || busy;
  always_ff @(posedge clk_i) begin
    {done_q, hang_q} <= {done_i, hang_i};
    led_o <= led_on ? led
                    : {session, running, done_q, trap_i.valid, hang_q, seconds};
  end
endmodule
