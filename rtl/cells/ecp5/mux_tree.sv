// One of 2^Bits words. Half a LUT4 per word and bit, the rest in the multiplexers of the slices; a
// mapping by itself takes a third more.
module mux_tree #(
  parameter int unsigned Width = 32,
  parameter int unsigned Bits = 3  // 2 to 4
) (
  input  logic [Bits-1:0]  sel_i,
  input  logic [Width-1:0] x_i [1 << Bits],
  output logic [Width-1:0] y_o
);
  for (genvar i = 0; i < Width; i++) begin : gen_bit
    logic [(1<<Bits)-2:0] n;  // nodes: pairs of words first, the root last
    for (genvar k = 0; k < (1 << Bits) / 2; k++) begin : gen_leaf
      assign n[k] = sel_i[0] ? x_i[2*k+1][i] : x_i[2*k][i];
    end
    for (genvar l = 1; l < Bits; l++) begin : gen_level
      localparam int unsigned From = (1 << Bits) - (1 << (Bits - l + 1));
      localparam int unsigned To = (1 << Bits) - (1 << (Bits - l));
      for (genvar k = 0; k < (1 << (Bits - l - 1)); k++) begin : gen_node
        if (l == 1) begin : gen_first
          PFUMX u_mux (.ALUT(n[From+2*k+1]), .BLUT(n[From+2*k]), .C0(sel_i[l]), .Z(n[To+k]));
        end else begin : gen_next
          L6MUX21 u_mux (.D0(n[From+2*k]), .D1(n[From+2*k+1]), .SD(sel_i[l]), .Z(n[To+k]));
        end
      end
    end
    assign y_o[i] = n[(1<<Bits)-2];
  end
endmodule

// Cell of the ECP5: Z = SD ? D1 : D0, its inputs are multiplexers of neighbouring slices.
// verilator lint_off DECLFILENAME // the name is the cell's
(* blackbox *)
module L6MUX21 (
  input  logic D0,
  input  logic D1,
  input  logic SD,
  output logic Z
);
`ifdef VERILATOR
  assign Z = SD ? D1 : D0;
`endif
endmodule
// verilator lint_on DECLFILENAME
