/* snapshot.h: the run as it was a moment ago: processes forked from it at intervals, which wait and
 * can go on from there. docs/replay.md. The process must have one thread. */
#ifndef WL_LOCKSTEP_SNAPSHOT_H
#define WL_LOCKSTEP_SNAPSHOT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WL_SNAPSHOT_TEXT = 1200 };
typedef struct wl_snapshots wl_snapshots_t;
/* What a waiting process is to do: the window of waves. */
typedef struct wl_snapshot_order {
  uint64_t from, to;
} wl_snapshot_order_t;

/* `interval`: cycles between two, 0: a second of time. NULL: out of memory. */
wl_snapshots_t *wl_snapshots_open(uint64_t interval);
/* Before the cycle: forks when it is time; the two youngest are kept. False in the run itself; true
 * in a process that was told to go on: it must end with wl_snapshots_done. */
bool wl_snapshots_take(wl_snapshots_t *s, uint64_t cycle, wl_snapshot_order_t *order);
/* Lets the youngest that is at or before `order->from` go on (the oldest, if none is), and waits
 * for it; *began is its cycle. False when it failed; `text` is what it says. */
bool wl_snapshots_run(wl_snapshots_t *s, const wl_snapshot_order_t *order, uint64_t *began,
                      char *text, size_t cap);
/* In the process that went on: hands over what came of it, and ends. */
_Noreturn void wl_snapshots_done(wl_snapshots_t *s, bool ok, const char *text);
void wl_snapshots_close(wl_snapshots_t *s); /* ends all */

#endif
