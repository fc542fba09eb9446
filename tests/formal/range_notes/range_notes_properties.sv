// Range notes (docs/microarchitecture.md 5): for any warp and register, some note holds it exactly
// while an instruction has it still to write, and no two notes do. So the units that compare notes
// see every pending register, and none that is written. Assumed: what issues is hazard-free, and an
// instruction writes its registers in ascending order (5). Not here: who compares the notes.
module range_notes_properties
  import config_pkg::*;
  import sm_pkg::*;
  import hazard_pkg::*;
(
  input logic       clk_i,
  input logic       set_i,
  input warp_t      set_warp_i,
  input reg_t       set_lo_i,
  input reg_t       set_hi_i,
  input logic       wrote_i,
  input logic [3:0] wrote_note_i,  // whose next register is written
  input warp_t      w_i,
  input reg_t       r_i
);
  localparam int unsigned Notes = RangeNotes;
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic free;
  logic [Notes-1:0] valid, holds;
  warp_t owner [Notes];
  reg_t lo [Notes];
  reg_t hi [Notes];
  warp_t wrote_warp;
  reg_t wrote_reg;
  range_notes #(.Notes(Notes)) dut (
    .clk_i, .rst_ni(rst_n), .set_i, .set_warp_i, .set_lo_i, .set_hi_i, .wrote_i,
    .wrote_warp_i(wrote_warp), .wrote_reg_i(wrote_reg), .free_o(free), .valid_o(valid),
    .warp_o(owner), .lo_o(lo), .hi_o(hi)
  );

  // The instructions under way, in places of their own: registers from next to last.
  logic [Notes-1:0] under_q;
  warp_t of_q [Notes];
  reg_t next_q [Notes];
  reg_t last_q [Notes];
  logic [Notes-1:0] place;         // lowest free one
  logic [3:0] count;
  assign wrote_warp = of_q[wrote_note_i];
  assign wrote_reg = next_q[wrote_note_i];
  assign place = ~under_q & (under_q + Notes'(1));
  warp_t w_q;
  reg_t r_q;
  logic pending_q;                 // register r of warp w
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      under_q <= '0;
      pending_q <= 1'b0;
      w_q <= w_i;
      r_q <= r_i;
    end else begin
      for (int i = 0; i < Notes; i++) begin
        if (set_i && place[i]) begin
          under_q[i] <= 1'b1;
          of_q[i] <= set_warp_i;
          next_q[i] <= set_lo_i;
          last_q[i] <= set_hi_i;
        end else if (wrote_i && 32'(wrote_note_i) == i) begin
          next_q[i] <= next_q[i] + reg_t'(1);
          if (next_q[i] == last_q[i]) under_q[i] <= 1'b0;
        end
      end
      if (set_i && set_warp_i == w_q && set_lo_i <= r_q && r_q <= set_hi_i) pending_q <= 1'b1;
      else if (wrote_i && wrote_warp == w_q && wrote_reg == r_q) pending_q <= 1'b0;
    end
  end

  always_comb begin
    count = '0;
    for (int i = 0; i < Notes; i++) begin
      holds[i] = valid[i] && owner[i] == w_q && lo[i] <= r_q && r_q <= hi[i];
      count += 4'(holds[i]);
    end
  end

  always @(posedge clk_i) begin
    assume (32'(w_i) < SubWarps && 32'(set_warp_i) < SubWarps);
    assume (!set_i || (set_lo_i <= set_hi_i && free));
    if (wrote_i) assume (32'(wrote_note_i) < Notes && under_q[wrote_note_i]);
    // 5: what issues is hazard-free.
    for (int i = 0; i < Notes; i++) begin
      if (set_i && under_q[i] && of_q[i] == set_warp_i) begin
        assume (set_hi_i < next_q[i] || set_lo_i > last_q[i]);
      end
    end
    if (rst_n) begin
      a_held: assert ((holds != '0) == pending_q);
      a_one: assert (count <= 4'd1);
      a_free: assert (free == (under_q != '1));
      // The notes are the instructions under way: both take the lowest free place.
      a_valid: assert (valid == under_q);
      for (int i = 0; i < Notes; i++) begin
        if (under_q[i]) begin
          assert (owner[i] == of_q[i] && lo[i] == next_q[i] && hi[i] == last_q[i] &&
                          next_q[i] <= last_q[i]);
          for (int j = 0; j < i; j++) begin
            if (under_q[j] && of_q[i] == of_q[j]) begin
              assert (last_q[i] < next_q[j] || next_q[i] > last_q[j]);
            end
          end
        end
      end
      c_full: cover (!free && valid == '1);
      c_ends: cover (pending_q && wrote_i && wrote_reg == r_q && wrote_warp == w_q &&
                     lo[0] == hi[0] && holds[0] && valid == '1);
      c_last: cover (pending_q && hi[0] == reg_t'(Regs - 2) && holds[0]);
    end
  end
endmodule
