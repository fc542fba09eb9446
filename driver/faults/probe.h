/* probe.h: registers of the RTL by name, to be read and changed between cycles. Only in the model
 * of the RTL that the fault campaign has made for itself (public.vlt). docs/faults.md */
#ifndef WL_FAULTS_PROBE_H
#define WL_FAULTS_PROBE_H
#include "driver/lockstep/side.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wl_probe {
  uint8_t *base;        /* of element 0; an element is a little-endian number */
  unsigned bits, bytes; /* of an element */
  unsigned elements;
} wl_probe_t;

extern const wl_side_ops_t wl_side_rtl_tiny_faults;

/* False: the model has no public register of that name (below the top). */
bool wl_probe_find(wl_side_t *side, const char *name, wl_probe_t *out);
/* After a change of registers: what hangs on them without a clock follows. */
void wl_probe_settle(wl_side_t *side);
/* Digest of all that the side has asked of the memory port so far. */
uint64_t wl_probe_requests(const wl_side_t *side);

#ifdef __cplusplus
}
#endif
#endif
