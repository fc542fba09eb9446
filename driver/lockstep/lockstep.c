/* lockstep.c: the backends' run: one side alone, or the RTL as the core under test of a cosim whose
 * reference is the model. docs/lockstep.md. Every comparison is made by warplock_cosim.h; here are
 * only the clock, the limits, the log and what the driver is told. */
#include "driver/lockstep/lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/lockstep/lockstep_state.h"

static bool open_cosim(wl_lockstep_t *l, const wl_backend_desc_t *desc, char *err, size_t cap) {
  const wl_cosim_options_t options = {.struct_size = sizeof options,
                                      .layout = wl_layouts[desc->config - wl_configs],
                                      .seed = desc->seed,
                                      .disturb = wl_disturbs[desc->disturb].name,
                                      .compare_full = desc->compare_full,
                                      .threads = desc->threads,
                                      .dut_name = l->ops->name,
                                      .mem = desc->mem,
                                      .mem_bytes = desc->mem_bytes,
                                      .record = desc->log != NULL ? wl_log_records : NULL,
                                      .record_context = &l->log};
  if (wl_cosim_create(&options, &l->cosim) == WL_OK) return true;
  snprintf(err, cap, "%s", l->cosim != NULL ? wl_cosim_error(l->cosim) : "out of memory");
  return false;
}

/* The side gets the cosim's image of the core under test, or the device's own. */
static bool open_side(wl_lockstep_t *l, const wl_backend_desc_t *desc, char *err, size_t cap) {
  const wl_side_desc_t side = {
      .config = desc->config,
      .seed = desc->seed,
      .mem = l->cosim != NULL ? wl_cosim_memory(l->cosim, NULL, NULL) : desc->mem,
      .wrote = l->cosim != NULL ? &l->cosim->wrote : NULL,
      .mem_bytes = desc->mem_bytes,
      .density = wl_disturbs[desc->disturb].density,
      .journal = l->cosim != NULL || desc->log != NULL || desc->trace != NULL};
  l->side = l->ops->open(&side, err, cap);
  if (l->side == NULL) return false;
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    wl_view_sizes(l->config, v, &l->view[v]);
    l->ops->view(l->side, v, &l->view[v]);
    if (l->cosim == NULL || wl_cosim_register(l->cosim, (wl_view_id_t)v, &l->view[v]) == WL_OK)
      continue;
    const char *fault = l->ops->fault(l->side);
    snprintf(err, cap, "%s", fault != NULL ? fault : wl_cosim_error(l->cosim));
    return false;
  }
  return true;
}

static bool open_inside(wl_lockstep_t *l, char *err, size_t cap) {
  l->inside = wl_inside_open(l->config, 0);
  if (l->inside == NULL) snprintf(err, cap, "out of memory");
  return l->inside != NULL;
}

wl_lockstep_t *wl_lockstep_open(const wl_backend_desc_t *desc, const wl_side_ops_t *first,
                                const wl_side_ops_t *second, char *err, size_t cap) {
  wl_lockstep_t *l = calloc(1, sizeof *l);
  if (l == NULL) {
    snprintf(err, cap, "out of memory");
    return NULL;
  }
  l->config = desc->config;
  l->ops = second != NULL ? second : first;
  l->log = (wl_log_t){desc->log, desc->log_context};
  l->stop = desc->stop;
  l->stop_context = desc->stop_context;
  l->mem = desc->mem;
  l->mem_bytes = desc->mem_bytes;
  if ((second != NULL && !open_cosim(l, desc, err, cap)) || !open_side(l, desc, err, cap) ||
      (desc->trace != NULL && !wl_lockstep_open_wave(l, desc, err, cap)) ||
      (desc->inside && l->cosim != NULL && !open_inside(l, err, cap))) {
    wl_lockstep_close(l);
    return NULL;
  }
  if (desc->pipeview == NULL) return l;
  l->trace = wl_trace_open(desc->config, (wl_trace_format_t)desc->pipeview_format, desc->pipeview,
                           desc->pipeview_context);
  if (l->trace != NULL) return l;
  snprintf(err, cap, "out of memory");
  wl_lockstep_close(l);
  return NULL;
}

void wl_lockstep_close(wl_lockstep_t *l) {
  if (l == NULL) return;
  wl_trace_close(l->trace);
  wl_snapshots_close(l->snapshots);
  wl_inside_close(l->inside);
  (void)wl_wave_run_close(l->wave, NULL, 0);
  if (l->side != NULL) l->ops->close(l->side);
  wl_cosim_destroy(l->cosim);
  free(l);
}

