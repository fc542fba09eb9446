/* format_reference.h: conversions between floating-point formats (docs/microarchitecture.md 6.4) by the
 * host's doubles, which hold every number of the formats exactly: scaled by a power of two, rounded to
 * an integer in the host's rounding direction, and written down as a pattern. The reference of the unit
 * tests of both twins. Widths of the formats stand here again. Compile it with -frounding-math. */
#ifndef WL_TESTS_COMMON_FORMAT_REFERENCE_H
#define WL_TESTS_COMMON_FORMAT_REFERENCE_H
#include <stdbool.h>
#include <stdint.h>

typedef struct wl_ref_format {
  const char *name;
  int exponent, fraction; /* bits */
  bool infinity;          /* the top exponent is infinity and NaN */
  bool nan;               /* if there is no infinity: all ones are the NaN, else a number */
} wl_ref_format_t;

extern const wl_ref_format_t wl_ref_f16, wl_ref_bf16, wl_ref_f32, wl_ref_e4m3, wl_ref_e5m2,
    wl_ref_e2m3, wl_ref_e3m2, wl_ref_e2m1;

/* Pattern of infinity; what would be that pattern in a format without one. */
uint32_t wl_ref_infinity(const wl_ref_format_t *f);
/* Pattern of the largest number. */
uint32_t wl_ref_largest(const wl_ref_format_t *f);
bool wl_ref_is_nan(const wl_ref_format_t *f, uint32_t pattern);
/* Of the pattern; what would stand at the place of infinity, if that were a number. */
double wl_ref_value(const wl_ref_format_t *f, uint32_t pattern);
/* The same up to the pattern behind the largest number, which stands for the number that would follow.
 * Without a sign. */
double wl_ref_place(const wl_ref_format_t *f, uint32_t pattern);

/* A number of `from` in `to`, rounded once. rnd: 0 nearest even, 1 toward zero, 2 down, 3 up. Bits of a
 * above the format do not count. NaN: all bits below the sign. */
uint32_t wl_ref_convert(const wl_ref_format_t *to, const wl_ref_format_t *from, uint32_t a,
                        unsigned rnd);
/* A finite x, not zero, rounded once to nearest even: its pattern without sign, which may be infinity. */
uint32_t wl_ref_nearest(const wl_ref_format_t *f, double x);
/* f32 to tf32, ties away from zero; an infinity or a NaN is cut. */
uint32_t wl_ref_tf32_away(uint32_t a);

#endif
