/* lockstep.h: runs one side, or the RTL against the golden model, launch by launch.
 * docs/lockstep.md The comparison is that of warplock_cosim.h: this file is a client of it. */
#ifndef WL_LOCKSTEP_LOCKSTEP_H
#define WL_LOCKSTEP_LOCKSTEP_H
#include "driver/backend.h"
#include "driver/lockstep/side.h"

typedef struct wl_lockstep wl_lockstep_t;

/* `second` NULL: `first` alone. Else `second` is the core under test, and `first`, which must be
 * wl_side_model, the reference. NULL with a sentence in err. */
wl_lockstep_t *wl_lockstep_open(const wl_backend_desc_t *desc, const wl_side_ops_t *first,
                                const wl_side_ops_t *second, char *err, size_t cap);
void wl_lockstep_run(wl_lockstep_t *lockstep, uint64_t launch_block, uint64_t max_cycles,
                     wl_run_result_t *result);
void wl_lockstep_dump(wl_lockstep_t *lockstep, void (*line)(void *, const char *), void *context);
void wl_lockstep_close(wl_lockstep_t *lockstep);

#endif
