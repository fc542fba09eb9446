/* Host side of kernel umma_scaled: the same sequence of blocks with their scales, an element at a time. */
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/common/umma_tiles.h"

enum { MXF8, NVF4 };
enum {
  SIDE = 128,
  ROW = 128,          /* bytes of a row of a tile */
  STEP = 32,          /* that a product takes */
  SCALES = 512,       /* bytes of a set: four of each row */
  WORDS = ROW / STEP, /* sets of a tile of nvf4, products of each tile */
  STAGES = 3
};

/* An operand: `rows` rows of `tiles` tiles of K. scale[row][...]: bytes, of a tile four (mxf8) or sixteen. */
typedef struct {
  uint32_t rows, tiles, per_tile;
  uint8_t *data, *scale;
} operand_t;

static uint8_t random_element(wl_rng_t *rng, int kind) {
  const uint32_t random = wl_rng_u32(rng);
  if (kind == NVF4) {
    return (uint8_t)random; /* two elements */
  }
  const uint32_t field =
      random % 61 == 0 ? 0 : 3 + (random >> 8 & 7); /* some are subnormal, some zero */
  return (uint8_t)((random & 0x87) | field << 3);
}

/* ue8m0: 2^-6 to 2^1. ue4m3: of even rows any number up to 3.75, of odd ones of each four one large number and three of
 * the smallest, so that terms are cut behind the largest one. */
static uint8_t random_scale(wl_rng_t *rng, int kind, uint32_t row, uint32_t i) {
  if (kind == MXF8) {
    return (uint8_t)(121 + wl_rng_below(rng, 8));
  }
  return (uint8_t)(row % 2 == 0 ? wl_rng_below(rng, 64)
                   : i % 4 == 0 ? 0x70 + wl_rng_below(rng, 15)
                                : 1 + wl_rng_below(rng, 3));
}

/* Scales as stages want them: for each 128 rows and tile, set after set; of a set row l has the four bytes of rows l,
 * l + 32, l + 64 and l + 96. */
static void pack_scales(uint8_t *to, const operand_t *o) {
  const uint32_t sets = o->per_tile / 4;
  for (uint32_t r = 0; r < o->rows; r++) {
    for (uint32_t i = 0; i < o->tiles * o->per_tile; i++) {
      const uint32_t tile = r / SIDE * o->tiles + i / o->per_tile, set = i % o->per_tile / 4;
      to[(tile * sets + set) * SCALES + r % 32 * 16 + r % SIDE / 32 * 4 + i % 4] =
          o->scale[r * o->tiles * o->per_tile + i];
    }
  }
}

static void make(operand_t *o, wl_kernel_launch_t *launch, wl_rng_t *rng, int kind) {
  const uint32_t bytes = o->rows * o->tiles * ROW, scales = o->rows * o->tiles * o->per_tile;
  o->data = malloc(bytes);
  o->scale = malloc(scales);
  uint8_t *tiles = wl_arg_in(launch, bytes);
  launch->failed = launch->failed || o->data == NULL || o->scale == NULL;
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < bytes; i++) {
    o->data[i] = random_element(rng, kind);
  }
  for (uint32_t i = 0; i < scales; i++) {
    o->scale[i] = random_scale(rng, kind, i / (o->tiles * o->per_tile), i);
  }
  wl_umma_pack(tiles, o->data, o->rows, o->tiles * ROW, SIDE, ROW);
}

static float product_mxf8(const uint8_t *a, const uint8_t *b, uint8_t sa, uint8_t sb, float c) {
  const wl_umma_format_t e4m3 = {4, 3};
  wl_umma_number_t x[STEP], y[STEP];
  for (uint32_t k = 0; k < STEP; k++) {
    x[k] = wl_umma_number(a[k], e4m3);
    y[k] = wl_umma_number(b[k], e4m3);
  }
  return wl_umma_block(x, y, STEP, 6, sa - 127 + sb - 127, c);
}

