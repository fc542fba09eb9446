// One coalescer step (docs/microarchitecture.md 10): in the cycle of the step the lanes of one group
// of eight that go into one packet; from the next cycle on, as long as no further step is made, that
// packet's byte mask and data, formed from copies of the lanes' operands: both in one cycle would be
// too long a path. The LSU keeps what is pending and chooses the leader.
module coalescer
  import wl_pkg::*;
  import config_pkg::*;
(
  input  logic         clk_i,
  input  logic         en_i,         // makes a step
  input  logic         out_i,        // the packet is at the port: mask and data are wanted
  input  logic         local_i,      // phase L: 4-byte words interleaved by lane
  input  logic         is_load_i,    // no data
  input  logic         is_atom_i,
  input  logic         is_cas_i,
  input  logic [2:0]   size_i,       // log2 of the access bytes
  input  logic [1:0]   part_i,
  input  logic [7:0]   pending_i,
  input  logic [7:0]   lead_i,       // the leader, one-hot
  input  logic [31:2]  lead_ea_i,
  input  logic [31:0]  ea_i   [8],
  input  logic [31:0]  data_i [8][4],
  output logic [7:0]   served_o,
  output logic [31:0]  mask_o,
  output logic [255:0] data_o
);

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  // ---- The step. All addresses of a phase have the same upper word.
  logic [7:0] win;   // served lanes whose bytes no higher served lane writes
  always_comb begin
    logic [7:0] match, low;
    match = '0;
    low = '0;
    win = '0;
    served_o = '0;
    if (en_i || Always) begin
      // Phase L: lanes of one group and word share a sector, lanes of different words never do.
      for (int i = 0; i < 8; i++) begin
        match[i] = pending_i[i] && ea_i[i][31:5] == lead_ea_i[31:5] &&
                   (!local_i || ea_i[i][4:2] == lead_ea_i[4:2]);
      end
      low = match;
      win = match;
      if (!is_load_i || Always) begin
        // Accesses are aligned and of one size: they overlap only where they are equal.
        for (int i = 1; i < 8; i++) begin
          for (int j = 0; j < i; j++) begin
            if (ea_i[j][4:0] == ea_i[i][4:0]) begin
              if (match[j]) low[i] = 1'b0;
              if (match[i] && !local_i) win[j] = 1'b0;
            end
          end
        end
      end
      served_o = is_cas_i ? lead_i : is_atom_i ? low : match;
      if (is_load_i) win = match;
      else if (is_atom_i) win = served_o;
    end
  end

  // Word k of what a lane puts into the packet, where it lies at a word k of LsuWords. cas: the new
  // value; the leader's compare value comes from the side.
  logic [31:0] elem_d [8][LsuWords];
  logic [31:0] cas_d  [2];
  always_comb begin
    logic [31:0] first;
    logic [31:0] pair [2];
    logic        upper, cas32;
    upper = local_i ? part_i[1] : part_i[0] || (is_cas_i && size_i == 3'd3);
    cas32 = is_cas_i && size_i == 3'd2;
    first = '0;
    for (int k = 0; k < 2; k++) pair[k] = '0;
    for (int i = 0; i < 8; i++) for (int k = 0; k < int'(LsuWords); k++) elem_d[i][k] = '0;
    for (int k = 0; k < 2; k++) cas_d[k] = '0;
    if ((en_i && !is_load_i) || Always) begin
      for (int i = 0; i < 8; i++) begin
        // Bytes and halves are repeated so that they lie wherever the address puts them.
        unique case (size_i)
          3'd0:    first = {4{data_i[i][0][7:0]}};
          3'd1:    first = {2{data_i[i][0][15:0]}};
          default: first = data_i[i][0];
        endcase
        // Phase L fills the word of its lane only, an access of one word any.
        if (LsuWords == 4) begin
          for (int k = 0; k < int'(LsuWords); k++) begin
            elem_d[i][k] = first;
            if (is_cas_i) begin
              elem_d[i][k] = data_i[i][(size_i == 3'd2) ? 1 : 2 + k % 2];
            end else if (local_i) begin
              if (i % 4 == k && part_i != '0) elem_d[i][k] = data_i[i][part_i];
            end else if (k != 0 && (size_i == 3'd4 || (size_i == 3'd3 && k % 2 != 0))) begin
              elem_d[i][k] = data_i[i][(size_i == 3'd4) ? k : 1];
            end
          end
        end else begin
          pair[0] = upper ? data_i[i][2] : first;
          pair[1] = upper ? data_i[i][3] : data_i[i][1];
          elem_d[i][0] = ((local_i && part_i[0] && i % 2 == 0) || cas32) ? pair[1] : pair[0];
          elem_d[i][1] = (local_i ? part_i[0] : size_i > 3'd2 || cas32) ? pair[1] : pair[0];
        end
      end
      if (is_cas_i || Always) begin
        for (int i = 0; i < 8; i++) begin
          for (int k = 0; k < 2; k++) cas_d[k] = cas_d[k] | (data_i[i][k] & {32{lead_i[i]}});
        end
        if (size_i == 3'd2) cas_d[1] = cas_d[0];
      end
    end
  end

  // ---- The packet: what the step leaves.
  logic        is_load_q, is_cas_q;
  logic [2:0]  lane_size_q;   // of what one lane puts into the packet
  logic [7:0]  win_q;
  logic [4:0]  low_q  [8];    // byte in the sector
  logic [31:0] elem_q [8][LsuWords];
  logic [31:0] cas_q  [2];    // compare value of cas by word
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      is_load_q <= is_load_i;
      is_cas_q <= is_cas_i;
      lane_size_q <= (size_i > 3'd2 && local_i) ? 3'd2
                   : (size_i == 3'd4 && LsuWords == 2) ? 3'd3 : size_i;
      win_q <= win;
      for (int i = 0; i < 8; i++) begin
        low_q[i][1:0] <= ea_i[i][1:0];
        low_q[i][4:2] <= local_i ? 3'(i) : ea_i[i][4:2] | 3'(32'(part_i) * LsuWords);
      end
      if (!is_load_i) begin
        for (int i = 0; i < 8; i++) begin
          for (int k = 0; k < int'(LsuWords); k++) elem_q[i][k] <= elem_d[i][k];
        end
        cas_q <= cas_d;
      end
    end
  end

  logic [7:0] place [8];   // words of the sector that a lane fills
  logic [3:0] be    [8];   // bytes of each of these words
  always_comb begin
    logic [7:0] span;
    span = '0;
    for (int i = 0; i < 8; i++) begin
      place[i] = '0;
      be[i] = '0;
    end
    if (out_i || Always) begin
      for (int i = 0; i < 8; i++) begin
        for (int w = 0; w < 8; w++) begin
          unique case (lane_size_q)
            3'd4:    span[w] = low_q[i][4] == 1'(w >> 2);
            3'd3:    span[w] = low_q[i][4:3] == 2'(w >> 1);
            default: span[w] = low_q[i][4:2] == 3'(w);
          endcase
        end
        if (win_q[i]) place[i] = span;
        unique case (lane_size_q)
          3'd0:    be[i] = 4'b0001 << low_q[i][1:0];
          3'd1:    be[i] = low_q[i][1] ? 4'b1100 : 4'b0011;
          default: be[i] = 4'b1111;
        endcase
      end
    end
  end

  // Every byte has one lane at most. cas has one lane: its new value goes to the lower half, the
  // compare value, in place of lane 7's words, to the upper.
  always_comb begin
    logic [7:0]  fill, at;
    logic [31:0] word;
    fill = '0;
    at = '0;
    word = '0;
    mask_o = '0;
    data_o = '0;
    if (out_i || Always) begin
      for (int i = 0; i < 8; i++) begin
        for (int w = 0; w < 8; w++) begin
          for (int j = 0; j < 4; j++) mask_o[4*w + j] = mask_o[4*w + j] | (place[i][w] && be[i][j]);
        end
        at = at | place[i];
      end
      at = {2{at[7:4] | at[3:0]}};
      if (!is_load_q || Always) begin
        for (int i = 0; i < 8; i++) begin
          fill = place[i];
          if (is_cas_q) fill = {(i == 7) ? at[7:4] : 4'h0, win_q[i] ? at[3:0] : 4'h0};
          if (is_load_q) fill = '0;
          if (fill != '0 || Always) begin
            for (int w = 0; w < 8; w++) begin
              word = elem_q[i][w % LsuWords];
              if (i == 7 && w > 3 && is_cas_q) word = cas_q[w % 2];
              for (int j = 0; j < 4; j++) begin
                data_o[32*w + 8*j +: 8] = data_o[32*w + 8*j +: 8]
                                          | (word[8*j +: 8] & {8{fill[w] && be[i][j]}});
              end
            end
          end
        end
      end
    end
  end
endmodule
