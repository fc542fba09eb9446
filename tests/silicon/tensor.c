#include "tests/silicon/tensor.h"

#include <stdio.h>
#include <string.h>

#include "tests/common/splitmix.h"

static const tensor_t tensors[] = {
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", false, 16, 8, 8, TENSOR_F16, TENSOR_F16,
     TENSOR_F32},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", false, 16, 8, 8, TENSOR_F16, TENSOR_F16,
     TENSOR_F16},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", false, 16, 8, 16, TENSOR_F16, TENSOR_F16,
     TENSOR_F32},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", false, 16, 8, 16, TENSOR_F16, TENSOR_F16,
     TENSOR_F16},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", false, 16, 8, 8, TENSOR_BF16,
     TENSOR_BF16, TENSOR_F32},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", false, 16, 8, 16, TENSOR_BF16,
     TENSOR_BF16, TENSOR_F32},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", false, 16, 8, 4, TENSOR_TF32,
     TENSOR_TF32, TENSOR_F32},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", false, 16, 8, 8, TENSOR_TF32,
     TENSOR_TF32, TENSOR_F32},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", false, 16, 8, 32, TENSOR_E4M3,
     TENSOR_E4M3, TENSOR_F32},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", false, 16, 8, 32, TENSOR_E4M3,
     TENSOR_E5M2, TENSOR_F32},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", false, 16, 8, 32, TENSOR_E5M2,
     TENSOR_E5M2, TENSOR_F32},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", false, 16, 8, 32, TENSOR_S8, TENSOR_S8,
     TENSOR_S32},
    {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32", false, 16, 8, 32, TENSOR_S8,
     TENSOR_U8, TENSOR_S32},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", false, 8, 8, 4, TENSOR_F64, TENSOR_F64,
     TENSOR_F64},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", true, 64, 8, 16, TENSOR_F16, TENSOR_F16,
     TENSOR_F32},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16", true, 64, 8, 16, TENSOR_F16, TENSOR_F16,
     TENSOR_F16},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", true, 64, 8, 16, TENSOR_BF16,
     TENSOR_BF16, TENSOR_F32},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32", true, 64, 8, 8, TENSOR_TF32, TENSOR_TF32,
     TENSOR_F32},
    {"wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3", true, 64, 8, 32, TENSOR_E4M3,
     TENSOR_E4M3, TENSOR_F32},
    {"wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2", true, 64, 8, 32, TENSOR_E4M3,
     TENSOR_E5M2, TENSOR_F32},
    {"wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e5m2", true, 64, 8, 32, TENSOR_E5M2,
     TENSOR_E5M2, TENSOR_F32},
    {"wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e4m3", true, 64, 8, 32, TENSOR_E4M3,
     TENSOR_E4M3, TENSOR_F16},
    {"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8", true, 64, 8, 32, TENSOR_S8, TENSOR_S8,
     TENSOR_S32},
};

const tensor_t *tensor_at(size_t index) {
  return index < sizeof tensors / sizeof tensors[0] ? &tensors[index] : NULL;
}

static const tensor_format_t formats[] = {
    [TENSOR_F16] = {16, 5, 10, 0}, [TENSOR_BF16] = {16, 8, 7, 0}, [TENSOR_TF32] = {32, 8, 10, 13},
    [TENSOR_E4M3] = {8, 4, 3, 0},  [TENSOR_E5M2] = {8, 5, 2, 0},  [TENSOR_F64] = {64, 11, 52, 0},
    [TENSOR_S8] = {8, 0, 0, 0},    [TENSOR_U8] = {8, 0, 0, 0},    [TENSOR_F32] = {32, 8, 23, 0},
    [TENSOR_S32] = {32, 0, 0, 0}};

const tensor_format_t *tensor_format(tensor_type_t type) { return &formats[type]; }

/* ---- Operands. */

static const char *const mode_names[TENSOR_MODES] = {
    "moderate", "wide", "raw", "tiny", "align", "cancel", "special", "powers", "zeros"};
const char *tensor_mode_name(unsigned mode) { return mode_names[mode]; }

static int bias_of(tensor_type_t type) {
  return formats[type].exponent == 0 ? 0 : (1 << (formats[type].exponent - 1)) - 1;
}

/* (-1)^sign (1 + fraction/2^bits) 2^power; below the normal numbers a subnormal number (rounded
 * down), above them the largest finite exponent. */
static uint64_t number(tensor_type_t type, bool sign, int power, uint64_t fraction) {
  unsigned bits = formats[type].fraction, shift = formats[type].low;
  int exponent = power + bias_of(type), most = (1 << formats[type].exponent) - 2;
  uint64_t value = fraction & ((UINT64_C(1) << bits) - 1);
  if (exponent >= 1) {
    value |= (uint64_t)(exponent > most ? most : exponent) << bits;
  } else {
    value |= UINT64_C(1) << bits;
    value = 1 - exponent > (int)bits ? 0 : value >> (1 - exponent);
  }
  return (value << shift) | (uint64_t)sign << (formats[type].bits - 1);
}

