/* backends.c: the backends model, rtl and lockstep of libwarplock (driver/backend.h). */
#include <stdio.h>
#include <string.h>

#include "driver/lockstep/lockstep.h"

#ifdef WL_RTL_TINY
extern const wl_side_ops_t wl_side_rtl_tiny;
#endif
#ifdef WL_RTL_BASE
extern const wl_side_ops_t wl_side_rtl_base;
#endif
#ifdef WL_RTL_FULL
extern const wl_side_ops_t wl_side_rtl_full;
#endif

const wl_side_ops_t *wl_side_rtl(const wl_config_t *config) {
#ifdef WL_RTL_TINY
  if (strcmp(config->name, "tiny") == 0) return &wl_side_rtl_tiny;
#endif
#ifdef WL_RTL_BASE
  if (strcmp(config->name, "base") == 0) return &wl_side_rtl_base;
#endif
#ifdef WL_RTL_FULL
  if (strcmp(config->name, "full") == 0) return &wl_side_rtl_full;
#endif
  (void)config;
  return NULL;
}

static int open_sides(const wl_backend_desc_t *desc, bool model, bool rtl, void **state, char *err,
                      size_t cap) {
  const wl_side_ops_t *rtl_side = wl_side_rtl(desc->config);
  if (rtl && rtl_side == NULL) {
    snprintf(err, cap, "this build has no RTL of configuration %s (it has tiny, base and full where "
                       "Verilator was found)", desc->config->name);
    return WL_RUN_UNSUPPORTED;
  }
  *state = wl_lockstep_open(desc, model ? &wl_side_model : rtl_side, model && rtl ? rtl_side : NULL,
                            err, cap);
  return *state != NULL ? WL_RUN_OK : WL_RUN_INTERNAL;
}

static int open_model(const wl_backend_desc_t *desc, void **state, char *err, size_t cap) {
  return open_sides(desc, true, false, state, err, cap);
}
static int open_rtl(const wl_backend_desc_t *desc, void **state, char *err, size_t cap) {
  return open_sides(desc, false, true, state, err, cap);
}
static int open_both(const wl_backend_desc_t *desc, void **state, char *err, size_t cap) {
  return open_sides(desc, true, true, state, err, cap);
}

static void run(void *state, uint64_t block, uint64_t max_cycles, wl_run_result_t *result) {
  wl_lockstep_run(state, block, max_cycles, result);
}
static void dump(void *state, void (*line)(void *, const char *), void *context) {
  wl_lockstep_dump(state, line, context);
}
static void close_state(void *state) { wl_lockstep_close(state); }

static const wl_backend_ops_t backends[] = {
    {"model", open_model, run, dump, close_state},
    {"rtl", open_rtl, run, dump, close_state},
    {"lockstep", open_both, run, dump, close_state},
};

const wl_backend_ops_t *wl_lockstep_backend(const char *name) {
  for (unsigned i = 0; i < sizeof backends / sizeof backends[0]; i++)
    if (strcmp(name, backends[i].name) == 0) return &backends[i];
  return NULL;
}
