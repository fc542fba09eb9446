/* cuda: kernels on an NVIDIA GPU by the CUDA driver, which is found at run time, so that the
 * recorder builds without a toolkit. One device (number 0), one context. Each call returns false
 * with a sentence in cuda_error(). */
#ifndef WL_TESTS_SILICON_CUDA_H
#define WL_TESTS_SILICON_CUDA_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CUDA_MAX_ARGS = 24 };

typedef struct cuda_grid {
  uint32_t ctas[3], threads[3]; /* threads of a CTA */
  uint32_t shared;              /* dynamic shared memory, bytes */
} cuda_grid_t;

/* A parameter: a value of `bytes` bytes, or the address of a buffer of so many. */
typedef struct cuda_arg {
  bool buffer;
  const void *data; /* the value; what a buffer holds at first, NULL: anything */
  void *result;     /* gets what a buffer holds at the end; NULL: is not asked for */
  size_t bytes;
} cuda_arg_t;

bool cuda_open(void);
/* In place of cuda_open(): nothing is run; cuda_run() writes the PTX text to DIR/NUMBER.ptx, so that
 * a compiler can look at all of them without a device. Results are zeros. */
void cuda_print_to(const char *dir);
const char *cuda_error(void);
/* "NVIDIA H200, sm_90, driver 580.159.04 (API 13.0)" */
const char *cuda_device_name(void);
/* Compiles, runs to its end. At most CUDA_MAX_ARGS parameters. */
bool cuda_run(const char *ptx, const char *entry, const cuda_grid_t *grid, const cuda_arg_t *arg,
              size_t count);
#endif
