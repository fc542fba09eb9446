/* Expected values are derived by hand; the comment of each row is the derivation. Units: u = 2^(X - 25). */
#include "tests/tensor/vectors.h"

#define P(e)   {POWER, false, e, 0}
#define N(e)   {POWER, true, e, 0}
#define B(x)   {BITS, false, 0, x}
#define ONE(a) {.at = 0, .count = 1, a, P(0)}

/* What holds for each profile with f32 results. K: its block. */
#define FLOAT_ROWS(PROFILE, K)                                                                       \
  {PROFILE, K, {{0}}, 0x80000000, 0x00000000, "nothing but -0: +0"},                                 \
      {PROFILE, K, {{0, 1, P(0), P(0)}}, 0x3f800000, 0x40000000, "1 + 1"},                           \
      {PROFILE, K, {{0, 4, P(0), P(0)}}, 0x00000000, 0x40800000, "four times 1"},                    \
      {PROFILE, K,          {{0, 1, P(0), P(0)}, {1, 4, P(-12), P(-13)}},                            \
       0,       0x3f800001, "X = 0, u = 2^-25: four of 2^-25 are 2^-23"},                            \
      {PROFILE, K,          {{0, 1, P(0), P(0)}, {1, 7, P(-13), P(-13)}},                            \
       0,       0x3f800000, "each 2^-26 is below u: nothing is left"},                               \
      {PROFILE, K,          {{0, 1, P(0), P(0)}, {1, 7, N(-13), P(-13)}},                            \
       0,       0x3f800000, "the same of -2^-26: cut toward zero, not down"},                        \
      {PROFILE, K,          {{0, 1, P(0), P(0)}, {1, 3, P(-12), P(-13)}},                            \
       0,       0x3f800000, "1 + 3 * 2^-25 is three quarters of the way: the result is cut"},        \
      {PROFILE, K,          {{0, 1, P(0), P(0)}, {1, 1, N(-12), P(-13)}},                            \
       0,       0x3f7fffff, "1 - 2^-25 has 25 bits, the last is cut: 1 - 2^-24"},                    \
      {PROFILE,    K,          {{0, 4, P(-7), P(-8)}},                                               \
       0x44800000, 0x44800001, "C is the largest, 2^10, u = 2^-15: four of 2^-15 are its last bit"}, \
      {PROFILE, K, {{0, 7, P(-8), P(-8)}}, 0x44800000, 0x44800000, "2^-16 is below u"},              \
      {PROFILE,    K, {{0, 1, P(0), P(0)}, {1, 1, N(0), P(0)}},                                      \
       0x30800000, 0, "1 - 1 + 2^-30: X = 0 although the ones cancel, C is cut away"},               \
      {PROFILE, K, {{0, 1, N(0), P(0)}}, 0x3f800000, 0, "-1 + 1: +0"},                               \
      {PROFILE, K, {{0, 1, P(0), P(0)}}, 0x7f800000, 0x7f800000, "C infinite"},                      \
      {PROFILE, K, {{0, 1, P(0), P(0)}}, 0xff800000, 0xff800000, "C -infinite"},                     \
      {PROFILE, K, {{0, 1, P(0), P(0)}}, 0xffc12345, 0x7fffffff, "C NaN"},                           \
      {PROFILE, 2 * K,      {{0, 1, P(0), P(0)}, {1, 3, P(-12), P(-13)}, {K, 1, P(-12), P(-13)}},    \
       0,       0x3f800000, "two blocks: 1 + 3 * 2^-25 is cut before the next 2^-25 comes"},         \
      {PROFILE, 2 * K, {{0, 1, P(-3), P(0)}, {K, 1, P(12), P(12)}, {K + 1, 1, N(12), P(12)}},        \
       0,       0,     "the first block's 2^-3 is cut in the second, X = 24"},                       \
      {PROFILE, 2 * K,      {{0, 1, P(12), P(12)}, {1, 1, N(12), P(12)}, {K, 1, P(-3), P(0)}},       \
       0,       0x3e000000, "the first block is +0, the second 2^-3"},                               \
      {PROFILE,                                                                                      \
       2 * K,                                                                                        \
       {{0, K, P(0), P(0)}, {K, K, P(-12), P(-12)}},                                                 \
       0,                                                                                            \
       K == 16 ? 0x41800000 : 0x41000000,                                                            \
       "K and K * 2^-24: in the second block X = log2 K, 2^-24 is below u"},                         \
      {PROFILE,                                                                                      \
       K,                                                                                            \
       {{0, 1, P(0), P(0)}, {1, K - 1, P(-13), P(-12)}},                                             \
       0,                                                                                            \
       K == 16 ? 0x3f800003 : 0x3f800001,                                                            \
       "K - 1 of 2^-25 in one block: 15 quarters of the last bit, or 7"}

