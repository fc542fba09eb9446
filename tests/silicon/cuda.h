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

/* Of CUtensorMapDataType. */
typedef enum cuda_map_type {
  CUDA_MAP_U8,
  CUDA_MAP_U16,
  CUDA_MAP_U32,
  CUDA_MAP_S32,
  CUDA_MAP_U64,
  CUDA_MAP_S64,
  CUDA_MAP_F16,
  CUDA_MAP_F32,
  CUDA_MAP_F64,
  CUDA_MAP_BF16,
  CUDA_MAP_F32_FTZ,
  CUDA_MAP_TF32,
  CUDA_MAP_TF32_FTZ
} cuda_map_type_t;

/* A tensor map (9.7.9.27) of a matrix that is the first parameter's buffer. */
typedef struct cuda_map {
  cuda_map_type_t type;
  uint32_t size[2], box[2]; /* elements of a row, rows */
  uint64_t stride;          /* bytes from row to row */
  unsigned swizzle;         /* 0 none, 1 32 bytes, 2 64, 3 128 */
  bool nan;                 /* fill with NaN what lies outside */
} cuda_map_t;

/* A parameter: a tensor map, a value of `bytes` bytes, or the address of a buffer of so many. */
typedef struct cuda_arg {
  bool buffer;
  const void *data; /* the value; what a buffer holds at first, NULL: anything */
  void *result;     /* gets what a buffer holds at the end; NULL: is not asked for */
  size_t bytes;
  const cuda_map_t *map;
} cuda_arg_t;

bool cuda_open(void);
/* In place of cuda_open(): nothing is run; cuda_run() writes the PTX text to DIR/NUMBER.ptx and what
 * the first buffer holds to DIR/NUMBER.in, so that a compiler can look at all of them without a
 * device. Results are those of DIR/NUMBER.out, which another program may have made, else zeros. */
void cuda_print_to(const char *dir);
const char *cuda_error(void);
/* "NVIDIA H200, sm_90, driver 580.159.04 (API 13.0)" */
const char *cuda_device_name(void);
/* Compiles, runs to its end. At most CUDA_MAX_ARGS parameters. */
bool cuda_run(const char *ptx, const char *entry, const cuda_grid_t *grid, const cuda_arg_t *arg,
              size_t count);
#endif
