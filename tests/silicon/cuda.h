/* cuda: the few calls of the CUDA driver that recording needs, found at run time, so that the
 * recorder builds without a toolkit. One device (number 0), one context. Each call returns false
 * with a sentence in cuda_error(). */
#ifndef WL_TESTS_SILICON_CUDA_H
#define WL_TESTS_SILICON_CUDA_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cuda_function {
  void *module, *entry;
} cuda_function_t;

bool cuda_open(void);
const char *cuda_error(void);
/* "NVIDIA H200, sm_90, driver 580.159.04 (API 13.0)" */
const char *cuda_device_name(void);
bool cuda_load(const char *ptx, const char *entry, cuda_function_t *out);
void cuda_unload(cuda_function_t *function);
bool cuda_alloc(size_t bytes, uint64_t *out);
void cuda_free(uint64_t address);
bool cuda_write(uint64_t to, const void *from, size_t bytes);
bool cuda_read(void *to, uint64_t from, size_t bytes);
bool cuda_zero(uint64_t to, size_t bytes);
/* args[i]: pointer to the value of parameter i. Has run when it returns. */
bool cuda_launch(const cuda_function_t *function, const uint32_t grid[3], const uint32_t block[3],
                 uint32_t shared, void **args);
#endif