/* Of formats with f32's exponents: the floor, and both ends of f32. */
#define WIDE_ROWS(PROFILE, K)                                                                       \
  {PROFILE, K, {{0, 8, P(-76), P(-76)}}, 0, 1, "eight of 2^-152: X = -133, u = 2^-158: 2^-149"},    \
      {PROFILE, K, {{0, 8, P(-79), P(-79)}}, 0, 0, "2^-158 is u, but 2^-155 is no f32"},            \
      {PROFILE, K, {{0, 1, P(-70), P(-79)}, {1, 7, P(-80), P(-79)}},                                \
       0,       1, "2^-159 is below u, 2^-149 stays"},                                              \
      {PROFILE, K, {{0, 4, P(-75), P(-76)}}, 0, 1, "four of 2^-151, u = 2^-158 (at -126: 2^-151)"}, \
      {PROFILE, K, {{0, 7, P(-77), P(-77)}}, 0, 0, "seven of 2^-154: less than 2^-149"},            \
      {PROFILE, K, {{0, 2, P(-75), P(-75)}, {2, 1, P(-77), P(-77)}, {3, 4, P(-76), P(-76)}},        \
       0,       1, "2^-149 + 2^-150 + 2^-154 is cut to 2^-149"},                                    \
      {PROFILE, K, {{0, 1, P(-70), P(-70)}}, 0, 0x200, "2^-140 is subnormal"},                      \
      {PROFILE, K, {{0, 1, P(100), P(27)}}, 0x7f000000, 0x7f800000, "2^127 twice: infinity"},       \
      {PROFILE, K, {{0, 1, P(100), P(27)}}, 0xff000000, 0, "2^127 - 2^127"},                        \
      {PROFILE, K, {{0, 1, P(100), P(100)}}, 0, 0x7f800000, "2^200: infinity"},                     \
      {PROFILE,    K, {{0, 1, P(100), P(100)}, {1, 1, N(100), P(100)}},                             \
       0x3f800000, 0, "2^200 - 2^200: C is cut away"}

