// Signatures of the journal's records (docs/fpga.md 5): the folds of all modules that make records of
// a kind (rtl/dpi/journal_*.sv), joined by exclusive or. It stands next to the device, whose instance
// is u_gpu, and reads their folds by name: the core has no ports for them.
module record_signatures
  import wl_pkg::*;
  import config_pkg::*;
  import link_pkg::NumSignatures;
(
  input  logic                           clk_i,
  output logic [NumSignatures-1:0][31:0] digest_o
);
  typedef logic [31:0] fold_t;
  fold_t sub_fold [SubCores][NumSignatures];
  for (genvar k = 0; k < SubCores; k++) begin : gen_sub
    always_comb begin
      sub_fold[k] = '{default: '0};
      sub_fold[k][RecordRf] = u_gpu.u_sm.gen_sub[k].u_sub.u_operands.u_regfile.u_journal_fix.fold ^
                              u_gpu.u_sm.gen_sub[k].u_sub.u_operands.u_regfile.u_journal_var.fold;
      sub_fold[k][RecordPred] = u_gpu.u_sm.gen_sub[k].u_sub.u_issue.u_predfile.u_journal.fold;
      sub_fold[k][RecordXbuf] = u_gpu.u_sm.gen_sub[k].u_sub.u_warp.u_journal.fold;
      sub_fold[k][RecordFetch] = u_gpu.u_sm.gen_sub[k].u_sub.u_fetch.u_decode.u_journal.fold;
      sub_fold[k][RecordIssue] = u_gpu.u_sm.gen_sub[k].u_sub.u_issue.u_journal.fold;
      sub_fold[k][RecordResolve] = u_gpu.u_sm.gen_sub[k].u_sub.u_paths.u_journal_resolve.fold;
      sub_fold[k][RecordRow] = u_gpu.u_sm.gen_sub[k].u_sub.u_paths.u_engine.u_table.u_journal.fold;
      sub_fold[k][RecordWalked] = u_gpu.u_sm.gen_sub[k].u_sub.u_paths.u_journal_walk.u_journal.fold;
    end
  end

  fold_t smem_fold [SmemBanks];
  for (genvar b = 0; b < SmemBanks; b++) begin : gen_smem
    assign smem_fold[b] = u_gpu.u_sm.u_memory.u_smem.gen_bank[b].u_bank.u_journal.fold;
  end

  fold_t monitor_fold;
  if (PmCounters != 0) begin : gen_monitor
    assign monitor_fold = u_gpu.u_sm.gen_monitor.u_monitor.u_journal.fold;
  end else begin : gen_no_monitor
    assign monitor_fold = '0;
  end

  fold_t mma_fold [SubCores];
  for (genvar k = 0; k < SubCores; k++) begin : gen_mma
    if (Tensor != 0) begin : gen_tensor
      assign mma_fold[k] = u_gpu.u_sm.gen_sub[k].u_sub.u_optional.gen_tensor.u_tensor.u_journal.fold;
    end else begin : gen_no_tensor
      assign mma_fold[k] = '0;
    end
  end

  fold_t tmem_fold [SubCores];
  for (genvar k = 0; k < SubCores; k++) begin : gen_tmem
    if (Tmem != 0) begin : gen_fold
      assign tmem_fold[k] =
          u_gpu.u_sm.gen_sub[k].u_sub.u_optional.gen_tmem.u_tmem.u_journal.fold ^
          u_gpu.u_sm.gen_sub[k].u_sub.u_optional.gen_tmem.u_tmem.u_journal_umma.fold;
    end else begin : gen_none
      assign tmem_fold[k] = '0;
    end
  end

  fold_t umma_fold;
  if (Umma != 0) begin : gen_umma
    assign umma_fold = u_gpu.u_sm.gen_umma.u_umma.u_journal_begin.fold ^
                       u_gpu.u_sm.gen_umma.u_umma.u_journal_end.fold;
  end else begin : gen_no_umma
    assign umma_fold = '0;
  end

  fold_t fold [NumSignatures];
  always_comb begin
    fold = '{default: '0};
    for (int unsigned k = 0; k < SubCores; k++) begin
      for (int unsigned i = 0; i < NumSignatures; i++) fold[i] ^= sub_fold[k][i];
    end
    for (int unsigned b = 0; b < SmemBanks; b++) fold[RecordSmem] ^= smem_fold[b];
    for (int unsigned k = 0; k < SubCores; k++) fold[RecordMma] ^= mma_fold[k];
    for (int unsigned k = 0; k < SubCores; k++) fold[RecordTmem] ^= tmem_fold[k];
    fold[RecordMonitor] = monitor_fold;
    fold[RecordBarrier] = u_gpu.u_sm.u_barrier.u_journal.fold;
    fold[RecordCta] = u_gpu.u_sm.u_dispatcher.u_journal_place.fold ^
                      u_gpu.u_sm.u_dispatcher.u_journal_free.fold;
    fold[RecordPage] = u_gpu.u_sm.u_dispatcher.u_journal_page.fold;
    fold[RecordState] = u_gpu.u_grid.u_journal_state.fold;
    fold[RecordPacket] = u_gpu.u_sm.u_smport.u_journal_packet.fold;
    fold[RecordResponse] = u_gpu.u_sm.u_smport.u_journal_response.fold;
    fold[RecordTrap] = u_gpu.u_sm.u_trap.u_journal.fold;
    fold[RecordRest] = u_gpu.u_journal_rest.fold;
    fold[RecordColumns] = u_gpu.u_sm.u_columns.u_journal_done.fold ^
                          u_gpu.u_sm.u_columns.u_journal_left.fold;
    fold[RecordUmma] = umma_fold;
    fold[RecordWake] = u_gpu.u_sm.u_memory.u_smem.u_journal.fold;
  end

  for (genvar i = 0; i < NumSignatures; i++) begin : gen_signature
    if ((i == RecordMonitor && PmCounters == 0) || (i == RecordMma && Tensor == 0) ||
        (Umma == 0 && i == RecordUmma) ||
        (Tmem == 0 && (i == RecordColumns || i == RecordTmem))) begin : gen_none
      assign digest_o[i] = '0;
    end else begin : gen_kind
      signature u_signature (.clk_i, .fold_i(fold[i]), .sig_o(digest_o[i]));
    end
  end
endmodule
