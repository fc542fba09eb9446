// Executes the host's requests (docs/fpga.md 3, 4): the rule of sequence numbers with the stored
// response, and one command after the other, a byte or a word at a time. While it is not idle the
// core makes no tick of RUN, so that what it reads belongs to one core cycle; the ticks that a
// command needs are single ones. Bytes of a request: link_receiver.sv; what is refused:
// command_check.sv; what responses hold: response_words.sv.
module command
  import link_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  // Request and its buffer; response and its buffer.
  input  logic         frame_i,
  input  logic [7:0]   type_i,
  input  logic [7:0]   seq_i,
  input  logic [10:0]  len_i,
  output logic         busy_o,
  output logic [10:0]  rx_addr_o,
  input  logic [7:0]   rx_data_i,
  output logic         tx_we_o,
  output logic [10:0]  tx_addr_o,    // after the last byte: the response's length
  output logic [7:0]   tx_data_o,
  output logic         send_o,
  output logic [7:0]   send_type_o,
  output logic [7:0]   send_seq_o,
  input  logic         tx_busy_i,
  // Check and words.
  output logic [7:0]   type_o,
  output logic [10:0]  len_o,
  output logic [31:0]  a_o,          // payload: words 0, 1, and 2 or the word under way
  output logic [31:0]  b_o,
  output logic [31:0]  c_o,
  input  logic [7:0]   error_i,
  input  logic [15:0]  count_i,
  output logic [5:0]   index_o,
  input  logic [31:0]  word_i,
  output logic         crc_clear_o,  // SUM
  output logic         crc_valid_o,
  input  logic         crc_busy_i,
  // Core and its clock.
  input  logic         tick_i,
  output logic         single_o,
  output logic         run_o,
  output logic         stop_o,
  output logic         freeze_o,
  input  logic         shim_idle_i,
  output logic         core_rst_no,
  output logic         start_o,
  output logic [4:0]   poke_o,       // by array
  output logic         peek_o,
  output logic         started_o,    // a launch was started since the last reset
  output logic         lost_o,
  // Board memory: a word at offset a_o.
  output logic         host_o,       // the port is ours
  output logic         mem_valid_o,
  output logic         mem_write_o,
  input  logic         mem_ready_i,
  input  logic         rsp_valid_i,
  input  logic [31:0]  rsp_word_i,
  output logic [31:0]  mem_word_o,   // shifts down by bytes for the CRC
  // LEDs.
  output logic         session_o,
  output logic         led_on_o,
  output logic [7:0]   led_o
);
  typedef enum logic [4:0] {
    StIdle, StLoad, StCheck, StDecide, StExecute, StFetch, StMemory, StAnswer, StSum, StWord, StPut,
    StTick, StSettle, StNext, StEcho, StSend, StSending
  } state_e;

  state_e      state_q, loop;
  logic [7:0]  type_q, seq_q, send_type_q;
  logic [10:0] len_q, rx_addr_q, tx_addr_q;
  logic [31:0] a_q, b_q, c_q, nonce_q, out_q, mem_q;
  logic [7:0]  expect_q;
  logic        session_q, hello_last_q;  // the last request executed was HELLO
  logic [3:0]  step_q;                   // bytes, ticks or cycles still to do
  logic        second_q;                 // of the two cycles for a byte of the request
  logic [5:0]  index_q, last_q;          // words of a response
  logic [15:0] count_q;
  logic        is_hello, fresh, repeated, expected, refused;
  logic        start_q, peek_q, core_rst_nq, started_q, lost_q, led_on_q;
  logic [4:0]  poke_q;                   // a register for each unit that has an array
  logic [7:0]  led_q;

  assign busy_o = state_q != StIdle;
  assign rx_addr_o = rx_addr_q;
  assign tx_we_o = state_q == StPut || (state_q == StEcho && second_q);
  assign tx_addr_o = tx_addr_q;
  assign tx_data_o = state_q == StEcho ? rx_data_i : out_q[7:0];
  assign send_o = state_q == StSend && !tx_busy_i;
  assign send_type_o = send_type_q;
  assign send_seq_o = seq_q;
  assign {type_o, len_o, a_o, b_o, c_o} = {type_q, len_q, a_q, b_q, c_q};
  assign index_o = index_q;
  assign crc_clear_o = state_q == StExecute || (state_q == StNext && type_q == CmdSum);
  assign crc_valid_o = state_q == StSum && step_q != '0 && !crc_busy_i;
  assign single_o = state_q == StTick;
  assign run_o = state_q == StExecute && shim_idle_i && type_q == CmdRun;
  assign stop_o = state_q == StExecute && (type_q == CmdStop || type_q == CmdReset);
  assign freeze_o = state_q == StExecute && shim_idle_i && type_q == CmdFreeze;
  assign {core_rst_no, start_o, poke_o, peek_o} = {core_rst_nq, start_q, poke_q, peek_q};
  assign {started_o, lost_o} = {started_q, lost_q};
  assign host_o = state_q == StMemory || state_q == StAnswer;
  assign mem_valid_o = state_q == StMemory;
  assign mem_write_o = type_q == CmdWrite || type_q == CmdFill;
  assign mem_word_o = mem_q;
  assign {session_o, led_on_o, led_o} = {session_q, led_on_q, led_q};

  // Sequence rule.
  assign is_hello = type_q == CmdHello && len_q == 11'd4;
  assign fresh = is_hello && (!session_q || a_q != nonce_q);
  assign repeated = session_q && seq_q == expect_q - 8'd1 && (!is_hello || hello_last_q);
  assign expected = session_q && seq_q == expect_q && !is_hello;

  assign refused = send_type_q == 8'(LinkError);

  // Where the body of a command is repeated from.
  always_comb begin
    unique case (type_q)
      CmdWrite, CmdPoke: loop = StFetch;
      CmdPeek: loop = StTick;
      default: loop = StMemory;
    endcase
  end

  always_ff @(posedge clk_i) begin
    second_q <= !second_q && (state_q inside {StLoad, StFetch, StEcho});
    unique case (state_q)
      StIdle: begin
        type_q <= type_i;
        seq_q <= seq_i;
        len_q <= len_i;
        rx_addr_q <= '0;
        step_q <= 4'd12;
        if (frame_i) state_q <= StLoad;
      end
      // The first twelve bytes, whether the frame has them or not.
      StLoad: if (second_q) begin
        {c_q, b_q, a_q} <= {rx_data_i, c_q, b_q, a_q[31:8]};
        rx_addr_q <= rx_addr_q + 11'd1;
        step_q <= step_q - 4'd1;
        if (step_q == 4'd1) state_q <= StCheck;
      end
      StCheck: begin  // step_q comes with 0
        step_q <= step_q + 4'd1;
        if (step_q == 4'd4) state_q <= StDecide;
      end
      StDecide: begin
        count_q <= count_i;
        if (fresh || expected) begin
          session_q <= 1'b1;
          if (fresh) nonce_q <= a_q;
          hello_last_q <= fresh;
          expect_q <= seq_q + 8'd1;
          tx_addr_q <= '0;
          if (error_i != '0) begin
            send_type_q <= 8'(LinkError);
            out_q <= {16'd0, type_q, error_i};
            step_q <= 4'd2;
            index_q <= '0;
            last_q <= '0;
            state_q <= StPut;
          end else begin
            send_type_q <= type_q | 8'h80;
            state_q <= StExecute;
          end
        end else begin
          state_q <= repeated ? StSend : StIdle;
        end
      end
      // The core stands; what its last ticks asked of the memory has to be done first.
      StExecute: if (shim_idle_i) begin
        rx_addr_q <= type_q == CmdPoke ? 11'd8 : type_q == CmdEcho ? 11'd0 : 11'd4;
        step_q <= 4'd4;
        unique case (type_q)
          CmdHello: {index_q, last_q} <= {6'd0, 6'd9};
          CmdStatus: {index_q, last_q} <= {6'd16, 6'd23};
          CmdStop: {index_q, last_q} <= {6'd20, 6'd21};
          CmdDigest: {index_q, last_q} <= {6'd30, 6'(31 + NumSignatures)};
          CmdSum: {index_q, last_q} <= {6'd25, 6'd25};
          CmdPeek: {index_q, last_q} <= {6'd26, 6'd26};
          default: {index_q, last_q} <= {6'd24, 6'd24};
        endcase
        unique case (type_q)
          CmdHello, CmdStatus, CmdStop, CmdDigest: state_q <= StWord;
          CmdReset, CmdStart: state_q <= StTick;
          CmdEcho: state_q <= len_q == '0 ? StSend : StEcho;
          CmdWrite, CmdRead, CmdFill, CmdSum, CmdPoke, CmdPeek:
            state_q <= count_q == '0 ? StSend : loop;
          default: state_q <= StSend;
        endcase
        if (type_q == CmdReset) {core_rst_nq, started_q, lost_q} <= 3'b000;
        if (type_q == CmdStart) begin
          {start_q, started_q} <= 2'b11;
          step_q <= 4'd1;
        end
        if (type_q == CmdPeek) {peek_q, lost_q, step_q} <= {2'b11, 4'(PeekTicks)};
        if (type_q == CmdLed) {led_on_q, led_q} <= {a_q[8], a_q[7:0]};
      end
      StFetch: if (second_q) begin
        c_q <= {rx_data_i, c_q[31:8]};
        rx_addr_q <= rx_addr_q + 11'd1;
        step_q <= step_q - 4'd1;
        if (step_q == 4'd1) begin
          state_q <= type_q == CmdPoke ? StTick : StMemory;
          poke_q <= 5'(type_q == CmdPoke) << a_q[2:0];
          step_q <= 4'd1;
        end
      end
      StMemory: if (mem_ready_i) state_q <= mem_write_o ? StNext : StAnswer;
      StAnswer: begin
        mem_q <= rsp_word_i;
        step_q <= 4'd4;
        if (rsp_valid_i) state_q <= type_q == CmdSum ? StSum : StWord;
      end
      StSum: if (!crc_busy_i) begin
        mem_q <= {8'd0, mem_q[31:8]};
        step_q <= step_q - 4'd1;
        if (step_q == '0) begin
          a_q[16:2] <= a_q[16:2] + 15'd1;
          state_q <= &a_q[9:2] ? StWord : StMemory;
          step_q <= 4'd4;
        end
      end
      StWord: begin
        out_q <= word_i;
        step_q <= 4'd4;
        state_q <= StPut;
      end
      StPut: begin
        out_q <= {8'd0, out_q[31:8]};
        tx_addr_q <= tx_addr_q + 11'd1;
        step_q <= step_q - 4'd1;
        if (step_q == 4'd1) begin
          if (index_q != last_q) begin
            index_q <= index_q + 6'd1;
            state_q <= StWord;
          end else begin
            state_q <= !refused && (type_q inside {CmdRead, CmdSum, CmdPeek}) ? StNext : StSend;
          end
        end
      end
      StTick: if (tick_i) begin
        {start_q, poke_q} <= '0;
        step_q <= step_q - 4'd1;
        if (step_q == 4'd1) begin
          core_rst_nq <= 1'b1;
          unique case (type_q)
            CmdPeek: state_q <= StSettle;
            CmdPoke: state_q <= StNext;
            CmdReset, CmdStart: state_q <= StSend;
            default: state_q <= StIdle;  // the reset at power-on
          endcase
        end
      end
      // A core cycle may take several of ours (CoreDivide); step_q comes with 0.
      StSettle: begin
        step_q <= step_q + 4'd1;
        if (step_q == 4'd15) state_q <= StWord;
      end
      StNext: begin
        count_q <= count_q - 16'd1;
        step_q <= type_q == CmdPeek ? 4'(PeekTicks) : 4'd4;
        if (type_q inside {CmdWrite, CmdRead, CmdFill}) a_q[16:2] <= a_q[16:2] + 15'd1;
        if (type_q inside {CmdPoke, CmdPeek}) b_q[15:0] <= b_q[15:0] + 16'd1;
        state_q <= count_q == 16'd1 ? StSend : loop;
      end
      StEcho: if (second_q) begin
        rx_addr_q <= rx_addr_q + 11'd1;
        tx_addr_q <= tx_addr_q + 11'd1;
        if (tx_addr_q == len_q - 11'd1) state_q <= StSend;
      end
      StSend: begin
        peek_q <= 1'b0;
        if (!tx_busy_i) state_q <= StSending;
      end
      default: if (!tx_busy_i) state_q <= StIdle;  // StSending
    endcase
    if (!rst_ni) begin
      // The core's reset at power-on: RESET without an answer.
      state_q <= StTick;
      type_q <= '0;
      step_q <= 4'd4;
      core_rst_nq <= 1'b0;
      {start_q, poke_q, peek_q, started_q, lost_q, session_q, led_on_q} <= '0;
    end
  end
endmodule