/* One cycle; with a cosim also its comparison. */
static wl_cosim_verdict_t cycle(wl_lockstep_t *l, const uint64_t *start) {
  const bool records = l->cosim != NULL || l->log.line != NULL || l->wave != NULL;
  wl_journal_t *journal = records ? &l->journal : NULL;
  if (records) wl_journal_clear(journal);
  if (l->cosim != NULL) wl_cosim_begin(l->cosim);
  if (start != NULL)
    l->ops->start(l->side, *start, journal);
  else
    l->ops->step(l->side, journal);
  const uint64_t now = l->cycle++;
  if (l->cosim != NULL) {
    if (journal->overflow) {
      snprintf(l->report.text, sizeof l->report.text, "%s: more records than a cycle can have\n",
               l->ops->name);
      return WL_COSIM_ERROR;
    }
    wl_cosim_take_signals(l->cosim, l->ops, l->side);
    const wl_cosim_verdict_t verdict =
        wl_cosim_step(l->cosim, journal->record, journal->records, &l->report);
    wl_lockstep_wave_cycle(l, now, verdict == WL_COSIM_DIVERGED);
    if (l->inside != NULL)
      wl_inside_cycle(l->inside, now, wl_cosim_reference(l->cosim), l->ops, l->side);
    return verdict;
  }
  wl_lockstep_wave_cycle(l, now, false);
  for (unsigned i = 0; records && i < journal->records; i++) {
    const wl_cosim_record_t *r = &journal->record[i];
    if (r->kind != WL_J_ISSUE) continue;
    l->last_issue[r->word[0] % WL_MOST_WARPS] = now + 1;
    l->issue_pc[r->word[0] % WL_MOST_WARPS] = r->word[1];
  }
  if (l->log.line != NULL) wl_log_records(&l->log, now, journal->record, journal->records);
  return l->ops->done(l->side) ? WL_COSIM_DONE : WL_COSIM_EQUAL;
}

