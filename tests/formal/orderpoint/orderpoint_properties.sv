// Order point (docs/microarchitecture.md 13): the packets of one watched sector are performed in the
// order in which they were accepted, each with exactly the memory operations of its kind, and each
// is answered once, with its own op, unit and tag and the data that memory gave; no packet and no
// row is lost. Bottom half: what the table must look like for that (looks into the unit).
// Assumed: memory answers only what it accepted, in any order and after any time; all sectors lie
// in one block of 4 GiB. Smaller than the machine: OpTable rows, four sectors, tags of four bits
// (the top one tells the watched sector; the unit returns tags unread), one byte of data and mask.
// With TURNS instead: while a row waits for one of the two channels, the atomic unit or the response
// channel, that serves OpTable - 1 others at most.
// Not here: values of atomics, and that memory accepts and answers at last.
module orderpoint_properties
  import wl_pkg::*;
  import config_pkg::*;
#(
  localparam int unsigned IdBits = $clog2(OpTable)
) (
  input logic              clk_i,
  input logic              stall_admit_i,
  input logic              stall_response_i,
  input logic              valid_i,
  input logic [1:0]        op_i,
  input logic [3:0]        atom_i,
  input logic [3:0]        type_i,
  input logic [7:0]        words_i,
  input logic              mask_i,
  input logic [1:0]        sector_i,
  input logic [1:0]        watched_i,
  input logic [2:0]        unit_i,
  input logic [2:0]        tag_i,
  input logic [7:0]        data_i,
  input logic              ar_ready_i,
  input logic              aw_ready_i,
  input logic              r_valid_i,
  input logic [IdBits-1:0] r_id_i,
  input logic [7:0]        r_data_i,
  input logic              b_valid_i,
  input logic [IdBits-1:0] b_id_i
);
  localparam int unsigned Byte = 22;   // the byte of the sector that is looked at
  localparam logic [2:0] OpLd = 3'd0;
  localparam logic [2:0] OpSt = 3'd1;
  localparam logic [2:0] OpAtom = 3'd2;
  localparam logic [31:0] Block = 32'h0000_0123;
  typedef logic [OpTable-1:0] rows_t;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [1:0] watched_q;
  always_ff @(posedge clk_i) if (!rst_n) watched_q <= watched_i;

  packet_t packet;
  logic    mine;
  assign mine = sector_i == watched_q;
  always_comb begin
    packet = '0;
    packet.op = {1'b0, op_i};
    packet.atom = atom_i;
    packet.atype = type_i;
    packet.sector = {Block, 25'd0, sector_i};
    for (int unsigned k = 0; k < 8; k++) packet.mask[4*k] = words_i[k];
    packet.mask[Byte] = mask_i;
    packet.unit = unit_i;
    packet.tag = {mine, 12'd0, tag_i};
    packet.data[8*Byte +: 8] = data_i;
  end

  logic    ready, rsp_valid, ar_valid, aw_valid;
  response_t rsp;
  logic [IdBits-1:0] ar_id, aw_id;
  logic [63:0]  ar_addr, aw_addr;
  logic [255:0] w_data;
  logic [31:0]  w_strb;
  orderpoint dut (
    .clk_i, .rst_ni(rst_n), .stall_admit_i, .stall_response_i,
    .op_valid_i(valid_i), .op_packet_i(packet), .op_ready_o(ready),
    .rsp_valid_o(rsp_valid), .rsp_o(rsp),
    .ar_valid_o(ar_valid), .ar_ready_i, .ar_id_o(ar_id), .ar_addr_o(ar_addr),
    .r_valid_i, .r_id_i, .r_data_i({72'd0, r_data_i, 176'd0}),
    .aw_valid_o(aw_valid), .aw_ready_i, .aw_id_o(aw_id), .aw_addr_o(aw_addr),
    .w_data_o(w_data), .w_strb_o(w_strb), .b_valid_i, .b_id_i
  );

  // Memory: what is under way.
  logic ar, aw;
  rows_t reads_q, writes_q;
  assign ar = ar_valid && ar_ready_i;
  assign aw = aw_valid && aw_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      reads_q <= '0;
      writes_q <= '0;
    end else begin
      reads_q <= (reads_q & ~(rows_t'(r_valid_i) << r_id_i)) | (rows_t'(ar) << ar_id);
      writes_q <= (writes_q & ~(rows_t'(b_valid_i) << b_id_i)) | (rows_t'(aw) << aw_id);
    end
  end

  // Packets of the watched sector in flight, the oldest first. One in the table and one in the input
  // register at most.
  typedef enum logic [2:0] {Waits, Reads, ReadDone, Writes, Done} phase_e;
  typedef struct packed {
    logic [2:0] op;
    logic [2:0] unit;
    logic [2:0] tag;
    logic       mask;
    logic [7:0] data;
  } entry_t;
  entry_t     old_q, young_q;
  logic       old_valid_q, young_valid_q;
  phase_e     phase_q;
  logic [IdBits-1:0] id_q;
  logic [7:0] read_q;
  logic       accept, my_ar, my_aw, my_rsp;
  entry_t     entering;
  assign entering = '{op: packet.op, unit: unit_i, tag: tag_i, mask: mask_i, data: data_i};
  assign accept = rst_n && valid_i && ready && mine;
  assign my_ar = ar && ar_addr[63:5] == {Block, 25'd0, watched_q};
  assign my_aw = aw && aw_addr[63:5] == {Block, 25'd0, watched_q};
  assign my_rsp = rst_n && rsp_valid && rsp.tag[15];
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      old_valid_q <= 1'b0;
      young_valid_q <= 1'b0;
    end else begin
      if (my_ar) begin
        phase_q <= Reads;
        id_q <= ar_id;
      end
      if (r_valid_i && phase_q == Reads && r_id_i == id_q) begin
        phase_q <= (old_q.op == OpLd) ? Done : ReadDone;
        read_q <= r_data_i;
      end
      if (my_aw) begin
        phase_q <= Writes;
        id_q <= aw_id;
      end
      if (b_valid_i && phase_q == Writes && b_id_i == id_q) phase_q <= Done;
      if (my_rsp || !old_valid_q) begin
        old_valid_q <= young_valid_q || accept;
        old_q <= young_valid_q ? young_q : entering;
        young_valid_q <= young_valid_q && accept;
        phase_q <= Waits;
      end else if (accept) begin
        young_valid_q <= 1'b1;
      end
      if (accept) young_q <= entering;
    end
  end

  logic [2*OpTable-1:0] answer_next;   // what the response channel chooses
  always_comb answer_next = dut.row_after(dut.resp_q, dut.resp_above_q);

  // All packets.
  logic [IdBits+1:0] count_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) count_q <= '0;
    else count_q <= count_q + (IdBits+2)'(valid_i && ready) - (IdBits+2)'(rsp_valid);
  end
  rows_t with_unit, waits;
  assign with_unit = dut.atomic_idle ? '0 : rows_t'(1) << dut.atomic_row;
  assign waits = reads_q | writes_q | with_unit;

  // Where the watched sector is.
  logic  in_mine;
  rows_t my_rows;
  logic [7:0] stored [OpTable];    // the packet's byte
  assign in_mine = dut.in_valid_q && dut.in_q.sector[26:0] == {25'd0, watched_q};
  for (genvar i = 0; i < OpTable; i++) begin : gen_mine
    assign my_rows[i] = dut.used_q[i] && dut.sector_q[i] == {25'd0, watched_q};
    assign stored[i] = dut.gen_word[Byte/4].packet_q[i][8*(Byte%4) +: 8];
  end

  always @(posedge clk_i) begin
    if (r_valid_i) assume (reads_q[r_id_i]);
    if (b_valid_i) assume (writes_q[b_id_i]);
  end

`ifdef TURNS
  // One row of each choice is watched. The distance from the last row served to it bounds how many
  // others come before it.
  localparam int unsigned Choices = 4;
  logic [IdBits-1:0] turn_row_q;
  always_ff @(posedge clk_i) if (!rst_n) turn_row_q <= r_id_i;

  rows_t              waiting [Choices];   // rows in the state that the choice takes from
  logic [Choices-1:0] serves;
  logic [IdBits-1:0]  served [Choices];
  rows_t              above [Choices];     // the unit's register of the choice
  assign waiting[0] = dut.rreq_q;
  assign waiting[1] = dut.wreq_q;
  assign waiting[2] = dut.atom_q;
  assign waiting[3] = dut.resp_q;
  assign serves = {rsp_valid, dut.atom_q != '0 && dut.atomic_idle, aw, ar};
  assign served[0] = ar_id;
  assign served[1] = aw_id;
  assign served[2] = dut.atom_row_q;
  assign served[3] = dut.resp_row_q;
  assign above[0] = dut.read_above_q;
  assign above[1] = dut.write_above_q;
  assign above[2] = dut.atom_above_q;
  assign above[3] = dut.resp_above_q;

  for (genvar c = 0; c < Choices; c++) begin : gen_turns
    logic [IdBits:0]   others_q;   // served since the watched row came into the state
    logic [IdBits-1:0] last_q;     // row served last
    logic [IdBits:0]   distance;   // 1 to OpTable
    assign distance = (IdBits+1)'(IdBits'(turn_row_q - last_q - IdBits'(1))) + (IdBits+1)'(1);
    always_ff @(posedge clk_i) begin
      if (!rst_n) begin
        others_q <= '0;
        last_q <= IdBits'(OpTable - 1);
      end else begin
        if (serves[c]) last_q <= served[c];
        if (!waiting[c][turn_row_q]) others_q <= '0;
        else if (serves[c]) others_q <= (served[c] == turn_row_q) ? '0 : others_q + 1'b1;
      end
    end
    always @(posedge clk_i) begin
      if (rst_n) begin
        a_turn: assert (32'(others_q) < OpTable);
        a_left: assert (32'(others_q) + 32'(distance) <= OpTable);
        a_served: assert (!serves[c] || waiting[c][served[c]]);
        a_above: assert (above[c] == rows_t'({OpTable{1'b1}} << 1) << last_q);
        // With four rows the bound is reached, but for the atomic unit: it takes what comes first.
        c_longest: cover (32'(others_q) == ((c == 2) ? 2 : 3) && serves[c] &&
                          served[c] == turn_row_q);
        c_round: cover (serves[c] && served[c] < last_q && waiting[c][turn_row_q] &&
                        turn_row_q < last_q && served[c] != turn_row_q);
      end
    end
  end
`else
  logic passed_q;   // a younger packet of another sector was answered before the oldest watched one
  always_ff @(posedge clk_i) begin
    if (!rst_n || my_rsp || !old_valid_q) passed_q <= 1'b0;
    else if (rsp_valid) passed_q <= 1'b1;
  end

  always @(posedge clk_i) begin
    if (rst_n) begin
      if (my_ar) a_read: assert (old_valid_q && phase_q == Waits && old_q.op != OpSt);
      if (my_aw) begin
        a_write: assert (old_valid_q && (old_q.op == OpSt ? phase_q == Waits
                                         : old_q.op != OpLd && phase_q == ReadDone));
        a_strobe: assert (w_strb[Byte] == old_q.mask);
        if (old_q.op == OpSt) a_data: assert (w_data[8*Byte +: 8] == old_q.data);
      end
      if (my_rsp) begin
        a_done: assert (old_valid_q && phase_q == Done);
        a_whose: assert (rsp.op == old_q.op && rsp.unit == old_q.unit && rsp.tag[2:0] == old_q.tag);
        if (old_q.op == OpLd || old_q.op == OpAtom) begin
          a_value: assert (rsp.data[8*Byte +: 8] == read_q);
        end
      end
      if (accept) a_room: assert (!young_valid_q || my_rsp);
      if (ar) a_read_id: assert (!reads_q[ar_id] && !writes_q[ar_id]);
      if (aw) a_write_id: assert (!reads_q[aw_id] && !writes_q[aw_id]);
      a_block: assert ((!ar || ar_addr[63:32] == Block) && (!aw || aw_addr[63:32] == Block));
      // Each row in use is in exactly one place from which it goes on, a free one in none.
      a_places: assert (
        (dut.rreq_q | dut.wreq_q | dut.atom_q | dut.resp_q | waits) == dut.used_q);
      a_one_place: assert (
        (dut.rreq_q & (dut.wreq_q | dut.atom_q | dut.resp_q | waits)) == '0 &&
        (dut.wreq_q & (dut.atom_q | dut.resp_q | waits)) == '0 &&
        (dut.atom_q & (dut.resp_q | waits)) == '0 && (dut.resp_q & waits) == '0 &&
        (reads_q & writes_q) == '0 && (with_unit & (reads_q | writes_q)) == '0);
      // The choices for the atomic unit and of answers are made a cycle ahead.
      a_chosen: assert (!dut.atomic_idle || dut.atom_q == '0 || dut.atom_q[dut.atom_row_q]);
      a_answers: assert (dut.resp_valid_q == (dut.resp_q != '0));
      if (dut.resp_valid_q) begin
        a_answer: assert (dut.resp_choice_q == answer_next &&
                          dut.resp_choice_q.row == rows_t'(1) << dut.resp_row_q &&
                          dut.resp_head_q == dut.resp_info_q[dut.resp_row_q]);
      end
      // What was compared as the packet entered.
      if (dut.in_valid_q) begin
        for (int unsigned i = 0; i < OpTable; i++) begin
          assert (!dut.used_q[i] ||
                          dut.same_q[i] == (dut.sector_q[i] == dut.in_q.sector[26:0]));
        end
      end
      a_count: assert (32'(count_q) == $countones(dut.used_q) + 32'(dut.in_valid_q));
`ifdef INDUCTION
      // ---- Registers. Sectors are those of the bench; no two rows have one.
      if (dut.in_valid_q) begin
        a_in: assert (dut.in_q.sector[26:2] == '0 && !dut.in_q.op[2] &&
                      dut.in_q.tag[15] == in_mine);
      end
      a_block_q: assert (dut.in_q.sector[58:27] == Block || (dut.used_q == '0 && !dut.in_valid_q));
      a_old: assert (old_valid_q == (my_rows != '0 || in_mine));
      a_young: assert (young_valid_q == (my_rows != '0 && in_mine));
      if (in_mine) begin
        a_in_mine: assert ((my_rows != '0 ? young_q : old_q) ==
                           {dut.in_q.op, dut.in_q.unit, dut.in_q.tag[2:0], dut.in_q.mask[Byte],
                            dut.in_q.data[8*Byte +: 8]});
        if (my_rows == '0) a_waits: assert (phase_q == Waits);
      end
      for (int unsigned i = 0; i < OpTable; i++) begin
        if (dut.used_q[i]) begin
          assert (dut.sector_q[i][26:2] == '0 && dut.read_info_q[i] == dut.sector_q[i] &&
                  dut.write_info_q[i].sector == dut.sector_q[i] &&
                  dut.resp_info_q[i].tag[15] == my_rows[i]);
          for (int unsigned j = 0; j < i; j++) begin
            assert (!dut.used_q[j] || dut.sector_q[i] != dut.sector_q[j]);
          end
        end
        if (my_rows[i]) begin
          assert (dut.load_q[i] == (old_q.op == OpLd) && !old_q.op[2] &&
                  dut.write_info_q[i].is_st == (old_q.op == OpSt) &&
                  dut.write_info_q[i].mask[Byte] == old_q.mask &&
                  dut.resp_info_q[i].op == old_q.op && dut.resp_info_q[i].unit == old_q.unit &&
                  dut.resp_info_q[i].tag[2:0] == old_q.tag);
          assert (old_q.op == OpLd || stored[i] == old_q.data);
          unique case (phase_q)
            Waits:    assert (old_q.op == OpSt ? dut.wreq_q[i] : dut.rreq_q[i]);
            Reads:    assert (reads_q[i] && 32'(id_q) == i && old_q.op != OpSt);
            ReadDone: assert ((dut.atom_q[i] || with_unit[i] || dut.wreq_q[i]) &&
                              old_q.op != OpLd && old_q.op != OpSt);
            Writes:   assert (writes_q[i] && 32'(id_q) == i && old_q.op != OpLd);
            default:  assert (dut.resp_q[i] && phase_q == Done);
          endcase
          if (old_q.op != OpSt && phase_q != Waits && phase_q != Reads) begin
            assert (dut.rdata_q[i][8*Byte +: 8] == read_q);
          end
        end
      end
`endif
      c_load: cover (my_rsp && rsp.op == OpLd && read_q == 8'h5a);
      c_store: cover (my_rsp && rsp.op == OpSt && young_valid_q && young_q.op == OpLd);
      c_atomic: cover (my_rsp && rsp.op == OpAtom && old_q.mask);
      c_full: cover (dut.used_q == '1 && dut.in_valid_q && young_valid_q);
      c_passed: cover (my_rsp && passed_q && young_valid_q);
    end
  end
`endif
endmodule
