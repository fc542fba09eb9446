/* Host side of kernel calls. Right shifts of negative values are arithmetic, as gcc and clang do. */
#include "tests/kernels/common/kernel_case.h"

static uint32_t gcd(uint32_t a, uint32_t b) { return b == 0 ? a : gcd(b, a % b); }

/* Closed loops where the device recurses. */
static uint32_t fibonacci(uint32_t n) {
  uint32_t a = 0;
  uint32_t b = 1;
  while (n-- > 0) {
    uint32_t next = a + b;
    a = b;
    b = next;
  }
  return a;
}

static uint32_t parity_walk(uint32_t n) {
  uint32_t value = n % 2 == 0 ? 7 : 5; /* which function meets 0 */
  for (uint32_t i = 1; i <= n; i++) {
    value = (n - i) % 2 == 0 ? value + i : value ^ i;
  }
  return value;
}

static uint32_t weigh(int32_t v, uint32_t i) {
  int32_t m = (int32_t)((int64_t)v * 70000 >> 8);
  uint32_t sum = (uint32_t)(v & 15) - 2u * (uint32_t)(v >> 4 & 15) + 3u * (uint32_t)(v >> 8 & 15) -
                 4u * (uint32_t)(v >> 12 & 15) + 5u * (uint32_t)(v >> 16 & 15) -
                 6u * (uint32_t)(v >> 20 & 15) + 7u * (uint32_t)(v >> 24) - 8u * i + 27u - 40u;
  return sum + 11u * (uint32_t)(int16_t)v - 12u * (uint32_t)(int8_t)(v >> 3) + (uint32_t)m;
}

static uint32_t fold(uint32_t u) {
  uint32_t sum = u % 6;
  for (uint32_t i = 0; i < 6; i++) {
    sum = sum * 33 + (u >> ((i + u % 6) % 6));
  }
  return sum;
}

static uint32_t expect(int32_t v, uint32_t i) {
  uint32_t u = (uint32_t)v;
  uint32_t r = gcd((u & 0xffffu) + 1, (u >> 16) + 1) + weigh(v, i);
  int64_t half = v >> 8;
  uint64_t second = (uint64_t)(half * half) + (u & 1u);
  uint32_t first = (u & 1u) != 0 ? (uint32_t)half : (uint32_t)-half;
  r ^= first + (uint32_t)second + (uint32_t)(second >> 32);
  r += fold(u);
  return i % 3 != 0 ? r + fibonacci(u % 9) : r ^ parity_walk(u % 12);
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 15};
  int32_t *in = wl_arg_in(launch, n * sizeof *in);
  uint32_t *out = wl_arg_out(launch, n * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    in[i] = (int32_t)wl_rng_u32(&rng);
    out[i] = expect(in[i], i);
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "n39",
     .entry = "calls",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {41, 1, 1},
     .size = {39},
     .prepare = prepare},
    {.name = "n501",
     .entry = "calls",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {5, 1, 1},
     .block = {103, 1, 1},
     .size = {501},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_calls = {
    .name = "calls",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_SM90,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
