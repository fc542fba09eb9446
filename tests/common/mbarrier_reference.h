/* mbarrier_reference.h: an mbarrier as PTX describes it (9.7.13.15): plain numbers, and operations
 * on them. It says what is within PTX's ranges; what is not changes nothing. */
#ifndef WL_TESTS_COMMON_MBARRIER_REFERENCE_H
#define WL_TESTS_COMMON_MBARRIER_REFERENCE_H
#include <stdbool.h>
#include <stdint.h>

enum {
  WL_REF_MBAR_MOST = 1048575
}; /* largest count of arrivals, and of bytes that are under way */

typedef struct wl_ref_mbar {
  uint64_t phase;   /* number of phases that are over */
  int64_t expected; /* arrivals that the next phase waits for */
  int64_t pending;  /* arrivals that this phase still waits for */
  int64_t tx;       /* transactions expected less those complete; may be negative for a time */
} wl_ref_mbar_t;

typedef enum wl_ref_mbar_op {
  WL_REF_MBAR_INIT,
  WL_REF_MBAR_ARRIVE,
  WL_REF_MBAR_DROP, /* arrive_drop */
  WL_REF_MBAR_EXPECT,
  WL_REF_MBAR_COMPLETE,
  WL_REF_MBAR_ARRIVE_TX, /* arrive.expect_tx: one arrival */
  WL_REF_MBAR_DROP_TX,   /* arrive_drop.expect_tx */
  WL_REF_MBAR_OPS
} wl_ref_mbar_op_t;

/* false: outside PTX's ranges, the object is as before. */
bool wl_ref_mbar(wl_ref_mbar_t *m, wl_ref_mbar_op_t op, uint32_t n);

/* test_wait.parity: the phase of this parity is over. */
bool wl_ref_mbar_over(const wl_ref_mbar_t *m, unsigned parity);

/* The object in Warplock's 64 bits (docs/microarchitecture.md 21.1). */
uint64_t wl_ref_mbar_bits(const wl_ref_mbar_t *m);

#endif