static float product_nvf4(const uint8_t *a, const uint8_t *b, const uint8_t *sa, const uint8_t *sb,
                          float c) {
  const wl_umma_format_t e2m1 = {2, 1}, ue4m3 = {4, 3};
  wl_umma_number_t x[2 * STEP], y[2 * STEP], u[WL_UMMA_GROUPS], v[WL_UMMA_GROUPS];
  for (uint32_t k = 0; k < 2 * STEP; k++) {
    x[k] = wl_umma_number(a[k / 2] >> k % 2 * 4 & 15u, e2m1);
    y[k] = wl_umma_number(b[k / 2] >> k % 2 * 4 & 15u, e2m1);
  }
  for (uint32_t g = 0; g < WL_UMMA_GROUPS; g++) {
    u[g] = wl_umma_number(sa[g], ue4m3);
    v[g] = wl_umma_number(sb[g], ue4m3);
  }
  return wl_umma_block4(x, y, u, v, c);
}

static float element(const operand_t *a, const operand_t *b, uint32_t row, uint32_t column,
                     int kind) {
  const uint8_t *x = a->data + row * a->tiles * ROW, *y = b->data + column * b->tiles * ROW;
  const uint8_t *u = a->scale + row * a->tiles * a->per_tile,
                *v = b->scale + column * b->tiles * b->per_tile;
  float sum = 0;
  for (uint32_t p = 0; p < a->tiles * WORDS; p++) {
    sum = kind == MXF8 ? product_mxf8(x + p * STEP, y + p * STEP, u[p], v[p], sum)
                       : product_nvf4(x + p * STEP, y + p * STEP, u + p * 4, v + p * 4, sum);
  }
  return sum;
}

/* size: kind, tiles of K. */
static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const int kind = (int)kcase->size[0];
  const uint32_t tiles = kcase->size[1], per_tile = kind == MXF8 ? 4 : 16;
  operand_t a = {kcase->grid[1] * SIDE, tiles, per_tile, NULL, NULL};
  operand_t b = {kcase->grid[0] * SIDE, tiles, per_tile, NULL, NULL};
  wl_rng_t rng = {a.rows + b.rows + tiles + kcase->size[0]};
  make(&a, launch, &rng, kind);
  make(&b, launch, &rng, kind);
  uint8_t *of_a = wl_arg_in(launch, (size_t)a.rows * tiles * per_tile);
  uint8_t *of_b = wl_arg_in(launch, (size_t)b.rows * tiles * per_tile);
  float *c = wl_arg_out(launch, (size_t)a.rows * b.rows * sizeof *c);
  wl_arg_u32(launch, tiles);
  if (!launch->failed) {
    pack_scales(of_a, &a);
    pack_scales(of_b, &b);
    for (uint32_t i = 0; i < a.rows * b.rows; i++) {
      c[i] = element(&a, &b, i / b.rows, i % b.rows, kind);
    }
  }
  free(a.data);
  free(a.scale);
  free(b.data);
  free(b.scale);
}

#define CASE(case_name, entry_name, case_tier, kind, tiles, x, y)                                  \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {x, y, 1},                                                                              \
   .block = {192, 1, 1},                                                                           \
   .dynamic_shared = STAGES * (2 * SIDE * ROW + 2 * SCALES * ((kind) == NVF4 ? WORDS : 1)),        \
   .size = {kind, tiles},                                                                          \
   .prepare = prepare}

static const wl_kernel_case_t cases[] = {
    CASE("mxf8", "umma_mxf8", WL_TIER_SMOKE, MXF8, 4, 1, 1),
    CASE("nvf4", "umma_nvf4", WL_TIER_SMOKE, NVF4, 4, 1, 1),
    CASE("mxf8_k1024", "umma_mxf8", WL_TIER_CAMPAIGN, MXF8, 8, 1, 2),
    CASE("nvf4_k2048", "umma_nvf4", WL_TIER_CAMPAIGN, NVF4, 8, 2, 1),
};

const wl_kernel_t wl_kernel_umma_scaled = {
    .name = "umma_scaled",
    .variants = WL_PTX_NVCC_SM100,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1024,
    .requires_option =
        "block scales of products in tensor memory; needs Umma, 32 lanes and 16 terms",
    .no_oracle = true,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
