/* f64 add, mul, fma and the unit FP64's lanes (sem_f64.c). The witness is the host's arithmetic in all four
 * roundings; which NaN is given is the rule that silicon's record has (tests/silicon/arith_double.c).
 * Operands: all triples of boundary values, sums that cancel, halfway cases, products that only nudge an
 * addend, results at both ends of the exponents. Usage: test_isa_f64 [RANDOM TRIPLES] */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cmodel/sem/sem.h"
#include "tests/isa/check.h"

enum { ADD, MUL, FMA, OPS, BLOCK = 512, ROUNDINGS = 4 };
static const char *const op_name[] = {"add", "mul", "fma"};
static const int host_rounding[ROUNDINGS] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
static const uint64_t Sign = UINT64_C(1) << 63, Quiet = UINT64_C(1) << 51;
static const uint64_t Fraction = (UINT64_C(1) << 52) - 1;

typedef struct triple {
  uint64_t v[3];
} triple_t;

static double value_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* ---- witness, in the rounding that the host has now */
static uint64_t witness(int op, const uint64_t v[3]) {
  static const unsigned two[] = {1, 0}, three[] = {1, 2, 0};
  const double a = value_of(v[0]), b = value_of(v[1]), c = value_of(v[2]);
  const double d = op == ADD ? a + b : op == MUL ? a * b : fma(a, b, c);
  if (!isnan(d)) return bits_of(d);
  for (unsigned i = 0; i < (op == FMA ? 3u : 2u); i++) {
    const uint64_t x = v[op == FMA ? three[i] : two[i]];
    if (isnan(value_of(x))) return x | Quiet;
  }
  return UINT64_C(0xfff8000000000000);
}

static uint64_t tested(int op, const uint64_t v[3], unsigned rnd) {
  return op == ADD   ? wl_f64_add(v[0], v[1], rnd)
         : op == MUL ? wl_f64_mul(v[0], v[1], rnd)
                     : wl_f64_fma(v[0], v[1], v[2], rnd);
}

static void compare(check_t *t, int op, const uint64_t v[3], unsigned rnd, uint64_t expected) {
  const uint64_t got = tested(op, v, rnd);
  if (!check_equal(t, got, expected) && check_print(t))
    printf("%s %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " rnd %u: got %016" PRIx64
           ", expected %016" PRIx64 "\n",
           op_name[op], v[0], v[1], v[2], rnd, got, expected);
}

static void check_block(check_t *t, const triple_t *x, unsigned count, bool with_pairs) {
  for (unsigned rnd = 0; rnd < ROUNDINGS; rnd++) {
    uint64_t expected[OPS][BLOCK];
    (void)fesetround(host_rounding[rnd]);
    for (int op = with_pairs ? ADD : FMA; op < OPS; op++)
      for (unsigned i = 0; i < count; i++)
        expected[op][i] = witness(op, x[i].v);
    (void)fesetround(FE_TONEAREST);
    for (int op = with_pairs ? ADD : FMA; op < OPS; op++)
      for (unsigned i = 0; i < count; i++)
        compare(t, op, x[i].v, rnd, expected[op][i]);
  }
}

/* ---- boundary values */
static const uint64_t anchor[] = {
    0,
    1,
    2,
    UINT64_C(0x0008000000000000),
    UINT64_C(0x000fffffffffffff),
    UINT64_C(0x0010000000000000), /* 2^-1022 */
    UINT64_C(0x0010000000000001),
    UINT64_C(0x001fffffffffffff),
    UINT64_C(0x0350000000000000), /* 2^-970 */
    UINT64_C(0x1e60000000000000), /* 2^-537: its square is 2^-1074 */
    UINT64_C(0x1ff0000000000001),
    UINT64_C(0x3c90000000000000), /* 2^-54 */
    UINT64_C(0x3ca0000000000000), /* 2^-53 */
    UINT64_C(0x3ca0000000000001),
    UINT64_C(0x3cb0000000000000), /* 2^-52 */
    UINT64_C(0x3fdfffffffffffff),
    UINT64_C(0x3fe0000000000000),
    UINT64_C(0x3fefffffffffffff),
    UINT64_C(0x3ff0000000000000), /* 1 */
    UINT64_C(0x3ff0000000000001),
    UINT64_C(0x3ff0000004000001),
    UINT64_C(0x3ff8000000000000),
    UINT64_C(0x4000000000000000),
    UINT64_C(0x4340000000000000), /* 2^53 */
    UINT64_C(0x4340000000000001),
    UINT64_C(0x5fe0000000000000), /* 2^511 */
    UINT64_C(0x5fefffffffffffff),
    UINT64_C(0x5ff0000000000000), /* 2^512: its square is 2^1024 */
    UINT64_C(0x7c90000000000000), /* 2^970: half the last place of the largest */
    UINT64_C(0x7ca0000000000000),
    UINT64_C(0x7fe0000000000000),
    UINT64_C(0x7feffffffffffffe),
    UINT64_C(0x7fefffffffffffff),
    UINT64_C(0x7ff0000000000000), /* infinity */
    UINT64_C(0x7ff0000000000001), /* signalling */
    UINT64_C(0x7ff8000000000005),
    UINT64_C(0x7fffffffffffffff),
};
enum { ANCHORS = 2 * sizeof anchor / sizeof *anchor };

