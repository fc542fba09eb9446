// LSU: the words of a matrix load at write-back (docs/microarchitecture.md 10.1). Lane 4g + q takes
// its register from rows that other lanes have received. What is read of lane storage comes here: of
// each column the words of one row of its banks.
module lsu_ldmatrix
  import wl_pkg::*;
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic        en_i,
  input  matrix_e     matrix_i,
  input  logic [1:0]  word_i,                  // register of the lane
  input  logic [4:0]  lane_i,                  // first lane presented
  input  logic [31:0] bank_i [Cols][LsuWords],
  output logic [31:0] word_o [Cols]
);
  if (LsuLanes == 32 && LsuWords == 4) begin : gen_wide
    // 6- and 4-bit elements, of one row, to bytes.
    logic [31:0] row [32][4];
    always_comb begin
      row = '{default: 'x};
      if (en_i) begin
        row = bank_i;
        if (MatrixBytes != 0 && matrix_i inside {MatrixB6, MatrixB6t, MatrixB4, MatrixB4t}) begin
          for (int unsigned l = 0; l < 32; l++) begin
            for (int unsigned k = 0; k < 4; k++) begin
              logic [23:0] six;
              logic [15:0] four;
              unique case (k)
                0:       six = bank_i[l][0][23:0];
                1:       six = {bank_i[l][1][15:0], bank_i[l][0][31:24]};
                2:       six = {bank_i[l][2][7:0], bank_i[l][1][31:16]};
                default: six = bank_i[l][2][31:8];
              endcase
              four = bank_i[l][k/2][16*(k%2) +: 16];
              for (int unsigned b = 0; b < 4; b++) begin
                row[l][k][8*b +: 8] = (matrix_i == MatrixB6 || matrix_i == MatrixB6t)
                                        ? {2'b0, six[6*b +: 6]} : {2'b0, four[4*b +: 4], 2'b0};
              end
            end
          end
        end
      end
    end
    always_comb begin
      word_o = '{default: 'x};
      if (en_i) begin
        for (int unsigned l = 0; l < 32; l++) begin  // l = 4g + q
          word_o[l] = row[{word_i, 3'(l/4)}][l%4];
          if (matrix_i == MatrixB16t) begin
            for (int unsigned h = 0; h < 2; h++) begin
              word_o[l][16*h +: 16] = row[{word_i, 2'(l%4), 1'(h)}][l/8][16*(l/4%2) +: 16];
            end
          end
          if (MatrixBytes != 0 && matrix_i inside {MatrixB8t, MatrixB6t, MatrixB4t}) begin
            for (int unsigned k = 0; k < 4; k++) begin
              word_o[l][8*k +: 8] =
                row[{word_i[1], 2'(l%4), word_i[0], 1'(k)}][l/16+2*(k/2)][8*(l/4%4) +: 8];
            end
          end
        end
      end
    end
    logic unused_lane;
    assign unused_lane = ^lane_i;
  end else if (LsuLanes == 2 && LsuWords == 2) begin : gen_narrow
    // Both halves of a transposed word are in one row of the banks, each in a column of its own.
    always_comb begin
      word_o = '{default: 'x};
      if (en_i) begin
        for (int unsigned i = 0; i < 2; i++) begin
          word_o[i] = bank_i[lane_i[2]][i];
          if (matrix_i == MatrixB16t) begin
            for (int unsigned h = 0; h < 2; h++) begin
              word_o[i][16*h +: 16] = lane_i[2] ? bank_i[h][lane_i[3]][31:16]
                                                : bank_i[h][lane_i[3]][15:0];
            end
          end
        end
      end
    end
    logic unused_word;
    assign unused_word = ^{word_i, lane_i};
  end else begin : gen_none
    $error("matrix loads need 2 lanes of 2 words or 32 lanes of 4 words");
  end
endmodule
