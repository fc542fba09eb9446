// LSU: results that arrive, of packets and of shared memory (docs/microarchitecture.md 10, 11;
// never both in one cycle, 13): which columns, rows and banks of lane storage they go to. Words of
// a packet are picked here and extended, or (LateExtend) handed to the lanes as pairs; shared memory
// delivers finished words, or as they lie in the banks.
module lsu_response
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import lsu_pkg::*;
  import port_pkg::*;
(
  input  logic                rsp_valid_i,
  input  response_t           rsp_i,
  input  logic                smem_valid_i,
  input  smem_rsp_t           smem_i,
  input  mem_type_e           mtype_i,        // of the slot of a packet's response
  output slot_t               rsp_slot_o,
  output logic                rsp_o,          // a packet's response for the LSU
  output slot_t               slot_o,         // of whichever arrives
  output logic                count_o,        // outstanding - 1
  // Place in the sector, by column.
  output logic [RowBits-1:0]  low_row_o,
  input  logic                local_i [Cols],
  input  logic [4:0]          low_i   [Cols],
  // Result words.
  output logic [Cols-1:0]     col_o,
  output logic [LsuWords-1:0] bank_o,
  output logic [ResBits-1:0]  row_o,
  output logic [31:0]         data_o [GroupLanes][LsuWords]
);

  slot_t      rsp_slot;
  logic [1:0] grp, part;
  logic       in_l;
  lsu_tag_t   tag;
  assign tag = rsp_i.tag;
  assign rsp_o = rsp_valid_i && rsp_i.unit == FromLsu &&
                 (rsp_i.op == OpLd || rsp_i.op == OpAtom);
  // Lanes of the tag: of eight; where a group has fewer, all lie in one group.
  logic [4:0] rsp_lane0;
  lanes_t     rsp_lanes;
  always_comb begin
    rsp_lane0 = {grp, 3'b0};
    rsp_lanes = '0;
    for (int i = 0; i < 8; i += int'(GroupLanes)) begin
      if (tag.lanes[i +: GroupLanes] != '0) rsp_lane0[2:0] = rsp_lane0[2:0] | 3'(i);
      rsp_lanes = rsp_lanes | tag.lanes[i +: GroupLanes];
    end
  end
  assign rsp_slot = slot_t'(tag.slot);
  assign grp = tag.group;
  assign part = tag.part;
  assign slot_o = smem_valid_i ? smem_i.slot : rsp_slot;
  assign count_o = smem_valid_i ? smem_i.last : rsp_o;
  assign rsp_slot_o = rsp_slot;

  logic [4:0] lane0;
  assign low_row_o = row_of(slot_o, lane0);
  always_comb begin
    logic [1:0] sub;
    col_o = '0;
    bank_o = '0;
    in_l = 1'b0;
    sub = '0;
    lane0 = rsp_lane0;
    if (smem_valid_i) begin
      lane0 = 5'(32'(smem_i.beat) * LsuLanes);
      col_o = smem_i.mask;
      for (int k = 0; k < 4; k++) begin
        if (smem_i.words[k]) bank_o[k % int'(LsuWords)] = 1'b1;
      end
      // Words of several rows come in several deliveries.
      if (LsuWords == 2) sub = 2'(smem_i.words[3:2] != '0);
    end else if (rsp_o) begin
      col_o = Cols'(rsp_lanes) << col_of(lane0[4:GroupBits], 0);
      // A pair of words of the sector, whatever the part.
      bank_o = '1;
      if (LateExtend) begin
        sub = part;
      end else begin
        // All lanes of a packet have the class of the phase that sent it.
        for (int i = 0; i < int'(Cols); i++) if (col_o[i] && local_i[i]) in_l = 1'b1;
        if (in_l) begin
          bank_o = LsuWords'(1) << (32'(part) % LsuWords);
          sub = 2'(32'(part) / LsuWords);
        end
      end
    end
    row_o = ResBits'(32'(row_of(slot_o, lane0)) * WordRows + 32'(sub) % WordRows);
  end

  if (LateExtend) begin : gen_raw
    for (genvar i = 0; i < int'(GroupLanes); i++) begin : gen_lane
      logic [1:0]  pair;
      logic [63:0] pairs [4], words;
      always_comb begin
        pair = low_i[col_of(rsp_lane0[4:GroupBits], i)][4:3];
        if (part[0] && !local_i[col_of(rsp_lane0[4:GroupBits], i)]) pair[0] = 1'b1;
        for (int p = 0; p < 4; p++) pairs[p] = rsp_i.data[64*p +: 64];
      end
      word_mux #(.Words(4), .Width(64)) u_pair (
        .en_i(rsp_o), .at_i(pair), .x_i(pairs), .y_o(words)
      );
      assign data_o[i][0] = words[31:0];
      assign data_o[i][1] = words[63:32];
    end
    logic unused_type;
    assign unused_type = ^mtype_i;
  end else begin : gen_extended
    always_comb begin
      logic [31:0] sector [8];
      logic [31:0] even, odd;
      logic [4:0]  at;
      logic        loc;
      {at, loc, even, odd} = 'x;
      sector = '{default: 'x};
      data_o = '{default: 'x};
      if (rsp_o) begin
        for (int i = 0; i < 8; i++) sector[i] = rsp_i.data[32*i +: 32];
        for (int i = 0; i < int'(GroupLanes); i++) begin
          at = low_i[col_of(rsp_lane0[4:GroupBits], i)];
          loc = local_i[col_of(rsp_lane0[4:GroupBits], i)];
          even = sector[{at[4:3], 1'b0}];
          odd = sector[{at[4:3], 1'b1}];
          data_o[i][0] = extend(mtype_i, at[2] ? odd : even, at[1:0]);
          // Further words of an aligned access; a local part has one word, for whichever place.
          for (int k = 1; k < int'(LsuWords); k++) begin
            if (loc) data_o[i][k] = (i % 2 != 0) ? odd : even;
            else if (k == 1) data_o[i][k] = odd;
            else data_o[i][k] = sector[{at[4], 2'(k)}];
          end
        end
      end
    end
  end

  logic unused;
  assign unused = ^{rsp_i, smem_i, in_l};
endmodule
