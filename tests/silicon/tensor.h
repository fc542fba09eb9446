/* tensor: the matrix multiply-accumulate operations that are recorded on silicon (PTX 9.7.14,
 * 9.7.15), their operands, and where elements lie in fragments. An item is one D = A x B + C of
 * whole matrices; A is M x K, B K x N, C and D M x N, elements as bits in row-major order. */
#ifndef WL_TESTS_SILICON_TENSOR_H
#define WL_TESTS_SILICON_TENSOR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  TENSOR_MODES = 9,
  TENSOR_ITEMS = 64,
  TENSOR_BLOCK = 8,
  TENSOR_MAX_M = 64,
  TENSOR_MAX_K = 64,
  TENSOR_MAX_N = 8
};
/* Of the first items, so many elements of the first row are recorded themselves. */
enum { TENSOR_SHOWN = 32, TENSOR_SHOWN_COLUMNS = 4 };

typedef enum tensor_type {
  TENSOR_F16,
  TENSOR_BF16,
  TENSOR_TF32,
  TENSOR_E4M3,
  TENSOR_E5M2,
  TENSOR_F64,
  TENSOR_S8,
  TENSOR_U8,
  TENSOR_F32,
  TENSOR_S32
} tensor_type_t;

/* Bits of a type, of its exponent and of its fraction (integers have none), and how many low bits
 * nobody looks at. */
typedef struct tensor_format {
  unsigned bits, exponent, fraction, low;
} tensor_format_t;

typedef struct tensor {
  const char *name; /* the instruction */
  bool warpgroup;   /* wgmma, A in registers, B in shared memory; else mma.sync */
  unsigned m, n, k;
  tensor_type_t a, b, c; /* D is of C's type */
} tensor_t;

typedef struct tensor_item {
  uint64_t a[TENSOR_MAX_M * TENSOR_MAX_K], b[TENSOR_MAX_K * TENSOR_MAX_N],
      c[TENSOR_MAX_M * TENSOR_MAX_N];
} tensor_item_t;

const tensor_t *tensor_at(size_t index); /* NULL behind the last */
const tensor_format_t *tensor_format(tensor_type_t type);
const char *tensor_mode_name(unsigned mode);
/* Operands of item `item` (< TENSOR_ITEMS) of a mode. */
void tensor_fill(const tensor_t *t, unsigned mode, unsigned item, tensor_item_t *out);

/* A kernel `tensor` (.param .u64 in, .param .u64 out): CTA i works on item i; thread t has
 * tensor_words(t) 32-bit words of operands and tensor_result_words(t) of result. */
void tensor_kernel(const tensor_t *t, char *ptx, size_t cap);
unsigned tensor_threads(const tensor_t *t);
unsigned tensor_words(const tensor_t *t);
unsigned tensor_result_words(const tensor_t *t);
void tensor_pack(const tensor_t *t, const tensor_item_t *item, uint32_t *words);
void tensor_unpack(const tensor_t *t, const uint32_t *words, uint64_t *d);
#endif
