/* Host side of kernel umma_kinds: the same sequence of blocks, an element at a time; sums of s8 are exact. */
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/common/mma_rule.h"
#include "tests/kernels/common/umma_tiles.h"

enum { F16, F16_WIDE, F16_COPIED, F16_NARROW, F16_SHIFTED, TF32, F8, I8, I8_M64 };
enum { AS_IT_IS, F32_TO_F16, S32_TO_F32 };

/* What an entry takes: rows of A and of B, bytes of an element, of a row of a tile. `a`, `b`: formats, of I8 the
 * exponent is 1 for signed ones. */
typedef struct {
  uint32_t m, n, size, row;
  wl_umma_format_t a, b;
  int out;
} kind_t;

static const kind_t kinds[] = {
    [F16] = {128, 128, 2, 128, {5, 10}, {5, 10}, F32_TO_F16},
    [F16_WIDE] = {128, 256, 2, 64, {5, 10}, {5, 10}, F32_TO_F16},
    [F16_COPIED] = {128, 32, 2, 128, {5, 10}, {5, 10}, AS_IT_IS},
    [F16_NARROW] = {128, 16, 2, 64, {5, 10}, {5, 10}, AS_IT_IS},
    [F16_SHIFTED] = {128, 16, 2, 64, {5, 10}, {5, 10}, AS_IT_IS},
    [TF32] = {128, 64, 4, 128, {8, 10}, {8, 10}, AS_IT_IS},
    [F8] = {128, 128, 1, 128, {4, 3}, {5, 2}, F32_TO_F16},
    [I8] = {128, 96, 1, 128, {1, 0}, {1, 0}, AS_IT_IS},
    [I8_M64] = {64, 16, 1, 64, {1, 0}, {0, 0}, S32_TO_F32},
};

/* Exponents from -4 to 3, of few elements the lowest (so subnormal ones), some zeros. */
static void fill_floats(wl_rng_t *rng, uint8_t *data, uint32_t count, uint32_t size,
                        wl_umma_format_t f) {
  const uint32_t low = size == 4 ? 13 : 0, bias = (1u << (f.exponent - 1)) - 1;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t random = wl_rng_u32(rng), kind = wl_rng_below(rng, 64);
    const uint32_t field = kind == 0 ? 0 : bias - 4 + (random >> 26 & 7);
    uint32_t bits = random & ((1u << low) - 1); /* tf32 does not look at them */
    bits |= ((random >> 13 & ((1u << f.fraction) - 1)) | field << f.fraction |
             (random >> 31) << (f.exponent + f.fraction))
            << low;
    bits = kind == 1 ? 0 : bits;
    for (uint32_t j = 0; j < size; j++) {
      data[i * size + j] = (uint8_t)(bits >> 8 * j);
    }
  }
}

static uint32_t element_floats(const kind_t *kind, const wl_umma_number_t *a,
                               const wl_umma_number_t *b, uint32_t count) {
  const uint32_t block = WL_UMMA_BLOCK / kind->size;
  float sum = 0;
  for (uint32_t at = 0; at < count; at += block) {
    sum = wl_umma_block(a + at, b + at, block, kind->a.fraction + kind->b.fraction, 0, sum);
  }
  return wl_kernel_float_bits(sum);
}

static uint32_t element_s8(const kind_t *kind, const uint8_t *a, const uint8_t *b, uint32_t count) {
  int32_t sum = 0;
  for (uint32_t k = 0; k < count; k++) {
    const int32_t x = kind->a.exponent != 0 ? (int8_t)a[k] : a[k];
    const int32_t y = kind->b.exponent != 0 ? (int8_t)b[k] : b[k];
    sum += x * y;
  }
  return (uint32_t)sum;
}

static void put(void *c, uint32_t at, uint32_t bits, int out) {
  if (out == F32_TO_F16) {
    ((uint16_t *)c)[at] = wl_umma_half(wl_kernel_bits_float(bits));
  } else {
    ((uint32_t *)c)[at] = out == S32_TO_F32 ? wl_kernel_float_bits((float)(int32_t)bits) : bits;
  }
}

static wl_umma_number_t *numbers(const uint8_t *data, uint32_t count, uint32_t size,
                                 wl_umma_format_t f) {
  wl_umma_number_t *n = malloc(count * sizeof *n);
  for (uint32_t i = 0; i < count && n != NULL && f.exponent > 1; i++) {
    n[i] = wl_umma_element(data + i * size, size, f);
  }
  return n;
}

/* Plain rows of an operand; adds the argument with its tiles. */
static uint8_t *operand(wl_kernel_launch_t *launch, wl_rng_t *rng, uint32_t rows, uint32_t k,
                        uint32_t tile_rows, const kind_t *kind, wl_umma_format_t f) {
  const uint32_t bytes = rows * k * kind->size;
  uint8_t *plain = malloc(bytes), *tiles = wl_arg_in(launch, bytes);
  launch->failed = launch->failed || plain == NULL;
  if (launch->failed) {
    return plain;
  }
  if (f.exponent > 1) {
    fill_floats(rng, plain, rows * k, kind->size, f);
  } else {
    for (uint32_t i = 0; i < bytes; i++) {
      plain[i] = (uint8_t)wl_rng_u32(rng);
    }
  }
  wl_umma_pack(tiles, plain, rows, k * kind->size, tile_rows, kind->row);
  return plain;
}

/* The row of A that row `m` of C is made of: with a shift the next one, but in the last of 32 lanes. */
static uint32_t row_of_a(uint32_t kind, uint32_t m) {
  return kind == F16_SHIFTED && m % 32 != 31 ? m + 1 : m;
}