static uint64_t integer(tensor_type_t type, uint64_t z) {
  uint64_t mask = type == TENSOR_S32 ? UINT32_MAX : 255;
  return (z % 5 == 0 ? mask >> 1 : z % 5 == 1 ? (mask >> 1) + 1 : z >> 16) & mask;
}

/* Infinities, NaN, largest, smallest, zeros, ones. */
static uint64_t special(tensor_type_t type, uint64_t z) {
  unsigned shift = formats[type].low, f = formats[type].fraction;
  uint64_t top = ((UINT64_C(1) << formats[type].exponent) - 1) << f, one = (uint64_t)bias_of(type)
                                                                           << f;
  const uint64_t values[] = {0,
                             0,
                             0,
                             one,
                             one,
                             1,
                             UINT64_C(1) << f,
                             top - 1,
                             top,
                             top | 1,
                             top | UINT64_C(1) << (f - 1),
                             one + 1};
  uint64_t v = values[z % (z & 0x10000 ? 8 : 12)];
  /* Low bits of tf32, which no one may look at: of a NaN too, all of whose fraction they may be. */
  uint64_t low = shift != 0 && (z & 0x60000) == 0 ? 1 + (z >> 20 & 0x1ffe) : 0;
  return v << shift | low | (z >> 40 & 1) << (formats[type].bits - 1);
}

static uint64_t element(tensor_type_t type, unsigned mode, unsigned item, bool is_c,
                        uint64_t *state) {
  uint64_t z = wl_splitmix64(state), fraction = wl_splitmix64(state);
  bool sign = z >> 63;
  int span = 1 << formats[type].exponent, low = -bias_of(type) + 1;
  unsigned bits = formats[type].bits;
  if (formats[type].exponent == 0) {
    return integer(type, z);
  }
  switch (mode) {
  case 0:
    return number(type, sign, (int)(z % 7) - 3, fraction);
  case 1:
    return number(type, sign, low + (int)(z % (unsigned)(span - 2)) / (is_c ? 1 : 2), fraction);
  case 2:
    return fraction & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
  case 3: /* products about the smallest number of f32, or of the type */
    if (is_c) {
      const uint64_t c[] = {0, UINT64_C(1) << (bits - 1),       1,
                            2, (UINT64_C(1) << (bits - 1)) | 1, number(type, false, low, 0)};
      return c[(item + z % 2 * (item / 32)) % 6];
    }
    /* Exponents such that the sum of two is between -126 - 30 and -126, where the type has them. */
    return z % 8 == 7 ? 0
                      : number(type, sign && item >= 32,
                               (low < -70 ? -78 + (int)(item % 16) : low) + (int)(z >> 8) % 3,
                               item % 4 < 2 ? 0 : fraction);
  case 4: /* few large terms and many about the last bits kept of them */
    return number(type, sign && item % 2 != 0,
                  z % 8 == 0 ? 0
                  : is_c     ? -(int)(item % 32)
                             : -(int)((item + (z >> 8) % 3) % 32) / 2,
                  item % 4 < 2 ? 0 : fraction);
  case 5: /* every value with both signs */
    return number(type, sign, (int)(z >> 8) % 3, item % 2 != 0 ? 0 : fraction & 3);
  case 6:
    return special(type, z);
  case 8: /* zeros of both signs; in odd items now and then another value */
    if (is_c && z % 4 == 0) {
      return special(type, z >> 8);
    }
    return (uint64_t)sign << (bits - 1) | (item % 2 != 0 && z % 32 == 0 ? 1 : 0);
  default: /* powers of two */
    return number(type, sign, (int)(z >> 8) % (1 + (int)item / 2) - (int)item / 4, 0);
  }
}

