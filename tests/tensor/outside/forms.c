/* The forms, and elements by rule. */
#include <stdio.h>
#include <string.h>

#include "tests/common/digest.h"
#include "tests/silicon/dot.h"
#include "tests/tensor/outside/outside.h"

typedef struct form {
  unsigned k;
  tensor_type_t d, a, b;
} form_t;

static const form_t forms[] = {
    {8, TENSOR_F32, TENSOR_F16, TENSOR_F16},    {16, TENSOR_F32, TENSOR_F16, TENSOR_F16},
    {8, TENSOR_F16, TENSOR_F16, TENSOR_F16},    {16, TENSOR_F16, TENSOR_F16, TENSOR_F16},
    {8, TENSOR_F32, TENSOR_BF16, TENSOR_BF16},  {16, TENSOR_F32, TENSOR_BF16, TENSOR_BF16},
    {4, TENSOR_F32, TENSOR_TF32, TENSOR_TF32},  {8, TENSOR_F32, TENSOR_TF32, TENSOR_TF32},
    {16, TENSOR_F32, TENSOR_E4M3, TENSOR_E4M3}, {16, TENSOR_F32, TENSOR_E4M3, TENSOR_E5M2},
    {16, TENSOR_F32, TENSOR_E5M2, TENSOR_E4M3}, {16, TENSOR_F32, TENSOR_E5M2, TENSOR_E5M2},
    {16, TENSOR_F16, TENSOR_E4M3, TENSOR_E4M3}, {16, TENSOR_F16, TENSOR_E4M3, TENSOR_E5M2},
    {16, TENSOR_F16, TENSOR_E5M2, TENSOR_E4M3}, {16, TENSOR_F16, TENSOR_E5M2, TENSOR_E5M2},
    {32, TENSOR_F32, TENSOR_E4M3, TENSOR_E4M3}, {32, TENSOR_F32, TENSOR_E4M3, TENSOR_E5M2},
    {32, TENSOR_F32, TENSOR_E5M2, TENSOR_E4M3}, {32, TENSOR_F32, TENSOR_E5M2, TENSOR_E5M2},
    {32, TENSOR_F16, TENSOR_E4M3, TENSOR_E4M3}, {32, TENSOR_F16, TENSOR_E4M3, TENSOR_E5M2},
    {32, TENSOR_F16, TENSOR_E5M2, TENSOR_E4M3}, {32, TENSOR_F16, TENSOR_E5M2, TENSOR_E5M2}};

const tensor_t *outside_form(size_t index) {
  static tensor_t t;
  if (index >= sizeof forms / sizeof forms[0]) {
    return NULL;
  }
  const form_t *f = &forms[index];
  const char *d = tensor_type_name(f->d), *a = tensor_type_name(f->a), *b = tensor_type_name(f->b);
  t = (tensor_t){.m = OUTSIDE_M,
                 .n = OUTSIDE_N,
                 .k = f->k,
                 .a = f->a,
                 .b = f->b,
                 .c = f->d,
                 .d = f->d,
                 .steps = 1,
                 .quads = 1};
  (void)snprintf(t.name, sizeof t.name, "mma.sync.aligned.m16n8k%u.row.col%s%s%s%s", f->k, d, a, b,
                 d);
  (void)snprintf(t.label, sizeof t.label, "m16n8k%u%s%s%s%s", f->k, d, a, b, d);
  return &t;
}

uint32_t outside_operands_hash(const tensor_t *t) {
  static tensor_item_t item;
  static uint32_t words[32 * 16];
  uint64_t digest = WL_DIGEST_START;
  for (unsigned i = 0; i < OUTSIDE_KINDS * OUTSIDE_ITEMS; i++) {
    outside_fill(t, i / OUTSIDE_ITEMS, i % OUTSIDE_ITEMS, &item);
    tensor_pack(t, &item, words);
    for (unsigned k = 0; k < 32 * tensor_words(t); k++) {
      digest = wl_digest(digest, words[k]);
    }
  }
  return (uint32_t)(digest ^ digest >> 32);
}

unsigned outside_shown(unsigned item) { return 17 * item % OUTSIDE_SIZE; }

uint64_t outside_rule(const tensor_t *t, const tensor_item_t *item, unsigned element) {
  return dot_element(t, item, element / OUTSIDE_N, element % OUTSIDE_N);
}

/* An f16 without its sign, finite, in units of 2^-24. */
static int64_t units(uint64_t bits) {
  unsigned exponent = bits >> 10 & 31;
  int64_t significand = (int64_t)(bits & 1023) | (exponent != 0) << 10;
  return significand << (exponent != 0 ? exponent - 1 : 0);
}

/* To nearest even, of a sum in units of 2^-46 that is below 2^-14. */
static uint64_t half(int64_t sum) {
  uint64_t magnitude = (uint64_t)(sum < 0 ? -sum : sum), kept = magnitude >> 22,
           rest = magnitude & 0x3fffff;
  kept += rest > 0x200000 || (rest == 0x200000 && (kept & 1) != 0);
  return kept == 0 ? 0 : kept | (uint64_t)(sum < 0) << 15;
}

/* C is a zero, and no product has an exponent above -22: each product is cut to a multiple of 2^-46. */
bool outside_floor(const tensor_t *t, const tensor_item_t *item, unsigned element, uint64_t *out) {
  int64_t sum = 0;
  if (t->d != TENSOR_F16 || t->a != TENSOR_F16 || (item->c[element] & 0x7fff) != 0) {
    return false;
  }
  for (unsigned k = 0; k < t->k; k++) {
    uint64_t a = item->a[element / OUTSIDE_N * t->k + k],
             b = item->b[k * t->n + element % OUTSIDE_N];
    int ea = (int)(a >> 10 & 31), eb = (int)(b >> 10 & 31);
    bool zero = units(a) == 0 || units(b) == 0;
    if (ea == 31 || eb == 31 || (!zero && (ea ? ea : 1) + (eb ? eb : 1) - 30 > -22)) {
      return false;
    }
    int64_t product = zero ? 0 : units(a) * units(b);
    sum += ((a ^ b) >> 15 & 1) != 0 ? -(product >> 2) : product >> 2;
  }
  *out = half(sum);
  return true;
}
