/* Host side of kernel bignum: products by 128-bit integers, reduction bit by bit, division by 2^256 as 256
 * halvings; powers by remainders of 128-bit products. */
#include "tests/kernels/common/kernel_case.h"

__extension__ typedef unsigned __int128 wl_u128_t;

enum { LIMBS = 4, WORDS = 2 * LIMBS };
typedef struct number {
  uint64_t limb[LIMBS];
} number_t;

/* Odd, the first below 2^255: of secp256k1, of BN254, and the largest number of 256 bits. */
static const number_t moduli[3] = {
    {{UINT64_C(0xfffffffefffffc2f), UINT64_MAX, UINT64_MAX, UINT64_MAX}},
    {{UINT64_C(0x3c208c16d87cfd47), UINT64_C(0x97816a916871ca8d), UINT64_C(0xb85045b68181585d),
      UINT64_C(0x30644e72e131a029)}},
    {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}}};

/* *a += b; the carry. */
static unsigned add(number_t *a, const number_t *b) {
  wl_u128_t sum = 0;
  for (unsigned i = 0; i < LIMBS; i++) {
    sum += (wl_u128_t)a->limb[i] + b->limb[i];
    a->limb[i] = (uint64_t)sum;
    sum >>= 64;
  }
  return (unsigned)sum;
}

static void subtract(number_t *a, const number_t *b) {
  unsigned borrow = 0;
  for (unsigned i = 0; i < LIMBS; i++) {
    wl_u128_t rest = (wl_u128_t)a->limb[i] - b->limb[i] - borrow;
    a->limb[i] = (uint64_t)rest;
    borrow = (unsigned)(rest >> 127);
  }
}

static bool is_below(const number_t *a, const number_t *b) {
  for (unsigned i = LIMBS; i-- > 0;) {
    if (a->limb[i] != b->limb[i]) {
      return a->limb[i] < b->limb[i];
    }
  }
  return false;
}

static void shift_right(number_t *a, unsigned top) {
  for (unsigned i = 0; i < LIMBS; i++) {
    uint64_t above = i + 1 < LIMBS ? a->limb[i + 1] : top;
    a->limb[i] = a->limb[i] >> 1 | above << 63;
  }
}

/* *a = 2 * *a + bit, modulo p, for *a below p. */
static void append(number_t *a, unsigned bit, const number_t *p) {
  number_t same = *a;
  const number_t one = {{bit}};
  unsigned top = add(a, &same);
  if (top != 0 || !is_below(a, p)) {
    subtract(a, p);
  }
  if (add(a, &one) != 0 || !is_below(a, p)) {
    subtract(a, p);
  }
}

static number_t product(const number_t *a, const number_t *b, const number_t *p) {
  uint64_t whole[2 * LIMBS] = {0};
  for (unsigned i = 0; i < LIMBS; i++) {
    uint64_t carry = 0;
    for (unsigned j = 0; j < LIMBS; j++) {
      wl_u128_t t = (wl_u128_t)a->limb[i] * b->limb[j] + whole[i + j] + carry;
      whole[i + j] = (uint64_t)t;
      carry = (uint64_t)(t >> 64);
    }
    whole[i + LIMBS] = carry;
  }
  number_t r = {{0}};
  for (unsigned bit = 2 * LIMBS * 64; bit-- > 0;) {
    append(&r, whole[bit / 64] >> bit % 64 & 1u, p);
  }
  return r;
}

/* a / 2^256 modulo p */
static number_t divided(number_t a, const number_t *p) {
  for (unsigned k = 0; k < 256; k++) {
    unsigned top = (a.limb[0] & 1u) != 0 ? add(&a, p) : 0;
    shift_right(&a, top);
  }
  return a;
}

static void put(uint32_t *to, const number_t *a) {
  for (unsigned j = 0; j < WORDS; j++) {
    to[j] = (uint32_t)(a->limb[j / 2] >> 32 * (j % 2));
  }
}

/* The first are 0, 1 and p - 1 in all pairs, then some of few bits. */
static number_t operand(wl_rng_t *rng, const number_t *p, uint32_t edge) {
  const number_t one = {{1}};
  number_t a = {{0}};
  if (edge == 1) {
    a = one;
  } else if (edge == 2) {
    a = *p;
    subtract(&a, &one);
  } else if (edge > 2) {
    bool sparse = wl_rng_below(rng, 3) == 0;
    for (unsigned i = 0; i < LIMBS; i++) {
      a.limb[i] = wl_rng_u64(rng);
      a.limb[i] = !sparse ? a.limb[i] : wl_rng_below(rng, 2) == 0 ? 0 : UINT64_MAX;
    }
    while (!is_below(&a, p)) {
      shift_right(&a, 0);
    }
  }
  return a;
}

/* -1 / m modulo 2^32, bit by bit */
static uint32_t negative_inverse(uint32_t m) {
  uint32_t inverse = 0;
  for (unsigned bit = 0; bit < 32; bit++) {
    inverse |= ((inverse * m + 1u) >> bit & 1u) << bit;
  }
  return inverse;
}

