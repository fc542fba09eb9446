/* Host side of kernel wide_atomics. */
#include "tests/kernels/common/kernel_case.h"

enum { CLASSES = 4, CELLS = 4, LOCALS = 2, NODE_BYTES = 16 };

static uint32_t threads_of(const wl_kernel_case_t *kcase) {
  return kcase->grid[0] * kcase->block[0];
}

/* Heads of `stacks` stacks: empty, the tag counts each push and pop. threads: of one stack. */
static void heads_end(uint64_t *want, uint32_t stacks, uint32_t threads, uint32_t rounds) {
  for (uint32_t k = 0; k < stacks; k++) {
    want[2 * k + 1] = (uint64_t)(2 * rounds * threads) << 32;
  }
}

/* The arguments after the stacks: each node is held once at the end and was popped `rounds` times on the
 * average. */
static void prepare_visits(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t n = threads_of(kcase), rounds = kcase->size[0];
  uint32_t *held = wl_arg_out(launch, n * sizeof *held);
  uint32_t *visits = wl_arg_out(launch, sizeof *visits);
  wl_arg_u32(launch, rounds);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    held[i] = 1;
  }
  *visits = n * rounds;
}

/* size: rounds. */
static void prepare_stack(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t n = threads_of(kcase);
  uint64_t *heads = wl_arg_out(launch, CLASSES * 16);
  (void)wl_arg_out(launch, (size_t)n * NODE_BYTES);
  prepare_visits(kcase, launch);
  if (!launch->failed) {
    heads_end(heads, CLASSES, n / CLASSES, kcase->size[0]);
  }
}

static void prepare_shared(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t stacks = kcase->grid[0] * CLASSES;
  uint64_t *heads = wl_arg_out(launch, (size_t)stacks * 16);
  prepare_visits(kcase, launch);
  if (!launch->failed) {
    heads_end(heads, stacks, kcase->block[0] / CLASSES, kcase->size[0]);
  }
}

static void value_of(uint32_t id, uint64_t *to) {
  to[0] = id | (uint64_t)id << 32;
  to[1] = ~to[0] * UINT64_C(0x9e3779b97f4a7c15);
}

static void prepare_chain(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t rounds = kcase->size[0], values = 1 + threads_of(kcase) * rounds;
  void *end;
  uint64_t *cells = wl_arg_inout(launch, CELLS * 16, &end);
  uint32_t *marks = wl_arg_out(launch, values * sizeof *marks);
  (void)wl_arg_out(launch, sizeof(uint32_t));
  uint32_t *arrived = wl_arg_out(launch, sizeof *arrived);
  wl_arg_u32(launch, rounds);
  if (launch->failed) {
    return;
  }
  for (uint32_t k = 0; k < CELLS; k++) {
    value_of(0, cells + (size_t)2 * k);
    value_of(UINT32_MAX, (uint64_t *)end + (size_t)2 * k);
  }
  marks[0] = CELLS + LOCALS * kcase->grid[0];
  for (uint32_t i = 1; i < values; i++) {
    marks[i] = 1;
  }
  *arrived = kcase->grid[0];
}

/* size: numbers. */
static void prepare_sum(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  const uint32_t n = kcase->size[0];
  wl_rng_t rng = {n + 128};
  void *end;
  uint64_t *sums = wl_arg_inout(launch, 48, &end);
  uint64_t *in = wl_arg_in(launch, (size_t)n * 16);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  uint64_t *want = end;
  for (uint32_t k = 0; k < 6; k++) {
    want[k] = sums[k] = wl_rng_u64(&rng);
  }
  for (uint32_t i = 0; i < n; i++) {
    uint64_t *to = want + i % 3 * 2;
    in[2 * (size_t)i] = wl_rng_u64(&rng);
    in[2 * (size_t)i + 1] = wl_rng_u64(&rng);
    to[0] += in[2 * (size_t)i];
    to[1] += in[2 * (size_t)i + 1] + (to[0] < in[2 * (size_t)i] ? 1 : 0);
  }
}

#define CASE(case_name, entry_name, case_tier, ctas, threads, n, prepare_case)                     \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {threads, 1, 1},                                                                       \
   .size = {n},                                                                                    \
   .prepare = prepare_case}

static const wl_kernel_case_t cases[] = {
    CASE("stack2x20", "wide_stack", WL_TIER_SMOKE, 2, 20, 1, prepare_stack),
    CASE("shared2x52", "wide_stack_shared", WL_TIER_SMOKE, 2, 52, 1, prepare_shared),
    CASE("chain3x37", "wide_chain", WL_TIER_SMOKE, 3, 37, 2, prepare_chain),
    CASE("sum61", "wide_sum", WL_TIER_SMOKE, 2, 35, 61, prepare_sum),
    CASE("stack5x128", "wide_stack", WL_TIER_CAMPAIGN, 5, 128, 6, prepare_stack),
    CASE("shared3x128", "wide_stack_shared", WL_TIER_CAMPAIGN, 3, 128, 5, prepare_shared),
    CASE("chain7x200", "wide_chain", WL_TIER_CAMPAIGN, 7, 200, 9, prepare_chain),
    CASE("sum3001", "wide_sum", WL_TIER_CAMPAIGN, 5, 160, 3001, prepare_sum),
};

const wl_kernel_t wl_kernel_wide_atomics = {
    .name = "wide_atomics",
    .variants = WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 2112,
    .requires_option = "atomics of 128 bits; needs LsuWords = 4 and SmemWide = 1",
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
