// Contents of the seeded memories at time 0 (docs/microarchitecture.md 15). A board has no seeds: its
// host writes the memories (docs/fpga.md 6).
`ifdef WL_JOURNAL
`ifndef WL_BOARD
bind sm memory_seeds u_memory_seeds ();

module memory_seeds;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import journal_pkg::seed_word;
  import journal_pkg::wl_j_seed;

  for (genvar k = 0; k < SubCores; k++) begin : gen_sub
    for (genvar b = 0; b < 4; b++) begin : gen_bank
      initial begin
        for (int unsigned r = 0; r < RfRows; r++) begin
          for (int unsigned l = 0; l < Lanes; l++) begin
            sm.gen_sub[k].u_sub.u_operands.u_regfile.u_banks.gen_bank[b].mem_q[r][l] =
                seed_word(wl_j_seed(), SeedRf, ((4 * k + b) * RfRows + r) * Lanes + l);
          end
        end
      end
    end
    initial begin
      for (int unsigned i = 0; i < SubWarps * 8; i++) begin
        sm.gen_sub[k].u_sub.u_issue.u_predfile.u_ram.mem_q[i] =
            seed_word(wl_j_seed(), SeedPred, (i / 8 * SubCores + k) * 8 + i % 8);
      end
    end
    for (genvar l = 0; l < 32; l++) begin : gen_xbuf
      initial begin
        for (int unsigned w = 0; w < SubWarps; w++) begin
          sm.gen_sub[k].u_sub.u_warp.u_xbuf.u_ram.gen_lane[l].mem_q[w] =
              seed_word(wl_j_seed(), SeedXbuf, (w * SubCores + k) * 32 + l);
        end
      end
    end
  end

  if (Tmem != 0) begin : gen_tmem
    for (genvar k = 0; k < SubCores; k++) begin : gen_sub
      for (genvar q = 0; q < 4 / SubCores; q++) begin : gen_quarter
        initial begin
          for (int unsigned r = 0; r < TmemColumns * Beats; r++) begin
            for (int unsigned l = 0; l < Lanes; l++) begin
              sm.gen_sub[k].u_sub.u_optional.gen_tmem.u_tmem.gen_quarter[q].u_ram.mem_q[r][l] =
                  seed_word(wl_j_seed(), SeedTmem, ((k + q) * TmemColumns + r / Beats) * 32 +
                            r % Beats * Lanes + l);
            end
          end
        end
      end
    end
  end

  for (genvar b = 0; b < SmemBanks; b++) begin : gen_smem
    initial begin
      for (int unsigned i = 0; i < SmemBytes / 4 / SmemBanks; i++) begin
        sm.u_memory.u_smem.gen_bank[b].u_bank.mem_q[i] =
            seed_word(wl_j_seed(), SeedSmem, i * SmemBanks + b);
      end
    end
  end
endmodule
`endif
`endif
