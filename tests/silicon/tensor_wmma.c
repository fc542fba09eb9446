/* wmma: matrices in global memory, each row (by columns: each column) 16 bytes longer than its
 * elements; fragments are opaque. A, B, C follow each other. */
#include <stdio.h>
#include <string.h>

#include "tests/silicon/emit.h"
#include "tests/silicon/tensor.h"

/* A matrix in memory: `lines` of `length` elements each. */
typedef struct memory {
  unsigned bits, rows, columns, stride; /* stride in elements */
  bool by_columns;
} memory_t;

static memory_t memory_of(tensor_type_t type, unsigned rows, unsigned columns, bool by_columns) {
  unsigned bits = tensor_format(type)->bits;
  return (memory_t){.bits = bits,
                    .rows = rows,
                    .columns = columns,
                    .stride = (by_columns ? rows : columns) + 128 / bits,
                    .by_columns = by_columns};
}
static memory_t memory_a(const tensor_t *t) { return memory_of(t->a, t->m, t->k, t->a_col); }
static memory_t memory_b(const tensor_t *t) { return memory_of(t->b, t->k, t->n, !t->b_row); }
static memory_t memory_c(const tensor_t *t) { return memory_of(t->c, t->m, t->n, t->c_col); }
static memory_t memory_d(const tensor_t *t) { return memory_of(t->d, t->m, t->n, t->c_col); }

/* In whole words of each lane. */
static unsigned words_of(const memory_t *m) {
  unsigned bits = (m->by_columns ? m->columns : m->rows) * m->stride * m->bits;
  return (bits / 32 + 31) / 32 * 32;
}

unsigned tensor_wmma_words(const tensor_t *t) {
  memory_t a = memory_a(t), b = memory_b(t), c = memory_c(t);
  return words_of(&a) + words_of(&b) + words_of(&c);
}
unsigned tensor_wmma_result_words(const tensor_t *t) {
  memory_t d = memory_d(t);
  return words_of(&d);
}

static unsigned bit_of(const memory_t *m, unsigned row, unsigned column) {
  return m->bits * (m->by_columns ? column * m->stride + row : row * m->stride + column);
}

static uint32_t *put(const memory_t *m, const uint64_t *element, uint32_t *to) {
  for (unsigned i = 0; i < m->rows * m->columns; i++) {
    unsigned at = bit_of(m, i / m->columns, i % m->columns);
    to[at / 32] |= (uint32_t)(element[i] << at % 32);
    if (m->bits == 64) {
      to[at / 32 + 1] = (uint32_t)(element[i] >> 32);
    }
  }
  return to + words_of(m);
}

void tensor_wmma_pack(const tensor_t *t, const tensor_item_t *item, uint32_t *words) {
  memory_t a = memory_a(t), b = memory_b(t), c = memory_c(t);
  memset(words, 0, 4 * tensor_wmma_words(t));
  (void)put(&c, item->c, put(&b, item->b, put(&a, item->a, words)));
}

void tensor_wmma_unpack(const tensor_t *t, const uint32_t *words, uint64_t *d) {
  memory_t m = memory_d(t);
  for (unsigned i = 0; i < t->m * t->n; i++) {
    unsigned at = bit_of(&m, i / t->n, i % t->n);
    d[i] = m.bits == 64 ? words[at / 32] | (uint64_t)words[at / 32 + 1] << 32
                        : words[at / 32] >> at % 32 & (0xffffffffu >> (32 - m.bits));
  }
}

/* ---- Kernels. */

static void list(out_t *o, char prefix, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    EMIT(o, "%s%c%u", i != 0 ? ", " : "{", prefix, i);
  }
  EMIT(o, "}");
}

/* Registers of a lane (table of 9.7.14.4.1). A and B of f16: 8 in every shape. */
static unsigned fragment_of(tensor_type_t type, unsigned elements) {
  unsigned registers = elements * tensor_format(type)->bits / (type == TENSOR_F64 ? 64 : 32) / 32;
  return registers != 0 ? registers : 1;
}
static unsigned fragment_a(const tensor_t *t) {
  return t->a == TENSOR_F16 ? 8 : fragment_of(t->a, t->m * t->k / t->steps);
}
static unsigned fragment_b(const tensor_t *t) {
  return t->b == TENSOR_F16 ? 8 : fragment_of(t->b, t->n * t->k / t->steps);
}

