/* Host side of kernel cluster_one: each CTA is a cluster, of rank 0 in it. */
#include "tests/kernels/common/kernel_case.h"

static uint32_t *prepare_in(wl_kernel_launch_t *launch, uint32_t count) {
  wl_rng_t rng = {count + 64};
  uint32_t *in = wl_arg_in(launch, count * sizeof *in);
  for (uint32_t i = 0; !launch->failed && i < count; i++) {
    in[i] = wl_rng_u32(&rng);
  }
  return in;
}

static void prepare_around(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->block[0], ctas = kcase->grid[0];
  const uint32_t *in = prepare_in(launch, ctas * n);
  uint32_t *out = wl_arg_out(launch, ctas * n * sizeof *out);
  for (uint32_t cta = 0; !launch->failed && cta < ctas; cta++) {
    const uint32_t *mine = &in[cta * n];
    uint32_t sum = 0, most = 0;
    for (uint32_t t = 0; t < n; t++) {
      sum += mine[t];
      most = mine[t] > most ? mine[t] : most;
    }
    for (uint32_t t = 0; t < n; t++) {
      const uint32_t of_thread[] = {0, 1, 1, 0, t, n, 0, sum, most}, of_grid[] = {cta, ctas};
      uint32_t v = mine[(t + 7) % n];
      for (size_t k = 0; k < WL_COUNT(of_thread); k++) {
        v = v * 31 + of_thread[k];
      }
      for (size_t k = 0; k < WL_COUNT(of_grid); k++) {
        v = v * 31 + of_grid[k];
      }
      out[cta * n + (t + 3) % n] = v;
    }
  }
}

static void prepare_mbar(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->block[0], rounds = kcase->size[0];
  const uint32_t *in = prepare_in(launch, rounds * n);
  uint32_t *out = wl_arg_out(launch, n * sizeof *out);
  wl_arg_u32(launch, rounds);
  for (uint32_t t = 1; !launch->failed && t < n; t += 3) {
    uint32_t two[2] = {t, t + 1}, others = t + 1 < n ? 2 : 1;
    for (uint32_t r = 0; r < rounds; r++) {
      uint32_t sent[2] = {two[0] + in[r * n + t], others == 2 ? two[1] + in[r * n + t + 1] : 0};
      two[0] = two[0] * 31 + sent[others - 1];
      two[1] = two[1] * 31 + sent[0];
    }
    memcpy(&out[t], two, others * sizeof *out);
  }
}

static void prepare_arms(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->block[0], ctas = kcase->grid[0];
  const uint32_t *in = prepare_in(launch, ctas * n);
  uint32_t *out = wl_arg_out(launch, ctas * n * sizeof *out);
  for (uint32_t cta = 0; !launch->failed && cta < ctas; cta++) {
    uint32_t sum = 0;
    for (uint32_t t = 0; t < n; t++) {
      uint32_t from = (t + (t % 2 != 0 ? 5 : 2)) % n;
      uint32_t word = in[cta * n + from] * (from % 2 != 0 ? 1 : 3);
      out[cta * n + t] = t % 2 != 0 ? (in[cta * n + t] + 5) ^ word : word + 1;
      sum += t % 4 != 0 ? out[cta * n + t] : 0;
    }
    for (uint32_t t = 0; t < n; t++) {
      out[cta * n + t] ^= t % 4 != 0 ? sum : 0;
    }
  }
}

#define CLUSTER(case_name, entry_name, case_tier, ctas, threads, rounds, prepare_case)             \
  {.name = case_name,                                                                              \
   .entry = entry_name,                                                                            \
   .tier = case_tier,                                                                              \
   .grid = {ctas, 1, 1},                                                                           \
   .block = {threads, 1, 1},                                                                       \
   .size = {rounds},                                                                               \
   .prepare = prepare_case}

static const wl_kernel_case_t cases[] = {
    CLUSTER("plain2x77", "cluster_plain", WL_TIER_SMOKE, 2, 77, 0, prepare_around),
    CLUSTER("dims3x45", "cluster_dims", WL_TIER_SMOKE, 3, 45, 0, prepare_around),
    CLUSTER("mbar77", "cluster_mbar", WL_TIER_SMOKE, 1, 77, 5, prepare_mbar),
    CLUSTER("arms2x75", "cluster_arms", WL_TIER_SMOKE, 2, 75, 0, prepare_arms),
    CLUSTER("plain13x256", "cluster_plain", WL_TIER_CAMPAIGN, 13, 256, 0, prepare_around),
    CLUSTER("arms5x256", "cluster_arms", WL_TIER_CAMPAIGN, 5, 256, 0, prepare_arms),
    CLUSTER("mbar128", "cluster_mbar", WL_TIER_CAMPAIGN, 1, 128, 24, prepare_mbar),
};

const wl_kernel_t wl_kernel_cluster_one = {
    .name = "cluster_one",
    .variants = WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .requires_shared = 1032,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
