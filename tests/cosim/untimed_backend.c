/* untimed_backend.c: a backend `lockstep` in place of the driver's (the linker takes this one): the
 * model against a model with other latency and heavy disturbance, in untimed mode. With it the
 * kernel runner runs the corpus through warplock_cosim.h. docs/cosim.md */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/backend.h"
#include "driver/include/warplock_cosim.h"
#include "driver/lockstep/side.h"

enum { LIMIT = 20000000 };

typedef struct pair {
  wl_cosim_t *cosim;
  wl_config_t config; /* of the core under test */
  wl_side_t *dut;
  wl_journal_t journal;
  wl_cosim_report_t report;
} pair_t;

static void close_pair(void *state) {
  pair_t *p = state;
  if (p->dut != NULL) wl_side_model.close(p->dut);
  wl_cosim_destroy(p->cosim);
  free(p);
}

static int open_pair(const wl_backend_desc_t *desc, void **state, char *err, size_t cap) {
  const wl_cosim_options_t options = {.struct_size = sizeof options,
                                      .layout = *wl_cosim_layout(desc->config->name),
                                      .seed = desc->seed,
                                      .mode = WL_COSIM_UNTIMED,
                                      .mem = desc->mem,
                                      .mem_bytes = desc->mem_bytes};
  pair_t *p = calloc(1, sizeof *p);
  if (p == NULL || wl_cosim_create(&options, &p->cosim) != WL_OK) {
    snprintf(err, cap, "%s", p != NULL ? wl_cosim_error(p->cosim) : "out of memory");
    if (p != NULL) close_pair(p);
    return WL_RUN_INTERNAL;
  }
  p->config = *desc->config;
  p->config.mem_latency = 7 + 5 * p->config.mem_latency / 2;
  const wl_side_desc_t side = {.config = &p->config,
                               .seed = desc->seed,
                               .mem = wl_cosim_memory(p->cosim, NULL, NULL),
                               .mem_bytes = desc->mem_bytes,
                               .journal = true,
                               .density = 4};
  p->dut = wl_side_model.open(&side, err, cap);
  *state = p;
  return p->dut != NULL ? WL_RUN_OK : WL_RUN_INTERNAL;
}

static wl_cosim_verdict_t step(pair_t *p, bool first) {
  wl_journal_clear(&p->journal);
  if (first)
    wl_side_model.start(p->dut, wl_cosim_launch_block(p->cosim), &p->journal);
  else
    wl_side_model.step(p->dut, &p->journal);
  wl_cosim_signals(p->cosim, wl_side_model.done(p->dut), wl_side_model.hung(p->dut));
  return wl_cosim_step(p->cosim, p->journal.record, p->journal.records, &p->report);
}

static void run(void *state, uint64_t block, uint64_t max_cycles, wl_run_result_t *result) {
  pair_t *p = state;
  (void)max_cycles;
  snprintf(p->report.text, sizeof p->report.text, "no end within the limit");
  result->status = WL_RUN_DIVERGED;
  wl_cosim_verdict_t verdict = WL_COSIM_ERROR;
  if (wl_cosim_start(p->cosim, block) == WL_OK) verdict = step(p, true);
  for (uint64_t i = 0; verdict == WL_COSIM_EQUAL && i < LIMIT; i++)
    verdict = step(p, false);
  if (verdict == WL_COSIM_DONE) verdict = wl_cosim_end(p->cosim, &p->report);
  if (verdict == WL_COSIM_DONE) {
    wl_cosim_state_t s;
    wl_cosim_state(p->cosim, &s);
    result->status = s.trapped ? WL_RUN_TRAP : WL_RUN_OK;
    result->cycles = s.cycles;
    wl_cosim_summary(p->cosim, p->report.text, sizeof p->report.text);
  }
  memcpy(result->report, p->report.text, sizeof result->report);
}

static const wl_backend_ops_t ops = {"lockstep", open_pair, run, NULL, close_pair, NULL};

const wl_backend_ops_t *wl_lockstep_backend(const char *name) {
  return strcmp(name, ops.name) == 0 ? &ops : NULL;
}
const wl_side_ops_t *wl_side_rtl(const wl_config_t *config, bool waves) {
  (void)waves;
  (void)config;
  return NULL;
}
