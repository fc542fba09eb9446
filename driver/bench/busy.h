/* busy.h: how long the tensor units work in a launch, by the model's records. docs/bench.md */
#ifndef WL_DRIVER_BENCH_BUSY_H
#define WL_DRIVER_BENCH_BUSY_H
#include "driver/bench/bench.h"
#include "driver/internal.h"

/* Gives the device, open with any backend and without launches, the model with its records: each
 * launch writes what it counts to *seen. False with a sentence in err. */
bool wl_bench_count_products(wl_device_t *device, wl_bench_seen_t *seen, char *err, size_t cap);
/* Cycles that a tensor unit works on a product with so many elements and bytes of K. */
uint32_t wl_bench_product_cycles(const wl_config_t *config, uint32_t elements, uint32_t k);

#endif