/* size: kind, tiles of K. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const kind_t *kind = &kinds[kcase->size[0]];
  const uint32_t m = kcase->grid[1] * kind->m, n = kcase->grid[0] * kind->n;
  const uint32_t k = kcase->size[1] * kind->row / kind->size;
  wl_rng_t rng = {m + n + k + kcase->size[0]};
  uint8_t *a = operand(launch, &rng, m, k, kind->m, kind, kind->a);
  uint8_t *b = operand(launch, &rng, n, k, kind->n, kind, kind->b);
  void *c = wl_arg_out(launch, (size_t)m * n * (kind->out == F32_TO_F16 ? 2 : 4));
  wl_arg_u32(launch, kcase->size[1]);
  if (!launch->failed) {
    wl_umma_number_t *x = numbers(a, m * k, kind->size, kind->a);
    wl_umma_number_t *y = numbers(b, n * k, kind->size, kind->b);
    launch->failed = x == NULL || y == NULL;
    for (uint32_t i = 0; i < m * n && !launch->failed; i++) {
      const uint32_t at_a = row_of_a(kcase->size[0], i / n) * k, at_b = i % n * k;
      const uint32_t bits = kind->a.exponent > 1 ? element_floats(kind, x + at_a, y + at_b, k)
                                                 : element_s8(kind, a + at_a, b + at_b, k);
      put(c, i, bits, kind->out);
    }
    free(x);
    free(y);
  }
  free(a);
  free(b);
}

/* The rule in whole numbers against the one in doubles (mma_rule.h) that the silicon tests hold. */
static const char *self_check(void) {
  const wl_umma_format_t f16 = {5, 10};
  wl_rng_t rng = {7};
  for (uint32_t n = 0; n < 20000; n++) {
    uint16_t bits[32];
    float x[16], y[16];
    wl_umma_number_t a[16], b[16];
    for (uint32_t k = 0; k < 32; k++) {
      const uint32_t random = wl_rng_u32(&rng);
      bits[k] = (uint16_t)((random & 0x83ff) | (1 + random % 9973 % 30) << 10);
    }
    for (uint32_t k = 0; k < 16; k++) {
      x[k] = wl_rule_half(bits[k]);
      y[k] = wl_rule_half(bits[16 + k]);
      a[k] = wl_umma_element(&bits[k], 2, f16);
      b[k] = wl_umma_element(&bits[16 + k], 2, f16);
    }
    const float c = wl_rng_float(&rng, -9, 9);
    if (wl_kernel_float_bits(wl_umma_block(a, b, 16, 20, 0, c)) !=
        wl_kernel_float_bits(wl_rule_block(x, y, 16, c))) {
      return "the two rules of a block differ";
    }
  }
  return NULL;
}

#define CASE(case_name, entry_name, case_tier, kind, tiles, x, y, stage)                           \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {x, y, 1},                                                                              \
   .block = {192, 1, 1},                                                                           \
   .dynamic_shared = 3 * (stage),                                                                  \
   .size = {kind, tiles},                                                                          \
   .prepare = prepare}

/* The stage is (M + N) rows. Tiles that are no multiple of three leave the ring in other phases. */
static const wl_kernel_case_t cases[] = {
    CASE("f16_m128n128", "umma_f16", WL_TIER_SMOKE, F16, 4, 1, 1, 32768),
    CASE("f16_copied_m128n32", "umma_f16_copied", WL_TIER_SMOKE, F16_COPIED, 4, 1, 1, 20480),
    CASE("f16_narrow_m128n16", "umma_f16_narrow", WL_TIER_SMOKE, F16_NARROW, 4, 1, 1, 9216),
    CASE("f16_shifted_m128n16", "umma_f16_shifted", WL_TIER_SMOKE, F16_SHIFTED, 4, 1, 1, 9216),
    CASE("tf32_m128n64", "umma_tf32", WL_TIER_SMOKE, TF32, 4, 1, 1, 24576),
    CASE("f8_m128n128", "umma_f8", WL_TIER_SMOKE, F8, 3, 1, 1, 32768),
    CASE("i8_m128n96", "umma_i8", WL_TIER_SMOKE, I8, 3, 1, 1, 28672),
    CASE("i8_m64n16", "umma_i8_m64", WL_TIER_SMOKE, I8_M64, 4, 1, 1, 5120),
    CASE("f16_k1024", "umma_f16", WL_TIER_CAMPAIGN, F16, 16, 1, 1, 32768),
    CASE("f16_2x2", "umma_f16", WL_TIER_CAMPAIGN, F16, 8, 2, 2, 32768),
    CASE("f16_m128n256_k512", "umma_f16_wide", WL_TIER_CAMPAIGN, F16_WIDE, 16, 1, 1, 24576),
    CASE("f16_copied_k512", "umma_f16_copied", WL_TIER_CAMPAIGN, F16_COPIED, 8, 3, 1, 20480),
    CASE("tf32_k512", "umma_tf32", WL_TIER_CAMPAIGN, TF32, 16, 2, 1, 24576),
    CASE("f8_k1024", "umma_f8", WL_TIER_CAMPAIGN, F8, 8, 1, 2, 32768),
    CASE("i8_k1280", "umma_i8", WL_TIER_CAMPAIGN, I8, 10, 1, 1, 28672),
    CASE("i8_m64_k512", "umma_i8_m64", WL_TIER_CAMPAIGN, I8_M64, 8, 2, 1, 5120),
};

const wl_kernel_t wl_kernel_umma_kinds = {
    .name = "umma_kinds",
    .variants = WL_PTX_NVCC_SM100,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1024,
    .requires_option = "products in tensor memory; needs Tensor and Tmem",
    .no_oracle = true,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
