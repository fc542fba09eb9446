/* lockstep.c: steps two sides (or one alone) and compares them. docs/lockstep.md
 * Journal mode compares every record of every cycle and scrubs 32 bytes of the arrays per cycle; full
 * mode compares the arrays themselves in every cycle. Both end with a full compare of the arrays and
 * of device memory. Nothing that one side says is given to the other. */
#include "driver/lockstep/lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/wl_launch.h"

/* none, light, heavy: docs/microarchitecture.md 17 */
static const unsigned densities[] = {0, 1, 4};

static bool open_side(wl_lockstep_t *l, unsigned i, const wl_backend_desc_t *desc, char *err,
                      size_t cap) {
  const wl_side_desc_t side = {.config = desc->config,
                               .seed = desc->seed,
                               .mem = l->mem[i],
                               .mem_bytes = desc->mem_bytes,
                               .density = densities[desc->disturb],
                               .journal = l->ops[1] != NULL || desc->log != NULL};
  l->side[i] = l->ops[i]->open(&side, err, cap);
  if (l->side[i] == NULL) return false;
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) l->ops[i]->view(l->side[i], v, &l->view[i][v]);
  return true;
}

wl_lockstep_t *wl_lockstep_open(const wl_backend_desc_t *desc, const wl_side_ops_t *first,
                                const wl_side_ops_t *second, char *err, size_t cap) {
  wl_lockstep_t *l = calloc(1, sizeof *l);
  if (l == NULL) {
    snprintf(err, cap, "out of memory");
    return NULL;
  }
  l->config = desc->config;
  l->ops[0] = first;
  l->ops[1] = second;
  l->mem[0] = desc->mem;
  l->mem_bytes = desc->mem_bytes;
  l->seed = desc->seed;
  l->compare_full = desc->compare_full;
  l->log = desc->log;
  l->log_context = desc->log_context;
  l->stop = desc->stop;
  l->stop_context = desc->stop_context;
  if (second != NULL) {
    l->own_mem = malloc(desc->mem_bytes);
    l->mem[1] = l->own_mem;
    if (l->own_mem == NULL) snprintf(err, cap, "out of memory for the second image");
  }
  if ((second != NULL && l->own_mem == NULL) || !open_side(l, 0, desc, err, cap) ||
      (second != NULL && !open_side(l, 1, desc, err, cap))) {
    wl_lockstep_close(l);
    return NULL;
  }
  return l;
}

void wl_lockstep_close(wl_lockstep_t *l) {
  if (l == NULL) return;
  for (unsigned i = 0; i < 2; i++)
    if (l->side[i] != NULL) l->ops[i]->close(l->side[i]);
  free(l->own_mem);
  free(l);
}

static void history_add(wl_lockstep_t *l, unsigned side) {
  wl_history_t *h = &l->history[side];
  const wl_journal_t *j = &l->journal[side];
  for (unsigned i = 0; i < j->records; i++) {
    const wl_record_t r = j->record[i];
    wl_history_record_t *to = &h->record[h->next];
    to->cycle = l->cycle;
    to->kind = r.kind;
    to->n = r.n;
    to->valid = true;
    memcpy(to->words, j->words + r.offset, r.n * sizeof *to->words);
    h->next = (h->next + 1) % WL_HISTORY;
  }
}

static void log_records(wl_lockstep_t *l) {
  char line[1200], text[1100];
  for (unsigned i = 0; i < l->journal[0].records; i++) {
    wl_journal_text(&l->journal[0], (int)i, text, sizeof text);
    snprintf(line, sizeof line, "%llu %s", (unsigned long long)l->cycle, text);
    l->log(l->log_context, line);
  }
}

/* What the report needs to name things, from the first side's records. */
static void note_records(wl_lockstep_t *l) {
  const wl_journal_t *j = &l->journal[0];
  for (unsigned i = 0; i < j->records; i++) {
    const wl_record_t r = j->record[i];
    const uint32_t *w = j->words + r.offset;
    l->records[r.kind]++;
    if (r.kind == WL_J_ISSUE) {
      l->issue[w[0] & 63] = (wl_issue_note_t){l->cycle, w[1], w[3], true};
    } else if (r.kind == WL_J_PAGE) {
      l->page_owner[w[2] & 511] = (uint16_t)(w[0] << 8 | (w[1] + 1));
    }
  }
}

/* Zeros for a side that cannot count (RTL built without its journal). */
static wl_side_counters_t count(const wl_lockstep_t *l) {
  wl_side_counters_t now = {0};
  if (l->ops[0]->counters != NULL) l->ops[0]->counters(l->side[0], &now);
  return now;
}

