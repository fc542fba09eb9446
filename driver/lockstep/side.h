/* side.h: one implementation of the SM as lockstep sees it: the golden model or the Verilated RTL.
 * Each side has its own memory image and gets nothing from the other. docs/lockstep.md. */
#ifndef WL_LOCKSTEP_SIDE_H
#define WL_LOCKSTEP_SIDE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/include/warplock_cosim.h"
#include "driver/lockstep/journal.h"
#include "gen/wl_config.h"
#include "gen/wl_debug.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wl_side wl_side_t;
typedef struct wl_trace wl_trace_t; /* driver/trace/trace.h */
typedef struct wl_waves wl_waves_t; /* driver/trace/waves.h */

typedef struct wl_side_desc {
  const wl_config_t *config;
  uint64_t seed;
  uint8_t *mem; /* image of device memory from WL_MEM_BASE on; the side reads and writes it */
  uint64_t mem_bytes;
  uint64_t *wrote;  /* gets the address of a sector that the side's port writes; may be NULL */
  bool journal;     /* records are wanted */
  unsigned density; /* of the disturbance, 0..7: docs/microarchitecture.md 17 */
} wl_side_desc_t;

/* An architectural array: slice s, row r lies at base[s][r * stride]. Both sides number slices and
 * rows alike: isa/def/state.def. */
typedef wl_cosim_view_t wl_view_t;

typedef struct wl_side_trap {
  bool valid;
  uint32_t cause, warp, lane, pc;
  uint64_t address;
} wl_side_trap_t;

typedef struct wl_side_counters {
  uint64_t issues, thread_issues, packets;
  uint64_t columns_left; /* by CTAs that ended (docs/microarchitecture.md 24.1) */
} wl_side_counters_t;

typedef struct wl_side_ops {
  const char *name;
  /* NULL with a sentence in err when this configuration was not built or memory is short. */
  wl_side_t *(*open)(const wl_side_desc_t *desc, char *err, size_t cap);
  void (*close)(wl_side_t *side);
  /* Pulses start with the address of the launch block; takes one cycle (its records in journal). */
  void (*start)(wl_side_t *side, uint64_t launch_block, wl_journal_t *journal);
  void (*step)(wl_side_t *side, wl_journal_t *journal); /* one cycle; journal may be NULL */
  bool (*done)(const wl_side_t *side);
  bool (*hung)(const wl_side_t *side); /* the SM's watchdog */
  void (*trap)(const wl_side_t *side, wl_side_trap_t *trap);
  /* Sets base and stride; slices and rows are there (wl_view_sizes). */
  void (*view)(wl_side_t *side, unsigned view, wl_view_t *out);
  /* Since open; NULL: the side cannot count. */
  void (*counters)(const wl_side_t *side, wl_side_counters_t *out);
  /* Shows every cycle to the pipeline view, from now until called with NULL, which completes it;
   * `watch` itself NULL: the side has none. */
  void (*watch)(wl_side_t *side, wl_trace_t *trace);
  /* The model's reasons become signals from now on; NULL: the side has none. */
  void (*watch_waves)(wl_side_t *side, wl_waves_t *waves);
  /* Waves of the side's own signals and of those in `waves`, where it was built with them:
   * "fst" or "vcd", and the functions; else NULL. Each cycle is written after it was evaluated. */
  const char *wave_format;
  bool (*wave_open)(wl_side_t *side, const char *path, const wl_waves_t *waves);
  void (*wave_cycle)(wl_side_t *side, uint64_t cycle);
  void (*wave_close)(wl_side_t *side);
  /* Internal state as gen/wl_debug.h lays it out (docs/replay.md, "Inside"); has[row] is false
   * where the side does not show a row. NULL: it shows none. */
  void (*debug)(wl_side_t *side, uint64_t *words, bool *has);
  /* Broken rule of the side itself (an obligation of the model, an assertion), NULL if none. */
  const char *(*fault)(const wl_side_t *side);
} wl_side_ops_t;

extern const wl_side_ops_t wl_side_model;
/* NULL: not built. `waves`: the one that can write waves. */
const wl_side_ops_t *wl_side_rtl(const wl_config_t *config, bool waves);

/* An empty view with slices and rows of state.def. */
static inline void wl_view_sizes(const wl_config_t *config, unsigned view, wl_view_t *out) {
  const wl_state_info_t *info = wl_view_info[view];
  const unsigned id = (unsigned)(config - wl_configs);
  out->slices = info->slices[id];
  out->rows = info->rows[id];
  out->stride = 1;
}
/* The RTL name of a slice (state.def), below gpu_top. */
void wl_view_rtl_name(const wl_config_t *config, unsigned view, unsigned slice, char *out,
                      size_t cap);

#ifdef __cplusplus
}
#endif
#endif
