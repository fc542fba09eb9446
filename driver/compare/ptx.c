/* ptx.c: a record of PTX level. */
#include "driver/compare/compare.h"

bool cmp_ptx(wl_compare_t *c) {
  return cmp_bad(c, "logs of level ptx are not compared yet");
}

bool cmp_ptx_logged(wl_compare_t *c, uint32_t pc, bool pred, uint32_t number, uint32_t lane,
                    uint64_t *out) {
  (void)c, (void)pc, (void)pred, (void)number, (void)lane, (void)out;
  return false;
}