void tensor_fill(const tensor_t *t, unsigned mode, unsigned item, tensor_item_t *out) {
  uint64_t state = UINT64_C(0x7e5007) + ((uint64_t)mode << 32) + item;
  for (const char *p = t->name; *p != '\0'; p++) {
    state = state * 31 + (unsigned char)*p;
  }
  for (unsigned i = 0; i < t->m * t->k; i++) {
    out->a[i] = element(t->a, mode, item, false, &state);
  }
  for (unsigned i = 0; i < t->k * t->n; i++) {
    out->b[i] = element(t->b, mode, item, false, &state);
  }
  for (unsigned i = 0; i < t->m * t->n; i++) {
    out->c[i] = element(t->c, mode, item, true, &state);
  }
  if (mode == 5) {
    /* The second half of K is the first with the other sign, C zero: all products cancel. */
    for (unsigned row = 0; row < t->m; row++) {
      for (unsigned k = t->k / 2; k < t->k; k++) {
        uint64_t v = out->a[row * t->k + k - t->k / 2];
        out->a[row * t->k + k] = formats[t->a].exponent == 0
                                     ? (0 - v) & 255
                                     : v ^ UINT64_C(1) << (formats[t->a].bits - 1);
      }
    }
    for (unsigned k = t->k / 2; k < t->k; k++) {
      memcpy(&out->b[k * t->n], &out->b[(k - t->k / 2) * t->n], t->n * sizeof out->b[0]);
    }
    for (unsigned i = 0; i < t->m * t->n; i++) {
      out->c[i] = formats[t->c].exponent == 0 || item % 3 == 0 ? 0
                  : item % 3 == 1 ? UINT64_C(1) << (formats[t->c].bits - 1)
                                  : out->c[i];
    }
  }
}

/* ---- Fragments (9.7.14.5, 9.7.15.5). A warp has 16 rows of A, C and D; lane = 4 * group + t. A
 * 32-bit register holds `per` neighbours in k; registers of A: rows group, group + 8, then the same
 * 4 * per further in k. An f64 takes a pair of words. */

static unsigned per_of(tensor_type_t type) {
  return type == TENSOR_F64 ? 1 : 32 / formats[type].bits;
}
static unsigned words_of(tensor_type_t type) { return type == TENSOR_F64 ? 2 : 1; }
/* Registers of a lane. */
static unsigned a_regs(const tensor_t *t) {
  return (t->m == 8 ? 1 : 2) * t->k / (4 * per_of(t->a));
}
static unsigned b_regs(const tensor_t *t) { return t->k / (4 * per_of(t->b)); }
static unsigned c_regs(const tensor_t *t) {
  return (t->m == 8 ? 1u : 2u) * 2 / per_of(t->c == TENSOR_F16 ? TENSOR_F16 : TENSOR_F32);
}

unsigned tensor_threads(const tensor_t *t) { return t->warpgroup ? 128 : 32; }
unsigned tensor_words(const tensor_t *t) {
  return a_regs(t) * words_of(t->a) + b_regs(t) * words_of(t->b) + c_regs(t) * words_of(t->c);
}
unsigned tensor_result_words(const tensor_t *t) { return c_regs(t) * words_of(t->c); }

static void put(uint32_t **to, tensor_type_t type, const uint64_t *element) {
  if (type == TENSOR_F64) {
    *(*to)++ = (uint32_t)element[0];
    *(*to)++ = (uint32_t)(element[0] >> 32);
    return;
  }
  uint32_t word = 0;
  for (unsigned i = 0; i < per_of(type); i++) {
    word |= (uint32_t)element[i] << i * formats[type].bits % 32;
  }
  *(*to)++ = word;
}

void tensor_pack(const tensor_t *t, const tensor_item_t *item, uint32_t *words) {
  for (unsigned thread = 0; thread < tensor_threads(t); thread++) {
    unsigned group = thread % 32 / 4, in = thread % 4, base = thread / 32 * 16;
    unsigned high = t->m == 8 ? 1 : 2, pa = per_of(t->a), pb = per_of(t->b);
    uint32_t *to = words + thread * tensor_words(t);
    for (unsigned r = 0; r < a_regs(t); r++) {
      unsigned row = base + group + 8 * (r % high), k = pa * (in + 4 * (r / high));
      put(&to, t->a, &item->a[row * t->k + k]);
    }
    for (unsigned r = 0; r < b_regs(t); r++) {
      uint64_t column[8] = {0};
      for (unsigned i = 0; i < pb; i++) {
        column[i] = item->b[(pb * (in + 4 * r) + i) * t->n + group];
      }
      put(&to, t->b, column);
    }
    for (unsigned r = 0; r < (t->m == 8 ? 2u : 4u); r += t->c == TENSOR_F16 ? 2 : 1) {
      put(&to, t->c, &item->c[(base + group + 8 * (r / 2)) * t->n + 2 * in + r % 2]);
    }
  }
}

void tensor_unpack(const tensor_t *t, const uint32_t *words, uint64_t *d) {
  for (unsigned thread = 0; thread < tensor_threads(t); thread++) {
    unsigned group = thread % 32 / 4, in = thread % 4, base = thread / 32 * 16;
    const uint32_t *from = words + thread * tensor_result_words(t);
    for (unsigned r = 0; r < (t->m == 8 ? 2u : 4u); r++) {
      uint64_t value = t->c == TENSOR_F64   ? from[2 * r] | (uint64_t)from[2 * r + 1] << 32
                       : t->c == TENSOR_F16 ? from[r / 2] >> 16 * (r % 2) & 0xffff
                                            : from[r];
      d[(base + group + 8 * (r / 2)) * t->n + 2 * in + r % 2] = value;
    }
  }
}

