/* async.h: what lasts beside the issues of warps: paths that wait, cp.async, bulk copies and their groups,
 * as spans of cycles, and counters of a launch. Made from what the golden model shows in each cycle
 * (wl_model_async_t); the writers of the pipeline view show the spans. docs/views.md */
#ifndef WL_DRIVER_TRACE_ASYNC_H
#define WL_DRIVER_TRACE_ASYNC_H
#include "cmodel/model.h"

typedef enum wl_span_what {
  WL_SPAN_WAIT,
  WL_SPAN_BULK,
  WL_SPAN_CPASYNC,
  WL_SPAN_GROUP, /* from its commit to its last copy's end */
  WL_SPAN_PHASE, /* of one cycle */
  WL_SPANS
} wl_span_what_t;
enum { WL_SPAN_STEPS = 4 };

typedef struct wl_span {
  uint8_t what;
  uint8_t kind;        /* wl_wait_on_t of a wait; wl_mem_kind_t of a copy; 1: a group of bulk */
  uint8_t warp, place; /* place: leader of a path, entry, slot */
  uint32_t pc, lanes, bytes;
  /* Of the group among those of the warp, of the phase; wait: 1: behind a wake-up in vain. */
  uint32_t number;
  bool grouped;   /* copies that have groups */
  bool committed; /* the group of the copy is closed */
  bool timed;     /* wait: its time was over */
  bool lost;      /* the launch ended before it did */
  /* The cycle in which it began; of each step, in which that ended: the last one's is the span's. A span
   * is visible from the cycle behind its first on. */
  uint64_t from, to[WL_SPAN_STEPS];
  uint8_t step[WL_SPAN_STEPS]; /* wl_copy_step_t */
  unsigned steps;              /* begun */
  uint64_t closed;             /* commit of its group */
  uint64_t id;                 /* of the writer */
} wl_span_t;

/* Of one launch. */
typedef struct wl_async_counts {
  uint64_t bulks, bulk_cycles, to_shared, to_global; /* cycles with one under way; bytes moved */
  uint64_t copies, copy_cycles, copy_bytes;          /* of cp.async */
  uint64_t parked, woken, in_vain, timed;            /* paths */
  uint64_t phases, all_wait;
} wl_async_counts_t;

typedef enum wl_span_event { WL_SPAN_OPENS, WL_SPAN_NEXT, WL_SPAN_CLOSES } wl_span_event_t;
/* In the cycle in which it becomes visible: behind the one in which it happens. */
typedef void (*wl_span_fn_t)(void *context, wl_span_event_t event, wl_span_t *span);

typedef struct wl_async {
  const wl_config_t *config;
  wl_async_counts_t count;
  wl_span_t wait[WL_MOST_WARPS][32]; /* by leader; steps = 0: none */
  uint32_t woken[WL_MOST_WARPS][32]; /* lanes of a path that was woken and has not judged again */
  wl_span_t bulk[WL_MOST_COPY_QUEUE], slot[WL_MOST_LSU_DEPTH];
  uint32_t groups[WL_MOST_WARPS][2]; /* closed by the warp: of cp.async, of bulk copies */
  bool there[WL_MOST_WARPS];         /* the slot holds a warp */
  wl_model_async_t last;             /* what happened in the cycle before */
  bool any;
} wl_async_t;

void wl_async_begin(wl_async_t *a, const wl_config_t *config);
void wl_async_cycle(wl_async_t *a, const wl_model_watch_t *watch, wl_span_fn_t fn, void *context);
/* `now`: behind the last cycle. Closes what is open. */
void wl_async_end(wl_async_t *a, uint64_t now, wl_span_fn_t fn, void *context);

extern const char *const wl_step_names[WL_STEPS];
const char *wl_span_name(const wl_span_t *span); /* "bulk load", "wait mbarrier" ... */

#endif