static void prepare_field(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  const number_t *p = &moduli[kcase->size[1]];
  wl_rng_t rng = {n + 71};
  uint32_t *a = wl_arg_in(launch, n * WORDS * sizeof *a);
  uint32_t *b = wl_arg_in(launch, n * WORDS * sizeof *b);
  uint32_t *modulus = wl_arg_in(launch, WORDS * sizeof *modulus);
  wl_arg_u32(launch, negative_inverse((uint32_t)p->limb[0]));
  uint32_t *out = wl_arg_out(launch, n * 3 * WORDS * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  put(modulus, p);
  for (uint32_t i = 0; i < n; i++) {
    number_t x = operand(&rng, p, i < 9 ? i / 3 : 3), y = operand(&rng, p, i < 9 ? i % 3 : 3);
    number_t r = divided(product(&x, &y, p), p), sum = x, difference = x;
    put(&a[WORDS * i], &x);
    put(&b[WORDS * i], &y);
    put(&out[3 * WORDS * i], &r);
    if (add(&sum, &y) != 0 || !is_below(&sum, p)) {
      subtract(&sum, p);
    }
    put(&out[3 * WORDS * i + WORDS], &sum);
    if (is_below(&x, &y)) {
      add(&difference, p);
    }
    subtract(&difference, &y);
    put(&out[3 * WORDS * i + 2 * WORDS], &difference);
  }
}

static uint64_t power(uint64_t x, uint32_t e, uint64_t m) {
  uint64_t r = 1 % m;
  for (unsigned bit = 32; bit-- > 0;) {
    r = (uint64_t)((wl_u128_t)r * r % m);
    if ((e >> bit & 1u) != 0) {
      r = (uint64_t)((wl_u128_t)r * x % m);
    }
  }
  return r;
}

static void prepare_power(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t n = kcase->size[0];
  uint32_t bits = kcase->size[1];
  wl_rng_t rng = {n + 72};
  uint64_t *x = wl_arg_in(launch, n * sizeof *x);
  uint32_t *e = wl_arg_in(launch, n * sizeof *e);
  uint64_t *m = wl_arg_in(launch, n * sizeof *m);
  uint64_t *out = wl_arg_out(launch, n * sizeof *out);
  wl_arg_u32(launch, n);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    m[i] = (wl_rng_u64(&rng) >> (i % 4 == 3 ? wl_rng_below(&rng, 60) : 0)) | 3u;
    m[i] = i % 4 == 1 ? m[i] | UINT64_C(1) << 63 : i == 2 ? UINT64_MAX : m[i];
    x[i] = i % 5 == 4 ? m[i] - 1 : wl_rng_u64(&rng) % m[i];
    e[i] = i < 3 ? i : wl_rng_u32(&rng) >> (32 - bits);
    out[i] = power(x[i], e[i], m[i]);
  }
}

/* Division by 2^256 undoes 256 doublings; the theorem of Fermat for a prime of 64 bits. */
static const char *self_check(void) {
  for (unsigned k = 0; k < 3; k++) {
    number_t a = {{5, 6, 7, 8}}, b = a;
    for (unsigned i = 0; i < 256; i++) {
      append(&b, 0, &moduli[k]);
    }
    b = divided(b, &moduli[k]);
    if (memcmp(&a, &b, sizeof a) != 0) {
      return "doubling and halving";
    }
  }
  return power(12345, 4294967290u, 4294967291u) == 1 ? NULL : "Fermat";
}

#define CASE(NAME, ENTRY, TIER, CTAS, THREADS, SIZE, WHAT, PREPARE)                                \
  {.name = NAME,                                                                                   \
   .entry = ENTRY,                                                                                 \
   .tier = TIER,                                                                                   \
   .grid = {CTAS, 1, 1},                                                                           \
   .block = {THREADS, 1, 1},                                                                       \
   .size = {SIZE, WHAT},                                                                           \
   .prepare = PREPARE}
static const wl_kernel_case_t cases[] = {
    CASE("secp41", "field256", WL_TIER_SMOKE, 1, 43, 41, 0, prepare_field),
    CASE("bn35", "field256", WL_TIER_SMOKE, 2, 18, 35, 1, prepare_field),
    CASE("power37", "power64", WL_TIER_SMOKE, 1, 39, 37, 6, prepare_power),
    CASE("secp500", "field256", WL_TIER_CAMPAIGN, 4, 127, 500, 0, prepare_field),
    CASE("bn500", "field256", WL_TIER_CAMPAIGN, 4, 127, 500, 1, prepare_field),
    CASE("ones500", "field256", WL_TIER_CAMPAIGN, 4, 127, 500, 2, prepare_field),
    CASE("power1000", "power64", WL_TIER_CAMPAIGN, 8, 127, 1000, 32, prepare_power),
};

const wl_kernel_t wl_kernel_bignum = {
    .name = "bignum",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