/* ---- Kernels. */

typedef struct out {
  char *text;
  size_t used, cap;
} out_t;
#define EMIT(...)                                                                                  \
  (o.used += (size_t)snprintf(o.text + o.used, o.used < o.cap ? o.cap - o.used : 0, __VA_ARGS__))

static void list(char *text, size_t cap, const char *prefix, unsigned count) {
  size_t used = 0;
  for (unsigned i = 0; i < count; i++) {
    used += (size_t)snprintf(text + used, cap - used, "%s%s%u", i != 0 ? ", " : "{", prefix, i);
  }
  (void)snprintf(text + used, cap - used, "}");
}

void tensor_kernel(const tensor_t *t, char *ptx, size_t cap) {
  out_t o = {ptx, 0, cap};
  char a[128], b[128], c[128], d[128];
  bool f64 = t->a == TENSOR_F64;
  const char *type = f64 ? "f64" : "b32", *float_type = f64                  ? "f64"
                                                        : t->c == TENSOR_F32 ? "f32"
                                                                             : "b32";
  unsigned size = f64 ? 8 : 4, na = a_regs(t), nb = b_regs(t), nc = c_regs(t);
  list(a, sizeof a, "a", na);
  list(b, sizeof b, "b", nb);
  list(c, sizeof c, "c", nc);
  list(d, sizeof d, t->warpgroup ? "c" : "d", nc);
  EMIT(
      ".version 8.4\n.target sm_90%s\n.address_size 64\n"
      ".visible .entry tensor(.param .u64 pin, .param .u64 pout) {\n"
      "  .shared .align 128 .b8 matrix[256];\n  .reg .b32 i, j, k;\n  .reg .b64 in, out, desc, x;\n"
      "  .reg .pred p, one;\n  .reg .%s a<%u>, b<%u>;\n  .reg .%s c<%u>, d<%u>;\n"
      "  ld.param.u64 in, [pin];\n  ld.param.u64 out, [pout];\n  mov.u32 i, %%ctaid.x;\n"
      "  mov.u32 j, %%ntid.x;\n  mov.u32 k, %%tid.x;\n  mad.lo.u32 i, i, j, k;\n"
      "  mad.wide.u32 in, i, %u, in;\n  mad.wide.u32 out, i, %u, out;\n",
      t->warpgroup ? "a" : "", type, na, nb, float_type, nc, nc, 4 * tensor_words(t),
      4 * tensor_result_words(t));
  for (unsigned r = 0; r < na + nb + nc; r++) {
    char which = r < na ? 'a' : r < na + nb ? 'b' : 'c';
    unsigned n = r < na ? r : r < na + nb ? r - na : r - na - nb;
    EMIT("  ld.global.%s %c%u, [in+%u];\n", which == 'c' ? float_type : type, which, n, size * r);
  }
  if (!t->warpgroup) {
    EMIT("  %s %s, %s, %s, %s;\n", t->name, d, a, b, c);
  } else {
    /* B as two core matrices of 8 columns by 16 bytes, k by k (no swizzle): lane 4 * group + t has
     * bytes 4 t to 4 t + 3 of column `group` of both. */
    EMIT("  setp.lt.u32 p, k, 32;\n  shl.b32 k, k, 2;\n  mov.u32 j, matrix;\n  add.u32 k, k, j;\n");
    for (unsigned r = 0; r < nb; r++) {
      EMIT("  @p st.shared.b32 [k+%u], b%u;\n", 128 * r, r);
    }
    EMIT("  fence.proxy.async;\n  bar.sync 0;\n  shr.u32 j, j, 4;\n  and.b32 j, j, 0x3fff;\n"
         "  cvt.u64.u32 desc, j;\n  or.b64 desc, desc, 0x%llx;\n  setp.eq.u32 one, 0, 0;\n"
         "  wgmma.fence.sync.aligned;\n  %s %s, %s, desc, one%s;\n"
         "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n",
         (unsigned long long)(UINT64_C(8) << 16 | UINT64_C(8) << 32), t->name, d, a,
         t->c == TENSOR_S32                          ? ""
         : t->a == TENSOR_F16 || t->a == TENSOR_BF16 ? ", 1, 1, 0"
                                                     : ", 1, 1");
  }
  for (unsigned r = 0; r < nc; r++) {
    EMIT("  st.global.%s [out+%u], %s%u;\n", float_type, size * r, t->warpgroup ? "c" : "d", r);
  }
  EMIT("  ret;\n}\n");
}