static const char *register_type(tensor_type_t type) {
  return type == TENSOR_F64 ? "f64" : type == TENSOR_F32 ? "f32" : "b32";
}

/* ".m16n16k16" of the name. */
static const char *shape(const tensor_t *t, char out[16]) {
  (void)snprintf(out, 16, ".m%un%uk%u", t->m, t->n, t->k / t->steps);
  return out;
}

/* One step's part of A or B: `first` is its first k. */
static void emit_load(out_t *o, const tensor_t *t, char what, unsigned first) {
  char text[16];
  memory_t a = memory_a(t), m = what == 'a' ? a : memory_b(t);
  unsigned at = what == 'a' ? bit_of(&m, 0, first) : 32 * words_of(&a) + bit_of(&m, first, 0);
  tensor_type_t type = what == 'a' ? t->a : t->b;
  EMIT(o, "  wmma.load.%c.sync.aligned.%s%s.global%s ", what, m.by_columns ? "col" : "row",
       shape(t, text), tensor_type_name(type));
  list(o, what, what == 'a' ? fragment_a(t) : fragment_b(t));
  EMIT(o, ", [in+%u], %u;\n", at / 8, m.stride);
}

void tensor_wmma_kernel(const tensor_t *t, char *ptx, size_t cap) {
  out_t out = {ptx, 0, cap}, *o = &out;
  char text[16];
  memory_t a = memory_a(t), b = memory_b(t), c = memory_c(t), d = memory_d(t);
  unsigned na = fragment_a(t), nb = fragment_b(t), nc = fragment_of(t->c, t->m * t->n),
           nd = fragment_of(t->d, t->m * t->n);
  const char *type = register_type(t->a == TENSOR_TF32 ? TENSOR_S8 : t->a),
             *layout = t->c_col ? "col" : "row";
  EMIT(o,
       ".version 8.7\n.target sm_90\n.address_size 64\n"
       ".visible .entry tensor(.param .u64 pin, .param .u64 pout) {\n  .reg .b32 i;\n"
       "  .reg .b64 in, out;\n  .reg .%s a<%u>, b<%u>;\n  .reg .%s c<%u>;\n  .reg .%s d<%u>;\n"
       "  ld.param.u64 in, [pin];\n  ld.param.u64 out, [pout];\n  mov.u32 i, %%ctaid.x;\n"
       "  mad.wide.u32 in, i, %u, in;\n  mad.wide.u32 out, i, %u, out;\n",
       type, na, nb, register_type(t->c), nc, register_type(t->d), nd, 4 * tensor_wmma_words(t),
       4 * tensor_wmma_result_words(t));
  EMIT(o, "  wmma.load.c.sync.aligned.%s%s.global%s ", layout, shape(t, text),
       tensor_type_name(t->c));
  list(o, 'c', nc);
  EMIT(o, ", [in+%u], %u;\n", 4 * (words_of(&a) + words_of(&b)), c.stride);
  for (unsigned k = 0; k < t->k; k += t->k / t->steps) {
    emit_load(o, t, 'a', k);
    emit_load(o, t, 'b', k);
    EMIT(o, "  %s ", t->name);
    list(o, 'd', nd);
    EMIT(o, ", ");
    list(o, 'a', na);
    EMIT(o, ", ");
    list(o, 'b', nb);
    EMIT(o, ", ");
    list(o, k == 0 ? 'c' : 'd', k == 0 ? nc : nd);
    EMIT(o, ";\n");
  }
  EMIT(o, "  wmma.store.d.sync.aligned.%s%s.global%s [out], ", layout, shape(t, text),
       tensor_type_name(t->d));
  list(o, 'd', nd);
  EMIT(o, ", %u;\n  ret;\n}\n", d.stride);
}
