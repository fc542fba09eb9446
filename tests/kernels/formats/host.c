/*
 * Host side of kernel formats, from PTX "Alternate Floating-Point Data Formats" and cvt: a number is an
 * integer of 24 bits or fewer times a power of two, rounded once by looking at what is cut off. No
 * conversion of the host's; only the products are the host's fmaf().
 */
#include <math.h>

#include "tests/kernels/common/kernel_case.h"

typedef enum { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP } rounding_t;

typedef struct {
  uint32_t exponent, fraction; /* bits */
} format_t;

static const format_t f16 = {5, 10}, bf16 = {8, 7};

static bool is_nan(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

/* The f32 number with these bits in a narrower format. */
static uint32_t narrow(uint32_t bits, format_t f, rounding_t rounding) {
  bool negative = bits >> 31 != 0;
  uint32_t sign = (bits >> 31) << (f.exponent + f.fraction);
  uint32_t infinity = ((1u << f.exponent) - 1) << f.fraction;
  int bias = (1 << (f.exponent - 1)) - 1, field = (int)(bits >> 23 & 0xffu);
  if (is_nan(bits)) {
    return (1u << (f.exponent + f.fraction)) - 1;
  }
  if (field == 255) {
    return sign | infinity;
  }
  /* significand * 2^(place - 23) */
  uint64_t significand = (bits & 0x7fffffu) | (field != 0 ? 0x800000u : 0);
  int place = (field != 0 ? field : 1) - 127, least = 1 - bias;
  int cut = 23 - (int)f.fraction + (place < least ? least - place : 0);
  cut = cut > 60 ? 60 : cut;
  uint64_t kept = significand >> cut, rest = significand - (kept << cut),
           half = UINT64_C(1) << (cut - 1);
  bool up = rounding == ROUND_NEAREST ? rest > half || (rest == half && (kept & 1u) != 0)
                                      : rest != 0 && rounding == (negative ? ROUND_DOWN : ROUND_UP);
  uint64_t r = kept + (up ? 1 : 0);
  r += place > least ? (uint64_t)(place - least) << f.fraction : 0;
  if (r < infinity) {
    return sign | (uint32_t)r;
  }
  bool outward = rounding == ROUND_NEAREST || rounding == (negative ? ROUND_DOWN : ROUND_UP);
  return sign | (outward ? infinity : infinity - 1);
}

static uint32_t pair(float low, float high, format_t f) {
  return narrow(wl_kernel_float_bits(high), f, ROUND_NEAREST) << 16 |
         narrow(wl_kernel_float_bits(low), f, ROUND_NEAREST);
}

static float tf32(float v) {
  uint32_t bits = wl_kernel_float_bits(v);
  bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  return wl_kernel_bits_float((finite && (bits & 0x1000u) != 0 ? bits + 0x2000u : bits) &
                              0xffffe000u);
}

/* f16 to the bits of an f32: exponents count from 15 and from 127. */
static uint32_t widen(uint32_t h) {
  uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 0x3ffu;
  if (exponent == 31) {
    return fraction != 0 ? 0x7fffffffu : sign | 0x7f800000u;
  }
  if (exponent != 0) {
    return sign | (exponent + 112) << 23 | fraction << 13;
  }
  uint32_t zeros = 0;
  while (fraction != 0 && (fraction << zeros & 0x400u) == 0) {
    zeros++;
  }
  return fraction == 0 ? sign : sign | (113 - zeros) << 23 | (fraction << zeros & 0x3ffu) << 13;
}

/* e4m3 counts its exponents from 7, f16 from 15. */
static uint32_t half_of_byte(uint32_t byte, bool e4m3) {
  uint32_t sign = (byte & 0x80u) << 8, rest = byte & 0x7fu;
  if (rest > (e4m3 ? 0x7eu : 0x7cu)) {
    return 0x7fff;
  }
  if (!e4m3) {
    return sign | rest << 8;
  }
  static const uint32_t below_2_to_minus_6[8] = {0,      0x1800, 0x1c00, 0x1e00,
                                                 0x2000, 0x2100, 0x2200, 0x2300};
  return sign | (rest < 8 ? below_2_to_minus_6[rest] : ((rest >> 3) + 8) << 10 | (rest & 7u) << 7);
}

static uint32_t halves_of_bytes(uint32_t bytes, bool e4m3) {
  return half_of_byte(bytes >> 8 & 0xffu, e4m3) << 16 | half_of_byte(bytes & 0xffu, e4m3);
}

/* Where f16 overflows and becomes subnormal, middles, special values; then 2^-30 to 2^20, then any. */
static float number(wl_rng_t *rng, uint32_t i) {
  static const uint32_t edge[32] = {
      0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x33000000, 0x33000001, 0xb3800000,
      0x33c00000, 0x387fe000, 0x387fffff, 0x38800000, 0x3f800000, 0x3f801000, 0x3f803000,
      0x3f800fff, 0x3f808000, 0x3f818000, 0xbf807fff, 0x477fe000, 0x477fefff, 0x477ff000,
      0xc77ff000, 0x7f7f7fff, 0x7f7f8000, 0xff7fffff, 0x7f7ff000, 0x7f800000, 0xff800000,
      0x7f800001, 0x7fc00000, 0xffc12345, 0x00018000};
  uint32_t bits = wl_rng_u32(rng);
  if (i < 32) {
    return wl_kernel_bits_float(edge[i]);
  }
  return wl_kernel_bits_float(i % 4 != 0 ? (bits & 0x807fffffu) | (97 + wl_rng_below(rng, 51)) << 23
                                         : bits);
}

static void prepare_pack(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t pairs = kcase->size[0];
  wl_rng_t rng = {31};
  float *in = wl_arg_in(launch, (size_t)pairs * 8);
  uint32_t *out = wl_arg_out(launch, (size_t)pairs * 32);
  wl_arg_u32(launch, pairs);
  for (uint32_t i = 0; in != NULL && out != NULL && i < pairs; i++) {
    float a = in[2 * i] = number(&rng, i), b = in[2 * i + 1] = number(&rng, i + 5);
    uint32_t bits = wl_kernel_float_bits(a), *r = out + 8 * i;
    r[0] = pair(a, b, f16);
    r[1] = pair(a, b, bf16);
    r[2] = narrow(bits, f16, ROUND_NEAREST) | narrow(bits, f16, ROUND_ZERO) << 16;
    r[3] = narrow(bits, f16, ROUND_DOWN) | narrow(bits, f16, ROUND_UP) << 16;
    r[4] = wl_kernel_float_bits(tf32(a));
    r[5] = wl_kernel_float_bits(tf32(b));
    r[6] = pair(tf32(a), b, f16);
    r[7] = pair(b, tf32(a), bf16);
  }
}

static void prepare_spread(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  bool bytes = kcase->size[1] != 0;
  wl_rng_t rng = {32};
  uint32_t *in = wl_arg_in(launch, (size_t)n * 4), *out = wl_arg_out(launch, (size_t)n * 16);
  wl_arg_u32(launch, n);
  for (uint32_t i = 0; in != NULL && out != NULL && i < n; i++) {
    /* Every byte, and upper halves of few bits: zeros, subnormal numbers. */
    uint32_t v = i < 256 ? i * 0x00010100u + (255 - i) : wl_rng_u32(&rng);
    v = in[i] = i % 8 == 7 ? v & 0x83ff80ffu : v;
    uint32_t *r = out + 4 * i;
    r[0] = bytes ? halves_of_bytes(v, true) : widen(v & 0xffffu);
    r[1] = bytes ? halves_of_bytes(v >> 16, true) : widen(v >> 16);
    r[2] = bytes ? halves_of_bytes(v, false) : v << 16;
    r[3] = bytes ? halves_of_bytes(v >> 16, false) : v & 0xffff0000u;
  }
}

static void prepare_product(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t rows = kcase->grid[0], n = kcase->size[0];
  wl_rng_t rng = {33};
  uint32_t *a = wl_arg_in(launch, (size_t)rows * n * 2), *b = wl_arg_in(launch, (size_t)n * n * 2);
  float *d = wl_arg_out(launch, (size_t)rows * n * 4);
  wl_arg_u32(launch, n);
  if (a == NULL || b == NULL || d == NULL) {
    return;
  }
  for (uint32_t i = 0; i < rows * n / 2; i++) {
    float low = wl_rng_float(&rng, -8.0f, 8.0f), high = wl_rng_float(&rng, -8.0f, 8.0f);
    a[i] = pair(low, high, f16);
  }
  for (uint32_t i = 0; i < n * n / 2; i++) {
    float low = wl_rng_float(&rng, -8.0f, 8.0f), high = wl_rng_float(&rng, -8.0f, 8.0f);
    b[i] = pair(low, high, bf16);
  }
  for (uint32_t row = 0; row < rows; row++) {
    for (uint32_t column = 0; column < n; column++) {
      float sum = 0;
      for (uint32_t k = 0; k < n / 2; k++) {
        uint32_t x = a[row * (n / 2) + k], y = b[column * (n / 2) + k];
        sum = fmaf(wl_kernel_bits_float(widen(x & 0xffffu)), wl_kernel_bits_float(y << 16), sum);
        sum =
            fmaf(wl_kernel_bits_float(widen(x >> 16)), wl_kernel_bits_float(y & 0xffff0000u), sum);
      }
      d[row * n + column] = sum;
    }
  }
}

/* A number that a format has is itself again, and its neighbours in f32 lie on the right side. */
static const char *self_check(void) {
  for (uint32_t h = 0; h < 0x7c00; h++) {
    uint32_t bits = widen(h);
    if (narrow(bits, f16, ROUND_NEAREST) != h || narrow(bits + 1, f16, ROUND_ZERO) != h ||
        narrow(bits + 1, f16, ROUND_UP) != h + 1) {
      return "f16 to f32 and back";
    }
  }
  for (uint32_t byte = 0; byte < 0x7c; byte++) {
    float e4m3 = wl_kernel_bits_float(widen(half_of_byte(byte, true)));
    float e5m2 = wl_kernel_bits_float(widen(half_of_byte(byte, false)));
    float next4 = wl_kernel_bits_float(widen(half_of_byte(byte + 1, true)));
    float next5 = wl_kernel_bits_float(widen(half_of_byte(byte + 1, false)));
    if (e4m3 >= next4 || e5m2 >= next5) {
      return "bytes do not ascend";
    }
  }
  return NULL;
}

#define CASE(NAME, ENTRY, TIER, CTAS, THREADS, SIZE, BYTES, PREPARE)                               \
  {.name = NAME,                                                                                   \
   .entry = ENTRY,                                                                                 \
   .tier = TIER,                                                                                   \
   .grid = {CTAS, 1, 1},                                                                           \
   .block = {THREADS, 1, 1},                                                                       \
   .size = {SIZE, BYTES},                                                                          \
   .prepare = PREPARE}
static const wl_kernel_case_t cases[] = {
    CASE("pack83", "pack_pairs", WL_TIER_SMOKE, 1, 85, 83, 0, prepare_pack),
    CASE("spread270", "spread_pairs", WL_TIER_SMOKE, 3, 97, 270, 0, prepare_spread),
    CASE("bytes270", "spread_bytes", WL_TIER_SMOKE, 3, 97, 270, 1, prepare_spread),
    CASE("product5x34", "narrow_product", WL_TIER_SMOKE, 5, 34, 34, 0, prepare_product),
    CASE("pack3001", "pack_pairs", WL_TIER_CAMPAIGN, 13, 241, 3001, 0, prepare_pack),
    CASE("spread3001", "spread_pairs", WL_TIER_CAMPAIGN, 13, 241, 3001, 0, prepare_spread),
    CASE("bytes3001", "spread_bytes", WL_TIER_CAMPAIGN, 13, 241, 3001, 1, prepare_spread),
    CASE("product40x96", "narrow_product", WL_TIER_CAMPAIGN, 40, 96, 96, 0, prepare_product),
};

const wl_kernel_t wl_kernel_formats = {
    .name = "formats",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
