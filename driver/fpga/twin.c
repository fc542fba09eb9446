/* twin.c: the model of a launch that a board runs, and its signatures (fpga.h). docs/fpga.md 5, 7.
 * The model is the reference of warplock_cosim.h, which knows how to name things in a report. */
#include <stdio.h>

#include "driver/fpga/fpga.h"

bool wl_twin_open(wl_twin_t *t, const wl_backend_desc_t *desc, uint8_t *mem, bool log,
                  uint64_t launch_block, uint64_t cycle) {
  const wl_cosim_options_t options = {.struct_size = sizeof options,
                                      .layout = wl_layouts[desc->config - wl_configs],
                                      .seed = desc->seed,
                                      .dut_name = "fpga",
                                      .mem = mem,
                                      .mem_bytes = desc->mem_bytes,
                                      .record = log && desc->log != NULL ? wl_log_records : NULL,
                                      .record_context = &t->log};
  t->log = (wl_log_t){desc->log, desc->log_context};
  t->error[0] = '\0';
  t->cycle = 0;
  if (wl_cosim_create(&options, &t->cosim) != WL_OK) {
    snprintf(t->error, sizeof t->error, "%s", wl_cosim_error(t->cosim));
    return false;
  }
  for (; t->cycle < cycle; t->cycle++)
    wl_cosim_advance(t->cosim);
  wl_digest_begin(&t->digest);
  if (wl_cosim_start(t->cosim, launch_block) == WL_OK) return true;
  snprintf(t->error, sizeof t->error, "%s", wl_cosim_error(t->cosim));
  return false;
}

void wl_twin_close(wl_twin_t *t) {
  wl_cosim_destroy(t->cosim);
  t->cosim = NULL;
}

void wl_twin_step(wl_twin_t *t) {
  wl_cosim_advance(t->cosim);
  wl_digest_tick(&t->digest, t->cosim->journal.record, t->cosim->journal.records);
  t->cycle++;
}

bool wl_twin_ended(const wl_twin_t *t) {
  return wl_side_model.done(t->cosim->model) || wl_side_model.hung(t->cosim->model);
}
