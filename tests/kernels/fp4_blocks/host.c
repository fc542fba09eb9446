/* Host side of kernel fp4_blocks: block_rule.h. */
#include "tests/kernels/common/block_rule.h"

static void prepare_e2m3(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  block_prepare(kcase, launch, (block_format_t){2, 3, 0x1f}, false);
}

static void prepare_e3m2(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  block_prepare(kcase, launch, (block_format_t){3, 2, 0x1f}, false);
}

static void prepare_e2m1(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  block_prepare(kcase, launch, (block_format_t){2, 1, 0x7}, true);
}

static const wl_kernel_case_t cases[] = {
    BLOCK_CASE("e2m3", "blocks_e2m3", WL_TIER_SMOKE, 3, 64, prepare_e2m3),
    BLOCK_CASE("e3m2", "blocks_e3m2", WL_TIER_SMOKE, 3, 64, prepare_e3m2),
    BLOCK_CASE("e2m1", "blocks_e2m1", WL_TIER_SMOKE, 3, 64, prepare_e2m1),
    BLOCK_CASE("e2m3_all", "blocks_e2m3", WL_TIER_CAMPAIGN, 32, 128, prepare_e2m3),
    BLOCK_CASE("e3m2_all", "blocks_e3m2", WL_TIER_CAMPAIGN, 32, 128, prepare_e3m2),
    BLOCK_CASE("e2m1_all", "blocks_e2m1", WL_TIER_CAMPAIGN, 32, 128, prepare_e2m1),
};

const wl_kernel_t wl_kernel_fp4_blocks = {
    .name = "fp4_blocks",
    .variants = WL_PTX_NVCC_SM100,
    .result = WL_RESULT_EXACT,
    .requires_registers = 40,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
