/* umma.h: what the files of products in tensor memory share (docs/microarchitecture.md 25, 26). Private to
 * driver/func, but for a checked run (driver/check), which looks at what a command touches. */
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
uint32_t umma_lane_of(const umma_product_t *p, uint32_t row); /* of D, and of A in tensor memory */
bool umma_sums_half(const umma_product_t *p);                 /* D is of f16 */
uint32_t umma_bits(const umma_product_t *p, unsigned which);  /* of an element of A or B */

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
/* The row of the source that a lane gets, 0 to 127; false: none. Chunks of a row. */
bool umma_move_row(const umma_move_t *m, uint32_t lane, uint32_t *row);
uint32_t umma_move_width(const umma_move_t *m);

/* ---- umma.c: a lane's command; false: it traps. */
typedef struct umma_command {
  bool moves;
  umma_product_t product;
  umma_move_t move;
} umma_command_t;
bool umma_command(const func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane,
                  umma_command_t *out);
/* Visits the offsets of the chunks of an operand. */
void umma_chunks(const umma_operand_t *o, uint32_t rows,
                 void (*visit)(void *context, uint32_t offset), void *context);
/* Whether the CTA of w has the columns. */
bool umma_has_columns(const func_sm_t *sm, const func_warp_t *w, uint32_t first, uint32_t columns);

#endif
