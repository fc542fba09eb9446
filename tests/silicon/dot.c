#include "tests/silicon/dot.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static int64_t signed_of(tensor_type_t type, uint64_t v) {
  return type == TENSOR_S8 ? (int8_t)v : type == TENSOR_S4 ? (int64_t)(v ^ 8) - 8 : (int64_t)v;
}

/* Exact; .satfinite clamps the sum with C once. b1: .and or .xor in place of the product. */
static uint64_t dot_integer(const tensor_t *t, unsigned count, const uint64_t *a, const uint64_t *b,
                            uint64_t c) {
  int64_t sum = t->without_c ? 0 : (int32_t)c;
  bool differ = strstr(t->name, ".xor") != NULL;
  for (unsigned k = 0; k < count; k++) {
    int64_t x = signed_of(t->a, a[k]), y = signed_of(t->b, b[k]);
    sum += differ ? x != y : x * y;
  }
  if (strstr(t->name, ".satfinite") != NULL) {
    sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  }
  return (uint32_t)sum;
}

/* f64: fused multiply-adds, k ascending. NaN: the first one of B, C, A, made
 * quiet. */
static uint64_t fused(uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t quiet = UINT64_C(1) << 51, order[] = {b, c, a};
  double x, y, z;
  for (unsigned i = 0; i < 3; i++) {
    memcpy(&x, &order[i], sizeof x);
    if (isnan(x)) {
      return order[i] | quiet;
    }
  }
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  memcpy(&z, &c, sizeof z);
  z = fma(x, y, z);
  memcpy(&c, &z, sizeof z);
  return isnan(z) ? UINT64_C(0xfff8000000000000) : c;
}

static int rounding(const tensor_t *t) {
  return strstr(t->name, ".rz") != NULL   ? FE_TOWARDZERO
         : strstr(t->name, ".rm") != NULL ? FE_DOWNWARD
         : strstr(t->name, ".rp") != NULL ? FE_UPWARD
                                          : FE_TONEAREST;
}

static uint64_t dot_double(const tensor_t *t, unsigned count, const uint64_t *a, const uint64_t *b,
                           uint64_t c) {
  (void)fesetround(rounding(t));
  for (unsigned k = 0; k < count; k++) {
    c = fused(a[k], b[k], c);
  }
  (void)fesetround(FE_TONEAREST);
  return c;
}

/* B's partner of kept element i of a row. tf32: the two indices choose 16 bits each, low and high. */
static uint64_t partner(const tensor_t *t, const tensor_item_t *item, unsigned row, unsigned column,
                        unsigned i) {
  const uint64_t *b = &item->b[(t->quads > 1 ? row / 8 * t->k * t->n : 0) + column];
  if (!t->sparse || t->a != TENSOR_TF32) {
    return b[(t->sparse ? tensor_position(t, item->e[row], i) : i) * t->n];
  }
  unsigned low = item->e[row][i] & 3u, high = item->e[row][i] >> 2 & 3u;
  uint64_t pair = b[2 * i * t->n] | b[(2 * i + 1) * t->n] << 32;
  return (pair >> 16 * low & 0xffff) | (pair >> 16 * high & 0xffff) << 16;
}

/* Of sparse A the products that are kept are the only ones. D of an instruction is C of the next,
 * and nothing else goes from one to the other. */
uint64_t dot_element(const tensor_t *t, const tensor_item_t *item, unsigned row, unsigned column) {
  unsigned kept = tensor_kept(t), count = kept / t->steps;
  const uint64_t *a = &item->a[row * kept];
  uint64_t b[TENSOR_MAX_K], d = item->c[row * t->n + column];
  for (unsigned i = 0; i < kept; i++) {
    b[i] = partner(t, item, row, column, i);
  }
  for (unsigned from = 0; from < kept; from += count) {
    d = t->c == TENSOR_S32   ? dot_integer(t, count, a + from, b + from, d)
        : t->c == TENSOR_F64 ? dot_double(t, count, a + from, b + from, d)
                             : dot_float(t, count, a + from, b + from, from == 0 ? t->c : t->d, d);
  }
  return d;
}
