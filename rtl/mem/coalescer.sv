// One coalescer step (docs/microarchitecture.md 10): the lanes of one group of eight that go into
// one packet, and that packet's byte mask and data. Combinational; the LSU keeps what is pending.
module coalescer
  import wl_pkg::*;
(
  input  logic         en_i,
  input  logic         local_i,      // phase L: 4-byte words interleaved by lane
  input  logic         is_load_i,    // no data
  input  logic         is_atom_i,
  input  logic         is_cas_i,
  input  logic [2:0]   size_i,       // log2 of the access bytes
  input  logic [1:0]   part_i,
  input  logic [7:0]   pending_i,
  input  logic [63:0]  ea_i   [8],
  input  logic [31:0]  data_i [8][4],
  output logic [7:0]   served_o,
  output logic [63:0]  lead_ea_o,
  output logic [31:0]  mask_o,
  output logic [255:0] data_o
);

  logic [2:0] leader;
  logic [7:0] match;
  logic [2:0] lane_size;    // of what one lane puts into the packet
  logic [2:0] pos [8];      // word of the sector
  logic [3:0] be  [8];      // bytes of that word, sub-word accesses
  logic [31:0] elem [8][4]; // word k mod 4 of the sector as this lane would write it
  logic [31:0] word [8];
  logic [3:0]  wmask [8];

  always_comb begin
    leader = '0;
    for (int i = 7; i >= 0; i--) if (pending_i[i]) leader = 3'(i);
    lead_ea_o = '0;
    match = '0;
    served_o = '0;
    if (en_i) begin
      lead_ea_o = ea_i[leader];
      // Phase L: lanes of one group and word share a sector, lanes of different words never do.
      for (int i = 0; i < 8; i++) begin
        match[i] = pending_i[i] && (local_i ? ea_i[i][31:2] == lead_ea_o[31:2]
                                            : ea_i[i][63:5] == lead_ea_o[63:5]);
      end
      served_o = match;
      if (is_cas_i) begin
        served_o = 8'd1 << leader;
      end else if (is_atom_i) begin
        for (int i = 1; i < 8; i++) begin
          for (int j = 0; j < i; j++) begin
            if (match[j] && ea_i[j][4:2] == ea_i[i][4:2]) served_o[i] = 1'b0;
          end
        end
      end
    end
  end

  always_comb begin
    lane_size = (local_i && size_i > 3'd2) ? 3'd2 : size_i;
    for (int i = 0; i < 8; i++) begin
      pos[i] = '0;
      be[i] = '0;
      word[i] = '0;
      wmask[i] = '0;
      for (int k = 0; k < 4; k++) elem[i][k] = '0;
    end
    mask_o = '0;
    data_o = '0;
    if (en_i) begin
      for (int i = 0; i < 8; i++) begin
        pos[i] = local_i ? 3'(i) : ea_i[i][4:2];
        unique case (lane_size)
          3'd0:    be[i] = 4'b0001 << ea_i[i][1:0];
          3'd1:    be[i] = ea_i[i][1] ? 4'b1100 : 4'b0011;
          default: be[i] = 4'b1111;
        endcase
        // Bytes and halves are repeated so that they lie wherever the address puts them.
        for (int k = 0; k < 4; k++) begin
          unique case (lane_size)
            3'd0:    elem[i][k] = {4{data_i[i][0][7:0]}};
            3'd1:    elem[i][k] = {2{data_i[i][0][15:0]}};
            3'd2:    elem[i][k] = data_i[i][local_i ? part_i : 2'd0];
            3'd3:    elem[i][k] = data_i[i][k & 1];
            default: elem[i][k] = data_i[i][k];
          endcase
        end
      end
      for (int w = 0; w < 8; w++) begin
        for (int i = 0; i < 8; i++) begin
          logic [3:0] here;
          unique case (lane_size)
            3'd4:    here = {4{pos[i][2] == 1'(w >> 2)}};
            3'd3:    here = {4{pos[i][2:1] == 2'(w >> 1)}};
            default: here = (pos[i] == 3'(w)) ? be[i] : 4'b0000;
          endcase
          if (served_o[i]) begin
            wmask[w] = wmask[w] | here;
            // Ascending lanes: the highest-numbered one that writes a byte stays.
            for (int b = 0; b < 4; b++) begin
              if (here[b]) word[w][8*b +: 8] = elem[i][w & 3][8*b +: 8];
            end
          end
        end
        mask_o[4*w +: 4] = wmask[w];
        if (!is_load_i) data_o[32*w +: 32] = word[w];
      end
      if (is_cas_i) begin
        // Only the leader: new value in the lower half, compare value in the upper half.
        data_o = '0;
        for (int k = 0; k < 4; k++) begin
          if (lane_size == 3'd2 && lead_ea_o[3:2] == 2'(k)) begin
            data_o[32*k +: 32] = data_i[leader][1];
            data_o[128 + 32*k +: 32] = data_i[leader][0];
          end
          if (lane_size == 3'd3 && lead_ea_o[3] == 1'(k >> 1)) begin
            data_o[32*k +: 32] = data_i[leader][2 + (k & 1)];
            data_o[128 + 32*k +: 32] = data_i[leader][k & 1];
          end
        end
      end
    end
  end
endmodule
