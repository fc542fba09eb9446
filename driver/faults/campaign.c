/* campaign.c: the clean run and the flips of one kernel. Each flip is a process that begins as a
 * copy of the clean run at the flip's cycle, so no cycle before it is simulated twice. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/faults/faults.h"

/* One launch of the clean run. */
static bool trace_launch(wl_fault_run_t *run, wl_fault_trace_t *trace) {
  wl_cosim_verdict_t verdict = WL_COSIM_EQUAL;
  while (verdict == WL_COSIM_EQUAL) {
    verdict = wl_fault_step(run);
    if (!wl_clean_add(trace, run)) {
      (void)fprintf(stderr, "faults: the launch is too long for a campaign\n");
      return false;
    }
  }
  if (verdict == WL_COSIM_DONE) verdict = wl_cosim_end(run->cosim, &run->report);
  if (verdict != WL_COSIM_DONE)
    (void)fprintf(stderr, "faults: the clean run diverges\n%s", run->report.text);
  return verdict == WL_COSIM_DONE;
}

/* The clean run to its end, in a process of its own: what remains is the trace. */
static int trace_child(wl_fault_run_t *run, wl_fault_trace_t *trace) {
  if (!wl_clean_add(trace, run) || !trace_launch(run, trace)) return 1;
  const uint64_t cycles = run->cycle;
  if (!wl_fault_again(run) || !trace_launch(run, trace)) return 1;
  wl_clean_set_cycles(trace, cycles, run->cycle);
  return 0;
}

bool wl_campaign_trace(wl_fault_run_t *run, wl_fault_trace_t *trace) {
  int status = 0;
  (void)fflush(NULL);
  const pid_t child = fork();
  if (child == 0) _exit(trace_child(run, trace));
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

bool wl_campaign_run(wl_fault_run_t *run, wl_fault_trace_t *trace, wl_flip_t *flips, unsigned n,
                     unsigned jobs) {
  unsigned under_way = 0;
  (void)fflush(NULL);
  for (unsigned i = 0; i < n; i++) {
    while (run->cycle < flips[i].cycle)
      if (wl_fault_step(run) != WL_COSIM_EQUAL) return false;
    if (under_way == jobs && wait(NULL) > 0) under_way--;
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
      wl_flip_run(run, trace, &flips[i]); /* `flips` is shared memory */
      _exit(0);
    }
    under_way++;
  }
  while (wait(NULL) > 0)
    continue;
  for (unsigned i = 0; i < n; i++)
    if (flips[i].outcome == WL_OUT_PENDING) flips[i].outcome = WL_OUT_BROKEN;
  return true;
}
