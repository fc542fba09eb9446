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
  TENSOR_MAX_K = 256,
  TENSOR_MAX_N = 32,
  TENSOR_MAX_CHUNKS = 16
};
/* Of the first items, so many elements of the first row are recorded themselves: in the first part,
 * in the others. */
enum { TENSOR_SHOWN = 32, TENSOR_SHOWN2 = 2, TENSOR_SHOWN_COLUMNS = 4 };

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
  TENSOR_S32,
  TENSOR_S4,
  TENSOR_U4,
  TENSOR_B1
} tensor_type_t;

/* Bits of a type, of its exponent and of its fraction (integers have none), and how many low bits
 * nobody looks at. */
typedef struct tensor_format {
  unsigned bits, exponent, fraction, low;
} tensor_format_t;

typedef struct tensor {
  char name[96];   /* the instruction */
  char label[128]; /* with what else tells it apart, as in the tables of tensor_forms.c */
  bool warpgroup;  /* wgmma, B in shared memory; else mma.sync */
  bool wmma;       /* wmma.load, wmma.mma, wmma.store (tensor_wmma.c) */
  unsigned m, n, k;
  tensor_type_t a, b, c, d; /* D is of C's type but where both have a name */
  unsigned steps;           /* so many instructions along k: D of one is C of the next */
  /* 4: m8n8k4 of f16, four products side by side (tensor_quad.c). M is 32; rows 8 q to 8 q + 7 of A,
   * C, D and rows K q to K q + K - 1 of B are those of product q. Else 1. */
  unsigned quads;
  bool a_col, b_row;    /* of A, B in memory (wmma), or in registers (m8n8k4) */
  bool c_col;           /* of C and D in memory (wmma) */
  bool sparse, ordered; /* half of A is kept, metadata say which; their indices ascend always */
  unsigned selector;    /* which lanes have the metadata */
  bool a_shared;        /* A in shared memory, too (wgmma) */
  bool minus_a, minus_b, without_c; /* wgmma */
  /* Of matrices in shared memory: of chunks in so many bytes (0, 32, 64, 128); k not contiguous. */
  unsigned swizzle;
  bool trans_a, trans_b;
  bool image; /* shared memory is filled by the host's image (tensor_image.c) */
} tensor_t;

/* A has tensor_kept() columns. e: of sparse A, per row and chunk of k, two indices of two bits. */
typedef struct tensor_item {
  uint64_t a[TENSOR_MAX_M * TENSOR_MAX_K], b[TENSOR_MAX_K * TENSOR_MAX_N],
      c[TENSOR_MAX_M * TENSOR_MAX_N];
  uint8_t e[TENSOR_MAX_M][TENSOR_MAX_CHUNKS];
} tensor_item_t;

/* The records: "tensor", "sparse" ... in order; NULL behind the last. */
const char *tensor_part(size_t index);
/* The operations of a record; NULL behind the last. What the last call gave is gone. */
const tensor_t *tensor_at(const char *part, size_t index);
unsigned tensor_shown(const char *part); /* TENSOR_SHOWN or TENSOR_SHOWN2 */
const tensor_format_t *tensor_format(tensor_type_t type);
const char *tensor_type_name(tensor_type_t type); /* ".f16" */
bool tensor_is_integer(tensor_type_t type);
const char *tensor_mode_name(unsigned mode);
unsigned tensor_kept(const tensor_t *t);   /* values of k that A has */
unsigned tensor_b_rows(const tensor_t *t); /* of all products side by side */
unsigned tensor_chunks(const tensor_t *t); /* of a row of sparse A */
/* Where kept element i of a row is: its k. */
unsigned tensor_position(const tensor_t *t, const uint8_t *e, unsigned i);
/* Operands of item `item` (< TENSOR_ITEMS) of a mode. */
void tensor_fill(const tensor_t *t, unsigned mode, unsigned item, tensor_item_t *out);

/* A kernel `tensor` (.param .u64 in, .param .u64 out): CTA i works on item i; thread t has
 * tensor_words(t) 32-bit words of operands and tensor_result_words(t) of result. */
void tensor_kernel(const tensor_t *t, char *ptx, size_t cap);
/* Registers of a lane: of all steps. */
unsigned tensor_a_regs(const tensor_t *t);
unsigned tensor_b_regs(const tensor_t *t);
unsigned tensor_c_regs(const tensor_t *t);
unsigned tensor_d_regs(const tensor_t *t);
/* Bytes of shared memory: B at 0, A at TENSOR_IMAGE_A. Each of 128 threads has an equal part. */
enum { TENSOR_IMAGE = 16384, TENSOR_IMAGE_A = 8192, TENSOR_IMAGE_WORDS = TENSOR_IMAGE / 4 / 128 };
void tensor_image(const tensor_t *t, const tensor_item_t *item, uint8_t image[TENSOR_IMAGE]);
uint64_t tensor_descriptor(const tensor_t *t, bool is_a); /* all but the address */
unsigned tensor_threads(const tensor_t *t);
unsigned tensor_words(const tensor_t *t);
unsigned tensor_result_words(const tensor_t *t);
void tensor_pack(const tensor_t *t, const tensor_item_t *item, uint32_t *words);
/* Of all words of all items and modes: a record says with which operands, in which layout, it was
 * made. */
uint32_t tensor_operands_hash(const tensor_t *t);
void tensor_unpack(const tensor_t *t, const uint32_t *words, uint64_t *d);
/* The same of m8n8k4 of f16. */
void tensor_quad_pack(const tensor_t *t, const tensor_item_t *item, uint32_t *words);
void tensor_quad_unpack(const tensor_t *t, const uint32_t *words, uint64_t *d);
/* The same of wmma: A, B, C lie in memory as wmma.load takes them, D as wmma.store gives it. */
unsigned tensor_wmma_words(const tensor_t *t);        /* of all matrices */
unsigned tensor_wmma_result_words(const tensor_t *t); /* of D */
void tensor_wmma_pack(const tensor_t *t, const tensor_item_t *item, uint32_t *words);
void tensor_wmma_unpack(const tensor_t *t, const uint32_t *words, uint64_t *d);
void tensor_wmma_kernel(const tensor_t *t, char *ptx, size_t cap);
#endif
