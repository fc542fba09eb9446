// One coalescer step (docs/microarchitecture.md 10): in the cycle of the step the lanes of one group
// of eight that go into one packet; from the next cycle on, as long as no further step is made, that
// packet's byte mask and data, formed from copies of the lanes' operands: both in one cycle would be
// too long a path. The LSU keeps what is pending.
module coalescer
  import wl_pkg::*;
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
  input  logic [63:0]  ea_i   [8],
  input  logic [31:0]  data_i [8][4],
  output logic [7:0]   served_o,
  output logic [63:0]  lead_ea_o,
  output logic [31:0]  mask_o,
  output logic [255:0] data_o
);

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  logic [2:0]  leader;
  logic [7:0]  match;
  always_comb begin
    leader = '0;
    for (int i = 7; i >= 0; i--) if (pending_i[i]) leader = 3'(i);
    lead_ea_o = '0;
    match = '0;
    served_o = '0;
    if (en_i || Always) begin
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

  // ---- The packet: what the step leaves.
  logic        local_q, is_load_q, is_cas_q;
  logic [1:0]  part_q;
  logic [2:0]  lane_size_q;   // of what one lane puts into the packet
  logic [2:0]  leader_q;
  logic [7:0]  served_q;
  logic [4:0]  low_q  [8];    // byte in the sector
  logic [31:0] data_q [8][4];
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      local_q <= local_i;
      is_load_q <= is_load_i;
      is_cas_q <= is_cas_i;
      part_q <= part_i;
      lane_size_q <= (local_i && size_i > 3'd2) ? 3'd2 : size_i;
      leader_q <= leader;
      served_q <= served_o;
      for (int i = 0; i < 8; i++) low_q[i] <= ea_i[i][4:0];
      if (!is_load_i) begin
        for (int i = 0; i < 8; i++) begin
          for (int k = 0; k < 4; k++) data_q[i][k] <= data_i[i][k];
        end
      end
    end
  end

  logic [1:0]  lead_low;      // word of the leader in its half sector
  assign lead_low = low_q[leader_q][3:2];
  logic [7:0]  span_of [8];   // words of the sector that a served lane touches
  logic [7:0]  place   [8];   // words of the data that it fills
  logic [3:0]  be      [8];   // bytes of each of these words
  logic [31:0] elem    [4][8]; // word k mod 4 of the data as the lane would fill it
  always_comb begin
    logic [2:0] pos;
    logic [7:0] span;
    pos = '0;
    span = '0;
    for (int i = 0; i < 8; i++) begin
      span_of[i] = '0;
      place[i] = '0;
      be[i] = '0;
      for (int k = 0; k < 4; k++) elem[k][i] = '0;
    end
    if (out_i || Always) begin
      unique case (lane_size_q)
        3'd4:    span = 8'h0f;
        3'd3:    span = 8'h03;
        default: span = 8'h01;
      endcase
      for (int i = 0; i < 8; i++) begin
        pos = local_q ? 3'(i) : low_q[i][4:2];
        if (served_q[i]) span_of[i] = span << pos;
        // cas: the compare value lies in the upper half, the new value is laid over below.
        place[i] = is_cas_q ? {span_of[i][7:4] | span_of[i][3:0], 4'h0} : span_of[i];
        unique case (lane_size_q)
          3'd0:    be[i] = 4'b0001 << low_q[i][1:0];
          3'd1:    be[i] = low_q[i][1] ? 4'b1100 : 4'b0011;
          default: be[i] = 4'b1111;
        endcase
        if (!is_load_q) begin
          // Bytes and halves are repeated so that they lie wherever the address puts them.
          for (int k = 0; k < 4; k++) begin
            unique case (lane_size_q)
              3'd0:    elem[k][i] = {4{data_q[i][0][7:0]}};
              3'd1:    elem[k][i] = {2{data_q[i][0][15:0]}};
              3'd2:    elem[k][i] = data_q[i][local_q ? part_q : 2'd0];
              3'd3:    elem[k][i] = data_q[i][k & 1];
              default: elem[k][i] = data_q[i][k];
            endcase
          end
        end
      end
    end
  end

  // By word and byte the highest served lane that fills it, then one multiplexer.
  always_comb begin
    logic [7:0] fill, taken, win, all;
    logic [7:0] writer [3];
    logic [2:0] who;
    fill = '0;
    taken = '0;
    win = '0;
    all = '0;
    who = '0;
    for (int n = 0; n < 3; n++) writer[n] = '0;
    mask_o = '0;
    data_o = '0;
    if (out_i || Always) begin
      for (int j = 0; j < 4; j++) begin
        taken = '0;
        all = '0;
        for (int n = 0; n < 3; n++) writer[n] = '0;
        for (int i = 7; i >= 0; i--) begin
          all = all | (span_of[i] & {8{be[i][j]}});
          fill = place[i] & {8{be[i][j]}};
          win = fill & ~taken;
          taken = taken | fill;
          for (int n = 0; n < 3; n++) if (((i >> n) & 1) != 0) writer[n] = writer[n] | win;
        end
        for (int w = 0; w < 8; w++) begin
          mask_o[4*w + j] = all[w];
          if (!is_load_q) begin
            for (int n = 0; n < 3; n++) who[n] = writer[n][w];
            data_o[32*w + 8*j +: 8] = elem[w & 3][who][8*j +: 8] & {8{taken[w]}};
          end
        end
      end
      if (is_cas_q) begin
        for (int k = 0; k < 4; k++) begin
          data_o[32*k +: 32] = '0;
          if (lane_size_q == 3'd2 && lead_low == 2'(k)) begin
            data_o[32*k +: 32] = data_q[leader_q][1];
          end
          if (lane_size_q == 3'd3 && lead_low[1] == 1'(k >> 1)) begin
            data_o[32*k +: 32] = data_q[leader_q][2 + (k & 1)];
          end
        end
      end
    end
  end
endmodule
