/* backends.c: the backends model, rtl and lockstep of libwarplock (driver/backend.h). */
#include <stdio.h>
#include <string.h>

#include "driver/lockstep/lockstep.h"
#include "driver/lockstep/wave.h"

/* WL_RTL_SIDES, of the build: SIDE(configuration, suffix) for each core that it has, the suffix _trace or
 * nothing. */
#ifndef WL_RTL_SIDES
#define WL_RTL_SIDES
#endif
#define SIDE(config, suffix) extern const wl_side_ops_t wl_side_rtl_##config##suffix;
WL_RTL_SIDES
#undef SIDE

const wl_side_ops_t *wl_side_rtl(const wl_config_t *config, bool waves) {
  static const struct {
    const char *name;
    bool waves;
    const wl_side_ops_t *ops;
  } all[] = {
#define SIDE(config, suffix) {#config, sizeof #suffix > 1, &wl_side_rtl_##config##suffix},
      WL_RTL_SIDES
#undef SIDE
      {NULL, false, NULL}};
  for (size_t i = 0; all[i].name != NULL; i++)
    if (strcmp(config->name, all[i].name) == 0 && all[i].waves == waves) return all[i].ops;
  return NULL;
}

/* Waves with the RTL's own signals are wanted, or come by themselves (VCD of such a build). */
static bool choose_rtl(const wl_backend_desc_t *desc, const wl_side_ops_t **rtl, char *err,
                       size_t cap) {
  const char *config = desc->config->name;
  const wl_side_ops_t *waves = desc->trace != NULL ? wl_side_rtl(desc->config, true) : NULL;
  const bool fst = desc->trace != NULL && wl_wave_is(desc->trace, ".fst");
  if (fst && waves == NULL) {
    snprintf(err, cap,
             "this build has no waves of the RTL of configuration %s: make trace "
             "TRACE=%s builds them (a name that ends in .vcd has the records only)",
             config, config);
    return false;
  }
  if (fst && strcmp(waves->wave_format, "fst") != 0) {
    snprintf(err, cap,
             "the waves of this build are VCD: name the file .vcd, or apt install "
             "liblz4-dev zlib1g-dev and build again");
    return false;
  }
  if (waves != NULL && (fst || strcmp(waves->wave_format, "vcd") == 0)) {
    *rtl = waves;
    return true;
  }
  *rtl = wl_side_rtl(desc->config, false);
  if (*rtl != NULL) return true;
  snprintf(err, cap,
           "this build has no RTL of configuration %s (it has tiny, tiny4, base and full "
           "where Verilator was found)",
           config);
  return false;
}

static int open_sides(const wl_backend_desc_t *desc, bool model, bool rtl, void **state, char *err,
                      size_t cap) {
  const wl_side_ops_t *rtl_side = NULL;
  if (rtl && !choose_rtl(desc, &rtl_side, err, cap)) return WL_RUN_UNSUPPORTED;
  if (!rtl && desc->trace != NULL && !wl_wave_is(desc->trace, ".vcd")) {
    snprintf(err, cap, "waves of the model alone are VCD: name the file .vcd");
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
    {"model", open_model, run, dump, close_state, NULL},
    {"rtl", open_rtl, run, dump, close_state, NULL},
    {"lockstep", open_both, run, dump, close_state, NULL},
};

const wl_backend_ops_t *wl_lockstep_backend(const char *name) {
  for (unsigned i = 0; i < sizeof backends / sizeof backends[0]; i++)
    if (strcmp(name, backends[i].name) == 0) return &backends[i];
  return NULL;
}
