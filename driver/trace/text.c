/* text.c: the pipeline view as text: a line per cycle, or per run of cycles alike, a column per warp
 * slot, and the counters. docs/views.md. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "driver/trace/internal.h"

enum { COLUMN = 16 };

static void begin(wl_trace_t *t) {
  t->repeats = 0;
  wl_trace_put(t, "# Pipeline view of the golden model, configuration %s, %u warp slots.\n",
               t->config->name, t->config->warps);
  wl_trace_put(
      t, "# An issue is pc and mnemonic. Else, the first of these that holds for the warp:\n"
         "# . no warp; trap; control: resolve, path engine or no runnable path; fetch;\n"
         "# reg, pred: hazard; lsu, ldc, xch, tbuf, fence: unit or target buffer busy, own\n"
         "# memory in flight; slots: read slots of the last instruction; wb: write-back\n"
         "# aged; held: disturbance, not judged, or being read; arb: another warp was chosen.\n");
  wl_trace_put(t, "%10s %7s ", "cycle", "times");
  for (unsigned w = 0; w < t->config->warps; w++)
    wl_trace_put(t, " %-*u", COLUMN, w);
  wl_trace_put(t, "\n");
}

/* What an issuing warp shows, in at most COLUMN letters. */
static void issue_text(const wl_model_issue_t *is, char out[COLUMN + 1]) {
  char mnemonic[64];
  wl_trace_mnemonic(is->word, mnemonic, sizeof mnemonic);
  snprintf(out, COLUMN + 1, "%" PRIu32 " %.*s", is->pc, COLUMN - 3, mnemonic);
}

/* The line of t->last, which stands for t->repeats cycles; a line with issues stands for one, and is
 * written in its cycle, while the words can be read. */
static void flush(wl_trace_t *t) {
  char issue[WL_MOST_SUB_CORES][COLUMN + 1];
  const char *shown[WL_MOST_WARPS] = {NULL};
  if (t->repeats == 0) return;
  for (unsigned i = 0; i < t->last.issues; i++) {
    issue_text(&t->last.issue[i], issue[i]);
    shown[t->last.issue[i].warp] = issue[i];
  }
  wl_trace_put(t, "%10" PRIu64 " %6" PRIu64 "x ", t->last.cycle, t->repeats);
  for (unsigned w = 0; w < t->last.warps; w++)
    wl_trace_put(t, " %-*s", COLUMN, shown[w] != NULL ? shown[w] : wl_why_names[t->last.why[w]]);
  wl_trace_put(t, "\n");
  t->repeats = 0;
}

static void cycle(wl_trace_t *t, const wl_model_watch_t *watch) {
  const bool same =
      t->repeats != 0 && watch->issues == 0 && memcmp(t->last.why, watch->why, watch->warps) == 0;
  if (same) {
    t->repeats++;
    return;
  }
  flush(t);
  t->last = *watch;
  t->repeats = 1;
  if (watch->issues != 0) flush(t);
}

static void reasons(wl_trace_t *t, const wl_model_counters_t *c) {
  uint64_t sum[WL_WHYS] = {0};
  wl_trace_put(t, "cycles per warp and reason\n%6s", "warp");
  for (int r = 0; r < WL_WHYS; r++)
    wl_trace_put(t, " %9s", wl_why_names[r]);
  wl_trace_put(t, "\n");
  for (unsigned w = 0; w <= t->config->warps; w++) {
    const uint64_t *row = w < t->config->warps ? c->why[w] : sum;
    if (w < t->config->warps)
      wl_trace_put(t, "%6u", w);
    else
      wl_trace_put(t, "%6s", "all");
    for (int r = 0; r < WL_WHYS; r++)
      wl_trace_put(t, " %9" PRIu64, row[r]);
    wl_trace_put(t, "\n");
    for (int r = 0; r < WL_WHYS && w < t->config->warps; r++)
      sum[r] += row[r];
  }
}

static void end(wl_trace_t *t, const wl_model_counters_t *c) {
  flush(t);
  wl_trace_put(t,
               "# Counters\ncycles %" PRIu64 ", issued %" PRIu64 ", IPC %.3f, lanes %" PRIu64 "\n",
               t->cycles, c->issued, t->cycles != 0 ? (double)c->issued / (double)t->cycles : 0,
               c->thread_insns);
  wl_trace_put(t,
               "shared memory: %" PRIu64 " requests, %" PRIu64 " passes, %" PRIu64
               " of them repeated for bank conflicts\n",
               c->smem_requests, c->smem_passes, c->smem_conflicts);
  wl_trace_put(t, "constant cache: %" PRIu64 " hits, %" PRIu64 " misses\n", c->ldc_hits,
               c->ldc_misses);
  wl_trace_put(t, "instruction cache: %" PRIu64 " hits, %" PRIu64 " misses\n", c->icache_hits,
               c->icache_misses);
  wl_trace_put(t,
               "order point: %" PRIu64 " packets, waits: %" PRIu64
               " cycles for the same sector, %" PRIu64 " for a free row\n",
               c->packets, c->op_same_sector, c->op_full);
  reasons(t, c);
}

const wl_trace_writer_t wl_trace_text = {begin, cycle, end};
