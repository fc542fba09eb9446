/* Kernels of the matrix operations. */
#include <stdio.h>

#include "tests/silicon/emit.h"
#include "tests/silicon/tensor.h"

static void list(out_t *o, const char *prefix, unsigned from, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    EMIT(o, "%s%s%u", i != 0 ? ", " : "{", prefix, from + i);
  }
  EMIT(o, "}");
}

/* mma.sync: D of a step is C of the next. */
static void emit_mma(out_t *o, const tensor_t *t) {
  unsigned a = tensor_a_regs(t) / t->steps, b = tensor_b_regs(t) / t->steps, c = tensor_c_regs(t),
           d = tensor_d_regs(t);
  for (unsigned step = 0; step < t->steps; step++) {
    EMIT(o, "  %s ", t->name);
    list(o, "d", 0, d);
    EMIT(o, ", ");
    list(o, "a", step * a, a);
    EMIT(o, ", ");
    list(o, "b", step * b, b);
    EMIT(o, ", ");
    list(o, step == 0 ? "c" : "d", 0, c);
    if (t->sparse) {
      EMIT(o, ", e, %u", t->selector);
    }
    EMIT(o, ";\n");
  }
}

/* A matrix in shared memory is stored as core matrices of 8 rows (columns of B) by 16 bytes, k by
 * k (no swizzle); the next 8 rows of A follow on all k of these: lane 4 * group + t has bytes 4 t to
 * 4 t + 3 of row `group`. A begins at 4096. */
static void emit_stores(out_t *o, const tensor_t *t) {
  unsigned columns = tensor_a_regs(t) / 2; /* of core matrices */
  EMIT(o, "  setp.lt.u32 p, k, 32;\n  and.b32 i, k, 31;\n  shl.b32 i, i, 2;\n"
          "  mov.u32 j, matrix;\n  add.u32 i, i, j;\n");
  for (unsigned r = 0; r < tensor_b_regs(t); r++) {
    EMIT(o, "  @p st.shared.b32 [i+%u], b%u;\n", 128 * r, r);
  }
  if (t->a_shared) {
    EMIT(o, "  shr.u32 k, k, 5;\n  mad.lo.u32 i, k, %u, i;\n", 256 * columns);
    for (unsigned r = 0; r < tensor_a_regs(t); r++) {
      EMIT(o, "  st.shared.b32 [i+%u], a%u;\n", 4096 + r % 2 * 128 * columns + r / 2 * 128, r);
    }
  }
}

/* Address and strides of a matrix, which begins `from` bytes behind j. */
static void emit_descriptor(out_t *o, const char *name, unsigned from, unsigned next_rows) {
  EMIT(o,
       "  add.u32 i, j, %u;\n  shr.u32 i, i, 4;\n  and.b32 i, i, 0x3fff;\n"
       "  cvt.u64.u32 %s, i;\n  or.b64 %s, %s, 0x%llx;\n",
       from, name, name, name,
       (unsigned long long)(UINT64_C(8) << 16 | (uint64_t)(next_rows / 16) << 32));
}

static void emit_image(out_t *o, const tensor_t *t) {
  EMIT(o, "  mov.u32 j, matrix;\n  mad.lo.u32 k, k, %d, j;\n", 4 * TENSOR_IMAGE_WORDS);
  for (unsigned r = 0; r < TENSOR_IMAGE_WORDS; r++) {
    EMIT(o, "  ld.global.b32 i, [in+%u];\n  st.shared.b32 [k+%u], i;\n",
         4 * (tensor_words(t) - TENSOR_IMAGE_WORDS + r), 4 * r);
  }
  for (unsigned is_a = 0; is_a < 2; is_a++) {
    const char *name = is_a ? "da" : "db0";
    EMIT(o,
         "  add.u32 i, j, %d;\n  shr.u32 i, i, 4;\n  and.b32 i, i, 0x3fff;\n"
         "  cvt.u64.u32 %s, i;\n  or.b64 %s, %s, 0x%llx;\n",
         is_a ? TENSOR_IMAGE_A : 0, name, name, name,
         (unsigned long long)tensor_descriptor(t, is_a != 0));
  }
}

/* Behind A: B, metadata, the predicate for C, signs and transposes. */
static void emit_rest(out_t *o, const tensor_t *t, unsigned step) {
  bool half = t->a == TENSOR_F16 || t->a == TENSOR_BF16;
  EMIT(o, ", db%u", step);
  if (t->sparse) {
    EMIT(o, ", e, %u", t->selector);
  }
  EMIT(o, ", one");
  if (!tensor_is_integer(t->a)) {
    EMIT(o, ", %d, %d", t->minus_a ? -1 : 1, t->minus_b ? -1 : 1);
  }
  if (half && t->a_shared) {
    EMIT(o, ", %d", t->trans_a);
  }
  if (half) {
    EMIT(o, ", %d", t->trans_b);
  }
  EMIT(o, ";\n");
}

