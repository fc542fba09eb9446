/* cosim_device.c: the device of a cosim (warplock_cosim.h): memory, modules and checks of a launch
 * are those of every device; the run is the caller's, cycle by cycle. docs/cosim.md */
#include <stdio.h>

#include "driver/internal.h"
#include "driver/lockstep/cosim.h"

static void refuse_run(void *state, uint64_t block, uint64_t max_cycles, wl_run_result_t *result) {
  (void)state, (void)block, (void)max_cycles;
  result->status = WL_RUN_UNSUPPORTED;
  snprintf(result->report, sizeof result->report,
           "the device belongs to a cosim: wl_cosim_launch and wl_cosim_step run it");
}

static void close_nothing(void *state) { (void)state; }

static const wl_backend_ops_t cosim_ops = {
    .name = "cosim", .run = refuse_run, .close = close_nothing};

static wl_status_t pass_on(wl_cosim_t *c, wl_status_t status) {
  snprintf(c->error, sizeof c->error, "%s",
           c->device != NULL ? wl_error(c->device) : "out of memory");
  return status;
}

wl_status_t wl_cosim_open_device(wl_cosim_t *c, uint64_t seed, uint64_t mem_bytes) {
  const wl_device_options_t options = {
      .config = c->config->name, .seed = seed, .mem_bytes = mem_bytes};
  const wl_status_t status = wl_device_open_on(&options, &cosim_ops, c, &c->device);
  if (status != WL_OK) return pass_on(c, status);
  c->mem[0] = c->device->mem;
  c->mem_bytes = c->device->mem_bytes;
  return WL_OK;
}

wl_status_t wl_cosim_launch(wl_cosim_t *c, wl_function_t *function, const wl_launch_t *launch,
                            const wl_arg_t *args, unsigned arg_count) {
  if (c->device == NULL || function->module->device != c->device) {
    snprintf(c->error, sizeof c->error, "the function is of another device than this cosim's");
    return WL_ERR_INPUT;
  }
  const wl_status_t status = wl_launch_prepare(function, launch, args, arg_count);
  return status != WL_OK ? pass_on(c, status) : wl_cosim_start(c, c->device->c0);
}
