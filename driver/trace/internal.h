/* internal.h: what the writers of the pipeline view share. docs/views.md. */
#ifndef WL_DRIVER_TRACE_INTERNAL_H
#define WL_DRIVER_TRACE_INTERNAL_H
#include "driver/trace/async.h"
#include "driver/trace/trace.h"
#include "driver/trace/umma.h"

typedef struct wl_trace_writer {
  void (*begin)(wl_trace_t *t);
  void (*cycle)(wl_trace_t *t, const wl_model_watch_t *watch);
  void (*span)(wl_trace_t *t, wl_span_event_t event, wl_span_t *span); /* before its cycle */
  void (*end)(wl_trace_t *t, const wl_model_counters_t *launch);       /* what the launch counted */
} wl_trace_writer_t;

struct wl_trace {
  const wl_config_t *config;
  const wl_trace_writer_t *writer;
  wl_trace_write_t write;
  void *context;
  wl_model_counters_t before;
  uint64_t cycles, now; /* of the launch so far; behind the last one */
  /* text: cycles like the last one that are not written yet */
  wl_model_watch_t last;
  uint64_t repeats;
  /* json, kanata: by warp, since when it does what it does; instruction numbers */
  uint8_t why[WL_MOST_WARPS];
  uint64_t since[WL_MOST_WARPS];
  uint64_t id[WL_MOST_WARPS], ids, retired;
  bool open[WL_MOST_WARPS], any;
  bool spans;      /* json: one was written */
  uint64_t ticked; /* kanata: behind the cycle that its time is at */
  wl_async_t async;
  wl_umma_counts_t umma;
};

extern const wl_trace_writer_t wl_trace_text, wl_trace_json, wl_trace_kanata;
extern const char *const wl_why_names[WL_WHYS]; /* at most 7 letters */

void wl_trace_put(wl_trace_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Mnemonic without guard and operands. */
void wl_trace_mnemonic(const uint32_t word[4], char *out, size_t cap);

#endif
