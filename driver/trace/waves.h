/* waves.h: the records of a run as signals over cycles: a scope per side, unit and warp, in it the
 * words of the last record of that kind and how many there were in the cycle. docs/replay.md
 * What is written is the writers': vcd.c here, and the tracing RTL (side_rtl.cpp), which puts the
 * same signals beside its own. */
#ifndef WL_DRIVER_TRACE_WAVES_H
#define WL_DRIVER_TRACE_WAVES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "driver/trace/pages.h"
#include "gen/warplock_layout.h"
#include "gen/wl_config.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wl_model_watch; /* cmodel/model.h */

/* What the values of a signal are called: a translate file each (names.c). */
typedef enum wl_wave_names {
  WL_NAMES_NONE,
  WL_NAMES_PC,
  WL_NAMES_CAUSE,
  WL_NAMES_OP,
  WL_NAMES_ATOM,
  WL_NAMES_TYPE,
  WL_NAMES_REQUEST,
  WL_NAMES_EVENT,
  WL_NAMES_WHY,
  WL_NAMES_STEP,
  WL_NAMES_KINDS
} wl_wave_names_t;

typedef struct wl_wave_signal {
  char scope[40]; /* "model.issue.warp3" */
  char name[16];
  unsigned bits;
  wl_wave_names_t names;
  uint32_t value;
} wl_wave_signal_t;

enum { WL_WAVE_SIDES = 2 };
typedef struct wl_waves {
  const wl_config_t *config;
  unsigned config_id, sides, warps;
  const char *side[WL_WAVE_SIDES];
  wl_wave_signal_t *signal;
  unsigned signals;
  unsigned first[WL_WAVE_SIDES][WL_NUM_JOURNAL_KINDS]; /* of the kind's first instance */
  unsigned per[WL_NUM_JOURNAL_KINDS];                  /* signals of an instance */
  unsigned why, differs;                               /* of warp 0; the only one; 0: none */
  unsigned async;                                      /* the first of waits and copies; 0: none */
  uint32_t *counted;                                   /* signals of counts that are not 0 */
  unsigned counts;
  wl_pages_t pages[WL_WAVE_SIDES];
} wl_waves_t;

/* side[1] NULL: one side. `watched`: the model's reasons per warp, waits and copies are there too
 * (wl_waves_watch).
 * NULL: out of memory. */
wl_waves_t *wl_waves_open(const wl_config_t *config, const char *const side[2], bool watched);
void wl_waves_close(wl_waves_t *w);
/* A cycle, in or outside a window (values hold until the next record): first begin, then what
 * happens in it. */
void wl_waves_begin(wl_waves_t *w);
void wl_waves_take(wl_waves_t *w, unsigned side, const wl_cosim_record_t *records, unsigned n);
void wl_waves_watch(wl_waves_t *w, const struct wl_model_watch *watch);
/* The word of a kind that says which instance of its unit a record is about, -1: there is one. */
int wl_waves_key(unsigned kind);

/* ---- vcd.c: one cycle is one nanosecond */
typedef struct wl_vcd wl_vcd_t;
wl_vcd_t *wl_vcd_open(const wl_waves_t *w, FILE *file); /* NULL: out of memory; file is kept open */
void wl_vcd_cycle(wl_vcd_t *v, uint64_t cycle);
void wl_vcd_close(wl_vcd_t *v, uint64_t end);

/* ---- names.c: values and what they are called, from isa/def; `code`: the launch's words for pc.
 */
void wl_waves_each_name(wl_wave_names_t names, const uint32_t (*code)[4], uint32_t code_words,
                        void (*each)(void *context, uint32_t value, const char *text),
                        void *context);
const char *wl_waves_names_file(wl_wave_names_t names); /* "pc.txt" ... */

#ifdef __cplusplus
}
#endif
#endif
