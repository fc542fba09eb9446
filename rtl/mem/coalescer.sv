// One coalescer step (docs/microarchitecture.md 10): in the cycle of the step the lanes of one
// group that go into one packet; from the next cycle on, as long as no further step is made, that
// packet's byte mask and data, formed from copies of the lanes' operands: both in one cycle would
// be too long a path. The LSU keeps what is pending and chooses the leader.
module coalescer
  import wl_pkg::*;
  import config_pkg::*;
  import lsu_pkg::*;
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
  input  logic [2:0]   first_i,      // the group's first lane, among eight
  input  lanes_t       pending_i,
  input  lanes_t       lead_i,       // the leader, one-hot
  input  logic [GroupBits-1:0] lead_at_i,   // and its number
  input  logic [31:2]  lead_ea_i,
  input  logic [31:0]  ea_i   [GroupLanes],
  input  same_t        same_i,       // KeptSame: the second lane against the first
  input  logic [31:0]  data_i [GroupLanes][4],
  // verilator lint_off UNUSEDSIGNAL // with Atom128
  input  logic [31:0]  more_i [4],   // words 4 to 7 of the leader, for a cas of 128 bits
  // verilator lint_on UNUSEDSIGNAL
  output lanes_t       served_o,
  output logic [31:0]  mask_o,
  output logic [255:0] data_o
);

  localparam int unsigned CasWords = (Atom128 != 0) ? 4 : 2;
  logic quad;   // an atomic of 16 bytes
  assign quad = Atom128 != 0 && is_atom_i && size_i == 3'd4;

  // ---- The step. All addresses of a phase have the same upper word.
  lanes_t win;   // served lanes whose bytes no higher served lane writes
  always_comb begin
    lanes_t match, low;
    {match, low, win, served_o} = 'x;
    if (en_i) begin
      // Phase L: lanes of one group and word share a sector, lanes of different words never do.
      for (int i = 0; i < int'(GroupLanes); i++) begin
        match[i] = pending_i[i] && ea_i[i][31:5] == lead_ea_i[31:5] &&
                   (!local_i || ea_i[i][4:2] == lead_ea_i[4:2]);
      end
      // Of two lanes the leader is the first unless only the second is pending.
      if (KeptSame) begin
        match[0] = pending_i[0];
        match[1] = pending_i[1] && (!pending_i[0] || (same_i.sector && (!local_i || same_i.place)));
      end
      win = match;
      if (!is_load_i) begin
        low = match;
        // Accesses are aligned and of one size: they overlap only where they are equal.
        for (int i = 1; i < int'(GroupLanes); i++) begin
          for (int j = 0; j < i; j++) begin
            if (KeptSame ? same_i.place && same_i.low : ea_i[j][4:0] == ea_i[i][4:0]) begin
              if (match[j]) low[i] = 1'b0;
              if (match[i] && !local_i) win[j] = 1'b0;
            end
          end
        end
      end
      served_o = (is_cas_i || quad) ? lead_i : is_atom_i ? low : match;
      if (is_atom_i) win = served_o;
    end
  end

  // Word k of what a lane puts into the packet, where it lies at a word k of LsuWords. cas: the new
  // value; the leader's compare value comes from the side.
  logic [31:0] elem_d [GroupLanes][LsuWords];
  logic [31:0] cas_d  [CasWords];
  logic [31:0] cas_lead [CasWords];
  for (genvar k = 0; k < int'(CasWords); k++) begin : gen_cas
    logic [31:0] word [GroupLanes];
    for (genvar i = 0; i < int'(GroupLanes); i++) begin : gen_lane
      assign word[i] = data_i[i][k];
    end
    word_mux #(.Words(GroupLanes)) u_lead (
      .en_i(is_cas_i && (k < 2 || quad)), .at_i(lead_at_i), .x_i(word), .y_o(cas_lead[k])
    );
  end
  always_comb begin
    logic [31:0] first;
    logic [31:0] pair [2];
    logic        upper, cas32;
    upper = local_i ? part_i[1] : part_i[0] || (is_cas_i && size_i == 3'd3);
    cas32 = is_cas_i && size_i == 3'd2;
    first = 'x;
    pair = '{default: 'x};
    elem_d = '{default: 'x};
    cas_d = '{default: 'x};
    if (en_i && !is_load_i) begin
      for (int i = 0; i < int'(GroupLanes); i++) begin
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
              elem_d[i][k] = quad ? more_i[k] : data_i[i][(size_i == 3'd2) ? 1 : 2 + k % 2];
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
      if (is_cas_i) begin
        for (int k = 0; k < int'(CasWords); k++) begin
          cas_d[k] = cas_lead[(size_i == 3'd2) ? 0 : quad ? k : k % 2];
        end
      end
    end
  end

  // ---- The packet: what the step leaves.
  logic        is_load_q, is_cas_q;
  logic [2:0]  lane_size_q;   // of what one lane puts into the packet
  lanes_t      win_q;
  logic [4:0]  low_q  [GroupLanes];    // byte in the sector
  logic [31:0] elem_q [GroupLanes][LsuWords];
  logic [31:0] cas_q  [CasWords];      // compare value of cas by word
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      is_load_q <= is_load_i;
      is_cas_q <= is_cas_i;
      lane_size_q <= (size_i > 3'd2 && local_i) ? 3'd2
                   : (size_i == 3'd4 && LsuWords == 2) ? 3'd3 : size_i;
      win_q <= win;
      for (int i = 0; i < int'(GroupLanes); i++) begin
        low_q[i][1:0] <= ea_i[i][1:0];
        low_q[i][4:2] <= local_i ? 3'(i) | first_i :
                         ea_i[i][4:2] | 3'(32'(part_i) * LsuWords);
      end
      if (!is_load_i) begin
        for (int i = 0; i < int'(GroupLanes); i++) begin
          for (int k = 0; k < int'(LsuWords); k++) elem_q[i][k] <= elem_d[i][k];
        end
        cas_q <= cas_d;
      end
    end
  end

  logic [7:0] place [GroupLanes];   // words of the sector that a lane fills
  logic [3:0] be    [GroupLanes];   // bytes of each of these words
  always_comb begin
    logic [7:0] span;
    span = 'x;
    place = '{default: 'x};
    be = '{default: 'x};
    if (out_i) begin
      for (int i = 0; i < int'(GroupLanes); i++) begin
        for (int w = 0; w < 8; w++) begin
          unique case (lane_size_q)
            3'd4:    span[w] = low_q[i][4] == 1'(w >> 2);
            3'd3:    span[w] = low_q[i][4:3] == 2'(w >> 1);
            default: span[w] = low_q[i][4:2] == 3'(w);
          endcase
        end
        place[i] = win_q[i] ? span : '0;
        unique case (lane_size_q)
          3'd0:    be[i] = 4'b0001 << low_q[i][1:0];
          3'd1:    be[i] = low_q[i][1] ? 4'b1100 : 4'b0011;
          default: be[i] = 4'b1111;
        endcase
      end
    end
  end

  // Every byte has one lane at most. cas has one lane: its new value goes to the lower half, the
  // compare value, in place of the last lane's words, to the upper.
  logic [7:0] at;             // words of the packet that some lane fills; cas: in both halves
  logic [7:0] fill [GroupLanes];
  always_comb begin
    at = 'x;
    fill = '{default: 'x};
    if (out_i) begin
      at = '0;
      for (int i = 0; i < int'(GroupLanes); i++) at = at | place[i];
      at = {2{at[7:4] | at[3:0]}};
      for (int i = 0; i < int'(GroupLanes); i++) begin
        fill[i] = place[i];
        if (is_cas_q) begin
          fill[i] = {(i == int'(GroupLanes) - 1) ? at[7:4] : 4'h0, win_q[i] ? at[3:0] : 4'h0};
        end
      end
    end
  end

  if (GroupLanes == 4) begin : gen_four
    // The lane of each byte as a number: two LUT4 per bit of data. Data outside the mask (cas:
    // outside the element in both halves) and data of a load are anything.
    logic half;   // cas: the half of the sector that the element is in
    always_comb begin
      half = 1'b0;
      for (int i = 0; i < 4; i++) half = half | (win_q[i] & low_q[i][4]);
    end
    for (genvar w = 0; w < 8; w++) begin : gen_word
      for (genvar j = 0; j < 4; j++) begin : gen_byte
        logic [7:0] x [4];
        logic [1:0] lane;
        logic       any;
        always_comb begin
          for (int i = 0; i < 4; i++) x[i] = elem_q[i][w % LsuWords][8*j +: 8];
          if (w > 3 && is_cas_q) x[3] = cas_q[w % CasWords][8*j +: 8];
          lane[0] = (fill[1][w] && be[1][j]) || (fill[3][w] && be[3][j]);
          lane[1] = (fill[2][w] && be[2][j]) || (fill[3][w] && be[3][j]);
          any = lane != '0 || (fill[0][w] && be[0][j]);
          mask_o[4*w + j] = any && !(is_cas_q && half != 1'(w >> 2));
        end
        word_mux #(.Words(4), .Width(8)) u_byte (
          .en_i(out_i && any && !is_load_q), .at_i(lane), .x_i(x), .y_o(data_o[32*w + 8*j +: 8])
        );
      end
    end
  end else begin : gen_any
    always_comb begin
      logic [31:0] word;
      word = 'x;
      mask_o = 'x;
      data_o = 'x;
      if (out_i) begin
        mask_o = '0;
        for (int i = 0; i < int'(GroupLanes); i++) begin
          for (int w = 0; w < 8; w++) begin
            for (int j = 0; j < 4; j++) begin
              mask_o[4*w + j] = mask_o[4*w + j] | (place[i][w] && be[i][j]);
            end
          end
        end
        if (!is_load_q) begin
          data_o = '0;
          for (int i = 0; i < int'(GroupLanes); i++) begin
            for (int w = 0; w < 8; w++) begin
              word = elem_q[i][w % LsuWords];
              if (i == int'(GroupLanes) - 1 && w > 3 && is_cas_q) word = cas_q[w % int'(CasWords)];
              for (int j = 0; j < 4; j++) begin
                data_o[32*w + 8*j +: 8] = data_o[32*w + 8*j +: 8]
                                          | (word[8*j +: 8] & {8{fill[i][w] && be[i][j]}});
              end
            end
          end
        end
      end
    end
  end
endmodule
