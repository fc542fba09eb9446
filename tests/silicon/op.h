/* op: the scalar PTX operations that are recorded on silicon and compared with Warplock, each as a
 * kernel of one thread per item, and the operands of the items. Everything is derived from the
 * table in op.c, so that a record needs to hold results only. */
#ifndef WL_TESTS_SILICON_OP_H
#define WL_TESTS_SILICON_OP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OP_ITEMS = 65536, OP_BLOCK = 1024, OP_BLOCKS = OP_ITEMS / OP_BLOCK, OP_OPERANDS = 3 };
/* Items of a hash in scalar2.txt. Of boundary operands (OP_BLOCK items) the first results stand there
 * themselves. */
enum { OP_BLOCK2 = 4096, OP_FIRST = 48 };
static inline bool op_is_boundary(const char *operands) {
  return operands[0] == 'b' || operands[0] == 'i';
}

typedef enum op_rule {
  OP_EQUAL, /* Warplock gives the same bits */
  OP_OWN, /* PTX leaves the bits open (an approximation, an undefined case): Warplock has its own */
  OP_F64, /* as OP_EQUAL; a configuration without the unit FP64 refuses it */
  OP_PTX, /* PTX says something else than silicon gave (check.c); Warplock has what PTX says */
  OP_LATER /* as OP_EQUAL, but Warplock may refuse it; the record waits for it */
} op_rule_t;

typedef struct op {
  char name[96];    /* "fma.rn.ftz.f32" */
  char text[512];   /* instructions: operands a, b, c, result d; h before it: 16 bits, x: 64 bits */
  char operands[4]; /* a kind for each: op.c */
  char result;      /* 'w': 32 bits in d, 'h': 16 in hd, 'l': 64 in xd */
  op_rule_t rule;
  bool sweep;     /* one operand of 32 bits, recorded for each of its values, too */
  unsigned part;  /* 1: recorded in scalar.txt, 2: in scalar2.txt, 3: in scalar3.txt */
  unsigned block; /* items of a hash */
} op_t;

/* The table with all its alternatives, in order; NULL behind the last. What the last call gave is
 * gone. */
const op_t *op_at(size_t index);
const op_t *op_named(const char *name); /* NULL: none */
/* Operands of item `item` of an operation. The first items are all combinations of special values,
 * as many as there is room for. */
void op_item(const op_t *op, uint32_t item, uint64_t operand[OP_OPERANDS]);
/* Operands of kinds "b..." and "i...": such that the result is near the smallest normal number. */
void op_boundary(const op_t *op, uint32_t item, uint64_t operand[OP_OPERANDS]);
/* A kernel `op` (.param .u64 in, .param .u64 out): thread i reads 64-bit words 3i to 3i + 2 of in
 * and writes word i of out. */
void op_kernel(const op_t *op, char *ptx, size_t cap);
/* x * 2^32 + result, mixed as the last steps of splitmix64 do it. */
static inline uint64_t op_mix(uint32_t x, uint64_t result) {
  uint64_t m = (uint64_t)x << 32 | result;
  m = (m ^ m >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  m = (m ^ m >> 27) * UINT64_C(0x94d049bb133111eb);
  return m ^ m >> 31;
}
/* A kernel `sweep` (.param .u64 out): adds op_mix() of each of the 2^32 operands x and its result to
 * word x / 2^24 of out; grid of 65,536 CTAs of 256 threads. */
void op_sweep_kernel(const op_t *op, char *ptx, size_t cap);
/* FNV-1a of the results of a block. */
uint32_t op_hash(const uint64_t *result, size_t count);
#endif
