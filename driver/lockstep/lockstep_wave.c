/* lockstep_wave.c: waves of a run, and the snapshots from which those of a difference are made.
 * docs/replay.md */
#include <stdio.h>
#include <string.h>

#include "driver/lockstep/lockstep_state.h"

bool wl_lockstep_open_wave(wl_lockstep_t *l, const wl_backend_desc_t *desc, char *err, size_t cap) {
  const char *const names[] = {l->cosim != NULL ? wl_side_model.name : l->ops->name,
                               l->cosim != NULL ? l->ops->name : NULL};
  wl_side_t *model = l->cosim != NULL           ? wl_cosim_reference(l->cosim)
                     : l->ops == &wl_side_model ? l->side
                                                : NULL;
  l->wave_from = desc->trace_from;
  l->wave = wl_wave_run_open(desc, names, l->ops, l->side, model, err, cap);
  if (l->wave == NULL || !desc->trace_failure) return l->wave != NULL;
  l->snapshots = wl_snapshots_open(desc->snapshot_cycles);
  if (l->snapshots == NULL) snprintf(err, cap, "out of memory");
  return l->snapshots != NULL;
}

/* The cycle that was made last, into the waves. */
void wl_lockstep_wave_cycle(wl_lockstep_t *l, uint64_t now, bool differs) {
  if (l->wave == NULL) return;
  if (l->cosim != NULL)
    wl_wave_run_cycle(l->wave, now, differs, &l->cosim->journal, &l->journal);
  else
    wl_wave_run_cycle(l->wave, now, false, &l->journal, NULL);
}

/* Both sides go on to the end of the window, compared no more, so that waves show what follows. */
void wl_lockstep_wave_diverged(wl_lockstep_t *l) {
  if (l->wave == NULL || (l->snapshots != NULL && !l->again)) return;
  wl_wave_run_failed(l->wave, &l->report, &l->cosim->journal, &l->journal);
  const uint64_t end = wl_wave_run_end(l->wave);
  for (unsigned i = 0; i < WL_WINDOW_BEHIND && l->cycle <= end; i++) {
    wl_journal_clear(&l->journal);
    l->ops->step(l->side, &l->journal);
    wl_cosim_step_reference(l->cosim);
    wl_lockstep_wave_cycle(l, l->cycle++, true);
  }
}

/* A snapshot before this cycle. Where it goes on later, it is a run with waves and without outputs.
 */
void wl_lockstep_snapshot(wl_lockstep_t *l) {
  wl_snapshot_order_t order;
  if (!wl_snapshots_take(l->snapshots, l->cycle, &order)) return;
  l->again = true;
  l->log.line = NULL;
  l->cosim->record = NULL;
  l->stop = NULL;
  if (l->trace != NULL) { /* the file's buffer is a copy of the run's */
    wl_trace_mute(l->trace);
    wl_lockstep_end_watch(l);
  }
  wl_wave_run_window(l->wave, order.from, order.to);
  if (l->inside == NULL) l->inside = wl_inside_open(l->config, l->cycle); /* none: goes without */
}

/* In the run: lets a snapshot make the waves of the difference. In the snapshot: they are made. */
static void end_snapshots(wl_lockstep_t *l, wl_run_result_t *result) {
  char text[WL_SNAPSHOT_TEXT] = "";
  if (l->again) {
    bool ok = result->status == WL_RUN_DIVERGED;
    if (!ok) snprintf(text, sizeof text, "the snapshot did not come to the difference");
    if (ok) ok = wl_wave_run_close(l->wave, text, sizeof text);
    if (ok && l->inside != NULL) wl_inside_text(l->inside, text, sizeof text);
    wl_snapshots_done(l->snapshots, ok, text);
  }
  if (result->status != WL_RUN_DIVERGED) {
    snprintf(result->note, sizeof result->note, "waves: none, the sides did not differ\n");
    return;
  }
  const uint64_t at = l->report.cycle;
  const wl_snapshot_order_t order = {wl_window_from(at), at + WL_WINDOW_BEHIND};
  uint64_t began = 0;
  const bool ok = wl_snapshots_run(l->snapshots, &order, &began, text, sizeof text);
  if (ok)
    snprintf(result->note, sizeof result->note,
             "waves: of cycles %llu to %llu, from the snapshot of cycle %llu\n%s",
             (unsigned long long)(began > order.from ? began : order.from),
             (unsigned long long)order.to, (unsigned long long)began,
             l->inside == NULL ? text : "");
  else
    snprintf(result->note, sizeof result->note, "waves: %s\n", text);
  if (ok) wl_wave_run_abandon(l->wave);
  if (ok) l->wave = NULL;
  wl_snapshots_close(l->snapshots);
  l->snapshots = NULL;
}

/* Completes the waves of a run; they are of the device's first one that has cycles in the window.
 */
void wl_lockstep_wave_end(wl_lockstep_t *l, wl_run_result_t *result) {
  char err[600] = "";
  if (l->snapshots != NULL) {
    end_snapshots(l, result);
    return;
  }
  if (l->wave == NULL) return;
  if (result->status != WL_RUN_DIVERGED &&
      l->cycle <= l->wave_from) { /* of a later launch, maybe */
    snprintf(result->note, sizeof result->note, "waves: none, the window begins in cycle %llu\n",
             (unsigned long long)l->wave_from);
    return;
  }
  const bool ok = wl_wave_run_close(l->wave, err, sizeof err);
  l->wave = NULL;
  if (!ok) snprintf(result->note, sizeof result->note, "waves: %s\n", err);
}
