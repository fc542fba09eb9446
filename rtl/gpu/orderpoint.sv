// Order point: the one place where memory operations of the SM are put in order
// (docs/microarchitecture.md 13). A table of sectors in flight keeps operations on one sector in
// order of admission; operations on different sectors may overtake each other. Memory lies outside:
// single-beat 256-bit transfers with ids (an AXI4 subset). Deliberately no combining and no cache.
module orderpoint
  import wl_pkg::*;
  import config_pkg::*;
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

  localparam logic [2:0] OpLd = 3'd0;
  localparam logic [2:0] OpSt = 3'd1;
  localparam logic [2:0] OpAtom = 3'd2;

  typedef enum logic [2:0] {
    RowFree, RowRreq, RowRwait, RowWreq, RowWwait, RowAtom, RowResp
  } row_state_e;

  // Fields of a packet that stay in the table beside its state and data.
  typedef struct packed {
    logic [2:0]  op;
    logic [3:0]  atom;
    logic [3:0]  atype;
    logic [31:0] mask;
    logic [1:0]  unit;
    logic [15:0] tag;
  } row_info_t;

`ifdef SYNTHESIS
  localparam bit Always = 1'b1;   // in gates a disable costs a LUT per bit and gains nothing
`else
  localparam bit Always = 1'b0;
`endif

  packet_t    in_q;
  logic       in_valid_q;
  row_state_e state_q  [OpTable];
  logic [58:0] sector_q [OpTable];
  // Data memories with one write port each: packet data, data read, new values of atomics.
  row_info_t  info_q [OpTable];
  logic [255:0] pdata_q [OpTable];
  logic [255:0] rdata_q [OpTable];
  logic [255:0] ndata_q [OpTable];

  // Lowest row of each kind.
  logic              has_free, has_rreq, has_wreq, has_atom, has_resp, same;
  logic [IdBits-1:0] free_row, rreq_row, wreq_row, atom_row, resp_row;
  always_comb begin
    has_free = 1'b0;
    has_rreq = 1'b0;
    has_wreq = 1'b0;
    has_atom = 1'b0;
    has_resp = 1'b0;
    free_row = '0;
    rreq_row = '0;
    wreq_row = '0;
    atom_row = '0;
    resp_row = '0;
    same = 1'b0;
    for (int i = int'(OpTable) - 1; i >= 0; i--) begin
      unique case (state_q[i])
        RowFree: begin has_free = 1'b1; free_row = IdBits'(i); end
        RowRreq: begin has_rreq = 1'b1; rreq_row = IdBits'(i); end
        RowWreq: begin has_wreq = 1'b1; wreq_row = IdBits'(i); end
        RowAtom: begin has_atom = 1'b1; atom_row = IdBits'(i); end
        RowResp: begin has_resp = 1'b1; resp_row = IdBits'(i); end
        default: ;
      endcase
      if (state_q[i] != RowFree && sector_q[i] == in_q.sector) same = 1'b1;
    end
  end

  // Admission.
  logic admit;
  assign admit = in_valid_q && has_free && !same && !stall_admit_i;
  assign op_ready_o = !in_valid_q || admit;

  // Channels to memory.
  row_info_t wreq_info;
  assign wreq_info = info_q[wreq_row];
  assign ar_valid_o = has_rreq;
  assign ar_id_o = rreq_row;
  assign ar_addr_o = {sector_q[rreq_row], 5'b0};
  assign aw_valid_o = has_wreq;
  assign aw_id_o = wreq_row;
  assign aw_addr_o = {sector_q[wreq_row], 5'b0};
  assign w_strb_o = wreq_info.mask;
  always_comb begin
    w_data_o = '0;
    if (has_wreq || Always) w_data_o = (wreq_info.op == OpSt) ? pdata_q[wreq_row] : ndata_q[wreq_row];
  end

  // Atomic unit.
  logic              atomic_idle, atomic_done;
  logic [IdBits-1:0] atomic_row;
  logic [255:0]      atomic_data, atomic_old, atomic_arg;
  row_info_t         atom_info;
  assign atom_info = info_q[atom_row];
  always_comb begin
    atomic_old = '0;
    atomic_arg = '0;
    if ((has_atom && atomic_idle) || Always) begin
      atomic_old = rdata_q[atom_row];
      atomic_arg = pdata_q[atom_row];
    end
  end
  atomic #(.Rows(OpTable)) u_atomic (
    .clk_i, .rst_ni,
    .req_valid_i(has_atom), .req_row_i(atom_row),
    .req_op_i(atom_op_e'(atom_info.atom)), .req_type_i(mem_type_e'(atom_info.atype)),
    .req_mask_i(atom_info.mask), .req_old_i(atomic_old), .req_data_i(atomic_arg),
    .idle_o(atomic_idle), .done_o(atomic_done), .row_o(atomic_row), .data_o(atomic_data)
  );

  // Response channel.
  row_info_t resp_info;
  assign resp_info = info_q[resp_row];
  assign rsp_valid_o = has_resp && !stall_response_i;
  always_comb begin
    rsp_o = '0;
    if (rsp_valid_o || Always) begin
      rsp_o.op = resp_info.op;
      rsp_o.unit = resp_info.unit;
      rsp_o.tag = resp_info.tag;
      if (resp_info.op == OpLd || resp_info.op == OpAtom) rsp_o.data = rdata_q[resp_row];
    end
  end

  // Each reader of the table uses some of the fields.
  logic unused_info;
  assign unused_info = ^{wreq_info, atom_info, resp_info};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_valid_q <= 1'b0;
      for (int i = 0; i < int'(OpTable); i++) state_q[i] <= RowFree;
    end else begin
      if (op_ready_o) begin
        in_valid_q <= op_valid_i;
        if (op_valid_i) in_q <= op_packet_i;
      end
      // The rows written below are in different states, so they are different rows.
      if (admit) begin
        state_q[free_row] <= (in_q.op == OpSt) ? RowWreq : RowRreq;
        sector_q[free_row] <= in_q.sector;
      end
      if (has_rreq && ar_ready_i) state_q[rreq_row] <= RowRwait;
      if (has_wreq && aw_ready_i) state_q[wreq_row] <= RowWwait;
      if (r_valid_i) state_q[r_id_i] <= (info_q[r_id_i].op == OpLd) ? RowResp : RowAtom;
      if (b_valid_i) state_q[b_id_i] <= RowResp;
      if (atomic_done) state_q[atomic_row] <= RowWreq;
      if (rsp_valid_o) state_q[resp_row] <= RowFree;
    end
  end

  always_ff @(posedge clk_i) begin
    if (admit) begin
      info_q[free_row] <= '{op: in_q.op, atom: in_q.atom, atype: in_q.atype, mask: in_q.mask,
                            unit: in_q.unit, tag: in_q.tag};
      pdata_q[free_row] <= in_q.data;
    end
    if (r_valid_i) rdata_q[r_id_i] <= r_data_i;
    if (atomic_done) ndata_q[atomic_row] <= atomic_data;
  end
endmodule
