/* Host side of kernel pixels: part by part in 64-bit integers. */
#include "tests/kernels/common/kernel_case.h"

typedef struct kind {
  unsigned bits;
  bool is_signed;
} kind_t;
static const kind_t u8 = {8, false}, s8 = {8, true}, u16 = {16, false}, s16 = {16, true},
                    u32 = {32, false};

typedef enum { SUM, DIFFERENCE, LESSER, LARGER, RECTIFIED_LESSER, RECTIFIED_LARGER } what_t;

static int64_t nearest(kind_t k, int64_t v) {
  int64_t high = k.is_signed ? (INT64_C(1) << (k.bits - 1)) - 1 : (INT64_C(1) << k.bits) - 1;
  int64_t low = k.is_signed ? -high - 1 : 0;
  return v < low ? low : v > high ? high : v;
}

static int64_t part(kind_t k, uint32_t word, unsigned index) {
  int64_t size = INT64_C(1) << k.bits, v = (int64_t)(word >> index * k.bits) & (size - 1);
  return k.is_signed && v >= size / 2 ? v - size : v;
}

static int64_t combine(what_t what, int64_t x, int64_t y) {
  int64_t lesser = x < y ? x : y, larger = x < y ? y : x;
  switch (what) {
  case SUM:
    return x + y;
  case DIFFERENCE:
    return x - y;
  case LESSER:
    return lesser;
  case LARGER:
    return larger;
  case RECTIFIED_LESSER:
    return lesser < 0 ? 0 : lesser;
  default:
    return larger < 0 ? 0 : larger;
  }
}

static uint32_t each(what_t what, kind_t k, bool clamped, uint32_t a, uint32_t b) {
  uint32_t word = 0;
  for (unsigned i = 0; i < 32 / k.bits; i++) {
    int64_t v = combine(what, part(k, a, i), part(k, b, i));
    v = clamped ? nearest(k, v) : v;
    word |= (uint32_t)((uint64_t)v & ((UINT64_C(1) << k.bits) - 1)) << i * k.bits;
  }
  return word;
}

static void blend(uint32_t a, uint32_t b, uint32_t out[12]) {
  uint32_t sum = each(SUM, s8, false, a, b),
           both = each(SUM, s16, false, each(SUM, u16, false, a, b), a);
  int64_t low = 3 * part(s16, a, 0) - part(s16, b, 0), high = 3 * part(s16, a, 1) - part(s16, b, 1);
  out[0] = each(SUM, u8, true, a, b);
  out[1] = each(DIFFERENCE, u8, true, a, b);
  out[2] = out[1] | each(DIFFERENCE, u8, true, b, a);
  out[3] = each(LESSER, u8, false, each(LARGER, u8, false, a, 0x10101010), 0xe0e0e0e0);
  out[4] = each(RECTIFIED_LARGER, s8, false, a, b);
  out[5] = each(LARGER, s8, false, sum, each(DIFFERENCE, s8, false, 0, sum));
  out[6] = each(DIFFERENCE, s8, true, a, b) ^ each(SUM, s8, true, a, b);
  out[7] = each(RECTIFIED_LESSER, s16, false, both, b) ^ each(LARGER, u16, false, both, a);
  out[8] = each(SUM, s16, true, a, b);
  out[9] = each(SUM, u16, true, a, b);
  out[10] = each(SUM, u32, true, a, b);
  out[11] = (uint32_t)nearest(u8, low) | (uint32_t)nearest(u8, high) << 8 |
            ((uint32_t)nearest(s8, high) & 255u) << 16 | (uint32_t)nearest(s8, low) << 24;
}

/* Bit number n (from 1, downwards below 0) from bit b on, as a count of the bits on the way. */
static uint32_t nth(uint32_t mask, uint32_t b, int32_t n) {
  int64_t count = 0;
  for (uint32_t step = 0; step < 32; step++) {
    uint32_t at = n < 0 ? b - step : b + step;
    if (at >= 32) {
      break;
    }
    count += mask >> at & 1u;
    if ((mask >> at & 1u) != 0 && (count == n || count == -(int64_t)n || (n == 0 && step == 0))) {
      uint64_t v = (uint64_t)(n > (int64_t)at ? n : (int64_t)at) + 0xfffffff0u;
      return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
    }
  }
  return 0xdead;
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  static const uint32_t edges[8] = {0,          UINT32_MAX, 0x80808080, 0x7f7f7f7f,
                                    0x80008000, 0x7fff7fff, 0x01ff00fe, 0x81017f80};
  uint32_t n = kcase->size[0];
  bool count = kcase->size[1] != 0;
  wl_rng_t rng = {n + 91};
  uint32_t *a = wl_arg_in(launch, n * sizeof *a);
  uint32_t *b = wl_arg_in(launch, n * sizeof *b);
  uint32_t *out = wl_arg_out(launch, n * (count ? 1 : 12) * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    a[i] = i < 64 ? edges[i / 8] : wl_rng_u32(&rng) & (i % 3 == 0 ? wl_rng_u32(&rng) : UINT32_MAX);
    b[i] = i < 64 ? edges[i % 8] : wl_rng_u32(&rng);
    if (count) { /* a position, often a bit's, and a number between -9 and 9 */
      int32_t number = (int32_t)wl_rng_below(&rng, 19) - 9;
      a[i] = i < 64 ? wl_rng_u32(&rng) : a[i];
      b[i] = wl_rng_below(&rng, 34) | (uint32_t)number << 8;
      out[i] = nth(a[i], b[i] & 255u, number);
    } else {
      blend(a[i], b[i], &out[12 * i]);
    }
  }
}

/* Values worked out by hand. */
static const char *self_check(void) {
  uint32_t out[12];
  blend(0x01ff7f80, 0x02030405, out);
  return out[0] != 0x03ff8385 || out[1] != 0x00fc7b7b || out[4] != 0x02037f05 ? "blend"
         : nth(0xff00, 8, 3) != 10 - 0x10u || nth(0xff00, 15, -3) != 13 - 0x10u ||
                 nth(0xff00, 8, 0) != 8 - 0x10u || nth(0xff00, 7, 0) != 0xdead
             ? "nth"
             : NULL;
}

static const wl_kernel_case_t cases[] = {
    {.name = "blend90",
     .entry = "blend",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 1, 1},
     .block = {47, 1, 1},
     .size = {90, 0},
     .prepare = prepare},
    {.name = "nth70",
     .entry = "nth",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {72, 1, 1},
     .size = {70, 1},
     .prepare = prepare},
    {.name = "blend3001",
     .entry = "blend",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {24, 1, 1},
     .block = {127, 1, 1},
     .size = {3001, 0},
     .prepare = prepare},
    {.name = "nth3001",
     .entry = "nth",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {24, 1, 1},
     .block = {127, 1, 1},
     .size = {3001, 1},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_pixels = {
    .name = "pixels",
    .variants = WL_PTX_HAND,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
