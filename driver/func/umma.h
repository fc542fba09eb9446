/* umma.h: what the files of products in tensor memory share (docs/microarchitecture.md 25, 26). Private to
 * driver/func. */
#ifndef WL_DRIVER_FUNC_UMMA_H
#define WL_DRIVER_FUNC_UMMA_H
#include "driver/func/func.h"

enum { UMMA_CHUNK = 16 /* bytes */, UMMA_LANES = 128 };

static inline uint32_t umma_field(uint64_t word, unsigned high, unsigned low) {
  return (uint32_t)(word >> low & ((UINT64_C(2) << (high - low)) - 1));
}

/* ---- umma_place.c: an operand in shared memory, by its descriptor */
typedef struct umma_operand {
  uint64_t descriptor;
  uint32_t start, lbo, sbo, base, swizzle, width; /* width: bytes of a row of the pattern */
  uint32_t elements;                              /* of a chunk; a product takes two of a row */
  bool mn;                                        /* MN-major */
} umma_operand_t;

umma_operand_t umma_operand(uint64_t descriptor, bool mn, uint32_t elements);
bool umma_reserved(const umma_operand_t *o);
uint32_t umma_end(const umma_operand_t *o, uint32_t rows); /* of so many rows */
/* Offset in the CTA's shared memory of the chunk with element k of a row, and the element's number in it. */
uint32_t umma_chunk(const umma_operand_t *o, uint32_t row, uint32_t k, uint32_t *number);
/* Element n of a chunk that is filled with elements of so many bits. */
uint32_t umma_in_chunk(const uint8_t *chunk, uint32_t bits, uint32_t n);

/* ---- umma_sum.c */
typedef struct umma_product {
  uint8_t op;
  bool reads, in_tensor;         /* D is read; A is in tensor memory */
  uint32_t m, n, d, i, scale, a; /* a: address of A in tensor memory */
  umma_operand_t operand[2];     /* A, B */
  uint32_t mask[4];
  bool scaled, by16;  /* block scales (26.9); a scale is for 16 elements */
  uint32_t scales[2]; /* addresses of those of A and B */
} umma_product_t;

void umma_multiply(func_sm_t *sm, const umma_product_t *p, const uint8_t *smem);

/* ---- umma_move.c: copies into tensor memory and shifts of it */
typedef struct umma_move {
  bool shift;
  uint32_t shape, unpack, t; /* t: address in tensor memory */
  umma_operand_t source;
} umma_move_t;

wl_trap_t umma_move_judge(const func_sm_t *sm, const func_warp_t *w, const umma_move_t *m,
                          uint64_t *address);
void umma_move(func_sm_t *sm, const umma_move_t *m, const uint8_t *smem);
/* Calls visit for each chunk of the source. */
void umma_move_chunks(const umma_move_t *m, void (*visit)(void *context, uint32_t offset),
                      void *context);

/* ---- umma.c: whether the CTA of w has the columns. */
bool umma_has_columns(const func_sm_t *sm, const func_warp_t *w, uint32_t first, uint32_t columns);

#endif
