/* Host side of kernel fp8_blocks: block_rule.h. */
#include "tests/kernels/common/block_rule.h"

static void prepare_e4m3(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  block_prepare(kcase, launch, (block_format_t){4, 3, 0x7e}, false);
}

static void prepare_e5m2(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  block_prepare(kcase, launch, (block_format_t){5, 2, 0x7b}, false);
}

static const wl_kernel_case_t cases[] = {
    BLOCK_CASE("e4m3", "blocks_e4m3", WL_TIER_SMOKE, 3, 64, prepare_e4m3),
    BLOCK_CASE("e5m2", "blocks_e5m2", WL_TIER_SMOKE, 3, 64, prepare_e5m2),
    BLOCK_CASE("e4m3_all", "blocks_e4m3", WL_TIER_CAMPAIGN, 32, 128, prepare_e4m3),
    BLOCK_CASE("e5m2_all", "blocks_e5m2", WL_TIER_CAMPAIGN, 32, 128, prepare_e5m2),
};

const wl_kernel_t wl_kernel_fp8_blocks = {
    .name = "fp8_blocks",
    .variants = WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 40,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
