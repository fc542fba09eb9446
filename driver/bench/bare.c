/* bare.c: RTL Verilated without the journal as a backend. docs/bench.md
 * Compiled twice: for `warplock`, which has none, and for `warplock_bench`, with the configurations
 * WL_BARE_<CONFIG> linked in. The library's own backend rtl keeps the journal's calls. */
#include "driver/bench/bare.h"

#include <stdio.h>
#include <string.h>

#ifdef WL_BARE_ANY
#include "driver/lockstep/lockstep.h"

#ifdef WL_BARE_TINY
extern const wl_side_ops_t wl_side_rtl_tiny_bench;
#endif
#ifdef WL_BARE_BASE
extern const wl_side_ops_t wl_side_rtl_base_bench;
#endif
#ifdef WL_BARE_FULL
extern const wl_side_ops_t wl_side_rtl_full_bench;
#endif

static const wl_side_ops_t *find_side(const char *config) {
#ifdef WL_BARE_TINY
  if (strcmp(config, "tiny") == 0) {
    return &wl_side_rtl_tiny_bench;
  }
#endif
#ifdef WL_BARE_BASE
  if (strcmp(config, "base") == 0) {
    return &wl_side_rtl_base_bench;
  }
#endif
#ifdef WL_BARE_FULL
  if (strcmp(config, "full") == 0) {
    return &wl_side_rtl_full_bench;
  }
#endif
  (void)config;
  return NULL;
}

static void run(void *state, uint64_t block, uint64_t max_cycles, wl_run_result_t *result) {
  wl_lockstep_run(state, block, max_cycles, result);
}

static void close_state(void *state) { wl_lockstep_close(state); }

static const wl_backend_ops_t bare = {.name = "rtl", .run = run, .close = close_state};

bool wl_bench_use_bare_rtl(wl_device_t *device, char *err, size_t cap) {
  const wl_side_ops_t *side = find_side(device->config->name);
  if (side == NULL) {
    (void)snprintf(err, cap, "no bare RTL of %s in this program", device->config->name);
    return false;
  }
  const wl_backend_desc_t desc = {.config = device->config,
                                  .seed = device->options.seed,
                                  .mem = device->mem,
                                  .mem_bytes = device->mem_bytes};
  void *state = wl_lockstep_open(&desc, side, NULL, err, cap);
  if (state == NULL) {
    return false;
  }
  device->ops->close(device->backend);
  device->ops = &bare;
  device->backend = state;
  return true;
}
#else
bool wl_bench_use_bare_rtl(wl_device_t *device, char *err, size_t cap) {
  (void)device;
  (void)snprintf(err, cap, "only in the program warplock_bench (make bench)");
  return false;
}
#endif