const vector_t vectors[] = {
    FLOAT_ROWS(WL_PROFILE_F16_F32, 16),
    {WL_PROFILE_F16_F32, 16, {{0, 1, B(0x0001), P(0)}}, 0, 0x33800000, "2^-24, a subnormal factor"},
    {WL_PROFILE_F16_F32,
     16,
     {{0, 1, B(0x3e00), B(0x3e00)}, {1, 7, P(-12), P(-13)}},
     0x33000000,
     0x40100001,
     "1.5 * 1.5 = 2.25 has exponent 0: eight of u = 2^-25 are its last bit"},
    {WL_PROFILE_F16_F32, 16, {{0, 1, B(0x7c00), P(0)}}, 0, 0x7f800000, "infinity * 1"},
    {WL_PROFILE_F16_F32, 16, {{0, 1, B(0x7c00), B(0x0000)}}, 0, 0x7fffffff, "infinity * 0"},
    {WL_PROFILE_F16_F32,
     16,
     {{0, 1, B(0x7c00), P(0)}, {1, 1, B(0xfc00), P(0)}},
     0,
     0x7fffffff,
     "infinities of both signs"},
    {WL_PROFILE_F16_F32,
     16,
     {{0, 1, P(15), P(15)}},
     0x7f7fffff,
     0x7f7fffff,
     "2^30 is cut away beside 2^127"},
    {WL_PROFILE_F16_F32, 16, {{0}}, 0x00000001, 0x00000001, "2^-149 has exponent -126"},

    FLOAT_ROWS(WL_PROFILE_BF16_F32, 16),
    WIDE_ROWS(WL_PROFILE_BF16_F32, 16),
    {WL_PROFILE_BF16_F32, 16, {{0, 16, P(-76), P(-76)}}, 0, 2, "sixteen of 2^-152: 2^-148"},
    {WL_PROFILE_BF16_F32, 16, {{0, 1, B(0x0001), P(10)}}, 0, 0x02000000, "2^-133 * 2^10"},
    {WL_PROFILE_BF16_F32,
     16,
     {{0, 1, B(0x3fc0), B(0x3fc0)}, {1, 7, P(-12), P(-13)}},
     0x33000000,
     0x40100001,
     "2.25 has exponent 0"},
    {WL_PROFILE_BF16_F32, 16, {{0, 1, B(0x7f80), B(0x8000)}}, 0, 0x7fffffff, "infinity * -0"},
    {WL_PROFILE_BF16_F32, 16, {{0, 1, B(0x7fc1), B(0)}}, 0, 0x7fffffff, "NaN * 0"},

    FLOAT_ROWS(WL_PROFILE_TF32_F32, 8),
    WIDE_ROWS(WL_PROFILE_TF32_F32, 8),
    {WL_PROFILE_TF32_F32,
     8,
     {{0, 1, B(0x3f801fff), P(0)}},
     0,
     0x3f800000,
     "bits 12:0 do not count"},
    {WL_PROFILE_TF32_F32, 8, {{0, 1, B(0x3f802000), P(0)}}, 0, 0x3f802000, "bit 13 does"},
    {WL_PROFILE_TF32_F32,
     8,
     {{0, 1, B(0x7f800001), P(0)}},
     0,
     0x7f800000,
     "a NaN whose bits do not count is an infinity"},
    {WL_PROFILE_TF32_F32, 8, {{0, 1, B(0x7f802000), P(0)}}, 0, 0x7fffffff, "a NaN"},
    {WL_PROFILE_TF32_F32,
     8,
     {{0, 1, B(0x3fc00000), B(0x3fc00000)}, {1, 7, P(-12), P(-13)}},
     0x33000000,
     0x40100001,
     "2.25 has exponent 0"},

#define H WL_PROFILE_F16_F16, 16
    {H, {{0}}, 0x8000, 0x0000, "nothing but -0: +0"},
    {H, {{0, 1, P(0), P(0)}}, 0x3c00, 0x4000, "1 + 1"},
    {H, {{0, 16, P(0), P(0)}}, 0, 0x4c00, "sixteen"},
    {H, {{0, 1, P(0), P(0)}, {1, 1, P(-5), P(-6)}}, 0, 0x3c00, "1 + 2^-11, a tie: to even"},
    {H, {{0, 1, P(0), P(0)}, {1, 3, P(-5), P(-6)}}, 0, 0x3c02, "1 + 3 * 2^-11, a tie: to even"},
    {H,
     {{0, 1, P(0), P(0)}, {1, 1, P(-5), P(-6)}, {2, 1, P(-12), P(-13)}},
     0,
     0x3c01,
     "2^-25 is u: above the tie"},
    {H,
     {{0, 1, P(0), P(0)}, {1, 1, P(-5), P(-6)}, {2, 9, P(-13), P(-13)}},
     0,
     0x3c00,
     "2^-26 is below u: the tie stays"},
    {H,
     {{0, 1, N(0), P(0)}, {1, 1, N(-5), P(-6)}, {2, 1, N(-12), P(-13)}},
     0,
     0xbc01,
     "the same with other signs"},
    {H,
     {{0, 1, P(0), P(0)}, {1, 1, P(-5), P(-6)}, {2, 2, N(-12), P(-13)}},
     0,
     0x3c00,
     "2 * 2^-25 below the tie"},
    {H, {{0, 16, P(0), P(0)}}, 0x7bff, 0x7c00, "65504 + 16, a tie above the largest: infinity"},
    {H, {{0, 15, P(0), P(0)}}, 0x7bff, 0x7bff, "65504 + 15"},
    {H, {{0, 1, P(15), P(15)}}, 0, 0x7c00, "2^30: infinity"},
    {H, {{0, 1, P(-12), P(-13)}}, 0x0001, 0x0002, "1.5 * 2^-24, a tie: to even"},
    {H, {{0, 1, P(-13), P(-13)}}, 0x0001, 0x0001, "1.25 * 2^-24"},
    {H, {{0, 1, N(-13), P(-13)}}, 0, 0x0000, "-2^-26 rounds to nothing: +0"},
    {H, {{0, 1, P(-12), P(-13)}}, 0, 0x0000, "2^-25, a tie: to even"},
    {H, {{0, 1, P(-12), P(-13)}, {1, 1, P(-14), P(-14)}}, 0, 0x0001, "2^-25 + 2^-28"},
    {H, {{0, 1, P(0), P(0)}}, 0x7c00, 0x7c00, "C infinite"},
    {H, {{0, 1, B(0xfc00), P(0)}}, 0, 0xfc00, "-infinity"},
    {H, {{0, 1, B(0xfc00), P(0)}}, 0x7c00, 0x7fff, "infinities of both signs"},
    {H, {{0, 1, P(0), P(0)}}, 0xfe01, 0x7fff, "C NaN"},
    {WL_PROFILE_F16_F16,
     32,
     {{0, 1, P(0), P(0)}, {1, 1, P(-5), P(-6)}, {16, 1, P(-5), P(-6)}},
     0,
     0x3c00,
     "two blocks: two ties, each to even"},
    {WL_PROFILE_F16_F16,
     32,
     {{0, 1, P(0), P(0)}, {1, 2, P(-5), P(-6)}, {16, 1, P(-5), P(-6)}},
     0,
     0x3c02,
     "1 + 2^-10, then a tie: to even"},
};
const unsigned num_vectors = sizeof vectors / sizeof vectors[0];

/* Powers of two, subnormal ones too. */
static uint32_t power(wl_fmt_t f, bool negative, int exponent) {
  const int least = 1 - f.bias;
  const uint32_t bits = exponent >= least ? (uint32_t)(exponent + f.bias) << f.fraction_bits
                                          : 1u << (f.fraction_bits + exponent - least);
  return (bits | (uint32_t)negative << (f.bits - 1)) << f.low;
}

uint32_t vector_word(wl_format_t format, factor_t f) {
  return f.kind == BITS ? f.bits : power(wl_fmt_of(format), f.negative, f.exponent);
}
