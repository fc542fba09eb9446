/*
 * Host side of kernel half_filter, from PTX 9.7.4: a number is an integer of units of 2^-54, so that products
 * and sums are exact integers, rounded once by looking at what is cut off. The inputs keep away from what
 * would not fit.
 */
#include "tests/kernels/common/kernel_case.h"

__extension__ typedef __int128 exact_t;
enum { UNIT = -54, NAN16 = 0x7fff };

typedef struct {
  int exponent, fraction; /* bits */
} format_t;

static const format_t f16 = {5, 10}, bf16 = {8, 7};

static bool is_nan(format_t f, uint32_t bits) {
  return (bits & 0x7fffu) > (0x7fffu >> f.fraction << f.fraction);
}

/* In units of 2^unit; the number is a multiple of it. */
static exact_t value(format_t f, uint32_t bits, int unit) {
  int field = (int)((bits & 0x7fffu) >> f.fraction), bias = (1 << (f.exponent - 1)) - 1;
  exact_t m = bits & ((1u << f.fraction) - 1);
  m += field != 0 ? 1 << f.fraction : 0;
  int shift = (field != 0 ? field : 1) - bias - f.fraction - unit;
  m = shift >= 0 ? m << shift : m >> -shift;
  return (bits & 0x8000u) != 0 ? -m : m;
}

/* To nearest even; `zero`: the sign bit of a result that is exactly 0. */
static uint32_t rounded(format_t f, exact_t v, uint32_t zero) {
  int bias = (1 << (f.exponent - 1)) - 1, top = 0;
  uint32_t sign = v < 0 ? 0x8000u : 0;
  exact_t m = v < 0 ? -v : v;
  if (m == 0) {
    return zero;
  }
  while (m >> top != 1) {
    top++;
  }
  int least = 1 - bias - UNIT; /* place of the smallest normal number */
  int cut = (top > least ? top : least) - f.fraction;
  exact_t kept = cut > 0 ? m >> cut : m << -cut, rest = cut > 0 ? m - (kept << cut) : 0;
  exact_t half = cut > 0 ? (exact_t)1 << (cut - 1) : 1;
  kept += rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0;
  uint32_t r = (uint32_t)kept + ((uint32_t)(top > least ? top - least : 0) << f.fraction);
  uint32_t infinity = 0x7fffu >> f.fraction << f.fraction;
  return sign | (r < infinity ? r : infinity);
}

static uint32_t fma_half(format_t f, uint32_t a, uint32_t b, uint32_t c) {
  if (is_nan(f, a) || is_nan(f, b) || is_nan(f, c)) {
    return NAN16;
  }
  exact_t product = value(f, a, UNIT / 2) * value(f, b, UNIT / 2),
          sum = product + value(f, c, UNIT);
  bool zeros = product == 0 && (c & 0x7fffu) == 0;
  return rounded(f, sum, zeros ? (a ^ b) & c & 0x8000u : 0);
}

static uint32_t fma_pair(format_t f, uint32_t a, uint32_t b, uint32_t c) {
  return fma_half(f, a & 0xffffu, b & 0xffffu, c & 0xffffu) | fma_half(f, a >> 16, b >> 16, c >> 16)
                                                                  << 16;
}

static uint32_t add_half(uint32_t a, uint32_t b) {
  if (is_nan(f16, a) || is_nan(f16, b)) {
    return NAN16;
  }
  return rounded(f16, value(f16, a, UNIT) + value(f16, b, UNIT), a & b & 0x8000u);
}

/* An f32 number that f16 has. */
static uint32_t half_of(float v) {
  uint32_t bits = wl_kernel_float_bits(v), exponent = bits >> 23 & 0xffu;
  return (bits >> 16 & 0x8000u) | (exponent - 112) << 10 | (bits >> 13 & 0x3ffu);
}

/* Ascending with the number: -0 next below +0. */
static int32_t order(uint32_t bits) {
  return (bits & 0x8000u) != 0 ? -1 - (int32_t)(bits & 0x7fffu) : (int32_t)bits;
}

