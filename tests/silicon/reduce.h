/* reduce: what a reduction leaves in memory on Hopper (README.md), for all values of 64 bits. */
#ifndef WL_TESTS_SILICON_REDUCE_H
#define WL_TESTS_SILICON_REDUCE_H
#include <stdint.h>

/* op: "add", "min", "max", "inc", "dec", "and", "or", "xor"; type: "f16", "bf16", "f32", "f64", "u32"
 * .. "b64"; "f32.ftz" flushes. Each of the values in 64 bits of memory with that in `value`. */
uint64_t reduce(const char *op, const char *type, uint64_t memory, uint64_t value);
#endif