static uint64_t anchor_at(unsigned k) { return anchor[k / 2] | (k & 1 ? Sign : 0); }

static void check_anchors(check_t *t) {
  triple_t x[BLOCK];
  unsigned n = 0;
  for (unsigned i = 0; i < ANCHORS; i++)
    for (unsigned k = 0; k < ANCHORS; k++)
      for (unsigned m = 0; m < ANCHORS; m++) {
        x[n++] = (triple_t){{anchor_at(i), anchor_at(k), anchor_at(m)}};
        if (n < BLOCK) continue;
        check_block(t, x, n, true);
        n = 0;
      }
  check_block(t, x, n, true);
}

/* ---- random operands */
static uint64_t with_exponent(uint64_t bits, int biased) {
  const int in_range = biased < 0 ? 0 : biased > 0x7fe ? 0x7fe : biased;
  return (bits & ~(UINT64_C(0x7ff) << 52)) | (uint64_t)in_range << 52;
}

static int exponent_of(uint64_t bits) { return (int)(bits >> 52 & 0x7ff); }

/* Few ones, at both ends: products that are exact or near a number. */
static uint64_t sparse(check_t *t, uint64_t bits) {
  const uint64_t r = check_random(t);
  const uint64_t low = (r & 3) << (r >> 2 & 31), high = (r >> 8 & 7) << (48 - (r >> 12 & 15));
  const uint64_t ones = r >> 20 & 1 ? Fraction : 0;
  return (bits & ~Fraction) | ((low ^ high ^ ones) & Fraction);
}

static void operands(check_t *t, triple_t *x) {
  uint64_t *v = x->v;
  for (int i = 0; i < 3; i++)
    v[i] = check_random(t);
  const uint64_t r = check_random(t);
  for (int i = 0; i < 3; i++)
    if (r >> (8 + i) & 1) v[i] = sparse(t, v[i]);
  const int spread = (int)(r >> 16 & 127) - 64;
  switch (r & 7) {
  case 0: /* any bits */
    return;
  case 1: /* an anchor or a neighbour of one */
    v[r >> 32 & 1] = anchor_at((unsigned)(r >> 40) % ANCHORS) + (r >> 36 & 3) - 1;
    v[2] = anchor_at((unsigned)(r >> 50) % ANCHORS);
    return;
  case 2: /* small products and addends: subnormal results */
    v[0] = with_exponent(v[0], 500 + (int)(r >> 32 & 63));
    v[1] = with_exponent(v[1], 1023 - exponent_of(v[0]) + spread / 2);
    v[2] = with_exponent(v[2], (int)(r >> 40 & 63) - 8);
    return;
  case 3: /* large ones */
    v[0] = with_exponent(v[0], 0x7fe - (int)(r >> 32 & 63));
    v[1] = with_exponent(v[1], 3069 - exponent_of(v[0]) + (spread & 3) - 1);
    v[2] = with_exponent(v[2], 0x7fe - (int)(r >> 40 & 63));
    return;
  case 4: /* the addend is near the product: bits cancel */
    v[1] = with_exponent(v[1], 1023);
    v[2] = (bits_of(value_of(v[0]) * value_of(v[1])) ^ Sign) + (r >> 32 & 3) - 1;
    if (r >> 34 & 1) v[1] = (v[0] ^ Sign) + (r >> 36 & 3) - 1;
    return;
  case 5: /* half of a last place: few ones in the product, and far below the addend */
    v[0] = sparse(t, with_exponent(v[0], 1023));
    v[1] = with_exponent(sparse(t, v[1]) & ~UINT64_C(0x3ffffff), 1023);
    v[2] = sparse(t, with_exponent(v[2], 1023 + 40 + (int)(r >> 32 & 31)));
    return;
  default: /* exponents near each other */
    v[0] = with_exponent(v[0], 300 + (int)(r >> 32 & 1023));
    v[1] = with_exponent(v[1], (r & 7) == 6 ? 1023 : exponent_of(v[0]) + spread);
    v[2] = with_exponent(v[2], exponent_of(v[0]) + exponent_of(v[1]) - 1023 + 2 * spread);
    return;
  }
}

static void check_random_triples(check_t *t, long count) {
  triple_t x[BLOCK];
  for (long done = 0; done < count; done += BLOCK) {
    for (unsigned i = 0; i < BLOCK; i++)
      operands(t, &x[i]);
    check_block(t, x, BLOCK, true);
  }
}

