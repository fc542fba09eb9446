// Copy engine: groups of stores and reductions by warp (docs/microarchitecture.md 23.4): how many
// groups a warp has closed since each entry, the questions of BWAIT, and whom an end wakes.

module copy_groups
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import copy_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 take_i,
  input  entry_t               put_i,
  // Entries.
  input  logic [CopyQueue-1:0] used_i,
  input  logic [CopyQueue-1:0] read_i,
  // verilator lint_off UNUSEDSIGNAL // warp and kind
  input  info_t                info_i [CopyQueue],
  // verilator lint_on UNUSEDSIGNAL
  // Warps.
  input  logic [Warps-1:0]     commit_i,
  input  copy_ask_t            ask_i [SubCores],  // a cycle before the answer
  output logic [SubCores-1:0]  left_o,
  // Ends of entries.
  input  event_t               read_end_i,
  input  event_t               freed_i,
  output logic [Warps-1:0]     wake_o
);
  localparam logic [5:0] OldAge = '1;

  logic [CopyQueue-1:0] counted;   // entries that groups are of
  always_comb begin
    for (int unsigned i = 0; i < CopyQueue; i++) counted[i] = used_i[i] && !is_load(info_i[i].kind);
  end

  logic [5:0] age_q [CopyQueue];
  always_ff @(posedge clk_i) begin
    if (take_i) age_q[put_i] <= '0;
    if (commit_i != '0) begin
      for (int unsigned i = 0; i < CopyQueue; i++) begin
        if (counted[i] && commit_i[info_i[i].warp] && age_q[i] != OldAge) age_q[i] <= age_q[i] + 6'd1;
      end
    end
  end

  // A warp that asks issues nothing until it has the answer: its entries can only end meanwhile.
  for (genvar k = 0; k < SubCores; k++) begin : gen_ask
    logic [CopyQueue-1:0] old_q;
    logic                 reads_q;
    always_ff @(posedge clk_i) begin
      if (ask_i[k].valid) begin
        for (int unsigned i = 0; i < CopyQueue; i++) begin
          old_q[i] <= counted[i] && info_i[i].warp == slot_of(ask_i[k].warp, sub_t'(k)) &&
                      age_q[i] > ask_i[k].most && ask_i[k].bulk;
        end
        reads_q <= ask_i[k].read;
      end
    end
    assign left_o[k] = (old_q & used_i & ~(read_i & {CopyQueue{reads_q}})) != '0;
  end

  always_comb begin
    wake_o = '0;
    if (read_end_i.valid) wake_o[info_i[read_end_i.entry].warp] = 1'b1;
    if (freed_i.valid && counted[freed_i.entry]) wake_o[info_i[freed_i.entry].warp] = 1'b1;
  end
endmodule
