/* Host side of kernel int64: 128-bit products and bit-by-bit division as second algorithms. */
#include "tests/kernels/common/kernel_case.h"

__extension__ typedef unsigned __int128 wl_u128_t;
__extension__ typedef __int128 wl_s128_t;

static uint64_t reverse(uint64_t v) {
  uint64_t r = 0;
  for (int i = 0; i < 64; i++) {
    r |= (v >> i & 1u) << (63 - i);
  }
  return r;
}

static uint32_t count_bits(uint64_t v) {
  uint32_t n = 0;
  for (; v != 0; v &= v - 1) {
    n++;
  }
  return n;
}

static uint32_t leading_zeros(uint64_t v) {
  uint32_t n = 0;
  while (n < 64 && (v >> (63 - n) & 1u) == 0) {
    n++;
  }
  return n;
}

static void arith(uint64_t x, uint64_t y, uint64_t out[8]) {
  int64_t sx = (int64_t)x;
  int64_t sy = (int64_t)y;
  uint32_t shift = (uint32_t)y & 63u;
  out[0] = x + y * 3 - (x ^ y);
  out[1] = (uint64_t)((wl_u128_t)x * y);
  out[2] = (uint64_t)((wl_u128_t)x * y >> 64) ^ (uint64_t)((wl_s128_t)sx * sy >> 64);
  out[3] = x << shift | ((uint64_t)(sx >> shift) & ~(y >> shift));
  out[4] = (uint64_t)(sx < sy ? sx : sy) + (x > y ? x : y);
  out[5] = (uint64_t)(uint32_t)x * (uint32_t)y + (uint64_t)((int64_t)(int32_t)x * (int32_t)y);
  out[6] = count_bits(x) * 10000u + leading_zeros(y) * 100u + reverse(x ^ y);
  out[7] = (sx < 0 ? 0 - x : x) + (uint64_t)(int64_t)(int32_t)y;
}

/* Restoring division, so that host and device do not share a divider. */
static uint64_t divide(uint64_t x, uint64_t y, uint64_t *rest) {
  wl_u128_t r = 0;
  uint64_t q = 0;
  for (int i = 63; i >= 0; i--) {
    r = r << 1 | (x >> i & 1u);
    if (r >= y) {
      r -= y;
      q |= UINT64_C(1) << i;
    }
  }
  *rest = (uint64_t)r;
  return q;
}

static uint64_t magnitude(int64_t v) { return v < 0 ? 0 - (uint64_t)v : (uint64_t)v; }

static int64_t divide_signed(int64_t x, int64_t y, int64_t *rest) {
  uint64_t r = 0;
  uint64_t q = divide(magnitude(x), magnitude(y), &r);
  *rest = (int64_t)(x < 0 ? 0 - r : r);
  return (int64_t)((x < 0) != (y < 0) ? 0 - q : q);
}

static void divisions(uint64_t x, uint64_t y, uint64_t out[6]) {
  uint64_t rest = 0;
  int64_t srest = 0;
  out[0] = divide(x, y, &rest);
  out[1] = rest;
  out[2] = (uint64_t)divide_signed((int64_t)x, (int64_t)y, &srest);
  out[3] = (uint64_t)srest;
  out[4] = divide((uint32_t)x, (uint32_t)y, &rest) << 32;
  out[4] |= rest;
  out[5] = (uint64_t)divide_signed((int32_t)x, (int32_t)y, &srest) << 32;
  out[5] |= (uint32_t)srest;
}

/* Random length, so that quotients of all sizes occur; the first few are edges. */
static uint64_t random_value(wl_rng_t *rng, uint32_t i, bool divisor) {
  static const uint64_t edge[4] = {UINT64_C(0x8000000000000000), UINT64_C(0xffffffff80000000),
                                   UINT64_C(0x7fffffffffffffff), UINT64_C(0xffffffff)};
  uint64_t v = wl_rng_u64(rng);
  v >>= wl_rng_below(rng, 60);
  v = !divisor && i < 4 ? edge[i] : v;
  if (divisor && ((uint32_t)v == 0 || (uint32_t)v == 0xffffffffu)) {
    v ^= 3; /* no division by zero, no overflow: both undefined in C */
  }
  return v;
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  bool division = kcase->size[1] != 0;
  uint32_t words = division ? 6 : 8;
  wl_rng_t rng = {n + 17};
  uint64_t *a = wl_arg_in(launch, n * sizeof *a);
  uint64_t *b = wl_arg_in(launch, n * sizeof *b);
  uint64_t *out = wl_arg_out(launch, n * words * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    a[i] = random_value(&rng, i, false);
    b[i] = random_value(&rng, i, division);
    if (division) {
      divisions(a[i], b[i], &out[words * i]);
    } else {
      arith(a[i], b[i], &out[words * i]);
    }
  }
}

/* The restoring divider against the compiler's. */
static const char *self_check(void) {
  wl_rng_t rng = {18};
  for (uint32_t i = 0; i < 1000; i++) {
    uint64_t x = random_value(&rng, i, false);
    uint64_t y = random_value(&rng, i, true);
    uint64_t rest = 0;
    int64_t srest = 0;
    if (divide(x, y, &rest) != x / y || rest != x % y) {
      return "unsigned division";
    }
    if (divide_signed((int64_t)x, (int64_t)y, &srest) != (int64_t)x / (int64_t)y ||
        srest != (int64_t)x % (int64_t)y) {
      return "signed division";
    }
  }
  return NULL;
}

static const wl_kernel_case_t cases[] = {
    {.name = "arith103",
     .entry = "arith64",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 1, 1},
     .block = {53, 1, 1},
     .size = {103, 0},
     .prepare = prepare},
    {.name = "divide67",
     .entry = "divide",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {69, 1, 1},
     .size = {67, 1},
     .prepare = prepare},
    {.name = "arith3001",
     .entry = "arith64",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {24, 1, 1},
     .block = {127, 1, 1},
     .size = {3001, 0},
     .prepare = prepare},
    {.name = "divide3001",
     .entry = "divide",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {24, 1, 1},
     .block = {127, 1, 1},
     .size = {3001, 1},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_int64 = {
    .name = "int64",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
