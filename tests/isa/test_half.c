/* HFMA, HMIN, HMAX, HSET (cmodel/sem/sem_half.c) against the rules of tests/silicon that repeat what a
 * GPU gave (arith.c, halves.c: host doubles, a sum made odd before it is rounded again): all triples of
 * special values with all modifiers, all 65,536 operands, random triples that cancel, lie near the
 * middle between two numbers or at an end of the exponents. Usage: test_isa_half [RANDOM TRIPLES] */
#include <math.h>
#include <stdlib.h>

#include "tests/isa/half_batch.h"
#include "tests/silicon/arith.h"
#include "tests/silicon/halves.h"

static bool related(uint32_t cmp, double x, double y) {
  const unsigned relation = isnan(x) || isnan(y) ? 3 : x < y ? 0 : x == y ? 1 : 2;
  return cmp >> relation & 1;
}

static uint32_t flushed(const half_case_t *k, uint32_t x) {
  return k->mods.ftz && (x & 0x7fff) < 1u << k->fraction ? x & 0x8000 : x;
}

static uint32_t by_rule(const half_case_t *k, const uint32_t v[3]) {
  const half_mods_t *m = &k->mods;
  const char *op = k->op == WL_FPU_HFMA ? "fma" : k->op == WL_FPU_HMIN ? "min" : "max";
  if (k->op == WL_FPU_HSET)
    return related(m->cmp, half_value(flushed(k, v[0]), k->fraction),
                   half_value(flushed(k, v[1]), k->fraction))
               ? 0xffff
               : 0;
  arith_t rule = {.bits = 16, .count = 1, .fraction = k->fraction, .is_signed = true};
  const uint64_t operand[3] = {v[0] ^ m->neg_a << 15, v[1], v[2] ^ m->neg_c << 15};
  const uint64_t of_two[3] = {flushed(k, v[0]), flushed(k, v[1]), 0};
  (void)strcpy(rule.op, op);
  rule.flush = m->ftz;
  rule.sat = m->sat;
  rule.relu = m->relu;
  rule.oob = m->oob;
  rule.nan = m->nan;
  rule.xorsign = m->xorsign;
  return (uint32_t)arith_rule(&rule, k->op == WL_FPU_HFMA ? operand : of_two);
}

static half_batch_t batch_of(check_t *t, wl_fpu_op_t op, unsigned fraction, uint32_t mods) {
  half_batch_t b = {.t = t, .witness = by_rule, .kind = {.op = op, .fraction = fraction}};
  half_mods_t *m = &b.kind.mods;
  m->ftz = mods & 1;
  if (op == WL_FPU_HSET) {
    m->cmp = mods >> 1 & 15;
  } else if (op == WL_FPU_HFMA) {
    m->sat = mods >> 1 & 1;
    m->neg_a = mods >> 2 & 1;
    m->neg_c = mods >> 3 & 1;
    m->relu = mods >> 4 & 1;
    m->oob = mods >> 5 & 1;
  } else {
    m->nan = mods >> 1 & 1;
    m->xorsign = mods >> 2 & 1;
  }
  return b;
}

/* ---- fma */
static void special_triples(check_t *t, unsigned fraction, uint32_t mods) {
  half_batch_t b = batch_of(t, WL_FPU_HFMA, fraction, mods);
  const unsigned n = HALF_SPECIALS;
  for (unsigned i = 0; i < n * n * n; i++)
    half_add_case(&b, half_special(fraction, i % n), half_special(fraction, i / n % n),
                  half_special(fraction, i / n / n));
  half_flush(&b);
}

/* Each pattern as factor, as addend, and squared. */
static void all_operands(check_t *t, unsigned fraction, uint32_t mods) {
  half_batch_t b = batch_of(t, WL_FPU_HFMA, fraction, mods);
  const uint32_t one = fraction == 10 ? 0x3c00 : 0x3f80;
  for (uint32_t x = 0; x < HALVES; x++) {
    half_add_case(&b, x, one, mods & 1 ? 0x8000 : 0);
    half_add_case(&b, one, x, one | 0x8000);
    half_add_case(&b, one, one, x);
    half_add_case(&b, x, x, 0x8001);
  }
  half_flush(&b);
}

