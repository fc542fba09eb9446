// Judges a request (docs/fpga.md 4): the error that refuses it, or 0, and how often its body is
// repeated. Where several errors hold, the lowest number is answered. Both are valid three cycles
// after the request's bytes stand still.
module command_check
  import link_pkg::*;
  import config_pkg::*;
  import wl_pkg::ArrayRf, wl_pkg::ArrayPred, wl_pkg::ArraySmem, wl_pkg::ArrayXbuf,
         wl_pkg::ArrayTmem;
(
  input  logic        clk_i,
  input  logic [7:0]  type_i,
  input  logic [10:0] len_i,
  input  logic [31:0] a_i,        // first words of the payload
  input  logic [31:0] b_i,
  input  logic [15:0] c_i,
  input  logic        running_i,
  input  logic        busy_i,     // a launch is under way
  input  logic        lost_i,
  output logic [7:0]  error_o,
  output logic [15:0] count_o     // words, blocks
);
  typedef logic [16:0] rows_t;
  logic        known, length_ok, stands;         // stands: only while the core does
  logic        known_q, length_q, refuse_q;
  logic        memory, array, aligned, fits, memory_q, array_q, fits_q;
  logic [17:0] span, span_q;                     // bytes of board memory, when it fits
  logic [18:0] end_q;
  logic [15:0] count, count_q;
  logic [8:0]  slices, slices_q;
  rows_t       rows, rows_q, row_end_q;
  logic        outside_q, whole_words;

  assign whole_words = len_i[1:0] == 2'd0;
  always_comb begin
    known = 1'b1;
    length_ok = 1'b0;
    stands = 1'b1;
    memory = 1'b0;
    array = 1'b0;
    aligned = a_i[1:0] == 2'd0 && b_i[1:0] == 2'd0;
    fits = 1'b1;
    span = '0;
    count = '0;
    unique case (type_i)
      CmdHello: begin
        length_ok = len_i == 11'd4;
        stands = 1'b0;
      end
      CmdStatus, CmdStop: begin
        length_ok = len_i == '0;
        stands = 1'b0;
      end
      CmdReset, CmdDigest: length_ok = len_i == '0;
      CmdWrite: begin
        length_ok = whole_words && len_i >= 11'd4 && len_i <= 11'(4 + LinkMaxData);
        memory = 1'b1;
        aligned = a_i[1:0] == 2'd0;
        span = 18'(len_i) - 18'd4;
        count = (16'(len_i) - 16'd4) >> 2;
      end
      CmdRead: begin
        length_ok = len_i == 11'd6;
        memory = 1'b1;
        fits = b_i[15:0] <= 16'(LinkMaxData);
        span = 18'(b_i[10:0]);
        count = 16'(b_i[15:2]);
      end
      CmdFill: begin
        length_ok = len_i == 11'd12;
        memory = 1'b1;
        fits = b_i[31:18] == '0;
        span = b_i[17:0];
        count = b_i[17:2];
      end
      CmdSum: begin
        length_ok = len_i == 11'd6;
        memory = 1'b1;
        aligned = a_i[9:0] == '0;
        fits = b_i[15:0] <= 16'd128;
        span = {b_i[7:0], 10'd0};
        count = b_i[15:0];
      end
      CmdStart: length_ok = len_i == 11'd8;
      CmdRun: length_ok = len_i == 11'd5;
      CmdPoke: begin
        length_ok = whole_words && len_i >= 11'd8 && len_i <= 11'(8 + LinkMaxData);
        array = 1'b1;
        count = (16'(len_i) - 16'd8) >> 2;
      end
      CmdPeek: begin
        length_ok = len_i == 11'd10;
        array = 1'b1;
        fits = c_i <= 16'd256;
        count = c_i;
      end
      CmdFreeze: begin
        length_ok = len_i == 11'd5;
        fits = b_i[7:3] == '0;
      end
      CmdLed: begin
        length_ok = len_i == 11'd2;
        stands = 1'b0;
      end
      CmdEcho: begin
        length_ok = 1'b1;
        stands = 1'b0;
      end
      default: known = 1'b0;
    endcase
  end

  always_comb begin
    unique case (a_i[2:0])
      ArrayRf[2:0]: {slices, rows} = {9'(StateRfSlices), 17'(StateRfRows)};
      ArrayPred[2:0]: {slices, rows} = {9'(StatePredSlices), 17'(StatePredRows)};
      ArraySmem[2:0]: {slices, rows} = {9'(StateSmemSlices), 17'(StateSmemRows)};
      ArrayTmem[2:0]: {slices, rows} = {9'(StateTmemSlices), 17'(StateTmemRows)};
      default: {slices, rows} = {9'(StateXbufSlices), 17'(StateXbufRows)};
    endcase
  end

  assign count_o = count_q;
  always_ff @(posedge clk_i) begin
    // What stands still is compared in steps.
    known_q <= known;
    length_q <= length_ok;
    refuse_q <= stands && running_i;
    memory_q <= memory && !aligned;
    array_q <= array && (a_i[7:0] > 8'(ArrayTmem) || a_i[31:24] != '0 || b_i[31:16] != '0);
    fits_q <= fits;
    span_q <= span;
    count_q <= count;
    slices_q <= slices;
    rows_q <= rows;
    end_q <= {1'b0, span_q} + {1'b0, a_i[17:0]};
    row_end_q <= {1'b0, b_i[15:0]} + {1'b0, count_q};
    outside_q <= !fits_q || memory_q || array_q ||
                 (memory && (a_i[31:18] != '0 || end_q > 19'(BoardMemBytes))) ||
                 (array && ({1'b0, a_i[23:16]} >= slices_q || row_end_q > rows_q));
  end
  always_comb begin
    if (!known_q) error_o = ErrUnknown;
    else if (!length_q) error_o = ErrLength;
    else if (outside_q) error_o = ErrOutOfRange;
    else if (refuse_q) error_o = ErrRunning;
    else if (type_i == CmdPoke && busy_i) error_o = ErrBusy;
    else if (type_i == CmdStart && lost_i) error_o = ErrLost;
    else error_o = '0;
  end
endmodule