/* A finite f16 number, mostly of exponents -10 to 3; the first are special. */
static uint32_t half_number(wl_rng_t *rng, uint32_t i) {
  static const uint32_t edge[16] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x83ff, 0x8400,
                                    0x3c00, 0x3c01, 0xbbff, 0x3bff, 0x4a00, 0xca01, 0x8200, 0x0155};
  uint32_t bits = wl_rng_u32(rng);
  if (i < 16) {
    return edge[i];
  }
  return (bits & 0x83ffu) | (i % 7 == 0 ? bits >> 16 & 3u : 5 + wl_rng_below(rng, 14)) << 10;
}

static void prepare_axpy(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0], words = (n + 1) / 2;
  const float scale = -1.3125f;
  void *expected = NULL;
  wl_rng_t rng = {41};
  wl_arg_f32(launch, scale);
  uint32_t *x = wl_arg_in(launch, (size_t)words * 4);
  uint32_t *y = wl_arg_inout(launch, (size_t)words * 4, &expected), *want = expected;
  wl_arg_u32(launch, n);
  for (uint32_t i = 0; x != NULL && y != NULL && want != NULL && i < words; i++) {
    uint32_t a = half_of(scale);
    x[i] = half_number(&rng, i) | half_number(&rng, i + 3) << 16;
    y[i] = half_number(&rng, i / 2 + 1) | half_number(&rng, i + 9) << 16;
    want[i] = fma_pair(f16, a | a << 16, x[i], y[i]);
    if (i == n / 2) { /* the last number alone */
      want[i] = (want[i] & 0xffffu) | (y[i] & 0xffff0000u);
    }
  }
}

static uint32_t filtered(uint32_t left, uint32_t centre, uint32_t right, uint32_t limit,
                         uint32_t *cut) {
  uint32_t quarter = half_of(0.25f), halved = fma_half(f16, centre, half_of(0.5f), 0x8000u);
  uint32_t rest = add_half(centre, is_nan(f16, halved) ? halved : halved ^ 0x8000u);
  uint32_t v = fma_half(f16, add_half(left, right), quarter, rest);
  bool nan = is_nan(f16, v);
  *cut = !nan && order(v & 0x7fffu) > order(limit) ? 0xffffu : 0;
  v = nan || order(v) > order(limit) ? limit : v; /* the smaller one: a NaN gives way */
  return order(v) < order(limit | 0x8000u) ? limit | 0x8000u : v;
}

static void prepare_filter(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t pairs = kcase->size[0];
  const float limit = 3.25f;
  wl_rng_t rng = {42};
  uint32_t *in = wl_arg_in(launch, (size_t)pairs * 4), *out = wl_arg_out(launch, (size_t)pairs * 4),
           *cut = wl_arg_out(launch, (size_t)pairs * 4);
  wl_arg_f32(launch, limit);
  wl_arg_u32(launch, pairs);
  if (in == NULL || out == NULL || cut == NULL) {
    return;
  }
  for (uint32_t i = 0; i < pairs; i++) {
    in[i] = half_number(&rng, i) | half_number(&rng, i + 5) << 16;
    in[i] |= i % 29 == 28 ? 0x7e01u : 0; /* a NaN now and then */
  }
  for (uint32_t i = 0; i < pairs; i++) {
    uint32_t low = in[i] & 0xffffu, high = in[i] >> 16, beyond[2];
    uint32_t before = i > 0 ? in[i - 1] >> 16 : 0, after = i + 1 < pairs ? in[i + 1] & 0xffffu : 0;
    out[i] = filtered(before, low, high, half_of(limit), &beyond[0]);
    out[i] |= filtered(low, high, after, half_of(limit), &beyond[1]) << 16;
    cut[i] = beyond[0] | beyond[1] << 16;
  }
}

