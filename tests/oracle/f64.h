/* f64.h: the oracle's own binary64 sums and products [PTX 9.7.3]. Values are bit patterns. A NaN result is
 * the first NaN of b, c, a (add, mul: of b, a) made quiet, as an NVIDIA GPU gives it (tests/silicon), or
 * fff8000000000000. */
#ifndef WL_TESTS_ORACLE_F64_H
#define WL_TESTS_ORACLE_F64_H
#include "tests/oracle/f32.h"

uint64_t wl_or_f64_add(uint64_t a, uint64_t b, wl_or_round_t round);
uint64_t wl_or_f64_mul(uint64_t a, uint64_t b, wl_or_round_t round);
uint64_t wl_or_f64_fma(uint64_t a, uint64_t b, uint64_t c, wl_or_round_t round);

static inline bool wl_or_f64_is_nan(uint64_t a) {
  return (a & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000);
}
#endif