static void take_trap(const wl_lockstep_t *l, wl_run_result_t *result) {
  wl_side_trap_t trap;
  if (l->cosim != NULL) {
    wl_cosim_state_t s;
    wl_cosim_state(l->cosim, &s);
    trap = (wl_side_trap_t){s.trapped, s.cause, s.warp, s.lane, s.pc, s.address};
  } else {
    l->ops->trap(l->side, &trap);
  }
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

/* Zeros for a side that cannot count (RTL built without its journal). */
static wl_side_counters_t count(const wl_lockstep_t *l) {
  wl_side_counters_t now = {0};
  if (l->cosim != NULL) {
    wl_cosim_state_t s;
    wl_cosim_state(l->cosim, &s);
    wl_side_model.counters(wl_cosim_reference(l->cosim), &now);
    now.issues = s.instructions;
    now.thread_issues = s.thread_instructions;
    now.packets = s.packets;
  } else if (l->ops->counters != NULL) {
    l->ops->counters(l->side, &now);
  }
  return now;
}

static const char *side_fault(const wl_lockstep_t *l) {
  const char *fault = l->ops->fault(l->side);
  wl_cosim_state_t s = {0};
  if (l->cosim != NULL) wl_cosim_state(l->cosim, &s);
  return fault != NULL ? fault : s.fault;
}

static bool last_issue(const wl_lockstep_t *l, unsigned warp, uint32_t *pc, uint64_t *at) {
  if (l->cosim != NULL) return wl_cosim_last_issue(l->cosim, warp, pc, at);
  *pc = l->issue_pc[warp];
  *at = l->last_issue[warp] - 1;
  return l->last_issue[warp] != 0;
}

static void hang_text(const wl_lockstep_t *l, const char *why, wl_run_result_t *result) {
  char *out = result->report;
  const size_t cap = sizeof result->report;
  size_t at = (size_t)snprintf(out, cap, "%s at cycle %llu\n", why, (unsigned long long)l->cycle);
  uint32_t pc;
  uint64_t when;
  for (unsigned w = 0; w < l->config->warps && at < cap; w++)
    if (last_issue(l, w, &pc, &when))
      at += (size_t)snprintf(out + at, cap - at, "  warp %u: last issue pc %u in cycle %llu\n", w,
                             pc, (unsigned long long)when);
  result->status = WL_RUN_HANG;
}

/* Whether the run ends here: by a limit, the watchdog, or a wish. */
static bool stopped(const wl_lockstep_t *l, uint64_t cycles, uint64_t max_cycles,
                    wl_run_result_t *result) {
  const char *why = NULL;
  if (max_cycles != 0 && cycles >= max_cycles)
    why = "the limit of cycles was reached";
  else if (l->ops->hung(l->side))
    why = "no instruction and no packet for 65536 cycles while no path sleeps: hang";
  else if (l->stop != NULL && (l->cycle & 0xfff) == 0 && l->stop(l->stop_context))
    why = "stopped";
  if (why != NULL) hang_text(l, why, result);
  return why != NULL;
}

/* Records, arrays and memory were equal; that internal state was not is told as the difference. */
static void inside_diverged(const wl_lockstep_t *l, wl_run_result_t *result) {
  uint64_t cycle;
  if (l->inside == NULL || !wl_inside_found(l->inside, &cycle)) return;
  result->status = WL_RUN_DIVERGED;
  result->has_pc = false;
  result->cycle = cycle;
  result->kind = result->view = result->warp = result->reg = -1;
  const int n =
      snprintf(result->report, sizeof result->report,
               "DIVERGENCE at cycle %llu: internal state; every record of every cycle was equal\n",
               (unsigned long long)cycle);
  if (n > 0) wl_inside_text(l->inside, result->report + n, sizeof result->report - (size_t)n);
}

/* Behind what the note says already, where the report does not say it. */
static void note_inside(const wl_lockstep_t *l, wl_run_result_t *result) {
  const size_t at = strlen(result->note);
  if (l->inside != NULL && strstr(result->report, "\ninside ") == NULL)
    wl_inside_text(l->inside, result->note + at, sizeof result->note - at);
}

/* What the end of a run that is equal so far tells. */
static void finish(wl_lockstep_t *l, wl_run_result_t *result) {
  const char *fault = side_fault(l);
  if (fault != NULL) {
    snprintf(result->report, sizeof result->report, "broken rule: %s\n", fault);
    result->status = WL_RUN_INTERNAL;
    return;
  }
  if (result->status == WL_RUN_OK) take_trap(l, result);
  if (l->cosim != NULL && result->report[0] == '\0')
    wl_cosim_summary(l->cosim, result->report, sizeof result->report);
  inside_diverged(l, result);
}

/* The pipeline view of a run: of the side alone, or of the reference. */
static void watch(wl_lockstep_t *l, wl_trace_t *trace) {
  if (l->cosim != NULL)
    wl_side_model.watch(wl_cosim_reference(l->cosim), trace);
  else
    l->ops->watch(l->side, trace);
}

void wl_lockstep_end_watch(wl_lockstep_t *l) {
  watch(l, NULL);
  wl_trace_close(l->trace);
  l->trace = NULL;
}

void wl_lockstep_run(wl_lockstep_t *l, uint64_t launch_block, uint64_t max_cycles,
                     wl_run_result_t *result) {
  const uint64_t first = l->cycle;
  const wl_side_counters_t before = count(l);
  memset(l->last_issue, 0, sizeof l->last_issue);
  result->status = WL_RUN_OK;
  result->report[0] = '\0';
  if (l->cosim != NULL && wl_cosim_start(l->cosim, launch_block) != WL_OK) {
    snprintf(result->report, sizeof result->report, "%s\n", wl_cosim_error(l->cosim));
    result->status = WL_RUN_INTERNAL;
    return;
  }
  if (l->trace != NULL) watch(l, l->trace);
  if (l->wave != NULL) wl_wave_run_launch(l->wave, l->mem, l->mem_bytes, launch_block);
  if (l->snapshots != NULL) wl_lockstep_snapshot(l);
  wl_cosim_verdict_t verdict = cycle(l, &launch_block);
  while (verdict == WL_COSIM_EQUAL && !stopped(l, l->cycle - first, max_cycles, result)) {
    if (l->snapshots != NULL && !l->again) wl_lockstep_snapshot(l);
    verdict = cycle(l, NULL);
  }
  if (l->trace != NULL) wl_lockstep_end_watch(l);
  const bool equal = verdict == WL_COSIM_EQUAL || verdict == WL_COSIM_DONE;
  if (equal && l->cosim != NULL) verdict = wl_cosim_end(l->cosim, &l->report);
  const wl_side_counters_t after = count(l);
  result->cycles = l->cycle - first;
  result->instructions = after.issues - before.issues;
  result->thread_instructions = after.thread_issues - before.thread_issues;
  result->columns_left = after.columns_left - before.columns_left;
  if (verdict == WL_COSIM_DIVERGED) wl_lockstep_wave_diverged(l);
  if (verdict == WL_COSIM_DIVERGED || verdict == WL_COSIM_ERROR)
    wl_report_result(&l->report, result);
  else
    finish(l, result);
  if (verdict == WL_COSIM_ERROR) result->status = WL_RUN_INTERNAL;
  wl_lockstep_wave_end(l, result);
  note_inside(l, result);
}

void wl_lockstep_dump(wl_lockstep_t *l, void (*line)(void *, const char *), void *context) {
  char text[128];
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    const wl_view_t *view =
        l->cosim != NULL ? wl_cosim_reference_view(l->cosim, (wl_view_id_t)v) : &l->view[v];
    for (unsigned s = 0; s < view->slices; s++)
      for (unsigned r = 0; r < view->rows; r++) {
        snprintf(text, sizeof text, "%s slice %u row %u %08x", wl_view_info[v]->name, s, r,
                 (unsigned)view->base[s][r * view->stride]);
        line(context, text);
      }
  }
}