/* Exponents -8 to 7: products and sums are multiples of 2^-30. */
static uint32_t bf16_pair(wl_rng_t *rng) {
  uint32_t v = wl_rng_u32(rng) & 0x807f807fu;
  return v | (119 + wl_rng_below(rng, 16)) << 7 | (119 + wl_rng_below(rng, 16)) << 23;
}

static uint32_t without_negative(uint32_t v) {
  return ((v & 0x8000u) != 0 ? 0 : v & 0xffffu) | ((v >> 31) != 0 ? 0 : v & 0xffff0000u);
}

static uint32_t larger(uint32_t a, uint32_t b) { return order(a) < order(b) ? b : a; }

static void prepare_rows(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t rows = kcase->grid[0], pairs = kcase->block[0], k = kcase->size[0];
  wl_rng_t rng = {43};
  uint32_t *a = wl_arg_in(launch, (size_t)rows * k * 4),
           *b = wl_arg_in(launch, (size_t)pairs * k * 4),
           *d = wl_arg_out(launch, (size_t)rows * pairs * 4);
  wl_arg_u32(launch, k);
  if (a == NULL || b == NULL || d == NULL) {
    return;
  }
  for (uint32_t i = 0; i < rows * k; i++) {
    a[i] = bf16_pair(&rng);
  }
  for (uint32_t i = 0; i < pairs * k; i++) {
    b[i] = bf16_pair(&rng);
  }
  for (uint32_t row = 0; row < rows; row++) {
    for (uint32_t pair = 0; pair < pairs; pair++) {
      uint32_t sum = 0, rest = 0;
      for (uint32_t i = 0; i < k; i++) {
        uint32_t x = a[row * k + i], y = b[i * pairs + pair];
        sum = without_negative(fma_pair(bf16, x, y, sum));
        rest = fma_pair(bf16, x, y, rest);
      }
      d[row * pairs + pair] = larger(sum & 0xffffu, rest & 0xffffu) | larger(sum >> 16, rest >> 16)
                                                                          << 16;
    }
  }
}

/* A number times 1 is itself, and neighbours lie on the right side of what is between them. */
static const char *self_check(void) {
  for (uint32_t h = 0; h < 0x7bff; h++) {
    exact_t middle = (value(f16, h, UNIT) + value(f16, h + 1, UNIT)) / 2;
    if (fma_half(f16, h, 0x3c00, 0x8000) != h || rounded(f16, middle, 0) != h + (h & 1u) ||
        rounded(f16, middle - 1, 0) != h || rounded(f16, middle + 1, 0) != h + 1) {
      return "rounding to f16";
    }
  }
  return NULL;
}

#define CASE(NAME, ENTRY, TIER, CTAS, THREADS, SIZE, PREPARE)                                      \
  {.name = NAME,                                                                                   \
   .entry = ENTRY,                                                                                 \
   .tier = TIER,                                                                                   \
   .grid = {CTAS, 1, 1},                                                                           \
   .block = {THREADS, 1, 1},                                                                       \
   .size = {SIZE},                                                                                 \
   .prepare = PREPARE}
static const wl_kernel_case_t cases[] = {
    CASE("axpy271", "half_axpy", WL_TIER_SMOKE, 2, 96, 271, prepare_axpy),
    CASE("filter203", "half_filter", WL_TIER_SMOKE, 3, 97, 203, prepare_filter),
    CASE("rows3x21", "bf16_rows", WL_TIER_SMOKE, 3, 33, 21, prepare_rows),
    CASE("axpy8193", "half_axpy", WL_TIER_CAMPAIGN, 17, 256, 8193, prepare_axpy),
    CASE("filter4001", "half_filter", WL_TIER_CAMPAIGN, 32, 128, 4001, prepare_filter),
    CASE("rows9x64", "bf16_rows", WL_TIER_CAMPAIGN, 9, 64, 64, prepare_rows),
};

const wl_kernel_t wl_kernel_half_filter = {
    .name = "half_filter",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 520,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
