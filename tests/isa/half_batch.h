/* Cases of HFMA, HMIN, HMAX and HSET, put into the halves of 32 lanes and run at once, and operands
 * where their results change. What a case should give says the caller's witness. */
#ifndef WL_TESTS_ISA_HALF_BATCH_H
#define WL_TESTS_ISA_HALF_BATCH_H

#include "tests/isa/lanes.h"

enum { HALF_BATCH = 64 };

typedef struct half_mods {
  uint32_t ftz, sat, neg_a, neg_c, relu, oob, nan, xorsign, cmp;
} half_mods_t;

typedef struct half_case {
  wl_fpu_op_t op;
  unsigned fraction; /* bits: f16 10, bf16 7 */
  half_mods_t mods;
} half_case_t;

typedef struct half_batch {
  check_t *t;
  uint32_t (*witness)(const half_case_t *, const uint32_t operand[3]);
  half_case_t kind;
  uint32_t operand[HALF_BATCH][3];
  unsigned used;
} half_batch_t;

static inline uint32_t half_form(const half_case_t *k) {
  const bool f16 = k->fraction == 10;
  switch (k->op) {
  case WL_FPU_HMIN:
    return f16 ? WL_FORM_MIN2_F16_RR : WL_FORM_MIN2_BF16_RR;
  case WL_FPU_HMAX:
    return f16 ? WL_FORM_MAX2_F16_RR : WL_FORM_MAX2_BF16_RR;
  case WL_FPU_HSET:
    return f16 ? WL_FORM_SET2_F16_RR : WL_FORM_SET2_BF16_RR;
  default:
    return f16 ? WL_FORM_FMA2_F16_RRR : WL_FORM_FMA2_BF16_RRR;
  }
}

static inline void half_word(const half_case_t *k, uint32_t word[4]) {
  const half_mods_t *m = &k->mods;
  word[0] = half_form(k);
  WL_WORD_SET(word, FTZ, m->ftz);
  if (k->op == WL_FPU_HFMA) {
    WL_WORD_SET(word, SAT, m->sat);
    WL_WORD_SET(word, NEG_A, m->neg_a);
    WL_WORD_SET(word, NEG_C, m->neg_c);
    WL_WORD_SET(word, RELU, m->relu);
    WL_WORD_SET(word, OOB, m->oob);
  } else if (k->op == WL_FPU_HSET) {
    WL_WORD_SET(word, CMP, m->cmp);
  } else {
    WL_WORD_SET(word, NAN, m->nan);
    WL_WORD_SET(word, XORSIGN, m->xorsign);
  }
}

static inline void half_compare(half_batch_t *b, const lanes_t *l, unsigned i) {
  const uint32_t *v = b->operand[i], got = l->d[0][i / 2] >> 16 * (i & 1) & 0xffff;
  const uint32_t expected = b->witness(&b->kind, v);
  const half_mods_t *m = &b->kind.mods;
  if (!check_equal(b->t, got, expected) && check_print(b->t))
    printf("%s a %04x b %04x c %04x half %u ftz %u sat %u neg %u %u relu %u oob %u nan %u xorsign "
           "%u cmp %u: got %04x, expected %04x\n",
           l->dec.info->name, v[0], v[1], v[2], i & 1, m->ftz, m->sat, m->neg_a, m->neg_c, m->relu,
           m->oob, m->nan, m->xorsign, m->cmp, got, expected);
}

/* Runs what was added. The lanes that have none take the cases again. */
static inline void half_flush(half_batch_t *b) {
  uint32_t word[4] = {0};
  lanes_t l = {.mask = UINT32_MAX};
  if (b->used == 0) return;
  for (unsigned i = 0; i < HALF_BATCH; i++) {
    const uint32_t *v = b->operand[i % b->used];
    l.a[0][i / 2] |= v[0] << 16 * (i & 1);
    l.b[0][i / 2] |= v[1] << 16 * (i & 1);
    l.c[0][i / 2] |= v[2] << 16 * (i & 1);
  }
  half_word(&b->kind, word);
  if (!lanes_decode(&l, word) || !lanes_run(&l)) {
    (void)check_equal(b->t, 0, 1);
    printf("form %u: refused\n", word[0]);
  } else {
    for (unsigned i = 0; i < b->used; i++)
      half_compare(b, &l, i);
  }
  b->used = 0;
}

static inline void half_add_case(half_batch_t *b, uint32_t x, uint32_t y, uint32_t z) {
  uint32_t *v = b->operand[b->used++];
  v[0] = x & 0xffff;
  v[1] = y & 0xffff;
  v[2] = z & 0xffff;
  if (b->used == HALF_BATCH) half_flush(b);
}

/* ---- operands. The least exponent fields, those near one, the last two: each with five fractions. */
enum { HALF_SPECIALS = 2 * 20 };
static inline uint32_t half_special(unsigned fraction, unsigned i) {
  const uint32_t infinity = 0x7fffu >> fraction << fraction, least = 1u << fraction;
  const uint32_t one = infinity / 2 >> fraction << fraction;
  const uint32_t value[HALF_SPECIALS / 2] = {0,
                                             1,
                                             least / 2,
                                             least - 1,
                                             least,
                                             least + 1,
                                             2 * least,
                                             one / 2,
                                             one - 1,
                                             one,
                                             one + 1,
                                             one + least,
                                             infinity - 1,
                                             infinity - least,
                                             infinity,
                                             0x7fff,
                                             infinity + 1,
                                             infinity + least / 2,
                                             0x7ff7,
                                             infinity - 2};
  return value[i / 2] | (i & 1) << 15;
}

/* Any pattern; near a special one; a short fraction; near one in magnitude. */
static inline uint32_t half_any(check_t *t, unsigned fraction) {
  const uint64_t r = check_random(t);
  const uint32_t value = (uint32_t)r & 0xffff, sign = value & 0x8000, least = 1u << fraction;
  const uint32_t one = 0x3fffu >> fraction << fraction;
  switch (r >> 32 & 7) {
  case 0:
    return half_special(fraction, (unsigned)(r >> 40) % HALF_SPECIALS);
  case 1:
    return (half_special(fraction, (unsigned)(r >> 40) % HALF_SPECIALS) + (value & 3) - 1) & 0xffff;
  case 2:
    return value & ~(least / 4 - 1);
  case 3:
  case 4:
    return sign | (one + (value & (8 * least - 1)) - 4 * least);
  default:
    return value;
  }
}

#endif
