/* Host side of kernel int16: in 32 bits, cut to 16 after each step. */
#include "tests/kernels/common/kernel_case.h"

static int32_t cut(int32_t v) {
  return (int32_t)((uint32_t)v & 0xffffu) - (v & 0x8000 ? 65536 : 0);
}

static int32_t signed_result(int32_t x, int32_t y, int32_t z) {
  int32_t ys = cut(y);
  int32_t s = cut(x + z);
  s = cut(s * ys);
  s = cut(s - (x >> (y & 7)));
  s = x < z ? s : cut(s ^ 0x55aa);
  s = s % ((z & 31) + 1);
  return cut(s + (x > ys ? x : ys));
}

static uint32_t unsigned_result(int32_t x, uint32_t y, int32_t z) {
  uint32_t u = (y << (z & 15)) & 0xffffu;
  u |= y >> 3;
  u = (u + y / (uint32_t)((x & 63) + 1)) & 0xffffu;
  u &= ~(uint32_t)z & 0xffffu;
  return u < y ? u : (u - y) & 0xffffu;
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 16};
  int16_t *a = wl_arg_in(launch, n * sizeof *a);
  uint16_t *b = wl_arg_in(launch, n * sizeof *b);
  int8_t *c = wl_arg_in(launch, n);
  int16_t *out = wl_arg_out(launch, n * sizeof *out);
  uint16_t *uout = wl_arg_out(launch, n * sizeof *uout);
  uint8_t *bout = wl_arg_out(launch, n);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    a[i] = (int16_t)wl_rng_u32(&rng);
    b[i] = (uint16_t)wl_rng_u32(&rng);
    c[i] = (int8_t)wl_rng_u32(&rng);
    out[i] = (int16_t)signed_result(a[i], b[i], c[i]);
    uout[i] = (uint16_t)unsigned_result(a[i], b[i], c[i]);
    bout[i] = (uint8_t)(c[i] * 3 + (a[i] & 0xff));
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "n203",
     .entry = "int16",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 1, 1},
     .block = {119, 1, 1},
     .size = {203},
     .prepare = prepare},
    {.name = "n5003",
     .entry = "int16",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {20, 1, 1},
     .block = {255, 1, 1},
     .size = {5003},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_int16 = {
    .name = "int16",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
