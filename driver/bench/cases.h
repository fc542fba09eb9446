/* cases.h: what the files of the bench's kernels share. */
#ifndef WL_DRIVER_BENCH_CASES_H
#define WL_DRIVER_BENCH_CASES_H
#include "driver/bench/bench.h"
#include "gen/wl_config.h"

uint32_t wl_bench_random(uint64_t *state);
bool wl_bench_allocate(wl_bench_case_t *c); /* zeroed data of each buffer, and of the result */
/* cases_matrix.c: 0 a loop of products, 1 mma_gemm, 2 mma_tile. */
bool wl_bench_matrix_case(unsigned index, const wl_config_t *config, wl_bench_case_t *out);
/* Whole numbers from -4 to 4, as halves. */
uint16_t wl_bench_half(uint64_t *state);
int wl_bench_number(uint16_t half);
/* cases_umma.c: a loop of products in tensor memory whose operands stay in shared memory. */
bool wl_bench_umma_loop(const char *config, wl_bench_case_t *out);

#endif
