/* umma_kernel.h: one launch of a kernel that gives products in tensor memory (tcgen05.mma), for tests whose
 * expected values are made on the host. */
#ifndef WL_TESTS_UNIT_LOWER_UMMA_KERNEL_H
#define WL_TESTS_UNIT_LOWER_UMMA_KERNEL_H
#include "driver/include/warplock.h"

enum {
  UMMA_LANES = 128,
  UMMA_PITCH = 512,  /* words of a lane in `tensor` */
  UMMA_IMAGE = 1024, /* where the image begins in shared memory; the mbarrier is at 0 */
  UMMA_BYTES = 96 << 10,
  UMMA_COMMANDS = 8
};
enum { UMMA_SCALES = 4 };
/* scale-input-d is a constant of the text: these. */
extern const unsigned umma_scales[UMMA_SCALES];

typedef struct umma_command {
  uint64_t a, b;   /* descriptors; a of A in tensor memory: its address, as d */
  uint32_t d, i;   /* address of D, behind the first column of the CTA; instruction descriptor */
  uint32_t enable; /* enable-input-d */
  uint32_t
      scale; /* index of umma_scales; of kinds with block scales 0 or 1: how the size of a block is said */
  uint32_t
      masked; /* 1: disable-output-lane is given; of kinds with block scales: a copy of 32x128b.warpx4 */
  uint32_t unused;
  uint32_t mask[4];
  uint32_t a_scales, b_scales; /* addresses, as d, of kinds with block scales */
} umma_command_t;

typedef struct umma_launch {
  uint8_t image[UMMA_BYTES];
  uint32_t bytes;  /* of the image, a multiple of 16 */
  uint32_t shared; /* bytes of shared memory; 0: what the image needs */
  umma_command_t command[UMMA_COMMANDS];
  uint32_t commands, columns;
  uint64_t commit; /* offset or generic address of the mbarrier of the commit */
  uint32_t waits;  /* 0: for nothing */
  uint32_t tensor[UMMA_LANES][UMMA_PITCH]; /* tensor memory before and after */
} umma_launch_t;

/* A kernel on a device, and its buffers. */
typedef struct umma_device {
  wl_device_t *device;
  wl_module_t *module;
  wl_function_t *function;
  wl_addr_t image, commands, tensor;
} umma_device_t;

bool umma_open(const wl_device_options_t *options, umma_device_t *d);
/* The kernel of a kind ("f16"), with A in tensor memory or by descriptor. NULL: of copies and shifts: a is the
 * descriptor, d the address, i which: shape + 6 * unpacking, or UMMA_SHIFT. */
enum { UMMA_SHIFT = 18 };
bool umma_load(umma_device_t *d, const char *kind, bool tensor_a);
/* Of a kind with block scales: the kind and two ways to say the size of a block (".block32"). */
bool umma_load_scaled(umma_device_t *d, const char *kind, const char *const said[2], bool tensor_a);
/* 0: done; else the cause of a trap, in *trap, or -1 for another failure, said on stdout. */
int umma_run(umma_device_t *d, umma_launch_t *l, wl_trap_info_t *trap);
unsigned umma_columns(const char *config); /* of tensor memory */

/* The instruction descriptor. d: type of D, 0 f16, 1 f32, 2 s32; a, b: types of A and B, of f16 0, of bf16 1. */
static inline uint32_t umma_idesc(unsigned d, unsigned a, unsigned b, bool mn_a, bool mn_b,
                                  unsigned m, unsigned n) {
  return d << 4 | a << 7 | b << 10 | (uint32_t)mn_a << 15 | (uint32_t)mn_b << 16 | n / 8 << 17 |
         m / 16 << 24;
}

/* Of a product with block scales, of 128 rows; the ids of its scales. */
static inline uint32_t umma_idesc_scaled(bool ue4m3, unsigned a, unsigned b, bool mn_a, bool mn_b,
                                         unsigned n, unsigned id_a, unsigned id_b) {
  return id_b << 4 | a << 7 | b << 10 | (uint32_t)mn_a << 15 | (uint32_t)mn_b << 16 | n / 8 << 17 |
         (uint32_t)!ue4m3 << 23 | 1u << 27 | id_a << 29;
}

/* A descriptor of shared memory; the fields in bytes, swizzle as PTX has it. */
static inline uint64_t umma_sdesc(uint32_t start, uint32_t lbo, uint32_t sbo, unsigned base,
                                  unsigned swizzle) {
  return (uint64_t)(start / 16) | (uint64_t)(lbo / 16) << 16 | (uint64_t)(sbo / 16) << 32 |
         UINT64_C(1) << 46 | (uint64_t)base << 49 | (uint64_t)swizzle << 61;
}

#endif