/* An addend that matters: any; the product's negative and its neighbours; a product at the middle
 * between two numbers and the least addends; a product near the least normal number or the largest. */
static void add_triple(half_batch_t *b) {
  const unsigned fraction = b->kind.fraction;
  const uint64_t r = check_random(b->t);
  uint32_t x = half_any(b->t, fraction), y = half_any(b->t, fraction);
  uint32_t z = half_any(b->t, fraction);
  const uint32_t field = 0x7fffu >> fraction, bias = field / 2, low = (1u << fraction) - 1;
  const uint32_t at = x >> fraction & field;
  const uint32_t product = half_bits(half_value(x, fraction) * half_value(y, fraction), fraction);
  switch (r & 7) {
  case 0:
  case 1:
    z = product ^ 0x8000;
    z += (uint32_t)(r >> 8 & 7) - 3;
    break;
  case 2: /* far below or above the product */
    z = (z & 0x8000) | (z & low) | (uint32_t)(r >> 8) % (field + 1) << fraction;
    break;
  case 3: /* the fraction of y has its last bit alone: products half way */
    y = (y & ~low) | 1u << (r >> 8) % fraction;
    z = (z & 0x8000) | (z & (r >> 16 & 1 ? low : 3));
    break;
  case 4: /* exponents that add up to the least normal number or a little less */
    y = (y & ~(field << fraction)) | (bias - at + 1 + bias - (uint32_t)(r >> 8 & 15)) % field
                                         << fraction;
    z = r >> 16 & 1 ? z & 0x83ff : (z & 0x8000);
    break;
  case 5: /* and to the largest */
    y = (y & ~(field << fraction)) | (3 * bias - at - (uint32_t)(r >> 8 & 1)) % field << fraction;
    break;
  default:
    break;
  }
  half_add_case(b, x, y, z);
}

static void random_triples(check_t *t, unsigned fraction, long count) {
  for (long n = 0; n < count; n += HALF_BATCH) {
    const uint64_t r = check_random(t);
    half_batch_t b = batch_of(t, WL_FPU_HFMA, fraction, r & 1 ? 0 : (uint32_t)(r >> 1) & 63);
    for (unsigned i = 0; i < HALF_BATCH; i++)
      add_triple(&b);
  }
}

/* ---- minimum, maximum, comparison: each exponent field with six fractions, both signs */
static uint32_t stratum(unsigned fraction, unsigned i) {
  const uint32_t last = (1u << fraction) - 1;
  const uint32_t fractions[6] = {0, 1, last / 2, last / 2 + 1, last, 0x7ff7 & last};
  return (i / 12 % (0x8000u >> fraction)) << fraction | fractions[i / 2 % 6] | (i & 1) << 15;
}

static void pairs(check_t *t, wl_fpu_op_t op, unsigned fraction, uint32_t mods) {
  half_batch_t b = batch_of(t, op, fraction, mods);
  const unsigned count = 12 * (0x8000u >> fraction), step = fraction == 10 ? 1 : 11;
  for (unsigned i = 0; i < count; i++) {
    const uint32_t x = stratum(fraction, i);
    for (unsigned k = (unsigned)check_random(t) % step; k < count; k += step)
      half_add_case(&b, x, stratum(fraction, k), 0);
    half_add_case(&b, x, x, 0);
    half_add_case(&b, x, x ^ 0x8000, 0);
    half_add_case(&b, x, x + 1, 0);
  }
  half_flush(&b);
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 1 << 20;
  check_t t = {.state = 41};
  for (unsigned fraction = 7; fraction <= 10; fraction += 3) {
    for (uint32_t mods = 0; mods < 64; mods++)
      special_triples(&t, fraction, mods);
    for (uint32_t mods = 0; mods < 64; mods += mods < 4 ? 1 : 13)
      all_operands(&t, fraction, mods);
    random_triples(&t, fraction, count);
    for (uint32_t mods = 0; mods < 8; mods++) {
      pairs(&t, WL_FPU_HMIN, fraction, mods);
      pairs(&t, WL_FPU_HMAX, fraction, mods);
    }
    for (uint32_t mods = 0; mods < 32; mods += mods < 8 ? 1 : 5)
      pairs(&t, WL_FPU_HSET, fraction, mods);
  }
  return check_done(&t, "half");
}
