// The copy engine (docs/microarchitecture.md 23) with its structs as single ports for copy_tb.cpp. What
// an instruction's lane does not bring in X1 is noise: other lanes, other sub-cores, other units.
module copy_bench
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import copy_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  // Launch.
  input  logic [63:0]  mem_base_i,
  input  logic [63:0]  mem_limit_i,
  input  logic [31:0]  smem_units_i,
  input  logic [31:0]  smem_bytes_i,
  input  logic [7:0]   warp_cta_i [Warps],
  // X1.
  input  logic         x1_valid_i,
  input  logic         x1_copy_i,     // of the copy engine, else of another unit
  input  logic         x1_last_i,
  input  logic [7:0]   warp_i,        // slot
  input  logic [4:0]   lane_i,
  input  logic [27:0]  pc_i,
  input  logic [3:0]   kind_i,
  input  logic [3:0]   mtype_i,
  input  logic [3:0]   atom_i,
  input  logic [31:0]  word_i [3],
  input  logic [31:0]  noise_i,
  output logic         put_free_o,
  output logic         resolve_o,
  // Groups.
  input  logic [63:0]  commit_i,
  input  logic         ask_i,
  input  logic [7:0]   ask_warp_i,    // slot
  input  logic         ask_bulk_i,    // the question is of BWAIT
  input  logic [5:0]   most_i,
  input  logic         reads_i,
  output logic         left_o,        // of the warp that asked in the last cycle
  // SM port.
  output logic         req_o,
  output logic [2:0]   op_o,
  output logic [3:0]   atom_o,
  output logic [3:0]   atype_o,
  output logic [58:0]  sector_o,
  output logic [31:0]  mask_o,
  output logic [4:0]   from_o,        // SM and unit
  output logic [15:0]  tag_o,
  output logic [255:0] data_o,
  input  logic         req_grant_i,
  input  logic         rsp_i,
  input  logic [2:0]   rsp_op_i,
  input  logic [2:0]   rsp_unit_i,
  input  logic [15:0]  rsp_tag_i,
  input  logic [255:0] rsp_data_i,
  // Chunk port.
  output logic         chunk_o,
  output logic         chunk_store_o,
  output logic [7:0]   chunk_tag_o,
  output logic [7:0]   quad_valid_o,
  output logic [15:0]  quad_row_o [Quads],
  output logic [15:0]  quad_bytes_o [Quads],
  output logic [127:0] quad_data_o [Quads],
  input  logic         chunk_grant_i,
  input  logic         answer_i,
  input  logic [2:0]   answer_from_i,   // 0: this requester, else another
  input  logic [7:0]   answer_tag_i,
  input  logic [127:0] answer_data_i [Quads],
  // Signal, ends.
  output logic         signal_o,
  output logic [31:0]  signal_at_o,
  output logic [31:0]  signal_bytes_o,
  input  logic         signal_taken_i,
  input  logic         delivered_i,
  input  logic         misuse_i,
  output logic         freed_o,
  output logic [7:0]   freed_warp_o,
  output logic         refused_o,
  output logic [7:0]   refused_warp_o,
  output logic [63:0]  busy_o,
  output logic [63:0]  wake_o,
  output logic         trap_o,
  output logic [4:0]   cause_o,
  output logic [7:0]   trap_warp_o,
  output logic [4:0]   trap_lane_o,
  output logic [27:0]  trap_pc_o,
  output logic [63:0]  trap_addr_o,
  output logic         rest_o
);
  logic [31:0]        lb [LaunchBlockWords];
  logic [CtaBits-1:0] cta [Warps];
  always_comb begin
    for (int unsigned i = 0; i < LaunchBlockWords; i++) lb[i] = 32'hdeadbeef ^ i;
    {lb[LaunchMemBase+1], lb[LaunchMemBase]} = mem_base_i;
    {lb[LaunchMemLimit+1], lb[LaunchMemLimit]} = mem_limit_i;
    lb[LaunchSmemUnits] = smem_units_i;
    lb[LaunchSmemBytes] = smem_bytes_i;
    for (int unsigned w = 0; w < Warps; w++) cta[w] = CtaBits'(warp_cta_i[w]);
  end

  x1_t         x1 [SubCores];
  logic [31:0] a [SubCores][Lanes], b [SubCores][Lanes], c [SubCores][Lanes];
  copy_ask_t   ask [SubCores];
  always_comb begin
    for (int unsigned k = 0; k < SubCores; k++) begin
      x1[k] = '0;
      x1[k].valid = noise_i[k];
      x1[k].last = noise_i[k+4];
      x1[k].mask = Lanes'(noise_i);
      x1[k].info.unit = UnitLsu;
      for (int unsigned l = 0; l < Lanes; l++) begin
        a[k][l] = noise_i ^ l;
        b[k][l] = noise_i + l;
        c[k][l] = ~noise_i;
      end
      ask[k] = '0;
    end
    if (x1_valid_i) begin
      x1[sub_of(warp_slot_t'(warp_i))] = '0;
      x1[sub_of(warp_slot_t'(warp_i))].valid = 1'b1;
      x1[sub_of(warp_slot_t'(warp_i))].last = x1_last_i;
      x1[sub_of(warp_slot_t'(warp_i))].step = $bits(x1[0].step)'(x1_last_i);
      x1[sub_of(warp_slot_t'(warp_i))].beat = BeatBits'(32'(lane_i) / Lanes);
      x1[sub_of(warp_slot_t'(warp_i))].mask = Lanes'(1) << (32'(lane_i) % Lanes);
      x1[sub_of(warp_slot_t'(warp_i))].warp = warp_of(warp_slot_t'(warp_i));
      x1[sub_of(warp_slot_t'(warp_i))].pc = pc_i;
      x1[sub_of(warp_slot_t'(warp_i))].info.unit = x1_copy_i ? UnitCopy : UnitLdc;
      x1[sub_of(warp_slot_t'(warp_i))].info.kind = mem_kind_e'(kind_i);
      x1[sub_of(warp_slot_t'(warp_i))].info.mtype = mem_type_e'(mtype_i);
      x1[sub_of(warp_slot_t'(warp_i))].info.atom = atom_op_e'(atom_i);
      a[sub_of(warp_slot_t'(warp_i))][32'(lane_i)%Lanes] = word_i[0];
      b[sub_of(warp_slot_t'(warp_i))][32'(lane_i)%Lanes] = word_i[1];
      c[sub_of(warp_slot_t'(warp_i))][32'(lane_i)%Lanes] = word_i[2];
    end
    ask[sub_of(warp_slot_t'(ask_warp_i))] =
        '{valid: ask_i, warp: warp_of(warp_slot_t'(ask_warp_i)), most: most_i, bulk: ask_bulk_i,
          read: reads_i};
  end

  sub_t asked_q;
  always_ff @(posedge clk_i) asked_q <= sub_of(warp_slot_t'(ask_warp_i));
  logic [SubCores-1:0] left;
  assign left_o = left[asked_q];

  packet_t      req;
  response_t    rsp;
  chunk_req_t   chunk;
  chunk_rsp_t   answer;
  copy_signal_t signal;
  logic [Warps-1:0] busy, wake;
  trap_t        trap;
  always_comb begin
    rsp = '0;
    rsp.op = rsp_op_i;
    rsp.unit = rsp_unit_i;
    rsp.tag = rsp_tag_i;
    rsp.data = rsp_data_i;
    answer = '0;
    answer.valid = answer_i;
    answer.requester = answer_from_i + ChunkNumberBits'(ChunkCopy);
    answer.tag = answer_tag_i;
    for (int unsigned q = 0; q < Quads; q++) answer.data[q] = answer_data_i[q];
  end
  copy dut (
    .clk_i, .rst_ni, .clear_i, .lb_i(lb), .warp_cta_i(cta),
    .x1_i(x1), .x1_a_i(a), .x1_b_i(b), .x1_c_i(c), .put_free_o, .resolve_o,
    .commit_i(commit_i[Warps-1:0]), .ask_i(ask), .left_o(left),
    .req_valid_o(req_o), .req_o(req), .req_grant_i, .rsp_valid_i(rsp_i), .rsp_i(rsp),
    .chunk_o(chunk), .chunk_grant_i, .chunk_rsp_i(answer),
    .signal_o(signal), .signal_taken_i, .delivered_i, .misuse_i,
    .busy_o(busy), .wake_o(wake), .trap_o(trap), .rest_o
  );
  assign {op_o, atom_o, atype_o} = {req.op, req.atom, req.atype};
  assign sector_o = req.sector;
  assign mask_o = req.mask;
  assign from_o = {req.sm, req.unit};
  assign tag_o = req.tag;
  assign data_o = req.data;
  assign chunk_o = chunk.valid;
  assign chunk_store_o = chunk.store;
  assign chunk_tag_o = chunk.tag;
  always_comb begin
    quad_valid_o = '0;
    for (int unsigned q = 0; q < Quads; q++) begin
      quad_valid_o[q] = chunk.quad[q].valid;
      quad_row_o[q] = 16'(chunk.quad[q].row);
      quad_bytes_o[q] = chunk.quad[q].bytes;
      quad_data_o[q] = chunk.quad[q].data;
    end
  end
  assign signal_o = signal.valid;
  assign signal_at_o = signal.at;
  assign signal_bytes_o = signal.bytes;
  // Ends: an entry is freed; an instruction with a fault is in T.
  assign freed_o = dut.free;
  assign freed_warp_o = 8'(dut.info[dut.fin].warp);
  assign refused_o = dut.bad;
  assign refused_warp_o = 8'(dut.command.warp);
  assign busy_o = 64'(busy);
  assign wake_o = 64'(wake);
  assign trap_o = trap.valid;
  assign cause_o = trap.cause;
  assign trap_warp_o = 8'(trap.warp);
  assign trap_lane_o = trap.lane;
  assign trap_pc_o = trap.pc;
  assign trap_addr_o = trap.addr;
endmodule
