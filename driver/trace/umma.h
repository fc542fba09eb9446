/* umma.h: counters of the unit of products in tensor memory over a launch, made from what the golden model shows
 * in each cycle (wl_model_umma_t). docs/views.md */
#ifndef WL_DRIVER_TRACE_UMMA_H
#define WL_DRIVER_TRACE_UMMA_H
#include "cmodel/model.h"

typedef struct wl_umma_counts {
  uint64_t products, moves, commits; /* that have ended; moves: copies and shifts */
  uint64_t does[WL_UMMA_DOES];       /* cycles; they add up to those of the launch */
  uint64_t idle;                     /* steps whose lanes are idle */
  uint64_t no_command;            /* cycles without a command between the first step and the last */
  uint64_t first_step, last_step; /* cycles */
  uint64_t granted, lost; /* requests to the chunk port; cycles in which one was not granted */
  uint64_t loads, held;   /* cycles in which a load of tensor memory could read; of these held */
  uint64_t longest;       /* most of these held one after the other, of a sub-core */
  uint64_t since;         /* without a command since the last step */
  uint32_t run[WL_MOST_SUB_CORES]; /* held up to now */
} wl_umma_counts_t;

void wl_umma_count(wl_umma_counts_t *c, const wl_model_umma_t *now, uint64_t cycle,
                   unsigned sub_cores);
/* Cycles with a command. */
uint64_t wl_umma_busy_cycles(const wl_umma_counts_t *c);
/* Part of the cycles from the first step to the last in which a step is done; 0: no step. */
double wl_umma_busy_part(const wl_umma_counts_t *c);
/* Names of the counters of does, as in otherData. */
extern const char *const wl_umma_names[WL_UMMA_DOES];

#endif
