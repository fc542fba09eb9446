/* checked.h: BACKEND "checked" of these tests: func with checked launches (docs/checked.md), which find nothing but
 * what is known and right: with two stages a tcgen05.cp of scales overwrites those that the product before it may
 * still read. Nobody waits for that, and PTX has no pipeline from a product to a copy (9.7.16.6.2); Triton's
 * documentation ("TCGen05 Copy Instruction") takes all commands to be carried out in order. */
#ifndef WL_TESTS_TENSOR_TRITON_CHECKED_H
#define WL_TESTS_TENSOR_TRITON_CHECKED_H
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/check.h"

static inline wl_device_options_t triton_options(const char *backend, const char *config) {
  const bool checked = strcmp(backend, "checked") == 0;
  return (wl_device_options_t){.backend = checked ? "func" : backend,
                               .config = config,
                               .mem_bytes = UINT64_C(4) << 20,
                               .inside = strcmp(backend, "lockstep") == 0,
                               .checked = checked};
}

static const struct {
  const char *kernel;
  unsigned line;
} triton_known[] = {{"scaled_e2m1_e2m1_16_64_cp", 472},  {"scaled_e2m1_e2m1_16_64_cp", 479},
                    {"scaled_e2m1_e2m1_16_128_cp", 691}, {"scaled_e2m1_e2m1_16_128_cp", 697},
                    {"scaled_e2m1_e2m1_16_128_cp", 704}, {"scaled_e2m1_e2m1_16_128_cp", 709},
                    {"scaled_e2m1_e4m3_32_128_cp", 690}, {"scaled_e2m1_e4m3_32_128_cp", 697}};

static inline bool triton_is_known(const char *kernel, const wl_finding_t *f, unsigned line) {
  bool known = false;
  for (unsigned k = 0; k < sizeof triton_known / sizeof triton_known[0]; k++) {
    known = known || (strcmp(kernel, triton_known[k].kernel) == 0 && line == triton_known[k].line &&
                      strcmp(f->rule, "tmem-wait") == 0);
  }
  return known;
}

/* After a launch. */
static inline void triton_clean(const wl_device_t *device, const wl_function_t *function,
                                const char *name) {
  wl_finding_t f;
  wl_place_t place = {0};
  for (unsigned n = 0; wl_launch_finding(device, n, &f); n++) {
    (void)wl_function_place(function, f.pc, &place);
    CHECK(triton_is_known(name, &f, place.ptx_line), "%s:%u: %s, first thread %u, address 0x%llx",
          name, place.ptx_line, f.rule, f.thread[0], (unsigned long long)f.address);
  }
}

#endif
