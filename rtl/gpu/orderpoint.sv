// Order point: the one place where memory operations of the SM are put in order
// (docs/microarchitecture.md 13). A table of sectors in flight keeps operations on one sector in
// order of admission; operations on different sectors may overtake each other. Memory lies outside:
// single-beat 256-bit transfers with ids (an AXI4 subset). Deliberately no combining and no cache.
`include "cells/assert.svh"

module orderpoint
  import wl_pkg::*;
  import config_pkg::*;
  import port_pkg::*;
  import cells_pkg::*;
#(
  localparam int unsigned IdBits = $clog2(OpTable)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              stall_admit_i,     // disturbance (17)
  input  logic              stall_response_i,
  input  logic              op_valid_i,
  input  packet_t           op_packet_i,
  output logic              op_ready_o,
  output logic              rest_o,            // no packet, no row, atomic unit idle (15)
  output logic [31:0]       places_o,          // rows above each `last` (15)
  output logic              rsp_valid_o,
  output response_t         rsp_o,
  output logic              ar_valid_o,
  input  logic              ar_ready_i,
  output logic [IdBits-1:0] ar_id_o,
  output logic [63:0]       ar_addr_o,
  input  logic              r_valid_i,
  input  logic [IdBits-1:0] r_id_i,
  input  logic [255:0]      r_data_i,
  output logic              aw_valid_o,
  input  logic              aw_ready_i,
  output logic [IdBits-1:0] aw_id_o,
  output logic [63:0]       aw_addr_o,
  output logic [255:0]      w_data_o,
  output logic [31:0]       w_strb_o,
  input  logic              b_valid_i,
  input  logic [IdBits-1:0] b_id_i
);
  typedef logic [OpTable-1:0] rows_t;
  typedef logic [IdBits-1:0]  id_t;

  // Fields of a packet that stay in the table, by reader.
  typedef struct packed {
    logic               is_st;
    logic [31:0]        mask;
    logic [LowBits-1:0] sector;
  } write_info_t;
  typedef struct packed {
    logic [3:0] atom;
    logic [3:0] atype;
    logic [7:0] first;  // word in which the first element starts
    logic [7:0] words;  // in which the others start
  } atom_info_t;
  typedef struct packed {
    logic [2:0]  op;
    logic [1:0]              sm;
    logic [PortUnitBits-1:0] unit;
    logic [15:0]             tag;
  } resp_info_t;

  packet_t in_q;
  logic    in_valid_q;
  // A row that is used and in none of the other states waits for memory or is with the atomic unit.
  rows_t used_q, rreq_q, wreq_q, atom_q, resp_q;
  rows_t load_q;

  // Choice of rows: the first one in the state after the last row served, circularly. A register
  // holds the rows above that one; `above` are those above the row chosen.
  typedef struct packed {
    rows_t row;
    rows_t above;
  } row_choice_t;
  function automatic row_choice_t row_after(input rows_t rows, input rows_t above);
    choice_t choice;
    choice = first_after(64'(rows), 64'(above));
    return '{row: rows_t'(choice.first), above: rows_t'(choice.above)};
  endfunction
  rows_t   read_above_q, write_above_q, atom_above_q, resp_above_q;
  row_choice_t read_choice, write_choice;
  rows_t   free_hot, rreq_hot, wreq_hot;
  id_t     free_row, rreq_row, wreq_row;
  always_comb begin
    read_choice = row_after(rreq_q, read_above_q);
    write_choice = row_after(wreq_q, write_above_q);
    free_hot = rows_t'(lowest(64'(~used_q)));
    rreq_hot = read_choice.row;
    wreq_hot = write_choice.row;
    free_row = id_t'(number(64'(free_hot)));
    rreq_row = id_t'(number(64'(rreq_hot)));
    wreq_row = id_t'(number(64'(wreq_hot)));
  end

  // Admission. Device memory is one block of 4 GiB (13): the upper bits of all sectors are equal
  // and are those of the input register.
  // Which rows have the sector of the input register is compared as it enters.
  logic [LowBits-1:0] sector_q [OpTable];
  rows_t same_q, same_d;
  logic  admit;
  always_comb begin
    same_d = 'x;
    if (op_valid_i) begin
      for (int unsigned i = 0; i < OpTable; i++) begin
        same_d[i] = sector_q[i] == op_packet_i.sector[LowBits-1:0];
      end
      // The row that the packet before it takes.
      if (admit) begin
        same_d &= ~free_hot;
        if (in_q.sector[LowBits-1:0] == op_packet_i.sector[LowBits-1:0]) same_d |= free_hot;
      end
    end
  end
  assign admit = in_valid_q && used_q != '1 && (used_q & same_q) == '0 && !stall_admit_i;
  assign op_ready_o = !in_valid_q || admit;

  logic [58-LowBits:0] block;
  assign block = in_q.sector[58:LowBits];

  // Channels to memory.
  logic [LowBits-1:0] read_info_q [OpTable];
  write_info_t        write_info_q [OpTable];
  write_info_t        write_info;
  assign write_info = write_info_q[wreq_row];
  assign ar_valid_o = rreq_q != '0;
  assign ar_id_o = rreq_row;
  assign ar_addr_o = {block, read_info_q[rreq_row], 5'b0};
  assign aw_valid_o = wreq_q != '0;
  assign aw_id_o = wreq_row;
  assign aw_addr_o = {block, write_info.sector, 5'b0};
  assign w_strb_o = write_info.mask;

  // Atomic unit. It works on a row from the cycle of its choice on: on what memory gave and on the
  // packet's data. The choice is made a cycle ahead, of the rows that will be in the state; not so in
  // the cycle of a take, because the unit is not idle in the next one.
  id_t   atom_row_q;   // the choice, if any row is in the state and the unit is idle
  logic  atom_take;
  rows_t atom_rows, atom_next, above_next;
  atom_info_t atom_info_q [OpTable];
  atom_info_t atom_info;
  logic [31:0]  arg [8];
  logic [31:0]  old [8];
  logic         atomic_idle, atomic_done;
  id_t          atomic_row;
  logic [7:0]   atomic_we;
  logic [31:0]  atomic_word;
  assign atom_info = atom_info_q[atom_row_q];
  assign atom_take = atom_q != '0 && atomic_idle;
  logic rest_atomic;
  assign rest_o = !in_valid_q && (used_q | rreq_q | wreq_q | atom_q | resp_q) == '0 && rest_atomic;
  assign places_o = {8'($countones(resp_above_q)), 8'($countones(atom_above_q)),
                     8'($countones(write_above_q)), 8'($countones(read_above_q))};
  atomic #(.Rows(OpTable)) u_atomic (
    .rest_o(rest_atomic),
    .clk_i, .rst_ni,
    .req_valid_i(atom_q != '0), .req_row_i(atom_row_q),
    .req_op_i(atom_op_e'(atom_info.atom)), .req_type_i(mem_type_e'(atom_info.atype)),
    .req_first_i(atom_info.first), .req_words_i(atom_info.words), .old_i(old), .arg_i(arg),
    .idle_o(atomic_idle), .we_o(atomic_we), .row_o(atomic_row), .word_o(atomic_word),
    .done_o(atomic_done)
  );

  // Response channel. Its choice is made a cycle ahead, too: for the case that the row chosen now is
  // sent and for the case that it is not. Whose answer it is is read with it: with that the requesters
  // look up where the data go.
  resp_info_t   resp_info_q [OpTable];
  logic         resp_valid_q;                  // a row is in the state
  row_choice_t  resp_choice_q;                 // the choice; so far as valid
  id_t          resp_row_q, resp_row;
  resp_info_t   resp_head_q;
  logic [255:0] rdata_q [OpTable];
  rows_t        sent_hot, answered, resp_next;  // answered: by memory, no atomics
  rows_t        resp_stay, resp_go;            // the state's rows, if none and if the choice is sent
  row_choice_t  resp_choice;
  assign rsp_valid_o = resp_valid_q && !stall_response_i;
  always_comb begin
    sent_hot = rsp_valid_o ? resp_choice_q.row : '0;
    resp_next = (resp_q & ~sent_hot) | answered;
    resp_stay = resp_q | answered;
    resp_go = (resp_q & ~resp_choice_q.row) | answered;
    resp_choice = rsp_valid_o ? row_after(resp_go, resp_choice_q.above)
                              : row_after(resp_stay, resp_above_q);
    resp_row = id_t'(number(64'(resp_choice.row)));
  end
  always_ff @(posedge clk_i) begin
    resp_valid_q <= rst_ni && resp_next != '0;
    resp_choice_q <= resp_choice;
    resp_row_q <= resp_row;
    resp_head_q <= resp_info_q[resp_row];
  end
  always_comb begin
    rsp_o = 'x;
    if (rsp_valid_o) begin
      rsp_o.op = resp_head_q.op;
      rsp_o.sm = resp_head_q.sm;
      rsp_o.unit = resp_head_q.unit;
      rsp_o.tag = resp_head_q.tag;
      // The others have no data.
      if (resp_head_q.op == OpLd || resp_head_q.op == OpAtom) rsp_o.data = rdata_q[resp_row_q];
    end
  end

  // States. The rows that change in a cycle are in different states, so they are different rows.
  rows_t admit_hot, read_hot, b_hot, done_hot;
  assign admit_hot = admit ? free_hot : '0;
  assign read_hot = r_valid_i ? rows_t'(1) << r_id_i : '0;
  assign b_hot = b_valid_i ? rows_t'(1) << b_id_i : '0;
  assign done_hot = atomic_done ? rows_t'(1) << atomic_row : '0;
  assign answered = (read_hot & load_q) | b_hot;
  always_comb begin
    atom_rows = atom_q | (read_hot & ~load_q);
    atom_next = atom_rows;
    above_next = atom_above_q;
    for (int unsigned i = 0; i < OpTable; i++) begin
      if (atom_take) begin
        if (id_t'(i) == atom_row_q) atom_next[i] = 1'b0;
        above_next[i] = id_t'(i) > atom_row_q;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_valid_q <= 1'b0;
      used_q <= '0;
      rreq_q <= '0;
      wreq_q <= '0;
      atom_q <= '0;
      resp_q <= '0;
      read_above_q <= '0;
      write_above_q <= '0;
      atom_above_q <= '0;
      resp_above_q <= '0;
    end else begin
      if (ar_valid_o && ar_ready_i) read_above_q <= read_choice.above;
      if (aw_valid_o && aw_ready_i) write_above_q <= write_choice.above;
      atom_above_q <= above_next;
      if (rsp_valid_o) resp_above_q <= resp_choice_q.above;
      if (op_ready_o) in_valid_q <= op_valid_i;
      used_q <= (used_q | admit_hot) & ~sent_hot;
      rreq_q <= (rreq_q & ~(ar_ready_i ? rreq_hot : '0)) | (in_q.op != OpSt ? admit_hot : '0);
      wreq_q <= (wreq_q & ~(aw_ready_i ? wreq_hot : '0)) | (in_q.op == OpSt ? admit_hot : '0) |
                done_hot;
      atom_q <= atom_next;
      resp_q <= resp_next;
    end
    atom_row_q <= id_t'(number(first_after(64'(atom_rows), 64'(atom_above_q)).first));
    if (op_ready_o && op_valid_i) begin
      in_q <= op_packet_i;
      same_q <= same_d;
    end
  end

  // Table memories with one write port each. 64-bit elements start in even words, those of 128 bits in
  // each fourth.
  logic [7:0] words, first_word;
  logic       wide, quad;
  always_comb begin
    quad = Atom128 != 0 && mem_type_e'(in_q.atype) == MemTypeB128;
    wide = mem_type_e'(in_q.atype) inside {MemTypeB64, MemTypeU64, MemTypeS64};
    for (int unsigned i = 0; i < 8; i++) begin
      words[i] = in_q.mask[4*i] && !(wide && i[0]) && !(quad && i[1:0] != 2'd0);
    end
    first_word = 8'(lowest(64'(words)));
  end
  always_ff @(posedge clk_i) begin
    if (admit) begin
      logic [LowBits-1:0] sector [OpTable];
      sector = sector_q;
      for (int unsigned i = 0; i < OpTable; i++) begin
        if (admit_hot[i]) begin
          sector[i] = in_q.sector[LowBits-1:0];
          load_q[i] <= in_q.op == OpLd;
        end
      end
      sector_q <= sector;
      read_info_q[free_row] <= in_q.sector[LowBits-1:0];
      write_info_q[free_row] <= '{is_st: in_q.op == OpSt, mask: in_q.mask,
                                  sector: in_q.sector[LowBits-1:0]};
      atom_info_q[free_row] <= '{atom: in_q.atom, atype: in_q.atype,
                                 first: first_word, words: words & ~first_word};
      resp_info_q[free_row] <= '{op: in_q.op, sm: in_q.sm, unit: in_q.unit, tag: in_q.tag};
    end
    if (r_valid_i) rdata_q[r_id_i] <= r_data_i;
  end
  // Data to write: those of the packet (for an atomic its operands), or the words of the atomic
  // unit.
  id_t data_row;   // of the atomic unit
  assign data_row = atomic_idle ? atom_row_q : atomic_row;
  for (genvar i = 0; i < 8; i++) begin : gen_word
    logic [31:0] packet_q [OpTable];
    logic [31:0] result_q [OpTable];
    always_ff @(posedge clk_i) begin
      if (admit && in_q.op != OpLd) packet_q[free_row] <= in_q.data[32*i+:32];
      if (atomic_we[i]) result_q[atomic_row] <= atomic_word;
    end
    always_comb begin
      arg[i] = 'x;
      old[i] = 'x;
      if (!atomic_idle || atom_take) begin
        arg[i] = packet_q[data_row];
        old[i] = rdata_q[data_row][32*i+:32];
      end
      w_data_o[32*i+:32] = 'x;
      if (aw_valid_o) begin
        w_data_o[32*i+:32] = write_info.is_st ? packet_q[wreq_row] : result_q[wreq_row];
      end
    end
  end

  // A used row is in one state at most (none: it is with memory or with the atomic unit), and answers
  // come to rows that are used.
  `WL_ASSERT(StatesApart, (rreq_q & (wreq_q | atom_q | resp_q)) == '0 &&
                          (wreq_q & (atom_q | resp_q)) == '0 && (atom_q & resp_q) == '0)
  `WL_ASSERT(StatesUsed, ((rreq_q | wreq_q | atom_q | resp_q) & ~used_q) == '0)
  `WL_ASSERT(AdmitsToFree, !admit || ($onehot(free_hot) && (free_hot & used_q) == '0))
  `WL_ASSERT(ReadAsked, !r_valid_i || (used_q[r_id_i] &&
                        !(rreq_q[r_id_i] || wreq_q[r_id_i] || atom_q[r_id_i] || resp_q[r_id_i])))
  `WL_ASSERT(WriteAsked, !b_valid_i || (used_q[b_id_i] &&
                         !(rreq_q[b_id_i] || wreq_q[b_id_i] || atom_q[b_id_i] || resp_q[b_id_i])))
  `WL_ASSERT(AnswersRow, resp_valid_q == (resp_q != '0) &&
                         (!resp_valid_q || (resp_choice_q.row == rows_t'(1) << resp_row_q &&
                                            resp_q[resp_row_q])))
  `WL_ASSERT(AtomChosen, !atom_take || atom_q[atom_row_q])
endmodule