/* Operands into shared memory, and their descriptors. */
static void emit_shared(out_t *o, const tensor_t *t) {
  if (t->image) {
    emit_image(o, t);
    return;
  }
  emit_stores(o, t);
  for (unsigned step = 0; step < t->steps; step++) {
    char name[16];
    (void)snprintf(name, sizeof name, "db%u", step);
    emit_descriptor(o, name, step * tensor_b_regs(t) / t->steps * 128, 128);
  }
  if (t->a_shared) {
    emit_descriptor(o, "da", 4096, 128 * tensor_a_regs(t) / 2);
  }
}

static void emit_wgmma(out_t *o, const tensor_t *t) {
  unsigned a = tensor_a_regs(t) / t->steps;
  emit_shared(o, t);
  EMIT(o,
       "  fence.proxy.async;\n  bar.sync 0;\n  setp.eq.u32 one, 0, %u;\n"
       "  wgmma.fence.sync.aligned;\n",
       t->without_c ? 1 : 0);
  for (unsigned step = 0; step < t->steps; step++) {
    EMIT(o, "  %s ", t->name);
    list(o, "c", 0, tensor_c_regs(t));
    EMIT(o, ", ");
    if (t->a_shared) {
      EMIT(o, "da");
    } else {
      list(o, "a", step * a, a);
    }
    emit_rest(o, t, step);
  }
  EMIT(o, "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n");
}

static const char *register_type(tensor_type_t type) {
  return type == TENSOR_F64 ? "f64" : type == TENSOR_F32 ? "f32" : "b32";
}

void tensor_kernel(const tensor_t *t, char *ptx, size_t cap) {
  out_t out = {ptx, 0, cap}, *o = &out;
  if (t->wmma) {
    tensor_wmma_kernel(t, ptx, cap);
    return;
  }
  bool f64 = t->a == TENSOR_F64;
  const char *type = register_type(f64 ? t->a : TENSOR_S8), *c_type = register_type(t->c),
             *d_type = register_type(t->d);
  unsigned size = f64 ? 8 : 4, na = tensor_a_regs(t), nb = tensor_b_regs(t), nc = tensor_c_regs(t);
  EMIT(o,
       ".version 8.7\n.target sm_90%s\n.address_size 64\n"
       ".visible .entry tensor(.param .u64 pin, .param .u64 pout) {\n"
       "  .shared .align 1024 .b8 matrix[16384];\n  .reg .b32 i, j, k, e;\n"
       "  .reg .b64 in, out, da, db0, db1;\n"
       "  .reg .pred p, one;\n  .reg .%s a<%u>, b<%u>;\n  .reg .%s c<%u>;\n"
       "  .reg .%s d<%u>;\n"
       "  ld.param.u64 in, [pin];\n  ld.param.u64 out, [pout];\n  mov.u32 i, %%ctaid.x;\n"
       "  mov.u32 j, %%ntid.x;\n  mov.u32 k, %%tid.x;\n  mad.lo.u32 i, i, j, k;\n"
       "  mad.wide.u32 in, i, %u, in;\n  mad.wide.u32 out, i, %u, out;\n",
       t->warpgroup ? "a" : "", type, na, nb + 1, c_type, nc, d_type, tensor_d_regs(t),
       4 * tensor_words(t), 4 * tensor_result_words(t));
  for (unsigned r = t->image && t->a_shared ? na : 0; r < na + nb + nc; r++) {
    char which = r < na ? 'a' : r < na + nb ? 'b' : 'c';
    unsigned n = r < na ? r : r < na + nb ? r - na : r - na - nb;
    EMIT(o, "  ld.global.%s %c%u, [in+%u];\n", which == 'c' ? c_type : type, which, n, size * r);
  }
  if (t->sparse) {
    EMIT(o, "  ld.global.b32 e, [in+%u];\n",
         4 * (tensor_words(t) - (t->image ? TENSOR_IMAGE_WORDS : 0)) - 4);
  }
  if (t->warpgroup) {
    emit_wgmma(o, t);
  } else {
    emit_mma(o, t);
  }
  for (unsigned r = 0; r < tensor_d_regs(t); r++) {
    EMIT(o, "  st.global.%s [out+%u], %s%u;\n", d_type, size * r, t->warpgroup ? "c" : "d", r);
  }
  EMIT(o, "  ret;\n}\n");
}
