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
  wl_trace_put(t,
               "# An issue is pc and mnemonic. Else, the first of these that holds for the warp:\n"
               "# . no warp; trap; control: resolve, path engine or no runnable path; fetch;\n"
               "# reg, pred: hazard; lsu, ldc, xch, mma, f64, bulk, tmem, tbuf, fence: unit or\n"
               "# target buffer busy, own memory in flight; slots: read slots of the last\n"
               "# instruction; wb: write-back aged; held: disturbance, not judged, or being read;\n"
               "# arb: another warp was chosen.\n");
  wl_trace_put(
      t, "# wait: no runnable path, one is parked. A wait, copy, group or phase has a line in\n"
         "# the cycle in which it ends: what it did, up to which cycle.\n");
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

/* A span is told when it is over. */
static void span(wl_trace_t *t, wl_span_event_t event, wl_span_t *s) {
  if (event != WL_SPAN_CLOSES) return;
  const bool copy = s->what == WL_SPAN_BULK || s->what == WL_SPAN_CPASYNC;
  const uint64_t over = s->to[s->steps - 1];
  flush(t);
  wl_trace_put(t, "%10" PRIu64 "          %s: ", over, wl_span_name(s));
  if (s->what == WL_SPAN_PHASE) {
    wl_trace_put(t, "address %" PRIu32 ", number %" PRIu32 "\n", s->pc, s->number);
    return;
  }
  if (s->what == WL_SPAN_GROUP) {
    wl_trace_put(t, "warp %u number %" PRIu32 "; closed %" PRIu64 ", over %" PRIu64 "\n", s->warp,
                 s->number, s->from, over);
    return;
  }
  wl_trace_put(t, "warp %u pc %" PRIu32 " lanes %08" PRIx32, s->warp, s->pc, s->lanes);
  if (copy)
    wl_trace_put(t, ", %" PRIu32 " bytes, %s %u", s->bytes,
                 s->what == WL_SPAN_BULK ? "entry" : "slot", s->place);
  if (s->grouped) wl_trace_put(t, ", group %" PRIu32, s->number);
  wl_trace_put(t, "; from %" PRIu64, s->from);
  for (unsigned i = 0; i < s->steps && copy; i++)
    wl_trace_put(t, "%s %s to %" PRIu64, i == 0 ? ":" : ",", wl_step_names[s->step[i]], s->to[i]);
  if (!copy) wl_trace_put(t, " to %" PRIu64, over);
  if (s->lost)
    wl_trace_put(t, ", not over");
  else if (!copy)
    wl_trace_put(t, ", %s", s->timed ? "its time was over" : "woken");
  wl_trace_put(t, "%s\n", !copy && s->number != 0 ? ", behind a wake-up in vain" : "");
}

static double per(uint64_t amount, uint64_t of) {
  return of != 0 ? (double)amount / (double)of : 0;
}

static void async_counters(wl_trace_t *t) {
  const wl_async_counts_t *c = &t->async.count;
  wl_trace_put(t,
               "bulk copies: %" PRIu64 " in %" PRIu64 " cycles, %" PRIu64
               " bytes to shared memory, %" PRIu64 " to global memory, %.3f per cycle\n",
               c->bulks, c->bulk_cycles, c->to_shared, c->to_global,
               per(c->to_shared + c->to_global, c->bulk_cycles));
  wl_trace_put(t, "cp.async: %" PRIu64 " in %" PRIu64 " cycles, %" PRIu64 " bytes\n", c->copies,
               c->copy_cycles, c->copy_bytes);
  wl_trace_put(t,
               "waits: %" PRIu64 " parked, %" PRIu64 " woken, %" PRIu64 " of them in vain, %" PRIu64
               " until their time was over; %" PRIu64 " phases\n",
               c->parked, c->woken, c->in_vain, c->timed, c->phases);
  wl_trace_put(t, "every warp waits: %" PRIu64 " cycles, %.1f %%\n", c->all_wait,
               100 * per(c->all_wait, t->cycles));
}

static void umma_counters(wl_trace_t *t) {
  const wl_umma_counts_t *c = &t->umma;
  const uint64_t *does = c->does;
  wl_trace_put(t,
               "products in tensor memory: %" PRIu64 ", and %" PRIu64 " copies and shifts, %" PRIu64
               " commits in %" PRIu64 " cycles\n",
               c->products, c->moves, c->commits, wl_umma_busy_cycles(c));
  wl_trace_put(t,
               "steps of products: %" PRIu64 ", %" PRIu64
               " of them of idle lanes; %.1f %% of the cycles from the first to the last\n",
               does[WL_DOES_STEP], c->idle, 100 * wl_umma_busy_part(c));
  wl_trace_put(t,
               "cycles without a step: operands from shared memory %" PRIu64
               ", from tensor memory %" PRIu64 ", turn %" PRIu64 ", pipes %" PRIu64
               ", writing D %" PRIu64 ", copies and shifts %" PRIu64 ", commits %" PRIu64
               ", no command between steps %" PRIu64 "\n",
               does[WL_DOES_SHARED], does[WL_DOES_TMEM], does[WL_DOES_TURN], does[WL_DOES_PIPES],
               does[WL_DOES_END], does[WL_DOES_MOVE], does[WL_DOES_COMMIT], c->no_command);
  wl_trace_put(t, "requests of products to shared memory: %" PRIu64 ", waits: %" PRIu64 " cycles\n",
               c->granted, c->lost);
  wl_trace_put(t,
               "loads of tensor memory: %" PRIu64 " cycles, %" PRIu64
               " of them held for products, at most %" PRIu64 " one after the other\n",
               c->loads, c->held, c->longest);
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
  async_counters(t);
  umma_counters(t);
  reasons(t, c);
}

const wl_trace_writer_t wl_trace_text = {begin, cycle, span, end};
