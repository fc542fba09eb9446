/* pair.h: one program on a backend of libwarplock and on the oracle, with the same input. Links
 * wl_tests_oracle and wl_driver. */
#ifndef WL_TESTS_ORACLE_PAIR_H
#define WL_TESTS_ORACLE_PAIR_H
#include "driver/include/warplock.h"
#include "tests/oracle/oracle.h"

typedef struct wl_pair {
  wl_device_options_t device;
  const char *text; /* kernel t(.param .u64 in, .param .u64 out [, .param .b8 block[]]) */
  size_t size;
  uint32_t ctas, block;
  const void *in; /* at address `in` */
  size_t in_bytes, out_bytes;
  const void *third; /* NULL: the kernel has two parameters */
  size_t third_bytes;
  uint64_t seed; /* of the oracle */
} wl_pair_t;

/* The bytes at `out` after the launch; else why not. */
wl_status_t wl_pair_machine(const wl_pair_t *p, void *out, char *why, size_t cap);
bool wl_pair_oracle(const wl_pair_t *p, void *out, char *why, size_t cap);

#endif
