/* inside.h: comparison of internal state of the two sides, in every cycle, on request (debug.def,
 * docs/replay.md "Inside"): it names what differed before a record did, and ends no run. */
#ifndef WL_LOCKSTEP_INSIDE_H
#define WL_LOCKSTEP_INSIDE_H
#include "driver/lockstep/side.h"

typedef struct wl_inside wl_inside_t;
/* The comparison begins behind cycle `from`. NULL: out of memory. */
wl_inside_t *wl_inside_open(const wl_config_t *config, uint64_t from);
void wl_inside_close(wl_inside_t *inside);
/* Behind cycle `now`, which both sides have made. Nothing is done once something differed. */
void wl_inside_cycle(wl_inside_t *inside, uint64_t now, wl_side_t *model, const wl_side_ops_t *ops,
                     wl_side_t *rtl);
/* The first cycle behind which something differed; false: none. */
bool wl_inside_found(const wl_inside_t *inside, uint64_t *cycle);
/* Lines for the user. */
void wl_inside_text(const wl_inside_t *inside, char *out, size_t cap);

#endif
