/* narrow_reference.h: f32 to small formats, to nearest even or by random bits (docs/microarchitecture.md
 * 6.4: FNARROW8, FSTOCH2, FSTOCH8). The number is sought between two neighbours among the numbers of the
 * format, as doubles. The reference of the unit tests of both twins. */
#ifndef WL_TESTS_COMMON_NARROW_REFERENCE_H
#define WL_TESTS_COMMON_NARROW_REFERENCE_H
#include "tests/common/format_reference.h"

/* Two numbers of 8, 6 or 4 bits, the first in the upper part. What is too large is the largest. */
uint32_t wl_ref_narrow_bytes(const wl_ref_format_t *f, uint32_t a, uint32_t b);
/* The same by random bits: c[31:16] for a, c[15:0] for b. */
uint32_t wl_ref_stochastic_bytes(const wl_ref_format_t *f, uint32_t a, uint32_t b, uint32_t c);
/* Two numbers of 16 bits. What is too large is infinity. */
uint32_t wl_ref_stochastic_halves(const wl_ref_format_t *f, uint32_t a, uint32_t b, uint32_t c);

#endif