static bool same_word(const wl_lockstep_t *l, unsigned view, unsigned slice, unsigned row,
                      wl_view_difference_t *d) {
  const wl_view_t *a = &l->view[0][view], *b = &l->view[1][view];
  const uint32_t x = a->base[slice][row * a->stride], y = b->base[slice][row * b->stride];
  if (x == y) return true;
  *d = (wl_view_difference_t){view, slice, row, {x, y}};
  return false;
}

/* A column of one slice. The loop has no exit, so that it can be vectorised. */
static bool same_column(const uint32_t *a, size_t a_stride, const uint32_t *b, size_t b_stride,
                        unsigned rows) {
  uint32_t different = 0;
  for (size_t r = 0; r < rows; r++) different |= a[r * a_stride] ^ b[r * b_stride];
  return different == 0;
}

static bool compare_views(wl_lockstep_t *l, wl_view_difference_t *d) {
  l->full_compares++;
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    const wl_view_t *a = &l->view[0][v], *b = &l->view[1][v];
    for (unsigned s = 0; s < a->slices; s++) {
      if (same_column(a->base[s], a->stride, b->base[s], b->stride, a->rows)) continue;
      for (unsigned r = 0; r < a->rows; r++)
        if (!same_word(l, v, s, r, d)) return false;
    }
  }
  return true;
}

static bool scrub(wl_lockstep_t *l, wl_view_difference_t *d) {
  for (unsigned i = 0; i < WL_SCRUB_WORDS; i++) {
    if (!same_word(l, l->scrub_view, l->scrub_slice, l->scrub_row, d)) return false;
    const wl_view_t *v = &l->view[0][l->scrub_view];
    if (++l->scrub_row < v->rows) continue;
    l->scrub_row = 0;
    if (++l->scrub_slice < v->slices) continue;
    l->scrub_slice = 0;
    if (++l->scrub_view < WL_NUM_VIEWS) continue;
    l->scrub_view = 0;
    l->scrub_rounds++;
  }
  l->scrubbed_words += WL_SCRUB_WORDS;
  return true;
}

/* Everything the two sides show in this cycle. */
static bool cycle_equal(wl_lockstep_t *l, wl_run_result_t *result) {
  wl_journal_difference_t jd;
  wl_view_difference_t vd;
  if (!wl_journal_equal(&l->journal[0], &l->journal[1], &jd)) {
    wl_report_records(l, &jd, result->report, sizeof result->report);
    return false;
  }
  if (l->compare_full) {
    if (compare_views(l, &vd)) return true;
    wl_report_view(l, &vd, "full compare of the cycle", result->report, sizeof result->report);
    return false;
  }
  if (scrub(l, &vd)) return true;
  wl_report_view(l, &vd, "scrub", result->report, sizeof result->report);
  return false;
}

typedef bool (*flag_fn)(const wl_side_t *side);

/* A signal of both sides that has no record. */
static bool same_flag(wl_lockstep_t *l, flag_fn first, flag_fn second, const char *says,
                      wl_run_result_t *result) {
  const bool a = first(l->side[0]), b = second(l->side[1]);
  if (a == b) return true;
  snprintf(result->report, sizeof result->report, "DIVERGENCE at cycle %llu: %s %s, %s does not\n",
           (unsigned long long)l->cycle, l->ops[a ? 0 : 1]->name, says, l->ops[a ? 1 : 0]->name);
  return false;
}

static bool cycle(wl_lockstep_t *l, const uint64_t *start, wl_run_result_t *result) {
  const bool two = l->ops[1] != NULL, records = two || l->log != NULL;
  for (unsigned i = 0; i < (two ? 2U : 1U); i++) {
    wl_journal_t *journal = records ? &l->journal[i] : NULL;
    if (records) wl_journal_clear(journal);
    if (start != NULL)
      l->ops[i]->start(l->side[i], *start, journal);
    else
      l->ops[i]->step(l->side[i], journal);
  }
  bool equal = true;
  if (records) note_records(l);
  if (two) {
    equal = cycle_equal(l, result);
    history_add(l, 0);
    history_add(l, 1);
    if (equal) equal = same_flag(l, l->ops[0]->done, l->ops[1]->done, "has ended the launch", result);
    if (equal) equal = same_flag(l, l->ops[0]->hung, l->ops[1]->hung, "reports a hang", result);
  }
  if (l->log != NULL) log_records(l);
  l->cycle++;
  return equal;
}

static bool end_equal(wl_lockstep_t *l, wl_run_result_t *result) {
  wl_view_difference_t vd;
  if (!compare_views(l, &vd)) {
    wl_report_view(l, &vd, "full compare at the end", result->report, sizeof result->report);
    return false;
  }
  for (uint64_t i = 0; i < l->mem_bytes; i += 4096) {
    const uint64_t n = l->mem_bytes - i < 4096 ? l->mem_bytes - i : 4096;
    if (memcmp(l->mem[0] + i, l->mem[1] + i, n) == 0) continue;
    uint64_t at = i;
    while (l->mem[0][at] == l->mem[1][at]) at++;
    snprintf(result->report, sizeof result->report,
             "DIVERGENCE at the end: device memory at 0x%llx: %s %02x, %s %02x\n",
             (unsigned long long)(WL_MEM_BASE + at), l->ops[0]->name, l->mem[0][at],
             l->ops[1]->name, l->mem[1][at]);
    return false;
  }
  return true;
}

