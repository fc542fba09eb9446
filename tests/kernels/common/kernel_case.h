/*
 * Kernel corpus: the C data that describes every kernel, its launches, its inputs and the results
 * that the host expects (docs/microarchitecture.md, "Configurations": `requires` and `result`).
 * It knows no backend: a runner copies the buffers to a device, launches, copies them back and
 * calls wl_kernel_verify(). It deliberately does not read PTX or know of object files.
 */
#ifndef WL_TESTS_KERNELS_COMMON_KERNEL_CASE_H
#define WL_TESTS_KERNELS_COMMON_KERNEL_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WL_KERNEL_MAX_ARGS 24

/* Which PTX files lie beside the source: <name>.<variant>.ptx. */
enum {
  WL_PTX_NVCC = 1u << 0,          /* nvcc.ptx           sm_80, -O3 */
  WL_PTX_NVCC_G = 1u << 1,        /* nvcc_g.ptx         sm_80, -G */
  WL_PTX_NVCC_LINEINFO = 1u << 2, /* nvcc_lineinfo.ptx  sm_80, -O3 -lineinfo */
  WL_PTX_NVCC_SM90 = 1u << 3,     /* nvcc_sm90.ptx      sm_90, -O3 */
  WL_PTX_NVCC_SM100 = 1u << 4,    /* nvcc_sm100.ptx     sm_100, -O3: made by a newer NVVM */
  WL_PTX_CLANG = 1u << 5,         /* clang.ptx          sm_80, -O2 */
  WL_PTX_HAND = 1u << 6,          /* hand.ptx           written by hand */
  WL_PTX_COUNT = 7,
  WL_PTX_NVCC_NEWER = WL_PTX_NVCC_SM90 | WL_PTX_NVCC_SM100,
  WL_PTX_NVCC_ALL = WL_PTX_NVCC | WL_PTX_NVCC_G | WL_PTX_NVCC_LINEINFO,
  WL_PTX_COMPILED = WL_PTX_NVCC_ALL | WL_PTX_CLANG
};

typedef enum { WL_TIER_SMOKE, WL_TIER_CAMPAIGN } wl_kernel_tier_t;

/* EXACT: race-free, no order-dependent operation; the final memory is the same everywhere. */
typedef enum { WL_RESULT_EXACT, WL_RESULT_CHECKER } wl_kernel_result_t;

typedef enum {
  WL_ARG_SCALAR, /* `data` is the value */
  WL_ARG_STRUCT, /* by value: `data` is the bytes */
  WL_ARG_BUFFER  /* a device buffer whose address is passed; `data` is its initial contents */
} wl_kernel_arg_kind_t;

typedef struct {
  wl_kernel_arg_kind_t kind;
  const char *type; /* scalar: type of the SPEC grammar ("u32", "f32" ...) */
  size_t size;      /* bytes */
  unsigned char *data;
  unsigned char *expected; /* buffer: bytes after the launch; NULL: left to the checker */
  bool written;            /* buffer: the kernel may store to it */
} wl_kernel_arg_t;

/* One prepared launch. Owns its argument data; released by wl_kernel_launch_free(). */
typedef struct {
  wl_kernel_arg_t arg[WL_KERNEL_MAX_ARGS];
  size_t arg_count;
  bool failed; /* out of memory or too many arguments */
} wl_kernel_launch_t;

typedef struct wl_kernel_case wl_kernel_case_t;

