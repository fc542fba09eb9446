/* gtkw.h: a GTKWave save file for waves of waves.h, with its translate files. docs/replay.md */
#ifndef WL_DRIVER_TRACE_GTKW_H
#define WL_DRIVER_TRACE_GTKW_H
#include "driver/trace/waves.h"

typedef struct wl_gtkw {
  const char *base;  /* of the names: BASE.gtkw, BASE.names/ */
  const char *waves; /* the file with the signals */
  uint64_t from, cursor;
  int kind, view, warp;      /* of a divergence (wl_cosim_report_t), -1: none */
  uint32_t instance;         /* key word of the record that differs */
  bool has_instance, rtl;    /* rtl: the file has the RTL's own signals */
  const uint32_t (*code)[4]; /* of the launch, for pc values */
  uint32_t code_words;
} wl_gtkw_t;

/* False with a sentence in err. */
bool wl_gtkw_write(const wl_waves_t *w, const wl_gtkw_t *g, char *err, size_t cap);

#endif
