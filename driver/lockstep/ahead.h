/* ahead.h: a piece of work in a thread of its own while the caller does something else: the
 * reference's cycle beside the evaluation of the core under test (docs/cosim.md). One piece at a
 * time. What the thread has not begun when the caller wants the result, the caller does itself.
 * The thread looks for work without sleeping for about 100 microseconds: meant for a processor
 * that is free. Not to be used across fork(). */
#ifndef WL_LOCKSTEP_AHEAD_H
#define WL_LOCKSTEP_AHEAD_H

#include <stdbool.h>

typedef struct wl_ahead wl_ahead_t;

/* NULL: no memory or no thread. */
wl_ahead_t *wl_ahead_open(void (*work)(void *context), void *context);
void wl_ahead_begin(wl_ahead_t *a);  /* `context` belongs to the thread until wl_ahead_finish */
bool wl_ahead_finish(wl_ahead_t *a); /* the work is done when this returns; no begin: false */
void wl_ahead_close(wl_ahead_t *a);  /* finishes; NULL: nothing */

#endif
