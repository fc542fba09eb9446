/* half.h: the oracle's own f16 and bf16 arithmetic [PTX 9.7.4, 9.7.7] on exact integers with one rounding.
 * Values are bit patterns of 16 bits. A NaN result is 0x7fff, as an NVIDIA GPU gives it (tests/silicon). */
#ifndef WL_TESTS_ORACLE_HALF_H
#define WL_TESTS_ORACLE_HALF_H
#include "tests/oracle/f32.h"

typedef struct wl_or_half {
  bool bf16; /* else f16 */
  bool ftz;  /* subnormal operands and results become zeros of their sign */
  bool sat;  /* result clamped to [+0, 1], NaN to +0 */
  bool relu; /* negative results and -0 become +0 */
  bool oob;  /* a factor 7ff7 or fff7 makes +0 of the result [PTX 9.7.4.4] */
  bool nan;  /* min, max: a NaN wins */
  bool xorsign; /* min, max: magnitudes; sign is the exclusive or of both */
} wl_or_half_t;

#define WL_OR_HALF_NAN UINT32_C(0x7fff)

uint32_t wl_or_half_add(uint32_t a, uint32_t b, wl_or_half_t m);
uint32_t wl_or_half_mul(uint32_t a, uint32_t b, wl_or_half_t m);
uint32_t wl_or_half_fma(uint32_t a, uint32_t b, uint32_t c, wl_or_half_t m);
uint32_t wl_or_half_minmax(uint32_t a, uint32_t b, bool max, wl_or_half_t m);
/* The operand with another sign bit. */
uint32_t wl_or_half_neg(uint32_t a, wl_or_half_t m);
uint32_t wl_or_half_abs(uint32_t a, wl_or_half_t m);
wl_or_order_t wl_or_half_compare(uint32_t a, uint32_t b, wl_or_half_t m);
bool wl_or_half_is_nan(uint32_t a, wl_or_half_t m);
/* The same number in f32. */
uint32_t wl_or_half_widen(uint32_t a, wl_or_half_t m);

#endif
