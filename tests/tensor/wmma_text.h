/* wmma_text: programs of one product by wmma: each shape, type and layout, by several ways to memory. */
#ifndef WL_TESTS_TENSOR_WMMA_TEXT_H
#define WL_TESTS_TENSOR_WMMA_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WMMA_REGION = 2048, WMMA_CTA = 4 * WMMA_REGION }; /* bytes of A, B, C, D each */

typedef enum wmma_type {
  WMMA_F16,
  WMMA_BF16,
  WMMA_TF32,
  WMMA_S8,
  WMMA_U8,
  WMMA_S4,
  WMMA_U4,
  WMMA_B1,
  WMMA_F32,
  WMMA_S32,
  WMMA_F64
} wmma_type_t;

typedef enum wmma_way {
  WMMA_GLOBAL,  /* strides in registers */
  WMMA_GENERIC, /* strides are constants */
  WMMA_SHARED,  /* default strides: lines without gaps */
  WMMA_ALIAS,   /* shared; address, stride and results share registers */
  WMMA_GENERIC_SHARED,
  WMMA_DOWN, /* global; from the last line on, a negative stride */
  WMMA_FAR,  /* global; a large offset, a guard */
  WMMA_LATE, /* shared; odd lanes write their part later, the others do not wait for them */
  WMMA_WAYS
} wmma_way_t;

typedef struct wmma_place { /* of A, B, C, D */
  bool col;
  uint32_t stride; /* elements, as a distance */
  uint32_t last;   /* number of the last line if that is the first in memory, else 0 */
} wmma_place_t;

typedef struct wmma {
  char name[128];
  unsigned m, n, k;
  wmma_type_t ab, c, d;
  bool sat, xor;
  wmma_way_t way;
  wmma_place_t place[4];
} wmma_t;

unsigned wmma_bits(wmma_type_t type);
bool wmma_at(unsigned index, wmma_t *w); /* false behind the last */
/* A kernel `product` (.param .u64 buffer, .param .u32 stride of A, B, C, D); CTA i has WMMA_CTA bytes. */
void wmma_text(const wmma_t *w, char *ptx, size_t cap);
#endif
