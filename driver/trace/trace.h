/* trace.h: the pipeline view: what every warp slot did in every cycle of a launch, as the golden
 * model tells it (cmodel/model.h, wl_model_watch_t), written as a file. docs/views.md. */
#ifndef WL_DRIVER_TRACE_TRACE_H
#define WL_DRIVER_TRACE_TRACE_H
#include <stddef.h>

#include "cmodel/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wl_trace_format { WL_TRACE_TEXT, WL_TRACE_JSON, WL_TRACE_KANATA } wl_trace_format_t;
typedef void (*wl_trace_write_t)(void *context, const char *text, size_t bytes);
typedef struct wl_trace wl_trace_t;

/* NULL: out of memory. */
wl_trace_t *wl_trace_open(const wl_config_t *config, wl_trace_format_t format,
                          wl_trace_write_t write, void *context);
void wl_trace_close(wl_trace_t *trace);
/* Nothing is written any more. */
void wl_trace_mute(wl_trace_t *trace);
/* One launch: begin, every cycle, end, with the model's counters before and behind it. */
void wl_trace_begin(wl_trace_t *trace, const wl_model_counters_t *counters);
void wl_trace_cycle(wl_trace_t *trace, const wl_model_watch_t *watch);
/* Counters of products in tensor memory, of the launch (driver/trace/umma.h). */
const struct wl_umma_counts *wl_trace_umma(const wl_trace_t *trace);
void wl_trace_end(wl_trace_t *trace, const wl_model_counters_t *counters);

#ifdef __cplusplus
}
#endif
#endif
