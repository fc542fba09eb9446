/* Host side of kernel params: the same structures, whose layout C and CUDA C share. */
#include <string.h>

#include "tests/kernels/common/kernel_case.h"

typedef struct {
  int16_t s16[3];
  uint8_t u8;
} inner_t;

typedef struct {
  int8_t s8;
  uint8_t u8;
  int16_t s16;
  uint16_t u16;
  int32_t s32;
  uint32_t u32;
  int64_t s64;
  uint64_t u64;
  float f32;
  inner_t inner[2];
  uint32_t table[5];
} all_t;

static void make_all(all_t *all) {
  memset(all, 0, sizeof *all);
  all->s8 = -101;
  all->u8 = 202;
  all->s16 = -30303;
  all->u16 = 60606;
  all->s32 = -2000000001;
  all->u32 = 4000000001u;
  all->s64 = INT64_C(-9000000000000000001);
  all->u64 = UINT64_C(18000000000000000001);
  all->f32 = -0x1.8p-130f; /* subnormal: must come through a parameter unflushed */
  for (int i = 0; i < 6; i++) {
    all->inner[i / 3].s16[i % 3] = (int16_t)(-1000 * i - 7);
  }
  all->inner[0].u8 = 9;
  all->inner[1].u8 = 251;
  for (uint32_t i = 0; i < 5; i++) {
    all->table[i] = 0x01010101u * (i + 1);
  }
}

static void put_scalars(const all_t *all, uint64_t *out) {
  out[0] = (uint64_t)all->s8;
  out[1] = all->u8;
  out[2] = (uint64_t)all->s16;
  out[3] = all->u16;
  out[4] = (uint64_t)all->s32;
  out[5] = all->u32;
  out[6] = (uint64_t)all->s64;
  out[7] = all->u64;
  out[8] = wl_kernel_float_bits(all->f32);
}

static void prepare_scalar(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  all_t all;
  uint8_t flag = 1;
  (void)kcase;
  make_all(&all);
  uint64_t *out = wl_arg_out(launch, 10 * sizeof *out);
  wl_arg_scalar(launch, "s8", &all.s8, 1);
  wl_arg_scalar(launch, "u8", &all.u8, 1);
  wl_arg_scalar(launch, "s16", &all.s16, 2);
  wl_arg_scalar(launch, "u16", &all.u16, 2);
  wl_arg_s32(launch, all.s32);
  wl_arg_u32(launch, all.u32);
  wl_arg_scalar(launch, "s64", &all.s64, 8);
  wl_arg_u64(launch, all.u64);
  wl_arg_f32(launch, all.f32);
  wl_arg_scalar(launch, "u8", &flag, 1);
  if (!launch->failed) {
    put_scalars(&all, out);
    out[9] = 77;
  }
}

static void prepare_struct(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  static const uint8_t odd[7] = {1, 20, 255, 4, 50, 6, 128};
  uint32_t count = kcase->size[0];
  all_t all;
  make_all(&all);
  wl_arg_struct(launch, odd, sizeof odd);
  uint64_t *out = wl_arg_out(launch, (11 + count) * sizeof *out);
  wl_arg_struct(launch, &all, sizeof all);
  wl_arg_u32(launch, count);
  if (launch->failed) {
    return;
  }
  put_scalars(&all, out);
  out[9] = (uint64_t)(int64_t)(all.inner[0].s16[2] + all.inner[1].s16[0]);
  out[10] = all.inner[1].u8;
  for (uint32_t i = 0; i < count; i++) {
    out[11 + i] = all.table[i % 5] + odd[i % 7];
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "scalar",
     .entry = "params_scalar",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {10, 1, 1},
     .prepare = prepare_scalar},
    {.name = "struct",
     .entry = "params_struct",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {37, 1, 1},
     .size = {35},
     .prepare = prepare_struct},
};

const wl_kernel_t wl_kernel_params = {
    .name = "params",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
