/*
 * Host side of kernel bit_ops, from PTX "Integer Arithmetic", "Logic and Shift" and prmt's table,
 * bit by bit rather than in the form that hardware uses.
 */
#include "tests/kernels/common/kernel_case.h"

#define RESULTS 32u

static uint32_t pick_byte(uint32_t x, uint32_t y, uint32_t index) {
  uint64_t both = (uint64_t)y << 32 | x;
  return (uint32_t)(both >> (8 * (index & 7u))) & 0xffu;
}

static uint32_t prmt(uint32_t x, uint32_t y, uint32_t z) {
  uint32_t d = 0;
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t select = z >> (4 * i) & 15u;
    uint32_t byte = pick_byte(x, y, select);
    if ((select & 8u) != 0) {
      byte = (byte & 0x80u) != 0 ? 0xffu : 0;
    }
    d |= byte << (8 * i);
  }
  return d;
}

/* The byte numbers of the mode table of prmt, for selector 0..3, least significant byte first. */
static const uint8_t prmt_mode[6][4][4] = {
    {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}, /* f4e */
    {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}, /* b4e */
    {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}, /* rc8 */
    {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}, /* ecl */
    {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}, /* ecr */
    {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}, /* rc16 */
};

static uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t d = 0;
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t row = (a >> i & 1u) << 2 | (b >> i & 1u) << 1 | (c >> i & 1u);
    d |= (table >> row & 1u) << i;
  }
  return d;
}

static uint32_t funnel(uint32_t low, uint32_t high, uint32_t shift, bool left) {
  uint64_t both = (uint64_t)high << 32 | low;
  return (uint32_t)(left ? both << shift >> 32 : both >> shift);
}

/* bfe: the bit of the result is source bit pos+i, or the sign beyond field or source. */
static uint64_t extract(uint64_t a, uint32_t pos, uint32_t len, uint32_t width, bool is_signed) {
  uint32_t top = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
  uint64_t sign = is_signed && len != 0 ? a >> top & 1u : 0;
  uint64_t d = 0;
  for (uint32_t i = 0; i < width; i++) {
    uint64_t bit = i < len && pos + i < width ? a >> (pos + i) & 1u : sign;
    d |= bit << i;
  }
  return d;
}

static uint32_t insert(uint32_t a, uint32_t b, uint32_t pos, uint32_t len) {
  for (uint32_t i = 0; i < len && pos + i < 32; i++) {
    b = (b & ~(1u << (pos + i))) | (a >> i & 1u) << (pos + i);
  }
  return b;
}

static uint32_t find_top(uint64_t v) {
  uint32_t found = 0xffffffffu;
  for (uint32_t i = 0; i < 64; i++) {
    found = (v >> i & 1u) != 0 ? i : found;
  }
  return found;
}

static uint32_t count_bits(uint32_t v) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < 32; i++) {
    n += v >> i & 1u;
  }
  return n;
}

static uint32_t reverse(uint32_t v) {
  uint32_t d = 0;
  for (uint32_t i = 0; i < 32; i++) {
    d |= (v >> i & 1u) << (31 - i);
  }
  return d;
}

static void fields(uint32_t x, uint32_t y, uint32_t z, uint32_t *r) {
  uint32_t pos = z & 0xffu;
  uint32_t len = z >> 8 & 0xffu;
  uint64_t w = (uint64_t)y << 32 | x;
  uint64_t field = extract(w, pos, len, 64, false);
  uint64_t signed_field = extract(w, pos, len, 64, true);
  r[15] = (uint32_t)extract(x, pos, len, 32, false);
  r[16] = (uint32_t)extract(x, pos, len, 32, true);
  r[17] = (uint32_t)field;
  r[18] = (uint32_t)(field >> 32);
  r[19] = (uint32_t)signed_field;
  r[20] = (uint32_t)(signed_field >> 32);
  r[21] = insert(x, y, pos, len);
  r[28] = find_top(w & ((uint64_t)z << 20));
}

static void expect(uint32_t x, uint32_t y, uint32_t z, uint32_t *r) {
  uint32_t sz = z & 63u;
  uint32_t either = x | y;
  uint32_t lowest = 0;
  r[0] = prmt(x, y, z);
  for (uint32_t mode = 0; mode < 6; mode++) {
    r[1 + mode] = 0;
    for (uint32_t i = 0; i < 4; i++) {
      r[1 + mode] |= pick_byte(x, y, prmt_mode[mode][z & 3u][i]) << (8 * i);
    }
  }
  r[7] = lop3(x, y, z, 0x96);
  r[8] = lop3(x, y, z, 0xe8);
  r[9] = lop3(x, y, z, 0xca);
  r[10] = lop3(x, y, z, 0x1b);
  r[11] = funnel(x, y, z & 31u, true);
  r[12] = funnel(x, y, sz > 32 ? 32 : sz, true);
  r[13] = funnel(x, y, z & 31u, false);
  r[14] = funnel(x, y, sz > 32 ? 32 : sz, false);
  fields(x, y, z, r);
  r[22] = reverse(x);
  r[23] = count_bits(x & y);
  r[24] = (x & z) == 0 ? 32 : 31 - find_top(x & z);
  r[25] = find_top(x & y);
  r[26] = find_top((either & 0x80000000u) != 0 ? ~either : either);
  r[27] = (x & z) == 0 ? 0xffffffffu : 31 - find_top(x & z);
  r[29] = (uint32_t)((uint64_t)x * y >> 32);
  r[30] = (uint32_t)((int64_t)(int32_t)x * (int32_t)y >> 32);
  for (uint32_t i = 32; i > 0; i--) {
    lowest = ((x & y & z) >> (i - 1) & 1u) != 0 ? i : lowest;
  }
  r[31] = lowest;
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 21};
  uint32_t *a = wl_arg_in(launch, n * sizeof *a);
  uint32_t *b = wl_arg_in(launch, n * sizeof *b);
  uint32_t *c = wl_arg_in(launch, n * sizeof *c);
  uint32_t *out = wl_arg_out(launch, n * RESULTS * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    a[i] = wl_rng_u32(&rng);
    a[i] >>= wl_rng_below(&rng, 30);
    b[i] = wl_rng_u32(&rng);
    /* Mostly fields within a word; one in four any position and length up to 255. */
    c[i] = i % 4 == 0 ? wl_rng_u32(&rng) : wl_rng_u32(&rng) & 0xffff1f3fu;
    expect(a[i], b[i], c[i], &out[i * RESULTS]);
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "n103",
     .entry = "bit_ops",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {109, 1, 1},
     .size = {103},
     .prepare = prepare},
    {.name = "n3001",
     .entry = "bit_ops",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {13, 1, 1},
     .block = {243, 1, 1},
     .size = {3001},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_bit_ops = {
    .name = "bit_ops",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