static void take_trap(wl_lockstep_t *l, wl_run_result_t *result) {
  wl_side_trap_t trap;
  l->ops[0]->trap(l->side[0], &trap);
  if (!trap.valid) return;
  result->status = WL_RUN_TRAP;
  result->trap.cause = trap.cause;
  result->trap.pc = trap.pc;
  result->trap.warp = trap.warp;
  result->trap.lane = trap.lane;
  result->trap.lanes = UINT32_C(1) << (trap.lane & 31);
  result->trap.has_address = trap.address != 0;
  result->trap.address = trap.address;
}

static const char *side_fault(wl_lockstep_t *l) {
  for (unsigned i = 0; i < 2; i++) {
    const char *text = l->side[i] != NULL ? l->ops[i]->fault(l->side[i]) : NULL;
    if (text != NULL) return text;
  }
  return NULL;
}

static void hang_text(wl_lockstep_t *l, const char *why, wl_run_result_t *result) {
  char *out = result->report;
  size_t cap = sizeof result->report;
  size_t at = (size_t)snprintf(out, cap, "%s at cycle %llu\n", why, (unsigned long long)l->cycle);
  for (unsigned w = 0; w < l->config->warps && at < cap; w++)
    if (l->issue[w].valid)
      at += (size_t)snprintf(out + at, cap - at, "  warp %u: last issue pc %u in cycle %llu\n", w,
                             l->issue[w].pc, (unsigned long long)l->issue[w].cycle);
  result->status = WL_RUN_HANG;
}

void wl_lockstep_run(wl_lockstep_t *l, uint64_t launch_block, uint64_t max_cycles,
                     wl_run_result_t *result) {
  const uint64_t first = l->cycle;
  const wl_side_counters_t before = count(l);
  wl_launch_block_t block;
  memcpy(&block, l->mem[0] + (launch_block - WL_MEM_BASE), sizeof block);
  l->code_base = (uint64_t)block.code_base[1] << 32 | block.code_base[0];
  l->report_has_pc = false;
  memset(l->issue, 0, sizeof l->issue);
  if (l->own_mem != NULL) memcpy(l->own_mem, l->mem[0], l->mem_bytes); /* the host's writes */
  result->status = WL_RUN_OK;
  result->report[0] = '\0';
  bool equal = cycle(l, &launch_block, result);
  while (equal && !l->ops[0]->done(l->side[0])) {
    equal = cycle(l, NULL, result);
    if (max_cycles != 0 && l->cycle - first >= max_cycles) {
      hang_text(l, "the limit of cycles was reached", result);
      break;
    }
    if (l->ops[0]->hung(l->side[0])) {
      hang_text(l, "no instruction and no packet for 65536 cycles while no path sleeps: hang", result);
      break;
    }
    if (l->stop != NULL && (l->cycle & 0xfff) == 0 && l->stop(l->stop_context)) {
      hang_text(l, "stopped", result);
      break;
    }
  }
  const bool two = l->ops[1] != NULL;
  if (equal && two) equal = end_equal(l, result);
  l->diverged = !equal;
  result->cycles = l->cycle - first;
  const wl_side_counters_t after = count(l);
  result->instructions = after.issues - before.issues;
  result->thread_instructions = after.thread_issues - before.thread_issues;
  if (!equal) {
    result->status = WL_RUN_DIVERGED;
    result->has_pc = l->report_has_pc;
    result->pc = l->report_pc;
    return;
  }
  if (side_fault(l) != NULL) {
    snprintf(result->report, sizeof result->report, "broken rule: %s\n", side_fault(l));
    result->status = WL_RUN_INTERNAL;
    return;
  }
  if (result->status == WL_RUN_OK) take_trap(l, result);
  if (two && result->report[0] == '\0')
    wl_report_summary(l, result->report, sizeof result->report);
}

void wl_lockstep_dump(wl_lockstep_t *l, void (*line)(void *, const char *), void *context) {
  char text[128];
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++)
    for (unsigned s = 0; s < l->view[0][v].slices; s++)
      for (unsigned r = 0; r < l->view[0][v].rows; r++) {
        snprintf(text, sizeof text, "%s slice %u row %u %08x", l->view[0][v].name, s, r,
                 (unsigned)l->view[0][v].base[s][r * l->view[0][v].stride]);
        line(context, text);
      }
}