/* The bits of a float, and the float with these bits. */
static inline uint32_t wl_kernel_float_bits(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static inline float wl_kernel_bits_float(uint32_t bits) {
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* Checks what has no single right answer. `result[i]` = bytes of buffer argument i after the
 * launch. Returns NULL when right, else a static sentence. */
typedef const char *(*wl_kernel_check_t)(const wl_kernel_case_t *kcase,
                                         const wl_kernel_launch_t *launch,
                                         const unsigned char *const *result);

struct wl_kernel_case {
  const char *name;  /* unique in the kernel */
  const char *entry; /* .entry name */
  wl_kernel_tier_t tier;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t dynamic_shared;
  uint32_t size[4]; /* problem size, for `prepare` */
  /* Adds arguments in order, with inputs and expected results. */
  void (*prepare)(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch);
  wl_kernel_check_t check; /* CHECKER: what compares instead of, or beside, `expected` */
  uint32_t variants;       /* 0: those of the kernel */
};

typedef struct {
  const char *name; /* folder */
  uint32_t variants;
  wl_kernel_result_t result;
  uint32_t requires_registers;     /* per thread, an upper limit that must suffice */
  uint32_t requires_shared;        /* static shared bytes per CTA */
  uint32_t requires_resident_ctas; /* 0: any; else the whole grid must be resident at once */
  const char *requires_option;     /* meaning of the row OPTION of config.def; NULL: none */
  uint32_t expected_trap;          /* reserved, 0 */
  bool
      approximate; /* has instructions whose last bits PTX leaves open: the oracle has none of them */
  bool no_oracle; /* has instructions that the oracle lacks (tests/oracle/CMakeLists.txt, too) */
  const wl_kernel_case_t *cases;
  size_t case_count;
  const char *(*self_check)(void); /* NULL when right, else a sentence; may be NULL */
} wl_kernel_t;

/* The table of all kernels, in the order of kernel_list.def. */
const wl_kernel_t *const *wl_kernel_cases(size_t *count);
const wl_kernel_t *wl_kernel_find(const char *name);
const char *wl_kernel_variant_name(uint32_t index); /* index of the bit, < WL_PTX_COUNT */
/* Is `name` in "nvcc,clang"? NULL and "all" list everything. */
bool wl_kernel_listed(const char *list, const char *name);

uint32_t wl_kernel_threads_per_cta(const wl_kernel_case_t *kcase);

/* Fills `launch`; false when out of memory. Always call wl_kernel_launch_free() afterwards. */
bool wl_kernel_prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch);
void wl_kernel_launch_free(wl_kernel_launch_t *launch);

/* `result[i]` = final bytes of buffer argument i (ignored for others). True when all are as
 * expected; else `message` says argument, byte offset, got and expected. */
bool wl_kernel_verify(const wl_kernel_case_t *kcase, const wl_kernel_launch_t *launch,
                      const unsigned char *const *result, char *message, size_t message_size);
/* FNV-1a of them, in order of the arguments. */
uint64_t wl_kernel_digest(const wl_kernel_launch_t *launch, const unsigned char *const *result);

/* For `prepare`: each adds one argument. The returned argument is never NULL; after a failure its
 * data may be a small scratch area, see wl_kernel_buffer_ok(). */
void wl_arg_scalar(wl_kernel_launch_t *launch, const char *type, const void *value, size_t size);
void wl_arg_u32(wl_kernel_launch_t *launch, uint32_t value);
void wl_arg_s32(wl_kernel_launch_t *launch, int32_t value);
void wl_arg_u64(wl_kernel_launch_t *launch, uint64_t value);
void wl_arg_f32(wl_kernel_launch_t *launch, float value);
void wl_arg_struct(wl_kernel_launch_t *launch, const void *bytes, size_t size);
/* Read only: must be unchanged after the launch. NULL when out of memory. */
void *wl_arg_in(wl_kernel_launch_t *launch, size_t size);
/* Zeroed before the launch; returns the expected contents, to be filled. NULL when failed. */
void *wl_arg_out(wl_kernel_launch_t *launch, size_t size);
/* Returns the initial contents; *expected receives the area of expected contents. */
void *wl_arg_inout(wl_kernel_launch_t *launch, size_t size, void **expected);
/* Zeroed before the launch, final contents only for the checker. Returns false when failed. */
bool wl_arg_scratch(wl_kernel_launch_t *launch, size_t size);

/* Deterministic inputs: splitmix64. */
typedef struct {
  uint64_t state;
} wl_rng_t;
uint32_t wl_rng_u32(wl_rng_t *rng);
uint64_t wl_rng_u64(wl_rng_t *rng);
uint32_t wl_rng_below(wl_rng_t *rng, uint32_t limit);
float wl_rng_float(wl_rng_t *rng, float low, float high); /* multiples of 2^-24 of the range */

#define WL_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
