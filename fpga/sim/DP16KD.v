// DP16KD: block RAM of 18,432 bits, output registers off. Lattice FPGA-TN-02204, and how Yosys'
// synth_ecp5 uses it (techmap of $__DP16KD_ and $__PDPW16KD_):
//  - 36 x 36: port A writes only, its words are {DIB, DIA} at ADA[13:5] with an enable for each 9
//    bits in ADA[3:0]; port B reads only, {DOB, DOA} at ADB[13:5].
//  - 36 x 18, 36 x 9, 36 x 4: the same, but port B reads the half ADB[4], the 9 bits ADB[4:3], or of these
//    4 of the lower eight, ADB[2], of the word, in the lowest bits of DOB.
//  - 18 x 18, port B not idle: port A as below, port B reads only.
//  - 9 or 18 per port: a word at AD[13:3], or at AD[13:4] with byte enables in AD[1:0]; a write
//    leaves the port's output (NORMAL), shows what was there (READBEFOREWRITE) or what is written
//    (WRITETHROUGH).
// RESETMODE "SYNC": RST clears what the port shows, whatever its enable; with "ASYNC" RST stays 0.
// INITVAL_n: 16 words of 18 bits, each in 20. Any other setting ends the simulation.
// A word that one port reads while the other writes it comes out wrong on purpose: the hardware
// promises nothing there, and nobody may rely on it.