/* ---- results that were settled by hand */
static void check_known(check_t *t) {
  static const struct {
    uint64_t a, b, c, d[ROUNDINGS];
  } fused[] = {
      /* 1 less a little under 2^-53: the number below 1 in all roundings but up */
      {UINT64_C(0xbcafffffe7ffffff),
       UINT64_C(0x3fdfffffffffffff),
       UINT64_C(0x3ff0000000000000),
       {UINT64_C(0x3fefffffffffffff), UINT64_C(0x3fefffffffffffff), UINT64_C(0x3fefffffffffffff),
        UINT64_C(0x3ff0000000000000)}},
      /* 2^-1074 * 2^-1074 + 1: only the sticky bit is left */
      {1,
       1,
       UINT64_C(0x3ff0000000000000),
       {UINT64_C(0x3ff0000000000000), UINT64_C(0x3ff0000000000000), UINT64_C(0x3ff0000000000000),
        UINT64_C(0x3ff0000000000001)}},
      /* (1 + 2^-78) + (2^53 - 1): the sum carries and 2^-78 alone decides */
      {UINT64_C(0x3ff0000004000000),
       UINT64_C(0x3feffffff8000002),
       UINT64_C(0x433fffffffffffff),
       {UINT64_C(0x4340000000000000), UINT64_C(0x4340000000000000), UINT64_C(0x4340000000000000),
        UINT64_C(0x4340000000000001)}},
      {UINT64_C(0xbff0000004000000),
       UINT64_C(0x3feffffff8000002),
       UINT64_C(0xc33fffffffffffff),
       {UINT64_C(0xc340000000000000), UINT64_C(0xc340000000000000), UINT64_C(0xc340000000000001),
        UINT64_C(0xc340000000000000)}},
      /* 1 * 1 - 1 */
      {UINT64_C(0x3ff0000000000000),
       UINT64_C(0x3ff0000000000000),
       UINT64_C(0xbff0000000000000),
       {0, 0, UINT64_C(0x8000000000000000), 0}},
      /* NaN: b before c before a, made quiet */
      {UINT64_C(0x7ff0000000000001),
       UINT64_C(0x3ff0000000000000),
       UINT64_C(0xfff0000000000002),
       {UINT64_C(0xfff8000000000002), UINT64_C(0xfff8000000000002), UINT64_C(0xfff8000000000002),
        UINT64_C(0xfff8000000000002)}},
  };
  for (size_t i = 0; i < sizeof fused / sizeof *fused; i++)
    for (unsigned rnd = 0; rnd < ROUNDINGS; rnd++)
      compare(t, FMA, (const uint64_t[]){fused[i].a, fused[i].b, fused[i].c}, rnd, fused[i].d[rnd]);
}

/* ---- the lanes of a warp */
static void check_lanes(check_t *t) {
  static const wl_fp64_op_t unit_op[OPS] = {WL_FP64_DADD, WL_FP64_DMUL, WL_FP64_DFMA};
  for (unsigned n = 0; n < 4000; n++) {
    const uint64_t r = check_random(t);
    const int op = (int)(r % OPS);
    wl_insn_dec_t insn = {.op = (uint8_t)unit_op[op], .rnd = r >> 8 & 3};
    insn.neg_b = op == ADD && (r >> 10 & 1);
    const uint32_t mask = (uint32_t)(r >> 32);
    triple_t x[WL_LANES];
    uint32_t word[6][WL_LANES], d[2][WL_LANES];
    memset(d, 0xa5, sizeof d);
    for (unsigned i = 0; i < WL_LANES; i++) {
      operands(t, &x[i]);
      for (unsigned k = 0; k < 6; k++)
        word[k][i] = (uint32_t)(x[i].v[k / 2] >> k % 2 * 32);
    }
    wl_sem_fp64(&insn, (const uint32_t (*)[WL_LANES])word, mask, d);
    (void)fesetround(host_rounding[insn.rnd]);
    for (unsigned i = 0; i < WL_LANES; i++) {
      const uint64_t got = d[0][i] | (uint64_t)d[1][i] << 32;
      if (insn.neg_b && !isnan(value_of(x[i].v[1]))) x[i].v[1] ^= Sign;
      const uint64_t expected = mask >> i & 1 ? witness(op, x[i].v) : UINT64_C(0xa5a5a5a5a5a5a5a5);
      if (!check_equal(t, got, expected) && check_print(t))
        printf("lane %u of %08x, %s neg_b %d: got %016" PRIx64 ", expected %016" PRIx64 "\n", i,
               mask, op_name[op], insn.neg_b, got, expected);
    }
    (void)fesetround(FE_TONEAREST);
  }
}

int main(int argc, char **argv) {
  check_t t = {.state = 64};
  check_known(&t);
  check_anchors(&t);
  check_lanes(&t);
  check_random_triples(&t, argc > 1 ? atol(argv[1]) : 1500000);
  return check_done(&t, "f64");
}
