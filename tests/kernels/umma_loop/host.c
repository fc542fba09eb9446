/* Host side of kernel umma_loop: the same sequence of blocks of 16 products, an element at a time. */
#include <stdlib.h>

#include "tests/kernels/common/umma_halves.h"
#include "tests/kernels/common/umma_tiles.h"

enum { TILE = 64, STAGES = 2, SHARES = 0x100 };

/* Where warps give products in any order 1 and 2, so that sums are exact. */
static void fill(wl_rng_t *rng, uint16_t *data, uint32_t count, bool shares) {
  wl_halves_fill(rng, data, count);
  for (uint32_t i = 0; i < count && shares; i++) {
    if (data[i] != 0) {
      data[i] = (uint16_t)((data[i] & 0x8000) | (15 + (data[i] & 1)) << 10);
    }
  }
}

/* A stage keeps the last tile that was copied to it. */
static void repeat(uint16_t *data, uint32_t rows, uint32_t k, uint32_t loads) {
  for (uint32_t i = 0; i < rows * k; i++) {
    const uint32_t tile = i % k / TILE;
    uint32_t from = tile;
    while (from >= loads) {
      from -= STAGES;
    }
    data[i] = data[i - (tile - from) * TILE];
  }
}

/* What the kernel multiplies. */
static uint16_t *operand(wl_kernel_launch_t *launch, wl_rng_t *rng, uint32_t rows, uint32_t k,
                         uint32_t loads, bool shares) {
  const size_t bytes = (size_t)rows * k * sizeof(uint16_t);
  uint16_t *plain = malloc(bytes), *data = wl_arg_in(launch, bytes);
  launch->failed = launch->failed || plain == NULL;
  if (!launch->failed) {
    fill(rng, plain, rows * k, shares);
    wl_umma_pack((uint8_t *)data, (const uint8_t *)plain, rows, 2 * k, rows, 2 * TILE);
    repeat(plain, rows, k, loads);
  }
  return plain;
}

/* size: rows, columns, tiles of K, of these copied (with SHARES: four warps give the products). */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t m = kcase->size[0], n = kcase->size[1], k = kcase->size[2] * TILE;
  const uint32_t loads = kcase->size[3] & ~(uint32_t)SHARES;
  const bool shares = loads != kcase->size[3];
  wl_rng_t rng = {m + n + k};
  uint16_t *a = operand(launch, &rng, m, k, loads, shares);
  uint16_t *b = operand(launch, &rng, n, k, loads, shares);
  float *c = wl_arg_out(launch, (size_t)m * n * sizeof *c);
  wl_arg_u32(launch, 1u << 4 | n / 8 << 17 | m / 16 << 24); /* D of f32 */
  wl_arg_u32(launch, kcase->size[2]);
  wl_arg_u32(launch, STAGES);
  wl_arg_u32(launch, loads);
  wl_arg_u32(launch, shares);
  for (uint32_t i = 0; i < m * n && !launch->failed; i++) {
    c[i] = wl_halves_element(a + i / n * k, b + i % n * k, k);
  }
  free(a);
  free(b);
}

#define CASE(case_name, case_tier, m, n, tiles, loads)                                             \
  {.name = case_name,                                                                              \
   .entry = "umma_loop",                                                                           \
   .tier = case_tier,                                                                              \
   .grid = {1, 1, 1},                                                                              \
   .block = {128, 1, 1},                                                                           \
   .dynamic_shared = STAGES * 2 * TILE * ((m) + (n)),                                              \
   .size = {m, n, tiles, loads},                                                                   \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("kept_m64n24", WL_TIER_SMOKE, 64, 24, 5, 2),
    CASE("shared_m64n8", WL_TIER_SMOKE, 64, 8, 4, 2 | SHARES),
    CASE("copied_m64n8", WL_TIER_CAMPAIGN, 64, 8, 7, 7),
    CASE("kept_m128n40", WL_TIER_CAMPAIGN, 128, 40, 7, 3),
};

const wl_kernel_t wl_kernel_umma_loop = {
    .name = "umma_loop",
    .variants = WL_PTX_NVCC_SM100,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1024,
    .requires_option = "products in tensor memory; needs Tensor and Tmem",
    .no_oracle = true,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