module DP16KD #(
  parameter int DATA_WIDTH_A = 18,
  parameter int DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG",
  parameter REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC",
  parameter ASYNC_RESET_RELEASE = "SYNC",
  parameter CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000",
  parameter WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL",
  parameter CLKAMUX = "CLKA",
  parameter CLKBMUX = "CLKB",
  parameter GSR = "ENABLED",
  parameter logic [319:0] INITVAL_00 = 320'h0, INITVAL_01 = 320'h0,
  parameter logic [319:0] INITVAL_02 = 320'h0, INITVAL_03 = 320'h0,
  parameter logic [319:0] INITVAL_04 = 320'h0, INITVAL_05 = 320'h0,
  parameter logic [319:0] INITVAL_06 = 320'h0, INITVAL_07 = 320'h0,
  parameter logic [319:0] INITVAL_08 = 320'h0, INITVAL_09 = 320'h0,
  parameter logic [319:0] INITVAL_0A = 320'h0, INITVAL_0B = 320'h0,
  parameter logic [319:0] INITVAL_0C = 320'h0, INITVAL_0D = 320'h0,
  parameter logic [319:0] INITVAL_0E = 320'h0, INITVAL_0F = 320'h0,
  parameter logic [319:0] INITVAL_10 = 320'h0, INITVAL_11 = 320'h0,
  parameter logic [319:0] INITVAL_12 = 320'h0, INITVAL_13 = 320'h0,
  parameter logic [319:0] INITVAL_14 = 320'h0, INITVAL_15 = 320'h0,
  parameter logic [319:0] INITVAL_16 = 320'h0, INITVAL_17 = 320'h0,
  parameter logic [319:0] INITVAL_18 = 320'h0, INITVAL_19 = 320'h0,
  parameter logic [319:0] INITVAL_1A = 320'h0, INITVAL_1B = 320'h0,
  parameter logic [319:0] INITVAL_1C = 320'h0, INITVAL_1D = 320'h0,
  parameter logic [319:0] INITVAL_1E = 320'h0, INITVAL_1F = 320'h0,
  parameter logic [319:0] INITVAL_20 = 320'h0, INITVAL_21 = 320'h0,
  parameter logic [319:0] INITVAL_22 = 320'h0, INITVAL_23 = 320'h0,
  parameter logic [319:0] INITVAL_24 = 320'h0, INITVAL_25 = 320'h0,
  parameter logic [319:0] INITVAL_26 = 320'h0, INITVAL_27 = 320'h0,
  parameter logic [319:0] INITVAL_28 = 320'h0, INITVAL_29 = 320'h0,
  parameter logic [319:0] INITVAL_2A = 320'h0, INITVAL_2B = 320'h0,
  parameter logic [319:0] INITVAL_2C = 320'h0, INITVAL_2D = 320'h0,
  parameter logic [319:0] INITVAL_2E = 320'h0, INITVAL_2F = 320'h0,
  parameter logic [319:0] INITVAL_30 = 320'h0, INITVAL_31 = 320'h0,
  parameter logic [319:0] INITVAL_32 = 320'h0, INITVAL_33 = 320'h0,
  parameter logic [319:0] INITVAL_34 = 320'h0, INITVAL_35 = 320'h0,
  parameter logic [319:0] INITVAL_36 = 320'h0, INITVAL_37 = 320'h0,
  parameter logic [319:0] INITVAL_38 = 320'h0, INITVAL_39 = 320'h0,
  parameter logic [319:0] INITVAL_3A = 320'h0, INITVAL_3B = 320'h0,
  parameter logic [319:0] INITVAL_3C = 320'h0, INITVAL_3D = 320'h0,
  parameter logic [319:0] INITVAL_3E = 320'h0, INITVAL_3F = 320'h0
) (
  // verilator lint_off UNUSEDSIGNAL // address bits below the word, enables of output registers
  input
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0,
  input
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
  input CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0,
  input
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0,
  input
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
  input CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  // verilator lint_on UNUSEDSIGNAL
  output
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0
);
  localparam bit Wide = DATA_WIDTH_A == 36;
  wire [17:0] dia = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0};
  wire [17:0] dib = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0};
  wire [13:0] ada = {
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] adb = {
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  reg [17:0] doa, dob;
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0} = doa;
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0} = dob;
  wire en_a = CEA & ~(CSA2 | CSA1 | CSA0);
  wire en_b = CEB & ~(CSB2 | CSB1 | CSB0);

  // Contents of the bitstream: 1,024 words of 18 bits, each in 20.
  localparam logic [64*320-1:0] Contents = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39,
    INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32,
    INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B,
    INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24,
    INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D,
    INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16,
    INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F,
    INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
    INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01,
    INITVAL_00};

  // Rows as wide as the widest use: 512 of 36 bits, or 1,024 of 18.
  if (Wide) begin : gen_wide
    reg [35:0] mem [512];
    wire [8:0] wrow = ada[13:5];
    wire [8:0] rrow = adb[13:5];
    wire [35:0] mask = {{9{ada[3]}}, {9{ada[2]}}, {9{ada[1]}}, {9{ada[0]}}};
    wire [35:0] word = {dib, dia};
    wire write = en_a & WEA;
    wire [35:0] clash = (write && wrow == rrow) ? mask & ~word : '0;
    wire [35:0] spoilt = (write && wrow == rrow) ? mask : '0;
    wire [35:0] seen = (mem[rrow] & ~spoilt) | clash;
    wire [17:0] half = adb[4] ? seen[35:18] : seen[17:0];
    wire [8:0] nine = adb[3] ? half[17:9] : half[8:0];
    wire [17:0] narrow = (DATA_WIDTH_B == 18) ? half : (DATA_WIDTH_B == 9) ? {9'h0, nine} :
                         {14'h0, adb[2] ? nine[7:4] : nine[3:0]};
    always @(posedge CLKA) if (write) mem[wrow] <= (mem[wrow] & ~mask) | (word & mask);
    always @(posedge CLKB) begin
      if (RSTB) {dob, doa} <= '0;
      else if (en_b) {dob, doa} <= (DATA_WIDTH_B == 36) ? seen : {narrow, 18'h0};
    end
    initial begin
      for (int i = 0; i < 512; i++) mem[i] = {Contents[40*i+20+:18], Contents[40*i+:18]};
      {dob, doa} = '0;
    end
  end else begin : gen_narrow
    reg [17:0] mem [1024];
    wire [9:0] row_a = ada[13:4];
    wire [17:0] mask_a = (DATA_WIDTH_A == 18) ? {{9{ada[1]}}, {9{ada[0]}}} :
                         ada[3] ? {9'h1ff, 9'h0} : 18'h1ff;
    wire [17:0] word_a = (DATA_WIDTH_A == 18) ? dia : {dia[8:0], dia[8:0]};
    wire write_a = en_a & WEA & ~RSTA;
    wire [17:0] new_a = (mem[row_a] & ~mask_a) | (word_a & mask_a);
    wire [17:0] seen_a = (WEA && WRITEMODE_A == "WRITETHROUGH") ? new_a : mem[row_a];
    always @(posedge CLKA) begin
      if (write_a) mem[row_a] <= new_a;
      if (RSTA) doa <= '0;
      else if (en_a && !(WEA && WRITEMODE_A == "NORMAL")) begin
        doa <= (DATA_WIDTH_A == 18) ? seen_a : {9'h0, ada[3] ? seen_a[17:9] : seen_a[8:0]};
      end
    end
    initial begin
      for (int i = 0; i < 1024; i++) mem[i] = Contents[20*i+:18];
      {dob, doa} = '0;
    end
    wire [9:0] row_b = adb[13:4];
    wire [17:0] spoilt = (write_a && row_a == row_b) ? mask_a : '0;
    always @(posedge CLKB) begin
      if (RSTB) dob <= '0;
      else if (en_b) dob <= (mem[row_b] & ~spoilt) | (spoilt & ~word_a);
      if (CEB && !(DATA_WIDTH_A == 18 && DATA_WIDTH_B == 18 && !WEB)) begin
        $fatal(1, "DP16KD: port B of %0d bits beside port A of %0d is not modelled", DATA_WIDTH_B,
               DATA_WIDTH_A);
      end
    end
  end

  initial begin
    if (!((DATA_WIDTH_A == 36 && (DATA_WIDTH_B == 36 || DATA_WIDTH_B == 18 || DATA_WIDTH_B == 9 ||
                                  DATA_WIDTH_B == 4)) ||
          ((DATA_WIDTH_A == 9 || DATA_WIDTH_A == 18) &&
           (DATA_WIDTH_B == 9 || DATA_WIDTH_B == 18)))) begin
      $fatal(1, "DP16KD: DATA_WIDTH_A %0d with DATA_WIDTH_B %0d is not modelled", DATA_WIDTH_A,
             DATA_WIDTH_B);
    end
    if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" ||
        CSDECODE_B != "0b000" || CLKAMUX != "CLKA" || CLKBMUX != "CLKB" || GSR != "DISABLED") begin
      $fatal(1, "DP16KD: REGMODE %s %s, CSDECODE %s %s, CLKxMUX %s %s, GSR %s is not modelled",
             REGMODE_A, REGMODE_B, CSDECODE_A, CSDECODE_B, CLKAMUX, CLKBMUX, GSR);
    end
    if ((RESETMODE != "SYNC" && RESETMODE != "ASYNC") || ASYNC_RESET_RELEASE != RESETMODE ||
        (WRITEMODE_A != "NORMAL" && WRITEMODE_A != "READBEFOREWRITE" &&
         WRITEMODE_A != "WRITETHROUGH")) begin
      $fatal(1, "DP16KD: RESETMODE %s, ASYNC_RESET_RELEASE %s, WRITEMODE_A %s is not modelled",
             RESETMODE, ASYNC_RESET_RELEASE, WRITEMODE_A);
    end
  end
  if (RESETMODE == "ASYNC") begin : gen_async
    always @(posedge CLKA) if (RSTA) $fatal(1, "DP16KD: RSTA with RESETMODE ASYNC is not modelled");
    always @(posedge CLKB) if (RSTB) $fatal(1, "DP16KD: RSTB with RESETMODE ASYNC is not modelled");
  end
  if (Wide) begin : gen_wide_ports
    always @(posedge CLKA) if (RSTA) $fatal(1, "DP16KD: RSTA of a port that only writes");
    always @(posedge CLKB) if (WEB) $fatal(1, "DP16KD: WEB of a port that only reads");
  end

endmodule
