/* f32.h: the oracle's own binary32 arithmetic: exact integers, one rounding [PTX 9.7.3, 9.7.9.21].
 * Values are bit patterns. A NaN result is 0x7fffffff. No f64 and no f16, no approximations. */
#ifndef WL_TESTS_ORACLE_F32_H
#define WL_TESTS_ORACLE_F32_H
#include <stdbool.h>
#include <stdint.h>

/* RNA, to nearest and ties away from zero, is of conversions to other formats only (format.h). */
typedef enum wl_or_round { WL_OR_RN, WL_OR_RZ, WL_OR_RM, WL_OR_RP, WL_OR_RNA } wl_or_round_t;

typedef struct wl_or_fmode {
  wl_or_round_t round;
  bool ftz; /* subnormal operands and results become zeros of their sign */
  bool sat; /* result clamped to [+0, 1], NaN to +0 */
} wl_or_fmode_t;

typedef enum wl_or_order { WL_OR_LESS, WL_OR_EQUAL, WL_OR_GREATER, WL_OR_UNORDERED } wl_or_order_t;

#define WL_OR_F32_NAN UINT32_C(0x7fffffff)

uint32_t wl_or_f32_add(uint32_t a, uint32_t b, wl_or_fmode_t m);
uint32_t wl_or_f32_mul(uint32_t a, uint32_t b, wl_or_fmode_t m);
uint32_t wl_or_f32_fma(uint32_t a, uint32_t b, uint32_t c, wl_or_fmode_t m);
uint32_t wl_or_f32_div(uint32_t a, uint32_t b, wl_or_fmode_t m);
uint32_t wl_or_f32_sqrt(uint32_t a, wl_or_fmode_t m);

/* Subnormal to zero of its sign when ftz; clamped when sat: for operations that do not round. */
uint32_t wl_or_f32_flush(uint32_t a, bool ftz);
uint32_t wl_or_f32_finish(uint32_t a, wl_or_fmode_t m);

wl_or_order_t wl_or_f32_compare(uint32_t a, uint32_t b, bool ftz);
/* min or max: -0 < +0; a NaN operand is dropped, or wins when `nan`. */
uint32_t wl_or_f32_minmax(uint32_t a, uint32_t b, bool max, bool ftz, bool nan, bool xorsign_abs);

/* (neg ? -magnitude : magnitude) rounded to f32. */
uint32_t wl_or_f32_from_int(bool neg, uint64_t magnitude, wl_or_fmode_t m);
/* (neg ? -mantissa : mantissa) * 2^exponent rounded to f32; |exponent| < 10000. */
uint32_t wl_or_f32_scale(bool neg, uint64_t mantissa, int exponent, wl_or_fmode_t m);
/* To an integer of `bits` bits, clamped to its range; NaN gives 0, or 1 << 63 for 64 bits. The
 * result is sign- or zero-extended to 64 bits. */
uint64_t wl_or_f32_to_int(uint32_t a, unsigned bits, bool is_signed, wl_or_round_t round, bool ftz);
/* To an integral value in f32. */
uint32_t wl_or_f32_integral(uint32_t a, wl_or_fmode_t m);

static inline bool wl_or_f32_is_nan(uint32_t a) {
  return (a & UINT32_C(0x7fffffff)) > UINT32_C(0x7f800000);
}
#endif
